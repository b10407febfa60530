//! Where in a record something stands.

/// A place in a record: its name, with `_` between the names of nested records and the positions of arrays, and its docs.
#[derive(Clone, Debug, Default)]
pub struct Part {
    name: String,
    docs: &'static str,
}

impl Part {
    /// The record itself.
    pub fn root() -> Part {
        Part::default()
    }

    /// The record itself, where it has a name.
    pub fn named(name: &str) -> Part {
        Part { name: name.into(), docs: "" }
    }

    /// A part of what stands here.
    pub fn field(&self, name: &str, docs: &'static str) -> Part {
        Part { name: self.join(name), docs }
    }

    /// An item of the array that stands here.
    pub fn index(&self, index: usize) -> Part {
        Part { name: self.join(&index.to_string()), docs: self.docs }
    }

    /// The name, empty for the record itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The documentation of the field, one line.
    pub fn docs(&self) -> &'static str {
        self.docs
    }

    fn join(&self, name: &str) -> String {
        if self.name.is_empty() { name.into() } else { format!("{}_{name}", self.name) }
    }
}
