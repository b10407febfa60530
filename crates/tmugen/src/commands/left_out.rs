//! A command that was left out when tmugen was compiled: what it is called, and how to get it.

use crate::console::{Summary, Verbosity};
use crate::problem::{Failure, Rule};
use std::ffi::OsString;

/// Whatever the command is given.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
    #[arg(skip)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    /// Says how to get the command; the line repeats what it was given.
    pub(crate) fn refuse(&self, command: &str) -> Result<Summary, Failure> {
        let rest = self.rest.iter().map(|argument| quoted(&argument.to_string_lossy()));
        let line: Vec<_> = std::iter::once(command.to_owned()).chain(rest).collect();
        Err(Failure::new(
            Rule::LeftOut,
            format!(
                "`{command}` is not in this build, which makes hardware of configurations and nothing else"
            ),
            format!(
                "build tmugen with its feature `full`, which is on unless --no-default-features switches it off: \
                 cargo run --release -- {}",
                line.join(" ")
            ),
        ))
    }
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn whatever_follows_is_repeated_behind_the_feature() {
        let table = [
            (&["a.toml", "-o", "b.png", "--size", "3x4"][..], "-- render a.toml -o b.png --size 3x4"),
            (&["--help"], "-- render --help"),
            (&["it's a picture.png"], "-- render 'it'\\''s a picture.png'"),
        ];
        for (given, expected) in table {
            let line = Line::try_parse_from(std::iter::once("render").chain(given.iter().copied())).unwrap();
            assert_eq!(line.args.verbosity, Verbosity::default(), "what it is given is not looked into");
            let failure = line.args.refuse("render").unwrap_err();
            assert_eq!(failure.exit.code(), 3);
            let problem = &failure.problems[0];
            assert!(problem.message.starts_with("`render` is not in this build"), "{}", problem.message);
            assert!(
                problem.help.contains("feature `full`") && problem.help.ends_with(expected),
                "{}",
                problem.help
            );
        }
    }
}
