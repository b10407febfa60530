//! `textures` and `samplers` of a mesh: what the stages of its program sample.

use tmu_shader::Program;
use tmu_spec::pixel::SETS;

use super::store::Store;
use crate::document::{Document, Section, Value};
use crate::problem::Rule;

/// The program of a mesh, and its file as the scene names it.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) program: Program,
}

/// A list of names, and where they stand among those that are known.
pub(super) struct Names {
    pub(super) numbers: Vec<usize>,
    /// Where the list stands, or the section that has none.
    pub(super) line: usize,
}

/// `textures` and `samplers`: the n-th is what texld to rn samples. Stages that the program does not sample need none.
pub(super) fn stages<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    program: Option<&Named>,
    store: &mut Store<'_>,
) -> Option<[u8; SETS]> {
    let [texture_names, sampler_names] = store.names();
    // Both are taken, whatever is wrong with one of them.
    let textures = names(document, section, "textures", texture_names);
    let samplers = names(document, section, "samplers", sampler_names);
    let (textures, samplers) = textures.zip(samplers)?;
    let has_all = program.is_none_or(|program| has_sampled(document, section, program, &textures));
    // Where no texture is named, nothing is to be said of samplers.
    let is_fitting =
        (!has_all && textures.numbers.is_empty()) || fits(document, section, &textures, &samplers);
    if !has_all || !is_fitting {
        return None;
    }
    let sampled = program.map_or(0, |named| named.program.textures());
    let mut stages = [0; SETS];
    for (number, (stage, texture)) in stages.iter_mut().zip(textures.numbers).enumerate() {
        let sampler = samplers.numbers[number.min(samplers.numbers.len() - 1)];
        let line = (sampled >> number & 1 == 1).then_some(textures.line);
        *stage = store.place(document, section, (texture, sampler), line)?;
    }
    Some(stages)
}

/// Whether all stages that the program samples have a texture; what lacks one is in the report.
fn has_sampled(
    document: &mut Document<'_>,
    section: &Section<'_>,
    Named { name, program }: &Named,
    textures: &Names,
) -> bool {
    let count = textures.numbers.len();
    let missing: Vec<_> = (count..SETS).filter(|stage| program.textures() >> stage & 1 == 1).collect();
    for stage in &missing {
        let message = format!(
            "{} has no texture for stage {stage}, which its program {name:?} samples with texld to r{stage}",
            section.label
        );
        let remedy = format!(
            "name a texture for stage {stage} in `textures`, which has {count} names, for stages from 0 on"
        );
        document.report.add(Rule::Conflict, textures.line, message, remedy);
    }
    missing.is_empty()
}

/// Whether there are as many samplers as textures, or one for all.
fn fits(document: &mut Document<'_>, section: &Section<'_>, textures: &Names, samplers: &Names) -> bool {
    let [of_textures, of_samplers] = [textures, samplers].map(|names| names.numbers.len());
    if of_samplers == of_textures || (of_samplers == 1 && of_textures > 0) {
        return true;
    }
    let message = format!("{} has {of_textures} textures and {of_samplers} samplers", section.label);
    let remedy = match of_textures {
        0 => "name textures in `textures`, or leave `samplers` out",
        _ => "give one sampler, or one for each texture",
    };
    document.report.add(Rule::Conflict, samplers.line, message, remedy);
    false
}

/// A list of up to six names, each one of some; none are there if there is no such key.
pub(super) fn names<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    key: &'static str,
    known: &[String],
) -> Option<Names> {
    let is_there = section.has(key);
    let Some(Value { value, line }) = document.optional::<Vec<String>>(section, key) else {
        return (!is_there).then_some(Names { numbers: Vec::new(), line: section.line });
    };
    if value.len() > SETS {
        let message = format!("{} `{key}` has {} names; {SETS} are the most", section.label, value.len());
        document.report.add(Rule::Limit, line, message, "leave some out");
        return None;
    }
    let mut numbers = Vec::new();
    for name in &value {
        match known.iter().position(|known| known == name) {
            Some(place) => numbers.push(place),
            None => {
                let message = format!("{} `{key}`: nothing has the name {name:?}", section.label);
                let remedy = match known {
                    [] => format!("add a [[{}]] with this name", key.trim_end_matches('s')),
                    _ => format!("use one of {}", known.join(", ")),
                };
                document.report.add(Rule::UnknownName, line, message, remedy);
            }
        }
    }
    (numbers.len() == value.len()).then_some(Names { numbers, line })
}
