//! What can be wrong with a scene, gathered so that all of it is shown at once.

use std::fmt;
use std::path::{Path, PathBuf};

/// The rule that a [`Problem`] breaks. Its code is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The scene file is not TOML.
    Syntax,
    /// A table or key is not one that scenes have, or not one that goes with this shape.
    UnknownKey,
    /// A key that must be there is not.
    MissingKey,
    /// A value is of the wrong type.
    WrongType,
    /// A value is out of its range, or not one of the names that are allowed.
    OutOfRange,
    /// A texture or sampler is used that is not defined.
    UnknownName,
    /// Two textures or two samplers have one name.
    DuplicateName,
    /// Values that are fine one by one do not go together.
    Conflict,
    /// A scene is larger than the renderer takes.
    Limit,
    /// A file cannot be read.
    File,
    /// A mesh file does not hold a mesh that can be drawn.
    Mesh,
    /// A picture or a packed texture cannot be used.
    Texture,
    /// What is wrong with that picture or packed texture.
    Asset(tmu_assets::Rule),
}

impl Rule {
    /// The rules about scenes; those about pictures and packed textures are [`tmu_assets::Rule::ALL`].
    pub const ALL: [Self; 12] = [
        Self::Syntax,
        Self::UnknownKey,
        Self::MissingKey,
        Self::WrongType,
        Self::OutOfRange,
        Self::UnknownName,
        Self::DuplicateName,
        Self::Conflict,
        Self::Limit,
        Self::File,
        Self::Mesh,
        Self::Texture,
    ];

    /// The stable code, such as `scene-unknown-key`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Syntax => "scene-syntax",
            Self::UnknownKey => "scene-unknown-key",
            Self::MissingKey => "scene-missing-key",
            Self::WrongType => "scene-wrong-type",
            Self::OutOfRange => "scene-out-of-range",
            Self::UnknownName => "scene-unknown-name",
            Self::DuplicateName => "scene-duplicate-name",
            Self::Conflict => "scene-conflict",
            Self::Limit => "scene-limit",
            Self::File => "scene-file",
            Self::Mesh => "scene-mesh",
            Self::Texture => "scene-texture",
            Self::Asset(rule) => rule.code(),
        }
    }

    /// What the rule says and why, in a paragraph.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Syntax => "A scene is a TOML file. The parser could not read the line that is named.",
            Self::UnknownKey => {
                "Every key of a scene must be one that the renderer knows and that goes with the shape it stands \
                 at, so that a misspelt key is not silently ignored."
            }
            Self::MissingKey => "A key without which the scene cannot be drawn is not there.",
            Self::WrongType => "A key has a value of another type than it needs, such as text for a number.",
            Self::OutOfRange => {
                "Numbers must be finite and within limits that keep the picture exact and the memory bounded; \
                 choices must be one of the names that exist."
            }
            Self::UnknownName => {
                "A mesh names its texture and its sampler. Each must be defined by a [[texture]] or [[sampler]] \
                 table of the same file."
            }
            Self::DuplicateName => "Textures must have different names, and so must samplers.",
            Self::Conflict => "Values that are allowed one by one make no sense together.",
            Self::Limit => {
                "The renderer limits counts and file sizes, so that a frame stays within its memory whatever the \
                 scene holds."
            }
            Self::File => "A file that the scene names cannot be read. Paths are relative to the scene file.",
            Self::Mesh => {
                "A mesh file must hold triangles with texture coordinates, with all indices and buffers within \
                 what the file defines."
            }
            Self::Texture => {
                "A texture comes from a picture whose sizes are powers of two up to 2048, or from the descriptor \
                 of a packed texture."
            }
            Self::Asset(rule) => rule.explanation(),
        }
    }
}

/// One thing that is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The rule that is broken.
    pub rule: Rule,
    /// The file in which it is broken: the scene or a mesh.
    pub file: PathBuf,
    /// The line in that file, from 1, where there is one.
    pub line: Option<usize>,
    /// The key or thing, its value and the rule, in one sentence.
    pub message: String,
    /// What to do, in one sentence.
    pub remedy: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {} [{}]; {}", self.message, self.rule.code(), self.remedy)
    }
}

/// Everything that is wrong with a scene, never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// The problems, in the order of the scene file.
    pub fn as_slice(&self) -> &[Problem] {
        &self.0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Problem::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Problems {}

/// Gathers the problems of one file.
#[derive(Debug)]
pub(crate) struct Report {
    file: PathBuf,
    found: Vec<Problem>,
}

impl Report {
    pub(crate) fn new(file: &Path) -> Self {
        Self { file: file.to_path_buf(), found: Vec::new() }
    }

    /// Notes a problem at a line of the file (from 1), or in the file as a whole.
    pub(crate) fn add(
        &mut self,
        rule: Rule,
        line: impl Into<Option<usize>>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.found.push(Problem {
            rule,
            file: self.file.clone(),
            line: line.into(),
            message: message.into(),
            remedy: remedy.into(),
        });
    }

    /// Takes over what is wrong with another file that this one names.
    pub(crate) fn absorb(&mut self, other: Problems) {
        self.found.extend(other.0);
    }

    pub(crate) fn push(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// What is wrong; the caller has noted something.
    pub(crate) fn into_problems(self) -> Problems {
        Problems(self.found)
    }

    /// `value` if nothing is wrong, or everything that is.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, Problems> {
        if self.found.is_empty() { Ok(value) } else { Err(Problems(self.found)) }
    }
}
