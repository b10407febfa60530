//! Compares what comes out of a unit with the golden model, quad by quad.
//!
//! A scoreboard is told each request as the hardware takes it and each result as it comes. It also knows which
//! lines the quads in flight may read, so a read that nothing asked for is found where it happens. Expected
//! results are computed when a request is sent, so memory must not change while quads are in flight.

mod diagnose;
mod mismatch;
mod owed;

pub(crate) use mismatch::binding_text;
pub use mismatch::{Mismatch, Unasked};

use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::coverage::Coverage;
use crate::engines::sampler::streams::request::Request;
use crate::engines::sampler::streams::result::ResultBeat;
use crate::kit::error::{Cause, Violation};
use diagnose::diagnose;
use owed::{Bound, Doubt, InFlight, Tiles};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use tmu_model::{Memory as _, TextureUnit, UnitCache};
use tmu_spec::tile::MOST_LINES;
use tmu_spec::{Features, LINE_BYTES, Quad, QuadResult, Record};

/// What one unit owes.
#[derive(Debug)]
pub struct Scoreboard {
    unit: usize,
    features: Features,
    model: TextureUnit<SharedMemory>,
    binding: Option<Record>,
    in_flight: VecDeque<InFlight>,
    bindings: VecDeque<Bound>,
    /// The quad whose result was offered at the last reset, and whether it is excused.
    left_over: Option<(InFlight, bool)>,
    answered: u64,
    /// Lines that were needed before resets; reads under way then may still be offered, before any other one.
    stale_lines: Vec<u32>,
    stale_reads: u32,
    /// Emptied lists of lines, to be filled again.
    spare: Vec<Vec<u32>>,
    /// Lines of which a read failed by chance: quads that need them may be answered with the error bit.
    excused_lines: HashSet<u32>,
    /// Quads that were.
    excused: u64,
    /// Memory has given an answer of the wrong length, behind which a cache that reads ahead trusts no line.
    misled: bool,
    /// Lines of quads that have failed since then: they do not wait for their reads, which may still be begun.
    given_up: HashSet<u32>,
    /// Quads that have failed since then before any of their lines was read.
    doubts: Vec<Doubt>,
    /// Of each tile that is needed all lines may be read.
    whole_tiles: bool,
    /// What a cache would make of the quads, for coverage.
    cache: Option<UnitCache>,
    coverage: Coverage,
}

impl Scoreboard {
    /// A scoreboard for a unit with some features over some memory.
    #[must_use]
    pub fn new(unit: usize, features: Features, memory: Arc<TextureMemory>) -> Self {
        Self {
            unit,
            features,
            model: TextureUnit::with_features(SharedMemory(memory), features),
            binding: None,
            in_flight: VecDeque::new(),
            bindings: VecDeque::new(),
            left_over: None,
            answered: 0,
            stale_lines: Vec::new(),
            stale_reads: 0,
            spare: Vec::new(),
            excused_lines: HashSet::new(),
            misled: false,
            given_up: HashSet::new(),
            doubts: Vec::new(),
            excused: 0,
            whole_tiles: false,
            cache: None,
            coverage: Coverage::default(),
        }
    }

    /// The same, for a unit with a prefetching cache or without: that may read the rest of a tile with the lines that
    /// valid pixels need, and leaves taps without weight out.
    #[must_use]
    pub fn with_prefetch(self, prefetches: bool) -> Self {
        let model = self.model.dropping_weightless_taps(prefetches);
        Self { whole_tiles: prefetches, model, ..self }
    }

    /// The same, which also counts what a cache makes of the quads.
    #[must_use]
    pub fn with_cache(self, cache: UnitCache) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Quads sent and not answered.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Quads answered, and found right.
    #[must_use]
    pub const fn answered(&self) -> u64 {
        self.answered
    }

    /// What the requests so far have exercised.
    #[must_use]
    pub const fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Puts other memory in place while nothing is in flight. Texels follow at once, a colour table with the next
    /// binding; the hardware needs its cache dropped to follow.
    pub fn set_memory(&mut self, memory: Arc<TextureMemory>) {
        *self.model.memory_mut() = SharedMemory(memory);
    }

    /// Forgets what is in flight and what is bound, as a reset does; a result that is offered is still due. The memory port
    /// may already hold this many reads, which it has to go through with.
    pub fn clear(&mut self, reads_under_way: u32, offered: bool) {
        // Each of them reads a tile, or a line; they are counted line by line.
        let lines = if self.whole_tiles { MOST_LINES } else { 1 };
        self.stale_lines.extend(self.given_up.drain());
        self.doubts.clear();
        // Resets may follow each other before the reads from before the first of them have been offered.
        self.stale_reads += reads_under_way * lines;
        self.stale_lines.extend(self.in_flight.iter().flat_map(|quad| &quad.lines));
        self.stale_lines.extend(self.bindings.iter().flat_map(|bound| bound.table.clone()));
        if !offered {
            self.left_over = None;
        } else if self.left_over.is_none() {
            let due = self.in_flight.pop_front();
            self.left_over = due.map(|due| {
                let is_excused = self.is_excused(&due);
                (due, is_excused)
            });
        }
        self.drop_cache();
        self.model = self.fresh_model();
        self.binding = None;
        self.in_flight.clear();
        self.bindings.clear();
    }

    /// A request was taken by the hardware.
    pub fn request(&mut self, request: &Request) {
        match request {
            Request::Bind(record) => self.bind(*record),
            Request::Sample(quad) => self.sample(*quad),
            Request::Broken(breakage) => self.coverage.broken_packet(*breakage),
        }
    }

    fn drop_cache(&mut self) {
        match &mut self.cache {
            Some(UnitCache::Blocking(cache)) => cache.invalidate(),
            Some(UnitCache::Prefetch { cache, .. }) => cache.invalidate(),
            None => {}
        }
    }

    fn bind(&mut self, record: Record) {
        let before = self.model.binding().map(|binding| binding.texture().format());
        let outcome = self.model.bind_record(record);
        self.binding = Some(record);
        let table = self.model.binding().map_or(0..0, |binding| {
            let first = binding.base() / LINE_BYTES;
            first..first + binding.texture().format().color_table_bytes() / LINE_BYTES
        });
        self.coverage.binding(&outcome, self.model.binding());
        if let Some(binding) = self.model.binding() {
            if let Some(before) = before.filter(|_| !self.in_flight.is_empty()) {
                self.coverage.rebinding(before, binding.texture().format());
            }
            if binding.drop_cache() {
                self.drop_cache();
            }
        }
        let first_quad = self.answered + self.in_flight.len() as u64;
        self.bindings.push_back(Bound { first_quad, table });
    }

    fn sample(&mut self, quad: Quad) {
        let expected = self.model.sample(&quad);
        let mut lines = self.spare.pop().unwrap_or_default();
        let tiles = self.model.binding().filter(|_| self.whole_tiles).map(Tiles::new);
        self.model.lookups(&quad, |line| {
            if !lines.contains(&line) {
                match tiles {
                    Some(tiles) => lines.extend(tiles.around(line)),
                    None => lines.push(line),
                }
            }
        });
        let model = &self.model;
        let texel_failed = || lines.iter().any(|line| model.memory().read_line(*line).is_err());
        self.coverage.quad(&quad, model, self.cache.as_mut(), &expected, texel_failed);
        self.in_flight.push_back(InFlight { quad, binding: self.binding, expected, lines });
    }

    /// A result came.
    ///
    /// # Errors
    /// If it is not the one that is due.
    pub fn result(&mut self, got: ResultBeat) -> Result<(), Cause> {
        let Some(due) = self.in_flight.pop_front() else {
            return Err(Unasked { unit: self.unit }.into());
        };
        let is_excused = self.is_excused(&due);
        self.judge(&due, got, is_excused)?;
        if self.misled && due.failed(got) {
            self.given_up.extend(&due.lines);
            self.given_up.extend(self.bindings.iter().flat_map(|bound| bound.table.clone()));
        }
        self.answered += 1;
        while self.bindings.get(1).is_some_and(|next| next.first_quad < self.answered) {
            self.bindings.pop_front();
        }
        let mut lines = due.lines;
        lines.clear();
        self.spare.push(lines);
        Ok(())
    }

    /// The result came that was offered before the last reset, and stayed.
    ///
    /// # Errors
    /// If it is not that of the quad that was due then.
    pub fn left_over(&mut self, got: ResultBeat) -> Result<(), Cause> {
        let Some((due, is_excused)) = self.left_over.take() else {
            return Err(Unasked { unit: self.unit }.into());
        };
        self.judge(&due, got, is_excused)
    }

    /// Whether a result is the quad's, or that of an excused one.
    fn judge(&mut self, due: &InFlight, got: ResultBeat, is_excused: bool) -> Result<(), Cause> {
        let is = |result: &QuadResult| got.tdata == result.tdata() && got.tuser == result.tuser();
        if is(&due.expected) {
            return Ok(());
        }
        if is_excused && due.failed(got) {
            self.excused += 1;
            return Ok(());
        }
        let mismatch = self.mismatch(due, got);
        if self.misled && due.failed(got) {
            self.doubts.push(Doubt { lines: self.needed(due).collect(), mismatch });
            return Ok(());
        }
        Err(mismatch.into())
    }

    /// A read of this line fails though memory could give it. Until [`Scoreboard::excuse_none`] quads that need it
    /// may be answered with the error bit, as long as not even one pixel of theirs is wrong without it.
    pub fn excuse(&mut self, line: u32) {
        self.excused_lines.insert(line);
    }

    /// The unit reads a line, and memory's answer has more or fewer beats than were asked for. A cache that reads ahead may
    /// find one beat too many while lines that came before still wait to be written, and trusts none of them.
    pub fn mislead(&mut self, line: u32) {
        self.excuse(line);
        if self.whole_tiles && !self.misled {
            self.misled = true;
            self.excused_lines.extend(self.in_flight.iter().flat_map(|quad| &quad.lines));
            self.excused_lines.extend(self.bindings.iter().flat_map(|bound| bound.table.clone()));
        }
    }

    /// From now on every quad must be right. Returns how many were excused so far.
    ///
    /// # Errors
    /// If a quad has failed that needed nothing of what could not be read or trusted.
    pub fn excuse_none(&mut self) -> Result<u64, Cause> {
        for Doubt { lines, mismatch } in self.doubts.drain(..) {
            if !lines.iter().any(|line| self.excused_lines.contains(line)) {
                return Err(mismatch.into());
            }
            self.excused += 1;
        }
        self.excused_lines.clear();
        self.misled = false;
        self.given_up.clear();
        Ok(self.excused)
    }

    /// Whether a quad needs a line that could not be read, be it of its colour table.
    fn is_excused(&self, quad: &InFlight) -> bool {
        !self.excused_lines.is_empty() && self.needed(quad).any(|line| self.excused_lines.contains(&line))
    }

    /// Lines that a quad needs, those of its colour table among them.
    fn needed<'a>(&'a self, quad: &'a InFlight) -> impl Iterator<Item = u32> + 'a {
        let tables = self.bindings.iter().flat_map(|bound| bound.table.clone());
        quad.lines.iter().copied().chain(tables)
    }

    /// The unit reads a line of the texture window.
    ///
    /// # Errors
    /// If no quad in flight needs it.
    pub fn read(&mut self, line: u32) -> Result<(), Violation> {
        if self.misled {
            self.excuse(line);
        }
        let of_quads = self.in_flight.iter().any(|quad| quad.lines.contains(&line));
        let is_needed = of_quads || self.bindings.iter().any(|bound| bound.has_in_table(line));
        match (is_needed, self.stale_reads > 0 && self.stale_lines.contains(&line)) {
            (true, true) => return Ok(()),
            (true, false) => {
                self.stale_lines.clear();
                self.stale_reads = 0;
                return Ok(());
            }
            (false, true) => {
                self.stale_reads -= 1;
                return Ok(());
            }
            (false, false) if self.given_up.contains(&line) => return Ok(()),
            (false, false) => {}
        }
        let address = u64::from(line) * u64::from(LINE_BYTES);
        let mut bindings: Vec<_> = self.in_flight.iter().map(|quad| quad.binding).collect();
        bindings.dedup();
        let bindings: Vec<_> = bindings.iter().map(|bits| binding_text(*bits, &self.features)).collect();
        let what = format!(
            "unit {} reads texture address {address:#x}, which no valid pixel in flight needs; quad {} is next, and \
             in flight are quads under {}",
            self.unit,
            self.answered,
            if bindings.is_empty() { "no binding".to_owned() } else { bindings.join(", under ") },
        );
        Err(Violation::new("m_axi", what))
    }

    /// Drops what is due, for tests of requests alone.
    #[cfg(test)]
    pub(crate) fn drop_due(&mut self) {
        self.in_flight.clear();
        self.bindings.clear();
    }

    /// The model with nothing bound.
    fn fresh_model(&self) -> TextureUnit<SharedMemory> {
        TextureUnit::with_features(self.model.memory().clone(), self.features)
            .dropping_weightless_taps(self.whole_tiles)
    }

    fn mismatch(&self, due: &InFlight, got: ResultBeat) -> Mismatch {
        let mut model = self.fresh_model();
        let legal = due.binding.map(|record| model.bind_record(record));
        let stages = match legal {
            Some(Ok(())) => diagnose(&model, &due.quad, &due.expected, got),
            _ => "control: the quads of a refused binding must be answered with the error bit".to_owned(),
        };
        Mismatch {
            unit: self.unit,
            number: self.answered,
            quad: due.quad,
            binding: binding_text(due.binding, &self.features),
            expected: due.expected,
            got,
            stages,
        }
    }
}

#[cfg(test)]
mod tests;
