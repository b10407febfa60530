//! The beats of the streams, field by field: rows for the report, and the reference page.

use crate::registers::bit_range;
use std::fmt::Write as _;
use tmu_spec::binding::field;
use tmu_spec::{BeatsPerQuad, BindingRule};

/// A field of a beat.
pub(crate) struct Row {
    low: u32,
    count: u32,
    pub(crate) name: String,
    pub(crate) meaning: String,
}

impl Row {
    /// Its bits of `tdata` as people write them: `7:4`, or `3`.
    pub(crate) fn bits(&self) -> String {
        bit_range(self.low, self.count)
    }
}

/// A beat of a quad.
pub(crate) fn quad_beat(beats: BeatsPerQuad, beat: u32) -> Vec<Row> {
    let first = beat * beats.pixels_per_beat();
    let mut rows = Vec::new();
    for place in 0..beats.pixels_per_beat() {
        for (axis, shift) in [("u", 0), ("v", 32)] {
            let (name, meaning) = (format!("{axis}{}", first + place), "s16.16".to_owned());
            rows.push(Row { low: 64 * place + shift, count: 32, name, meaning });
        }
    }
    let meaning = "bit i: pixel i counts; the same in every beat".to_owned();
    rows.push(Row { low: beats.valid_shift(), count: 4, name: "valid".to_owned(), meaning });
    rows
}

/// A beat of a binding.
pub(crate) fn binding_beat(beat: usize) -> Vec<Row> {
    let of_beat = field::ALL.into_iter().filter(|field| field.word == beat);
    of_beat
        .map(|field| Row {
            low: field.shift,
            count: field.bits,
            name: field.name.to_owned(),
            meaning: field.doc.to_owned(),
        })
        .collect()
}

/// How many beats a binding takes, and where `tlast` is.
pub(crate) fn beats_of_binding() -> String {
    match field::WORDS {
        1 => "A binding is one beat; tlast is set".to_owned(),
        words => format!("A binding is {words} beats; tlast is set in the last"),
    }
}

/// The beat of a result.
pub(crate) fn result_beat() -> Vec<Row> {
    let meaning = || "R, G, B, A from the lowest byte; 0 if not valid".to_owned();
    let pixel = |number: u32| Row {
        low: 32 * number,
        count: 32,
        name: format!("pixel {number}"),
        meaning: meaning(),
    };
    (0..4).map(pixel).collect()
}

fn table(text: &mut String, rows: &[Row]) {
    *text += "\n| bits of `tdata` | field | |\n| --- | --- | --- |\n";
    for row in rows {
        let _ = writeln!(text, "| {} | `{}` | {} |", row.bits(), row.name, row.meaning);
    }
}

/// The reference page of the streams.
#[must_use]
pub fn page() -> String {
    let mut text = String::from(
        "<!-- Made from the tables of fields. UPDATE_DOCS=1 cargo test -p tmu-package writes it anew. -->\n\n\
         # Requests and results\n\n\
         A texture unit takes packets on `s_axis_req` and answers each quad, in order, on `m_axis_res`. Both are AXI4-Stream \
         on `core_aclk`. A packet is a quad (`tuser` 0) or a binding (`tuser` 1) and ends with `tlast`; one of the wrong \
         length is dropped, counted and set in `ERROR`. Bits that no field has are 0.\n\n\
         ## Quads\n\n\
         Four pixels, 2 x 2: upper left, upper right, lower left, lower right. u and v are signed with 16 fraction bits: 65536 \
         is the texture's side. Pixels that are not valid read nothing and are 0 in the result; the level of detail may use their coordinates.\n",
    );
    for (beats, title) in [
        (BeatsPerQuad::Two, "`request.beats_per_quad = 2`: 136 bits"),
        (BeatsPerQuad::One, "`request.beats_per_quad = 1`: 264 bits"),
    ] {
        let _ = write!(text, "\n### {title}\n");
        for beat in 0..beats.beats() {
            if beats.beats() > 1 {
                let _ = write!(text, "\nBeat {beat}:\n");
            }
            table(&mut text, &quad_beat(beats, beat));
        }
    }
    let _ = write!(
        text,
        "\n## Bindings\n\nTexture and sampler state for all quads behind it. {}. Its record has words of {} bits, a beat each.\n",
        beats_of_binding(),
        field::WORD_BITS
    );
    for beat in 0..field::WORDS {
        table(&mut text, &binding_beat(beat));
    }
    text += "\nA binding that breaks a rule is not in force: its quads return 0 with the error bit, no memory is read, and \
             `ERROR.BINDING_RULES` has the bit of each rule.\n\n| bit | rule |\n| --- | --- |\n";
    for rule in BindingRule::ALL {
        let _ = writeln!(text, "| {} | {rule} |", rule.mask().trailing_zeros());
    }
    text += "\n## Results\n\nOne beat for each quad. `tuser` bits 3:0 are the quad's valid bits, bit 4 says that it could not be \
             sampled.\n";
    table(&mut text, &result_beat());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Quad;

    #[test]
    fn quad_fields_are_those_that_are_encoded() {
        let quad = Quad::new([[1, 2], [3, 4], [5, 6], [7, 8]], 0b1010);
        for beats in [BeatsPerQuad::One, BeatsPerQuad::Two] {
            for (number, beat) in quad.to_beats(beats).iter().enumerate() {
                let tdata = beat.tdata(beats);
                for Row { low, name, .. } in quad_beat(beats, number as u32) {
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
