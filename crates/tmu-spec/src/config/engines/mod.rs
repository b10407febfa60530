//! The engines that a configuration may have, and their tables.
//!
//! Texture units are the engine that every file of old means; their keys stand in `settings`. Every other
//! engine has a file here: what its table may hold, the channels to memory that it needs, and an example. One line in
//! `engines!` makes it known.

use super::error::ErrorCode;
use super::setting::{Reader, Setting};
use super::value::{Limit, Value};
use crate::choice::{Choice, impl_choice};
use std::ops::Range;
use tmu_problem::{Problem, Problems};
use toml::de::{DeTable, DeValue};

/// Channels to memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Channels {
    /// Those for reads.
    pub reads: u32,
    /// Those for writes.
    pub writes: u32,
}

impl Channels {
    /// Those of several engines, where there are so many texture units.
    #[must_use]
    pub(super) fn of(kinds: &[EngineKind], units: u32) -> Self {
        let channels = || kinds.iter().map(|kind| kind.channels(units));
        Self { reads: channels().map(|of| of.reads).sum(), writes: channels().map(|of| of.writes).sum() }
    }

    /// With so many for reads more.
    #[must_use]
    pub(super) const fn with_reads(self, more: u32) -> Self {
        Self { reads: self.reads + more, ..self }
    }
}

/// Makes engines known: the module here, which is also the name of its table, the name in Rust and that in files.
///
/// A module has `Settings`, a group of settings; `Config` with `From<&Settings>`; `CHANNELS`; `ABOUT`, a sentence. Beside it
/// stands an example, `NAME.toml`.
macro_rules! engines {
    ($($module:ident: $Kind:ident = $name:literal;)*) => {
        $( pub mod $module; )*

        /// A kind of engine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EngineKind {
            /// Texture units between streams.
            Sampler,
            $(
                #[doc = concat!("See [`", stringify!($module), "`].")]
                $Kind,
            )*
        }

        impl_choice!(EngineKind, "an engine", Sampler = "sampler", $($Kind = $name,)*);

        impl EngineKind {
            /// Channels to memory, where there are so many texture units.
            #[must_use]
            pub const fn channels(self, units: u32) -> Channels {
                match self {
                    EngineKind::Sampler => Channels { reads: units, writes: 0 },
                    $( EngineKind::$Kind => $module::CHANNELS, )*
                }
            }

            /// What it does, as a sentence.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self {
                    EngineKind::Sampler => "Texture units between a request stream and a result stream each.",
                    $( EngineKind::$Kind => $module::ABOUT, )*
                }
            }

            /// A configuration with it, as TOML with comments; texture units have presets instead.
            #[must_use]
            pub const fn example(self) -> Option<&'static str> {
                match self {
                    EngineKind::Sampler => None,
                    $( EngineKind::$Kind => Some(include_str!(concat!($name, ".toml"))), )*
                }
            }

            /// The keys of its table in Markdown; empty for texture units, whose keys have a page of their own.
            #[must_use]
            pub fn reference(self) -> String {
                match self {
                    EngineKind::Sampler => String::new(),
                    $( EngineKind::$Kind => $module::Settings::doc().markdown(), )*
                }
            }
        }

        /// The tables of engines as they were read.
        #[derive(Debug, Clone)]
        pub(super) struct EngineSettings {
            /// Tables that were there.
            tables: Vec<(EngineKind, Range<usize>)>,
            $( $module: $module::Settings, )*
        }

        #[allow(unused_variables, unused_mut, reason = "there may be no engine with a table")]
        impl EngineSettings {
            /// Names of all tables and keys.
            pub(super) fn known() -> Vec<&'static str> {
                let tables: &[&str] = &[$( stringify!($module) ),*];
                [tables, $( $module::Settings::KEYS ),*].concat()
            }

            /// Reads the tables.
            pub(super) fn read(reader: &mut Reader<'_>, file: &mut DeTable<'_>, known: &[&str]) -> Self {
                let mut tables = vec![];
                $(
                    if let Some((name, _)) = file.get_key_value(stringify!($module)) {
                        tables.push((EngineKind::$Kind, name.span()));
                    }
                    let mut table = reader.take_table(file, stringify!($module));
                    let $module = $module::Settings::read(reader, &mut table, known);
                )*
                Self { tables, $( $module, )* }
            }

            /// Writes the tables of the engines that are there.
            pub(super) fn write(&self, engines: &EngineSet, out: &mut String) {
                $( if engines.has(EngineKind::$Kind) { self.$module.write(out); } )*
            }

            /// Refuses tables of engines that are not there.
            pub(super) fn check(&self, reader: &mut Reader<'_>, engines: &EngineSet) {
                for (kind, span) in self.tables.iter().filter(|(kind, _)| !engines.has(*kind)) {
                    let rule = format!("is not a setting where engines does not list \"{kind}\"");
                    let remedy = format!("remove the table, or add \"{kind}\" to engines");
                    let unknown = Problem::new(ErrorCode::UnknownKey, rule, remedy);
                    reader.report(unknown, kind.name(), "", Some(span.clone()));
                }
            }
        }

        /// What engines were configured to be.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct EngineConfigs {
            $( $module: $module::Config, )*
        }

        impl EngineConfigs {
            #[allow(unused_variables, reason = "there may be no engine with a table")]
            pub(super) fn new(settings: &EngineSettings) -> Self {
                Self { $( $module: $module::Config::from(&settings.$module), )* }
            }

            $(
                #[doc = concat!("Of [`", stringify!($module), "`]; its defaults where there is none.")]
                #[must_use]
                pub const fn $module(&self) -> &$module::Config {
                    &self.$module
                }
            )*
        }
    };
}

engines! {
    copy: Copy = "copy";
    mesh: Mesh = "mesh";
    loader: Loader = "loader";
    pixel: Pixel = "pixel";
}

impl EngineSettings {
    /// Of the engine `pixel` the side of a tile, and its rows where it is no square.
    pub(super) const fn tile(&self) -> [&Setting<u64>; 2] {
        self.pixel.tile()
    }

    /// Of the engine `pixel` the side of a tile, and the pixels of a row that are looked at in a clock.
    pub(super) const fn surfaces(&self) -> [&Setting<u64>; 2] {
        self.pixel.surfaces()
    }
}

/// The engines of a system, each once; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EngineSet(Vec<EngineKind>);

impl Default for EngineSet {
    fn default() -> Self {
        Self(vec![EngineKind::Sampler])
    }
}

impl EngineSet {
    pub(super) fn kinds(&self) -> &[EngineKind] {
        &self.0
    }

    pub(super) fn has(&self, kind: EngineKind) -> bool {
        self.0.contains(&kind)
    }

    /// Texture units, where a file asks for so many.
    pub(super) fn units(&self, asked: u64) -> u32 {
        if self.has(EngineKind::Sampler) { asked as u32 } else { 0 }
    }

    /// Channels of all of them, with that of the table of a parameter store or without.
    pub(super) fn channels(&self, units: u64, store_table: bool) -> Channels {
        Channels::of(&self.0, self.units(units)).with_reads(store_table.into())
    }
}

impl Value for EngineSet {
    fn read(value: &DeValue<'_>, limit: Limit) -> Result<Self, Problems> {
        Vec::read(value, limit).map(Self)
    }

    /// The usual engine is not written: files and names that were made before there were others stay as they are.
    fn to_toml(&self) -> Option<String> {
        (*self != Self::default()).then(|| self.0.to_toml()).flatten()
    }

    fn shown(&self) -> Option<String> {
        self.0.to_toml()
    }

    /// The names stand where engines are listed, so that one more changes no other page.
    fn domain(_: Limit) -> String {
        "a list of [engines](engines/)".to_owned()
    }
}
