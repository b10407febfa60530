//! Numbers of items of a run, written as `17-23,40`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Some of the items of a run. Ranges rise and do not touch, so each set has one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Items(Vec<RangeInclusive<u64>>);

/// Why a text names no items: the parts that are no numbers or ranges, or do not rise above those before them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("write numbers and ranges that rise, like 17-23,40, not {}", .0.join(" or "))]
pub struct ParseItemsError(Vec<String>);

impl Items {
    /// Items by rising number.
    #[must_use]
    pub fn from_sorted(numbers: &[u64]) -> Self {
        let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some(last) if last.end() + 1 == *number => *last = *last.start()..=*number,
                _ => ranges.push(*number..=*number),
            }
        }
        Self(ranges)
    }

    /// Whether an item is one of them.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let behind = self.0.partition_point(|range| range.start() <= &number);
        behind > 0 && self.0[behind - 1].contains(&number)
    }

    /// All of them, rising.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().cloned().flatten()
    }

    /// The last one.
    #[must_use]
    pub fn last(&self) -> Option<u64> {
        self.0.last().map(|range| *range.end())
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|range| range.end() - range.start() + 1).sum()
    }
}

impl fmt::Display for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, range) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            match (range.start(), range.end()) {
                (start, end) if start == end => write!(f, "{comma}{start}")?,
                (start, end) => write!(f, "{comma}{start}-{end}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Items {
    type Err = ParseItemsError;

    fn from_str(text: &str) -> Result<Self, ParseItemsError> {
        let mut numbers: Vec<RangeInclusive<u64>> = Vec::new();
        let mut wrong = Vec::new();
        for part in text.split(',') {
            let (start, end) = part.split_once('-').unwrap_or((part, part));
            let range = start.parse::<u64>().ok().zip(end.parse::<u64>().ok());
            let rises = |(start, end): &(u64, u64)| {
                numbers.last().is_none_or(|last| last.end() < start) && start <= end && *end < u64::MAX
            };
            match (range.filter(rises), numbers.last_mut()) {
                (None, _) => wrong.push(format!("'{part}'")),
                (Some((start, end)), Some(last)) if last.end() + 1 == start => *last = *last.start()..=end,
                (Some((start, end)), _) => numbers.push(start..=end),
            }
        }
        if wrong.is_empty() { Ok(Self(numbers)) } else { Err(ParseItemsError(wrong)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let items = Items::from_sorted(&[0, 17, 18, 19, 23, 40, 41]);
        assert_eq!(items.to_string(), "0,17-19,23,40-41");
        assert_eq!(items.to_string().parse(), Ok(items.clone()));
        assert_eq!("17,18-19,23".parse::<Items>().unwrap().to_string(), "17-19,23");
        assert_eq!((items.last(), items.count()), (Some(41), 7));
        let held: Vec<_> = (0..60).filter(|number| items.contains(*number)).collect();
        assert_eq!(held, items.iter().collect::<Vec<_>>());
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "a", "3-", "-3", "5-3", "4,4", "9,2", "1,,2", "1-5,5", "0-18446744073709551615"] {
            assert!(text.parse::<Items>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_wrong_part_is_named() {
        let error = "3,x,7-5,9,9,12-".parse::<Items>().unwrap_err().to_string();
        assert_eq!(
            error,
            "write numbers and ranges that rise, like 17-23,40, not 'x' or '7-5' or '9' or '12-'"
        );
    }
}
