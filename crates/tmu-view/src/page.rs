//! The pages, each as one text: it needs nothing else, with or without a network.

use std::sync::OnceLock;

const STYLE: &str = include_str!("page/style.css");
const COMMON: &str = include_str!("page/common.js");

const WHOLE: &str = include_str!("page/whole.html");
const HARDWARE: &str = include_str!("page/hardware.html");

/// What a page has of its own.
struct Page {
    heading: &'static str,
    html: &'static str,
    script: &'static str,
}

/// The page of a picture.
const PICTURE: Page = Page {
    heading: "tmugen view",
    html: include_str!("page/picture.html"),
    script: include_str!("page/picture.js"),
};

/// The page of a scene of the general numerics.
const GENERAL: Page = Page {
    heading: "tmugen view: a scene",
    html: include_str!("page/general.html"),
    script: concat!(include_str!("page/place.js"), include_str!("page/general.js")),
};

/// The page of a frame of the pixel pipeline.
const PIXEL: Page = Page {
    heading: "tmugen view: the pixel pipeline",
    html: include_str!("page/pixel.html"),
    script: concat!(
        include_str!("page/place.js"),
        include_str!("page/pixel.js"),
        include_str!("page/told.js")
    ),
};

/// The page of a mesh.
const MESH: Page = Page {
    heading: "tmugen view: a mesh",
    html: include_str!("page/mesh.html"),
    script: include_str!("page/mesh.js"),
};

/// Where the parts of a page go.
const HEADING_PLACE: &str = "<!-- heading -->";
const PAGE_PLACE: &str = "<!-- page -->";
const HARDWARE_PLACE: &str = "<!-- hardware -->";
const STYLE_PLACE: &str = "/* style */";
const SCRIPT_PLACE: &str = "/* script */";

/// What runs when everything is there.
const START: &str = "\nattempt(start);\n";

fn whole(Page { heading, html, script }: &Page) -> String {
    let parts = [
        (PAGE_PLACE, *html),
        (HARDWARE_PLACE, HARDWARE),
        (HEADING_PLACE, heading),
        (STYLE_PLACE, STYLE),
        (SCRIPT_PLACE, &[COMMON, script, START].concat()),
    ];
    parts.iter().fold(WHOLE.to_owned(), |page, (place, part)| page.replace(place, part))
}

/// The page of a picture through the texture unit.
pub(crate) fn picture() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| whole(&PICTURE))
}

/// The page of a scene of the general numerics.
pub(crate) fn general() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| whole(&GENERAL))
}

/// The page of a mesh.
pub(crate) fn mesh() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| whole(&MESH))
}

/// The page of a frame of the pixel pipeline.
pub(crate) fn pixel() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| whole(&PIXEL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_need_nothing_from_elsewhere() {
        for page in [picture(), general(), mesh(), pixel()] {
            assert!(page.len() < 2 << 20);
            for part in
                ["http:", "https:", "src=", "<link", "@import", "url(", "<!-- ", STYLE_PLACE, SCRIPT_PLACE]
            {
                assert!(!page.contains(part), "{part}");
            }
            assert!(page.contains("prefers-color-scheme: dark") && page.contains("width=device-width"));
            assert_eq!((page.matches("<script>").count(), page.matches("<style>").count()), (1, 1));
        }
    }

    #[test]
    fn what_the_scripts_look_for_is_there() {
        for page in [PICTURE, GENERAL, MESH, PIXEL] {
            let (html, scripts) = (whole(&page), [COMMON, page.script].concat());
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
