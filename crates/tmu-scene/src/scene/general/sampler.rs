//! `[[sampler]]` of the general numerics: every key that a sampler has.

use tmu_spec::AddressMode;
use tmu_spec::choice::Choice;
use tmu_spec::general::sampler::{ANISOTROPIES, MAX_LOD, lod_steps};
use tmu_spec::general::{CompareOp, Filter, MipFilter, Pyramid, Sampler};

use super::super::definition::{MAX_DEFINITIONS, Samplers, definition_name};
use crate::document::{Document, Section};
use crate::problem::Rule;

/// Reads all `[[sampler]]` tables.
pub(in crate::scene) fn samplers<'t>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
) -> Samplers<Sampler> {
    let mut samplers = Samplers::default();
    for mut section in document.tables(root, "sampler", MAX_DEFINITIONS) {
        let name = definition_name(document, &mut section, samplers.names());
        samplers.add(name, sampler(document, &mut section));
        document.finish(section);
    }
    samplers
}

fn sampler<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> Sampler {
    let usual = Sampler::default();
    let min = document.choice(section, "min", named::<Filter>);
    let mag = document.choice(section, "mag", named::<Filter>);
    let mip = mip(document, section);
    let mut lod = |key: &'static str, otherwise: i32| {
        let most = f64::from(MAX_LOD);
        document.number(section, key, -most..=most).map_or(otherwise, |levels| lod_steps(levels as f32))
    };
    let lod_bias = lod("lod_bias", usual.lod_bias);
    let (min_lod, max_lod) = (lod("min_lod", usual.min_lod), lod("max_lod", usual.max_lod));
    if min_lod > max_lod {
        let levels = |steps: i32| f64::from(steps) / 256.0;
        let message = format!(
            "{} `min_lod` is {}, over `max_lod`, which is {}",
            section.label,
            levels(min_lod),
            levels(max_lod)
        );
        document.report.add(Rule::Conflict, section.line, message, "raise the one or lower the other");
    }
    let min = min.unwrap_or(Filter::Linear);
    Sampler {
        min,
        mag: mag.unwrap_or(min),
        mip,
        lod_bias,
        min_lod,
        max_lod,
        max_anisotropy: anisotropy(document, section),
        cube_seamless: document.flag(section, "cube_seamless").unwrap_or(true),
        address: ["address_u", "address_v", "address_w"]
            .map(|key| document.choice(section, key, named::<AddressMode>).unwrap_or_default()),
        border: document.choice(section, "border", border).unwrap_or(usual.border),
        compare: document.choice(section, "compare", named::<CompareOp>),
    }
}

/// The levels that are taken, by `mip` and `pyramid`.
fn mip<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> MipFilter {
    let named_mip = document.choice(section, "mip", named::<MipFilter>);
    let pyramid = document.choice(section, "pyramid", named::<Pyramid>).unwrap_or_default();
    pyramid.mip(named_mip).unwrap_or_else(|| {
        let mip = named_mip.map_or("", MipFilter::name);
        let message = format!("{} `mip` is {mip:?}, which does not go with a {pyramid}", section.label);
        document.report.add(Rule::Conflict, section.line, message, Pyramid::REMEDY);
        MipFilter::Nearest
    })
}

fn anisotropy<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> u32 {
    let Some(asked) = document.optional::<i64>(section, "anisotropy") else { return 1 };
    let known = u32::try_from(asked.value).ok().filter(|ratio| ANISOTROPIES.contains(ratio));
    known.unwrap_or_else(|| {
        let message = format!("{} `anisotropy` is {}", section.label, asked.value);
        document.report.add(Rule::OutOfRange, asked.line, message, "use one of 1, 2, 4, 8, 16");
        1
    })
}

/// Reads one of all names of a choice.
pub(in crate::scene) fn named<T: Choice>(name: &str) -> Result<T, String> {
    T::from_name(name).map_err(|error| error.to_string())
}

/// Reads `#rrggbbaa`.
fn border(text: &str) -> Result<[u8; 4], String> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 8 && !digits.starts_with('+'));
    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    code.map(u32::to_be_bytes)
        .ok_or_else(|| format!("{text:?} is not a colour with alpha; write \"#rrggbbaa\""))
}
