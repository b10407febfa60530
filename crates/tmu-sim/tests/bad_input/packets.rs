//! Packets of the wrong length: dropped up to their `tlast`, counted, and the stream goes on in step.

use crate::test_bench::{TestBench, good_binding, on_each_bed, quads};
use tmu_rtl::system::registers::{Counter, ERROR, ERROR_PACKET_LENGTH};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::streams::request::{Breakage, Packet, Request};
use tmu_sim::kit::control::Access;
use tmu_spec::binding::field;
use tmu_spec::{BindingRule, Quad, Record, RequestBeat};

/// A binding whose base is no multiple of a line.
fn off_its_line() -> Record {
    let good = good_binding();
    good.record().with(field::BASE, good.base() | 1)
}

/// A packet of some beats of one kind, all but the last without `tlast`.
fn packet(test_bench: &TestBench, is_binding: bool, beats: u32) -> Packet {
    let width = test_bench.config.request().beats_per_quad().tdata_bytes();
    // A binding's first beat by itself would be legal and bind another texture.
    let mut first = [0; 33];
    if is_binding {
        let good = good_binding();
        let other = good.record().with(field::BASE, good.base() ^ 0x20_0000);
        first[..16].copy_from_slice(&other.words()[0].to_le_bytes());
    } else {
        first = [0xa5; 33];
    }
    let beat = |number| RequestBeat::new(&first[..width], is_binding, number + 1 == beats);
    let breakage = match test_bench.config.request().beats_per_quad().beats() {
        _ if is_binding => Breakage::BindingTooLong,
        right if beats < right => Breakage::QuadTooShort,
        _ => Breakage::QuadTooLong,
    };
    Packet { beats: (0..beats).map(beat).collect(), request: Request::Broken(breakage) }
}

/// Sends wrong packets between good quads: the quads are answered as if there were none.
fn dropped(is_binding: bool, lengths: impl Fn(u32) -> Vec<u32>) {
    on_each_bed(&TextureMemory::noise(4), |test_bench| {
        let name = test_bench.config.name().to_owned();
        let quads = quads(6);
        let before = test_bench.count(Counter::DroppedPackets);
        let lengths = lengths(test_bench.config.request().beats_per_quad().beats());
        for beats in &lengths {
            test_bench.bind(&good_binding());
            let wrong = packet(test_bench, is_binding, *beats);
            test_bench.send(wrong.clone());
            test_bench.sample(&quads[..3]);
            test_bench.send(wrong.clone());
            test_bench.send(wrong);
            test_bench.sample(&quads[3..]);
            assert_eq!(
                test_bench.answers(),
                test_bench.golden(&quads),
                "{name}: {beats} beats, binding {is_binding}"
            );
            assert_eq!(test_bench.take_errors(), ERROR_PACKET_LENGTH.mask(), "{name}: {beats} beats");
        }
        let after = test_bench.count(Counter::DroppedPackets);
        assert_eq!(after - before, 3 * lengths.len() as u32, "{name}: packets dropped");
    });
}

#[test]
fn quads_that_end_late() {
    dropped(false, |right| (right + 1..right + 6).chain([33, 34]).collect());
}

#[test]
fn quads_that_end_early() {
    // Only a quad of two beats can.
    dropped(false, |right| (1..right).collect());
}

/// The binding in force stays, and the wrong one's bits are not looked at.
#[test]
fn bindings_that_end_late() {
    dropped(true, |_| (2..8).chain([33]).collect());
}

#[test]
fn a_wrong_packet_that_ends_behind_a_pause() {
    on_each_bed(&TextureMemory::noise(4), |test_bench| {
        let quads: Vec<Quad> = quads(4);
        test_bench.bind(&good_binding());
        let wrong = packet(test_bench, false, 9);
        let (first, rest) = wrong.beats.split_at(4);
        test_bench.send(Packet { beats: first.to_vec(), ..wrong.clone() });
        test_bench.bench.run_clocks(300).unwrap();
        test_bench.send(Packet { beats: rest.to_vec(), ..wrong.clone() });
        test_bench.sample(&quads);
        assert_eq!(test_bench.answers(), test_bench.golden(&quads), "{}", test_bench.config.name());
        assert_eq!(test_bench.take_errors(), ERROR_PACKET_LENGTH.mask());
        assert_eq!(test_bench.count(Counter::DroppedPackets), 1);
    });
}

/// A long run of nothing but wrong packets keeps the unit in step.
#[test]
fn many_wrong_packets_in_a_row() {
    on_each_bed(&TextureMemory::noise(4), |test_bench| {
        let right = test_bench.config.request().beats_per_quad().beats();
        let mut count = 0;
        for number in 0..200 {
            let is_binding = number % 3 == 0;
            let beats = if is_binding { 2 + number % 4 } else { right + 1 + number % 5 };
            let wrong = packet(test_bench, is_binding, beats);
            test_bench.send(wrong);
            count += 1;
        }
        test_bench.serves(&good_binding(), &quads(5), "200 wrong packets");
        assert_eq!(test_bench.take_errors(), ERROR_PACKET_LENGTH.mask());
        assert_eq!(test_bench.count(Counter::DroppedPackets), count);
        // Wrong packets and bad bindings are told apart.
        test_bench.send(Packet::bind(off_its_line()));
        test_bench.sample(&quads(1));
        assert!(test_bench.answers()[0].error());
        assert_eq!(test_bench.take_errors(), u32::from(BindingRule::Base.mask()));
    });
}

/// Errors of both bytes of the register: each is cleared by the strobe of its own byte alone.
#[test]
fn errors_are_cleared_byte_by_byte() {
    on_each_bed(&TextureMemory::noise(4), |test_bench| {
        let (low, high) = (u32::from(BindingRule::Base.mask()), ERROR_PACKET_LENGTH.mask());
        for (strobes, left) in [([0b1100, 0b0001], high), ([0b1101, 0b0010], 0), ([0b1110, 0b0010], low)] {
            let too_long = packet(test_bench, true, 2);
            test_bench.send(too_long);
            test_bench.send(Packet::bind(off_its_line()));
            test_bench.sample(&quads(1));
            test_bench.answers();
            test_bench.bench.run_clocks(100).unwrap();
            let address = ERROR.offset_bytes;
            assert_eq!(test_bench.bench.read_register(address).unwrap(), low | high);
            for strobe in strobes {
                test_bench.bench.access(Access::Write { address, data: u32::MAX, strobe }).unwrap();
            }
            let name = test_bench.config.name().to_owned();
            assert_eq!(test_bench.take_errors(), left, "{name}: ERROR written with strobes {strobes:?}");
        }
    });
}
