//! Instructions and modifiers against exact real numbers: products of registers have 24 fraction bits, which an fp64 holds.

use super::*;
use proptest::prelude::*;

/// Answers with the texture's number in blue and the coordinates it was asked for kept.
#[derive(Default)]
struct Asked(Vec<(u8, [f32; 3])>);

impl Textures for Asked {
    fn sample(&mut self, texture: u8, coordinates: [[f32; 3]; PIXELS]) -> [[u16; 4]; PIXELS] {
        self.0.push((texture, coordinates[0]));
        [[0, 65535, u16::from(texture), 32768]; PIXELS]
    }
}

fn program(lines: &str) -> Program {
    tmu_shader::read_text(&format!("ps_1_4\n{}\n", lines.replace('|', "\n"))).unwrap()
}

/// Runs a program for a quad of equal pixels; also what textures were asked for.
fn run(lines: &str, pixel: Pixel, constants: Constants) -> (Shaded, Vec<(u8, [f32; 3])>) {
    let mut asked = Asked::default();
    let program = program(lines);
    let shaded = shade(&program, &constants.of_program(&program), &[pixel; PIXELS], &mut asked);
    (shaded[0], asked.0)
}

/// What r0 holds behind a program: the colour that leaves has fewer bits.
fn register(lines: &str, pixel: Pixel, constants: &Constants) -> Channels {
    let step = |temporary, one| step(std::slice::from_ref(one), pixel, temporary, constants).temporary;
    program(lines).instructions().fold([[0; 4]; 6], step)[0]
}

/// A real number as a register holds it, if it is rounded to the nearest, halves up.
fn rounded(value: f64) -> f64 {
    (value * 4096.0 + 0.5).floor() / 4096.0
}

fn limited(value: f64) -> f64 {
    value.clamp(-8.0, 8.0 - 1.0 / 4096.0)
}

/// An instruction in real numbers.
fn expected(name: &str, a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> [f64; 4] {
    let dot = |count: usize| rounded((0..count).map(|at| a[at] * b[at]).sum());
    [0, 1, 2, 3].map(|at| match name {
        "mov" => a[at],
        "add" => a[at] + b[at],
        "sub" => a[at] - b[at],
        "mul" => rounded(a[at] * b[at]),
        "mad" => rounded(a[at] * b[at]) + c[at],
        "lrp" => c[at] + rounded(a[at] * (b[at] - c[at])),
        "dp3" => dot(3),
        "dp4" => dot(4),
        "cmp" => [c[at], b[at]][usize::from(a[at] >= 0.0)],
        _ => [c[at], b[at]][usize::from(a[at] > 0.5)],
    })
}

/// A modified source in real numbers.
fn modified(modifier: &str, value: f64) -> f64 {
    let (negates, kind) = modifier.strip_prefix('-').map_or((false, modifier), |kind| (true, kind));
    let changed = limited(match kind {
        "bias" => value - 0.5,
        "bx2" => 2.0 * value - 1.0,
        "x2" => 2.0 * value,
        "1" => 1.0 - value,
        _ => value,
    });
    limited(if negates { -changed } else { changed })
}

const NAMES: [(&str, usize); 10] = [
    ("mov", 1),
    ("add", 2),
    ("sub", 2),
    ("mul", 2),
    ("mad", 3),
    ("lrp", 3),
    ("dp3", 2),
    ("dp4", 2),
    ("cmp", 3),
    ("cnd", 3),
];
const MODIFIERS: [&str; 9] = ["", "-", "bias", "-bias", "bx2", "-bx2", "1", "x2", "-x2"];
const SCALES: [(&str, f64); 7] =
    [("", 1.0), ("_x2", 2.0), ("_x4", 4.0), ("_x8", 8.0), ("_d2", 0.5), ("_d4", 0.25), ("_d8", 0.125)];

/// A source in text.
fn source(name: &str, modifier: &str, channel: Option<usize>) -> String {
    let channel = channel.map_or(String::new(), |at| format!(".{}", ["r", "g", "b", "a"][at]));
    match modifier {
        "1" => format!("1-{name}{channel}"),
        "" | "-" => format!("{modifier}{name}{channel}"),
        _ => {
            let sign = if modifier.starts_with('-') { "-" } else { "" };
            format!("{sign}{name}_{}{channel}", modifier.trim_start_matches('-'))
        }
    }
}

/// Any register, its edges often.
fn value() -> impl Strategy<Value = i16> {
    prop_oneof![
        any::<i16>(),
        prop::sample::select(vec![i16::MIN, -4096, -1, 0, 1, 2047, 2048, 2049, 4096, i16::MAX])
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn arithmetic_is_exact_but_for_written_roundings(
        values in prop::array::uniform3(prop::array::uniform4(value())),
        instruction in prop::sample::select(NAMES.to_vec()),
        modifiers in prop::array::uniform2(prop::sample::select(MODIFIERS.to_vec())),
        channels in prop::array::uniform3(prop::option::of(0_usize..4)),
        scale in prop::sample::select(SCALES.to_vec()),
        saturate: bool,
    ) {
        let (name, count) = instruction;
        let modifiers = [modifiers[0], modifiers[1], ""];
        let sources = [0, 1, 2].map(|at| source(["v0", "v1", "c0"][at], modifiers[at], channels[at]));
        let sat = if saturate { "_sat" } else { "" };
        let text = format!("{name}{}{sat} r0, {}", scale.0, sources[..count].join(", "));
        let pixel = Pixel { colors: [values[0], values[1]], ..Pixel::default() };
        let mut constants = Constants::default();
        constants.registers[0] = values[2];
        let real = [0, 1, 2].map(|at| {
            [0, 1, 2, 3].map(|lane| modified(modifiers[at], f64::from(values[at][channels[at].unwrap_or(lane)]) / 4096.0))
        });
        let wanted = expected(name, real[0], real[1], real[2]).map(|value| {
            let scaled = (value * scale.1 * 4096.0).floor() / 4096.0;
            limited(if saturate { scaled.clamp(0.0, 1.0) } else { scaled }) * 4096.0
        });
        prop_assert_eq!(register(&text, pixel, &constants).map(f64::from), wanted, "{}", text);
    }

    #[test]
    fn bem_turns_by_the_matrix_of_its_stage(a in prop::array::uniform4(value()), m in prop::array::uniform4(value())) {
        let mut constants = Constants::default();
        (constants.registers[0], constants.registers[1], constants.bump[0]) = (a, [a[2], a[3], 0, 0], m);
        let found = register("mov r1, c1|bem r0.rg, c0, r1|phase|mov r0.ba, c0", Pixel::default(), &constants);
        let real = |value: i16| f64::from(value) / 4096.0;
        let sum = |first: i16, second: i16| rounded(real(first) * real(a[2]) + real(second) * real(a[3]));
        let wanted = [limited(real(a[0]) + sum(m[0], m[2])), limited(real(a[1]) + sum(m[1], m[3]))];
        prop_assert_eq!([found[0], found[1]].map(real), wanted);
    }
}

#[test]
fn a_pair_reads_before_it_writes() {
    let colors = [[4096, 0, 0, 2048], [0; 4]];
    let pixel = Pixel { colors, ..Pixel::default() };
    let (shaded, _) = run("mov r0, v0|mov r0.rgb, r0.a|+mov r0.a, r0.r", pixel, Constants::default());
    assert_eq!(shaded.color, [128, 128, 128, 255]);
}

#[test]
fn textures_are_asked_for_what_the_operand_says() {
    let mut pixel = Pixel::default();
    pixel.coordinates[1] = [3.0, -5.0, 7.0, 2.0];
    pixel.coordinates[2] = [3.0, -5.0, 7.0, 1e-40];
    for (lines, wanted) in [
        ("texld r0, t1", vec![(0, [3.0, -5.0, 7.0])]),
        ("texld r0, t1.xyw", vec![(0, [3.0, -5.0, 2.0])]),
        ("texld r0, t1_dw.xyw", vec![(0, [1.5, -2.5, 2.0])]),
        ("texld r0, t2_dw.xyw", vec![(0, [1.0, 1.0, 0.0])]),
        ("texcrd r1.rgb, t1|phase|texld r0, r1", vec![(0, [3.0, -5.0, 7.0])]),
        ("texcrd r1.rgb, t1|phase|texld r0, r1_dz", vec![(0, [3.0 * (1.0 / 7.0), -5.0 * (1.0 / 7.0), 7.0])]),
    ] {
        let (shaded, asked) = run(lines, pixel, Constants::default());
        assert_eq!(asked, wanted, "{lines}");
        assert_eq!(shaded.color, [0, 255, 0, 128], "{lines}");
    }
}

#[test]
fn pixels_go_and_change_their_depth() {
    let mut pixel = Pixel::default();
    pixel.coordinates[0] = [1.0, 4.0, 0.0, -1.0];
    pixel.coordinates[1] = [0.0, -0.0, -1e-40, 0.0];
    pixel.coordinates[2] = [0.0, 0.0, -1e-30, 0.0];
    for (lines, is_killed, depth) in [
        ("texkill t0|mov r0, c0", false, None),
        ("texkill t1|mov r0, c0", false, None),
        ("texkill t2|mov r0, c0", true, None),
        ("texcrd r5.rgb, t0|phase|texdepth r5|mov r0, c0", false, Some(0.25)),
        ("texcrd r5.rgb, t1|phase|texdepth r5|mov r0, c0", false, Some(1.0)),
    ] {
        let (shaded, _) = run(lines, pixel, Constants::default());
        assert_eq!((shaded.is_killed, shaded.depth), (is_killed, depth), "{lines}");
    }
}

#[test]
fn conversions_are_as_written() {
    for (value, wanted) in [
        (0.0, 0),
        (1.0, 4096),
        (9.0, 32767),
        (-9.0, -32768),
        (0.5 / 4096.0, 1),
        (-0.5 / 4096.0, 0),
        (f32::NAN, 0),
    ] {
        assert_eq!(to_register(value), wanted, "{value}");
    }
    for value in 0..=u16::MAX {
        let exact = (f64::from(value) * 4096.0 + 32767.0) / 65535.0;
        assert_eq!(f64::from(from_texture(value)), exact.floor(), "{value}");
    }
    let (shaded, _) = run("def c0, -1, 0.5, 1, 7|mov r0, c0", Pixel::default(), Constants::default());
    assert_eq!(shaded.color, [0, 128, 255, 255]);
}
