//! `faces`: whether all of a quad is divided a second time.

use super::super::edges::{crosses, first_face};
use super::{Cube, Divided, Step, Turns};
use tmu_hdl::prelude::*;

/// Keeps the faces of pixels as they become known, and compares them.
#[kernel]
pub(super) fn judge(turns: &Turns, divided: &Divided, cube: &Cube, step: &Step) {
    /// # Faces
    let learns = cube.face_valid.val() && turns.moves.val();
    let pixel = cube.face_pixel.val();
    for (number, held) in cube.faces.iter().enumerate() {
        if learns && pixel == number as u64 {
            held.next = cube.face.val();
        }
    }
    let faces = [0, 1, 2, 3].map(|pixel: usize| cube.faces[pixel].val());
    let valid = step.item.marks.valid;
    let first = first_face(valid, &faces);
    cube.first.next = first;
    /// A clock late, but long before the last pixel of the last axis.
    let is_first_time = turns.is_cube() && !cube.is_extra.val();
    cube.crosses.next = is_first_time && crosses(valid, first, &faces);
    let ends = turns.ends.val();
    if ends {
        cube.are_known.next = 0;
    } else if learns && pixel.all() {
        cube.are_known.next = 1;
    }
    cube.is_judged.next = cube.are_known.val() || !is_first_time;
    let repeats = step.is_wanted && step.repeats && turns.moves.val();
    if ends {
        cube.is_extra.next = 0;
    } else if repeats {
        cube.is_extra.next = 1;
    }
    let is_busy = divided.in_flight.val().any() || divided.came.val();
    cube.drains.next = cube.is_extra.val() || (cube.drains.val() && is_busy);
}
