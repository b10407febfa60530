//! Bindings that break a rule: their quads return 0 with the error bit, no memory is read, the status says
//! which rule.

use crate::test_bench::{TestBench, binding, failed, good_binding, on_each_bed, quad_on, quads};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::streams::request::{Packet, Request};
use tmu_spec::binding::field;
use tmu_spec::{Binding, BindingRule, Format, Record, RequestBeat, Texture};

/// Sends a bad binding with quads behind it, and checks all that comes of it.
fn refused(test_bench: &mut TestBench, packet: Packet, rules: u8, what: &str) {
    let name = test_bench.config.name().to_owned();
    let quads = quads(3);
    let before = test_bench.lines_read();
    test_bench.send(packet);
    test_bench.sample(&quads);
    assert_eq!(test_bench.answers(), failed(&quads), "{name}: {what}");
    assert_eq!(test_bench.take_errors(), u32::from(rules), "{name}: rules of {what}");
    assert_eq!(test_bench.lines_read(), before, "{name}: memory was read under {what}");
    test_bench.serves(&good_binding(), &quads, what);
}

/// Sends bad bindings one after the other, each of which breaks one rule.
fn each_refused(rule: BindingRule, cases: impl Fn(&TestBench) -> Vec<Record>) {
    on_each_bed(&TextureMemory::noise(1), |test_bench| {
        let cases = cases(test_bench);
        assert!(!cases.is_empty());
        for record in cases {
            refused(test_bench, Packet::bind(record), rule.mask(), &format!("binding {record:#x}"));
        }
    });
}

fn good() -> Record {
    good_binding().record()
}

/// The good binding with another size.
fn of_size(width_log2: u32, height_log2: u32) -> Record {
    good().with(field::WIDTH_LOG2, width_log2).with(field::HEIGHT_LOG2, height_log2)
}

#[test]
fn each_reserved_format() {
    each_refused(BindingRule::Format, |_| (4..256).map(|code| good().with(field::FORMAT, code)).collect());
}

#[test]
fn each_format_that_is_not_built() {
    on_each_bed(&TextureMemory::noise(1), |test_bench| {
        let features = *test_bench.config.features();
        for format in Format::CLASSIC.into_iter().filter(|format| !features.has_format(*format)) {
            let record = binding(0x4_0000, format, 3, 3, false).record();
            refused(
                test_bench,
                Packet::bind(record),
                BindingRule::Format.mask(),
                &format!("format {format}"),
            );
        }
    });
}

/// Up to the top of `tdata`, where no other test reaches.
#[test]
fn each_reserved_bit() {
    on_each_bed(&TextureMemory::noise(1), |test_bench| {
        let top = test_bench.config.request().beats_per_quad().tdata_bits();
        for bit in [31, 54, 55, 60, 61].into_iter().chain(63..top) {
            let mut tdata = [0; 33];
            tdata[..16].copy_from_slice(&good().words()[0].to_le_bytes());
            tdata[bit as usize / 8] |= 1 << (bit % 8);
            let beat = RequestBeat::new(&tdata, true, true);
            let record = Record::from_beats(&[beat]).unwrap();
            let packet = Packet { beats: vec![beat], request: Request::Bind(record) };
            refused(test_bench, packet, BindingRule::ReservedBits.mask(), &format!("reserved bit {bit}"));
        }
    });
}

#[test]
fn each_size_over_the_largest() {
    each_refused(BindingRule::Size, |test_bench| {
        let over = test_bench.config.features().max_size_log2() + 1..16;
        let (width, height) = (good().get(field::WIDTH_LOG2), good().get(field::HEIGHT_LOG2));
        let sizes = over.flat_map(|size| [(size, height), (width, size), (size, size)]);
        sizes.map(|(width, height)| of_size(width, height)).collect()
    });
}

#[test]
fn each_max_lod_over_the_chain() {
    each_refused(BindingRule::MaxLod, |_| {
        let sizes = [(0, 0), (1, 0), (3, 7), (8, 2)];
        let over = |(width, height): (u32, u32)| {
            let over = width.max(height) + 1..16;
            over.map(move |max_lod| of_size(width, height).with(field::MAX_LOD, max_lod))
        };
        sizes.into_iter().flat_map(over).collect()
    });
}

#[test]
fn each_unaligned_base() {
    each_refused(BindingRule::Base, |_| {
        (1..16).map(|low| good().with(field::BASE, good_binding().base() | low)).collect()
    });
}

/// Where a texture of some size may begin at the latest.
fn last_base(format: Format, width_log2: u32, height_log2: u32) -> u32 {
    Binding::last_base(&Texture::new(format, width_log2, height_log2, 0).unwrap())
}

/// Base 2^31 - 1024 with 256 x 256 texels, and of each format and of sizes of every kind the first base that is too high.
#[test]
fn each_texture_past_the_texture_window() {
    each_refused(BindingRule::Window, |test_bench| {
        let with = |base: u32, format: Format, width: u32, height: u32| {
            let code = format.code().into();
            of_size(width, height).with(field::MAX_LOD, 0).with(field::FORMAT, code).with(field::BASE, base)
        };
        let features = test_bench.config.features();
        let largest = features.max_size_log2();
        let sizes = (0..=largest).flat_map(|width| (0..=largest).map(move |height| (width, height)));
        let some = sizes.filter(|(width, height)| (width * 5 + height * 3) % 7 == 0 || width + height < 8);
        let first_past = |(width, height): (u32, u32)| {
            let of_format = move |format| with(last_base(format, width, height) + 16, format, width, height);
            features.formats().map(of_format).collect::<Vec<_>>()
        };
        [with((1 << 31) - 1024, Format::Rgba8, 8, 8)].into_iter().chain(some.flat_map(first_past)).collect()
    });
}

/// From the highest base that fits every level is sampled to the bit, up to the window's last line.
#[test]
fn a_texture_that_ends_with_the_texture_window() {
    on_each_bed(&TextureMemory::noise(7), |test_bench| {
        let features = *test_bench.config.features();
        let largest = features.max_size_log2();
        let mut reads_last_line = false;
        for format in features.formats() {
            for (width, height) in
                [(0, 0), (1, 0), (1, 1), (2, 2), (0, 4), (3, 6), (largest, 2), (8, 8), (largest, largest)]
            {
                let texture =
                    binding(last_base(format, width, height), format, width, height, features.bilinear());
                let mut quads = quads(12);
                quads.push(quad_on(&texture, (1 << width) - 1, (1 << height) - 1, 15));
                test_bench.serves(&texture, &quads, "textures at the end of the window");
                let last_line = (1 << 27) - 1;
                reads_last_line |= quads.iter().any(|quad| test_bench.lines(quad).contains(&last_line));
            }
        }
        assert!(reads_last_line, "{}: no quad reads the window's last line", test_bench.config.name());
        assert_eq!(test_bench.take_errors(), 0, "{}", test_bench.config.name());
    });
}

#[test]
fn address_modes_that_are_reserved_or_not_built() {
    each_refused(BindingRule::AddressMode, |test_bench| {
        let modes = tmu_spec::AddressMode::CLASSIC.into_iter();
        let not_built = modes.filter(|mode| !test_bench.config.features().has_address_mode(*mode));
        let codes: Vec<_> = not_built.map(|mode| mode.code().into()).chain([3]).collect();
        let fields = [field::ADDRESS_U, field::ADDRESS_V];
        codes.into_iter().flat_map(|code| fields.map(|field| good().with(field, code))).collect()
    });
}

#[test]
fn mipmapping_that_is_not_built() {
    on_each_bed(&TextureMemory::noise(1), |test_bench| {
        if !test_bench.config.features().mipmaps() {
            let packet = Packet::bind(good().with(field::MIPMAPPED, 1));
            refused(test_bench, packet, BindingRule::Feature.mask(), "mipmapping");
        }
    });
}

#[test]
fn all_rules_that_a_binding_breaks_are_named() {
    on_each_bed(&TextureMemory::noise(1), |test_bench| {
        let rules = [
            BindingRule::ReservedBits,
            BindingRule::Format,
            BindingRule::Size,
            BindingRule::Base,
            BindingRule::AddressMode,
        ];
        let mut mask = rules.iter().fold(0, |mask, rule| mask | rule.mask());
        if !test_bench.config.features().mipmaps() {
            mask |= BindingRule::Feature.mask();
        }
        // Sides and max_lod are all 15, so the chain is kept.
        refused(test_bench, Packet::bind(Record::from_first_word(u128::MAX)), mask, "all ones");
    });
}

#[test]
fn quads_before_the_first_binding() {
    on_each_bed(&TextureMemory::noise(1), |test_bench| {
        let quads = quads(5);
        test_bench.sample(&quads);
        assert_eq!(test_bench.answers(), failed(&quads));
        assert_eq!(
            (test_bench.take_errors(), test_bench.lines_read()),
            (0, 0),
            "no binding is no broken rule"
        );
        test_bench.serves(&good_binding(), &quads, "quads without a binding");
    });
}

/// A refused binding is in force like any other: the good one before it must not come back.
#[test]
fn a_bad_binding_between_quads_in_flight() {
    on_each_bed(&TextureMemory::noise(1), |test_bench| {
        let quads = quads(20);
        let mut expected = Vec::new();
        test_bench.bind(&good_binding());
        for some in quads.chunks(5) {
            test_bench.sample(some);
            expected.extend(test_bench.golden(some));
            test_bench.send(Packet::bind(good().with_word(0, |word| word | 1 << 63)));
            test_bench.sample(some);
            expected.extend(failed(some));
            test_bench.bind(&good_binding());
        }
        assert_eq!(test_bench.answers(), expected, "{}", test_bench.config.name());
        assert_eq!(test_bench.take_errors(), u32::from(BindingRule::ReservedBits.mask()));
    });
}
