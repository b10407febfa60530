//! Signals of a waveform as a clock sees them: the value before each of its rising edges.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

/// Signals of one unit, sampled by one clock.
pub(crate) struct Waves {
    signals: HashMap<String, Vec<Rc<str>>>,
    edges: usize,
}

impl Waves {
    /// Reads signals out of a waveform; they are named by their path below `scope`. `clock` is a port of the
    /// first scope.
    pub(crate) fn read(path: &Path, scope: &[&str], clock: &str, names: &[&str]) -> Self {
        let mut file = wellen::simple::read(path).unwrap();
        let mut changes = |path: &[&str], name: &str| {
            let hierarchy = file.hierarchy();
            let var = hierarchy.lookup_var(path, name);
            let signal = hierarchy[var.unwrap_or_else(|| panic!("no {path:?} {name}"))].signal_ref();
            file.load_signals(&[signal]);
            let changes = file.get_signal(signal).unwrap().iter_changes();
            changes.map(|(time, value)| (time, value.to_bit_string().unwrap())).collect::<Vec<_>>()
        };
        let top = ["TOP", "tmuv_top", scope[0]];
        let edges: Vec<_> = changes(&top, clock)
            .into_iter()
            .filter(|(_, value)| value == "1")
            .map(|(time, _)| time)
            .collect();
        let mut sampled = |name: &&str| {
            let mut path = [&top[..2], scope].concat();
            let mut parts: Vec<_> = name.split('.').collect();
            let signal = parts.pop().unwrap();
            path.extend(parts);
            let mut changes = changes(&path, signal).into_iter().peekable();
            let mut value: Rc<str> = "0".into();
            let mut values = Vec::with_capacity(edges.len());
            for edge in &edges {
                while let Some((_, new)) = changes.next_if(|(time, _)| time < edge) {
                    value = new.into();
                }
                values.push(Rc::clone(&value));
            }
            ((*name).to_owned(), values)
        };
        let signals = names.iter().map(&mut sampled).collect();
        Self { signals, edges: edges.len() }
    }

    /// Numbers of the rising edges.
    pub(crate) fn edges(&self) -> std::ops::Range<usize> {
        0..self.edges
    }

    /// A bit of a signal before an edge.
    pub(crate) fn bit(&self, name: &str, bit: usize, edge: usize) -> bool {
        let value = self.signals[name][edge].as_bytes();
        value.iter().rev().nth(bit) == Some(&b'1')
    }

    /// Whether a signal of one bit is high before an edge.
    pub(crate) fn high(&self, name: &str, edge: usize) -> bool {
        self.bit(name, 0, edge)
    }

    /// Whether a transfer happens at an edge: `name_valid` and `name_ready` are high.
    pub(crate) fn moves(&self, name: &str, edge: usize) -> bool {
        self.high(&format!("{name}_valid"), edge) && self.high(&format!("{name}_ready"), edge)
    }

    /// The edges before which a condition holds.
    pub(crate) fn when(&self, condition: impl Fn(usize) -> bool) -> Vec<usize> {
        self.edges().filter(|edge| condition(*edge)).collect()
    }

    /// Clocks from each start to the first end behind it.
    pub(crate) fn clocks(starts: &[usize], ends: &[usize]) -> Vec<u64> {
        let behind = |start: &usize| ends.iter().find(|end| *end > start).map(|end| (end - start) as u64);
        starts.iter().filter_map(behind).collect()
    }
}
