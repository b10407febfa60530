//! Adds the files of the package to those that the manifest lists.

use indexmap::IndexMap;
use serde_json::value::RawValue;

/// The manifest with more files at the end of its list. Everything else stays as it is, byte for byte.
pub(crate) fn with_files(manifest: &str, added: impl IntoIterator<Item = String>) -> String {
    let broken = |error: serde_json::Error| -> ! { unreachable!("the manifest is JSON: {error}") };
    let members: IndexMap<String, Box<RawValue>> =
        serde_json::from_str(manifest).unwrap_or_else(|error| broken(error));
    let listed = members.get("files").map_or("[]", |files| files.get());
    let mut files: Vec<String> = serde_json::from_str(listed).unwrap_or_else(|error| broken(error));
    files.extend(added);
    let files: Vec<_> = files.iter().map(|name| format!("    {name:?}")).collect();
    let files = format!("[\n{}\n  ]", files.join(",\n"));
    let members = members.iter().map(|(name, value)| {
        let value = if name == "files" { &files } else { value.get() };
        format!("  {name:?}: {value}")
    });
    let members: Vec<_> = members.collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_list_of_files_changes() {
        let manifest =
            "{\n  \"top\": \"t\",\n  \"files\": [\n    \"t.v\"\n  ],\n  \"rams\": [\n    {}\n  ]\n}\n";
        let expected = manifest.replace("\"t.v\"\n", "\"t.v\",\n    \"t.rdl\"\n");
        assert_eq!(with_files(manifest, ["t.rdl".to_owned()]), expected);
        assert_eq!(with_files(manifest, []), manifest);
    }
}
