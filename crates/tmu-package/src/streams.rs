//! The beats of the streams, field by field: rows for the report, and the reference page.

use crate::registers::bit_range;
use std::fmt::Write as _;
use tmu_rtl::engines::loader;
use tmu_rtl::system::registers::Register;
use tmu_spec::binding::field;
use tmu_spec::choice::Choice;
use tmu_spec::general;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::packet::{
    COMPONENT_SHIFT, COORDINATE_BEATS, Extras, INDIRECT, OPERATION_SHIFT, SETUP_SHIFT,
};
use tmu_spec::general::store::NEVER_WRITTEN;
use tmu_spec::loader::job_port::{DONE, WORDS};
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
    rows.push(valid_bits(beats));
    rows
}

fn valid_bits(beats: BeatsPerQuad) -> Row {
    let meaning = "bit i: pixel i counts; the same in every beat".to_owned();
    Row { low: beats.valid_shift(), count: 4, name: "valid".to_owned(), meaning }
}

/// The beats of a quad of the general numerics, where a unit has these.
pub(crate) fn general_quad_beats(extras: Extras, beats: BeatsPerQuad) -> Vec<Vec<Row>> {
    let words = general_words(extras, beats);
    let valid = || Row { low: extras.valid_shift(beats), ..valid_bits(BeatsPerQuad::Two) };
    if beats == BeatsPerQuad::Two {
        return words.into_iter().map(|rows| rows.into_iter().chain([valid()]).collect()).collect();
    }
    let words = words.into_iter().zip(0..).flat_map(|(rows, word)| {
        rows.into_iter().map(move |row| Row { low: row.low + word * field::WORD_BITS, ..row })
    });
    let meaning = "bit i: pixel i counts".to_owned();
    vec![words.chain([Row { meaning, ..valid() }]).collect()]
}

/// The words of such a quad.
fn general_words(extras: Extras, beats: BeatsPerQuad) -> Vec<Vec<Row>> {
    let coordinates = |beat| {
        let rows = quad_beat(BeatsPerQuad::Two, beat).into_iter();
        rows.filter(|row| row.low < field::WORD_BITS).collect()
    };
    let mut all: Vec<Vec<_>> = (0..COORDINATE_BEATS as u32).map(coordinates).collect();
    let left_out = |value| match beats {
        BeatsPerQuad::One => String::new(),
        BeatsPerQuad::Two => format!("; {value} where the beat is left out"),
    };
    let optional = [
        (extras.third, 'w', format!("like u and v{}", left_out("0"))),
        (extras.divisor, 'q', format!("divisor, like u and v{}", left_out("1.0"))),
        (
            extras.reference,
            'd',
            format!("depth that texels are compared with, an IEEE single{}", left_out("0")),
        ),
    ];
    for (_, name, meaning) in optional.iter().filter(|(has, ..)| *has) {
        let number = |pixel: u32| Row {
            low: 32 * pixel,
            count: 32,
            name: format!("{name}{pixel}"),
            meaning: meaning.clone(),
        };
        all.push((0..4).map(number).collect());
    }
    if extras.operation {
        let codes: Vec<_> =
            OperationName::CHOICES.iter().map(|name| format!("{} {name}", *name as u32)).collect();
        let row =
            |low, count, name: &str, meaning: String| Row { low, count, name: name.to_owned(), meaning };
        all.push(vec![
            row(0, 32, "lod", "level of detail or bias, an IEEE single".to_owned()),
            row(OPERATION_SHIFT, 3, "operation", codes.join(", ")),
            row(COMPONENT_SHIFT, 2, "component", "of `gather`: 0 to 3 for R, G, B, A".to_owned()),
        ]);
    }
    all
}

/// Which beats of a quad of the general numerics may be left out.
pub(crate) const LEFT_OUT: &str = "Beats behind the first two may be left out from the end on: w and d are 0 then, q is 1, and the operation sample.";

/// A beat of a binding.
pub(crate) fn binding_beat(beat: usize) -> Vec<Row> {
    rows_of(&field::ALL, beat)
}

/// A beat of a binding of the general numerics.
pub(crate) fn general_binding_beat(beat: usize) -> Vec<Row> {
    rows_of(&general::field::ALL, beat)
}

fn rows_of(fields: &[field::Field], beat: usize) -> Vec<Row> {
    let of_beat = fields.iter().filter(|field| field.word == beat);
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
    of_words(field::WORDS)
}

/// The same of the general numerics.
pub(crate) fn beats_of_general_binding() -> String {
    of_words(general::field::WORDS)
}

fn of_words(words: usize) -> String {
    match words {
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
         Units of the [general numerics](general.md) have packets of their own, [below](#general-numerics).\n\n\
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
    text + &general_part()
}

/// Packets of the general numerics.
fn general_part() -> String {
    let mut text = format!(
        "\n## General numerics\n\nWith `request.beats_per_quad = 2` `tdata` of `s_axis_req` has 136 bits, and a quad a beat for each \
         word of 128 bits. {LEFT_OUT} With `request.beats_per_quad = 1` a quad is one beat: the same words one above the other, none \
         left out, and the valid bits on top. A unit without \
         cubes, volumes and arrays has no word with w, one that is not projective none with q, one without comparison none with d, one \
         without other operations than sample none with the operation. With `request.numbers = \"fp32\"` u, v, w and q are IEEE \
         singles; those of a fetch are integers, texels and a slice, layer or face. Results \
         are as above. A packet of which not all beats have the same `tuser` is dropped as one of the wrong length is.\n\n### Quads of several beats\n"
    );
    for (number, rows) in general_quad_beats(Extras::ALL, BeatsPerQuad::Two).iter().enumerate() {
        let _ = write!(text, "\nBeat {number}:\n");
        table(&mut text, rows);
    }
    let _ = write!(
        text,
        "\n### Quads of one beat\n\n`tdata` has {} bits with every word, 128 less for each one that the unit does not have, and {} \
         without any behind u and v. With every word:\n",
        Extras::ALL.tdata_bits(BeatsPerQuad::One),
        BeatsPerQuad::One.tdata_bits(),
    );
    general_quad_beats(Extras::ALL, BeatsPerQuad::One).iter().for_each(|rows| table(&mut text, rows));
    let _ = write!(
        text,
        "\n### Bindings\n\n{}. Rules and `ERROR.BINDING_RULES` are those above: a size is wrong where a side is over the \
         largest one built or does not fit the kind, a feature is whatever else the unit was not built to do. Fields of what a unit \
         does not have are 0; address modes of a cube mean nothing. Bits above those of a word mean nothing where a quad is one beat, \
         and are 0 otherwise.\n",
        beats_of_general_binding()
    );
    for beat in 0..general::field::WORDS {
        let _ = write!(text, "\nBeat {beat}:\n");
        table(&mut text, &general_binding_beat(beat));
    }
    text + &indirect_part() + &store_part() + &loader_part()
}

/// Jobs of the loader engine, and how they have ended.
fn loader_part() -> String {
    let mut text = format!(
        "\n## Jobs of the engine `loader`\n\nWith `loader.job_port` the engine [`loader`](loader.md#packets) takes packets of {WORDS} beats of \
         32 bits on `s_axis_job`, the last one with `tlast`. Each beat is what a [register](engines/loader.md) of the job would be written with:\n\n\
         | beat | register |\n| --- | --- |\n"
    );
    for (beat, register) in job_registers().enumerate() {
        let _ = writeln!(text, "| {beat} | `{}` |", register.name);
    }
    text += "\nEach packet is answered on `m_axis_done`:\n";
    table(&mut text, &done_beat());
    text
}

/// The beat that says how such a job has ended.
pub(crate) fn done_beat() -> Vec<Row> {
    DONE.iter().map(|field| row(field, 0)).collect()
}

/// The registers that a packet of the loader engine writes, beat by beat.
pub(crate) fn job_registers() -> impl Iterator<Item = &'static Register> {
    loader::registers::TABLE.iter().skip_while(|register| register.name != "PICTURE").take(WORDS)
}

/// The row of a field, so many bits higher.
fn row(field: &field::Field, shift: u32) -> Row {
    Row {
        low: shift + field.shift,
        count: field.bits,
        name: field.name.to_owned(),
        meaning: field.doc.to_owned(),
    }
}

/// What is more in packets of units with a parameter store.
fn store_part() -> String {
    let rows_of = |fields: &[field::Field]| fields.iter().map(|field| row(field, 0)).collect::<Vec<_>>();
    let [entry, stores, enables, sets_enables] = general::field::OF_STORE;
    let mut text = format!(
        "\n### Parameter store\n\nA unit with a [parameter store](general.md#parameter-store) keeps a binding with the bit `{}` in an \
         entry, and leaves what is bound as it is. In beat 0, of an entry's number 6 bits with 64 entries and 7 with 128:\n",
        stores.name
    );
    table(&mut text, &rows_of(&[entry, stores, enables, sets_enables]));
    text += "\nAs everywhere what is kept may break a rule; `ERROR.BINDING_RULES` says so when it is written, and quads that find it \
             bound fail. Whether a texture is the secondary one is said when it is used, not here. Entries are written [over the control \
             port](general.md#written-over-the-control-port) and [from memory](general.md#loaded-from-memory), too.\n\nA packet of a single beat with \
             `tuser` 1 and `tlast` is a use: it binds what an entry holds for all quads behind it. All other bits are 0:\n";
    table(&mut text, &rows_of(&[entry, enables, sets_enables, field::DROP_CACHE, general::field::SECONDARY]));
    let _ = write!(
        text,
        "\nThe bit `{}` is there with indirect look-ups only. A use with another bit set breaks the first rule, one of an entry that \
         was never written, or whose enabled target was not, rule {}; quads behind it fail.\n",
        general::field::SECONDARY.name,
        NEVER_WRITTEN.mask().trailing_zeros()
    );
    text
}

/// What is more in packets of units with indirect look-ups.
fn indirect_part() -> String {
    let mut text = format!(
        "\n### Indirect look-ups\n\nA unit with [indirect look-ups](general.md#indirect-look-ups) has two textures bound, by a binding each: \
         that of the secondary texture has the bit `{}`, and leaves the primary one, which quads of one texture read too, as it is. \
         In beat 0:\n",
        general::field::SECONDARY.name
    );
    table(&mut text, &[row(&general::field::SECONDARY, 0)]);
    let _ = write!(
        text,
        "\nA quad of an indirect look-up has the operation {INDIRECT}. Its u and v are integers, the place in the primary texture, and \
         its set-up is in the word of the operation:\n"
    );
    let rows: Vec<_> = general::indirect::ALL.iter().map(|field| row(field, SETUP_SHIFT)).collect();
    table(&mut text, &rows);
    text += "\nBits between them mean nothing. Results have `tlast`, which is set in the last one of a quad: with operation `none` a quad \
             has a result for each value. A quad whose textures or set-up break a rule has one, with the error bit.\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Quad;
    use tmu_spec::general::packet::of_quad;
    use tmu_spec::general::{Operation, Pixel};

    /// The numbers of a quad, each another one, are read back from the rows.
    #[test]
    fn general_fields_are_those_that_are_encoded() {
        [BeatsPerQuad::One, BeatsPerQuad::Two].into_iter().for_each(general_fields_are_encoded);
    }

    fn general_fields_are_encoded(beats_per_quad: BeatsPerQuad) {
        let pixels = [1, 2, 3, 4].map(|u| Pixel { u, v: u + 10, w: u + 20, q: u + 30, d: u + 40 });
        let quad = general::Quad { pixels, valid: 0b1010, lod: 0x4048_f5c3, operation: Operation::Gather(2) };
        let extras = Extras::ALL;
        let beats = of_quad(&quad, extras, beats_per_quad);
        let rows = general_quad_beats(extras, beats_per_quad);
        assert_eq!(beats.len(), rows.len());
        for (beat, rows) in beats.iter().zip(&rows) {
            let tdata = beat.low_bytes(extras.tdata_bits(beats_per_quad) as usize / 8);
            for Row { low, count, name, .. } in rows {
                let bytes = tdata[*low as usize / 8..].iter().take(count.div_ceil(8) as usize);
                let value = bytes.rev().fold(0u32, |value, byte| value << 8 | u32::from(*byte));
                let pixel = name[1..].parse::<usize>().ok();
                let expected = match (name.as_str(), pixel) {
                    ("valid", _) => 0b1010,
                    ("lod", _) => 0x4048_f5c3,
                    ("operation", _) => OperationName::Gather as u32,
                    ("component", _) => 2,
                    (name, Some(pixel)) if name.starts_with('u') => quad.pixels[pixel].u,
                    (name, Some(pixel)) if name.starts_with('v') => quad.pixels[pixel].v,
                    (name, Some(pixel)) if name.starts_with('w') => quad.pixels[pixel].w,
                    (name, Some(pixel)) if name.starts_with('q') => quad.pixels[pixel].q,
                    (_, Some(pixel)) => quad.pixels[pixel].d,
                    _ => panic!("{name} is known"),
                };
                assert_eq!(value, expected, "{name}");
            }
        }
    }

    #[test]
    fn a_job_has_a_beat_for_each_of_its_registers() {
        let names: Vec<_> = job_registers().map(|register| register.name).collect();
        assert_eq!((names.len(), names[0], names[WORDS - 1]), (WORDS, "PICTURE", "LEVELS"));
        let offsets: Vec<_> = job_registers().map(|register| register.offset_bytes as usize).collect();
        assert_eq!(offsets, (1..=WORDS).map(|word| 4 * word).collect::<Vec<_>>());
    }

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
