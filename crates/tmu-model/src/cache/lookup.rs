//! What became of a lookup, and counts of lookups: the same of both caches.

/// What became of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// The line of the lookup before.
    Repeat,
    /// A line that the cache holds, in this way.
    Hit {
        /// The way that holds the line.
        way: u32,
    },
    /// A line that had to be read, into this way.
    Miss {
        /// The way that was filled.
        way: u32,
        /// The line that had to go.
        evicted: Option<u32>,
    },
}

/// Counts of lookups. `lookups` is the sum of the other three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheCounts {
    /// All lookups.
    pub lookups: u64,
    /// Lookups of the line of the lookup before.
    pub repeats: u64,
    /// Lookups of another line that the cache held.
    pub hits: u64,
    /// Lookups of lines that had to be read.
    pub misses: u64,
}
