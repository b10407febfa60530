//! Records against tables and at random.

use super::*;
use proptest::prelude::*;

#[test]
fn fields_neither_meet_nor_leave_their_record() {
    for record in ALL {
        let mut used = vec![0u32; record.lines * LINE_BYTES / 4];
        for field in record.fields {
            for number in 0..field.count {
                let (word, bit) = field.place(number);
                assert!(bit + field.bits <= 32, "{} {} crosses a word", record.name, field.name);
                assert_eq!(used[word] & field.mask() << bit, 0, "{} {}", record.name, field.name);
                used[word] |= field.mask() << bit;
            }
        }
    }
}

#[test]
fn a_frame_by_hand() {
    let frame = Frame {
        magic: FRAME_MAGIC,
        width_less_one: 639,
        height_less_one: 479,
        tile: TileSize::Row32,
        output: OutputFormat::Rgb565,
        dithers: true,
        writes_depth: false,
        list_limit: 1000,
        clear_color: [1, 2, 3, 4],
        clear_depth: 1.0,
        tiles: 0x10,
        textures: 0x20,
        picture: 0x30,
        picture_pitch: 1280,
        depth: 0,
        depth_pitch: 0,
        texture_count: 256,
    };
    let words = [
        FRAME_MAGIC,
        639 | 479 << 16,
        3 | 2 << 4 | 1 << 8,
        1000,
        0x0403_0201,
        0x3f80_0000,
        0x10,
        0x20,
        0x30,
        1280,
        0,
        0,
        256,
        0,
        0,
        0,
    ];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(frame.write()[..], bytes);
    assert_eq!(Frame::read(&frame.write()), Ok(frame));
    assert_eq!(frame.tiles_across(), [20, 120]);
}

#[test]
fn what_is_no_record_is_refused() {
    let state = |word: usize, bits: u32| {
        let mut bytes = [0; State::BYTES];
        bytes[4 * word..4 * word + 4].copy_from_slice(&bits.to_le_bytes());
        State::read(&bytes).map(|_| ())
    };
    assert_eq!(state(1, 4), Ok(()));
    assert_eq!(state(1, 5), Err(Misfit::Code("blend")));
    assert_eq!(state(1, 1 << 3), Err(Misfit::Reserved(1)));
    assert_eq!(state(3, 1 << 16), Err(Misfit::Reserved(3)));
    let mut triangle = [0; Triangle::BYTES];
    triangle[20] = 3 << 4;
    assert_eq!(Triangle::read(&triangle), Err(Misfit::Code("cull")));
}

proptest! {
    /// Whatever bytes are a record are written as they were read.
    #[test]
    fn records_round_trip(mut bytes in prop::array::uniform32(any::<u8>()), x in -131_072..131_072_i32, y in -131_072..131_072_i32) {
        bytes[20] &= 0x17;
        bytes[21..].fill(0);
        // A NaN need not keep its bits where a processor handles it as a number.
        let inverse_area = f32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
        prop_assume!(!inverse_area.is_nan());
        prop_assert_eq!(Triangle::read(&bytes).unwrap().write(), bytes);
        let position = Position { x, y, z: 0.5, rhw: 2.0 };
        prop_assert_eq!(Position::read(&position.write()), Ok(position));
    }
}
