//! Timing constraints for Vivado, from the templates in `constraints/`.
//!
//! One file constrains the crossings and is scoped to the top module (`read_xdc -ref`), so that it holds wherever
//! the core is instantiated. The other creates the clocks, for synthesis of the core by itself; in a design they
//! come from outside.

mod template;

use template::Template;
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

/// A line for each clock that creates it.
fn create_clocks(config: &Config, template: Template, comment: &str) -> String {
    let clock = |(port, mhz): (&str, u32)| {
        let line = template.fill("clock", &[("port", port), ("period", &period_ns(mhz))]);
        format!("{comment}{line}")
    };
    clocks(config).into_iter().map(clock).collect()
}

/// Clocks for synthesis of the core by itself.
pub(super) fn out_of_context(config: &Config, header: &str) -> String {
    let template = Template::of(config.family());
    let about = template.fill("out_of_context", &[("core", config.name())]);
    format!("{header}{about}\n{}", create_clocks(config, template, ""))
}

/// Constraints of all crossings.
pub(super) fn constraints(config: &Config, hardware: &Manifest, header: &str) -> String {
    let template = Template::of(config.family());
    let example_clocks = create_clocks(config, template, "#   ");
    let words = [
        ("core", config.name()),
        ("clocks", template.section("clocks")),
        ("example_clocks", example_clocks.trim_end()),
    ];
    let mut text = header.to_owned() + &template.fill("core", &words);
    text += &declarations(template, &hardware.crossing_declarations);
    for crossing in &hardware.crossings {
        text += &constraint(config, crossing);
    }
    text
}

/// What the design declares about its crossings, for whoever reviews them: each net and reason once.
fn declarations(template: Template, declarations: &[CrossingDeclaration]) -> String {
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
    let declared = |(rule, reason, names, count): &(&str, &str, Vec<&str>, usize)| {
        let (names, count) = (names.join(", "), count.to_string());
        let words = [("rule", *rule), ("nets", &names), ("count", &count), ("reason", reason)];
        template.fill("declaration", &words)
    };
    nets.iter().map(declared).collect()
}

fn constraint(config: &Config, crossing: &Crossing) -> String {
    let Crossing { instance, kind, from_clock, to_clock, from_registers, to_register, width_bits } = crossing;
    let [from_mhz, to_mhz] = [from_clock, to_clock].map(|clock| mhz_of(config, clock));
    let section = match kind {
        CrossingKind::Synchroniser if *width_bits > 1 => "gray",
        CrossingKind::Synchroniser => "bit",
        CrossingKind::ResetSynchroniser => "reset",
        CrossingKind::StableData => "words",
    };
    let from = if from_registers.is_empty() {
        format!("[get_clocks -of_objects [get_ports {from_clock}]]")
    } else {
        cells(from_registers)
    };
    let words: [(&str, &str); 8] = [
        ("instance", instance),
        ("from_clock", from_clock),
        ("to_clock", to_clock),
        ("from", &from),
        ("to", &cells(std::slice::from_ref(to_register))),
        ("width", &width_bits.to_string()),
        ("from_period", &period_ns(from_mhz)),
        ("faster_period", &period_ns(from_mhz.max(to_mhz))),
    ];
    Template::of(config.family()).fill(section, &words)
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
    use tmu_spec::config::Family;

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
        assert_eq!(declarations(Template::of(Family::ZynqMp), &given), expected);
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
