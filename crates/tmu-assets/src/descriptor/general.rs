//! Descriptors of the second kind: textures of every kind and size, which say where their levels stand.

use super::fields::Fields;
use crate::problem::Rule;
use tmu_spec::TEXTURE_ADDRESS_BITS;
use tmu_spec::general::texture::{Shape, Texture, TextureRule};

/// The keys, in the order in which they are written.
pub(super) const KEYS: [&str; 10] =
    ["kind", "width", "height", "depth", "levels", "level_offsets", "format", "swizzle", "srgb", "bytes"];

/// The text of the descriptor of a texture whose memory image ends with its last level.
pub fn general_descriptor(texture: &Texture) -> String {
    with_bytes(texture, texture.bytes())
}

/// The text of the descriptor of a texture whose memory image has so many bytes.
pub(crate) fn with_bytes(texture: &Texture, bytes: u32) -> String {
    let shape = texture.shape();
    format!(
        "kind = \"{}\"\nwidth = {}\nheight = {}\ndepth = {}\nlevels = {}\nlevel_offsets = {:?}\n\
         format = \"{}\"\nswizzle = \"{}\"\nsrgb = {}\nbytes = {bytes}\n",
        shape.kind,
        shape.width,
        shape.height,
        shape.depth,
        shape.levels,
        texture.level_offsets(),
        shape.format,
        texture.swizzle(),
        texture.is_srgb(),
    )
}

/// The texture and the bytes of its memory image, or none where something was reported.
pub(super) fn read(fields: &mut Fields) -> Option<(Texture, u32)> {
    fields.refuse_unknown_keys(&KEYS);
    let kind = fields.name("kind");
    let width = fields.integer("width");
    let [height, depth] = ["height", "depth"].map(|key| optional(fields, key, 1, Fields::integer));
    let levels = fields.integer("levels");
    let offsets = fields.integers("level_offsets");
    let format = fields.name("format");
    let swizzle = optional(fields, "swizzle", Default::default(), Fields::name);
    let is_srgb = optional(fields, "srgb", false, Fields::boolean);
    let bytes = fields.integer("bytes");
    let shape = Shape {
        kind: kind?,
        width: width?,
        height: height?,
        depth: depth?,
        levels: levels?,
        format: format?,
    };
    let texture = match Texture::new(shape, &offsets?, swizzle?, is_srgb?) {
        Ok(texture) => texture,
        Err(rules) => {
            for rule in rules {
                let line = line_of_rule(fields, &rule);
                fields.report.add(Rule::DescriptorValue, line, rule.to_string(), "pack the picture again");
            }
            return None;
        }
    };
    let bytes = bytes?;
    if !(texture.bytes()..=1 << TEXTURE_ADDRESS_BITS).contains(&bytes) {
        let message = if bytes < texture.bytes() {
            format!("`bytes` is {bytes}, but the levels end at byte {}", texture.bytes())
        } else {
            format!("`bytes` is {bytes}, past the texture window of 2^{TEXTURE_ADDRESS_BITS} bytes")
        };
        let line = fields.line("bytes");
        fields.report.add(Rule::TextureBytes, line, message, "pack the picture again");
        return None;
    }
    Some((texture, bytes))
}

/// The value of a key that may be left out.
fn optional<'t, T>(
    fields: &mut Fields<'t>,
    key: &str,
    default: T,
    read: impl FnOnce(&mut Fields<'t>, &str) -> Option<T>,
) -> Option<T> {
    if fields.has(key) { read(fields, key) } else { Some(default) }
}

/// The line of what breaks a rule.
fn line_of_rule(fields: &Fields, rule: &TextureRule) -> Option<usize> {
    match rule {
        TextureRule::OffsetLine { level, .. }
        | TextureRule::OffsetTable { level, .. }
        | TextureRule::Window { level, .. } => fields.line_of_entry(rule.key(), *level),
        _ => fields.line(rule.key()),
    }
}
