//! `report`: one file that holds everything.

use crate::support::Workshop;

/// Bytes that a page may have.
const LARGEST_BYTES: usize = 2_000_000;

/// The least that there can be in a texture unit.
const LEAST: &str = "name = \"least\"\ntexture = { formats = [\"rgb8\"], address_modes = [\"clamp\"], bilinear = false, \
     mipmaps = false, max_size_log2 = 2 }\n";

#[test]
fn a_page_has_its_pictures_inside() {
    let workshop = Workshop::new();
    workshop.write("least.toml", LEAST);
    // With and without filters to show.
    for (configuration, pictures) in [("--preset quad", 4), ("--config least.toml", 2)] {
        workshop.succeed(&format!("tmugen report {configuration} --out page.html"));
        let page = workshop.read("page.html");
        assert!(page.len() < LARGEST_BYTES, "{} bytes", page.len());
        assert_eq!(page.matches("src=\"data:image/png;base64,").count(), pictures, "{configuration}");
        assert!(!page.contains("src=\"http") && !page.contains("<script"));
        std::fs::remove_file(workshop.path("page.html")).unwrap();
    }
}
