//! Random runs: traffic for every unit of a model, from one seed.
//!
//! Seed and options fix everything: clocks, memory, pauses, requests, faults and resets. What is done is a list of
//! numbered items; a run may be of some of them only.
//!
//! | module | holds |
//! | --- | --- |
//! | `options` | which run |
//! | [`items`] | numbers of items |
//! | [`fault`] | kinds of faults, and what became of each |
//! | [`action`] | what an item does |
//! | `disturbances` | resets and commands at random |
//! | `campaign` | faults one by one |
//! | [`plan`] | the items of a run |
//! | `player` | a run on its bench |
//! | [`shrink`](mod@shrink) | a short case of a run that failed |

pub mod action;
pub(crate) mod campaign;
pub(crate) mod disturbances;
pub mod fault;
pub mod items;
mod options;
pub mod plan;
pub(crate) mod player;
pub mod shrink;

pub use options::Regression;
pub use player::{COVERAGE_AT_END, COVERAGE_AT_START, Report, run};
