//! From a filtered colour to a faded one.

use super::round::{color, components};

/// The colour multiplied by `brightness` plus 1, of 64, cut off; none if it is the key.
#[must_use]
pub fn shade(filtered: u16, key: Option<u16>, brightness: u32) -> Option<u16> {
    let faded = || color(components(filtered).map(|component| ((brightness + 1) * component) >> 6));
    (Some(filtered) != key).then(faded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_left_out_before_it_fades() {
        assert_eq!(shade(0x1234, Some(0x1234), 10), None);
        assert_eq!(shade(0xffff, Some(0x7bef), 31), Some(0x7bef));
        assert_eq!(shade(0, None, 63), Some(0));
    }

    #[test]
    fn full_brightness_changes_nothing_and_none_leaves_nothing() {
        for value in 0..=u16::MAX {
            assert_eq!(shade(value, None, 63), Some(value));
            assert_eq!(shade(value, None, 0), Some(0));
        }
    }
}
