//! The reference page of the configuration, made from the declarations of the settings.

use super::error::ErrorCode;
use super::setting::{GroupDoc, KeyDoc};
use super::settings::Settings;
use crate::presets::PRESETS;
use std::fmt::Write;

/// Joins the lines of a doc comment; an empty line stays a break.
fn prose(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// The page in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(
        "<!-- Made from the declarations of the settings. UPDATE_DOCS=1 cargo test -p tmu-spec writes it anew. -->\n\n\
         # Configuration\n\n\
         A configuration is a TOML file. Every key has a default, so a file holds only what differs; the empty \
         file is legal. Keys and tables that are not listed here are errors. All that is wrong with a file is \
         reported at once, each error with a code that `tmugen explain` explains.\n",
    );
    for group in Settings::docs() {
        write_group(&mut page, &group);
    }
    write_presets(&mut page);
    write_errors(&mut page);
    page
}

fn write_group(page: &mut String, group: &GroupDoc) {
    let title =
        if group.table.is_empty() { "Outside all tables".to_owned() } else { format!("`[{}]`", group.table) };
    let _ = write!(page, "\n## {title}\n\n{}\n\n", prose(group.text));
    page.push_str("| key | values | default | meaning |\n| --- | --- | --- | --- |\n");
    for KeyDoc { key, domain, default, text } in &group.keys {
        let default = default.as_ref().map_or_else(|| "none".to_owned(), |value| format!("`{value}`"));
        let _ = writeln!(page, "| `{key}` | {domain} | {default} | {} |", prose(text));
    }
}

/// The keys of one group in Markdown, for a page of its own.
pub(super) fn group(group: GroupDoc) -> String {
    let mut page = String::new();
    write_group(&mut page, &group);
    page
}

fn write_presets(page: &mut String) {
    page.push_str("\n## Presets\n");
    for preset in PRESETS {
        let _ = write!(
            page,
            "\n### `{}`\n\n{}.\n\n```toml\n{}```\n",
            preset.name(),
            preset.about(),
            preset.toml()
        );
    }
}

fn write_errors(page: &mut String) {
    page.push_str("\n## Errors\n");
    for code in ErrorCode::ALL {
        // The explanation's own title is one level up on its own.
        let _ = write!(page, "\n##{}", code.explanation());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_is_what_the_settings_say() {
        let command = "cargo test -p tmu-spec";
        tmu_testing::check_committed("docs/reference/configuration.md", &reference(), "UPDATE_DOCS", command);
    }

    #[test]
    fn every_key_has_a_meaning() {
        for group in Settings::docs() {
            assert!(!group.text.is_empty(), "[{}] has no doc comment", group.table);
            for key in group.keys {
                assert!(prose(key.text).len() > 10, "{} has no doc comment", key.key);
            }
        }
    }
}
