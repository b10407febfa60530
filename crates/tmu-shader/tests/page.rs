//! The page of programs, made from the tables of the crate.

use std::fmt::Write;
use tmu_problem::RuleCode;
use tmu_shader::{File, HEADER_BYTES, LAYOUT, Operation, Rule, WORD_BYTES};

const START: &str = "\
<!-- Made from crates/tmu-shader. UPDATE_DOCS=1 cargo test -p tmu-shader writes it anew. -->

# Pixel shaders

`tmugen assemble` reads pixel shaders 1.4 as text or as byte code of Direct3D 8, holds them to the rules of Microsoft's reference for
ps_1_4, and writes them as text, byte code, or words for hardware. The golden model computes what they do
(`tmu_model::shader`), the [pixel pipeline](pixel.md) runs them in hardware.

```
ps_1_4
def c0, 0.25, 0.25, 0.25, 1
texld r0, t0              ; phase 1: a bump map shifts coordinates
texcrd r1.rgb, t1
bem r1.rg, r1, r0_bx2
phase
texld r1, r1              ; phase 2: what they point at
mul_sat r0.rgb, r1, c0
+mov r0.a, c0.a           ; runs with the instruction before it
```

Comments begin with `;` or `//`, or stand between `/*` and `*/`. Capital letters are small ones, `xyzw` is `rgba`, `_db` and `_da` are `_dz` and
`_dw`. Numbers of `def` lie within -8 to 7.999755859375, what a register holds, and of several `def` of a register the last one holds; a constant that a program reads and does not define
is handed over from outside.

Where the reference leaves room, the checker reads it so: read ports are counted for each instruction of a pair by itself; either half of a
pair may come first; all four channels of r0 must be written in the end; `texkill` takes r registers in phase 2 only. Of byte code no bit is passed over
but those of comments: what other versions say with them, such as `_pp`, is refused.

";

fn page() -> String {
    let mut page = START.to_owned();
    page += "## Registers\n\n| registers | read by one instruction at most |\n| --- | --- |\n";
    for file in [File::Constant, File::Temporary, File::Color, File::Coordinate] {
        let (letter, last) = (file.letter(), file.size() - 1);
        let _ = writeln!(page, "| {letter}0 to {letter}{last} | {} |", file.read_ports());
    }
    page += "\n## Instructions\n\n| | number | in byte code | sources | slots |\n| --- | --- | --- | --- | --- |\n";
    for (number, one) in Operation::ALL.iter().enumerate() {
        let kind = if one.is_texture() { "texture" } else { "arithmetic" };
        let (name, code, sources, slots) = (one.mnemonic(), one.direct3d_code(), one.sources(), one.slots());
        let _ = writeln!(page, "| `{name}` | {number} | {code} | {sources} | {slots} {kind} |");
    }
    let _ = write!(
        page,
        "\n## Encoding\n\nLittle-endian words of {WORD_BYTES} bytes, each four parts of 32 bits. The header has {HEADER_BYTES} bytes: a word with \
         the fields below,\nthen c0 to c7, of each red, green, blue and alpha as 16-bit numbers of s3.12, two's complement. Behind it stands a \
         word for each\ninstruction, those of phase 1 first, and in the end one with a check: hardware refuses a program that nobody has checked. Fields of a source are those of the first one; those of the next ones lie one and \
         two parts\nfurther on. What no field covers is zero, and so are sources that an instruction does not have. A reader checks all of \
         it again.\n\n| field | part | bits | says |\n| --- | --- | --- | --- |\n"
    );
    for field in LAYOUT {
        let (low, high) = (field.bit, field.bit + field.width - 1);
        let bits = if low == high { low.to_string() } else { format!("{high}:{low}") };
        let _ = writeln!(page, "| `{}` | {} | {bits} | {} |", field.name, field.part, field.meaning);
    }
    page += "\n## What is refused\n\n| code | what |\n| --- | --- |\n";
    for rule in Rule::ALL {
        let _ = writeln!(page, "| {} | {} |", rule.code(), rule.title());
    }
    page + "\n`tmugen explain E0508` says more of one.\n"
}

#[test]
fn the_committed_page_is_what_the_crate_says() {
    tmu_testing::check_committed(
        "docs/reference/programs.md",
        &page(),
        "UPDATE_DOCS",
        "cargo test -p tmu-shader",
    );
}

#[test]
fn fields_of_a_word_do_not_meet() {
    let word = |name: &str| ["header.", "trailer."].into_iter().find(|start| name.starts_with(start));
    for own in [Some("header."), Some("trailer."), None] {
        let fields: Vec<_> = LAYOUT.iter().filter(|one| word(one.name) == own).collect();
        for (index, one) in fields.iter().enumerate() {
            assert!(one.bit + one.width <= 32, "{}", one.name);
            for other in &fields[..index] {
                let apart = one.part != other.part
                    || one.bit >= other.bit + other.width
                    || other.bit >= one.bit + one.width;
                assert!(apart, "{} and {}", one.name, other.name);
            }
        }
    }
}
