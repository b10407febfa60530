//! `tmugen explain`: what an error code means, why the rule is there, and what keeps it.

use crate::console::{Summary, Verbosity};
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::fmt::Write;
use tmu_hdl::diagnostic::{Explanation, Rule as HardwareRule};
use tmu_problem::RuleCode;

/// Explain an error code, or list all codes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen explain E0106
  tmugen explain H005
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

/// Width to which explanations are wrapped, in characters.
const EXPLANATION_WIDTH: usize = 100;

/// Code, title and explanation of every rule that is neither about configurations nor about hardware.
fn rules() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let assets = tmu_assets::Rule::ALL.iter().map(|rule| (rule.code(), rule.title(), rule.explanation()));
    let own = Rule::ALL.iter().map(|rule| (rule.code(), rule.title(), rule.explanation()));
    let programs = tmu_shader::Rule::ALL.iter().map(|rule| (rule.code(), rule.title(), rule.explanation()));
    assets.chain(own).chain(rules_of_pictures()).chain(programs)
}

/// The same of scenes and the live view; without their commands they cannot be broken.
#[cfg(feature = "full")]
fn rules_of_pictures() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let scenes = tmu_scene::Rule::ALL.iter().map(|rule| (rule.code(), rule.title(), rule.explanation()));
    let view = tmu_view::Rule::ALL.iter().map(|rule| (rule.code(), rule.title(), rule.explanation()));
    scenes.chain(view)
}

#[cfg(not(feature = "full"))]
fn rules_of_pictures() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    std::iter::empty()
}

/// The long explanation of a code in Markdown; none if there is no such code.
fn explain(code: &str) -> Option<String> {
    if let Some(text) = tmu_spec::config::explain(code) {
        return Some(text.to_owned());
    }
    if let Some(rule) = HardwareRule::every().find(|rule| rule.code().eq_ignore_ascii_case(code)) {
        return Some(explain_hardware(rule));
    }
    let (code, title, text) = rules().find(|(known, ..)| known.eq_ignore_ascii_case(code))?;
    Some(format!("# {code}: {title}\n\n{}\n", textwrap::fill(text, EXPLANATION_WIDTH)))
}

/// The same of a rule about hardware, which has an example.
fn explain_hardware(rule: HardwareRule) -> String {
    let Explanation { title, rule: text, example, remedy } = rule.explanation();
    let code = rule.code();
    let text = textwrap::fill(text, EXPLANATION_WIDTH);
    let remedy = textwrap::fill(&format!("Instead: {remedy}"), EXPLANATION_WIDTH);
    format!("# {code}: {title}\n\n{text}\n\nRefused:\n\n```rust\n{example}```\n\n{remedy}\n")
}

/// Every code with its title, ascending.
fn codes() -> Vec<(&'static str, &'static str)> {
    let configurations = tmu_spec::config::ErrorCode::ALL.iter().map(|code| {
        let heading = code.explanation().lines().next().unwrap_or_default();
        (code.code(), heading.split_once(": ").map_or(heading, |(_, title)| title))
    });
    let hardware = HardwareRule::every().map(|rule| (rule.code(), rule.explanation().title));
    let others = rules().map(|(code, title, _)| (code, title));
    configurations.chain(others).chain(hardware).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_and_all_are_explained() {
        let codes = codes();
        assert!(codes.windows(2).all(|pair| pair[0].0 < pair[1].0), "{codes:?}");
        for (code, title) in codes {
            let text = explain(&code.to_lowercase()).unwrap_or_default();
            assert!(text.starts_with(&format!("# {code}: {title}\n\n")), "{code}: {text}");
        }
        assert_eq!(explain("E9999"), None);
    }

    #[test]
    fn rules_of_the_toolkit_have_example_and_remedy() {
        for rule in HardwareRule::every() {
            let text = explain(&rule.code().to_lowercase()).unwrap_or_default();
            let Explanation { rule: says, example, remedy, .. } = rule.explanation();
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in [says, example, remedy] {
                assert!(words(&text).contains(&words(part)), "{}: no {part:?} in\n{text}", rule.code());
            }
        }
    }
}
