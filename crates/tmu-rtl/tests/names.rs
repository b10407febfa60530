//! What declarations of the emitted Verilog are called: a number at the end is the position in an array, and no more.

use std::collections::BTreeSet;
use tmu_rtl::outputs::Hardware;
use tmu_spec::{Config, presets::PRESETS};

/// Modules that keep to it. Others still name what a loop makes by counting.
const MODULES: [&str; 1] = ["address"];

/// Endings that are numbers in their own right: a logarithm's base.
const WORDS: [&str; 1] = ["log2"];

/// The names that a module declares.
fn declarations(text: &str) -> BTreeSet<String> {
    let declares = |line: &&str| {
        let line = line.trim_start();
        ["input ", "output ", "reg ", "wire "].iter().any(|word| line.starts_with(word))
    };
    let name = |line: &str| {
        let left = line.split(['=', ';']).next().unwrap_or(line);
        left.trim_end_matches([',', ' ']).rsplit(' ').next().unwrap_or("").to_string()
    };
    text.lines().filter(declares).map(name).collect()
}

/// Whether a number at the end of a name is the position in an array: all those before it are there.
fn is_position(name: &str, names: &BTreeSet<String>) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let Ok(number) = name[stem.len()..].parse::<usize>() else { return true };
    let is_word = WORDS.iter().any(|word| name.ends_with(word));
    let first = usize::from(stem.ends_with("_plus"));
    is_word || (first..number).all(|before| names.contains(&format!("{stem}{before}")))
}

#[test]
fn numbers_at_the_end_of_names_are_positions() {
    let mut seen = 0;
    for preset in PRESETS.iter().filter(|preset| ["stream", "quad"].contains(&preset.name())) {
        let config: Config = preset.config().unwrap_or_else(|e| panic!("{e:?}"));
        let hardware = Hardware::new(&config).unwrap_or_else(|e| panic!("{e}"));
        for file in hardware.verilog_files() {
            for module in MODULES {
                let Some(start) = file.text.find(&format!("module {module} (")) else { continue };
                let text = &file.text[start..];
                let text = &text[..text.find("endmodule").unwrap_or(text.len())];
                let names = declarations(text);
                assert!(names.len() > 50, "{module} of {}: {names:?}", preset.name());
                let counted: Vec<_> = names.iter().filter(|name| !is_position(name, &names)).collect();
                assert!(counted.is_empty(), "{module} of {}: {counted:?}", preset.name());
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 2 * MODULES.len());
}

#[test]
fn a_name_that_was_counted_up_is_found() {
    let names =
        declarations("    reg  [3:0] key = 4'd0;\n    wire key_2;\n    wire a_0;\n    wire a_1 = 1;\n");
    let counted: Vec<_> = names.iter().filter(|name| !is_position(name, &names)).collect();
    assert_eq!(counted, ["key_2"]);
}
