//! Timing constraints for Vivado.
//!
//! One file constrains the crossings and is scoped to the top module (`read_xdc -ref`), so that it holds wherever
//! the core is instantiated. The other creates the clocks, for synthesis of the core by itself; in a design they
//! come from outside.

use std::fmt::Write as _;
use tmu_hdl::manifest::{Crossing, CrossingDeclaration, Manifest};
use tmu_hdl::primitive::CrossingKind;
use tmu_spec::Config;

/// The clock ports of a configuration with their frequencies in MHz.
pub(super) fn clocks(config: &Config) -> Vec<(&'static str, u32)> {
    let clocks = config.clocks();
    let memory = clocks.memory_mhz().map(|mhz| ("m_axi_aclk", mhz));
    [("core_aclk", clocks.core_mhz()), ("tmu_aclk", clocks.tmu_mhz())].into_iter().chain(memory).collect()
}

/// A period in ns, rounded down to whole ps.
fn period_ns(mhz: u32) -> String {
    let ps = 1_000_000 / mhz;
    format!("{}.{:03}", ps / 1000, ps % 1000)
}

fn mhz_of(config: &Config, clock: &str) -> u32 {
    clocks(config).iter().find(|(name, _)| *name == clock).map_or(1, |(_, mhz)| *mhz)
}

fn create_clocks(config: &Config, comment: &str) -> String {
    let mut text = String::new();
    for (port, mhz) in clocks(config) {
        let period = period_ns(mhz);
        let _ = writeln!(text, "{comment}create_clock -name {port} -period {period} [get_ports {port}]");
    }
    text
}

/// Clocks for synthesis of the core by itself.
pub(super) fn out_of_context(config: &Config, header: &str) -> String {
    format!(
        "{header}# Clocks for synthesis of `{}` by itself (USED_IN out_of_context).\n\
         # In a design the clocks come from outside and this file is not read.\n\n{}",
        config.name(),
        create_clocks(config, "")
    )
}

/// Constraints of all crossings.
pub(super) fn constraints(config: &Config, hardware: &Manifest, header: &str) -> String {
    let name = config.name();
    let mut text = format!(
        "{header}# Constraints of `{name}`, relative to the core: read_xdc -ref {name} {name}.xdc\n\
         #\n\
         # The clocks have no relation to each other. A design that instantiates the core defines them, for example:\n"
    );
    text += &create_clocks(config, "#   ");
    let _ = write!(
        text,
        "#\n\
         # Every path between two clocks is a synchroniser or a memory whose words are stable while they are read.\n\
         # The flip-flops of synchronisers carry ASYNC_REG in the Verilog. There are no false paths and no multicycle\n\
         # paths: what is constrained here is all that crosses.\n\
         #\n\
         # set_max_delay: data is under way for less than a clock of the side that it comes from.\n\
         # set_bus_skew: bits of a gray code arrive within a clock of the faster side, so that one changes at a time.\n"
    );
    text += &declarations(&hardware.crossing_declarations);
    for crossing in &hardware.crossings {
        text += &constraint(config, crossing);
    }
    text
}

/// What the design declares about its crossings, for whoever reviews them: each net and reason once.
fn declarations(declarations: &[CrossingDeclaration]) -> String {
    let mut nets: Vec<(&str, &str, Vec<&str>, usize)> = vec![];
    for CrossingDeclaration { net, rule, reason, instances, .. } in declarations {
        match nets.iter_mut().find(|(known, why, ..)| known == rule && why == reason) {
            Some((_, _, names, count)) => {
                if !names.contains(&net.as_str()) {
                    names.push(net);
                }
                *count += instances.len();
            }
            None => nets.push((rule, reason, vec![net], instances.len())),
        }
    }
    let mut text = String::new();
    for (rule, reason, names, count) in nets {
        let _ = writeln!(text, "#\n# Declared, {rule}: {} ({count} in all):\n#   {reason}", names.join(", "));
    }
    text
}

fn constraint(config: &Config, crossing: &Crossing) -> String {
    let Crossing { instance, kind, from_clock, to_clock, from_registers, to_register, width_bits } = crossing;
    let [from_mhz, to_mhz] = [from_clock, to_clock].map(|clock| mhz_of(config, clock));
    let what = match kind {
        CrossingKind::Synchroniser if *width_bits > 1 => format!("gray code of {width_bits} bits"),
        CrossingKind::Synchroniser => "one bit".to_owned(),
        CrossingKind::ResetSynchroniser => "a reset".to_owned(),
        CrossingKind::StableData => format!("words of {width_bits} bits in a memory"),
    };
    let to = cells(std::slice::from_ref(to_register));
    let from = if from_registers.is_empty() {
        format!("[get_clocks -of_objects [get_ports {from_clock}]]")
    } else {
        cells(from_registers)
    };
    let mut text = format!("\n# {instance}: {what}, from {from_clock} to {to_clock}\n");
    let delay = period_ns(from_mhz);
    let _ = writeln!(text, "set_max_delay -datapath_only -from {from} -to {to} {delay}");
    if *kind == CrossingKind::Synchroniser && *width_bits > 1 {
        let skew = period_ns(from_mhz.max(to_mhz));
        let _ = writeln!(text, "set_bus_skew -from {from} -to {to} {skew}");
    }
    text
}

/// The cells of registers: `name_reg`, or `name_reg[i]` of a wider one.
fn cells(registers: &[String]) -> String {
    let patterns: Vec<_> = registers.iter().map(|register| format!("{register}_reg*")).collect();
    match patterns.as_slice() {
        [one] => format!("[get_cells {one}]"),
        several => format!("[get_cells {{{}}}]", several.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_never_too_long() {
        let table = [(400, "2.500"), (480, "2.083"), (300, "3.333"), (1, "1000.000"), (1000, "1.000")];
        for (mhz, expected) in table {
            assert_eq!(period_ns(mhz), expected);
        }
    }

    #[test]
    fn declarations_are_repeated_once_with_their_reason() {
        let declaration = |module: &str, net: &str| CrossingDeclaration {
            module: module.to_owned(),
            net: net.to_owned(),
            rule: "H006.3".to_owned(),
            reason: "proved".to_owned(),
            instances: vec!["a".to_owned(), "b".to_owned()],
        };
        let given = [declaration("m", "ack"), declaration("n", "ack"), declaration("n", "request")];
        let expected = "#\n# Declared, H006.3: ack, request (6 in all):\n#   proved\n";
        assert_eq!(declarations(&given), expected);
    }

    #[test]
    fn a_gray_code_has_delay_and_skew() {
        let config = Config::from_toml("").unwrap();
        let crossing = Crossing {
            instance: "unit_0/fifo/pointer_to_read".to_owned(),
            kind: CrossingKind::Synchroniser,
            from_clock: "core_aclk".to_owned(),
            to_clock: "tmu_aclk".to_owned(),
            from_registers: vec!["unit_0/fifo/write_pointer".to_owned()],
            to_register: "unit_0/fifo/pointer_to_read/stage_0".to_owned(),
            width_bits: 5,
        };
        let ends = "-from [get_cells unit_0/fifo/write_pointer_reg*] \
                    -to [get_cells unit_0/fifo/pointer_to_read/stage_0_reg*]";
        let expected = format!(
            "\n# unit_0/fifo/pointer_to_read: gray code of 5 bits, from core_aclk to tmu_aclk\n\
             set_max_delay -datapath_only {ends} 2.500\n\
             set_bus_skew {ends} 2.083\n"
        );
        assert_eq!(constraint(&config, &crossing), expected);
        let bit = Crossing { width_bits: 1, ..crossing.clone() };
        assert!(!constraint(&config, &bit).contains("set_bus_skew"));
        let words = Crossing { kind: CrossingKind::StableData, from_registers: Vec::new(), ..crossing };
        let text = constraint(&config, &words);
        assert!(text.contains("-from [get_clocks -of_objects [get_ports core_aclk]]"), "{text}");
    }
}
