//! What the tests of this crate share.

use crate::elaborate::elaborate;
use rust_hdl_core::prelude::Block;
use std::fs;

/// What elaboration refuses about `block`, with every place in the source shown as the text of its line.
///
/// # Panics
/// When nothing is refused.
pub(crate) fn refusals(name: &str, block: &dyn Block) -> String {
    match elaborate(name, block) {
        Ok(_) => panic!("`{name}` was accepted"),
        Err(found) => quote_places(&found.to_string()),
    }
}

/// Shows `  what: file:line:column` as `  what: the line`.
pub(crate) fn quote_places(text: &str) -> String {
    let lines: Vec<String> =
        text.lines().map(|line| quote_place(line).unwrap_or_else(|| line.to_string())).collect();
    lines.join("\n")
}

fn quote_place(line: &str) -> Option<String> {
    let (what, place) = line.rsplit_once(": ")?;
    let mut parts = place.rsplitn(3, ':');
    let (_column, number, file) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?);
    let path = tmu_testing::repository().join(file);
    let source = fs::read_to_string(path).ok()?;
    Some(format!("{what}: {}", source.lines().nth(number - 1)?.trim()))
}
