//! A waveform, which Verilator writes and which is put in place when it is whole.
//!
//! Contract: Verilator's writer seeks in its file and looks at no error. So it writes into a temporary folder beside the
//! file that was named, and the blocks of the file are gone through before it is put there: a disk that was full shows as
//! a file error. Its scratch files it maps into memory; one that could not grow would end the program by SIGBUS, so it is
//! tried first whether they can. To what is no regular file the waveform is copied.

use super::write::{self, temporary_folder_beside, temporary_folder_in};
use super::{Files, is_special};
use crate::problem::{Failure, Rule};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Far more than the scratch files of the writer have that it maps into memory, each with an entry for every signal.
const SCRATCH_BYTES: usize = 2 << 20;

/// A waveform on its way.
pub(crate) struct PendingWaves {
    path: PathBuf,
    folder: TempDir,
}

impl PendingWaves {
    /// Makes room for a waveform; nothing is to be seen at its place until [`PendingWaves::commit`].
    ///
    /// # Errors
    /// Those of [`Files::check`], and [`Rule::Write`].
    pub(crate) fn create(files: &Files, path: &Path) -> Result<Self, Failure> {
        files.expect(path)?;
        files.check()?;
        try_scratch(scratch_folder()).map_err(|error| {
            let bytes = SCRATCH_BYTES >> 20;
            let message = format!(
                "a waveform needs scratch files, and one of {bytes} MiB cannot be written in {}: {error}",
                scratch_folder().display()
            );
            let help = "make room there, and let files grow that long: `ulimit -f` shows the limit";
            Failure::in_file(Rule::Write, path, message, help)
        })?;
        let folder = match is_special(path) {
            true => temporary_folder_in(&std::env::temp_dir()),
            false => temporary_folder_beside(path),
        };
        let folder = folder.map_err(|error| write::failure(path, &error))?;
        Ok(PendingWaves { path: path.to_path_buf(), folder })
    }

    /// Where it is to be written.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("waves.fst")
    }

    /// Puts a waveform in its place that has been closed.
    ///
    /// # Errors
    /// [`Rule::Write`] if it is not whole or cannot be put there.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        let file = self.file();
        match is_whole(&file) {
            Ok(true) => write::take_over(&file, &self.path),
            Ok(false) | Err(_) => {
                let message = "the waveform was cut short while it was written";
                let help = "see that there is room for it, or run fewer quads";
                Err(Failure::in_file(Rule::Write, &self.path, message, help))
            }
        }
    }
}

/// Where Verilator's writer has its scratch files: those of the C library, which looks at no variable.
fn scratch_folder() -> PathBuf {
    if cfg!(unix) { PathBuf::from("/tmp") } else { std::env::temp_dir() }
}

/// Writes a scratch file as large as any of the writer's, and removes it.
fn try_scratch(folder: PathBuf) -> io::Result<()> {
    let mut file = tempfile::tempfile_in(folder)?;
    let block = vec![0; 1 << 20];
    (0..SCRATCH_BYTES / block.len()).try_for_each(|_| file.write_all(&block))
}

/// Whether a file in FST format has its header, and all its blocks up to the names, which are written last.
fn is_whole(path: &Path) -> io::Result<bool> {
    /// A block's type and the number of bytes behind it.
    const BLOCK_HEAD_BYTES: u64 = 9;
    const HEADER: u8 = 0;
    const GEOMETRY: u8 = 3;
    const NAMES: [u8; 3] = [4, 6, 7];
    let length = fs::metadata(path)?.len();
    let mut file = BufReader::new(File::open(path)?);
    let (mut types, mut at) = (Vec::new(), 0);
    while at < length {
        let mut head = [0; BLOCK_HEAD_BYTES as usize];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut head)?;
        let [kind, bytes @ ..] = head;
        types.push(kind);
        at = at.saturating_add(1).saturating_add(u64::from_be_bytes(bytes).max(BLOCK_HEAD_BYTES - 1));
    }
    let has = |kinds: &[u8]| types.iter().any(|kind| kinds.contains(kind));
    Ok(at == length && types.first() == Some(&HEADER) && has(&[GEOMETRY]) && has(&NAMES))
}
