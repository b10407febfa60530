//! Everything that reads files, on damaged files: it may refuse them but must not panic, hang or fill the memory.
//!
//! Each target takes the files of its folder in `tests/corpus` as they are and then damages them at random: bytes,
//! ranges, numbers and words are changed, moved, copied from each other or cut off. Without settings this is a short
//! run with always the same seeds. For a long one:
//!
//! ```text
//! TMUGEN_FUZZ_SECONDS=600 cargo test -p tmugen --test fuzz -- --nocapture
//! ```
//!
//! gives each target that many seconds, on from `TMUGEN_FUZZ_SEED`. A failure says how to repeat it and leaves its
//! input in the folder for temporary files; once fixed, the input belongs into the corpus.

#![allow(clippy::print_stdout, reason = "a long run says what it did")]

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tmu_assets::{Container, Picture, TextureImage};
use tmu_scene::{GoldenEngine, Scene, render};
use tmu_spec::Config;
use tmu_testing::setting;
use tmu_verilate::CoverageCounts;

/// Inputs of a run without settings, for each target.
const SHORT_RUN_INPUTS: u64 = 4000;

/// The longest that one input may take, on a machine that is busy with other things.
const MAX_INPUT_TIME: Duration = Duration::from_secs(30);

/// Words that parsers look out for.
const WORDS: [&str; 21] = [
    "0",
    "-1",
    "15",
    "16",
    "65536",
    "2147483647",
    "-2147483649",
    "18446744073709551615",
    "18446744073709551616",
    "1e309",
    "nan",
    "\"",
    "\"\"\"",
    "\n",
    "\r\n",
    ",",
    "[[",
    "=",
    "0x",
    "\u{feff}",
    "\0",
];

fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target)
}

/// Names and contents of the files of a corpus, in the order of their names.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(corpus(target)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

/// Runs a target on its corpus and on damaged copies of it.
fn fuzz(target: &str, run: impl Fn(&Path, &[u8])) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "no corpus for {target}");
    for (path, input) in &seeds {
        check(&path.display().to_string(), input, || run(path, input));
    }
    let first = setting("TMUGEN_FUZZ_SEED").unwrap_or(0);
    let time = setting("TMUGEN_FUZZ_SECONDS").map(Duration::from_secs);
    let started = Instant::now();
    let mut inputs = 0;
    while time.map_or(inputs < SHORT_RUN_INPUTS, |time| started.elapsed() < time) {
        let seed = first + inputs;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (path, original) = seeds.choose(&mut rng).unwrap();
        let input = damaged(original, &seeds.choose(&mut rng).unwrap().1, &mut rng);
        let repeat = format!("TMUGEN_FUZZ_SEED={seed} cargo test -p tmugen --test fuzz {target}");
        check(&repeat, &input, || run(path, &input));
        inputs += 1;
    }
    println!("{target}: {inputs} damaged inputs from seed {first}, {} s", started.elapsed().as_secs());
}

fn check(repeat: &str, input: &[u8], run: impl FnOnce()) {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(run));
    let took = started.elapsed();
    if outcome.is_err() || took > MAX_INPUT_TIME {
        let left = std::env::temp_dir().join("tmugen-fuzz-input");
        fs::write(&left, input).unwrap();
        let what =
            if outcome.is_err() { "panicked".to_owned() } else { format!("took {} s", took.as_secs()) };
        panic!("{what} on the input in {}\nrepeat: {repeat}", left.display());
    }
}

/// A copy of `original` with one to eight faults, some of them taken from `other`.
fn damaged(original: &[u8], other: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..rng.random_range(1..=8) {
        let at = rng.random_range(0..=bytes.len());
        let to = (at + rng.random_range(0..64)).min(bytes.len());
        match rng.random_range(0..9) {
            0 if at < bytes.len() => bytes[at] = rng.random(),
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
            2 => drop(bytes.drain(at..to)),
            3 => {
                drop(bytes.splice(at..at, original[at.min(original.len())..to.min(original.len())].to_vec()))
            }
            4 => drop(bytes.splice(at..to, WORDS.choose(rng).unwrap().bytes())),
            5 => drop(bytes.splice(at..at, WORDS.choose(rng).unwrap().bytes())),
            6 => bytes.truncate(at),
            7 => bytes[at..to].fill(*[0, 0xff, 0x7f, 0x80].choose(rng).unwrap()),
            _ => {
                let from = rng.random_range(0..=other.len());
                let end = (from + rng.random_range(0..256)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
        }
    }
    bytes
}

fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

#[test]
fn config() {
    fuzz("config", |_, input| {
        if let Ok(config) = Config::from_toml(&text(input)) {
            assert_eq!(Config::from_toml(config.canonical_toml()).as_ref(), Ok(&config));
        }
    });
}

#[test]
fn descriptor() {
    fuzz("descriptor", |path, input| {
        if let Ok(texture) = tmu_assets::parse_any_descriptor(&text(input), path) {
            assert_eq!(tmu_assets::parse_any_descriptor(&texture.descriptor(), path), Ok(texture));
        }
    });
}

#[test]
fn container() {
    fuzz("container", |path, input| {
        if let Ok(Container { image, .. }) = Container::decode(input, path) {
            for level in 0..image.texture().levels() {
                assert!(image.level(level, path).is_ok());
            }
        }
    });
}

#[test]
fn quads() {
    fuzz("quads", |path, input| {
        if let Err(failure) = tmugen::quads::read_quads(input, path, |_| Ok(())) {
            assert!((1..=tmugen::quads::MAX_PROBLEMS).contains(&failure.problems.len()));
        }
    });
}

#[test]
fn picture() {
    fuzz("picture", |path, input| {
        for input in [input, &with_right_checksums(input)] {
            if let Ok(picture) = Picture::decode(input, path) {
                assert_eq!(picture.texels().len(), picture.width() * picture.height());
            }
        }
    });
}

#[test]
fn scene() {
    fuzz("scene", |_, input| {
        // Whatever the input was made of, its pictures stand in the corpus.
        if let Ok(scene) = Scene::parse(&corpus("scene").join("good.toml"), &text(input)) {
            let config = Config::from_toml("").unwrap();
            let size = "16x9".parse().unwrap();
            let mut engine = GoldenEngine::new(scene.memory(), &config);
            let (frame, _) = render(&scene, size, &mut engine, &mut |_, _| {}).unwrap();
            assert_eq!(frame.rgb().len(), 16 * 9 * 3);
        }
    });
}

#[test]
fn mesh() {
    fuzz("mesh", |path, input| {
        // Whatever the input was made of, its buffers stand in the corpus.
        for name in ["a.obj", "a.gltf", "a.glb"] {
            let _ = tmu_scene::count_triangles(input, &path.with_file_name(name));
        }
    });
}

#[test]
fn texture_memory() {
    let texture = tmu_assets::parse_descriptor(
        &text(&fs::read(corpus("descriptor").join("good.toml")).unwrap()),
        Path::new("good.toml"),
    );
    let texture = texture.unwrap();
    fuzz("texture_memory", |path, input| {
        if let Ok(image) = TextureImage::from_memory(texture, input.to_vec()) {
            for level in 0..=texture.max_lod() + 1 {
                let _ = image.level(level, path);
            }
        }
    });
}

#[test]
fn results() {
    fuzz("results", |path, input| {
        let _ = tmugen::inputs::explored(input, path);
    });
}

#[test]
fn sweep() {
    fuzz("sweep", |_, input| {
        let _ = tmugen::inputs::sweep(&text(input));
    });
}

#[test]
fn estimate() {
    fuzz("estimate", |path, input| {
        let _ = tmugen::inputs::saved_estimate(&text(input), path);
    });
}

#[test]
fn manifest() {
    fuzz("manifest", |path, input| {
        let _ = tmugen::inputs::manifest(&text(input), path);
    });
}

#[test]
fn arguments() {
    fuzz("arguments", |_, input| {
        let _ = tmugen::inputs::is_command_line(&text(input));
    });
}

#[test]
fn coverage() {
    fuzz("coverage", |_, input| {
        if let Ok(counts) = CoverageCounts::parse(&text(input)) {
            assert!(counts.since(&counts).iter().all(|(_, count)| count == 0));
        }
    });
}

/// A PNG file with the checksum of every chunk put right, so that damage gets past them; other files as they are.
fn with_right_checksums(input: &[u8]) -> Vec<u8> {
    const SIGNATURE_BYTES: usize = 8;
    let mut bytes = input.to_vec();
    let mut at = SIGNATURE_BYTES;
    while bytes.starts_with(b"\x89PNG")
        && let Some(length) =
            bytes.get(at..).and_then(<[u8]>::first_chunk).map(|length| u32::from_be_bytes(*length))
        && let Some(covered) = bytes.get(at + 4..).and_then(|rest| rest.get(..4 + length as usize))
    {
        let checksum = crc32fast::hash(covered).to_be_bytes();
        let end = at + 8 + length as usize;
        let Some(place) = bytes.get_mut(end..end + 4) else { break };
        place.copy_from_slice(&checksum);
        at = end + 4;
    }
    bytes
}
