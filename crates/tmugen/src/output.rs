//! Files that are written whole or not at all.
//!
//! Contract: every file is first written to a temporary one in its own folder and renamed when it is complete; of
//! several files that belong together either all are replaced or none. What is there and is not a regular file
//! (a pipe, `/dev/null`) is written to directly, since there is nothing to keep whole.

use crate::problem::{Failure, Rule};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file on its way.
pub struct PendingFile {
    /// The name as the user gave it, for messages.
    path: PathBuf,
    /// Where it goes: `path` with links followed.
    target: PathBuf,
    writer: BufWriter<Sink>,
}

enum Sink {
    Temporary(NamedTempFile),
    Direct(fs::File),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Temporary(file) => file.write(bytes),
            Sink::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Temporary(file) => file.flush(),
            Sink::Direct(file) => file.flush(),
        }
    }
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    let help = "check that the folder exists, has room and may be written to";
    Failure::in_file(Rule::Write, path, format!("the output cannot be written: {error}"), help)
}

impl PendingFile {
    /// Starts a file; nothing is to be seen of it until [`PendingFile::commit`].
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let start = || -> io::Result<_> {
            let (target, sink) = match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => return Err(io::Error::other("it is a folder")),
                Ok(metadata) if !metadata.is_file() => {
                    (path.to_path_buf(), Sink::Direct(fs::File::create(path)?))
                }
                Ok(_) => {
                    let target = path.canonicalize()?;
                    let file = temporary_beside(&target)?;
                    (target, Sink::Temporary(file))
                }
                Err(_) => (path.to_path_buf(), Sink::Temporary(temporary_beside(path)?)),
            };
            Ok((target, BufWriter::new(sink)))
        };
        let (target, writer) = start().map_err(|error| failure(path, &error))?;
        Ok(PendingFile { path: path.to_path_buf(), target, writer })
    }

    /// Appends bytes.
    pub fn write_all(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|error| failure(&self.path, &error))
    }

    /// Puts the complete file in its place.
    pub fn commit(self) -> Result<(), Failure> {
        let PendingFile { path, target, writer } = self;
        let put = || -> io::Result<()> {
            match writer.into_inner().map_err(|error| error.into_error())? {
                Sink::Temporary(file) => file.persist(&target).map(drop).map_err(|error| error.error),
                Sink::Direct(mut file) => file.flush(),
            }
        };
        put().map_err(|error| failure(&path, &error))
    }
}

/// A temporary file in the folder of `target`, with the permissions that a new file has.
fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tmugen-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes a file whole.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_files(&[(path, bytes)])
}

/// Writes files that belong together: all, or none.
pub fn write_files(files: &[(&Path, &[u8])]) -> Result<(), Failure> {
    let mut pending = Vec::new();
    for (path, bytes) in files {
        let mut file = PendingFile::create(path)?;
        file.write_all(bytes)?;
        pending.push(file);
    }
    // Renaming can hardly fail once all is written; if it does, the files put in place before go back.
    let mut replaced: Vec<(PathBuf, Option<Vec<u8>>)> = Vec::new();
    let last = pending.len().saturating_sub(1);
    for (index, file) in pending.into_iter().enumerate() {
        let target = file.target.clone();
        let before = if index < last { fs::read(&target).ok() } else { None };
        if let Err(failure) = file.commit() {
            restore(&replaced);
            return Err(failure);
        }
        replaced.push((target, before));
    }
    Ok(())
}

/// Puts back what stood there before. Failures here cannot be helped: the first one is what gets reported.
fn restore(replaced: &[(PathBuf, Option<Vec<u8>>)]) {
    for (target, before) in replaced {
        let _ = match before {
            Some(bytes) => fs::write(target, bytes),
            None => fs::remove_file(target),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Exit;

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
        assert_eq!((failure.exit, failure.problems[0].file.as_deref()), (Exit::Output, Some(toml.as_path())));
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
        fs::write(&kept, "new").unwrap();
        fs::write(&created, "new").unwrap();
        restore(&[(kept.clone(), Some(b"old".to_vec())), (created.clone(), None)]);
        assert_eq!(fs::read_to_string(&kept).unwrap(), "old");
        assert!(!created.exists());
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
        write_file(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_missing_folder_is_a_failure_to_write() {
        let failure = write_file(Path::new("no/such/folder/file"), b"").unwrap_err();
        assert_eq!(failure.exit, Exit::Output);
    }
}
