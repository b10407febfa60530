//! Mutants that nothing kills, with the reason: `survivors.toml`.

use crate::Mutant;
use serde::Deserialize;
use wildmatch::WildMatch;

/// The list, as it is in the repository.
const LIST: &str = include_str!("../survivors.toml");

/// Why nothing kills a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The outside cannot tell it from the design as it was.
    Equivalent,
    /// Results are right, at a rate that differs by less than the runs notice.
    Rate,
    /// The runs do not do what would show it; another test or a proof does, which the reason names.
    Elsewhere,
    /// Nothing tests it.
    Gap,
}

impl Kind {
    /// All, in the order of reports.
    pub const ALL: [Kind; 4] = [Kind::Equivalent, Kind::Rate, Kind::Elsewhere, Kind::Gap];

    /// Its name in the list.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Equivalent => "equivalent",
            Kind::Rate => "rate",
            Kind::Elsewhere => "elsewhere",
            Kind::Gap => "gap",
        }
    }
}

/// One line of the list. `*` stands for any text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// The modules.
    pub modules: Vec<String>,
    /// The statement on one line.
    pub statement: String,
    /// What its expression becomes; anything if left out.
    #[serde(default = "anything")]
    pub changed: String,
    /// Why nothing kills it.
    pub kind: Kind,
    /// The reason, in a sentence.
    pub reason: String,
}

fn anything() -> String {
    "*".to_owned()
}

impl Survivor {
    /// Whether this line speaks of a mutant.
    #[must_use]
    pub fn covers(&self, mutant: &Mutant) -> bool {
        let is_like = |pattern: &str, text: &str| WildMatch::new(pattern).matches(text);
        self.modules.iter().any(|module| is_like(module, &mutant.module))
            && is_like(&self.statement, &mutant.statement)
            && is_like(&self.changed, &mutant.changed)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    survivor: Vec<Survivor>,
}

/// The list.
///
/// # Errors
/// If the file cannot be read, which a test finds out.
pub fn list() -> Result<Vec<Survivor>, toml::de::Error> {
    toml::from_str::<List>(LIST).map(|list| list.survivor)
}
