//! A saved report of nextpnr, cut to what is looked at, and what is said of it.

use super::*;

/// Of a block of two clocks: a multiplier without registers, a sum over it, and its parity on the other clock.
const SAVED: &str = include_str!("saved.json");

#[test]
fn cells_are_stages_and_nodes() {
    for (cell, stage, node) in [
        ("core.unit_0.lod.level_TRELLIS_FF_Q_3", "unit_0.lod", "level"),
        ("core.unit_0.lod.level_TRELLIS_FF_Q_DI_LUT4_Z_D_PFUMX_Z", "unit_0.lod", "level"),
        (
            "core.unit_0.axis.scale.m_register_TRELLIS_FF_Q_DI_MULT18X18D_P0",
            "unit_0.axis.scale",
            "m_register",
        ),
        ("core.unit_0.filter.lanes_0_rows_1_red.site_0", "unit_0.filter.lanes_0_rows_1_red", "site_0"),
        ("core.unit_0.data.ram.memory.0.1", "unit_0.data.ram", "memory"),
        ("core.count_CCU2C_S0_2$CCU2_COMB0", "top", "count"),
        ("core.word$nextpnr_lut", "top", "word"),
        ("given0_TRELLIS_FF_Q_12", "pins", "given0"),
        ("coreless.x", "pins", "coreless.x"),
        ("", "pins", ""),
    ] {
        let expected = Place { stage: stage.to_owned(), node: node.to_owned() };
        assert_eq!(place(cell, "core"), expected, "{cell}");
    }
}

#[test]
fn a_saved_report_is_read() {
    let clocks = ["main".to_owned(), "other".to_owned()];
    let report = parse(SAVED, 3, "block", &clocks).unwrap();
    assert_eq!(report.seed, 3);
    let [rate] = report.clocks.as_slice() else { panic!("{report:?}") };
    assert_eq!((rate.clock.as_str(), rate.target_mhz, rate.is_met()), ("main", 200.0, false));
    assert!((rate.mhz - 197.238).abs() < 0.001, "{rate:?}");
    // Paths from a pin, to a pin and between the clocks are not among them.
    let [worst] = report.worst.as_slice() else { panic!("{report:?}") };
    assert_eq!(
        (worst.from.to_string(), worst.to.to_string()),
        ("inner a_r".to_owned(), "inner m".to_owned())
    );
    assert!((worst.ns - 5.07).abs() < 0.001 && (worst.wires_ns - 1.609).abs() < 0.001, "{worst:?}");
    let nodes: Vec<_> = worst.through.iter().map(|step| step.at.node.as_str()).collect();
    assert_eq!(nodes, ["a_r", "m", "m"]);
    let ends: Vec<_> = report.longest.iter().map(|path| path.to.to_string()).collect();
    assert_eq!(ends, ["inner m", "top a", "inner a_r"]);
    assert!(report.longest.iter().all(|path| path.clock == "main"));
}

#[test]
fn what_is_no_report_is_said() {
    let clocks = ["main".to_owned()];
    for (text, reason) in [
        ("", "its report is another"),
        ("{}", "missing field"),
        (r#"{"fmax": {}, "critical_paths": []}"#, "has no clock"),
        (
            r#"{"fmax": {"$glbnet$clk7$TRELLIS_IO_IN": {"achieved": 1, "constraint": 2}}, "critical_paths": []}"#,
            "clk7$TRELLIS_IO_IN is no pin",
        ),
        (
            r#"{"fmax": {"osc": {"achieved": 1, "constraint": 2}}, "critical_paths": []}"#,
            "the clock osc is no pin",
        ),
    ] {
        let error = parse(text, 1, "block", &clocks).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains("nextpnr-ecp5"), "{error}");
    }
}
