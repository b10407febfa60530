//! `tmugen man`: manual pages, one for each command.

use crate::cli::Cli;
use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::Failure;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Write the manual pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen man --out man1/")]
pub(crate) struct Args {
    /// The folder to write to; it is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut parser = Cli::parser();
        parser.build();
        let mut pages = Vec::new();
        collect(parser, &self.out, &mut pages);
        let files: Vec<(&Path, &[u8])> =
            pages.iter().map(|(path, page)| (path.as_path(), page.as_slice())).collect();
        let mut declared = Files::new(self.force);
        for (path, _) in &files {
            declared.write_in_folder(path, "--out", Kind::Manual);
        }
        declared.put_in_folder(&self.out, &files)?;
        let names: Vec<_> = pages.iter().map(|(path, _)| path.display().to_string()).collect();
        let text = format!("wrote {} pages to {}\n", names.len(), self.out.display());
        Ok(Summary::note(text, json!({ "files": names })))
    }
}

/// The page of a command and those of its subcommands.
fn collect(command: clap::Command, folder: &Path, pages: &mut Vec<(PathBuf, Vec<u8>)>) {
    for subcommand in command.get_subcommands() {
        collect(subcommand.clone(), folder, pages);
    }
    let man = clap_mangen::Man::new(command);
    let mut page = Vec::new();
    man.render(&mut page).expect("writing to memory does not fail");
    pages.push((folder.join(man.get_filename()), page));
}
