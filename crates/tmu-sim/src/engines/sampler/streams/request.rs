//! Drives a request stream, with random pauses.

use crate::kit::pauses::{Pauser, Pauses};
use std::collections::VecDeque;
use tmu_spec::{BeatsPerQuad, Quad, Record, RequestBeat};

/// How a packet is none; its first beat says whether it is a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breakage {
    /// `tlast` comes on the first of two beats of a quad.
    QuadTooShort,
    /// `tlast` comes behind the last beat of a quad.
    QuadTooLong,
    /// `tlast` comes behind the last beat of a binding.
    BindingTooLong,
    /// `tlast` comes before the last beat of a binding, which only those of the general numerics can.
    BindingTooShort,
    /// `tuser` changes inside a packet, which only units of the general numerics drop for that.
    BothSorts,
}

impl Breakage {
    /// Every way of the classic numerics.
    pub const CLASSIC: [Breakage; 3] =
        [Breakage::QuadTooShort, Breakage::QuadTooLong, Breakage::BindingTooLong];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Breakage::QuadTooShort => "a quad of too few beats",
            Breakage::QuadTooLong => "a quad of too many beats",
            Breakage::BindingTooLong => "a binding of too many beats",
            Breakage::BindingTooShort => "a binding of too few beats",
            Breakage::BothSorts => "a packet that is a quad and a binding",
        }
    }
}

/// What a packet asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Bind by this record, legal or not.
    Bind(Record),
    /// Sample a quad.
    Sample(Quad),
    /// A packet of the wrong length, to be dropped.
    Broken(Breakage),
}

/// A packet of the request stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// Its beats, at least one.
    pub beats: Vec<RequestBeat>,
    /// What they amount to.
    pub request: Request,
}

impl Packet {
    /// A binding's packet.
    #[must_use]
    pub fn bind(record: Record) -> Self {
        Self { beats: record.to_beats(), request: Request::Bind(record) }
    }

    /// A quad's packet.
    #[must_use]
    pub fn sample(quad: &Quad, beats_per_quad: BeatsPerQuad) -> Self {
        Self { beats: quad.to_beats(beats_per_quad), request: Request::Sample(*quad) }
    }

    /// The same packet with `tuser` turned round in every beat but the first, which alone says what a packet is.
    #[must_use]
    pub fn with_tuser_turned(mut self, beats_per_quad: BeatsPerQuad) -> Self {
        for beat in self.beats.iter_mut().skip(1) {
            *beat = RequestBeat::new(beat.tdata(beats_per_quad), !beat.is_binding(), beat.last());
        }
        self
    }
}

/// A beat in the queue; the last one of a packet carries the request.
#[derive(Debug)]
struct Queued {
    beat: RequestBeat,
    completes: Option<Request>,
}

/// The sending side of a request stream.
#[derive(Debug)]
pub struct RequestDriver {
    queue: VecDeque<Queued>,
    valid: bool,
    /// Some beat of the first packet in the queue was taken.
    inside_packet: bool,
    pauser: Pauser,
}

impl RequestDriver {
    /// A driver with nothing to send.
    #[must_use]
    pub fn new(pauses: Pauses, seed: u64) -> Self {
        Self { queue: VecDeque::new(), valid: false, inside_packet: false, pauser: Pauser::new(pauses, seed) }
    }

    /// Queues a packet.
    pub fn push(&mut self, packet: Packet) {
        let last = packet.beats.len() - 1;
        self.queue.extend(
            packet
                .beats
                .into_iter()
                .enumerate()
                .map(|(number, beat)| Queued { beat, completes: (number == last).then_some(packet.request) }),
        );
    }

    /// Beats that were not taken yet.
    #[must_use]
    pub fn queued_beats(&self) -> usize {
        self.queue.len()
    }

    /// Quads that were not taken whole yet.
    #[must_use]
    pub fn queued_quads(&self) -> usize {
        let is_quad = |queued: &&Queued| matches!(queued.completes, Some(Request::Sample(_)));
        self.queue.iter().filter(is_quad).count()
    }

    /// Takes back all packets but the one that has been begun, if any beat of it was taken or is shown.
    pub fn stop_behind_packet(&mut self) {
        let begun = self.valid || self.inside_packet;
        let end = self.queue.iter().position(|queued| queued.completes.is_some());
        self.queue.truncate(end.filter(|_| begun).map_or(0, |end| end + 1));
    }

    /// Takes everything back, what is shown too: only in reset.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.valid = false;
        self.inside_packet = false;
    }

    /// A rising edge: `ready` is `tready` before it. Returns whether a beat was taken, and the request that this
    /// completes.
    pub fn clock(&mut self, ready: bool) -> (bool, Option<Request>) {
        let taken = if self.valid && ready { self.queue.pop_front() } else { None };
        if let Some(taken) = &taken {
            self.valid = false;
            self.inside_packet = taken.completes.is_none();
        }
        if !self.valid && !self.queue.is_empty() {
            self.valid = !self.pauser.paused();
        }
        (taken.is_some(), taken.and_then(|queued| queued.completes))
    }

    /// The beat shown, if `tvalid` is high.
    #[must_use]
    pub fn shown(&self) -> Option<&RequestBeat> {
        if self.valid { self.queue.front().map(|queued| &queued.beat) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_stay_until_they_are_taken() {
        let mut driver = RequestDriver::new(Pauses::NONE, 0);
        let quad = Quad::new([[7; 2]; 4], 5);
        driver.push(Packet::sample(&quad, BeatsPerQuad::Two));
        let record = Record::from_first_word(3);
        driver.push(Packet::bind(record));
        assert_eq!((driver.queued_beats(), driver.queued_quads()), (3, 1));
        let beats = quad.to_beats(BeatsPerQuad::Two);
        assert_eq!(driver.shown(), None);
        assert_eq!(driver.clock(true), (false, None));
        assert_eq!(driver.shown(), Some(&beats[0]));
        assert_eq!(driver.clock(false), (false, None));
        assert_eq!(driver.shown(), Some(&beats[0]));
        assert_eq!(driver.clock(true), (true, None));
        assert_eq!(driver.shown(), Some(&beats[1]));
        assert_eq!(driver.clock(true), (true, Some(Request::Sample(quad))));
        assert_eq!(driver.shown(), record.to_beats().first());
        assert_eq!(driver.clock(true), (true, Some(Request::Bind(record))));
        assert_eq!((driver.shown(), driver.queued_beats()), (None, 0));
    }

    #[test]
    fn stopping_finishes_the_packet() {
        let quad = Quad::new([[7; 2]; 4], 5);
        let packet = Packet::sample(&quad, BeatsPerQuad::Two);
        for (clocks, left) in [(0, 0), (1, 2), (2, 1), (3, 2)] {
            let mut driver = RequestDriver::new(Pauses::NONE, 0);
            driver.push(packet.clone());
            driver.push(packet.clone());
            for _ in 0..clocks {
                driver.clock(true);
            }
            driver.stop_behind_packet();
            assert_eq!(driver.queued_beats(), left, "after {clocks} clocks");
        }
    }

    #[test]
    fn pauses_hold_beats_back_and_lose_none() {
        let mut driver = RequestDriver::new(Pauses::percent(40), 1);
        let records = || (0..1000).map(Record::from_first_word);
        for record in records() {
            driver.push(Packet::bind(record));
        }
        let (mut clocks, mut got) = (0, Vec::new());
        while driver.queued_beats() > 0 {
            got.extend(driver.clock(true).1);
            clocks += 1;
        }
        assert_eq!(got, records().map(Request::Bind).collect::<Vec<_>>());
        assert!(clocks > 2000, "{clocks}");
    }
}
