//! The beats of the streams, field by field.

use super::{element, table, text};
use crate::streams::{Row, beats_of_binding, binding_beat, quad_beat, result_beat};
use crate::xml::Element;
use tmu_spec::binding::field::WORDS;
use tmu_spec::{BeatsPerQuad, Config};

fn fields(rows: Vec<Row>) -> Element {
    table(
        &["bits of tdata", "field", "meaning"],
        rows.into_iter().map(|row| vec![row.bits(), row.name, row.meaning]),
    )
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
        format!(
            "tuser is 1. {}. It holds for all quads behind it. All other bits are 0.",
            beats_of_binding()
        ),
    ));
    for word in 0..WORDS {
        if WORDS > 1 {
            parts.push(element("p").child(text("strong", format!("Beat {word}"))));
        }
        parts.push(fields(binding_beat(word)));
    }
    parts.push(text("h3", "m_axis_res: a result"));
    parts.push(text(
        "p",
        "One beat for each quad, in the order of the quads. tuser: bits 3:0 the valid bits, bit 4 error.",
    ));
    parts.push(fields(result_beat()));
    parts
}
