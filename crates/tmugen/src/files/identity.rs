//! Which file a path means, however it is spelled.
//!
//! Contract: two paths have the same [`Identity`] exactly if writing to one can change what the other names: through
//! `./` and `..`, symbolic links (dangling ones, too), hard links, and other spellings that the file system takes for the
//! same. Nothing is opened, so a pipe is not waited for.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The longest chain of symbolic links that is followed, as of Linux.
const MAX_LINKS: usize = 40;

/// A file as the system knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The path without links, `.` and `..`.
    place: PathBuf,
    /// Device and inode of a file that is there.
    node: Option<(u64, u64)>,
}

impl Identity {
    /// What a path names now, or would name once something is written there.
    pub(crate) fn of(path: &Path) -> Self {
        let place = place(path, MAX_LINKS);
        let node = fs::metadata(&place).ok().as_ref().and_then(node);
        Identity { place, node }
    }

    /// Whether both are one file.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let folded = |place: &Path| place.to_string_lossy().to_lowercase();
        // Where file systems usually fold case, names that are not there yet are compared without it.
        let folds_case = cfg!(any(windows, target_os = "macos"));
        self.place == other.place
            || (self.node.is_some() && self.node == other.node)
            || (folds_case && folded(&self.place) == folded(&other.place))
    }

    /// Where it stands, with links followed.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }
}

#[cfg(unix)]
fn node(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn node(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// The path without links as far as it exists; the rest of it as it is written.
fn place(path: &Path, links: usize) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    // A link that leads to nothing: what is written goes where it points.
    if let Ok(target) = fs::read_link(path)
        && links > 0
    {
        let folder = path.parent().unwrap_or(Path::new(""));
        return place_in(folder, &target, links - 1);
    }
    match (path.parent(), path.components().next_back()) {
        (Some(folder), Some(Component::Normal(name))) => folder_place(folder, links).join(name),
        (Some(folder), Some(Component::ParentDir)) => {
            let mut place = folder_place(folder, links);
            place.pop();
            place
        }
        (Some(folder), Some(Component::CurDir)) if !folder.as_os_str().is_empty() => {
            folder_place(folder, links)
        }
        // The working directory has been removed.
        _ => std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
    }
}

fn place_in(folder: &Path, target: &Path, links: usize) -> PathBuf {
    place(&folder.join(target), links)
}

fn folder_place(folder: &Path, links: usize) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    place(folder, links)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Pairs of paths in one folder, and whether they are one file.
    #[test]
    fn one_file_is_known_under_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        for name in ["a", "b", "sub/c"] {
            fs::write(path(name), name).unwrap();
        }
        fs::hard_link(path("a"), path("hard")).unwrap();
        symlink("a", path("soft")).unwrap();
        symlink("soft", path("softer")).unwrap();
        symlink("sub/none", path("dangling")).unwrap();
        symlink("sub", path("folder")).unwrap();
        symlink("loop", path("loop")).unwrap();
        let cases = [
            ("a", "a", true),
            ("a", "./a", true),
            ("a", "sub/../a", true),
            ("a", "no/../a", true),
            ("a", "hard", true),
            ("a", "soft", true),
            ("hard", "softer", true),
            ("folder/c", "sub/c", true),
            ("folder/new", "sub/new", true),
            ("dangling", "sub/none", true),
            ("dangling", "folder/./none", true),
            ("new/x", "new/./y/../x", true),
            ("a", "b", false),
            ("new", "newer", false),
            ("dangling", "sub/some", false),
            ("loop", "a", false),
        ];
        for (one, other, same) in cases {
            let [left, right] = [one, other].map(|name| Identity::of(&path(name)));
            assert_eq!(left.is(&right), same, "{one} and {other}: {left:?}, {right:?}");
            assert_eq!(right.is(&left), same, "{other} and {one}");
        }
    }
}
