//! Reads that fail: the line is not kept, every quad that needed it fails and no other, the address is held,
//! and the next read of the line tries again.

use crate::test_bench::{TestBench, binding, failed, good_binding, on_each_bed, quad_on, quads};
use tmu_rtl::system::registers::{ERROR_MEMORY_DECERR, ERROR_MEMORY_SLVERR};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::kit::memory::Fault;
use tmu_spec::config::CacheKind;
use tmu_spec::{Binding, Format, LINE_BYTES, Quad};

const FAULTS: [(Fault, u32); 2] =
    [(Fault::Subordinate, ERROR_MEMORY_SLVERR.mask()), (Fault::Decode, ERROR_MEMORY_DECERR.mask())];

fn noise() -> TextureMemory {
    TextureMemory::noise(2)
}

/// 8 x 8 texels of four bytes: 16 lines, each the row of a tile.
fn texture() -> Binding {
    binding(0x1_0000, Format::Rgba8, 3, 3, false)
}

/// The bus address of a line.
fn address_of(test_bench: &TestBench, line: u32) -> u64 {
    test_bench.config.axi().window_base() + u64::from(line * LINE_BYTES)
}

/// The one line of a quad whose pixels lie on one texel.
fn line_of(test_bench: &TestBench, quad: &Quad) -> u32 {
    let lines = test_bench.lines(quad);
    assert!(lines.iter().all(|line| *line == lines[0]));
    lines[0]
}

/// Runs a test for both answers, on each bench.
fn on_each_fault(test: impl Fn(&mut TestBench, Fault, u32)) {
    for (fault, bit) in FAULTS {
        on_each_bed(&noise(), |test_bench| test(test_bench, fault, bit));
    }
}

#[test]
fn a_line_that_fails_is_not_kept_and_tried_again() {
    on_each_fault(|test_bench, fault, bit| {
        let [bad, good] = [quad_on(&texture(), 1, 2, 15), quad_on(&texture(), 6, 5, 9)];
        test_bench.bind(&texture());
        let line = line_of(test_bench, &bad);
        let mut contents = noise();
        contents.fail(line, fault);
        test_bench.set_contents(contents);
        test_bench.bind(&texture());
        // The failing line alone, after itself, around another one, and after it.
        let order = [bad, bad, good, bad, good, good, bad];
        test_bench.sample(&order);
        let of_good = test_bench.golden(&[good])[0];
        let expected = order.map(|quad| if quad == bad { failed(&[bad])[0] } else { of_good });
        assert_eq!(test_bench.answers(), expected, "{} with {fault:?}", test_bench.config.name());
        // Four pixels of each bad quad try one by one, the good line is read once. Where the cache reads ahead, those
        // that look the tile up before the answer is there share its fate, and both tiles go with it.
        let is_blocking = test_bench.config.cache().kind() == CacheKind::Blocking;
        let read = test_bench.lines_read();
        let may_have_read = if is_blocking { 4 * 4 + 1..=4 * 4 + 1 } else { 2 * 4..=5 * 4 };
        assert!(may_have_read.contains(&read), "{}: {read} lines", test_bench.config.name());
        assert_eq!(test_bench.error_address(), address_of(test_bench, line));
        assert_eq!(test_bench.take_errors(), bit);

        test_bench.set_contents(noise());
        test_bench.serves(&texture(), &[bad, bad, good], "the line has healed");
        let anew = if is_blocking { 1 } else { 2 * 4 };
        assert_eq!(test_bench.lines_read(), read + anew, "the healed line is read once and kept");
        assert_eq!(test_bench.take_errors(), 0);
    });
}

#[test]
fn the_first_failing_address_is_held_until_the_errors_are_cleared() {
    on_each_fault(|test_bench, fault, bit| {
        test_bench.bind(&texture());
        let quads =
            [quad_on(&texture(), 0, 0, 1), quad_on(&texture(), 5, 0, 1), quad_on(&texture(), 0, 6, 1)];
        let lines = quads.map(|quad| line_of(test_bench, &quad));
        let other = FAULTS.into_iter().find(|(other, _)| *other != fault).unwrap();
        let mut contents = noise();
        contents.fail(lines[0], fault);
        contents.fail(lines[1], other.0);
        contents.fail(lines[2], fault);
        test_bench.set_contents(contents);
        test_bench.sample(&quads[..2]);
        assert_eq!(test_bench.answers(), failed(&quads[..2]));
        assert_eq!(
            test_bench.error_address(),
            address_of(test_bench, lines[0]),
            "{}: the first",
            test_bench.config.name()
        );
        assert_eq!(test_bench.take_errors(), bit | other.1, "both kinds were met");
        assert_eq!(
            test_bench.error_address(),
            address_of(test_bench, lines[0]),
            "clearing leaves the address"
        );
        test_bench.sample(&quads[2..]);
        assert_eq!(test_bench.answers(), failed(&quads[2..]));
        assert_eq!(
            test_bench.error_address(),
            address_of(test_bench, lines[2]),
            "{}: the next",
            test_bench.config.name()
        );
        assert_eq!(test_bench.take_errors(), bit);
    });
}

/// One tap of one pixel is enough to fail a quad, and all its pixels are 0 then.
#[test]
fn a_quad_fails_with_any_of_its_lines() {
    on_each_fault(|test_bench, fault, bit| {
        let texture = binding(0x2_0000, Format::Rgba8, 4, 4, true);
        test_bench.bind(&texture);
        let quads = quads(12);
        let touched: Vec<_> = quads.iter().map(|quad| test_bench.lines(quad)).collect();
        let mut lines: Vec<_> = touched.iter().flatten().copied().collect();
        lines.sort_unstable();
        lines.dedup();
        let (mut fails, mut passes) = (0, 0);
        for line in lines {
            let mut contents = noise();
            contents.fail(line, fault);
            test_bench.set_contents(contents);
            // What the cache holds would hide the fault.
            test_bench.bind(&texture.with_drop_cache(true));
            test_bench.sample(&quads);
            let expected: Vec<_> = std::iter::zip(&quads, &touched)
                .map(|(quad, lines)| {
                    let hit = lines.contains(&line);
                    if hit { failed(&[*quad])[0] } else { test_bench.golden(&[*quad])[0] }
                })
                .collect();
            fails += expected.iter().filter(|result| result.error()).count();
            passes += expected.iter().filter(|result| !result.error()).count();
            assert_eq!(
                test_bench.answers(),
                expected,
                "{} with {fault:?} of line {line:#x}",
                test_bench.config.name()
            );
            assert_eq!(test_bench.error_address(), address_of(test_bench, line));
            assert_eq!(test_bench.take_errors(), bit);
        }
        assert!(fails > 20 && passes > 20, "{fails} quads failed, {passes} passed");
    });
}

/// A texel of three bytes may lie across two lines and needs both.
#[test]
fn a_texel_across_two_lines_fails_with_either() {
    on_each_fault(|test_bench, fault, _| {
        if !test_bench.config.features().has_format(Format::Rgb8) {
            return;
        }
        let texture = binding(0x3_0000, Format::Rgb8, 3, 3, false);
        test_bench.bind(&texture);
        // Texel 5 of a tile has bytes 15 to 17; texels 4 and 6 lie in one line each.
        let [before, across, behind] = [0, 1, 2].map(|x| quad_on(&texture, x, 1, 1));
        let both = test_bench.lines(&across);
        assert_eq!(both.len(), 2);
        for (line, fails) in [(both[0], [true, true, false]), (both[1], [false, true, true])] {
            let mut contents = noise();
            contents.fail(line, fault);
            test_bench.set_contents(contents);
            test_bench.bind(&texture.with_drop_cache(true));
            let quads = [before, across, behind];
            test_bench.sample(&quads);
            let golden = test_bench.golden(&quads);
            let got = test_bench.answers();
            assert_eq!(got, golden);
            assert_eq!(got.iter().map(|result| result.error()).collect::<Vec<_>>(), fails);
        }
    });
}

/// An entry of the colour table that could not be read fails the quads that use it, and only those.
#[test]
fn an_entry_of_the_color_table_that_fails() {
    on_each_fault(|test_bench, fault, bit| {
        let texture = binding(0x5_0000, Format::I8Rgb8, 3, 3, false);
        // Texel t of a tile has index 16 + t in the first, 32 + t in the second one.
        let mut image = vec![0; texture.texture().bytes() as usize];
        let table = Format::I8Rgb8.color_table_bytes() as usize;
        for (at, byte) in image[..table].iter_mut().enumerate() {
            *byte = (at * 11) as u8;
        }
        let level = texture.texture().texel_byte_offset(0, 0, 0) as usize;
        for texel in 0..64 {
            image[level + texel] = 16 + texel as u8;
        }
        let mut contents = TextureMemory::noise(3);
        contents.place(texture.base(), image);
        // Bytes 48 to 63 of the table: entries 16 to 20, and the first byte of 21.
        let line = texture.base() / LINE_BYTES + 3;
        contents.fail(line, fault);
        test_bench.set_contents(contents.clone());
        test_bench.bind(&texture);
        let quads: Vec<_> =
            (0..8).map(|x| quad_on(&texture, x, 0, 3)).chain([quad_on(&texture, 1, 1, 3)]).collect();
        test_bench.sample(&quads);
        let got = test_bench.answers();
        assert_eq!(got, test_bench.golden(&quads));
        let errors: Vec<_> = got.iter().map(|result| result.error()).collect();
        // Columns 0 to 3 of row 0 have indices 16 to 19, columns 4 to 7 lie in the next tile; row 1 has 21.
        assert_eq!(errors, [true, true, true, true, false, false, false, false, true]);
        assert_eq!(test_bench.error_address(), address_of(test_bench, line));
        assert_eq!(test_bench.take_errors(), bit);
        contents.heal(line);
        test_bench.set_contents(contents);
        test_bench.serves(&texture, &quads, "the table has healed and is bound again");
    });
}

#[test]
fn a_unit_does_not_fail_with_another_units_line() {
    on_each_fault(|test_bench, fault, _| {
        if test_bench.bench.units() < 2 {
            return;
        }
        let mut contents = noise();
        for line in 0..64 {
            contents.fail(0x1_0000 / LINE_BYTES + line, fault);
        }
        test_bench.set_contents(contents);
        let quads = quads(20);
        for (unit, binding) in [(0, texture()), (1, good_binding())] {
            test_bench.unit = unit;
            test_bench.bind(&binding);
            test_bench.sample(&quads);
        }
        let of_good = test_bench.golden(&quads);
        assert_eq!(test_bench.answers(), of_good, "unit 1 reads good lines");
        test_bench.unit = 0;
        assert_eq!(test_bench.answers(), failed(&quads), "unit 0 reads lines that fail");
    });
}
