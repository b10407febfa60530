//! The table of proofs, as it stands in `proofs/proofs.toml`.

use crate::subject::Subject;
use serde::Deserialize;
use serde::de::Error;
use std::collections::BTreeMap;
use tmu_hdl::mutate::Mutation;

/// The table's text.
const TEXT: &str = include_str!("../proofs/proofs.toml");

/// All proofs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// In the order of the table.
    #[serde(rename = "proof")]
    pub proofs: Vec<Proof>,
}

impl Table {
    /// The table that is compiled in.
    ///
    /// # Errors
    /// What is wrong with its text.
    pub fn read() -> Result<Self, toml::de::Error> {
        let table: Self = toml::from_str(TEXT)?;
        for mutant in table.proofs.iter().flat_map(|proof| &proof.mutants) {
            if let Some(key) = mutant.unknown.keys().next() {
                return Err(Error::custom(format!("no mutant has a key `{key}`: {}", mutant.mutation)));
            }
        }
        Ok(table)
    }
}

/// How a proof is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// An invariant found by property-directed reachability.
    Unbounded,
    /// Induction over `depth` clocks.
    Induction,
    /// All runs of `depth` clocks.
    Bounded,
}

/// What is proved of one block.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Proof {
    /// Name of the test, and of the properties file unless `properties` says otherwise.
    pub name: String,
    /// What is proved, in a sentence.
    pub proves: String,
    /// What is taken for granted of the block's surroundings.
    #[serde(default)]
    pub given: Option<String>,
    /// Where the Verilog comes from.
    pub block: Subject,
    /// Name of the properties file without its extension, where several proofs share one.
    #[serde(default)]
    pub properties: Option<String>,
    /// Verilog macros of the properties file.
    #[serde(default)]
    pub defines: Vec<String>,
    /// The module of which `dut` of the properties file is an instance; the first of the block unless it is said.
    #[serde(default)]
    pub dut: Option<String>,
    /// Nodes inside `dut` that an induction needs, as in its source, an array as a whole; behind the name of a sub-block a
    /// node of that one. `x.y` is `inner_x_y` in the properties file.
    #[serde(default)]
    pub inner: Vec<String>,
    /// How it is proved.
    pub method: Method,
    /// Clocks: of the induction, or of the runs; for `unbounded` how deep a violation is looked for.
    pub depth: u32,
    /// Clocks within which every cover is reached, and every mutant found.
    pub cover_depth: u32,
    /// Whether the block has clocks that have no relation to each other.
    #[serde(default)]
    pub two_clocks: bool,
    /// Whether ABC searches the runs of a bounded proof, its covers and mutants: much faster than z3 where most of the
    /// state is memory, but it names no property.
    #[serde(default)]
    pub search: bool,
    /// Whether it takes minutes, and is not made again without being asked for.
    #[serde(default)]
    pub long: bool,
    /// Changes that shorten what takes too many clocks for covers and mutants; the properties file sees `SHORTENED`. The
    /// proof itself is of the block without them.
    #[serde(default)]
    pub shortcut: Vec<Mutation>,
    /// Changes of the block that must be found.
    #[serde(default)]
    pub mutants: Vec<Mutant>,
}

impl Proof {
    /// Name of the properties file.
    #[must_use]
    pub fn properties_file(&self) -> String {
        format!("{}.v", self.properties.as_deref().unwrap_or(&self.name))
    }
}

/// A change that breaks a property.
#[derive(Debug, Clone, Deserialize)]
pub struct Mutant {
    /// The property.
    pub breaks: String,
    /// The change.
    #[serde(flatten)]
    pub mutation: Mutation,
    /// Keys that mean nothing.
    #[serde(flatten)]
    unknown: BTreeMap<String, toml::Value>,
}
