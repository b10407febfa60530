//! `store_switch`: packets of the stream and of the port come out whole, in their order, each once; offers stay, and neither side starves.

use crate::general_support::changed;
use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::sampler::store_switch::{STORE_BEAT_BITS, StoreSwitch};
use tmu_spec::Config;
use tmu_spec::general::field::WORDS;
use tmu_stages::{Check, Flow, Rig};

/// Quads of two beats, and of one that is wider than a binding.
pub(crate) fn config(one_beat: bool) -> Config {
    let wide = if one_beat { "[request]\nbeats_per_quad = 1\n[datapath]\npixels_per_clock = 4" } else { "" };
    changed("switched", &format!("[texture]\nstore_entries = 64\n[control]\nstore_port = true\n{wide}"))
}

/// A beat as bits, with its mark in the lowest ones.
#[derive(Clone, Debug)]
struct Beat {
    bits: Value,
}

/// Beats of a packet of one side, marked with its number, in `width` bits behind which its flags stand.
fn packet(check: &mut Check, width: usize, beats: usize, is_port: bool) -> Vec<Beat> {
    let beat = |place: usize, check: &mut Check| {
        // The lowest bit says whose it is.
        let noise = Value::from_u128(width, check.rng.random::<u128>() & !1 | u128::from(is_port));
        let (last, is_binding) = (place + 1 == beats, is_port || check.rng.random());
        let flags = if is_port {
            number(1, u64::from(last))
        } else {
            cat(&[number(1, u64::from(last)), number(1, u64::from(is_binding))])
        };
        let bits = cat(&[flags, Bits::constant(noise)]);
        Beat { bits: bits.value() }
    };
    (0..beats).map(|place| beat(place, check)).collect()
}

/// A side that sends packets.
#[derive(Default)]
struct Sender {
    beats: VecDeque<Beat>,
    offers: bool,
    sent: usize,
}

impl Sender {
    /// Whether it offers a beat in this clock: what was offered stays.
    fn offers(&mut self, check: &mut Check, one_in: u32) -> bool {
        self.offers = !self.beats.is_empty() && (self.offers || check.one_in(one_in));
        self.offers
    }

    fn moves(&mut self) -> Option<Beat> {
        self.offers = false;
        self.sent += 1;
        self.beats.pop_front()
    }
}

#[test]
pub(crate) fn store_switch() {
    for (one_beat, stream_in, port_in, takes_in) in
        [(false, 1, 1, 1), (false, 2, 8, 2), (true, 1, 3, 3), (true, 6, 1, 1), (true, 1, 1, 1)]
    {
        of(one_beat, stream_in, port_in, takes_in);
    }
}

/// A run in which each side moves once in so many clocks.
fn of(one_beat: bool, stream_in: u32, port_in: u32, takes_in: u32) {
    const CLOCKS: usize = 4000;
    let mut check = Check::new("store_switch");
    let config = config(one_beat);
    let mut rig = Rig::new("store_switch", StoreSwitch::new(&config));
    let width = config.request_tdata_bits() as usize;
    let (mut stream, mut port) = (Sender::default(), Sender::default());
    // What must come of each side, and of which side the packet is that comes.
    let mut owed: [Flow<Value>; 2] = Default::default();
    let mut inside: Option<usize> = None;
    let mut shown: Option<Value> = None;
    // Clocks in which nothing moves, and packets of each side while the other one waits with one.
    let (mut waits, mut most_waits, mut in_a_row) = (0, 0, [0; 2]);
    for clock in 0..CLOCKS + 200 {
        let draining = clock >= CLOCKS;
        if stream.beats.len() < 4 && !draining {
            let beats = check.pick(&[1, 1, 2, 2, 5, 7]);
            stream.beats.extend(packet(&mut check, width, beats, false));
        }
        if port.beats.len() < 4 && !draining {
            port.beats.extend(packet(&mut check, STORE_BEAT_BITS - 1, WORDS, true));
        }
        let (stream_in, port_in, takes_in) =
            if draining { (1, 1, 1) } else { (stream_in, port_in, takes_in) };
        for (side, sender, every) in [(&rig.stream, &mut stream, stream_in), (&rig.port, &mut port, port_in)]
        {
            let offers = sender.offers(&mut check, every);
            side.valid.drive(offers);
            if let (true, Some(beat)) = (offers, sender.beats.front()) {
                side.data.drive(Bits::constant(beat.bits));
            }
        }
        let takes = check.one_in(takes_in);
        rig.output.ready.drive(takes);
        rig.settle();
        if stream.offers && is_high(rig.stream.ready.val()) {
            let beat = stream.moves().expect("it is offered");
            owed[0].put(beat.bits);
        }
        if port.offers && is_high(rig.port.ready.val()) {
            let beat = port.moves().expect("it is offered");
            let word = Bits::constant(beat.bits);
            let tdata = word.low(STORE_BEAT_BITS - 1).zero_extend(width);
            owed[1].put(cat(&[word.high(1), number(1, 1u64), tdata]).value());
        }
        let offers = is_high(rig.output.valid.val());
        let data = rig.output.data.val().value();
        if let Some(shown) = &shown {
            check.holds(offers && data == *shown, "what is offered stays until it is taken");
        }
        shown = (offers && !takes).then_some(data);
        if offers && takes {
            // A packet that begins is of the side whose first beat it shows: all later beats must be that side's, too.
            let is_port = inside.unwrap_or_else(|| {
                let begins = usize::from(is_port(&rig));
                in_a_row[begins] += 1;
                in_a_row[1 - begins] = 0;
                begins
            });
            let expected = owed[is_port].next(&mut check);
            check.same(format_args!("a beat of side {is_port}"), data, expected);
            let last = is_high(Bits::constant(data).high(1));
            inside = (!last).then_some(is_port);
            waits = 0;
        } else {
            waits += usize::from(takes && (stream.offers || port.offers));
            most_waits = most_waits.max(waits);
        }
        for (side, other) in [&port, &stream].into_iter().enumerate() {
            in_a_row[side] = if other.offers { in_a_row[side] } else { 0 };
            check.holds(in_a_row[side] < 4, format_args!("side {side} goes on, and the other one waits"));
        }
        rig.tick();
    }
    owed.iter().for_each(|side| side.is_done(&mut check));
    check.holds(stream.beats.is_empty() && port.beats.is_empty(), "everything was taken");
    // A slow side is waited for in the middle of its packet, and nothing else.
    if stream_in == 1 && port_in == 1 {
        check.holds(most_waits < 4, format_args!("{most_waits} clocks in which nothing moves"));
    }
    let least = CLOCKS / 40;
    check.holds(
        stream.sent > least && port.sent > least,
        format_args!("{} and {} beats", stream.sent, port.sent),
    );
    check.at_least(2 * least as u64);
}

/// Whether the beat that is shown is one of the port.
fn is_port(rig: &Rig<StoreSwitch>) -> bool {
    is_high(rig.output.data.val().low(1))
}
