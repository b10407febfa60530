//! The pages, each as one text: it needs nothing else, with or without a network.

use std::sync::OnceLock;

const STYLE: &str = include_str!("page/style.css");
const COMMON: &str = include_str!("page/common.js");

/// HTML and script of the page of a picture.
const PICTURE: [&str; 2] = [include_str!("page/page.html"), include_str!("page/view.js")];

/// Those of the page of a frame of the pixel pipeline.
const PIXEL: [&str; 2] =
    [include_str!("page/pixel.html"), concat!(include_str!("page/pixel.js"), include_str!("page/told.js"))];

/// Those of the page of a mesh.
const MESH: [&str; 2] = [include_str!("page/mesh.html"), include_str!("page/mesh.js")];

/// Where style and script go.
const STYLE_PLACE: &str = "/* style */";
const SCRIPT_PLACE: &str = "/* script */";

/// What runs when everything is there.
const START: &str = "\nattempt(start);\n";

fn whole([html, script]: [&str; 2]) -> String {
    html.replace(STYLE_PLACE, STYLE).replace(SCRIPT_PLACE, &[COMMON, script, START].concat())
}

/// The page of a picture through the texture unit.
pub(crate) fn picture() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| whole(PICTURE))
}

/// The page of a mesh.
pub(crate) fn mesh() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| whole(MESH))
}

/// The page of a frame of the pixel pipeline.
pub(crate) fn pixel() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| whole(PIXEL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_need_nothing_from_elsewhere() {
        for page in [picture(), mesh(), pixel()] {
            assert!(page.len() < 2 << 20);
            for part in ["http:", "https:", "src=", "<link", "@import", "url(", STYLE_PLACE, SCRIPT_PLACE] {
                assert!(!page.contains(part), "{part}");
            }
            assert!(page.contains("prefers-color-scheme: dark") && page.contains("width=device-width"));
            assert_eq!((page.matches("<script>").count(), page.matches("<style>").count()), (1, 1));
        }
    }

    #[test]
    fn what_the_scripts_look_for_is_there() {
        for [html, script] in [PICTURE, MESH, PIXEL] {
            let scripts = [COMMON, script].concat();
            let ids: Vec<_> =
                scripts.split("at(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert!(ids.len() > 15, "{ids:?}");
            for id in ids {
                assert_eq!(html.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
            }
            // Every control has a name that is read out.
            for start in ["<select id=\"", "<input id=\""] {
                let ids = html.split(start).skip(1).filter_map(|rest| rest.split('"').next());
                for id in ids.filter(|id| *id != "file") {
                    assert!(html.contains(&format!("<label for=\"{id}\">")), "{id}");
                }
            }
        }
    }
}
