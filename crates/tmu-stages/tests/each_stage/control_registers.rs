//! `control_registers`: what commands read and write, byte by byte, and which errors stay.

use crate::support::{configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::system::control_registers::ControlRegisters;
use tmu_rtl::system::registers::{self as map, Register};
use tmu_spec::binding::BindingRule;
use tmu_stages::{Check, Rig};

/// The bytes of a word that strobes name.
fn bytes(strobes: u32) -> u32 {
    (0..4).filter(|byte| strobes >> byte & 1 == 1).map(|byte| 0xff << (8 * byte)).sum()
}

/// A command and its answer: the value, where there is such a register.
fn command(
    check: &mut Check,
    rig: &mut Rig<ControlRegisters>,
    register: u32,
    write: Option<(u32, u32)>,
) -> Option<u32> {
    let (data, strobes) = write.unwrap_or_default();
    let word = register / map::REGISTER_BYTES;
    let word_bits = rig.command.data.width() - 1 - 4 - 32;
    let parts = [number(1, write.is_some()), number(word_bits, word), number(4, strobes), number(32, data)];
    rig.command.data.drive(cat(&parts));
    rig.command.valid.drive(true);
    rig.settle();
    check.holds(is_high(rig.command.ready.val()), "a command is taken when none is under way");
    rig.tick();
    rig.command.valid.drive(false);
    for clock in 0..60 {
        let ready = !check.one_in(3);
        rig.answer.ready.drive(ready);
        rig.settle();
        let answer = (ready && is_high(rig.answer.valid.val())).then(|| rig.answer.data.val());
        // Counters pass by with their number.
        rig.count_number.iter().for_each(|net| net.drive(clock % 16));
        rig.counts.iter().for_each(|net| net.drive(0x1000 + clock % 16));
        rig.tick();
        if let Some(answer) = answer {
            return is_high(answer.high(1)).then(|| answer.low(32).to_u64() as u32);
        }
    }
    check.fail(format!("register {register:#x} is never answered"))
}

#[test]
pub(crate) fn errors() {
    let (mut check, mut rig) = bench("control_registers_errors");
    let mut errors = 0u32;
    for _ in 0..1200 {
        if check.one_in(2) {
            errors |= events(&mut check, &mut rig);
        }
        let before = format!("ERROR that was {errors:#x}");
        if check.one_in(2) {
            let write = (check.rng.random::<u32>(), check.rng.random_range(0..16));
            let exists = command(&mut check, &mut rig, map::ERROR.offset_bytes, Some(write));
            check.holds(exists.is_some(), "ERROR is there");
            errors &= !(write.0 & bytes(write.1));
            let read = command(&mut check, &mut rig, map::ERROR.offset_bytes, None);
            check.same(
                format_args!("{before}, written {:#x} with strobes {:#06b}", write.0, write.1),
                read,
                Some(errors),
            );
        } else {
            let read = command(&mut check, &mut rig, map::ERROR.offset_bytes, None);
            check.same(before, read, Some(errors));
        }
    }
    check.at_least(1200);
}

fn bench(name: &str) -> (Check, Rig<ControlRegisters>) {
    (Check::new(name), Rig::new(name, ControlRegisters::new(&configs::blocking(), &[])))
}

/// A clock in which something goes wrong, as bits of `ERROR`.
fn events(check: &mut Check, rig: &mut Rig<ControlRegisters>) -> u32 {
    let rules = check.rng.random_range(0..1u32 << BindingRule::ALL.len()) & check.pick(&[0, u32::MAX]);
    let (dropped, fault) = (check.one_in(3), check.pick(&[0, 0, 1, 2, 4]));
    rig.broken_rules[0].drive(u64::from(rules));
    rig.packet_dropped[0].drive(dropped);
    rig.fault.drive(fault);
    rig.tick();
    rig.broken_rules[0].drive(0);
    rig.packet_dropped[0].drive(false);
    rig.fault.drive(0);
    rig.tick();
    let place = |field: map::Field, value: u64| field.place(value as u32);
    place(map::ERROR_BINDING_RULES, rules.into())
        | place(map::ERROR_PACKET_LENGTH, dropped.into())
        | place(map::ERROR_MEMORY_SLVERR, fault & 1)
        | place(map::ERROR_MEMORY_DECERR, fault >> 1 & 1)
        | place(map::ERROR_MEMORY_LENGTH, fault >> 2)
}

#[test]
pub(crate) fn window() {
    let (mut check, mut rig) = bench("control_registers_window");
    let config = configs::blocking();
    let mut held = config.axi().window_base();
    let pages = ((1u64 << config.axi().address_bits()) - 1) & !0xfff;
    for _ in 0..600 {
        let is_high_half = check.one_in(2);
        let register: Register = if is_high_half { map::WINDOW_BASE_HIGH } else { map::WINDOW_BASE_LOW };
        let shift = if is_high_half { 32 } else { 0 };
        let write = (check.rng.random::<u32>(), check.rng.random_range(0..16));
        command(&mut check, &mut rig, register.offset_bytes, Some(write));
        let mask = (u64::from(bytes(write.1)) << shift) & pages;
        held = (held & !mask) | ((u64::from(write.0) << shift) & mask);
        let read = command(&mut check, &mut rig, register.offset_bytes, None);
        check.same(format_args!("{} after {write:x?}", register.name), read, Some((held >> shift) as u32));
        check.same("first line of the window", rig.window_line.val().to_u64(), held / 16);
    }
    check.at_least(600);
}

#[test]
pub(crate) fn every_register() {
    let (mut check, mut rig) = bench("control_registers_every");
    let last = map::UNIT_BASE_BYTES + 2 * map::UNIT_STRIDE_BYTES;
    for offset in (0..last).step_by(map::REGISTER_BYTES as usize) {
        let of_core = map::CORE.iter().any(|register| register.offset_bytes == offset);
        let counter = map::Counter::ALL.iter().position(|counter| counter.address(0) == offset);
        let read = command(&mut check, &mut rig, offset, None);
        check.same(
            format_args!("whether there is a register at {offset:#x}"),
            read.is_some(),
            of_core || counter.is_some(),
        );
        if let Some(counter) = counter {
            check.same(format_args!("counter {counter}"), read, Some(0x1000 + counter as u32));
        }
    }
    check.at_least(50);
}
