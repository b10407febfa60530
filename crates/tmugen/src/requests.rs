//! Requests in a file, beat by beat: what the bring-up kit captures, what `bringup` writes and `sim --replay` sends once more.
//!
//! Text, a line for each thing; lines that are empty or start with `#` are passed over. The first is `tmugen requests 1`. Then come
//! `tdata BITS`, any number of `memory ADDRESS FILE`, a line for each packet: `binding` or `quad` and `tdata` of each of its
//! beats in hex digits, and one for each read that was captured: `read ADDRESS LINES`. A packet is what its first beat says; the
//! last beat of a line has `tlast`.

use crate::files::standard;
use crate::problem::{Failure, Rule};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tmu_problem::Problem;
use tmu_sim::engines::sampler::bench::UnitRead;
use tmu_spec::{LINE_BYTES, RequestBeat, TEXTURE_ADDRESS_BITS};

/// The first line.
const HEADER: &str = "tmugen requests 1";

/// The longest file that is read.
const MAX_BYTES: u64 = 1 << 28;

/// Problems of one file that are listed.
const MAX_PROBLEMS: usize = 20;

/// Bytes at an address of the texture window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemoryLine {
    pub(crate) address: u32,
    /// As it stands in the file: relative to that.
    pub(crate) path: PathBuf,
    line: usize,
}

/// A list of requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Requests {
    pub(crate) memory: Vec<MemoryLine>,
    pub(crate) packets: Vec<Vec<RequestBeat>>,
    /// What was read from memory for them, in order.
    pub(crate) reads: Vec<UnitRead>,
}

impl Requests {
    /// Adds bytes of a file at an address.
    pub(crate) fn with_memory(mut self, address: u32, path: PathBuf) -> Self {
        self.memory.push(MemoryLine { address, path, line: 0 });
        self
    }

    /// The text of a file for streams of so many bits.
    pub(crate) fn text(&self, tdata_bits: u32) -> String {
        let bytes = tdata_bits as usize / 8;
        let mut text = format!("{HEADER}\ntdata {tdata_bits}\n");
        for MemoryLine { address, path, .. } in &self.memory {
            let _ = writeln!(text, "memory 0x{address:08x} {}", path.display());
        }
        for beats in &self.packets {
            text += if beats.first().is_some_and(RequestBeat::is_binding) { "binding" } else { "quad" };
            for beat in beats {
                text.push(' ');
                beat.low_bytes(bytes).iter().rev().for_each(|byte| _ = write!(text, "{byte:02x}"));
            }
            text.push('\n');
        }
        for UnitRead { line, lines } in &self.reads {
            let _ = writeln!(text, "read 0x{:08x} {lines}", line * LINE_BYTES);
        }
        text
    }

    /// Reads the file of a configuration with such streams.
    ///
    /// # Errors
    /// If it cannot be read, or everything that is wrong with it.
    pub(crate) fn read(path: &Path, tdata_bits: u32) -> Result<Self, Failure> {
        let text = standard::read_text(path, MAX_BYTES).map_err(|error| {
            Failure::in_file(
                Rule::Read,
                path,
                format!("the requests cannot be read: {error}"),
                "check the path",
            )
        })?;
        Self::parse(&text, path, tdata_bits)
    }

    /// The same of a text; `path` is for messages.
    pub(crate) fn parse(text: &str, path: &Path, tdata_bits: u32) -> Result<Self, Failure> {
        let mut requests = Requests::default();
        let mut problems = Vec::new();
        let mut omitted = 0;
        let mut has_width = false;
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let problem = |line: usize, message: String, help: &str| {
            Problem::new(Rule::Requests, message, help.to_owned()).in_file(path).at(line, None)
        };
        match lines.next() {
            Some((_, HEADER)) => {}
            first => {
                let line = first.map_or(1, |(line, _)| line);
                let message = format!("the first line is not `{HEADER}`");
                let help = "use a file that `tmugen bringup` or a driver has written";
                return Err(Failure::input(vec![problem(line, message, help)]));
            }
        }
        for (number, line) in lines {
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let found = match word {
                "tdata" => {
                    has_width = true;
                    width(rest.trim(), tdata_bits)
                }
                "memory" => memory(rest.trim(), number).map(|memory| requests.memory.push(memory)),
                "read" => read(rest).map(|read| requests.reads.push(read)),
                "binding" | "quad" if !has_width => Err((
                    "a packet stands in front of the line `tdata BITS`".into(),
                    "add that line, with the bits of tdata",
                )),
                "binding" | "quad" => {
                    packet(rest, word == "binding", tdata_bits).map(|beats| requests.packets.push(beats))
                }
                _ => Err((
                    format!("there are no lines that begin with {word:?}"),
                    "use tdata, memory, binding, quad or read",
                )),
            };
            match found {
                Ok(()) => {}
                Err(_) if problems.len() == MAX_PROBLEMS => omitted += 1,
                Err((message, help)) => problems.push(problem(number, message, help)),
            }
        }
        if problems.is_empty() && requests.packets.is_empty() {
            let help = "capture anew: a capture begins with a binding";
            problems.push(problem(1, "there is no packet in the file".to_owned(), help));
        }
        if problems.is_empty() { Ok(requests) } else { Err(Failure { omitted, ..Failure::input(problems) }) }
    }

    /// What stands in memory, with where.
    ///
    /// # Errors
    /// Every file that cannot be read or does not fit the texture window.
    pub(crate) fn contents(&self, path: &Path) -> Result<Vec<(u32, Vec<u8>)>, Failure> {
        let mut problems = Vec::new();
        let mut contents = Vec::new();
        for MemoryLine { address, path: file, line } in &self.memory {
            let file = path.parent().map_or_else(|| file.clone(), |folder| folder.join(file));
            let fits =
                |bytes: &Vec<u8>| u64::from(*address) + bytes.len() as u64 <= 1 << TEXTURE_ADDRESS_BITS;
            let problem = |message: String, help: &str| {
                Problem::new(Rule::Requests, message, help.to_owned()).in_file(path).at(*line, None)
            };
            match std::fs::read(&file) {
                Ok(bytes) if fits(&bytes) => contents.push((*address, bytes)),
                Ok(bytes) => problems.push(problem(
                    format!("{} bytes at 0x{address:08x} reach past the texture window", bytes.len()),
                    "the window has 2^31 bytes",
                )),
                Err(error) => problems.push(problem(
                    format!("{} cannot be read: {error}", file.display()),
                    "paths are relative to the file with the requests",
                )),
            }
        }
        if problems.is_empty() { Ok(contents) } else { Err(Failure::input(problems)) }
    }
}

type Found<T> = Result<T, (String, &'static str)>;

fn width(text: &str, tdata_bits: u32) -> Found<()> {
    if text.parse() == Ok(tdata_bits) {
        return Ok(());
    }
    let message = format!("tdata has {text} bits here, and {tdata_bits} in the configuration");
    Err((message, "use the configuration of the core that the requests are of"))
}

fn memory(text: &str, line: usize) -> Found<MemoryLine> {
    let help =
        "use `memory ADDRESS FILE`, with an address like 0x00020000 that is a multiple of 16 below 2^31";
    let Some((address, path)) = text.split_once(char::is_whitespace) else {
        return Err((format!("`memory {text}` has no file"), help));
    };
    match line_address(address) {
        Some(address) => Ok(MemoryLine { address, path: path.trim().into(), line }),
        None => Err((format!("{address:?} is no address"), help)),
    }
}

/// A multiple of the bytes of a line, in the texture window.
fn line_address(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x");
    let number = digits.map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(digits, 16).ok());
    number.filter(|number| number % LINE_BYTES == 0 && number >> TEXTURE_ADDRESS_BITS == 0)
}

fn read(text: &str) -> Found<UnitRead> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = match words.as_slice() {
        [address, lines] => line_address(address).zip(lines.parse().ok().filter(|lines| *lines > 0)),
        _ => None,
    };
    found.map(|(address, lines)| UnitRead { line: address / LINE_BYTES, lines }).ok_or_else(|| {
        (
            format!("`read{text}` is no read"),
            "use `read ADDRESS LINES`, with the address of the first line and the number of lines, like `read 0x00000040 4`",
        )
    })
}

fn packet(text: &str, is_binding: bool, tdata_bits: u32) -> Found<Vec<RequestBeat>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let digits = tdata_bits as usize / 4;
    if words.is_empty() {
        return Err(("a packet has no beat".to_owned(), "write tdata of each of its beats in hex digits"));
    }
    let mut beats = Vec::with_capacity(words.len());
    for (number, word) in words.iter().enumerate() {
        let is_hex = word.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_hex || word.len() != digits {
            let beat = number + 1;
            let message =
                format!("beat {beat} has {} characters, and a beat is {digits} hex digits", word.len());
            return Err((message, "write all digits of tdata, the highest first, without a prefix"));
        }
        let byte = |place: usize| u8::from_str_radix(&word[2 * place..2 * place + 2], 16).unwrap_or_default();
        let tdata: Vec<u8> = (0..digits / 2).rev().map(byte).collect();
        beats.push(RequestBeat::new(&tdata, is_binding, number + 1 == words.len()));
    }
    Ok(beats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::{BeatsPerQuad, Quad, Record};

    #[test]
    fn a_list_comes_back() {
        let quad = Quad::new([[1, -2], [3, 4], [5, 6], [i32::MIN, 8]], 0b1010);
        let packets =
            vec![Record::from_first_word(0x1234 << 100 | 7).to_beats(), quad.to_beats(BeatsPerQuad::Two)];
        let reads = vec![UnitRead { line: 4, lines: 4 }, UnitRead { line: 0x7ff_ffff, lines: 1 }];
        let requests =
            Requests { packets, reads, ..Requests::default() }.with_memory(0x20, "a file.bin".into());
        let text = requests.text(136);
        assert_eq!(text.lines().nth(2), Some("memory 0x00000020 a file.bin"));
        let mut again = Requests::parse(&format!("# mine\n\n{text}"), Path::new("r"), 136).unwrap();
        again.memory[0].line = 0;
        assert_eq!(again, requests);
        assert!(text.ends_with("read 0x00000040 4\nread 0x7ffffff0 1\n"), "{text}");
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let text = "tmugen requests 1\nquad 00\ntdata 264\nmemory 17 x\nmemory\nbinding\nquad 0x12\nquads 1\n\
                    read 8 1\nread 0x10 0\nread 16\n";
        let failure = Requests::parse(text, Path::new("r"), 136).unwrap_err();
        let lines: Vec<_> = failure.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(lines.len(), 10, "{lines:#?}");
        for (text, bits) in [("", 136), ("tmugen requests 2\n", 136), ("tmugen requests 1\ntdata 136\n", 136)]
        {
            assert_eq!(
                Requests::parse(text, Path::new("r"), bits).unwrap_err().problems.len(),
                1,
                "{text:?}"
            );
        }
        let many = format!("tmugen requests 1\n{}", "what\n".repeat(30));
        let failure = Requests::parse(&many, Path::new("r"), 136).unwrap_err();
        assert_eq!((failure.problems.len(), failure.omitted), (20, 10));
    }
}
