//! Arrays: equal nets that stand in one array of the source print as one vector.
//!
//! Verilog-2001 has no ports that are arrays, and tools take arrays of registers for memories; a vector is neither. Item 2
//! of an array of bytes is `sums[2*8 +: 8]`, of an array of bits `ready[2]`. An array of one item prints as a net without
//! a number. Items of different widths, of different processes or with attributes keep names of their own.

use super::expression::literal;
use super::fault::{Fault, is_planted};
use super::text::{repeated, select, zeros};
use crate::value::{MAX_WIDTH_BITS, Value};
use rustc_hash::FxHashMap;

/// What a value is called in its module: a word of its own, or its place in a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    word: String,
    item: Option<Box<Item>>,
}

/// An item of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The vector.
    pub(crate) vector: String,
    /// Which item it is, from 0.
    pub(crate) position: usize,
    /// Bits of an item.
    pub(crate) width: usize,
    /// Items of the vector.
    pub(crate) count: usize,
}

impl Item {
    /// All items of the vector but its last.
    pub(crate) fn all_but_last(&self) -> String {
        match (self.count, self.width) {
            (2, 1) => format!("{}[0]", self.vector),
            (count, 1) => format!("{}[{}:0]", self.vector, count - 2),
            (count, width) => format!("{}[{}*{width}-1:0]", self.vector, count - 1),
        }
    }
}

impl Name {
    pub(crate) fn plain(word: impl Into<String>) -> Name {
        Name { word: word.into(), item: None }
    }

    /// A word for it where a name is made from its name.
    pub(crate) fn word(&self) -> &str {
        &self.word
    }

    /// The vector that it stands in.
    pub(crate) fn item(&self) -> Option<&Item> {
        self.item.as_deref()
    }

    /// An item of a vector. The only item of an array is a net without a number.
    pub(crate) fn of_item(item: Item) -> Name {
        match item.count {
            1 => Name::plain(item.vector),
            _ => Name { word: format!("{}_{}", item.vector, item.position), item: Some(Box::new(item)) },
        }
    }

    /// Some of its bits.
    pub(crate) fn select(&self, lo: usize, width: usize) -> String {
        let Some(item) = &self.item else { return format!("{}{}", self.word, select(lo, width)) };
        let start = match lo {
            _ if is_planted(Fault::PartOfItem) => format!("{}*{}", item.position, item.width),
            0 => format!("{}*{}", item.position, item.width),
            _ => format!("{}*{} + {lo}", item.position, item.width),
        };
        let length = if width == 1 { String::new() } else { format!(" +: {width}") };
        format!("{}[{start}{length}]", item.vector)
    }

    /// The bit at a run-time position, which is as wide as the value asks for.
    pub(crate) fn bit_at(&self, index: &str, index_width: usize) -> String {
        let Some(item) = &self.item else { return format!("{}[{index}]", self.word) };
        let wanted = ((item.count * item.width - 1).ilog2() + 1) as usize;
        let start = literal(&Value::from_u128(wanted, (item.position * item.width) as u128));
        let index = match wanted - index_width {
            0 => index.to_string(),
            missing => format!("{{{}, {index}}}", zeros(missing)),
        };
        format!("{}[{start} + {index}]", item.vector)
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.item {
            None => f.write_str(&self.word),
            Some(item) if item.width == 1 => write!(f, "{}[{}]", item.vector, item.position),
            Some(item) => write!(f, "{}[{}*{} +: {}]", item.vector, item.position, item.width, item.width),
        }
    }
}

/// Something that may be an item: its word, its position in an array of the source, and what all items must share.
pub(crate) struct Candidate<S> {
    pub(crate) word: String,
    pub(crate) position: Option<usize>,
    pub(crate) shape: S,
}

/// The arrays among candidates: the word of each without its number, and which candidates it is made of, item 0 first.
pub(crate) fn arrays<S: PartialEq>(candidates: &[Candidate<S>]) -> Vec<(String, Vec<usize>)> {
    let mut stems: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found: Vec<(&str, Vec<usize>)> = vec![];
    for (index, candidate) in candidates.iter().enumerate() {
        let Some(position) = candidate.position else { continue };
        let Some(stem) = candidate.word.strip_suffix(&format!("_{position}")) else { continue };
        let next = found.len();
        let place = *stems.entry(stem).or_insert(next);
        if place == next {
            found.push((stem, vec![]));
        }
        found[place].1.push(index);
    }
    found.retain_mut(|(_, items)| {
        items.sort_by_key(|&index| candidates[index].position);
        let positions = items.iter().map(|&index| candidates[index].position);
        let shape = &candidates[items[0]].shape;
        positions.eq((0..items.len()).map(Some)) && items.iter().all(|&i| candidates[i].shape == *shape)
    });
    found.into_iter().map(|(stem, items)| (stem.to_string(), items)).collect()
}

/// `[3*8-1:0] ` for three bytes; `width` is a number or a name.
pub(crate) fn vector_range(count: usize, width: &str) -> String {
    match width {
        "1" => format!("[{}:0] ", count - 1),
        _ => format!("[{count}*{width}-1:0] "),
    }
}

/// The values of a vector's items, item 0 first, as one constant.
pub(crate) fn constant(values: &[Value]) -> String {
    if values[0].width() == 1 && values.len() <= MAX_WIDTH_BITS {
        return literal(&Value::from_bits(values.iter().map(|value| value.bit(0))));
    }
    let first = literal(&values[0]);
    if values.iter().all(|value| *value == values[0]) {
        return repeated(values.len(), &first);
    }
    joined(values.iter().map(literal))
}

/// A concatenation of items, item 0 first, which Verilog writes last.
pub(crate) fn joined(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    if !is_planted(Fault::ReversedVector) {
        items.reverse();
    }
    format!("{{{}}}", items.join(", "))
}

/// The vector that names are all the items of, in their order.
pub(crate) fn whole_vector(names: &[Option<Name>]) -> Option<String> {
    let first = names[0].as_ref()?.item()?;
    let is_item = |(position, name): (usize, &Option<Name>)| {
        let item = name.as_ref().and_then(Name::item);
        item.is_some_and(|item| item.vector == first.vector && item.position == position)
    };
    (first.count == names.len() && names.iter().enumerate().all(is_item)).then(|| first.vector.clone())
}
