//! Arguments that commands about pictures and simulation share: names to choose from, and lists of them.

use crate::files::standard::is_standard;
use crate::list::{self, ListParser};
use crate::problem::{Failure, Rule};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::Path;
use tmu_assets::MipFilter;
use tmu_spec::Format;
use tmu_spec::choice::Choice;
use tmu_spec::presets::classic;

/// Refuses the name of a picture to write that does not say of which kind it is.
///
/// # Errors
/// [`Rule::OutputName`].
pub(crate) fn check_picture_name(path: &Path) -> Result<(), Failure> {
    check_picture_name_or(path, "")
}

/// The same where names may end otherwise, too; `others` says so behind the endings of pictures.
///
/// # Errors
/// [`Rule::OutputName`].
pub(crate) fn check_picture_name_or(path: &Path, others: &str) -> Result<(), Failure> {
    tmu_assets::check_picture_name(picture_name(path)).map_err(|_| {
        let message = "the name of a picture does not end as that of a known kind";
        let help = format!("let it end in .png, .jpg, .jpeg, .tga or .bmp{others}");
        Failure::in_file(Rule::OutputName, path, message, help)
    })
}

/// The name that says of which kind a picture is: on standard output it is a PNG file.
pub(crate) fn picture_name(path: &Path) -> &Path {
    if is_standard(path) { Path::new("-.png") } else { path }
}

/// Accepts lists of names of presets of the classic numerics.
pub(crate) fn classic_presets_parser() -> ListParser<String> {
    let is_listed = |name: &str| classic().any(|(preset, _)| preset.name() == name);
    list::names(classic().map(|(preset, _)| preset.name()), move |name| {
        is_listed(name).then(|| name.to_owned())
    })
}

/// Accepts the names of a [`Choice`].
pub(crate) fn choice_parser<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::CHOICES.iter().map(|choice| choice.name()))
        .map(|name| T::from_name(&name).expect("the parser lets only names pass"))
}

/// Accepts the names of the formats of textures of powers of two.
pub(crate) fn classic_format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::CLASSIC.map(Format::name))
        .map(|name| name.parse::<Format>().expect("the parser lets only names pass"))
}

/// Accepts the names of mip filters.
pub(crate) fn mip_filter_parser() -> impl TypedValueParser<Value = MipFilter> {
    PossibleValuesParser::new(MipFilter::ALL.map(MipFilter::name))
        .map(|name| name.parse::<MipFilter>().expect("the parser lets only names pass"))
}
