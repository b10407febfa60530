//! Bad input: bindings that break a rule, packets of the wrong length.

use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;
use tmu_spec::binding::field;
use tmu_spec::{BeatsPerQuad, Binding, Features, LINE_BYTES, Record, RequestBeat};

/// The most beats of a packet that is too long; far more than any stage holds.
const MOST_BEATS: u32 = 40;

/// A beat of random bits as wide as the stream.
fn noise_beat(
    random: &mut ChaCha8Rng,
    beats_per_quad: BeatsPerQuad,
    is_binding: bool,
    last: bool,
) -> RequestBeat {
    let mut tdata = [0; BeatsPerQuad::One.tdata_bytes()];
    random.fill(&mut tdata[..]);
    RequestBeat::new(&tdata[..beats_per_quad.tdata_bytes()], is_binding, last)
}

/// Ways in which a packet can be of the wrong length.
pub(super) fn breakages(beats_per_quad: BeatsPerQuad) -> &'static [Breakage] {
    // One beat is too few only for a quad of two.
    if beats_per_quad == BeatsPerQuad::Two { &Breakage::CLASSIC } else { &Breakage::CLASSIC[1..] }
}

/// A packet of the wrong length. Behind its first beat `tuser` is what it happens to be.
pub(super) fn broken_packet(
    random: &mut ChaCha8Rng,
    beats_per_quad: BeatsPerQuad,
    breakage: Breakage,
) -> Packet {
    let is_binding = breakage == Breakage::BindingTooLong;
    let right = if is_binding { 1 } else { beats_per_quad.beats() };
    let length = match breakage {
        Breakage::QuadTooShort => 1,
        _ if random.random_ratio(1, 16) => random.random_range(right + 1..=MOST_BEATS),
        _ if random.random_ratio(1, 2) => right + random.random_range(1..=8),
        _ => right + 1,
    };
    let is_mixed = random.random_ratio(1, 3);
    let beat = |number| {
        let is_binding = is_binding ^ (is_mixed && number > 0 && random.random_ratio(1, 2));
        noise_beat(random, beats_per_quad, is_binding, number + 1 == length)
    };
    Packet { beats: (0..length).map(beat).collect(), request: Request::Broken(breakage) }
}

/// A binding's bits with one or more rules broken, most often one.
pub(super) fn break_binding(
    random: &mut ChaCha8Rng,
    record: Record,
    beats_per_quad: BeatsPerQuad,
    features: &Features,
) -> Record {
    loop {
        let broken = change_binding(random, record, beats_per_quad);
        if Binding::decode_for(broken, features).is_err() {
            return broken;
        }
    }
}

/// The binding with its texture past the window: by a line, by all but a line, or by something between.
fn past_the_window(random: &mut ChaCha8Rng, record: Record) -> Record {
    let Ok(binding) = Binding::decode(record) else { return record };
    let last = Binding::last_base(binding.texture());
    let lines = binding.texture().bytes() / LINE_BYTES - 1;
    let over = match random.random_range(0..3) {
        0 => 1,
        1 => lines,
        _ => random.random_range(0..=lines),
    };
    record.with(field::BASE, last + over * LINE_BYTES)
}

/// Most of these break a rule.
fn change_binding(random: &mut ChaCha8Rng, record: Record, beats_per_quad: BeatsPerQuad) -> Record {
    let highest = beats_per_quad.tdata_bits().min(field::WORD_BITS);
    let any = |random: &mut ChaCha8Rng, values: Range<u128>| random.random_range(values) as u32;
    match random.random_range(0..9) {
        0 => record.with_word(0, |word| word | 1 << [31, 54, 55, 60, 61, 63][random.random_range(0..6)]),
        1 => record.with_word(0, |word| word | 1 << random.random_range(63..highest)),
        2 => record.with(field::FORMAT, any(random, 4..256)),
        3 => record.with(field::WIDTH_LOG2, any(random, 12..16)),
        4 => record.with(field::HEIGHT_LOG2, any(random, 12..16)),
        5 => record.with(field::MAX_LOD, any(random, 0..16)),
        6 => record.with(field::BASE, record.get(field::BASE) | any(random, 1..16)),
        7 => past_the_window(random, record),
        // Any bits at all.
        _ if random.random_ratio(1, 4) => Record::from_first_word(random.random()),
        _ => record.with([field::ADDRESS_U, field::ADDRESS_V][random.random_range(0..2)], 3),
    }
}
