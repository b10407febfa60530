//! The command line as a whole: its commands, its help and its exit codes.

use crate::commands;
use crate::console::{Summary, Verbosity};
use crate::problem::{Exit, Failure, Rule};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::fmt::Write;
use tmu_problem::RuleCode;

/// Generator of GPU texture units, with the golden model and the tools around it.
#[derive(Debug, Parser)]
#[command(name = "tmugen", version, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Declares the commands in the order of the help: variant, and file in `commands/`. One with `full` needs that feature;
/// without it, it says how to get it.
macro_rules! commands {
    ($( $variant:ident = $module:ident $($feature:literal)?; )*) => {
        /// One variant and one file for each command.
        #[derive(Debug, Subcommand)]
        enum Command {
            $(
                $(#[cfg(feature = $feature)])?
                $variant(commands::$module::Args),
                $(
                    #[cfg(not(feature = $feature))]
                    #[command(about = concat!("Not in this build: cargo run --release -- ", stringify!($module)))]
                    $variant(commands::left_out::Args),
                )?
            )*
        }

        impl Command {
            fn run(&self) -> Result<Summary, Failure> {
                match self {
                    $(
                        $(#[cfg(feature = $feature)])?
                        Command::$variant(args) => args.run(),
                        $(
                            #[cfg(not(feature = $feature))]
                            Command::$variant(args) => args.refuse(stringify!($module)),
                        )?
                    )*
                }
            }

            fn verbosity(&self) -> Verbosity {
                match self { $( Command::$variant(args) => args.verbosity, )* }
            }
        }
    };
}

commands! {
    New = new;
    Presets = presets;
    Check = check;
    Explain = explain;
    Generate = generate;
    Pack = pack "full";
    Unpack = unpack "full";
    Info = info "full";
    Sample = sample "full";
    Render = render "full";
    Trace = trace "full";
    Window = window "full";
    Mesh = mesh "full";
    Load = load "full";
    Assemble = assemble "full";
    View = view "full";
    Sim = sim "full";
    Bringup = bringup "full";
    Bench = bench "full";
    Explore = explore "full";
    Estimate = estimate "full";
    Report = report "full";
    Doctor = doctor "full";
    Completions = completions "full";
    Man = man "full";
}

impl Cli {
    /// The parser, with the exit codes in its help.
    pub fn parser() -> clap::Command {
        Cli::command().after_help(exit_codes())
    }

    /// Reads the arguments, the first of which is the program's name.
    ///
    /// # Errors
    /// The usage error, or the help or version that was asked for; both are shown by printing them.
    pub fn parse_from<T>(arguments: impl IntoIterator<Item = T>) -> Result<Self, clap::Error>
    where
        T: Into<std::ffi::OsString> + Clone,
    {
        Cli::from_arg_matches(&Cli::parser().try_get_matches_from(arguments)?)
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Everything that keeps the command from doing what it was asked for.
    pub fn run(&self) -> Result<Summary, Failure> {
        self.command.run()
    }

    /// How much the command is to say.
    pub fn verbosity(&self) -> Verbosity {
        self.command.verbosity()
    }
}

fn exit_codes() -> String {
    let mut text = String::from("Exit codes:\n");
    for exit in Exit::ALL {
        let _ = writeln!(text, "  {}  {}", exit.code(), exit.meaning());
    }
    text += "\nEnvironment:\n  TMUGEN_CACHE_DIR  where models that are compiled for simulation are kept; they may be deleted at any \
             time\n                    [default: $XDG_CACHE_HOME/tmugen, else $HOME/.cache/tmugen]\n";
    text
}

/// The reference page of the command line in Markdown, made from the help of every command.
pub fn reference() -> String {
    let mut page = String::from(
        "<!-- Made from the help texts. UPDATE_DOCS=1 cargo test -p tmugen writes it anew. -->\n\n# Command line\n",
    );
    let mut parser = Cli::parser().term_width(100);
    parser.build();
    write_help(&mut page, &mut parser);
    page + &exit_table()
}

/// The head of [`exit_table`].
const EXIT_CODES: &str = "\n## Exit codes\n\n\
     One kind of mistake has one exit code, whatever the command. Error codes of configurations (E0001 and on), pictures and\n\
     textures (E01..), scenes (E03..), the live view (E04..) and programs (E05..) end with 1, or with 2 where what is wrong\n\
     stands on the command line (`explore --vary`, `view --address`); those of the command line itself (E02..) as listed.\n\
     A run that a signal ends tidies up, and has 128 plus the number of the signal as its code.\n\n\
     | code | ends like this | error codes |\n| --- | --- | --- |\n";

/// Which mistake ends with which code, in Markdown.
fn exit_table() -> String {
    let mut table = EXIT_CODES.to_owned();
    for exit in Exit::ALL.into_iter().filter(|exit| *exit != Exit::Success) {
        let codes: Vec<_> =
            Rule::ALL.iter().filter(|rule| rule.exit() == exit).map(|rule| rule.code()).collect();
        let _ =
            writeln!(table, "| {} | {} | {} |", exit.code(), exit.mistakes().join("; "), codes.join(", "));
    }
    table
}

fn write_help(page: &mut String, command: &mut clap::Command) {
    let name = command.get_bin_name().unwrap_or("tmugen").to_owned();
    let help = command.render_long_help().to_string();
    let _ = write!(page, "\n## `{name}`\n\n```text\n");
    for line in help.trim_end().lines() {
        let _ = writeln!(page, "{}", line.trim_end());
    }
    page.push_str("```\n");
    for subcommand in command.get_subcommands_mut() {
        write_help(page, subcommand);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_make_sense() {
        Cli::parser().debug_assert();
    }

    #[test]
    fn the_committed_page_is_what_the_help_says() {
        let command = "cargo test -p tmugen";
        tmu_testing::check_committed("docs/reference/cli.md", &reference(), "UPDATE_DOCS", command);
    }
}
