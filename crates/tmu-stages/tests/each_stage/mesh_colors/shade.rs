//! `shade`: the key, and `((brightness + 1) · c) >> 6`.

use super::{Pixel, any_color, any_place, joined, parts, send};
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::colors::{FilteredWord, filtered_word};
use tmu_rtl::engines::mesh::shade::Shade;
use tmu_rtl::engines::mesh::words::{COLOR_BITS, PLACE_BITS, SHARE_BITS};
use tmu_stages::{Check, Rig};

#[test]
pub(crate) fn shade() {
    let mut check = Check::new("shade");
    let mut rig = Rig::new("shade", Shade::new());
    // A job of all brightnesses, with all components.
    for brightness in (0..64).rev() {
        let (has_key, key) = (!check.one_in(3), any_color(&mut check));
        rig.settings.has_key.drive(has_key);
        rig.settings.key.drive(lit(COLOR_BITS, key));
        rig.settings.brightness.drive(lit(SHARE_BITS, brightness));
        let items = job(&mut check, brightness, has_key.then_some(key));
        send(
            &mut check,
            &mut rig,
            |stage| (&stage.input, &stage.output),
            items,
            |_, _, _| (),
            |check, word, expected| {
                let got = Pixel::of(word);
                // The end has no colour and no place.
                let got = if got.is_end { Pixel { color: 0, place: 0, ..got } } else { got };
                check.same("pixel", got, expected);
            },
        );
    }
    check.at_least(64 * 64);
}

fn job(check: &mut Check, brightness: u64, key: Option<u64>) -> Vec<(Bits, Pixel)> {
    let mut place = any_place(check);
    let mut items: Vec<(Bits, Pixel)> = (0..64)
        .map(|number| {
            let random = any_color(check);
            let shifted = [number % 32, number, 31 - number % 32];
            let color = key.filter(|_| check.one_in(6)).unwrap_or(if number % 2 == 0 {
                joined(shifted)
            } else {
                random
            });
            let opens_line = check.one_in(3);
            let faded = parts(color).map(|part| ((brightness + 1) * part) >> 6);
            let is_drawn = key != Some(color);
            let expected = Pixel { color: joined(faded), place, opens_line, is_drawn, is_end: false };
            let item = (word(color, place, [opens_line, false]), expected);
            place = any_place(check);
            item
        })
        .collect();
    items.push((word(any_color(check), place, [false, true]), Pixel::end()));
    items
}

fn word(color: u64, place: u64, [opens_line, is_end]: [bool; 2]) -> Bits {
    filtered_word().pack(&FilteredWord {
        color: lit(COLOR_BITS, color),
        place: lit(PLACE_BITS, place),
        opens_line: lit(1, u64::from(opens_line)),
        is_end: lit(1, u64::from(is_end)),
    })
}
