//! Adds the files of the package to those that the manifest lists.

use indexmap::IndexMap;
use serde_json::value::RawValue;

/// The manifest with more files at the end of its list, and behind it the list of templates, which are no part of the
/// hardware: whoever reads each `.v` of the files gets the core alone. Everything else stays as it is, byte for byte.
pub(crate) fn with_files(manifest: &str, added: &[String], templates: &[String]) -> String {
    let broken = |error: serde_json::Error| -> ! { unreachable!("the manifest is JSON: {error}") };
    let members: IndexMap<String, Box<RawValue>> =
        serde_json::from_str(manifest).unwrap_or_else(|error| broken(error));
    let listed = members.get("files").map_or("[]", |files| files.get());
    let mut files: Vec<String> = serde_json::from_str(listed).unwrap_or_else(|error| broken(error));
    files.extend_from_slice(added);
    let files = format!("{},\n  \"templates\": {}", list(&files), list(templates));
    let members = members.iter().map(|(name, value)| {
        let value = if name == "files" { &files } else { value.get() };
        format!("  {name:?}: {value}")
    });
    let members: Vec<_> = members.collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

/// A list of names in JSON, a line each.
fn list(names: &[String]) -> String {
    let lines: Vec<_> = names.iter().map(|name| format!("    {name:?}")).collect();
    format!("[\n{}\n  ]", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lists_of_files_change() {
        let manifest =
            "{\n  \"top\": \"t\",\n  \"files\": [\n    \"t.v\"\n  ],\n  \"rams\": [\n    {}\n  ]\n}\n";
        let expected = manifest.replace(
            "\"t.v\"\n  ]",
            "\"t.v\",\n    \"t.rdl\"\n  ],\n  \"templates\": [\n    \"t_inst.v\"\n  ]",
        );
        assert_eq!(with_files(manifest, &["t.rdl".to_owned()], &["t_inst.v".to_owned()]), expected);
    }
}
