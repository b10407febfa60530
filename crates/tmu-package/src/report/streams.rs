//! The beats of the streams, field by field.

use super::{element, table, text};
use crate::xml::Element;
use tmu_spec::{BeatsPerQuad, Config};

/// Fields of a binding: lowest bit, bits, name, meaning. A test holds them against what `tmu-spec` encodes.
const BINDING: [(u32, u32, &str, &str); 10] = [
    (0, 31, "base", "address in the texture window, bytes; a multiple of 16"),
    (32, 4, "width_log2", "log2 of the width in texels"),
    (36, 4, "height_log2", "log2 of the height in texels"),
    (40, 4, "max_lod", "the smallest level that may be sampled"),
    (44, 8, "format", "0 rgba8, 1 rgb8, 2 i8_rgba8, 3 i8_rgb8"),
    (52, 1, "bilinear", "four weighted texels a pixel instead of one"),
    (53, 1, "mipmapped", "the level follows the footprint"),
    (56, 2, "address_u", "0 wrap, 1 clamp, 2 mirror"),
    (58, 2, "address_v", "the same for v"),
    (62, 1, "drop_cache", "drop what the cache holds first"),
];

fn bits(low: u32, count: u32) -> String {
    if count == 1 { low.to_string() } else { format!("{}:{low}", low + count - 1) }
}

fn fields(rows: Vec<(u32, u32, String, String)>) -> Element {
    let row = |(low, count, name, meaning)| vec![bits(low, count), name, meaning];
    table(&["bits of tdata", "field", "meaning"], rows.into_iter().map(row))
}

/// Requests and results.
pub(super) fn streams(config: &Config) -> Vec<Element> {
    let beats = config.request().beats_per_quad();
    let of_quad = match beats {
        BeatsPerQuad::One => "A quad is one beat; tlast is set.",
        BeatsPerQuad::Two => "A quad is two beats with two pixels each; tlast is set in the second.",
    };
    let mut parts = vec![
        text("h3", "s_axis_req: a quad"),
        text(
            "p",
            format!(
                "tuser is 0. {of_quad} u and v are signed, with 16 fraction bits: 65536 is the texture's side."
            ),
        ),
    ];
    for beat in 0..beats.beats() {
        if beats.beats() > 1 {
            parts.push(element("p").child(text("strong", format!("Beat {beat}"))));
        }
        parts.push(fields(quad_beat(beats, beat)));
    }
    parts.push(text("h3", "s_axis_req: a binding"));
    parts.push(text(
        "p",
        "tuser is 1 and tlast is set: one beat. It holds for all quads behind it. All other bits are 0.",
    ));
    let binding =
        BINDING.map(|(low, count, name, meaning)| (low, count, name.to_owned(), meaning.to_owned()));
    parts.push(fields(binding.to_vec()));
    parts.push(text("h3", "m_axis_res: a result"));
    parts.push(text(
        "p",
        "One beat for each quad, in the order of the quads. tuser: bits 3:0 the valid bits, bit 4 error.",
    ));
    let pixel = |number: u32| {
        (
            32 * number,
            32,
            format!("pixel {number}"),
            "R, G, B, A from the lowest byte; 0 if not valid".to_owned(),
        )
    };
    parts.push(fields((0..4).map(pixel).collect()));
    parts
}

fn quad_beat(beats: BeatsPerQuad, beat: u32) -> Vec<(u32, u32, String, String)> {
    let first = beat * beats.pixels_per_beat();
    let mut rows = Vec::new();
    for place in 0..beats.pixels_per_beat() {
        for (axis, shift) in [("u", 0), ("v", 32)] {
            rows.push((64 * place + shift, 32, format!("{axis}{}", first + place), "s16.16".to_owned()));
        }
    }
    let meaning = "bit i: pixel i counts; the same in every beat".to_owned();
    rows.push((beats.valid_shift(), 4, "valid".to_owned(), meaning));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::binding::RESERVED_BITS;
    use tmu_spec::{AddressMode, Binding, Format, Quad, Sampler, Texture};

    #[test]
    fn binding_fields_are_those_that_are_encoded() {
        let texture = Texture::new(Format::I8Rgba8, 9, 5, 7).unwrap();
        let sampler = Sampler {
            bilinear: true,
            mipmapped: false,
            address_u: AddressMode::Mirror,
            address_v: AddressMode::Clamp,
        };
        let bits = Binding::new(0x1230, texture, sampler).unwrap().with_drop_cache(true).encode();
        let expected = [0x1230, 9, 5, 7, 2, 1, 0, 2, 1, 1];
        let mask = |count: u32| (1u64 << count) - 1;
        for ((low, count, name, _), expected) in BINDING.into_iter().zip(expected) {
            assert_eq!(bits >> low & mask(count), expected, "{name}");
        }
        let named = BINDING.into_iter().fold(0, |all, (low, count, ..)| all | mask(count) << low);
        assert_eq!(!named, RESERVED_BITS);
    }

    #[test]
    fn quad_fields_are_those_that_are_encoded() {
        let quad = Quad::new([[1, 2], [3, 4], [5, 6], [7, 8]], 0b1010);
        for beats in [BeatsPerQuad::One, BeatsPerQuad::Two] {
            for (number, beat) in quad.to_beats(beats).iter().enumerate() {
                let tdata = beat.tdata(beats);
                for (low, _, name, _) in quad_beat(beats, number as u32) {
                    let value = tdata[low as usize / 8];
                    let pixel = name[1..].parse::<usize>().ok();
                    let expected = match (&name[..1], pixel) {
                        ("u", Some(pixel)) => quad.uv()[pixel][0],
                        ("v", Some(pixel)) => quad.uv()[pixel][1],
                        _ => i32::from(quad.valid()),
                    };
                    assert_eq!(i32::from(value), expected, "{name}");
                }
            }
        }
    }
}
