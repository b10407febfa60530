//! `[[mesh]]` of a scene of the pixel pipeline.

use std::ops::RangeInclusive;
use std::path::Path;

use glam::{DMat4, DVec2, DVec3};
use tmu_shader::Program;
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::{Blend, SETS};

use super::super::draw::{MAX_MESHES, shape_or_file, transform};
use super::super::general::named;
use super::stages::{Named, names, stages};
use super::store::Store;
use crate::document::{Document, Section, Value};
use crate::mapping::Mapping;
use crate::mesh::{MAX_TRIANGLES, Mesh};
use crate::problem::Rule;

/// Constants of a program.
const CONSTANTS: usize = 8;

/// What a register holds: s3.12.
const REGISTER_RANGE: RangeInclusive<f64> = -8.0..=32767.0 / 4096.0;

/// Which triangles of a mesh are not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Facing {
    None,
    Back,
    Front,
}

/// A `[[mesh]]`, ready to be drawn.
#[derive(Debug)]
pub(crate) struct PixelDraw {
    pub(crate) mesh: Mesh,
    pub(crate) to_scene: DMat4,
    /// Where each corner of the triangles faces.
    pub(crate) normals: Vec<[DVec3; 3]>,
    pub(crate) program: Program,
    /// Places in the store, by stage.
    pub(crate) textures: [u8; SETS],
    /// Where coordinate sets come from.
    pub(crate) sets: Vec<Mapping>,
    /// Red, green, blue and alpha of its surface.
    pub(crate) color: [u8; 4],
    pub(crate) blend: Blend,
    pub(crate) alpha_test: CompareOp,
    pub(crate) alpha_reference: u8,
    pub(crate) depth: CompareOp,
    pub(crate) cull: Facing,
    /// m00, m01, m10, m11 of every stage, s3.12.
    pub(crate) bump: [i16; 4],
    /// c0 to c7, s3.12.
    pub(crate) constants: [[i16; 4]; CONSTANTS],
}

/// Reads all `[[mesh]]` tables with the meshes and programs that they name.
pub(super) fn draws<'t>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
    path: &Path,
    store: &mut Store<'_>,
) -> Vec<PixelDraw> {
    let mut draws: Vec<PixelDraw> = Vec::new();
    let mut triangles = 0;
    for mut section in document.tables(root, "mesh", MAX_MESHES) {
        let draw = draw(document, &mut section, path, store);
        let count = draw.as_ref().map_or(0, |draw| draw.mesh.triangles.len());
        if triangles <= MAX_TRIANGLES && triangles + count > MAX_TRIANGLES {
            let message = format!("the scene has over {MAX_TRIANGLES} triangles with {}", section.label);
            document.report.add(Rule::Limit, section.line, message, "leave out or simplify meshes");
        }
        triangles += count;
        draws.extend(draw.filter(|_| triangles <= MAX_TRIANGLES));
        document.finish(section);
    }
    draws
}

fn draw<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    path: &Path,
    store: &mut Store<'_>,
) -> Option<PixelDraw> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let program = program(document, section, directory);
    let textures = stages(document, section, program.as_ref(), store);
    let sets = sets(document, section);
    let color = document.choice(section, "color", super::view::parse_color).unwrap_or([255; 3]);
    let alpha = document.number(section, "alpha", 0.0..=1.0).unwrap_or(1.0);
    let blend = document.choice(section, "blend", named::<Blend>);
    let alpha_test = document.choice(section, "alpha_test", named::<CompareOp>);
    let alpha_reference = document.integer(section, "alpha_reference", 0..=255);
    let depth = document.choice(section, "depth", named::<CompareOp>);
    let cull = document.choice(section, "cull", |name| match name {
        "none" => Ok(Facing::None),
        "back" => Ok(Facing::Back),
        "front" => Ok(Facing::Front),
        _ => Err(format!("{name:?} is not a way to cull; use one of none, back, front")),
    });
    let bump = document.vector::<4>(section, "bump", REGISTER_RANGE).unwrap_or_default();
    let constants = constants(document, section);
    let mesh = shape_or_file(document, section, directory);
    let to_scene = transform(document, section);
    let (mesh, textures) = (mesh?, textures?);
    let [r, g, b] = color;
    Some(PixelDraw {
        normals: mesh.corner_normals(),
        mesh,
        to_scene: to_scene?,
        program: program?.program,
        textures,
        sets: sets?,
        color: [r, g, b, (alpha * 255.0).round() as u8],
        blend: blend.unwrap_or_default(),
        alpha_test: alpha_test.unwrap_or(CompareOp::Always),
        alpha_reference: alpha_reference.unwrap_or(0) as u8,
        depth: depth.unwrap_or(CompareOp::Lequal),
        cull: cull.unwrap_or(Facing::Back),
        bump: bump.map(register),
        constants,
    })
}

/// A number as a register holds it.
fn register(value: f64) -> i16 {
    (value * 4096.0 + 0.5).floor() as i16
}

/// The program that `program` names, text or assembled.
fn program<'t>(document: &mut Document<'t>, section: &mut Section<'t>, directory: &Path) -> Option<Named> {
    let Value { value: name, line } = document.required::<String>(section, "program", "\"light_map.psh\"")?;
    let path = directory.join(&name);
    document.files.push(path.clone());
    let bytes = match tmu_assets::read_whole(&path, tmu_shader::MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("{} `program`: {} cannot be read: {error}", section.label, path.display());
            document.report.add(Rule::File, line, message, "check the path");
            return None;
        }
    };
    let program = if tmu_shader::is_binary(&bytes) {
        tmu_shader::read_bytes(&bytes)
    } else {
        tmu_shader::read_text(&String::from_utf8_lossy(&bytes))
    };
    match program {
        Ok(program) => Some(Named { name, program }),
        Err(problems) => {
            let message = format!("{} names the program {name:?}, which cannot be used", section.label);
            document.report.add(Rule::Program, line, message, "see the problems of that file below");
            document.report.absorb(problems.in_file(&path));
            None
        }
    }
}

/// `coordinates` and `uv_scales`: where t0, t1 … come from.
fn sets<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> Option<Vec<Mapping>> {
    const KNOWN: [&str; 5] = ["uv", "position", "direction", "normal", "reflection"];
    let sources = names(document, section, "coordinates", &KNOWN.map(str::to_owned));
    let scales = document.optional::<Vec<[f64; 2]>>(section, "uv_scales");
    let sources = sources?.numbers;
    let sources = if sources.is_empty() { vec![0] } else { sources };
    let scale = |set: usize| {
        let scale = scales.as_ref().and_then(|scales| scales.value.get(set)).copied();
        DVec2::from_array(scale.unwrap_or([1.0; 2]))
    };
    if let Some(wrong) = scales
        .iter()
        .find(|scales| scales.value.iter().flatten().any(|part| part.is_nan() || part.abs() > 1.0e6))
    {
        let message = format!("{} `uv_scales` has a number beyond 1000000", section.label);
        document.report.add(Rule::OutOfRange, wrong.line, message, "give a value within the limits");
        return None;
    }
    if let Some(scales) = scales.as_ref().filter(|scales| scales.value.len() > sources.len()) {
        let (most, count) = (sources.len(), scales.value.len());
        let message =
            format!("{} has {count} `uv_scales`, and {most} coordinate sets for them", section.label);
        let remedy = "give at most one for each set of `coordinates`, which is [\"uv\"] where it is left out";
        document.report.add(Rule::Conflict, scales.line, message, remedy);
        return None;
    }
    let mapping = |(set, source): (usize, usize)| match KNOWN[source] {
        "position" => Mapping::Position { scale: DVec3::ONE, offset: DVec3::ZERO },
        "direction" => Mapping::Direction,
        "normal" => Mapping::Normal,
        "reflection" => Mapping::Reflection,
        _ => Mapping::Uv { scale: scale(set), w: 0.0 },
    };
    Some(sources.into_iter().enumerate().map(mapping).collect())
}

/// `constants`: c0, c1 … that the program does not define itself.
fn constants<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> [[i16; 4]; CONSTANTS] {
    let mut constants = [[0; 4]; CONSTANTS];
    let Some(Value { value, line }) = document.optional::<Vec<[f64; 4]>>(section, "constants") else {
        return constants;
    };
    if value.len() > CONSTANTS {
        let message =
            format!("{} `constants` has {} of them; {CONSTANTS} are the most", section.label, value.len());
        document.report.add(Rule::Limit, line, message, "leave some out");
    }
    for (constant, value) in constants.iter_mut().zip(value) {
        for number in value {
            document.check_range(section, "constants", line, number, &REGISTER_RANGE);
        }
        *constant = value.map(register);
    }
    constants
}
