//! Lengths and digests of the files of a directory, by which damage shows before they are used.
//!
//! A shared library that was cut short ends the process that loads it, and a compiler says nothing helpful of half an
//! object file. So what is put into the cache is listed with length and SHA-256, and compared before each use.
//! Cost: reading and hashing the files, some milliseconds for a model.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

/// The list, in its directory. A line is digest, length in bytes and name, parted by blanks.
pub(crate) const LIST_FILE: &str = "tmuv_digests";

fn digest(path: &Path) -> io::Result<(String, u64)> {
    let mut hash = Sha256::new();
    let bytes = io::copy(&mut File::open(path)?, &mut hash)?;
    Ok((hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes))
}

/// Lists every file of a directory, and in the last line how many there are.
pub(crate) fn write(directory: &Path) -> io::Result<()> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name() != LIST_FILE {
            let (digest, bytes) = digest(&entry.path())?;
            lines.push(format!("{digest} {bytes} {}\n", entry.file_name().to_string_lossy()));
        }
    }
    lines.sort();
    let count = lines.len();
    fs::write(directory.join(LIST_FILE), lines.concat() + &format!("{count} files\n"))
}

/// What is wrong with a directory, if anything is.
pub(crate) fn damage(directory: &Path) -> Option<String> {
    let Ok(list) = fs::read_to_string(directory.join(LIST_FILE)) else {
        return Some(format!("{LIST_FILE} is missing"));
    };
    let lines: Vec<_> = list.lines().collect();
    let Some((end, lines)) = lines.split_last() else { return Some(format!("{LIST_FILE} is empty")) };
    if !list.ends_with('\n') || *end != format!("{} files", lines.len()) {
        return Some(format!("{LIST_FILE} is cut short"));
    }
    lines.iter().find_map(|line| {
        let mut fields = line.splitn(3, ' ');
        let (Some(listed), Some(listed_bytes), Some(name)) = (fields.next(), fields.next(), fields.next())
        else {
            return Some(format!("{LIST_FILE} is damaged"));
        };
        // The length first: it costs nothing.
        let path = directory.join(name);
        let bytes = fs::metadata(&path).map(|metadata| metadata.len());
        match bytes {
            Err(error) => Some(format!("{name}: {error}")),
            Ok(bytes) if bytes.to_string() != listed_bytes => {
                Some(format!("{name} has {bytes} of {listed_bytes} bytes"))
            }
            Ok(_) => match digest(&path) {
                Ok((digest, _)) if digest == listed => None,
                Ok(_) => Some(format!("{name} has changed")),
                Err(error) => Some(format!("{name}: {error}")),
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_damage_shows() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let fresh = || {
            fs::write(path("a b.so"), [7; 1000]).unwrap();
            fs::write(path("c.mem"), "1ff").unwrap();
            write(folder.path()).unwrap();
            assert_eq!(damage(folder.path()), None);
        };
        let list = |change: &dyn Fn(String) -> String| {
            let text = fs::read_to_string(path(LIST_FILE)).unwrap();
            fs::write(path(LIST_FILE), change(text)).unwrap();
        };
        let cases: [(&str, &dyn Fn()); 7] = [
            ("a b.so has 10 of 1000 bytes", &|| fs::write(path("a b.so"), [7; 10]).unwrap()),
            ("a b.so has changed", &|| fs::write(path("a b.so"), [8; 1000]).unwrap()),
            ("c.mem: ", &|| fs::remove_file(path("c.mem")).unwrap()),
            ("is missing", &|| fs::remove_file(path(LIST_FILE)).unwrap()),
            ("is cut short", &|| list(&|text| text[..text.len() - 1].to_owned())),
            ("is cut short", &|| list(&|text| text.split_once('\n').unwrap().1.to_owned())),
            ("is cut short", &|| list(&|_| "\n".to_owned())),
        ];
        for (expected, break_it) in cases {
            fresh();
            break_it();
            let said = damage(folder.path()).unwrap_or_default();
            assert!(said.contains(expected), "{expected:?} is not in {said:?}");
        }
        fresh();
        fs::write(path(LIST_FILE), "").unwrap();
        assert!(damage(folder.path()).is_some());
    }
}
