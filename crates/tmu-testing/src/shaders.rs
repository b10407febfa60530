//! Random pixel shaders as text. Who asks says what is legal, so that nothing here knows the rules.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The end that is always legal.
const END: &str = "mov r0, c0\n";
/// Lines that are tried for a phase.
const TRIED: usize = 60;
/// Ends that are tried.
const ENDS: usize = 40;
/// What arithmetic may write: all, colour and alpha most often.
const MASKS: [&str; 18] = [
    "", "", "", ".rgb", ".a", ".r", ".g", ".b", ".rg", ".rb", ".ra", ".gb", ".ga", ".ba", ".rga", ".rba",
    ".gba", ".rgb",
];
/// What arithmetic may read.
const REGISTERS: [&str; 16] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "v0", "v1"];

fn pick<'a>(random: &mut ChaCha8Rng, texts: &[&'a str]) -> &'a str {
    texts[random.random_range(0..texts.len())]
}

/// A line that is often legal, or a pair of them.
fn line(random: &mut ChaCha8Rng) -> String {
    let number = random.random_range(0..6);
    let other = random.random_range(0..6);
    match random.random_range(0..16) {
        0 => format!("texcrd r{number}.rgb, t{other}{}", pick(random, &["", ".xyw", ".xyz"])),
        1 => format!("texcrd r{number}.rg, t{other}_dw.xyw"),
        2 | 3 => format!("texld r{number}, t{other}{}", pick(random, &["", ".xyw", "_dw.xyw"])),
        4 => format!("texld r{number}, r{other}{}", pick(random, &["", "_dz"])),
        5 => format!("texkill {}{other}", pick(random, &["t", "r"])),
        6 => pick(random, &["texdepth r5", "bem r1.rg, r0, r1"]).to_owned(),
        7 | 8 => {
            let mask = pick(random, &[".rgb", ".rgb", ".rg", ".b"]);
            let color = arithmetic(random, "", &format!("r{number}{mask}"));
            format!("{color}\n{}", arithmetic(random, "+", &format!("r{other}.a")))
        }
        _ => {
            let mask = pick(random, &MASKS);
            arithmetic(random, "", &format!("r{number}{mask}"))
        }
    }
}

/// Arithmetic that writes a register.
fn arithmetic(random: &mut ChaCha8Rng, sign: &str, destination: &str) -> String {
    let names = ["mov", "add", "sub", "mul", "mad", "lrp", "dp3", "dp4", "cmp", "cnd", "bem"];
    let chosen = random.random_range(0..names.len());
    let sources = [1, 2, 2, 2, 3, 3, 2, 2, 3, 3, 2][chosen];
    let mut text = sign.to_owned() + names[chosen];
    text += pick(random, &["", "", "_x2", "_x4", "_x8", "_d2", "_d4", "_d8"]);
    text += pick(random, &["", "_sat"]);
    text += &format!(" {destination}");
    for _ in 0..sources {
        let register = pick(random, &REGISTERS);
        let sign = pick(random, &["", "", "-", "1-"]);
        let suffix = pick(random, &["", "", "_bias", "_bx2", "_x2"]);
        let channel = pick(random, &["", "", ".r", ".g", ".b", ".a"]);
        text += &format!(", {sign}{register}{suffix}{channel}");
    }
    text
}

/// A random program: lines are kept as long as they are legal with the rest of a program behind them. In the end all of r0 is
/// written, by what is legal there.
pub fn random_shader(seed: u64, is_legal: impl Fn(&str) -> bool) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut text = "ps_1_4\n".to_owned();
    for number in 0..random.random_range(0..8) {
        let mut value = || f32::from(random.random_range(i16::MIN..=i16::MAX)) / 4096.0;
        text += &format!("def c{number}, {}, {}, {}, {}\n", value(), value(), value(), value());
    }
    let phases = random.random_range(1..=2);
    for phase in 1..=phases {
        let between = if phase < phases { "phase\n" } else { "" };
        let most = random.random_range(0..=TRIED);
        for _ in 0..most {
            let longer = format!("{text}{}\n", line(&mut random));
            if is_legal(&format!("{longer}{between}{END}")) {
                text = longer;
            }
        }
        text += between;
    }
    if random.random_range(0..4) > 0 && is_legal(&text) {
        return text;
    }
    for _ in 0..ENDS {
        let whole = format!("{text}{}\n", arithmetic(&mut random, "", "r0"));
        if is_legal(&whole) {
            return whole;
        }
    }
    text + END
}
