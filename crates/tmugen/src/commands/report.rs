//! `tmugen report`: one page about the hardware of a configuration.

use crate::args::ConfigArgs;
use crate::console::{Summary, Verbosity};
use crate::engine::synthesis_failure;
use crate::estimate::{Estimate, estimate};
use crate::output::write_file;
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::PathBuf;
use tmu_package::report::{Area, html};
use tmu_rtl::outputs::Hardware;
use tmu_verilate::{Family, ModelSource, SourceFile};

/// Write a page about the hardware: blocks, ports, streams, registers, memory layout, latency
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is one HTML file that needs no other, with or without a network. --area adds what `estimate` says, which needs Yosys \
and takes a minute or more.

Examples:
  tmugen report --preset fury --out fury.html
  tmugen report --config my_tmu.toml --out my_tmu.html
  tmugen report --config my_tmu.toml --out my_tmu.html --area")]
pub(crate) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// The file to write
    #[arg(short, long, value_name = "FILE.html")]
    out: PathBuf,
    /// Estimate area and depth with Yosys
    #[arg(long)]
    area: bool,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let config = self.config.load()?;
        let hardware = Hardware::new(&config).map_err(|diagnostics| {
            let message = format!("the hardware does not pass the design checks:\n{diagnostics}");
            Failure::new(Rule::Design, message, "report this together with the configuration")
        })?;
        let area = if self.area { Some(area(&hardware)?) } else { None };
        let page = html(&hardware, area.as_ref());
        write_file(&self.out, page.as_bytes())?;
        let file = self.out.display();
        let data = json!({ "file": file.to_string(), "top": config.name(), "bytes": page.len() });
        Ok(Summary::note(format!("wrote {file}\n"), data))
    }
}

fn area(hardware: &Hardware) -> Result<Area, Failure> {
    let files = hardware.verilog_files().into_iter();
    let source = ModelSource {
        top: hardware.top().to_owned(),
        files: files.map(|file| SourceFile::new(file.name, file.text)).collect(),
        ports: Vec::new(),
    };
    let (estimate, _) =
        estimate(&source, &[], Family::default()).map_err(|error| synthesis_failure(&error))?;
    let Estimate { yosys, total, .. } = estimate;
    let names = total.columns().map(|(name, _)| name.to_owned());
    let figures = total.columns().map(|(_, figure)| figure.to_string());
    Ok(Area {
        source: yosys.split(" (").next().unwrap_or_default().to_owned(),
        header: ["module".to_owned()].into_iter().chain(names).collect(),
        rows: vec![[total.module].into_iter().chain(figures).collect()],
    })
}
