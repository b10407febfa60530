//! A row for each refusal.

use crate::{Rule, read_text};
use tmu_problem::RuleCode;

/// Codes and lines of what is wrong with a program, whose lines are parted by `|` and follow the version.
fn refusals(lines: &str) -> Vec<(&'static str, usize)> {
    let text = format!("ps_1_4\n{}\n", lines.replace('|', "\n"));
    let found = read_text(&text).err().map(|problems| problems.as_slice().to_vec()).unwrap_or_default();
    found.iter().map(|problem| (problem.code, problem.place.line.unwrap_or_default())).collect()
}

#[test]
fn every_rule_is_refused_by_line() {
    use Rule::*;
    let rows: &[(Rule, usize, &str)] = &[
        (Instruction, 2, "tex t0|mov r0, c0"),
        (Operand, 2, "add r1, c0|mov r0, c0"),
        (Operand, 2, "mov|mov r0, c0"),
        (Operand, 2, "phase r0|mov r0, c0"),
        (Operand, 2, "def|mov r0, c0"),
        (Operand, 2, "+def c0, 0, 0, 0, 0|mov r0, c0"),
        (Operand, 3, "mov r1, c0|+nop|mov r0, c0"),
        (Operand, 2, "mov r0, 1r0|mov r0, c0"),
        (Operand, 3, "mov r0, c0|mov r0, r0_x2_x2"),
        (Register, 2, "mov r6, c0|mov r0, c0"),
        (Register, 2, "mov r00, c0|mov r0, c0"),
        (Register, 2, "mov r0, c8|mov r0, c0"),
        (Register, 2, "mov c0, c1|mov r0, c0"),
        (Register, 2, "mov t0, c1|mov r0, c0"),
        (Register, 2, "mov v0, c1|mov r0, c0"),
        (Register, 2, "mov r0, t0"),
        (Register, 2, "mov r1, v0|phase|mov r0, c0"),
        (Register, 2, "texld r0, c0"),
        (Register, 2, "texld r0, v0"),
        (Register, 3, "mov r1, c0|texld r0, r1|phase|mov r0, c0"),
        (Register, 2, "texcrd r0.rgb, r1|mov r0, c0"),
        (Register, 2, "texkill r0|phase|mov r0, c0"),
        (Register, 2, "texkill c0|mov r0, c0"),
        (Register, 3, "mov r1, c0|bem r2.rg, r1, c1|phase|mov r0, c0"),
        (Order, 3, "mov r0, c0|texld r1, t0"),
        (Order, 3, "mov r0, c0|def c0, 0, 0, 0, 0"),
        (Order, 4, "mov r1, c0|phase|phase|mov r0, c0"),
        (
            Slots,
            8,
            "texld r0, t0|texld r1, t0|texld r2, t0|texld r3, t0|texld r4, t0|texld r5, t0|texld r0, t1",
        ),
        (
            Slots,
            10,
            "mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0",
        ),
        (
            Slots,
            9,
            "mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|mov r0, c0|bem r1.rg, r0, r0|phase|mov r0, c0",
        ),
        (Pair, 2, "+mov r0, c0"),
        (Pair, 4, "mov r0.rgb, c0|+mov r0.a, c0|+mov r1.a, c0"),
        (Pair, 3, "mov r0, c0|+mov r0.a, c0"),
        (Pair, 3, "mov r0.a, c0|+mov r1.a, c0|mov r0, c0"),
        (Pair, 3, "mov r0.rgb, c0|+mov r1.rgb, c0|mov r0, c0"),
        (Pair, 3, "dp4 r0.rgb, c0, c1|+mov r0.a, c0"),
        (Pair, 4, "mov r1, c0|bem r0.rg, c0, r1|+mov r0.a, c0|phase|mov r0, c0"),
        (Pair, 3, "mov r0.rgb, c0|+dp3 r0.a, c0, c1"),
        (Pair, 3, "texld r0, t0|+mov r0.a, c0"),
        (Pair, 4, "mov r0, c0|phase|+mov r0.a, c0"),
        (ReadPorts, 2, "mad r0, c0, c1, c2"),
        (SourceModifier, 2, "mov r0, -c0"),
        (SourceModifier, 2, "mov r0, c0_bx2"),
        (SourceModifier, 3, "mov r0, c0|mov r0, 1-r0_x2"),
        (SourceModifier, 3, "mov r0, c0|mov r0, r0_x4"),
        (SourceModifier, 3, "mov r0, c0|mov r0, r0_dz"),
        (SourceModifier, 2, "texld r0, t0_bx2"),
        (SourceModifier, 2, "texld r0, t0_dz"),
        (SourceModifier, 2, "texld r0, t0_dw"),
        (SourceModifier, 4, "mov r1, c0|phase|texld r0, r1_dw"),
        (SourceModifier, 6, "mov r1, c0|phase|texld r0, r1_dz|texld r2, r1_dz|texld r3, r1_dz"),
        (Selector, 2, "mov r0, c0.rg"),
        (Selector, 2, "mov r0, c0.xyz"),
        (Selector, 2, "mov r0, c0.xyw"),
        (Selector, 2, "texld r0, t0.r"),
        (Selector, 2, "texld r0, t0.xgz"),
        (Selector, 4, "mov r1, c0|phase|texld r0, r1.xyw"),
        (Mask, 2, "mov r0.ar, c0|mov r0, c0"),
        (Mask, 2, "mov r0.rr, c0|mov r0, c0"),
        (Mask, 2, "mov r0., c0|mov r0, c0"),
        (Mask, 2, "mov r0.xga, c0|mov r0, c0"),
        (Mask, 2, "mov r0.rgw, c0|mov r0, c0"),
        (Mask, 2, "texld r0.rgb, t0|mov r0, c0"),
        (Mask, 2, "texcrd r0, t0"),
        (Mask, 2, "texcrd r0.rg, t0|mov r0, c0"),
        (Mask, 2, "texcrd r0.rgb, t0_dw.xyw|mov r0, c0"),
        (Mask, 2, "texkill t0.rgb|mov r0, c0"),
        (Mask, 3, "mov r1, c0|bem r0.rgb, c0, r1|phase|mov r0, c0"),
        (ResultModifier, 2, "mov_x3 r0, c0|mov r0, c0"),
        (ResultModifier, 2, "mov_x2_x2 r0, c0|mov r0, c0"),
        (ResultModifier, 2, "mov_sat_x2 r0, c0|mov r0, c0"),
        (ResultModifier, 2, "mov_sat_sat r0, c0|mov r0, c0"),
        (ResultModifier, 2, "texld_x2 r0, t0"),
        (ResultModifier, 2, "texld_sat r0, t0"),
        (Coordinates, 3, "texld r0, t0|texld r1, t0.xyw"),
        (Coordinates, 4, "texld r0, t0_dw.xyw|phase|texcrd r1.rgb, t0.xyz|mov r0, c0"),
        (Unwritten, 2, "mov r0, r1"),
        (Unwritten, 3, "mov r1.rgb, c0|mov r0, r1"),
        (Unwritten, 3, "texcrd r1.rgb, t0|mov r0, r1"),
        (Unwritten, 4, "texld r1, t0|texcrd r1.rg, t1_dw.xyw|dp3 r0, r1, c0"),
        (Unwritten, 3, "mov r1.rgb, c0|+mov r0.a, r1.r|mov r0, c0"),
        (Unwritten, 3, "phase|texld r0, r1"),
        (Unwritten, 4, "phase|texld r1, t0|texld r0, r1"),
        (Unwritten, 3, "phase|texkill r0|mov r0, c0"),
        (LostAlpha, 4, "mov r1, c0|phase|mov r0, r1"),
        (LostAlpha, 4, "mov r1, c0|phase|mov r0, r1.a"),
        (Output, 2, "mov r1, c0"),
        (Output, 2, "mov r0.rgb, c0"),
        (Output, 4, "mov r0, c0|phase|mov r1, c0"),
        (Output, 1, ""),
        (Depth, 2, "texdepth r5|mov r0, c0"),
        (Depth, 4, "mov r4, c0|phase|texdepth r4|mov r0, c0"),
        (Depth, 5, "mov r5, c0|phase|texdepth r5|texdepth r5|mov r0, c0"),
        (Depth, 5, "mov r5, c0|phase|texdepth r5|mov r5, c0|mov r0, c0"),
        (Depth, 5, "mov r5, c0|phase|texdepth r5|mov r0, r5.r"),
        (Unwritten, 3, "phase|texdepth r5|mov r0, c0"),
        (Bump, 3, "mov r1, c0|bem r0.rg, c0, r1|mov r0, c0"),
        (Bump, 4, "phase|mov r1, c0|bem r0.rg, c0, r1|mov r0, c0"),
        (Bump, 4, "mov r1, c0|bem r0.rg, c0, r1|bem r2.rg, c0, r1|phase|mov r0, c0"),
        (Constant, 2, "def r0, 0, 0, 0, 0|mov r0, c0"),
        (Constant, 2, "def c0, 0, 0, 0|mov r0, c0"),
        (Constant, 2, "def c0, 0, 0, 0, x|mov r0, c0"),
        (Constant, 2, "def c0, 0, 0, 0, 8|mov r0, c0"),
        (Constant, 2, "def c0, 0, nan, 0, 0|mov r0, c0"),
    ];
    for (rule, line, text) in rows {
        let found = refusals(text);
        assert!(found.contains(&(rule.code(), *line)), "{text}: {found:?} without {} at {line}", rule.code());
    }
    for rule in Rule::ALL.iter().filter(|rule| !matches!(rule, Version | Bytes)) {
        assert!(rows.iter().any(|row| row.0 == *rule), "no row for {rule:?}");
    }
}

#[test]
fn what_the_reference_allows_passes() {
    for text in [
        "mov r0, v0|mad r0, r0, v1, v0",
        "texcrd r1.rgb, t1|texcrd r2.rgb, t2.xyw|texcrd r3.rg, t3_dw.xyw|mov r0, r1.r",
        "texld r0, t0|texld r1, t0.xyz|texld r2, t1.xyw|texld r3, t1_dw.xyw|mad r0, r0, r1, r2_bx2",
        "texcrd r1.rgb, t0|phase|texld r0, r1_dz|texld r2, r1_db.xyz|texld r1, r1",
        "texcrd r5.rgb, t0|phase|texdepth r5|mov r0, c0",
        "texkill t0|phase|texkill t1|mov r0, c0",
        "texcrd r1.rgb, t0|bem_x2_sat r2.rg, 1-r1, -r1_x2|phase|mov r0, r2.r",
        "mov r0, c0|dp3_x8_sat r0.rgb, r0, c1|+mov r0.a, 1 - r0",
        "mov r0.a, c0|+dp3 r0.rb, c0, c1|mov r0.g, c0",
        "def c7, -8, 7.9997, 1.0f, .5|mov r0, c7.a ; the end|nop // of it",
        "mad r0, c0, c0, c1|phase|mov r0.a, c0",
        "/* two|lines */ MOV R0.XYZW, C0.w",
        "mov r1.xyw, c0|mov r1.z, c0.b|bem r2.rg, c0, r1|phase|mov r0, r2.x",
        "texld r0, t0.rga|texld r1, t1.rgb|mul r0, r0, r1",
    ] {
        assert_eq!(refusals(text), [], "{text}");
    }
}

#[test]
fn the_last_definition_of_a_constant_holds() {
    let program = read_text("ps_1_4\ndef c0, 1, 1, 1, 1\ndef c0, 2, 3, 4, 5\nmov r0, c0\n").unwrap();
    assert_eq!(program.constants()[0], Some([2.0, 3.0, 4.0, 5.0]));
    // One that no register holds is wrong all the same.
    assert_eq!(refusals("def c0, 9, 0, 0, 0|def c0, 0, 0, 0, 0|mov r0, c0"), [("E0519", 2)]);
}

#[test]
fn everything_is_reported_at_once_and_the_version_too() {
    let found = read_text("ps_1_1\ntex t0\nmov r9, c0\nmov r0.rgb, r1\n").unwrap_err();
    let codes: Vec<_> = found.as_slice().iter().map(|problem| (problem.code, problem.place.line)).collect();
    let expected =
        [("E0501", 1), ("E0502", 2), ("E0504", 3), ("E0514", 4)].map(|(code, line)| (code, Some(line)));
    assert_eq!(codes, expected);
    assert_eq!(read_text("").unwrap_err().as_slice()[0].code, "E0501");
}

#[test]
fn what_one_instruction_lacks_is_no_fault_of_the_next() {
    // The refused one still writes r0.
    assert_eq!(refusals("mov r0, -c0|mov r0, r0"), [("E0509", 2)]);
}
