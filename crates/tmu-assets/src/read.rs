//! Reading of whole files, none of which may fill the memory, and the kind that only a name tells.
//!
//! Contract: whatever a path names (`/dev/zero`, a pipe that never ends), no more is read than the limit and one byte.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Whether the name of a file says that it is RGB565 pixels and nothing else.
#[must_use]
pub fn is_rgb565(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("rgb565"))
}

/// The first bytes of a file, at most so many.
///
/// # Errors
/// If the file cannot be read.
pub fn read_start(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(max_bytes).read_to_end(&mut content)?;
    Ok(content)
}

/// A whole file of at most so many bytes.
///
/// # Errors
/// If the file cannot be read; [`io::ErrorKind::FileTooLarge`] if it is longer.
pub fn read_whole(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let content = read_start(path, max_bytes.saturating_add(1))?;
    if content.len() as u64 <= max_bytes {
        return Ok(content);
    }
    let message = format!("it is longer than {max_bytes} bytes");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
}

/// A whole file of at most so many bytes, as text.
///
/// # Errors
/// As [`read_whole`]; [`io::ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> io::Result<String> {
    let content = read_whole(path, max_bytes)?;
    String::from_utf8(content)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "seven b").unwrap();
        assert_eq!(read_text(&path, 7).unwrap(), "seven b");
        assert_eq!(read_start(&path, 3).unwrap(), b"sev");
        assert_eq!(read_whole(&path, 6).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 7).unwrap_err().kind(), io::ErrorKind::InvalidData);
        #[cfg(unix)]
        assert_eq!(
            read_whole(Path::new("/dev/zero"), 10).unwrap_err().to_string(),
            "it is longer than 10 bytes"
        );
    }
}
