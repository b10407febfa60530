//! Standard input and output as files: `-`.
//!
//! Contract: `-` stands for standard input where one file is read, and for standard output where one file is written. What a
//! command has to say of itself goes to standard error then, see [`is_output_taken`]. A command writes there whole or not at
//! all, as to any other file.

#[cfg(feature = "full")]
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a file goes to standard output.
static OUTPUT_IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file goes to standard output, so that nothing else may.
pub(crate) fn is_output_taken() -> bool {
    OUTPUT_IS_TAKEN.load(Ordering::Relaxed)
}

/// Keeps standard output for a file.
pub(super) fn take_output() {
    OUTPUT_IS_TAKEN.store(true, Ordering::Relaxed);
}

/// Whether standard output shows what it is given to a person.
pub(super) fn output_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes a file to standard output. A reader that has seen enough is no failure.
pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Opens a file or standard input, with its length in bytes where that is known.
#[cfg(feature = "full")]
pub(crate) fn open(path: &Path) -> io::Result<(Box<dyn Read>, u64)> {
    if is_standard(path) {
        return Ok((Box::new(io::stdin().lock()), 0));
    }
    let file = File::open(path)?;
    let bytes = file.metadata().map_or(0, |metadata| metadata.len());
    Ok((Box::new(file), bytes))
}

/// Reads standard input to its end, which must come after at most so many bytes.
pub(crate) fn read_bytes(most_bytes: u64) -> io::Result<Vec<u8>> {
    read_up_to(io::stdin().lock(), most_bytes)
}

/// Reads all that a source gives, at most so many bytes.
pub(crate) fn read_up_to(source: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {most_bytes} bytes"),
        ));
    }
    Ok(bytes)
}

/// Reads a file or standard input as text of at most so many bytes.
pub(crate) fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    if !is_standard(path) {
        return tmu_assets::read_text(path, most_bytes);
    }
    String::from_utf8(read_bytes(most_bytes)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8"))
}
