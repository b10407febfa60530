//! The reference page of the configuration, made from the declarations of the settings.

use crate::config::{ErrorCode, settings_in_markdown};
use crate::presets::Preset;
use std::fmt::Write;

/// The page in Markdown.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "<!-- Made from the declarations of the settings. UPDATE_DOCS=1 cargo test -p tmu-spec writes it anew. -->\n\n\
         # Configuration\n\n\
         A configuration is a TOML file. Every key has a default, so a file holds only what differs; the empty \
         file is legal. Keys and tables that are not listed here are errors. All that is wrong with a file is \
         reported at once, each error with a code that `tmugen explain` explains.\n",
    );
    page.push_str(&settings_in_markdown());
    write_presets(&mut page);
    write_errors(&mut page);
    page
}

fn write_presets(page: &mut String) {
    page.push_str("\n## Presets\n");
    for preset in Preset::all() {
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
        tmu_testing::check_committed("docs/reference/configuration.md", &page(), "UPDATE_DOCS", command);
    }
}
