//! The blocking `cache` against `tmu_model::cache::blocking`: hits, misses, lines that cannot be read, emptying at any moment. The policies
//! leave nothing to chance; `replacer` and `victim` are held to free-running bits by themselves.

use crate::support::{configs, is_high, noise, number};
use rand::Rng;
use std::collections::{HashMap, VecDeque};
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::{CacheModel, Lookup};
use tmu_rtl::cache::blocking::Cache;
use tmu_rtl::datapath::bundles::sideband_layout;
use tmu_spec::Config;
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn four_ways() {
    cache("cache_four_ways", &configs::small_blocking(4, "round_robin"));
}

#[test]
pub(crate) fn two_ways() {
    cache("cache_two_ways", &configs::small_blocking(2, "plru_random"));
}

#[test]
pub(crate) fn one_way() {
    cache("cache_one_way", &configs::small_blocking(1, "plru_random"));
}

/// A look-up that was taken, or the end of a quad, with what must leave.
#[derive(Debug)]
struct Taken {
    said: String,
    sideband: Value,
    /// The line; none where it does not count.
    data: Option<Value>,
    error: bool,
}

/// What memory will answer, and in how many clocks.
struct Read {
    line: u32,
    data: Value,
    error: bool,
    clocks: u32,
}

/// What follows from the look-ups so far.
struct Reference {
    model: CacheModel,
    held: HashMap<u32, Value>,
    reads: VecDeque<Read>,
    before: Option<u32>,
}

impl Reference {
    /// A look-up is taken. Whether memory can give its line is known here, if it has to.
    fn take(&mut self, check: &mut Check, line: u32, sideband: Value) -> Taken {
        self.before = Some(line);
        let fails = check.one_in(5) && !self.model.holds(line);
        let lookup = (!fails).then(|| self.model.lookup(line, 0));
        if fails {
            self.model.fail(line);
        }
        if matches!(lookup, None | Some(Lookup::Miss { .. })) {
            let data = noise(check, 128);
            let clocks = check.rng.random_range(0..6);
            self.reads.push_back(Read { line, data, error: fails, clocks });
            self.held.insert(line, data);
        }
        let data = (!fails).then(|| self.held[&line]);
        Taken { said: format!("line {line:#x}, {lookup:?}"), sideband, data, error: fails }
    }
}

fn cache(name: &str, config: &Config) {
    const CLOCKS: usize = 12_000;
    let (sideband, line_bits) = (sideband_layout(config), config.cache().line_address_bits() as usize);
    let end = sideband.bits("is_end").start;
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, Cache::new(config));
    let mut owed: Flow<Taken> = Flow::default();
    let model = CacheModel::new(config.cache());
    let mut reference = Reference { model, held: HashMap::new(), reads: VecDeque::new(), before: None };
    let mut offered: Option<(u32, Value)> = None;
    let mut waiting: Option<Read> = None;
    let mut empties = false;
    for _ in 0..CLOCKS {
        if offered.is_none() && !check.one_in(5) {
            let word = noise(&mut check, sideband.width());
            let line = any_line(&mut check, config, reference.before);
            offered = Some((line, word));
        }
        rig.input.valid.drive(offered.is_some());
        if let Some((line, word)) = &offered {
            let is_repeat = reference.before == Some(*line);
            rig.input.data.drive(cat(&[
                number(1, is_repeat),
                number(line_bits, *line),
                Bits::constant(*word),
            ]));
        }
        empties = !empties && check.one_in(60);
        rig.invalidate.drive(empties);
        let ready = check.one_in(2);
        rig.read.ready.drive(ready);
        let answers = waiting.take_if(|read| read.clocks == 0);
        rig.line_valid.drive(answers.is_some());
        if let Some(Read { data, error, .. }) = &answers {
            rig.line_data.drive(Bits::constant(*data));
            rig.line_error.drive(*error);
        }
        rig.settle();
        if is_high(rig.out_valid.val()) {
            let taken = owed.next(&mut check);
            leave(&mut check, &rig, taken);
        }
        if let Some(read) = &mut waiting {
            read.clocks -= 1;
        }
        if ready && is_high(rig.read.valid.val()) {
            let Some(read) = reference.reads.pop_front() else { check.fail("a line is read that is held") };
            check.same("line that is read", rig.read.data.val().to_u64(), read.line.into());
            waiting = Some(read);
        }
        let taken = is_high(rig.input.ready.val());
        rig.tick();
        if let Some((line, word)) = offered.take_if(|_| taken) {
            owed.put(if word.bit(end) {
                Taken { said: "the end of a quad".into(), sideband: word, data: None, error: false }
            } else {
                reference.take(&mut check, line, word)
            });
        }
        if empties {
            reference.model.invalidate();
        }
    }
    check.holds(reference.reads.len() <= 1, "lines that are not held are read");
    check.at_least(2000);
}

/// Some tags of some sets, and often the line before.
fn any_line(check: &mut Check, config: &Config, before: Option<u32>) -> u32 {
    let sets = config.cache().sets();
    let line = check.rng.random_range(0..6) * sets + check.pick(&[0, 3, sets - 1]);
    if check.one_in(3) { before.unwrap_or(line) } else { line }
}

fn leave(check: &mut Check, rig: &Rig<Cache>, taken: Taken) {
    let Taken { said, sideband, data, error } = taken;
    check.same(format_args!("what goes along with {said}"), rig.sideband.val().value(), sideband);
    check.same(format_args!("error of {said}"), is_high(rig.error.val()), error);
    let line = if is_high(rig.is_fetched.val()) { rig.fetched_line.val() } else { rig.held_line.val() };
    data.into_iter().for_each(|data| check.same(&said, line.value(), data));
}
