//! Files that are written whole or not at all.
//!
//! Contract: every file is first written to a temporary one in its own folder and renamed when it is complete; of
//! several files that belong together either all are replaced or none. What is there and is not a regular file
//! (a pipe, `/dev/null`) is written to directly, since there is nothing to keep whole.

use super::identity::Identity;
use super::interrupt::Uninterrupted;
use super::standard;
use crate::problem::{Failure, Rule};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// A file on its way.
pub(crate) struct PendingFile {
    /// The name as the user gave it, for messages.
    path: PathBuf,
    /// Where it goes: `path` with links followed.
    target: PathBuf,
    writer: BufWriter<Sink>,
}

enum Sink {
    Temporary(NamedTempFile),
    Direct(fs::File),
    /// Standard output, which gets all at once.
    Standard(Vec<u8>),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Temporary(file) => file.write(bytes),
            Sink::Direct(file) => file.write(bytes),
            Sink::Standard(kept) => kept.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Temporary(file) => file.flush(),
            Sink::Direct(file) => file.flush(),
            Sink::Standard(kept) => kept.flush(),
        }
    }
}

/// The failure to write an output.
pub(super) fn failure(path: &Path, error: &io::Error) -> Failure {
    let help = "check that the folder exists, has room and may be written to";
    Failure::in_file(Rule::Write, path, format!("the output cannot be written: {error}"), help)
}

impl PendingFile {
    /// Starts a file; nothing is to be seen of it until [`PendingFile::commit`].
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let start = || -> io::Result<_> {
            let (target, sink) = match fs::metadata(path) {
                _ if standard::is_standard(path) => {
                    standard::take_output();
                    (PathBuf::new(), Sink::Standard(Vec::new()))
                }
                Ok(metadata) if metadata.is_dir() => return Err(io::Error::other("it is a folder")),
                Ok(metadata) if !metadata.is_file() => {
                    (path.to_path_buf(), Sink::Direct(fs::File::create(path)?))
                }
                // Links are followed and stay, those that lead to nothing, too.
                _ => {
                    let target = Identity::of(path).place().to_path_buf();
                    let file = temporary_beside(&target)?;
                    (target, Sink::Temporary(file))
                }
            };
            Ok((target, BufWriter::new(sink)))
        };
        let (target, writer) = start().map_err(|error| failure(path, &error))?;
        Ok(PendingFile { path: path.to_path_buf(), target, writer })
    }

    /// Appends bytes.
    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|error| failure(&self.path, &error))
    }

    /// Puts the complete file in its place.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        let finished = self.finish()?;
        let _together = Uninterrupted::begin();
        finished.put()
    }

    /// Writes what is still buffered; what cannot be written shows here at the latest.
    fn finish(self) -> Result<FinishedFile, Failure> {
        let PendingFile { path, target, writer } = self;
        let flushed = writer.into_inner().map_err(|error| error.into_error());
        let flushed = flushed.and_then(|mut sink| sink.flush().map(|()| sink));
        let sink = flushed.map_err(|error| failure(&path, &error))?;
        Ok(FinishedFile { path, target, sink })
    }
}

/// A file that only has to be renamed.
struct FinishedFile {
    path: PathBuf,
    target: PathBuf,
    sink: Sink,
}

impl FinishedFile {
    fn put(self) -> Result<(), Failure> {
        match self.sink {
            Sink::Temporary(file) => {
                file.persist(&self.target).map(drop).map_err(|error| failure(&self.path, &error.error))
            }
            Sink::Direct(_) => Ok(()),
            Sink::Standard(bytes) => standard::write(&bytes).map_err(|error| failure(&self.path, &error)),
        }
    }
}

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn builder<'n>() -> tempfile::Builder<'n, 'n> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tmugen-");
    builder
}

/// A temporary file in the folder of `target`, with the permissions of what stands there, or those that a new file has.
fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = builder();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut unfinished = Uninterrupted::begin();
    let file = builder.tempfile_in(folder_of(target))?;
    unfinished.note(file.path().to_path_buf());
    if let Ok(replaced) = fs::metadata(target) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    Ok(file)
}

/// A temporary folder beside an output.
pub(super) fn temporary_folder_beside(path: &Path) -> io::Result<TempDir> {
    temporary_folder_in(folder_of(Identity::of(path).place()))
}

/// Moves a finished file to an output's place, or copies it to what is no regular file.
pub(super) fn take_over(file: &Path, path: &Path) -> Result<(), Failure> {
    let put = || match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            let (mut from, mut to) = (fs::File::open(file)?, fs::OpenOptions::new().write(true).open(path)?);
            io::copy(&mut from, &mut to).map(drop)
        }
        _ => {
            let _together = Uninterrupted::begin();
            fs::rename(file, Identity::of(path).place())
        }
    };
    put().map_err(|error| failure(path, &error))
}

/// A temporary folder in a folder.
pub(super) fn temporary_folder_in(folder: &Path) -> io::Result<TempDir> {
    let mut unfinished = Uninterrupted::begin();
    let made = builder().tempdir_in(folder)?;
    unfinished.note(made.path().to_path_buf());
    Ok(made)
}

/// Opens a file to append to, and cuts off what is behind its first bytes.
pub(super) fn open_to_append(path: &Path, kept_bytes: Option<u64>) -> io::Result<fs::File> {
    let file = fs::OpenOptions::new().create(true).append(true).open(path)?;
    if let Some(bytes) = kept_bytes.filter(|_| file.metadata().is_ok_and(|metadata| metadata.is_file())) {
        file.set_len(bytes)?;
    }
    Ok(file)
}

/// Writes files that belong together: all, or none.
pub(super) fn write_files(files: &[(&Path, &[u8])]) -> Result<(), Failure> {
    let mut finished = Vec::new();
    for (path, bytes) in files {
        let mut file = PendingFile::create(path)?;
        file.write_all(bytes)?;
        finished.push(file.finish()?);
    }
    // Renaming can hardly fail once all is written; if it does, the files put in place before go back.
    let mut together = Uninterrupted::begin();
    let mut replaced = Vec::new();
    let last = finished.len().saturating_sub(1);
    for (index, file) in finished.into_iter().enumerate() {
        let (path, target) = (file.path.clone(), file.target.clone());
        let kept = if index < last { Kept::new(&target, &mut together) } else { Ok(Kept::nothing(&target)) };
        let put = kept.map_err(|error| failure(&path, &error)).and_then(|kept| file.put().map(|()| kept));
        match put {
            Ok(kept) => replaced.push(kept),
            Err(failure) => {
                replaced.into_iter().for_each(Kept::restore);
                return Err(failure);
            }
        }
    }
    Ok(())
}

/// What stood at a place, under a second name until all is done.
struct Kept {
    target: PathBuf,
    /// None where nothing stood.
    before: Option<NamedTempFile<()>>,
}

impl Kept {
    fn nothing(target: &Path) -> Self {
        Kept { target: target.to_path_buf(), before: None }
    }

    fn new(target: &Path, unfinished: &mut Uninterrupted) -> io::Result<Self> {
        if !target.is_file() {
            return Ok(Kept::nothing(target));
        }
        // Not every file system has hard links.
        let second_name =
            |name: &Path| fs::hard_link(target, name).or_else(|_| fs::copy(target, name).map(drop));
        let before = builder().make_in(folder_of(target), second_name)?;
        unfinished.note(before.path().to_path_buf());
        Ok(Kept { before: Some(before), ..Kept::nothing(target) })
    }

    /// Failures here cannot be helped: the first one is what gets reported.
    fn restore(self) {
        match self.before {
            Some(before) => drop(before.persist(&self.target)),
            None => drop(fs::remove_file(&self.target)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Exit;

    fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        write_files(&[(path, bytes)])
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = entries.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.csv");
        fs::write(&path, "old").unwrap();
        let mut file = PendingFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["r.csv"]);
    }

    #[test]
    fn of_two_files_both_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let (bin, toml) = (folder.path().join("t.bin"), folder.path().join("t.toml"));
        fs::write(&bin, "old").unwrap();
        fs::create_dir(&toml).unwrap();
        let failure = write_files(&[(&bin, b"new"), (&toml, b"new")]).unwrap_err();
        assert_eq!(
            (failure.exit, failure.problems[0].place.file.as_deref()),
            (Exit::Output, Some(toml.as_path()))
        );
        assert_eq!(fs::read_to_string(&bin).unwrap(), "old");
        assert_eq!(names(folder.path()), ["t.bin", "t.toml"]);
        fs::remove_dir(&toml).unwrap();
        write_files(&[(&bin, b"new"), (&toml, b"newer")]).unwrap();
        assert_eq!([&bin, &toml].map(|path| fs::read_to_string(path).unwrap()), ["new", "newer"]);
    }

    #[test]
    fn a_failed_rename_puts_back_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let [kept, created] = ["kept", "created"].map(|name| folder.path().join(name));
        fs::write(&kept, "old").unwrap();
        let before = [&kept, &created].map(|path| Kept::new(path, &mut Uninterrupted::begin()).unwrap());
        for path in [&kept, &created] {
            write_file(path, b"new").unwrap();
        }
        before.into_iter().for_each(Kept::restore);
        assert_eq!(fs::read_to_string(&kept).unwrap(), "old");
        assert_eq!(names(folder.path()), ["kept"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_stay() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_ne!(fs::metadata(&file).unwrap().permissions().mode() & 0o044, 0, "others may read it");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        write_file(&file, b"secret").unwrap();
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600,
            "what was private stays so"
        );
        write_file(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let failure = write_file(Path::new("/dev/full"), b"gone").unwrap_err();
        assert_eq!(failure.exit, Exit::Output);
    }

    #[test]
    fn a_missing_folder_is_a_failure_to_write() {
        let failure = write_file(Path::new("no/such/folder/file"), b"").unwrap_err();
        assert_eq!(failure.exit, Exit::Output);
    }
}
