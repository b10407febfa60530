//! A quad that is one beat: all its words at once, one above the other.
//!
//! Contract: whatever comes while there is room goes into the registers of a quad, which counts once its packet is known to be one. The
//! first coordinate is apart, since registers of bindings stand there too. Wires only.

use super::{Pixel, REGISTER, Request, WORD, indirect};
use crate::datapath::general::words::{PIXELS, extras};
use tmu_hdl::prelude::*;
use tmu_spec::general::packet::{COMPONENT_SHIFT, COORDINATE_BEATS, OPERATION_SHIFT, SETUP_SHIFT};
use tmu_spec::quad::BeatsPerQuad;

/// A number that pixels may have.
type Number = fn(&Pixel) -> Option<&Reg>;

/// From the beat into the registers.
#[kernel]
pub(super) fn take(request: &Request) {
    /// # A quad in one beat
    let beat = request.beat.data.val();
    let extras = extras(&request._config);
    let number = |word: usize, place: usize| beat.slice(word * WORD + place * REGISTER, REGISTER);
    let valid_at = extras.valid_shift(BeatsPerQuad::One) as usize;
    discard(
        beat.slice(valid_at + PIXELS, beat.width() - 2 - valid_at - PIXELS),
        "filling of tdata to whole bytes",
    );
    let numbers: [Number; 3] =
        [|pixel| pixel.w.as_ref(), |pixel| pixel.q.as_ref(), |pixel| pixel.reference.as_ref()];
    if request.takes_first() {
        request.marks.valid.next = beat.slice(valid_at, PIXELS);
        for (place, pixel) in request.pixels.iter().enumerate() {
            let (word, first) = (place / 2, place % 2 * 2);
            if place > 0 {
                pixel.u.next = number(word, first);
            }
            pixel.v.next = number(word, first + 1);
        }
        let own = numbers.iter().filter(|of| of(&request.pixels[0]).is_some());
        for (at, of) in own.enumerate() {
            for (place, reg) in request.pixels.iter().filter_map(of).enumerate() {
                reg.next = number(COORDINATE_BEATS + at, place);
            }
        }
    }
    let (Some(operation), Some(lod)) = (request.marks.operation.as_ref(), request.marks.lod.as_ref()) else {
        return;
    };
    let word_at = (extras.words() - 1) * WORD;
    let (operation_at, component_at) =
        (word_at + OPERATION_SHIFT as usize, word_at + COMPONENT_SHIFT as usize);
    if request.takes_first() {
        operation.next = beat.slice(operation_at, operation.width());
        lod.next = beat.slice(word_at, REGISTER);
    }
    let mut end = operation_at + operation.width();
    if let Some(component) = request.marks.component.as_ref() {
        discard(beat.slice(end, component_at - end), "no operation has them");
        end = component_at + component.width();
        if request.takes_first() {
            component.next = beat.slice(component_at, component.width());
        }
    }
    let Some(own) = request.indirect.as_ref() else {
        discard(beat.slice(end, word_at + WORD - end), "no operation has them");
        return;
    };
    let setup_at = word_at + SETUP_SHIFT as usize;
    discard(beat.slice(end, setup_at - end), "no operation has them");
    indirect::take(own, beat.slice(word_at, WORD), request.takes_first());
}
