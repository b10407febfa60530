//! Configurations as users meet them: every error with its exact text, the presets, and the canonical form.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::fmt::Write;
use tmu_problem::{Problems, RuleCode, Subject};
use tmu_spec::config::{AxiClock, CacheKind, Config, ErrorCode, Family, RamStyle, Replacement, explain};
use tmu_spec::{AddressMode, BeatsPerQuad, Format, Preset};

/// The TOML blocks of an explanation: one that is wrong and one that is right.
fn examples(code: ErrorCode) -> [&'static str; 2] {
    let blocks: Vec<_> = code.explanation().split("```toml\n").skip(1).collect();
    assert_eq!(blocks.len(), 2, "{code} explains itself with two examples");
    [0, 1].map(|block| blocks[block].split("```").next().unwrap())
}

fn errors(toml: &str) -> Problems {
    Config::from_toml(toml).expect_err(toml)
}

#[test]
fn each_code_is_raised_by_its_wrong_example_alone_and_not_by_the_right_one() {
    for code in ErrorCode::ALL {
        let [wrong, right] = examples(*code);
        let raised: Vec<_> = errors(wrong).as_slice().iter().map(|error| error.code).collect();
        assert_eq!(raised, [code.code()], "the wrong example of {code}:\n{wrong}");
        if let Err(errors) = Config::from_toml(right) {
            panic!("the right example of {code} is refused:\n{right}\n{errors}");
        }
    }
}

#[test]
fn messages_of_all_codes() {
    let mut text = String::new();
    for code in ErrorCode::ALL {
        let [wrong, _] = examples(*code);
        writeln!(text, "{}\n", errors(wrong)).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn further_messages() {
    let inputs = [
        "cache = 4",
        "[chache]\nways = 4",
        "sets = 64",
        "[cache]\nsets = 8",
        "units = -1",
        "units = 99999999999999999999999",
        "units = 2.0",
        "[cache]\ntag_ram = \"ultra\"",
        "[cache]\nways = 7",
        "[control]\nport = \"yes\"",
        "name = 4",
        "name = \"\"",
        "name = \"a__b\"",
        "[texture]\nformats = [\"rgba8\", 1]",
        "[texture]\nformats = \"rgba8\"",
        "[texture]\nformats = [\"rgb666\", \"rgba8\", 7, \"rgba8\"]",
        "[axi]\nwindow_base = 0xFFFF_FFFF_FFFF_F001",
        "colour = \"blue\"",
        "units = 1\nunits = 2",
        "[[cache]]\nways = 4",
        "units =",
    ];
    let mut text = String::new();
    for input in inputs {
        writeln!(text, "{input}\n-> {}\n", errors(input)).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_list_reports_all_its_faults() {
    let text = "[texture]\naddress_modes = [\"warp\", \"clamp\", \"miror\", \"clamp\"]\n";
    let errors = errors(text);
    let found =
        errors.as_slice().iter().map(|error| (error.code, error.subject.as_ref().unwrap().value.as_str()));
    let found: Vec<_> = found.collect();
    assert_eq!(found, [("E0006", "\"warp\""), ("E0006", "\"miror\""), ("E0009", "\"clamp\"")]);
    let places: Vec<_> =
        errors.as_slice().iter().map(|error| &text[error.place.span.clone().unwrap()]).collect();
    assert_eq!(places, ["\"warp\"", "\"miror\"", "\"clamp\""]);
    assert_eq!(errors.as_slice()[2].place.column, Some(44), "the second one of two is the fault");
}

#[test]
fn all_errors_are_reported_at_once_in_the_order_of_the_file() {
    let text = "units = 40\nname = \"fine\"\n\n[cache]\nways = 3\nkind = \"prefetch\"\nline = 128\n\n\
                [axi]\nclock = \"own\"\narcache = 9\n\n[control]\nport = false\n";
    insta::assert_snapshot!(errors(text).to_string());
}

#[test]
fn places_are_exact() {
    let text = "# \u{e9}\u{e9}\n[cache]\n  sets = 1000 # \u{e9}\n";
    let errors = errors(text);
    let error = &errors.as_slice()[0];
    assert_eq!((error.place.line, error.place.column), (Some(3), Some(10)));
    assert_eq!(&text[error.place.span.clone().unwrap()], "1000");
    let subject = Subject { key: "cache.sets".to_owned(), value: "1000".to_owned() };
    assert_eq!((&error.subject, error.help.as_str()), (&Some(subject), "use 512 or 1024"));
    assert!(error.message.contains("power of two"), "{}", error.message);
}

#[test]
fn a_value_that_is_wrong_by_itself_is_one_error() {
    for text in
        ["axi.clock = \"mine\"\nclock.memory_mhz = 300", "axi.clock = \"own\"\nclock.memory_mhz = \"fast\""]
    {
        let errors = errors(text);
        assert_eq!(errors.as_slice().len(), 1, "{errors}");
    }
}

#[test]
fn families_without_ultra_ram_have_another_default() {
    for (family, expected) in [
        ("ultrascale+", RamStyle::Ultra),
        ("zynqmp", RamStyle::Ultra),
        ("series7", RamStyle::Block),
        ("ecp5", RamStyle::Block),
    ] {
        let of = |cache: &str| Config::from_toml(&format!("{cache}[device]\nfamily = \"{family}\"\n"));
        let config = of("").unwrap();
        assert_eq!((config.cache().data_ram(), config.family().to_string()), (expected, family.to_owned()));
        assert_eq!(Config::from_toml(config.canonical_toml()), Ok(config));
        let distributed = of("[cache]\ndata_ram = \"distributed\"\n").unwrap();
        assert_eq!(distributed.cache().data_ram(), RamStyle::Distributed);
        let asked = of("[cache]\ndata_ram = \"ultra\"\n");
        assert_eq!(asked.is_ok(), expected == RamStyle::Ultra, "{family}");
        if let Err(problems) = asked {
            let [problem] = problems.as_slice() else { panic!("{problems}") };
            assert_eq!(
                (problem.code, problem.place.line),
                (ErrorCode::UltraRam.code(), Some(2)),
                "{problem}"
            );
        }
    }
}

#[test]
fn presets_of_other_families_are_those_of_amd_in_another_form() {
    for (name, other) in [("stream", "stream-ecp5"), ("quad", "quad-ecp5")] {
        let [own, other] = [name, other].map(|name| Preset::find(name).unwrap().config().unwrap());
        assert_eq!(other.family(), Family::Ecp5);
        let parts = |config: &Config| (*config.features(), *config.cache(), *config.axi(), *config.control());
        assert_eq!(parts(&own), parts(&other));
    }
}

#[test]
fn explanations_are_found_by_code() {
    for code in ErrorCode::ALL {
        let text = explain(code.code()).unwrap();
        assert!(text.starts_with(&format!("# {code}: ")), "{code}");
    }
    assert_eq!(explain("e0004"), explain("E0004"));
    assert_eq!(explain("E9999"), None);
}

#[test]
fn the_fury_preset_is_the_unit_of_the_article() {
    let fury = Preset::find("fury").unwrap().config().unwrap();
    assert_eq!((fury.name(), fury.units(), fury.family()), ("fury", 4, Family::ZynqMp));
    let clocks = fury.clocks();
    assert_eq!((clocks.core_mhz(), clocks.tmu_mhz(), clocks.memory_mhz()), (400, 480, None));
    let features = fury.features();
    assert!(features.formats().eq(Format::DEFAULT));
    assert!(AddressMode::CLASSIC.into_iter().all(|mode| features.has_address_mode(mode)));
    assert!(features.bilinear() && features.mipmaps() && features.max_size_log2() == 11);
    assert_eq!(fury.request().beats_per_quad(), BeatsPerQuad::Two);
    let cache = fury.cache();
    assert_eq!((cache.kind(), cache.replacement()), (CacheKind::Blocking, Replacement::PlruRandom));
    assert_eq!((cache.tag_ram(), cache.data_ram()), (RamStyle::Block, RamStyle::Ultra));
    assert_eq!((cache.ways(), cache.sets(), cache.line_bits()), (4, 1024, 128));
    assert_eq!((cache.tag_bits(), cache.set_bits(), cache.line_offset_bits()), (17, 10, 4));
    assert_eq!((cache.tag_entry_bits(), cache.way_bits(), cache.data_address_bits()), (18, 2, 12));
    assert_eq!((cache.lines(), cache.line_bytes(), cache.data_bytes()), (4096, 16, 65_536));
    let axi = fury.axi();
    assert_eq!((axi.clock(), axi.unit_id_bits(), axi.data_bits()), (AxiClock::Tmu, 2, 128));
    assert!(fury.control().port() && fury.control().counters());
}

#[test]
fn fury_single_differs_in_name_and_units_only() {
    let [fury, single] = ["fury", "fury-single"].map(|name| Preset::find(name).unwrap().config().unwrap());
    assert_eq!(single.units(), 1);
    let differing: Vec<_> = (fury.canonical_toml().lines().zip(single.canonical_toml().lines()))
        .filter(|(a, b)| a != b)
        .collect();
    assert_eq!(differing, [("name = \"fury\"", "name = \"fury_single\""), ("units = 4", "units = 1")]);
}

#[test]
fn quad_is_stream_with_all_that_a_quad_a_clock_needs() {
    let [stream, quad] = ["stream", "quad"].map(|name| Preset::find(name).unwrap().config().unwrap());
    let differing: Vec<_> = (stream.canonical_toml().lines().zip(quad.canonical_toml().lines()))
        .filter(|(a, b)| a != b)
        .map(|(_, line)| line)
        .collect();
    let expected = [
        "name = \"quad\"",
        "tmu_mhz = 400",
        "beats_per_quad = 1",
        "fifo_depth = 64",
        "pixels_per_clock = 4",
        "outstanding_reads = 80",
    ];
    assert_eq!(differing, expected);
    assert!(quad.datapath().takes_quads() && !stream.datapath().takes_quads());
    // 256 sets are 64 of each bank.
    assert_eq!((stream.cache().bank_sets(), stream.cache().bank_set_bits()), (64, 6));
    // A quad a clock of the units comes in and goes out only if the streams are no slower.
    assert!(quad.clocks().core_mhz() >= quad.clocks().tmu_mhz());
}

#[test]
fn a_fully_associative_cache_has_one_set_a_bank() {
    let han = Preset::find("han").unwrap().config().unwrap();
    let cache = han.cache();
    assert!(cache.is_associative());
    assert_eq!((cache.ways(), cache.way_bits(), cache.bank_sets(), cache.bank_set_bits()), (64, 6, 1, 0));
    // 256 tiles of 64 bytes.
    assert_eq!((cache.lines(), cache.replacement()), (256, Replacement::RoundRobin));
    let said = han.canonical_toml();
    assert!(said.contains("associative_lines = 64\n"), "{said}");
    assert_eq!(Config::from_toml(said).as_ref(), Ok(&han));
    // What has sets is written as it was before there was the key.
    let multi = Preset::find("multi").unwrap().config().unwrap();
    assert!(!multi.cache().is_associative() && !multi.canonical_toml().contains("associative"));
}

#[test]
fn a_fully_associative_cache_is_one_of_the_general_numerics_that_prefetches() {
    let code = |text: &str| {
        let problems = Config::from_toml(text).unwrap_err();
        problems.as_slice().iter().map(|problem| (problem.code, problem.to_string())).collect::<Vec<_>>()
    };
    for (text, rule) in [
        ("texture.sizes = \"any\"\ncache.associative_lines = 64", "not built with cache.kind = \"blocking\""),
        (
            "cache = { kind = \"prefetch\", associative_lines = 64 }\naxi.outstanding_reads = 64\nresult.fifo_depth = 32",
            "not built in the classic numerics",
        ),
    ] {
        let found = code(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0 == "E0010" && found[0].1.contains(rule), "{found:?}");
    }
    assert_eq!(code("cache.associative_lines = 48")[0].0, "E0004");
}

#[test]
fn the_hash_follows_the_meaning_and_not_the_form() {
    let hash = |toml: &str| Config::from_toml(toml).unwrap().hash();
    let plain = hash("units = 2\n[cache]\nways = 2\n[texture]\nformats = [\"rgb8\", \"rgba8\"]");
    let formed = hash(
        "# the same\ncache = { ways = 0b10 }\ntexture.formats = [\n\t'rgba8',\n\t'rgb8',\n]\nunits = 0x2",
    );
    assert_eq!(plain, formed);
    assert_ne!(plain, hash("units = 2\n[cache]\nways = 4\n[texture]\nformats = [\"rgb8\", \"rgba8\"]"));
    assert_eq!(plain.len(), 64);
    let config = Config::from_toml("").unwrap();
    assert_eq!((config.short_hash().len(), config.hash().starts_with(&config.short_hash())), (12, true));
    // A default written out is the default.
    assert_eq!(hash(""), hash("units = 1"));
}

/// A legal file with random choices for the settings that are free of rules across keys.
fn any_file() -> impl Strategy<Value = String> {
    let whole = (0..8u32, 1..17u32, 2..12u32, any::<[bool; 4]>());
    let cache = (0..4u32, 4..13u32, 0..3usize, 2..13u32);
    (whole, cache).prop_map(
        |((name, units, size, [bilinear, mipmaps, port, own]), (ways, sets, policy, depth))| {
            let policy = ["plru_random", "random", "round_robin"][policy];
            let memory_mhz = if own { "memory_mhz = 300" } else { "" };
            let clock = if own { "own" } else { "tmu" };
            format!(
                "name = \"n{name}\"\nunits = {units}\n[texture]\nbilinear = {bilinear}\nmipmaps = {mipmaps}\n\
             max_size_log2 = {size}\n[cache]\nways = {}\nsets = {}\nreplacement = \"{policy}\"\n\
             [result]\nfifo_depth = {}\n[clock]\n{memory_mhz}\n[axi]\nclock = \"{clock}\"\n\
             [control]\nport = {port}\ncounters = {port}\n",
                1 << ways,
                1 << sets,
                1 << depth
            )
        },
    )
}

proptest! {
    // Failing cases are printed, and saved beside this file so that the next run repeats them first.
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))),
        ..ProptestConfig::with_cases(1000)
    })]

    #[test]
    fn canonical_text_reads_back_as_the_same_configuration(file in any_file()) {
        let config = Config::from_toml(&file).map_err(|errors| TestCaseError::fail(errors.to_string()))?;
        let again = Config::from_toml(config.canonical_toml());
        prop_assert_eq!(again.as_ref(), Ok(&config));
        let cache = config.cache();
        prop_assert_eq!(cache.tag_bits() + cache.set_bits() + cache.line_offset_bits(), 31);
        prop_assert!(config.units() <= 1 << config.axi().unit_id_bits());
    }

    /// Bad input of any kind is answered with errors, each with its place in the text.
    #[test]
    fn no_text_panics(text in ".*", cut in any::<prop::sample::Index>(), dirt in "[\\[\\]=\".#{},a0\n\u{e9}-]{0,6}") {
        let preset = Preset::find("fury").unwrap().toml();
        let at = cut.index(preset.len());
        let spoilt = format!("{}{dirt}{}", &preset[..at], &preset[at..]);
        for text in [text, spoilt] {
            if let Err(errors) = Config::from_toml(&text) {
                prop_assert!(!errors.as_slice().is_empty());
                for error in errors.as_slice() {
                    let inside = error.place.span.clone().is_none_or(|span| text.get(span).is_some());
                    prop_assert!(inside, "{error}");
                }
            }
        }
    }
}
