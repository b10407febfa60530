//! A directory of build products, each under the SHA-256 of everything that went into it.
//!
//! An entry is built in a temporary directory beside its place and moved there in one rename, under a lock
//! file, so processes and threads that want the same entry build it once and never see half of it. An entry is compared
//! with its [digests](crate::digests) before each use; one that is damaged is built again.
//!
//! A process holds a lock on its temporary directory as long as it builds. So one that is not locked was left by a process
//! that was killed, and whoever uses the cache next removes it.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::digests;
use crate::error::{Error, IoContext as _, Result};

/// Names the directory that takes the place of the user's cache directory.
pub const CACHE_VARIABLE: &str = "TMUGEN_CACHE_DIR";

/// How long an entry is kept after it was last asked for.
const KEPT_UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How temporary directories are called.
const TEMPORARY_PREFIXES: [&str; 2] = ["build-", "damaged-"];

/// The least age of a temporary directory that is removed: longer than it takes to lock one that was just made.
const MIN_LEFT_AGE: Duration = Duration::from_secs(60);

/// The same where directories cannot be locked: longer than any build takes.
const MIN_LEFT_AGE_UNLOCKED: Duration = Duration::from_secs(24 * 60 * 60);

/// Digest of a list of fields; each field's length is part of it, so that no two lists run together.
#[derive(Debug)]
pub struct Key(Sha256);

impl Key {
    /// Of no fields yet; those of different kinds are never the same.
    #[must_use]
    pub fn new(kind: &str) -> Self {
        Self(Sha256::new()).field(kind)
    }

    /// One more field.
    #[must_use]
    pub fn field(mut self, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// A list of fields, and where it ends.
    #[must_use]
    pub fn fields<T: AsRef<[u8]>>(self, all: impl IntoIterator<Item = T>) -> Self {
        all.into_iter().fold(self, Key::field).field("end")
    }

    /// SHA-256 in 64 hexadecimal digits.
    #[must_use]
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The directory for build products: `$TMUGEN_CACHE_DIR`, else `$XDG_CACHE_HOME/tmugen`, else
/// `$HOME/.cache/tmugen`.
///
/// # Errors
/// If none of the three variables is set.
pub fn cache_directory() -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let xdg = || variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()).map(|path| path.join("tmugen"));
    let home = || variable("HOME").map(|path| path.join(".cache/tmugen"));
    let found = variable(CACHE_VARIABLE).or_else(xdg).or_else(home).ok_or_else(|| {
        Error::Usage(format!(
            "there is no place for compiled models: set {CACHE_VARIABLE} or HOME to a directory"
        ))
    })?;
    std::path::absolute(&found).context("resolve", found)
}

/// An entry and whether it was there before.
pub(crate) struct Entry {
    pub(crate) directory: PathBuf,
    pub(crate) found: bool,
    /// What was wrong with the one that was there, if it had to be built again.
    pub(crate) repaired: Option<String>,
}

/// Finds the entry `key` under `root`, or has `build` fill it. Entries that nobody asked for in
/// [`KEPT_UNUSED`] go when a new one is made.
pub(crate) fn entry(root: &Path, key: &str, build: impl FnOnce(&Path) -> Result<()>) -> Result<Entry> {
    let directory = root.join(key);
    remove_left(root);
    if is_used(&directory) && digests::damage(&directory).is_none() {
        return Ok(Entry { directory, found: true, repaired: None });
    }
    fs::create_dir_all(root).in_cache("create", root)?;
    let lock_path = root.join(format!("{key}.lock"));
    let lock = File::create(&lock_path).in_cache("create", &lock_path)?;
    lock.lock().in_cache("lock", &lock_path)?;
    let damage = directory.is_dir().then(|| digests::damage(&directory));
    // An entry without a list is of an earlier version, which is built again without a word.
    let is_listed = directory.join(digests::LIST_FILE).is_file();
    let found = damage == Some(None);
    let built = if found { Ok(()) } else { build_and_move(root, &directory, build) };
    // Whoever waits on the unlinked file gets its lock all the same, and then finds the entry.
    let _ = fs::remove_file(&lock_path);
    remove_unused(root);
    built.map(|()| Entry { directory, found, repaired: damage.flatten().filter(|_| is_listed) })
}

/// Whether the entry is there; its time of modification tells when it was last asked for.
fn is_used(directory: &Path) -> bool {
    let touched = File::open(directory).and_then(|opened| opened.set_modified(SystemTime::now()));
    touched.is_ok() || directory.is_dir()
}

/// Removes what is old. Failures do not matter: another process may be at it, and the next build tries again.
fn remove_unused(root: &Path) {
    for found in fs::read_dir(root).into_iter().flatten().flatten() {
        if age(&found).is_some_and(|age| age > KEPT_UNUSED) {
            let _ = fs::remove_dir_all(found.path()).or_else(|_| fs::remove_file(found.path()));
        }
    }
}

/// Time since something was made in a directory, or a file was written to.
fn age(found: &fs::DirEntry) -> Option<Duration> {
    found.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok())
}

/// Removes temporary directories of processes that are no more. Failures do not matter, as above.
fn remove_left(root: &Path) {
    for found in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = found.file_name();
        let is_temporary =
            TEMPORARY_PREFIXES.iter().any(|prefix| name.as_encoded_bytes().starts_with(prefix.as_bytes()));
        let Some(age) = age(&found).filter(|age| is_temporary && *age > MIN_LEFT_AGE) else { continue };
        // The lock is held until the directory is gone, so that two processes do not remove it together.
        let opened = File::open(found.path());
        let is_left = match opened.as_ref().map(File::try_lock) {
            Ok(Ok(())) => true,
            Ok(Err(TryLockError::WouldBlock)) => false,
            Ok(Err(TryLockError::Error(_))) | Err(_) => age > MIN_LEFT_AGE_UNLOCKED,
        };
        if is_left {
            let _ = fs::remove_dir_all(found.path());
        }
    }
}

/// A temporary directory, and its lock where directories can be locked.
fn temporary(root: &Path, prefix: &str) -> Result<(tempfile::TempDir, Option<File>)> {
    let made =
        tempfile::Builder::new().prefix(prefix).tempdir_in(root).in_cache("create a directory in", root)?;
    let lock = File::open(made.path()).ok().filter(|opened| opened.try_lock().is_ok());
    Ok((made, lock))
}

fn build_and_move(root: &Path, place: &Path, build: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let [build_prefix, damaged_prefix] = TEMPORARY_PREFIXES;
    let (work, _lock) = temporary(root, build_prefix)?;
    build(work.path()).map_err(|error| error.if_cache_is_full(root))?;
    digests::write(work.path()).in_cache("write to", work.path())?;
    // What is damaged goes out of the way; it may still be loaded somewhere.
    let (aside, _lock) = temporary(root, damaged_prefix)?;
    let _ = fs::rename(place, aside.path().join("entry"));
    fs::rename(work.path(), place).in_cache("rename to", place)?;
    drop(work.keep());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn an_entry_is_built_once_whoever_asks() {
        let root = tempfile::tempdir().unwrap();
        let built = AtomicUsize::new(0);
        let ask = || {
            let build = |directory: &Path| {
                built.fetch_add(1, Ordering::SeqCst);
                fs::write(directory.join("half"), "").unwrap();
                std::thread::sleep(Duration::from_millis(50));
                fs::write(directory.join("whole"), "").context("write", directory)
            };
            let entry = entry(root.path(), "key", build).unwrap();
            assert!(entry.directory.join("whole").is_file());
            entry.found
        };
        let found: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(built.load(Ordering::SeqCst), 1);
        assert_eq!(found.iter().filter(|&&found| !found).count(), 1);
        let left: Vec<_> = fs::read_dir(root.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, ["key"], "neither locks nor temporary directories stay");
    }

    #[test]
    fn a_damaged_entry_is_built_again() {
        let root = tempfile::tempdir().unwrap();
        let build =
            |directory: &Path| fs::write(directory.join("whole"), [1; 99]).context("write", directory);
        let ask = || entry(root.path(), "key", build).unwrap();
        assert_eq!((ask().found, ask().found), (false, true));
        fs::write(ask().directory.join("whole"), [1; 9]).unwrap();
        let again = ask();
        let said = again.repaired.unwrap_or_default();
        assert!(!again.found && said.contains("whole has 9 of 99 bytes"), "{said:?}");
        assert_eq!(fs::read(again.directory.join("whole")).unwrap(), [1; 99]);
        assert!(ask().found && ask().repaired.is_none());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "nothing else stays");
    }

    #[cfg(unix)]
    #[test]
    fn what_the_cache_cannot_take_names_its_variable() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let full = |_: &Path| {
            let output = "as: out.o: No space left on device".to_owned();
            Err(Error::Tool { tool: "g++", top: "t".into(), status: "1".into(), output })
        };
        let unwritable =
            |path: &Path| Err(std::io::Error::from(std::io::ErrorKind::StorageFull)).context("write", path);
        for entry in [
            entry(&file, "key", |_| Ok(())),
            entry(root.path(), "key", full),
            entry(root.path(), "key", unwritable),
        ] {
            let error = entry.err().unwrap();
            assert!(matches!(error, Error::Cache { .. }), "{error:?}");
            assert!(error.to_string().contains(CACHE_VARIABLE), "{error}");
        }
    }

    #[test]
    fn a_failed_build_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let failing = |directory: &Path| {
            fs::write(directory.join("half"), "").unwrap();
            Err(Error::Usage("no".into()))
        };
        assert!(entry(root.path(), "key", failing).is_err());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
        assert!(!entry(root.path(), "key", |_| Ok(())).unwrap().found);
    }

    /// Directories with their age in seconds, and whether they stay.
    #[cfg(unix)]
    #[test]
    fn what_killed_processes_leave_goes() {
        let root = tempfile::tempdir().unwrap();
        entry(root.path(), "key", |_| Ok(())).unwrap();
        let cases = [
            ("build-left", 90, false),
            ("damaged-left", 90, false),
            ("build-at-work", 7 * 24 * 60 * 60, true),
            ("build-new", 0, true),
            ("key", 90, true),
        ];
        let mut locks = Vec::new();
        for (name, age, _) in cases {
            let path = root.path().join(name);
            fs::create_dir_all(path.join("obj_dir")).unwrap();
            let opened = File::open(&path).unwrap();
            opened.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            if name == "build-at-work" {
                opened.lock().unwrap();
                locks.push(opened);
            }
        }
        // A run that finds what it wants tidies up, too; the entry is damaged by nothing that is not listed.
        entry(root.path(), "key", |_| Ok(())).unwrap();
        for (name, age, stays) in cases {
            assert_eq!(root.path().join(name).exists(), stays, "{name}, {age} s old");
        }
        drop(locks);
        entry(root.path(), "key", |_| Ok(())).unwrap();
        assert!(!root.path().join("build-at-work").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_is_locked_while_it_is_built_in() {
        let root = tempfile::tempdir().unwrap();
        let locked = |directory: &Path| {
            let opened = File::open(directory).unwrap();
            assert!(matches!(opened.try_lock(), Err(TryLockError::WouldBlock)));
            Ok(())
        };
        entry(root.path(), "key", locked).unwrap();
    }

    #[test]
    fn entries_that_nobody_asks_for_go() {
        let root = tempfile::tempdir().unwrap();
        for key in ["old", "used"] {
            let directory = entry(root.path(), key, |_| Ok(())).unwrap().directory;
            let long_ago = SystemTime::now() - KEPT_UNUSED - Duration::from_secs(60);
            File::open(directory).unwrap().set_modified(long_ago).unwrap();
        }
        assert!(entry(root.path(), "used", |_| Ok(())).unwrap().found);
        entry(root.path(), "new", |_| Ok(())).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(root.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["new", "used"]);
    }

    #[test]
    fn a_key_tells_every_list_of_fields_apart() {
        let keys = [
            Key::new("a").field("bc").finish(),
            Key::new("ab").field("c").finish(),
            Key::new("a").fields(["b", "c"]).finish(),
            Key::new("a").fields(["b"]).field("c").finish(),
        ];
        for (i, key) in keys.iter().enumerate() {
            assert_eq!(key.len(), 64);
            assert!(!keys[..i].contains(key));
        }
    }
}
