//! Area and depth as figures that can be kept and compared.

use crate::table::Table;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use tmu_verilate::{Family, ModelSource, Path as LogicPath, Result, Synthesis, synthesize};

/// What one module takes, with everything below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// The module.
    pub(crate) module: String,
    /// How often it stands in the design.
    pub(crate) instances: u64,
    /// LUTs as logic.
    pub(crate) lut: usize,
    /// LUTs as memory.
    pub(crate) lut_memory: usize,
    /// Flip-flops.
    pub(crate) flip_flops: usize,
    /// Those of them that belong inside DSP slices.
    pub(crate) flip_flops_in_dsp: usize,
    /// Block RAM in units of 36 Kb.
    pub(crate) bram36: f64,
    /// UltraRAMs.
    pub(crate) uram: usize,
    /// DSP slices.
    pub(crate) dsp: usize,
    /// Levels between registers.
    pub(crate) depth: u32,
}

impl Figures {
    fn new(module: &str, instances: u64, synthesis: &Synthesis) -> Self {
        let counts = &synthesis.counts;
        Self {
            module: module.to_owned(),
            instances,
            lut: counts.lut,
            lut_memory: counts.lut_memory,
            flip_flops: counts.ff,
            flip_flops_in_dsp: counts.ff_in_dsp,
            bram36: counts.bram36(),
            uram: counts.uram288,
            dsp: counts.dsp48,
            depth: synthesis.depth.depth(),
        }
    }

    /// The figures by name, in the order of the columns.
    pub(crate) fn columns(&self) -> [(&'static str, f64); 8] {
        [
            ("LUT", self.lut as f64),
            ("as memory", self.lut_memory as f64),
            ("FF", self.flip_flops as f64),
            ("in DSP", self.flip_flops_in_dsp as f64),
            ("BRAM36", self.bram36),
            ("URAM", self.uram as f64),
            ("DSP", self.dsp as f64),
            ("depth", f64::from(self.depth)),
        ]
    }
}

/// The figures of a design, and of its modules by themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Estimate {
    /// Version of Yosys: figures of different versions do not compare.
    pub(crate) yosys: String,
    /// The device family.
    pub(crate) family: String,
    /// The whole.
    pub(crate) total: Figures,
    /// Modules by themselves; what one module takes in the whole may be less.
    pub(crate) modules: Vec<Figures>,
    /// The heaviest paths by where they begin and end.
    pub(crate) paths: Vec<String>,
    /// Latches and combinational loops: more than 0 is a fault.
    pub(crate) faults: usize,
    /// What Yosys warned of.
    pub(crate) warnings: Vec<String>,
}

/// What Yosys calls itself without the compiler that it was built with, which comes behind.
pub(crate) fn version(yosys: &str) -> &str {
    yosys.split(" (").next().unwrap_or_default()
}

/// Synthesises a design and modules of it, and gives the netlist of the design.
pub(crate) fn estimate(
    source: &ModelSource,
    modules: &[(String, u64)],
    family: Family,
) -> Result<(Estimate, String)> {
    let whole = synthesize(source, family)?;
    let of_module = |(name, instances): &(String, u64)| {
        let source = ModelSource { top: name.clone(), ..source.clone() };
        Ok(Figures::new(name, *instances, &synthesize(&source, family)?))
    };
    let modules = modules.par_iter().map(of_module).collect::<Result<Vec<_>>>()?;
    let depth = &whole.depth;
    let paths = [
        ("between registers", &depth.register_to_register),
        ("from inputs", &depth.input_to_register),
        ("to outputs", &depth.register_to_output),
        ("through", &depth.input_to_output),
    ];
    let paths =
        paths.into_iter().filter_map(|(name, path)| Some(format!("{name}: {}", shown(path.as_ref()?))));
    let estimate = Estimate {
        yosys: whole.yosys_version.clone(),
        family: match family {
            Family::UltraScalePlus => "xcup".to_owned(),
            Family::Series7 => "xc7".to_owned(),
        },
        total: Figures::new(&source.top, 1, &whole),
        modules,
        paths: paths.collect(),
        faults: whole.counts.latches + depth.loops_cut,
        warnings: whole.warnings,
    };
    Ok((estimate, whole.netlist_json))
}

fn shown(path: &LogicPath) -> String {
    let LogicPath { weight, from, to, through } = path;
    let cells: String = through.iter().map(|cell| format!(" > {cell}")).collect();
    format!("{}, {from}{cells} > {to}", weight.weight)
}

impl Estimate {
    /// The whole, then its modules.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Figures> {
        [&self.total].into_iter().chain(&self.modules)
    }

    /// A table with the heaviest paths below.
    pub(crate) fn text(&self) -> String {
        let names = self.total.columns().map(|(name, _)| name);
        let mut table = Table::new(1, ["module", "instances"].into_iter().chain(names));
        for row in self.rows() {
            let figures = row.columns().map(|(_, figure)| figure.to_string());
            table.push([row.module.clone(), row.instances.to_string()].into_iter().chain(figures));
        }
        let mut text = format!("{}, {}\n{}", version(&self.yosys), self.family, table.text());
        for path in &self.paths {
            let _ = writeln!(text, "{path}");
        }
        if self.faults > 0 || !self.warnings.is_empty() {
            let _ = writeln!(text, "latches and loops: {}", self.faults);
            let _ = writeln!(text, "warnings: {}\n{}", self.warnings.len(), self.warnings.join("\n"));
        }
        text
    }
}

/// What has changed, module by module; figures that are the same are left out.
pub(crate) fn comparison(old: &Estimate, new: &Estimate) -> String {
    let mut table = Table::new(2, ["module", "figure", "old", "new", "change"]);
    let mut changed = false;
    for row in new.rows() {
        let Some(before) = old.rows().find(|before| before.module == row.module) else {
            changed = true;
            table.push([row.module.as_str(), "is new"]);
            continue;
        };
        let pairs = before.columns().into_iter().zip(row.columns());
        for ((name, before), (_, now)) in pairs.filter(|((_, before), (_, now))| before != now) {
            changed = true;
            let change = format!("{:+}", now - before);
            table.push([row.module.clone(), name.to_owned(), before.to_string(), now.to_string(), change]);
        }
    }
    for gone in old.modules.iter().filter(|old| new.rows().all(|row| row.module != old.module)) {
        changed = true;
        table.push([gone.module.as_str(), "is gone"]);
    }
    let mut text = String::new();
    if old.yosys != new.yosys || old.family != new.family {
        let _ = writeln!(
            text,
            "the figures do not compare: {}, {} then and {}, {} now",
            old.yosys, old.family, new.yosys, new.family
        );
    }
    text + &if changed { table.text() } else { "nothing has changed\n".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(module: &str, lut: usize) -> Figures {
        Figures {
            module: module.to_owned(),
            instances: 1,
            lut,
            lut_memory: 0,
            flip_flops: 7,
            flip_flops_in_dsp: 0,
            bram36: 0.5,
            uram: 0,
            dsp: 0,
            depth: 5,
        }
    }

    fn of(total: usize, modules: Vec<Figures>) -> Estimate {
        Estimate {
            yosys: "Yosys 0.70".to_owned(),
            family: "xcup".to_owned(),
            total: figures("top", total),
            modules,
            paths: vec!["between registers: 5, a > b".to_owned()],
            faults: 0,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn only_what_has_changed_is_compared() {
        let old = of(100, vec![figures("lod", 10), figures("gone", 1)]);
        let new = of(90, vec![figures("lod", 10), figures("fresh", 2)]);
        let expected = "module  figure   old  new  change\ntop     LUT      100   90     -10\n\
                        fresh   is new\ngone    is gone\n";
        assert_eq!(comparison(&old, &new), expected);
        assert_eq!(comparison(&old, &old), "nothing has changed\n");
        let other = Estimate { yosys: "Yosys 0.23".to_owned(), ..old.clone() };
        assert!(comparison(&other, &old).starts_with("the figures do not compare: Yosys 0.23"));
    }

    #[test]
    fn estimates_are_read_back() {
        let estimate = of(100, vec![figures("lod", 10)]);
        let text = serde_json::to_string(&estimate).unwrap();
        assert_eq!(serde_json::from_str::<Estimate>(&text).unwrap(), estimate);
        assert!(estimate.text().contains("top             1  100"), "{}", estimate.text());
    }
}
