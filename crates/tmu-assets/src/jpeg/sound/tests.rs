//! Files that are not sound, each told for what it is.

use super::*;

/// A grey picture of eight blocks in a row, a restart marker behind every third: Huffman tables with the codes 0, 10
/// and 110, of which the first means no difference or no coefficients. Every block has one bit of each, so a stretch
/// is a byte: six zeros and the padding.
fn restarted() -> Vec<u8> {
    let segment = |kind: u8, data: &[u8]| [&[0xff, kind, 0, data.len() as u8 + 2], data].concat();
    let codes = |table: u8, values: [u8; 3]| {
        let counts = [1, 1, 1].into_iter().chain([0; 13]);
        [table].into_iter().chain(counts).chain(values).collect::<Vec<_>>()
    };
    [
        vec![0xff, marker::SOI],
        segment(marker::DQT, &[[0].as_slice(), &[1; 64]].concat()),
        segment(marker::SOF0, &[8, 0, 8, 0, 64, 1, 1, 0x11, 0]),
        segment(marker::DHT, &codes(0, [0, 1, 12])),
        segment(marker::DHT, &codes(0x10, [0, 0xf0, 0x31])),
        segment(marker::DRI, &[0, 3]),
        segment(marker::SOS, &[1, 1, 0, 0, 63, 0]),
        vec![0x03, 0xff, marker::RST0, 0x03, 0xff, marker::RST0 + 1, 0x0f, 0xff, marker::EOI],
    ]
    .concat()
}

/// Bytes in place of others, and a part of what is said then.
#[test]
fn what_a_sound_file_never_has_is_named() {
    let whole = restarted();
    assert_eq!(check(&whole), Ok(()));
    crate::jpeg::decode(&whole).unwrap();
    let end = whole.len();
    let find = |kind: u8| whole.windows(2).position(|pair| pair == [0xff, kind]).unwrap();
    let cases: [(usize, &[u8], &str); 21] = [
        (0, &[0], "does not begin"),
        (find(marker::DQT) + 5, &[0], "a step of 0"),
        (find(marker::DQT) + 4, &[4], "a quantisation table is none"),
        (find(marker::DQT) + 3, &[66], "a quantisation table is none"),
        (find(marker::SOF0) + 3, &[12], "picture's size is damaged"),
        (find(marker::SOF0) + 11, &[0x51], "picture's size is damaged"),
        (find(marker::SOF0) + 8, &[72], "it ends in the middle of a block"),
        (find(marker::SOF0) + 8, &[48], "a marker should stand"),
        (find(marker::DHT) + 5, &[2], "a Huffman table is cut short"),
        (find(marker::DHT) + 5, &[2, 0, 1], "more codes than their lengths allow"),
        (find(marker::DHT) + 4, &[4], "a Huffman table has no number"),
        (find(marker::DHT) + 21, &[12], "a coefficient is too large"),
        (find(marker::DRI) + 3, &[3], "the restart interval has another length"),
        (find(marker::DRI) + 5, &[2], "a restart marker should stand"),
        (find(marker::SOS) + 5, &[2], "the header of a scan is damaged"),
        (find(marker::SOS) + 6, &[0x10], "a scan has no Huffman table"),
        (end - 9, &[0xe3; 4], "a code means nothing"),
        (end - 9, &[0b0101_0101], "it ends in the middle of a block"),
        (end - 9, &[0b0101_0101, 0b0101_0101, 0xff, marker::EOI], "too many coefficients"),
        (end - 8, &[0x03], "bytes are left over"),
        (end - 4, &[marker::RST0], "a restart marker should stand"),
    ];
    for (at, change, expected) in cases {
        let mut bytes = whole.clone();
        bytes[at..at + change.len()].copy_from_slice(change);
        let said = check(&bytes).unwrap_err();
        assert!(said.contains(expected), "byte {at} to {change:x?}: {said:?}, not {expected:?}");
    }
}

#[test]
fn whole_parts_that_are_missing_or_twice_there_are_named() {
    let whole = restarted();
    let scan = whole.windows(2).position(|pair| pair == [0xff, marker::SOS]).unwrap();
    let end = whole.len();
    let eoi = [0xff, marker::EOI];
    let cases = [
        ([&whole[..scan], &eoi].concat(), "before all of its picture"),
        (whole[..end - 2].to_vec(), "in the middle of its picture"),
        (whole[..scan + 5].to_vec(), "before its end-of-image marker"),
        ([&whole[..end - 8], &whole[end - 5..]].concat(), "a restart marker should stand"),
        ([&whole[..end - 6], &whole[end - 8..]].concat(), "it ends in the middle of a block"),
        ([&whole[..end - 2], &[0xff, marker::RST0 + 2], &eoi].concat(), "does not belong there"),
        ([&whole[..end - 2], &[7], &eoi].concat(), "1 bytes are left over"),
    ];
    for (bytes, expected) in cases {
        let said = check(&bytes).unwrap_err();
        assert!(said.contains(expected), "{said:?}, not {expected:?}");
    }
    // What stands behind the end is nobody's.
    check(&[&whole[..], &[1, 2, 3]].concat()).unwrap();
}
