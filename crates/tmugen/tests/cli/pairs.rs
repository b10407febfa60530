//! Random pairs of commands and paths over one folder: no file changes that was not named as an output, none that is read
//! by the same run, and without `--force` none that is not of the kind that the output makes.
//!
//! `TMUGEN_PAIRS` sets how many, `TMUGEN_PAIRS_SEED` the seed of the first; a failure names the command.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tmu_assets::Picture;
use tmu_testing::setting;
use tmugen::console::Console;
use tmugen::problem::Exit;

/// A command without its options for output, what it reads, and each of these options with what it writes: the file
/// itself, and with which endings others beside it.
struct Command {
    words: &'static str,
    reads: &'static [&'static str],
    outputs: &'static [(&'static str, &'static [&'static str])],
}

const COMMANDS: [Command; 9] = [
    Command {
        words: "pack pic.png --format rgba8",
        reads: &["pic.png"],
        outputs: &[("-o", &["bin", "toml"])],
    },
    Command { words: "unpack t.toml", reads: &["t.toml", "t.bin"], outputs: &[("-o", &[])] },
    Command {
        words: "sample --texture t.toml --quads q.csv --config cfg.toml",
        reads: &["t.toml", "t.bin", "q.csv", "cfg.toml"],
        outputs: &[("-o", &[])],
    },
    Command {
        words: "render scene.toml",
        reads: &["scene.toml", "pic.png", "t.toml", "t.bin"],
        outputs: &[("-o", &[]), ("--stats", &[]), ("--record-quads", &["toml", "bin"])],
    },
    Command {
        words: "explore merge r.jsonl",
        reads: &["r.jsonl"],
        outputs: &[("-o", &[]), ("--csv", &[]), ("--svg", &[])],
    },
    Command {
        words: "explore cfg.toml --vary cache.ways=1 --pattern hits --size 32",
        reads: &["cfg.toml"],
        outputs: &[("--results", &[]), ("--csv", &[]), ("--svg", &[])],
    },
    Command { words: "new", reads: &[], outputs: &[("", &[])] },
    Command { words: "report --config cfg.toml", reads: &["cfg.toml"], outputs: &[("--out", &[])] },
    Command { words: "generate cfg.toml", reads: &["cfg.toml"], outputs: &[("--out", &[])] },
];

/// How often each of them is drawn; the last two take a tenth of a second and more.
const WEIGHTS: [u32; 9] = [10, 10, 12, 12, 8, 8, 6, 1, 1];

/// What people have written; no run replaces it unless it is forced to.
const BY_HAND: [&str; 6] = ["notes.txt", "cfg.toml", "scene.toml", "beans.toml", "cfg.v", "mine.json"];

/// The files as they are at the beginning.
struct Folder {
    folder: tempfile::TempDir,
    files: BTreeMap<&'static str, Vec<u8>>,
}

impl Folder {
    fn new() -> Self {
        let texels = (0..16u8).map(|n| [16 * n, 255 - n, 7, 255]).collect();
        let picture = Picture::from_texels(4, 4, texels);
        let encoded = |name: &str| picture.encode(Path::new(name)).unwrap();
        let mut files = BTreeMap::new();
        let text = |text: &str| text.as_bytes().to_vec();
        files.insert("pic.png", encoded("pic.png"));
        files.insert("other.png", encoded("other.png"));
        files.insert("other.tga", encoded("other.tga"));
        files.insert("cfg.toml", text("# mine\nname = \"cfg\"\n"));
        files.insert("beans.toml", text("# beans\nprice = 3\n"));
        files.insert("beans.bin", text("anything"));
        files.insert("notes.txt", text("notes"));
        files.insert("cfg.v", text("module cfg(input wire mine);\nendmodule\n"));
        files.insert("mine.json", text("{\"mine\": 1}\n"));
        files.insert("empty.csv", Vec::new());
        files.insert("q.csv", text("u0,v0,u1,v1,u2,v2,u3,v3,valid\n0,0,9,0,0,9,9,9,15\n"));
        files.insert("mine.csv", text("a,b\n1,2\n"));
        files.insert(
            "scene.toml",
            text(
                "[image]\nwidth = 8\nheight = 8\n[camera]\nposition = [0.0, 1.0, 2.0]\ntarget = [0.0, 0.0, 0.0]\n\
                 [[texture]]\nname = \"a\"\nfile = \"pic.png\"\n[[texture]]\nname = \"b\"\nfile = \"t.toml\"\n\
                 [[sampler]]\nname = \"s\"\n[[mesh]]\nshape = \"cube\"\ntexture = \"a\"\nsampler = \"s\"\n",
            ),
        );
        let mut all = Folder { folder: tempfile::tempdir().unwrap(), files };
        all.restore();
        let words =
            ["pack pic.png --format rgba8 -o t.bin", "sample --texture t.toml --quads q.csv -o s.csv"];
        let results = "explore --vary cache.ways=1 --pattern hits --size 32 --results r.jsonl --svg plot.svg";
        for words in words.into_iter().chain([results]) {
            let words: Vec<_> = words.split(' ').map(|word| all.word(word)).collect();
            assert_eq!(run(&words).0, Exit::Success, "{words:?}");
        }
        for name in ["t.bin", "t.toml", "s.csv", "r.jsonl", "plot.svg"] {
            all.files.insert(name, fs::read(all.path(name)).unwrap());
        }
        all
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A word of a command, as a path if it is the name of a file.
    fn word(&self, word: &str) -> String {
        let is_file = word.contains('.') && !word.contains('=');
        if is_file { self.path(word).display().to_string() } else { word.to_owned() }
    }

    /// Empties the folder and fills it anew.
    fn restore(&self) {
        for entry in fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
            fs::remove_dir_all(&entry).or_else(|_| fs::remove_file(&entry)).unwrap();
        }
        for (name, bytes) in &self.files {
            fs::write(self.path(name), bytes).unwrap();
        }
        fs::create_dir(self.path("sub")).unwrap();
        for (target, link) in [("cfg.toml", "sub/soft"), ("q.csv", "soft.csv"), ("pic.png", "soft.png")] {
            symlink(self.path(target), self.path(link)).unwrap();
        }
        symlink("sub", self.path("folder")).unwrap();
        symlink("sub/new.csv", self.path("dangling.csv")).unwrap();
        for (target, link) in [("t.toml", "hard.toml"), ("scene.toml", "sub/hard"), ("notes.txt", "hard.png")]
        {
            if self.path(target).exists() {
                fs::hard_link(self.path(target), self.path(link)).unwrap();
            }
        }
    }

    /// Every regular file, by the path that leads to it without links.
    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.folder.path().canonicalize().unwrap()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    found.insert(entry.path(), fs::read(entry.path()).unwrap());
                }
            }
        }
        found
    }

    /// A path into the folder in one of its spellings, of a file that is there or of none.
    fn some_path(&self, random: &mut ChaCha8Rng) -> PathBuf {
        let links = [
            "soft.csv",
            "soft.png",
            "hard.toml",
            "hard.png",
            "sub/soft",
            "sub/hard",
            "dangling.csv",
            "sub",
            ".",
        ];
        let new = ["new.png", "new.csv", "new.bin", "new.toml", "sub/new.csv", "new", "sub/deep/new.png"];
        let name = match random.random_range(0..10) {
            0..5 => *self.files.keys().collect::<Vec<_>>().choose(random).unwrap(),
            5..7 => links.choose(random).unwrap(),
            _ => new.choose(random).unwrap(),
        };
        let spelled = match random.random_range(0..6) {
            0 => format!("./{name}"),
            1 => format!("sub/../{name}"),
            2 => format!("folder/../{name}"),
            3 => name.replacen("sub/", "folder/", 1),
            4 => format!(".//././{name}"),
            _ => name.to_string(),
        };
        self.path(&spelled)
    }
}

/// Runs the program in this process; how it ended, and what it said.
fn run(words: &[String]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, err_is_terminal: false };
    let words = std::iter::once("tmugen").chain(words.iter().map(String::as_str)).map(Into::into);
    let exit = tmugen::run(words, &mut console);
    (exit, String::from_utf8(err).unwrap())
}

/// The file that a path leads to, there or not yet; links are followed.
fn place(path: &Path) -> PathBuf {
    let path = match fs::read_link(path) {
        Ok(target) if !path.exists() => path.with_file_name("").join(target),
        _ => path.to_path_buf(),
    };
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    path.canonicalize().ok().or_else(|| Some(folder?.join(path.file_name()?))).unwrap_or(path)
}

#[test]
fn random_pairs_of_commands_and_paths_lose_nothing() {
    let pairs = setting("TMUGEN_PAIRS").unwrap_or(1000);
    let seed = setting("TMUGEN_PAIRS_SEED").unwrap_or(1);
    let folder = Folder::new();
    folder.restore();
    let mut before = folder.contents();
    let (mut written, mut refused) = (0, 0);
    for number in seed..seed + pairs {
        let mut random = ChaCha8Rng::seed_from_u64(number);
        let weighted: Vec<_> = COMMANDS.iter().zip(WEIGHTS).collect();
        let (command, _) = weighted.choose_weighted(&mut random, |(_, weight)| *weight).unwrap();
        let mut words: Vec<_> = command.words.split(' ').map(|word| folder.word(word)).collect();
        let mut named = BTreeSet::new();
        for (index, (option, beside)) in command.outputs.iter().enumerate() {
            if index > 0 && random.random() {
                continue;
            }
            let path = folder.some_path(&mut random);
            if !option.is_empty() {
                words.push((*option).to_owned());
            }
            named.extend(beside.iter().map(|ending| place(&path.with_extension(ending))));
            named.insert(place(&path));
            words.push(path.display().to_string());
        }
        let is_forced = random.random_range(0..4) == 0;
        words.extend(is_forced.then(|| "--force".to_owned()));
        let (exit, said) = run(&words);
        let repeat =
            format!("TMUGEN_PAIRS=1 TMUGEN_PAIRS_SEED={number}: tmugen {}\n{exit:?} {said}", words.join(" "));
        let after = folder.contents();
        let inputs: Vec<_> = command.reads.iter().map(|name| place(&folder.path(name))).collect();
        let by_hand: Vec<_> = BY_HAND.iter().map(|name| place(&folder.path(name))).collect();
        for (path, bytes) in &before {
            if after.get(path) == Some(bytes) {
                continue;
            }
            let is_generated =
                command.words.starts_with("generate") && named.iter().any(|out| path.starts_with(out));
            assert_eq!(
                exit,
                Exit::Success,
                "{} has changed although the run failed: {repeat}",
                path.display()
            );
            assert!(named.contains(path) || is_generated, "{} was not named: {repeat}", path.display());
            assert!(!inputs.contains(path), "{} is read by the same run: {repeat}", path.display());
            assert!(is_forced || !by_hand.contains(path), "{} was written by hand: {repeat}", path.display());
        }
        let temporary = |path: &PathBuf| path.to_string_lossy().contains(".tmugen-");
        assert!(!after.keys().any(temporary), "a temporary file is left: {repeat}");
        match exit {
            Exit::Success => written += 1,
            Exit::Internal => panic!("{repeat}"),
            _ => refused += 1,
        }
        if after != before {
            folder.restore();
            before = folder.contents();
        }
    }
    assert!(pairs < 1000 || (written > 150 && refused > 150), "{written} written, {refused} refused");
}
