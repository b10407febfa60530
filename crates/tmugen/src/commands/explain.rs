//! `tmugen explain`: what an error code means, why the rule is there, and what keeps it.

use crate::console::{Summary, Verbosity};
use crate::problem::{Failure, Rule, codes, explain};
use serde_json::json;
use std::fmt::Write;

/// Explain an error code, or list all codes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen explain E0106
  tmugen explain")]
pub(crate) struct Args {
    /// A code from an error message
    #[arg(value_name = "CODE")]
    code: Option<String>,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let Some(code) = &self.code else { return Ok(list()) };
        let text = explain(code).ok_or_else(|| {
            Failure::new(
                Rule::UnknownCode,
                format!("there is no code {code:?}"),
                "`tmugen explain` lists all codes",
            )
        })?;
        let data = json!({ "code": code.to_uppercase(), "markdown": text });
        Ok(Summary::note(text, data))
    }
}

fn list() -> Summary {
    let codes = codes();
    let mut text = String::new();
    for (code, title) in &codes {
        let _ = writeln!(text, "{code}  {title}");
    }
    let codes: Vec<_> = codes.iter().map(|(code, title)| json!({ "code": code, "title": title })).collect();
    Summary::note(text, json!({ "codes": codes }))
}
