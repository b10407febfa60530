//! Small netlists with known depth.

use super::*;

/// A netlist with the ports `in` (net 1) and `out` (net 2) and one cell a line: its kind, its inputs as `pin=net`,
/// `>`, its outputs. Cell *i* is called `c<i>`. DSP48E2 have no registers.
fn netlist(cells: &str) -> Netlist {
    let cell = |(i, line): (usize, &str)| {
        let (mut directions, mut connections) = (serde_json::Map::new(), serde_json::Map::new());
        let (inputs, outputs) = line.split_once(" > ").unwrap();
        let mut words = inputs.split_whitespace();
        let kind = words.next().unwrap();
        let inputs = words.map(|pin| ("input", pin));
        for (direction, pin) in inputs.chain(outputs.split_whitespace().map(|pin| ("output", pin))) {
            let (pin, net) = pin.split_once('=').unwrap();
            directions.insert(pin.to_owned(), direction.into());
            connections.insert(pin.to_owned(), vec![net.parse::<u32>().unwrap()].into());
        }
        let registers = serde_json::json!({ "AREG": "0", "BREG": 0, "MREG": "00", "PREG": "0" });
        let cell = serde_json::json!({
            "type": kind, "parameters": registers, "port_directions": directions, "connections": connections
        });
        (format!("c{i}"), cell)
    };
    let cells: serde_json::Map<_, _> = cells.lines().enumerate().map(cell).collect();
    let ports = serde_json::json!({
        "in": { "direction": "input", "bits": [1, "0"] }, "out": { "direction": "output", "bits": [2] }
    });
    let text = serde_json::json!({ "modules": { "top": { "ports": ports, "cells": cells } } }).to_string();
    Netlist::from_json(&text, "top").unwrap()
}

#[test]
fn each_kind_of_cell_weighs_what_the_rules_say() {
    for (cell, expected) in [
        ("LUT1 I0", 1),
        ("LUT6 I5", 1),
        ("INV I", 0),
        ("MUXF7 I0", 0),
        ("CARRY4 S", 1),
        ("CARRY4 CI", 1),
        ("DSP48E2 A", 3),
        ("RAM32X1S A0", 1),
        ("RAM64X1D DPRA0", 1),
        ("$something A", 1),
    ] {
        let list = netlist(&format!("FDRE C=99 D=30 > Q=10\n{cell}=10 > O=20\nFDRE C=99 D=20 > Q=21"));
        let path = depth(&list).register_to_register.unwrap();
        let found = (path.weight.weight, path.from.as_str(), path.to.as_str());
        assert_eq!(found, (expected, "c0 (FDRE)", "c2.D (FDRE)"), "{cell}");
        assert_eq!(path.through, [cell.split(' ').next().unwrap()]);
    }
}

#[test]
fn a_carry_chain_counts_once_and_data_of_distributed_memory_ends_a_path() {
    let found = depth(&netlist(
        "FDRE D=40 > Q=10
LUT1 I0=10 > O=15
CARRY4 S=15 > CO=11
CARRY4 CI=11 S=10 > CO=12
CARRY4 CI=12 > O=13
RAM32M DIA=13 ADDRA=10 > DOA=14
FDRE D=14 > Q=2",
    ));
    let path = found.register_to_register.unwrap();
    assert_eq!((path.weight, path.to.as_str()), (PathWeight::LUT.plus(PathWeight::CARRY), "c5.DIA (RAM32M)"));
    assert_eq!(path.through, ["LUT1", "CARRY4", "CARRY4", "CARRY4"]);
    assert_eq!(found.register_to_output.unwrap().weight, PathWeight::FREE);
}

#[test]
fn the_address_that_writes_distributed_memory_ends_a_path() {
    let list = netlist(
        "FDRE D=40 > Q=10
LUT1 I0=10 > O=11
RAM32M ADDRA=10 ADDRD=11 > DOA=12
FDRE D=12 > Q=2",
    );
    assert_eq!(depth(&list).depth(), 1);
}

#[test]
fn a_deep_path_from_a_port_does_not_hide_one_between_registers() {
    let found = depth(&netlist(
        "FDRE D=40 > Q=10
LUT1 I0=1 > O=11
LUT2 I0=11 I1=10 > O=12
FDRE D=12 > Q=13
LUT2 I0=12 I1=13 > O=2",
    ));
    let weight = |path: &Option<Path>| path.as_ref().map(|path| path.weight.weight);
    assert_eq!(found.depth(), 1);
    assert_eq!(weight(&found.input_to_register), Some(2));
    assert_eq!(weight(&found.register_to_output), Some(2));
    assert_eq!(weight(&found.input_to_output), Some(3));
    assert_eq!(found.input_to_output.unwrap().from, "in");
}

#[test]
fn a_combinational_loop_is_cut_and_counted() {
    let found = depth(&netlist("FDRE D=12 > Q=10\nLUT2 I0=10 I1=12 > O=11\nLUT1 I0=11 > O=12"));
    assert_eq!((found.loops_cut, found.depth()), (1, 2));
}

#[test]
fn a_long_chain_needs_no_stack() {
    let luts: String = (100..50_100).map(|net| format!("LUT1 I0={net} > O={}\n", net + 1)).collect();
    assert_eq!(depth(&netlist(&format!("{luts}FDRE D=50100 > Q=100"))).depth(), 50_000);
}
