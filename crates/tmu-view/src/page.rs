//! The page as one text: it needs nothing else, with or without a network.

use std::sync::OnceLock;

const HTML: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/view.js");

/// Where style and script go.
const STYLE_PLACE: &str = "/* style */";
const SCRIPT_PLACE: &str = "/* script */";

/// The page.
pub(crate) fn html() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| HTML.replace(STYLE_PLACE, STYLE).replace(SCRIPT_PLACE, SCRIPT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        let page = html();
        assert!(page.len() < 2 << 20);
        for part in ["http:", "https:", "src=", "<link", "@import", "url(", STYLE_PLACE, SCRIPT_PLACE] {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.contains("prefers-color-scheme: dark") && page.contains("width=device-width"));
        assert_eq!((page.matches("<script>").count(), page.matches("<style>").count()), (1, 1));
    }

    #[test]
    fn what_the_script_looks_for_is_there() {
        let ids: Vec<_> = SCRIPT.split("at(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(ids.len() > 15, "{ids:?}");
        for id in ids {
            assert_eq!(HTML.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
        }
        // Every control has a name that is read out.
        for id in HTML.split("<select id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(HTML.contains(&format!("<label for=\"{id}\">")), "{id}");
        }
    }
}
