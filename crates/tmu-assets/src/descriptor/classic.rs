//! Descriptors of the first kind: textures of powers of two, whose layout follows from their size.

use super::fields::Fields;
use crate::problem::Rule;
use tmu_spec::texture::{Texture, TextureRule};

/// The keys, in the order in which they are written. The second to the fourth have no descriptors of another kind.
pub(super) const KEYS: [&str; 5] = ["format", "width_log2", "height_log2", "max_lod", "bytes"];

/// The text of the descriptor of a texture of powers of two.
pub fn descriptor(texture: Texture) -> String {
    format!(
        "format = \"{}\"\nwidth_log2 = {}\nheight_log2 = {}\nmax_lod = {}\nbytes = {}\n",
        texture.format(),
        texture.width_log2(),
        texture.height_log2(),
        texture.max_lod(),
        texture.bytes()
    )
}

/// The key whose value breaks a rule.
fn key_of(rule: TextureRule) -> &'static str {
    match rule {
        TextureRule::Format(_) => "format",
        TextureRule::Width(_) => "width_log2",
        TextureRule::Height(_) => "height_log2",
        TextureRule::MaxLod { .. } => "max_lod",
    }
}

/// The texture, or none where something was reported.
pub(super) fn read(fields: &mut Fields) -> Option<Texture> {
    fields.refuse_unknown_keys(&KEYS);
    let format = fields.name("format");
    let [width_log2, height_log2, max_lod, bytes] = [1, 2, 3, 4].map(|key| fields.integer(KEYS[key]));
    let (format, width_log2, height_log2, max_lod) = (format?, width_log2?, height_log2?, max_lod?);
    let texture = match Texture::new(format, width_log2, height_log2, max_lod) {
        Ok(texture) => texture,
        Err(rules) => {
            for rule in rules {
                let line = fields.line(key_of(rule));
                fields.report.add(Rule::DescriptorValue, line, rule.to_string(), "pack the picture again");
            }
            return None;
        }
    };
    if let Some(bytes) = bytes.filter(|&bytes| bytes != texture.bytes()) {
        let message = format!(
            "`bytes` is {bytes}, but a {format} texture of {} x {} has {}",
            texture.width(0),
            texture.height(0),
            texture.bytes()
        );
        let line = fields.line("bytes");
        fields.report.add(Rule::TextureBytes, line, message, "pack the picture again");
    }
    Some(texture)
}
