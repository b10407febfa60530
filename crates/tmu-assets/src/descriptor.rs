//! Texture files: the descriptor `NAME.toml` and, beside it, the memory image `NAME.bin`.
//!
//! Contract: a descriptor has exactly five keys; everything that is wrong with it and with its image is reported at
//! once, with lines; no input panics or makes the reader take more memory than a texture can have.

use crate::problem::Rule;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tmu_problem::{Problems, Report};
use tmu_spec::format::Format;
use tmu_spec::texture::{Texture, TextureRule};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of a descriptor, in the order in which they are written.
const KEYS: [&str; 5] = ["format", "width_log2", "height_log2", "max_lod", "bytes"];

/// The text of the descriptor of a texture.
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

/// Where the memory image of a descriptor stands, and the other way round.
pub fn memory_path(descriptor: &Path) -> PathBuf {
    descriptor.with_extension("bin")
}

/// The texture that the text of a descriptor describes; `path` is for messages.
///
/// # Errors
/// [`Rule::DescriptorSyntax`], [`Rule::DescriptorKey`], [`Rule::DescriptorValue`] and [`Rule::TextureBytes`] (the key
/// `bytes`), each as often as it is broken.
pub fn parse(text: &str, path: &Path) -> Result<Texture, Problems> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut fields = Fields { text, table: table.get_ref(), report: Report::new(path) };
    for error in &errors {
        let line = error.span().map(|span| line_of(text, &span));
        fields.report.add(
            Rule::DescriptorSyntax,
            line,
            error.message(),
            "write lines of the form `key = value`, or pack the picture again",
        );
    }
    if !errors.is_empty() {
        return Err(fields.report.finish(()).expect_err("a syntax error"));
    }
    fields.refuse_unknown_keys();
    let format = fields.format();
    let [width_log2, height_log2, max_lod, bytes] = [1, 2, 3, 4].map(|key| fields.integer(KEYS[key]));
    let texture = match (format, width_log2, height_log2, max_lod) {
        (Some(format), Some(width_log2), Some(height_log2), Some(max_lod)) => {
            fields.texture(format, width_log2, height_log2, max_lod, bytes)
        }
        _ => None,
    };
    fields.report.finish(texture).map(|texture| texture.expect("a texture where nothing is wrong"))
}

/// The line (from 1) in which a span starts.
fn line_of(text: &str, span: &Range<usize>) -> usize {
    let start = span.start.min(text.len());
    1 + text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count()
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

/// A descriptor being read.
struct Fields<'t> {
    text: &'t str,
    table: &'t DeTable<'t>,
    report: Report,
}

impl<'t> Fields<'t> {
    fn refuse_unknown_keys(&mut self) {
        for key in self.table.keys().filter(|key| !KEYS.contains(&key.get_ref().as_ref())) {
            let line = line_of(self.text, &key.span());
            let message = format!("`{}` is not a key of a descriptor", key.get_ref());
            self.report.add(Rule::DescriptorKey, line, message, format!("the keys are {}", KEYS.join(", ")));
        }
    }

    fn value(&mut self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        let value = self.table.get(key);
        if value.is_none() {
            let message = format!("the key `{key}` is missing");
            self.report.add(Rule::DescriptorKey, None, message, "add it, or pack the picture again");
        }
        value
    }

    fn wrong_type(&mut self, key: &str, value: &Spanned<DeValue>, needed: &str) {
        let message = format!("`{key}` is of type {}, but must be {needed}", value.get_ref().type_str());
        let line = line_of(self.text, &value.span());
        self.report.add(Rule::DescriptorKey, line, message, format!("give {needed}"));
    }

    fn line(&self, key: &str) -> Option<usize> {
        self.table.get(key).map(|value| line_of(self.text, &value.span()))
    }

    fn format(&mut self) -> Option<Format> {
        let value = self.value("format")?;
        let Some(name) = value.get_ref().as_str() else {
            self.wrong_type("format", value, "a string");
            return None;
        };
        let format = name.parse::<Format>();
        if let Err(error) = &format {
            let remedy = "check the spelling";
            let line = self.line("format");
            self.report.add(Rule::DescriptorValue, line, format!("`format`: {error}"), remedy);
        }
        format.ok()
    }

    /// An integer of 0 to 2³² - 1; what it may be within that is for [`Texture::new`] to say.
    fn integer(&mut self, key: &str) -> Option<u32> {
        let value = self.value(key)?;
        let Some(digits) = value.get_ref().as_integer() else {
            self.wrong_type(key, value, "an integer");
            return None;
        };
        let number = u32::from_str_radix(digits.as_str(), digits.radix());
        if number.is_err() {
            let message = format!("`{key}` is {digits}, but must be 0 or more and below 2^32");
            let line = self.line(key);
            self.report.add(Rule::DescriptorValue, line, message, "pack the picture again");
        }
        number.ok()
    }

    fn texture(
        &mut self,
        format: Format,
        width_log2: u32,
        height_log2: u32,
        max_lod: u32,
        bytes: Option<u32>,
    ) -> Option<Texture> {
        let texture = match Texture::new(format, width_log2, height_log2, max_lod) {
            Ok(texture) => texture,
            Err(rules) => {
                for rule in rules {
                    let line = self.line(key_of(rule));
                    self.report.add(Rule::DescriptorValue, line, rule.to_string(), "pack the picture again");
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
            let line = self.line("bytes");
            self.report.add(Rule::TextureBytes, line, message, "pack the picture again");
        }
        Some(texture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_problem::{Problem, RuleCode};

    const GOOD: &str = "format = \"rgb8\"\nwidth_log2 = 3\nheight_log2 = 1\nmax_lod = 2\nbytes = 240\n";

    fn texture() -> Texture {
        Texture::new(Format::Rgb8, 3, 1, 2).unwrap()
    }

    #[test]
    fn text_round_trips() {
        assert_eq!(descriptor(texture()), GOOD);
        for format in Format::CLASSIC {
            for size in 0..144 {
                let (width_log2, height_log2) = (size / 12, size % 12);
                let texture = Texture::new(format, width_log2, height_log2, width_log2).unwrap();
                assert_eq!(parse(&descriptor(texture), Path::new("t.toml")), Ok(texture));
            }
        }
    }

    /// Replacement of one line of a good descriptor, and the rules with their lines that must be reported.
    #[test]
    fn each_bad_line_breaks_its_rule() {
        use Rule::{
            DescriptorKey as Key, DescriptorSyntax as Syntax, DescriptorValue as Value, TextureBytes,
        };
        type Expected = &'static [(Rule, Option<usize>)];
        let cases: [(&str, &str, Expected); 13] = [
            ("format = \"rgb8\"", "format = \"rgb9\"", &[(Value, Some(1))]),
            ("format = \"rgb8\"", "format = 8", &[(Key, Some(1))]),
            ("format = \"rgb8\"", "", &[(Key, None)]),
            ("format = \"rgb8\"", "format = \"rgb8", &[(Syntax, Some(1))]),
            ("width_log2 = 3", "width_log2 = 12", &[(Value, Some(2))]),
            ("width_log2 = 3", "width_log2 = -1", &[(Value, Some(2))]),
            ("width_log2 = 3", "width_log2 = 99999999999", &[(Value, Some(2))]),
            ("width_log2 = 3", "width_log2 = 3.0", &[(Key, Some(2))]),
            ("width_log2 = 3", "width_log2 = 4", &[(TextureBytes, Some(5))]),
            ("max_lod = 2", "max_lod = 4", &[(Value, Some(4))]),
            ("max_lod = 2", "max_lod = 2\nmax_lob = 2", &[(Key, Some(5))]),
            ("max_lod = 2", "max_lod = 2\nmax_lod = 2", &[(Syntax, Some(5))]),
            ("bytes = 240", "bytes = 241", &[(TextureBytes, Some(5))]),
        ];
        for (line, replacement, expected) in cases {
            let problems = parse(&GOOD.replace(line, replacement), Path::new("t.toml")).unwrap_err();
            let got = problems.as_slice().iter().map(|problem| (problem.code, problem.place.line));
            let expected = expected.iter().map(|&(rule, line): &(Rule, _)| (rule.code(), line));
            assert!(got.eq(expected), "{replacement:?}: {problems}");
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once() {
        let text = "format = \"i9\"\nheigth_log2 = 1\nheight_log2 = \"1\"\nmax_lod = -3\n";
        let problems = parse(text, Path::new("dir/t.toml")).unwrap_err();
        let line = |p: &Problem| format!("{}: {}: {}; {}", p.place, p.code, p.message, p.help);
        assert_eq!(
            problems.as_slice().iter().map(line).collect::<Vec<_>>(),
            [
                "dir/t.toml:2: E0108: `heigth_log2` is not a key of a descriptor; the keys are format, width_log2, \
                 height_log2, max_lod, bytes",
                "dir/t.toml:1: E0109: `format`: \"i9\" is not a texture format; use one of rgba8, rgb8, i8_rgba8, \
                 i8_rgb8, rgb565; check the spelling",
                "dir/t.toml: E0108: the key `width_log2` is missing; add it, or pack the picture again",
                "dir/t.toml:3: E0108: `height_log2` is of type string, but must be an integer; give an integer",
                "dir/t.toml:4: E0109: `max_lod` is -3, but must be 0 or more and below 2^32; pack the picture again",
                "dir/t.toml: E0108: the key `bytes` is missing; add it, or pack the picture again",
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "(?s)(format|bytes|max_lod|=|\"|\n|[0-9]|\\PC){0,60}") {
            let _ = parse(&text, Path::new("t.toml"));
        }
    }
}
