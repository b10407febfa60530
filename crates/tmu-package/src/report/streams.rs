//! The beats of the streams, field by field.

use super::{element, table, text};
use crate::streams::{
    LEFT_OUT, Row, beats_of_binding, beats_of_general_binding, binding_beat, done_beat, general_binding_beat,
    general_quad_beats, job_registers, quad_beat, result_beat,
};
use crate::xml::Element;
use tmu_spec::binding::field::WORDS;
use tmu_spec::config::EngineKind;
use tmu_spec::general;
use tmu_spec::general::packet::Extras;
use tmu_spec::{BeatsPerQuad, Config};

fn fields(rows: Vec<Row>) -> Element {
    table(
        &["bits of tdata", "field", "meaning"],
        rows.into_iter().map(|row| vec![row.bits(), row.name, row.meaning]),
    )
}

/// Beats one after the other.
fn beats(all: Vec<Vec<Row>>) -> Vec<Element> {
    let is_alone = all.len() == 1;
    let heading = |number| element("p").child(text("strong", format!("Beat {number}")));
    let of_beat = |(number, rows)| (!is_alone).then(|| heading(number)).into_iter().chain([fields(rows)]);
    all.into_iter().enumerate().flat_map(of_beat).collect()
}

/// All of them.
pub(super) fn streams(config: &Config) -> Vec<Element> {
    let mut parts = if config.units() > 0 { of_units(config) } else { vec![] };
    if config.engines().contains(&EngineKind::Loader) && config.engine_configs().loader().job_port() {
        parts.extend(jobs());
    }
    parts
}

/// Jobs of the loader engine, and how they have ended.
fn jobs() -> Vec<Element> {
    let words = job_registers()
        .enumerate()
        .map(|(beat, register)| vec![beat.to_string(), register.name.to_owned(), register.doc.to_owned()]);
    vec![
        text("h3", "s_axis_job: a job"),
        text(
            "p",
            "What the registers of a job would be written with, a beat each; tlast is set in the last.",
        ),
        table(&["beat", "register", "meaning"], words),
        text("h3", "m_axis_done: how it has ended"),
        text("p", "One beat for each packet, in the order of the packets. All other bits are 0."),
        fields(done_beat()),
    ]
}

/// Requests and results.
fn of_units(config: &Config) -> Vec<Element> {
    let (of_quad, quads, of_binding, bindings) = match config.features().general() {
        None => classic(config.request().beats_per_quad()),
        Some(general) => {
            let beats = config.request().beats_per_quad();
            let quads = general_quad_beats(Extras::of(general), beats);
            let of_quad = match quads.len() {
                1 => "A quad is one beat; tlast is set.".to_owned(),
                2 => "A quad is two beats with two pixels each; tlast is set in the second.".to_owned(),
                most => format!("A quad is up to {most} beats; tlast is set in the last. {LEFT_OUT}"),
            };
            let bindings = (0..general::field::WORDS).map(general_binding_beat).collect();
            (of_quad, quads, beats_of_general_binding(), bindings)
        }
    };
    let unit = "u and v are signed, with 16 fraction bits: 65536 is the texture's side.";
    let mut parts =
        vec![text("h3", "s_axis_req: a quad"), text("p", format!("tuser is 0. {of_quad} {unit}"))];
    parts.extend(beats(quads));
    parts.push(text("h3", "s_axis_req: a binding"));
    parts.push(text(
        "p",
        format!("tuser is 1. {of_binding}. It holds for all quads behind it. All other bits are 0."),
    ));
    parts.extend(beats(bindings));
    parts.push(text("h3", "m_axis_res: a result"));
    parts.push(text(
        "p",
        "One beat for each quad, in the order of the quads. tuser: bits 3:0 the valid bits, bit 4 error.",
    ));
    parts.push(fields(result_beat()));
    parts
}

/// What is said of a quad, its beats, and the same of a binding.
type Packets = (String, Vec<Vec<Row>>, String, Vec<Vec<Row>>);

fn classic(beats: BeatsPerQuad) -> Packets {
    let of_quad = match beats {
        BeatsPerQuad::One => "A quad is one beat; tlast is set.",
        BeatsPerQuad::Two => "A quad is two beats with two pixels each; tlast is set in the second.",
    };
    let quads = (0..beats.beats()).map(|beat| quad_beat(beats, beat)).collect();
    (of_quad.to_owned(), quads, beats_of_binding(), (0..WORDS).map(binding_beat).collect())
}
