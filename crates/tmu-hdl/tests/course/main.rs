//! The twelve blocks of the chapter for users of the toolkit alone: each in Rust simulation against what it means in plain
//! Rust numbers, and its Verilog under Verilator and Icarus against both. The chapter shows these very files.

// The files are those of a reader's project, where nothing asks for narrower visibility.
#![allow(unreachable_pub, clippy::new_without_default)]

mod adder;
mod alu;
mod button;
mod chapter;
mod counter;
mod decoder;
mod fifo;
mod harness;
mod lfsr;
mod meanings;
mod mux;
mod pwm;
mod register;
mod traffic;
mod uart;

use harness::{Case, Row, case, compare, pins};
use meanings::*;
use tmu_verilate::Tools;

fn cases() -> Vec<Case> {
    vec![
        case(
            "mux",
            mux::Mux::new(8),
            mux_meaning,
            |b| pins!(b, None, [select, inputs_0: inputs[0], inputs_1: inputs[1], inputs_2: inputs[2], inputs_3: inputs[3]], [out]),
        ),
        case("decoder", decoder::Decoder::new(3), decoder_meaning, |b| {
            pins!(b, None, [enable, select], [lines])
        }),
        case("adder", adder::Adder::new(8), adder_meaning, |b| {
            pins!(b, None, [a, b, subtract], [sum, carry, overflow])
        }),
        case("alu", alu::Alu::new(8), alu_meaning, |b| pins!(b, None, [operation, a, b], [result, zero])),
        case("register", register::Register::new(8), register_meaning(), |b| {
            pins!(b, Some(&b.clocks), [load, data], [out])
        }),
        case("counter", counter::Counter::new(9), counter_meaning(), |b| {
            pins!(b, Some(&b.clocks), [enable, down], [count])
        }),
        case("lfsr", lfsr::Lfsr::new(), lfsr_meaning(), |b| pins!(b, Some(&b.clocks), [enable], [noise])),
        case("button", button::Button::new(3), button_meaning(), |b| {
            pins!(b, Some(&b.clocks), [button], [down, pressed])
        }),
        case("traffic", traffic::Traffic::new(5), traffic_meaning(), |b| {
            pins!(b, Some(&b.clocks), [request], [red, yellow, green])
        }),
        case("pwm", pwm::Pwm::new(4), pwm_meaning(), |b| pins!(b, Some(&b.clocks), [duty], [out])),
        case(
            "uart",
            uart::UartTransmitter::new(3),
            uart_meaning(),
            |b| pins!(b, Some(&b.clocks), [input_valid: input.valid, input_data: input.data], [input_ready: input.ready, line]),
        ),
        case("fifo", fifo::Fifo::new(8), fifo_meaning(), |b| {
            pins!(
                b,
                Some(&b.clocks),
                [input_valid: input.valid, input_data: input.data, output_ready: output.ready],
                [input_ready: input.ready, output_valid: output.valid, output_data: output.data]
            )
        }),
    ]
}

#[test]
fn the_twelve_blocks_of_the_course_do_in_rust_and_in_verilog_what_they_mean() {
    let cases = cases();
    assert_eq!(cases.len(), 12);
    // The tests of `tmu-verilate` say which tools are missing and how to get them.
    if !Tools::are_missing() {
        compare(&cases);
    }
}

/// A row of named numbers.
fn row<const N: usize>(numbers: [(&str, u64); N]) -> Row {
    numbers.into_iter().map(|(name, number)| (name.to_string(), number)).collect()
}
