//! The table of proofs, as it stands in `proofs/proofs.toml`.

use crate::subject::Subject;
use serde::Deserialize;

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
        toml::from_str(TEXT)
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
    /// Signals inside the block that an induction needs: `x.y` is `inner_x_y` in the properties file.
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
    /// Whether it takes minutes, and is left to `scripts/test-long`.
    #[serde(default)]
    pub long: bool,
    /// Changes that shorten what takes too many clocks for covers and mutants; the properties file sees `SHORTENED`. The
    /// proof itself is of the block without them.
    #[serde(default)]
    pub shortcut: Vec<Change>,
    /// Changes of the Verilog that must be found.
    #[serde(default, rename = "mutant")]
    pub mutants: Vec<Mutant>,
}

impl Proof {
    /// Name of the properties file.
    #[must_use]
    pub fn properties_file(&self) -> String {
        format!("{}.v", self.properties.as_deref().unwrap_or(&self.name))
    }
}

/// A change of the emitted Verilog.
#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    /// Text of the Verilog, which must occur once.
    pub find: String,
    /// What stands there instead.
    pub replace: String,
}

impl Change {
    /// Makes the change.
    ///
    /// # Errors
    /// If the text does not occur once.
    pub(crate) fn apply(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.find).count() {
            1 => Ok(text.replace(&self.find, &self.replace)),
            count => Err(format!(
                "`{}` occurs {count} times in the Verilog; a change's text occurs once",
                self.find
            )),
        }
    }
}

/// A change that breaks a property.
#[derive(Debug, Clone, Deserialize)]
pub struct Mutant {
    /// The property.
    pub breaks: String,
    /// Whether it takes minutes to find, and is left to `scripts/test-long`, as all but a proof's first are.
    #[serde(default)]
    pub long: bool,
    /// The change.
    #[serde(flatten)]
    pub change: Change,
}
