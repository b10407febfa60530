//! `shade` of the pixel pipeline against `tmu_model::shader`: programs of every kind for quads of several states at once, damaged ones, and
//! how fast it is.

mod bench;

use crate::pixel_shade::component;
use bench::{ALONG_BITS, Bench, Loaded, Seen};
use rand::Rng;
use tmu_model::shader::{Pixel, Shaded};
use tmu_rtl::engines::pixel::shade::words::{ORDER_BITS, ShadeShape};
use tmu_shader::{HEADER_BYTES, Program, WORD_BYTES, read_text};
use tmu_stages::Check;
use tmu_testing::shaders::random_shader;

/// A pixel of which nothing has come.
fn untouched() -> Pixel {
    Pixel { coordinates: [[0.0; 4]; 6], colors: [[4096; 4], [0; 4]] }
}

/// Any four pixels, and the numbers of the values that come for them, in any order.
fn any_quad(check: &mut Check) -> ([Pixel; 4], Vec<u8>) {
    let mut pixels = [(); 4].map(|()| untouched());
    let kind = check.rng.random_range(0..4);
    let mut came: Vec<u8> = match kind {
        0 => vec![],
        1 => (0..32).collect(),
        2 => (0..4 * check.rng.random_range(1..=6)).collect(),
        _ => (0..32).filter(|_| check.one_in(2)).collect(),
    };
    if check.one_in(2) {
        for at in 1..came.len() {
            came.swap(at, check.rng.random_range(0..=at));
        }
    }
    for own in &came {
        let (set, at) = (usize::from(own / 4), usize::from(own % 4));
        for pixel in &mut pixels {
            match set {
                0..6 => pixel.coordinates[set][at] = component(check),
                _ => pixel.colors[set - 6][at] = check.rng.random_range(0..=4096),
            }
        }
    }
    (pixels, came)
}

fn program(text: &str) -> Program {
    read_text(text).unwrap_or_else(|refused| panic!("{text}: {refused}"))
}

/// The next of the random programs.
fn any_program(check: &mut Check) -> Program {
    program(&random_shader(check.rng.random(), |text| read_text(text).is_ok()))
}

fn along(check: &mut Check) -> u64 {
    check.rng.random_range(0..1 << ALONG_BITS)
}

/// What the random programs have.
const WORDS: [&str; 33] = [
    "mov",
    "add",
    "sub",
    "mul",
    "mad",
    "lrp",
    "dp3",
    "dp4",
    "cmp",
    "cnd",
    "bem",
    "texld",
    "texcrd",
    "texkill t",
    "texkill r",
    "texdepth",
    "phase",
    "def",
    "_x2",
    "_x8",
    "_d2",
    "_d8",
    "_sat",
    "_bias",
    "_bx2",
    "_dz",
    "_dw.xyw",
    "1-",
    ", -",
    "+",
    "v1",
    ".xyw",
    "texld r1, r",
];

/// Random programs, quads, pauses; slots are loaded anew all the time.
fn random(name: &str, shape: ShadeShape, programs: usize) {
    let mut check = Check::new(name);
    let mut bench = Bench::new(name, shape, 5);
    for turn in 0..programs {
        // All slots are in use before one of them is loaded again.
        let slot = if turn < shape.slots() { turn } else { check.rng.random_range(0..shape.slots()) };
        let program = any_program(&mut check);
        let loaded = Loaded::any(&mut check, program);
        bench.load(&mut check, slot, &loaded);
        bench.pause = check.pick(&[0, 2, 5, 20]);
        bench.wait_clocks = check.pick(&[0, 20, 200]);
        for _ in 0..check.rng.random_range(1..16) {
            let along = along(&mut check);
            if check.one_in(8) {
                bench.end(along);
            }
            let other = if turn < shape.slots() { slot } else { check.rng.random_range(0..shape.slots()) };
            let slot = if check.one_in(3) { other } else { slot };
            let (pixels, came) = any_quad(&mut check);
            bench.quad(slot, along, &pixels, &came);
        }
        bench.run_until(&mut check, |bench| bench.waiting() < 40);
    }
    bench.finish(&mut check);
    check.at_least(50 * programs as u64);
    let Seen { colors, kills, depths, errors, programs: texts } = &bench.seen;
    for (what, count) in [("kill", *kills), ("depth", *depths), ("error", *errors)] {
        check.holds(count > 0, format_args!("there is no {what}"));
    }
    check.holds(colors.len() > 4 * programs, format_args!("there are {} colours only", colors.len()));
    for word in WORDS {
        check.holds(texts.contains(word), format_args!("no program has {word}"));
    }
}

#[test]
pub(crate) fn full() {
    random("pixel_shade_full", ShadeShape::full(ALONG_BITS), 160);
}

#[test]
pub(crate) fn lite() {
    random("pixel_shade_lite", ShadeShape::lite(ALONG_BITS), 160);
}

/// Bits of programs at random: what they give means nothing, but quads leave in their order, and whole programs beside them
/// give what they give.
#[test]
fn damaged_programs_end() {
    for shape in [ShadeShape::full(ALONG_BITS), ShadeShape::lite(ALONG_BITS)] {
        let mut check = Check::new("pixel_shade of damaged programs");
        let mut bench = Bench::new("shade", shape, 20);
        for turn in 0..60 {
            let program = any_program(&mut check);
            let mut loaded = Loaded::any(&mut check, program);
            let is_damaged = turn % 3 > 0;
            if is_damaged {
                damage(&mut check, &mut loaded);
            }
            let slot = turn % shape.slots();
            bench.load(&mut check, slot, &loaded);
            for _ in 0..12 {
                let (pixels, came) = any_quad(&mut check);
                let along = along(&mut check);
                bench.quad(slot, along, &pixels, &came);
            }
            bench.run_until(&mut check, |bench| bench.waiting() < 30);
        }
        bench.finish(&mut check);
        check.holds(bench.left == 60 * 12, format_args!("{} quads left", bench.left));
    }
}

/// Changes bits of a program, or all of them, or how long it is.
fn damage(check: &mut Check, loaded: &mut Loaded) {
    loaded.program = None;
    let code = &mut loaded.code;
    match check.rng.random_range(0..4) {
        0 => code.truncate(HEADER_BYTES),
        1 => code.extend((0..16 * check.rng.random_range(1..40)).map(|_| check.rng.random::<u8>())),
        _ => {}
    }
    let words = (code.len() - HEADER_BYTES) / WORD_BYTES;
    // Nobody hands over more instructions than have numbers.
    code.truncate(HEADER_BYTES + words.min(64) * WORD_BYTES);
    let changes = check.pick(&[1, 20, 400]);
    for _ in 0..changes {
        if code.len() > HEADER_BYTES {
            let at = check.rng.random_range(HEADER_BYTES..code.len());
            code[at] ^= 1 << check.rng.random_range(0..8);
        }
    }
    set_counts(code);
}

/// Makes the header say how many instructions there are.
fn set_counts(code: &mut [u8]) {
    let words = (code.len() - HEADER_BYTES) / WORD_BYTES;
    code[4] = words as u8;
    code[5] = 0;
}

/// Registers that a program has not written are 0, whatever an earlier quad has left there. The checker refuses to read such, so
/// these programs have not passed it.
#[test]
fn registers_of_a_new_quad_are_zero() {
    let fill = "ps_1_4\ndef c0, 1, 1, 1, 1\nmov r0, c0\nmov r1, c0\nmov r2, c0\nmov r3, c0\nmov r4, c0\nmov r5, c0\n";
    let add = "ps_1_4\ndef c0, 0, 0, 0, 0\ndef c1, 0.25, 0.5, 0.75, 1\nmov r1, c0\nmov r2, c1\nmad r0, r1, r2, r2\n";
    for shape in [ShadeShape::full(ALONG_BITS), ShadeShape::lite(ALONG_BITS)] {
        let mut check = Check::new("pixel_shade of registers that nobody has written");
        let mut bench = Bench::new("shade", shape, 0);
        let whole = Loaded::any(&mut check, program(fill));
        // Instructions of `add` that are left, a mask of the last one, and the colour.
        let cases: [(&[usize], u8, [u8; 4]); 6] = [
            (&[], 15, [0; 4]),
            (&[2], 15, [0; 4]),
            (&[0, 1, 2], 2, [0, 128, 0, 0]),
            (&[1, 2], 4, [0, 0, 191, 0]),
            (&[1, 2], 8, [0, 0, 0, 255]),
            (&[1, 2], 12, [0, 0, 191, 255]),
        ];
        for (kept, mask, color) in cases {
            bench.load(&mut check, 0, &whole);
            for _ in 0..shape.quads() {
                bench.quad(0, 1, &[untouched(); 4], &[]);
            }
            let mut part = Loaded::any(&mut check, program(add));
            let words: Vec<Vec<u8>> =
                part.code[HEADER_BYTES..].chunks(WORD_BYTES).map(<[u8]>::to_vec).collect();
            part.code.truncate(HEADER_BYTES);
            part.code.extend(kept.iter().flat_map(|at| words[*at].clone()));
            if let Some(last) = kept.last() {
                let at = HEADER_BYTES + (kept.len() - 1) * WORD_BYTES + 2;
                assert_eq!(words[*last][2] & 15, 15, "all channels are written");
                part.code[at] = part.code[at] & !15 | mask;
            }
            set_counts(&mut part.code);
            part.program = None;
            bench.load(&mut check, 1, &part);
            for _ in 0..shape.quads() {
                bench.quad(1, 2, &[untouched(); 4], &[]);
                let shaded = Shaded { color, depth: None, is_killed: false };
                if let Some(last) = bench.expected.back_mut() {
                    last.shaded = Some(([shaded; 4], false));
                    last.text = format!("{kept:?} with the mask {mask}");
                }
            }
            bench.finish(&mut check);
        }
        check.at_least(6 * 64 * 8);
    }
}

/// Clocks for a quad of a program, in the long run.
fn clocks_of_quad(shape: ShadeShape, text: &str, values: usize, wait_clocks: u64) -> f64 {
    const QUADS: u64 = 400;
    let mut check = Check::new("pixel_shade of rates");
    let mut bench = Bench::new("shade", shape, 0);
    bench.wait_clocks = wait_clocks;
    let loaded = Loaded::any(&mut check, program(text));
    bench.load(&mut check, 0, &loaded);
    let came: Vec<u8> = (0..values as u8).collect();
    for _ in 0..QUADS {
        bench.quad(0, 1, &[untouched(); 4], &came);
    }
    // Quads start and leave in bunches: as many are counted as whole rings have.
    bench.run_until(&mut check, |bench| bench.left >= 96);
    let (clock, left) = (bench.clock, bench.left);
    bench.run_until(&mut check, |bench| bench.left >= 352);
    let rate = (bench.clock - clock) as f64 / (bench.left - left) as f64;
    bench.finish(&mut check);
    rate
}

/// A program, the values of a quad, the latency of textures, and the most clocks of each shape.
type Case<'a> = (&'a str, &'a str, usize, u64, &'a [(ShadeShape, f64)]);

/// Clocks for a quad, and the most of them. Where one takes more, all are shown.
#[test]
fn rates() {
    let text = |lines: &str, count: usize| format!("ps_1_4\n{lines}{}", "mad r0, r0, v0, c0\n".repeat(count));
    let eight = format!("ps_1_4\n{}", "mad r0, c0, c1, c0\n".repeat(8));
    let pairs = format!("ps_1_4\n{}", "mad r0.rgb, c0, c1, c0\n+mov r0.a, c0.a\n".repeat(8));
    let chain = text("mov r0, v0\n", 7);
    let two = text("texld r0, t0\ntexld r1, t1\nmul r0, r0, r1\n", 7);
    let dependent = text("texld r0, t0\nphase\ntexld r1, r0\nmov r0, r1\n", 7);
    let (texture, color) = (text("texld r0, t0\n", 0), text("mov r0, v0\n", 0));
    let (full, lite) = (ShadeShape::full(ALONG_BITS), ShadeShape::lite(ALONG_BITS));
    let cases: [Case<'_>; 9] = [
        ("8 arithmetic", &eight, 0, 40, &[(full, 8.4), (lite, 32.6)]),
        ("8 that follow from each other", &chain, 0, 40, &[(full, 8.4), (lite, 32.6)]),
        ("8 pairs", &pairs, 0, 40, &[(full, 8.4), (lite, 32.6)]),
        ("2 textures, 8 arithmetic", &two, 8, 40, &[(full, 10.5), (lite, 41.0)]),
        ("the same, far memory", &two, 8, 200, &[(full, 10.5), (lite, 46.5)]),
        ("a texture by another one, 8 arithmetic", &dependent, 4, 40, &[(full, 13.4), (lite, 45.5)]),
        ("1 texture", &texture, 2, 40, &[(full, 5.2), (lite, 5.2)]),
        ("the same, far memory", &texture, 2, 200, &[(full, 5.2), (lite, 9.8)]),
        ("1 arithmetic", &color, 0, 40, &[(full, 5.2), (lite, 5.2)]),
    ];
    let (mut lines, mut is_slow) = (vec![], false);
    for (name, text, values, wait_clocks, shapes) in cases {
        for (shape, most) in shapes {
            let found = clocks_of_quad(*shape, text, values, wait_clocks);
            let ShadeShape { lanes, quads_log2, .. } = shape;
            lines.push(format!(
                "{name}, lanes {lanes}, {} quads: {found:.2} of {most} clocks",
                1 << quads_log2
            ));
            is_slow |= found > *most;
        }
    }
    assert!(!is_slow, "{}", lines.join("\n"));
}

/// A sampler that takes its time for another texture: quads of a program with two of them ask for the first one, one behind the other,
/// and then for the second one.
#[test]
fn quads_ask_for_the_same_texture_one_behind_the_other() {
    const QUADS: u64 = 256;
    for shape in [ShadeShape::full(ALONG_BITS), ShadeShape::lite(ALONG_BITS)] {
        let mut check = Check::new("pixel_shade of two textures");
        let mut bench = Bench::new("shade", shape, 0);
        bench.change_clocks = 16;
        let text = "ps_1_4\ntexld r0, t0\ntexld r1, t1\nmul r0, r0, r1\n";
        let loaded = Loaded { textures: [3, 7, 0, 0, 0, 0], ..Loaded::any(&mut check, program(text)) };
        bench.load(&mut check, 0, &loaded);
        for _ in 0..QUADS {
            bench.quad(0, 1, &[untouched(); 4], &[0, 1, 4, 5]);
        }
        bench.finish(&mut check);
        let (changes, lanes) = (bench.changes, shape.lanes);
        check.holds(changes >= 2, format_args!("{changes} requests are for another texture"));
        // The more quads are on their way, the more of them wait for the same texture.
        let most = 2 * QUADS * 8 / shape.quads() as u64;
        check.holds(
            changes <= most,
            format_args!(
                "lanes {lanes}: {changes} of {} requests are for another texture, at most {most}",
                2 * QUADS
            ),
        );
    }
}

/// Quads of a program with one texture ask in the order in which they are drawn: each is one place behind the one before, round after round.
#[test]
fn requests_say_which_quad_is_drawn_first() {
    for shape in [ShadeShape::full(ALONG_BITS), ShadeShape::lite(ALONG_BITS)] {
        let mut check = Check::new("pixel_shade of orders");
        let mut bench = Bench::new("shade", shape, 3);
        let loaded = Loaded::any(&mut check, program("ps_1_4\ntexld r0, t0\n"));
        bench.load(&mut check, 0, &loaded);
        for _ in 0..5 * shape.quads() {
            bench.quad(0, 1, &[untouched(); 4], &[0, 1]);
        }
        bench.finish(&mut check);
        let place = 1 << (ORDER_BITS - 1 - shape.quads_log2);
        for (quad, order) in (0u64..).zip(&bench.orders) {
            check.same(format_args!("order of quad {quad}"), *order, quad * place % (1 << ORDER_BITS));
        }
    }
}
