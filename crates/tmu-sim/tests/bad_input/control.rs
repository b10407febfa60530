//! The control port: addresses without a register, accesses in reset, commands under load, and counts that can
//! be checked by hand.

use crate::test_bench::{
    TestBench, binding, good_binding, on_each_bed, on_each_blocking_bed, quad_on, quads,
};
use std::collections::BTreeSet;
use tmu_model::CacheModel;
use tmu_rtl::system::registers::{self, Counter};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::kit::control::{Access, Answer};
use tmu_sim::kit::domain::Domain;
use tmu_spec::Format;

const OKAY: u8 = 0;
const SLVERR: u8 = 2;

fn access(test_bench: &mut TestBench, access: Access) -> Answer {
    test_bench.bench.access(access).unwrap()
}

fn read(test_bench: &mut TestBench, address: u32) -> Answer {
    access(test_bench, Access::Read { address })
}

fn write(test_bench: &mut TestBench, address: u32, data: u32, strobe: u8) -> Answer {
    access(test_bench, Access::Write { address, data, strobe })
}

#[test]
fn every_address_without_a_register_answers_slverr() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let name = test_bench.config.name().to_owned();
        let map = registers::map(&test_bench.config);
        let mapped: BTreeSet<_> = map.iter().map(|placed| placed.address).collect();
        for address in (0..1 << registers::ADDRESS_BITS).step_by(4) {
            let expected = if mapped.contains(&address) { OKAY } else { SLVERR };
            let got = read(test_bench, address);
            assert_eq!(got.response, expected, "{name}: read of {address:#x}");
            assert!(expected == OKAY || got.data == 0, "{name}: an unmapped read gives {:#x}", got.data);
            // No byte is chosen, so nothing changes.
            let written = write(test_bench, address, 0, 0);
            assert_eq!(written.response, expected, "{name}: write of {address:#x}");
        }
        test_bench.serves(&good_binding(), &quads(4), "accesses to every address");
    });
}

#[test]
fn registers_read_what_the_map_says_and_keep_what_is_not_theirs() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let name = test_bench.config.name().to_owned();
        // After a reset STATUS shows that the caches are being emptied.
        test_bench.bench.run_clocks(2 * u64::from(test_bench.config.cache().sets())).unwrap();
        for placed in registers::map(&test_bench.config) {
            let (address, register) = (placed.address, placed.register.name);
            assert_eq!(
                read(test_bench, address),
                Answer { data: placed.reset_value, response: OKAY },
                "{name}: {register}"
            );
            if placed.register.access == registers::Access::ReadOnly {
                assert_eq!(write(test_bench, address, u32::MAX, 15).response, OKAY);
                assert_eq!(
                    read(test_bench, address).data,
                    placed.reset_value,
                    "{name}: {register} was written"
                );
            }
        }
        // Byte by byte; bits below a page and above the port's address read 0.
        let [low, high] = [registers::WINDOW_BASE_LOW, registers::WINDOW_BASE_HIGH].map(|r| r.offset_bytes);
        for address in [low, high] {
            assert_eq!(write(test_bench, address, 0, 15).response, OKAY);
        }
        for (strobe, expected) in
            [(0b0000, 0), (0b0010, 0xf000), (0b1000, 0xff00_f000), (0b0101, 0xffff_f000)]
        {
            write(test_bench, low, u32::MAX, strobe);
            assert_eq!(read(test_bench, low).data, expected, "{name}: strobes {strobe:04b}");
        }
        write(test_bench, high, u32::MAX, 15);
        let above = ((1u64 << test_bench.config.axi().address_bits()) - 1) >> 32;
        assert_eq!(u64::from(read(test_bench, high).data), above, "{name}");
    });
}

/// Addresses one behind the other, reads beside writes: each has its own answer, and writes take effect in their order.
#[test]
fn overlapping_accesses_are_answered_one_by_one() {
    const NOWHERE: u32 = (1 << registers::ADDRESS_BITS) - 4;
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let name = test_bench.config.name().to_owned();
        let low = registers::WINDOW_BASE_LOW.offset_bytes;
        let (id, okay) = (registers::ID.offset_bytes, Answer { data: 0, response: OKAY });
        let refused = Answer { data: 0, response: SLVERR };
        let page = |number: u32| number << 12;
        // With what must come back, but for reads of what changes meanwhile.
        let round = |number: u32| {
            [
                (Access::Write { address: low, data: page(number), strobe: 15 }, Some(okay)),
                (Access::Read { address: id }, Some(Answer { data: registers::ID_VALUE, response: OKAY })),
                (Access::Write { address: NOWHERE, data: 1, strobe: 15 }, Some(refused)),
                (Access::Read { address: low }, None),
                (Access::Read { address: NOWHERE }, Some(refused)),
                (Access::Write { address: low, data: 0, strobe: 0 }, Some(okay)),
                (Access::Read { address: low }, None),
            ]
        };
        let (accesses, expected): (Vec<_>, Vec<_>) = (1..=50).flat_map(round).unzip();
        let answers = test_bench.bench.overlapping(&accesses).unwrap();
        let mut pages = vec![0];
        for ((access, got), expected) in accesses.iter().zip(&answers).zip(expected) {
            match expected {
                Some(expected) => assert_eq!(*got, expected, "{name}: {access:?}"),
                None => pages.push(got.data),
            }
        }
        assert!(pages.is_sorted(), "{name}: a write was lost or came late: {pages:x?}");
        assert_eq!(read(test_bench, low), Answer { data: page(50), response: OKAY }, "{name}");
    });
}

#[test]
fn the_window_base_moves_every_read() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        for base in [0x12_3456_7000u64, 0] {
            test_bench.bench.write_register(registers::WINDOW_BASE_LOW.offset_bytes, base as u32).unwrap();
            test_bench
                .bench
                .write_register(registers::WINDOW_BASE_HIGH.offset_bytes, (base >> 32) as u32)
                .unwrap();
            test_bench.bench.set_window_base(base);
            test_bench.bench.invalidate().unwrap();
            test_bench.serves(&good_binding(), &quads(10), "the window has moved");
        }
    });
}

#[test]
fn accesses_while_the_units_are_in_reset_answer_slverr() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let id = registers::ID.offset_bytes;
        test_bench.bench.assert_reset(Domain::Tmu);
        test_bench.bench.run_clocks(40).unwrap();
        assert_eq!(read(test_bench, id).response, SLVERR, "{}", test_bench.config.name());
        assert_eq!(write(test_bench, id, 0, 15).response, SLVERR, "{}", test_bench.config.name());
        test_bench.bench.release_reset(Domain::Tmu);
        test_bench.bench.run_clocks(60).unwrap();
        assert_eq!(
            read(test_bench, id),
            Answer { data: registers::ID_VALUE, response: OKAY },
            "{}",
            test_bench.config.name()
        );
        test_bench.serves(&good_binding(), &quads(4), "accesses in reset");
    });
}

/// Memory changes: the old lines are answered until the caches are dropped, the new ones from then on.
#[test]
fn an_invalidation_shows_what_memory_holds_now() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let quads = quads(6);
        test_bench.serves(&good_binding(), &quads, "power-on");
        let old = test_bench.golden(&quads);
        let read_before = test_bench.lines_read();
        test_bench.set_contents(TextureMemory::noise(7));
        test_bench.bind(&good_binding());
        if test_bench.config.cache().lines() > 1000 {
            test_bench.sample(&quads);
            assert_eq!(test_bench.answers(), old, "the cache holds all lines, so the change is not seen yet");
            assert_eq!(test_bench.lines_read(), read_before);
        }
        test_bench.bench.invalidate().unwrap();
        test_bench.serves(&good_binding(), &quads, "an invalidation");
        assert!(test_bench.golden(&quads) != old && test_bench.lines_read() > read_before);
        // The binding's own bit does the same.
        test_bench.set_contents(TextureMemory::noise(8));
        test_bench.serves(&good_binding().with_drop_cache(true), &quads, "a binding that drops the cache");
        // So it does when another binding follows at once.
        test_bench.set_contents(TextureMemory::noise(9));
        test_bench.bind(&good_binding().with_drop_cache(true));
        test_bench.serves(&good_binding(), &quads, "a binding behind one that drops the cache");
    });
}

/// What was looked up last may be answered again without a look-up, but not when the caches have been emptied in between.
#[test]
fn a_texel_is_read_again_right_behind_an_invalidation() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let nearest = binding(0x4_0000, Format::Rgba8, 5, 4, false);
        let quad = [quad_on(&nearest, 3, 2, 15)];
        test_bench.serves(&nearest, &quad, "power-on");
        test_bench.set_contents(TextureMemory::noise(7));
        test_bench.bench.invalidate().unwrap();
        test_bench.serves(&nearest, &quad, "an invalidation");
        test_bench.set_contents(TextureMemory::noise(8));
        test_bench.serves(&nearest.with_drop_cache(true), &quad, "a binding that drops the cache");
    });
}

#[test]
fn invalidations_under_load_change_no_result() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let quads = quads(40);
        test_bench.bind(&good_binding());
        let golden = test_bench.golden(&quads);
        test_bench.bench.run_clocks(200).unwrap();
        for steps in (0..600).step_by(23) {
            test_bench.sample(&quads);
            for _ in 0..steps {
                test_bench.bench.step().unwrap();
            }
            // Twice: the second one comes while the first is done or still under way.
            test_bench
                .bench
                .write_register(registers::CONTROL.offset_bytes, registers::CONTROL_CACHE_INVALIDATE.place(1))
                .unwrap();
            test_bench.bench.invalidate().unwrap();
            assert!(test_bench.bench.busy() || steps > 300, "the load is over before the invalidation");
            assert_eq!(
                test_bench.answers(),
                golden,
                "{}: invalidation after {steps} edges",
                test_bench.config.name()
            );
        }
    });
}

/// The counts of a run are those of the golden model's cache.
#[test]
fn counters_count_what_the_golden_model_does() {
    on_each_blocking_bed(&TextureMemory::noise(6), |test_bench| {
        // Small enough for both caches, so that no line is thrown out.
        let texture = binding(0x7_0000, Format::Rgba8, 3, 2, true);
        let mut quads = quads(50);
        quads.push(quad_on(&texture, 3, 1, 0));
        test_bench.serves(&texture, &quads, "power-on");
        let mut cache = CacheModel::new(test_bench.config.cache());
        for line in quads.iter().flat_map(|quad| test_bench.lines(quad)) {
            cache.lookup(line, 0);
        }
        let counts = cache.counts();
        assert!(counts.repeats > 100 && counts.hits > 100 && counts.misses == 8, "{counts:?}");
        let pixels: u32 = quads.iter().map(|quad| quad.valid().count_ones()).sum();
        for (counter, expected) in [
            (Counter::Quads, quads.len() as u64),
            (Counter::ValidPixels, pixels.into()),
            (Counter::LineLookups, counts.lookups),
            (Counter::LineRepeats, counts.repeats),
            (Counter::Hits, counts.hits),
            (Counter::Misses, counts.misses),
            (Counter::MemoryBeats, counts.misses),
            (Counter::DroppedPackets, 0),
        ] {
            assert_eq!(
                u64::from(test_bench.count(counter)),
                expected,
                "{}: {counter:?}",
                test_bench.config.name()
            );
        }
        let stalls = test_bench.count(Counter::StallCycles);
        let least = counts.misses as u32 * crate::test_bench::LATENCY_CLOCKS;
        assert!((least..20 * least).contains(&stalls), "{stalls} clocks of waiting for 8 lines");
        test_bench.bench.soft_reset().unwrap();
        assert_eq!(test_bench.count(Counter::Quads), 0, "a reset clears the counts");
    });
}

/// Units that all want memory get it in turn.
#[test]
fn no_unit_starves() {
    on_each_bed(&TextureMemory::noise(6), |test_bench| {
        let units = test_bench.bench.units();
        let quads = quads(300);
        for unit in 0..units {
            test_bench.unit = unit;
            test_bench.bind(&binding(0x10_0000 * unit as u32, Format::Rgba8, 8, 8, true));
            test_bench.sample(&quads);
        }
        while (0..units).all(|unit| test_bench.bench.answered(unit) < 300) {
            test_bench.bench.step().unwrap();
        }
        let answered: Vec<_> = (0..units).map(|unit| test_bench.bench.answered(unit)).collect();
        assert!(answered.iter().all(|count| *count > 250), "{}: {answered:?}", test_bench.config.name());
    });
}
