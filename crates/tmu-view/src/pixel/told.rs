//! What happens at a pixel, as the page is told of it.
//!
//! Registers and constants are whole numbers of 1/4096, as they are in the pipeline.

use serde_json::{Value, json};
use tmu_model::pixel::PixelTrace;
use tmu_model::pixel::tile_fetch::Triangle;
use tmu_model::pixel::trace::{Layer, LookUp, Step};
use tmu_shader::{File, Instruction, Operation};
use tmu_spec::pixel::{Part, SUBPIXEL_BITS};

/// Everything about a pixel.
pub(super) fn told(trace: &PixelTrace, pixel: [u32; 2]) -> Value {
    json!({
        "pixel": pixel,
        "tile": trace.tile,
        "color": trace.color,
        "depth": trace.depth,
        "seen": trace.seen(),
        "layers": trace.layers.iter().map(layer).collect::<Vec<_>>(),
    })
}

fn layer(layer: &Layer) -> Value {
    let state = &layer.data.state;
    let sets = state.record.sets as usize;
    let steps: Vec<_> =
        state.program.instructions().zip(&layer.steps).map(|(one, step)| told_step(one, step)).collect();
    let [first, _] = state.program.phases();
    json!({
        "part": part(layer.data.triangle.part),
        "triangle": layer.data.triangle.address,
        "state": layer.data.triangle.record.state,
        "program": state.record.program,
        "blend": state.record.blend.to_string(),
        "alpha_test": state.record.alpha_compare.to_string(),
        "alpha_reference": state.record.alpha_reference,
        "depth_test": layer.data.triangle.record.compare.to_string(),
        "vertices": vertices(layer, sets),
        "z": layer.z,
        "rhw": layer.rhw,
        "coordinates": layer.pixel.coordinates[..sets],
        "colors": layer.pixel.colors,
        "constants": constants(layer),
        "phase": state.program.has_marker().then_some(first.len()),
        "steps": steps,
        "color": layer.shaded.color,
        "shaded_depth": layer.shaded.depth,
        "is_killed": layer.shaded.is_killed,
        "drawn": layer.drawn,
    })
}

fn part(part: Part) -> &'static str {
    match part {
        Part::Opaque => "opaque",
        Part::PunchThrough => "punch-through",
        Part::Translucent => "translucent",
    }
}

fn vertices(layer: &Layer, sets: usize) -> Value {
    let Triangle { record, positions, .. } = &layer.data.triangle;
    let pixels = |place: i32| f64::from(place) / f64::from(1 << SUBPIXEL_BITS);
    let vertices = record.vertices.iter().zip(positions).zip(&layer.data.vertices);
    let told = vertices.map(|((address, position), vertex)| {
        json!({
            "address": address,
            "x": pixels(position.x),
            "y": pixels(position.y),
            "z": position.z,
            "rhw": position.rhw,
            "colors": vertex.colors,
            "coordinates": vertex.coordinates[..sets],
        })
    });
    told.collect()
}

/// The constants that the program reads, by their names.
fn constants(layer: &Layer) -> Value {
    let state = &layer.data.state;
    let registers = state.constants.of_program(&state.program).registers;
    let reads = |number: usize| {
        let mut sources = state.program.instructions().flat_map(|one| &one.sources);
        sources.any(|source| {
            source.register.file == File::Constant && usize::from(source.register.number) == number
        })
    };
    let read = (0..registers.len()).filter(|number| reads(*number));
    read.map(|number| json!({ "name": format!("c{number}"), "value": registers[number] })).collect()
}

fn told_step(one: &Instruction, step: &Step) -> Value {
    // texkill and texdepth read what is written as their destination.
    let is_written = !matches!(one.operation, Operation::Texkill | Operation::Texdepth);
    json!({
        "text": one.to_string(),
        "writes": is_written.then_some(one.destination.register.number),
        "registers": step.registers.temporary,
        "depth": step.registers.depth,
        "is_killed": step.registers.is_killed,
        "look_up": step.look_up.as_ref().map(look_up),
    })
}

fn look_up(look_up: &LookUp) -> Value {
    let texels = look_up
        .texels
        .iter()
        .map(|(texel, channels)| json!({ "level": texel.level, "place": texel.place, "channels": channels }));
    json!({
        "texture": look_up.texture,
        "coordinates": look_up.coordinates,
        "texels": texels.collect::<Vec<_>>(),
    })
}
