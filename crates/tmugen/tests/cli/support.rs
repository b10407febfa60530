//! Runs the program in a folder of its own, with the example pictures and scenes in it.

use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use tempfile::TempDir;
use tmu_spec::Preset;
use tmu_testing::repository;

/// A folder to run commands in.
pub(crate) struct Workshop {
    folder: TempDir,
}

/// What a command did.
pub(crate) struct Run {
    pub(crate) command: String,
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Workshop {
    /// A folder with copies of the example pictures, also as `assets`, and of the scenes.
    pub(crate) fn new() -> Self {
        let workshop = Workshop { folder: tempfile::tempdir().unwrap() };
        for picture in ["coffee.jpg", "chelsea.png", "gravel.png", "emblem.png"] {
            fs::copy(repository().join("assets").join(picture), workshop.path(picture)).unwrap();
        }
        copy_folder(&repository().join("assets"), &workshop.path("assets"));
        copy_folder(&repository().join("scenes"), &workshop.path("scenes"));
        workshop
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a command line that starts with `tmugen`; words are parted by blanks.
    pub(crate) fn run(&self, command: &str) -> Run {
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("tmugen"), "{command}");
        let output = Command::new(env!("CARGO_BIN_EXE_tmugen"))
            .args(words)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        Run::new(command, output)
    }

    /// Starts a command that serves a page until it is interrupted, with other variables in its environment.
    pub(crate) fn serve(&self, command: &str, environment: &[(&str, &Path)]) -> Served {
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("tmugen"), "{command}");
        let mut process = Command::new(env!("CARGO_BIN_EXE_tmugen"))
            .args(words)
            .envs(environment.iter().copied())
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let mut said = String::new();
        while out.read_line(&mut said).unwrap() > 0 {
            let url = said.split(['"', '\n']).find(|word| word.starts_with("http://") && word.ends_with('/'));
            if let Some(url) = url {
                return Served { url: url.to_owned(), process, out };
            }
        }
        panic!("{command} ended with {} and said {said:?}", process.wait().unwrap());
    }

    /// Runs a command that must succeed, and gives what it printed.
    pub(crate) fn succeed(&self, command: &str) -> String {
        let run = self.run(command);
        // On a busy machine work may take so long that it says how far it is.
        let said: Vec<_> = run.err.lines().filter(|line| !line.starts_with("progress: ")).collect();
        assert_eq!((run.exit, said.as_slice()), (0, &[][..]), "{run}");
        run.out
    }
}

/// A PNG file with a gamma of 1.0 behind its header, which is 25 bytes long after the signature.
pub(crate) fn with_gamma_1(png: &[u8]) -> Vec<u8> {
    let chunk = [&b"gAMA"[..], &100_000u32.to_be_bytes()].concat();
    let checksum = crc32fast::hash(&chunk).to_be_bytes();
    [&png[..33], &4u32.to_be_bytes(), &chunk, &checksum, &png[33..]].concat()
}

/// A configuration file of which there is no hardware: indirect look-ups in one lane.
pub(crate) fn without_hardware() -> String {
    let multi = Preset::find("multi").expect("the preset ships").toml();
    multi.replace("pixels_per_clock = 4", "pixels_per_clock = 1")
}

/// A command that serves a page. Ends with this value.
pub(crate) struct Served {
    pub(crate) url: String,
    process: Child,
    out: BufReader<ChildStdout>,
}

impl Served {
    /// The answer to a request for a path.
    pub(crate) fn get(&self, path: &str) -> String {
        let host = self.url.strip_prefix("http://").unwrap().trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends a file or settings to a path.
    pub(crate) fn post(&self, path: &str, body: &[u8]) -> String {
        let host = self.url.strip_prefix("http://").unwrap().trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        let length = body.len();
        let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n");
        stream.write_all(&[head.as_bytes(), b"Connection: close\r\n\r\n", body].concat()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Presses Ctrl-C; the exit code as a shell shows it, and what was still said.
    pub(crate) fn interrupt(&mut self) -> (i32, String) {
        self.end_by("-INT")
    }

    /// The same with any signal.
    pub(crate) fn end_by(&mut self, signal: &str) -> (i32, String) {
        let sent = Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        let status = self.process.wait().unwrap();
        (status.code().or(status.signal().map(|number| 128 + number)).unwrap(), rest)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Run {
    pub(crate) fn new(command: &str, output: Output) -> Self {
        Run {
            command: command.to_owned(),
            exit: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Run { command, exit, out, err } = self;
        write!(f, "`{command}` ended with {exit}\n-- standard output\n{out}\n-- standard error\n{err}")
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
