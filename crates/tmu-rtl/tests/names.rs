//! What declarations of the emitted presets are called: a net's name ends in no number, since arrays are vectors, and an
//! instance's in none but its position in an array of the source. Nothing is called after how often its name had been taken.

use tmu_hdl::verilog::{Declaration, Module};
use tmu_rtl::outputs::Hardware;
use tmu_spec::Config;
use tmu_spec::presets::{PRESETS, classic};

/// Numbers that belong to a word, and what they mean.
#[rustfmt::skip]
const WORDS: [(&str, &str); 13] = [
    ("_log2", "a logarithm's base"),
    ("_plus1", "a stage behind the last one of a pipe"),
    ("_plus2", "a stage behind the last one of a pipe"),
    // The two lanes of a DSP slice, in the ports of the primitives that have them.
    ("a0", "lane"), ("a1", "lane"), ("p0", "lane"), ("p1", "lane"), ("result0", "lane"), ("result1", "lane"),
    ("x0", "lane"), ("x1", "lane"), ("y0", "lane"), ("y1", "lane"),
];

/// Whether a name ends in a number that nothing in the source says.
fn is_counted(declaration: &Declaration) -> bool {
    let name = declaration.name.as_str();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[stem.len()..].parse::<usize>().ok();
    let is_word = WORDS.iter().any(|(word, _)| name.strip_suffix(word).is_some_and(is_whole));
    let is_position = declaration.is_instance && number == declaration.position;
    number.is_some() && !is_word && !is_position
}

/// Whether what stands before a word leaves it a word of its own.
fn is_whole(before: &str) -> bool {
    before.is_empty() || before.ends_with('_') || !before.ends_with(|c: char| c.is_ascii_digit())
}

/// The declarations that break the rule, with module and place.
fn counted(modules: &[Module]) -> Vec<String> {
    let mut found = vec![];
    for module in modules {
        for declaration in module.declarations.iter().filter(|declaration| is_counted(declaration)) {
            let place = declaration.source.map_or_else(String::new, |source| format!(" ({source})"));
            found.push(format!("{}.{}{place}", module.name, declaration.name));
        }
    }
    found
}

/// The names that a text declares, as far as they stand at the beginning of a line.
fn declared_names(text: &str) -> impl Iterator<Item = &str> {
    let keywords = ["input  wire ", "output wire ", "output reg  ", "wire ", "reg  ", "reg ", "localparam "];
    let declared = move |line: &'_ str| {
        let line = line.trim_start();
        let line = if line.starts_with("(* ") { line.split_once(" *) ")?.1 } else { line };
        keywords
            .iter()
            .find_map(|keyword| line.strip_prefix(keyword))
            .map(str::len)
            .map(|length| line.len() - length)
    };
    text.lines().filter_map(move |line| {
        let start = declared(line)?;
        let line = line.trim_start();
        let line = if line.starts_with("(* ") { line.split_once(" *) ")?.1 } else { line };
        let rest = line[start..].trim_start();
        let rest = if rest.starts_with('[') { rest.split_once("] ")?.1 } else { rest };
        rest.split([' ', ',', ';', '=']).find(|word| !word.is_empty())
    })
}

/// Of the classic units: decoders of compressed tiles and arrays in records still have numbered names.
#[test]
fn names_of_nets_end_in_no_number() {
    let mut found = vec![];
    for (preset, config) in classic() {
        let hardware = Hardware::new(&config).unwrap_or_else(|e| panic!("{e}"));
        let modules = &hardware.modules().modules;
        let count: usize = modules.iter().map(|module| module.declarations.len()).sum();
        assert!(count > 700, "{}: {count} declarations", preset.name());
        found.extend(counted(modules).into_iter().map(|name| format!("{}: {name}", preset.name())));
    }
    assert!(
        found.is_empty(),
        "{} names end in a number; give each a name of its own, or make an array of equal nets of them:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// The rule is asked of what the back end says it declares: that is all that the text declares.
#[test]
fn every_declaration_of_the_text_is_known() {
    for preset in PRESETS {
        let config: Config = preset.config().unwrap_or_else(|e| panic!("{e:?}"));
        let hardware = Hardware::new(&config).unwrap_or_else(|e| panic!("{e}"));
        for module in &hardware.modules().modules {
            let mut seen = 0;
            for name in declared_names(&module.text) {
                seen += 1;
                let known = module.declarations.iter().any(|declaration| declaration.name == name);
                // The text of a primitive is its own: it may declare what the design does not know, but not by counting.
                let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
                let is_stage = stem == "stage_";
                let is_word = WORDS.iter().any(|(word, _)| name.ends_with(word));
                assert!(
                    known || stem == name || is_word || is_stage,
                    "{}: {} declares `{name}`",
                    preset.name(),
                    module.name
                );
            }
            assert!(seen > 0, "{}: {}", preset.name(), module.name);
        }
    }
}

#[test]
fn a_name_that_was_counted_up_is_found() {
    let table = [
        ("key", None, false, false),
        ("key_2", None, false, true),
        ("key_2", Some(2), false, true),
        ("bank_2", Some(2), true, false),
        ("bank_3", Some(2), true, true),
        ("width_log2", None, false, false),
        ("lanes_0_result1", None, false, false),
        ("key2", None, false, true),
    ];
    for (name, position, is_instance, expected) in table {
        let declaration = Declaration { name: name.into(), position, is_instance, source: None };
        assert_eq!(is_counted(&declaration), expected, "{declaration:?}");
    }
}
