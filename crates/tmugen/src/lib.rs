//! The command line of the texture-unit generator.
//!
//! A command is one file in `commands`: its arguments, its help with examples, and a `run` that returns what there is
//! to say ([`console::Summary`]) or everything that is wrong ([`problem::Failure`]). Only [`run`] shows anything, so
//! commands can be called from tests. This is the only crate of the workspace that prints.
//!
//! Without the feature `full` the crate has the commands that make hardware of a configuration, and says of each other one
//! how to get it.
// What files there are and what can be wrong stands in one place for all commands.
#![cfg_attr(not(feature = "full"), allow(dead_code, reason = "what only commands use that are left out"))]

pub mod args;
#[cfg(feature = "full")]
mod choices;
pub mod cli;
mod commands;
pub mod console;
#[cfg(feature = "full")]
mod engine;
#[cfg(feature = "full")]
mod estimate;
mod files;
mod hardware;
#[cfg(feature = "full")]
pub mod inputs;
#[cfg(feature = "full")]
mod list;
#[cfg(feature = "full")]
mod plot;
pub mod problem;
#[cfg(feature = "full")]
mod progress;
#[cfg(feature = "full")]
pub mod quads;
#[cfg(feature = "full")]
mod requests;
#[cfg(feature = "full")]
mod table;
#[cfg(feature = "full")]
mod workload;

use cli::Cli;
use console::{Console, Verbosity};
use problem::{Exit, Failure};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::panic;
use std::process::ExitCode;
use std::thread;

/// Stack of each thread, on which whole engines are built. Pages that nothing is put on are never there.
const STACK_BYTES: usize = 128 << 20;

/// Runs the program with the arguments and the streams of the process.
///
/// # Panics
/// Where the program does, or where the machine has no thread left.
pub fn main() -> ExitCode {
    // The stack of the first thread is the system's, often 8 MiB.
    let program = thread::Builder::new().name("tmugen".into()).stack_size(STACK_BYTES).spawn(run_process);
    let program = program.expect("a thread can be started");
    program.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

fn run_process() -> ExitCode {
    #[cfg(feature = "full")]
    {
        hush_decoders();
        // A pool that is there already stays.
        let _ = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build_global();
    }
    files::outlive_size_limits();
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let err_is_terminal = err.is_terminal();
    let mut console = Console { out: &mut out, err: &mut err, err_is_terminal };
    ExitCode::from(run(std::env::args_os(), &mut console).code())
}

/// Keeps quiet about panics in picture decoders: they are caught, and the picture is reported as damaged.
#[cfg(feature = "full")]
pub fn hush_decoders() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !tmu_assets::is_decoding() {
            report(panic);
        }
    }));
}

/// Runs the program with these arguments (the first is its name) on this console.
pub fn run(arguments: impl IntoIterator<Item = OsString>, console: &mut Console<'_>) -> Exit {
    let arguments: Vec<_> = arguments.into_iter().collect();
    match Cli::parse_from(&arguments) {
        Ok(cli) => console.finish(cli.verbosity(), cli.run()),
        Err(error) => show_usage(&error, asks_for_json(&arguments), console),
    }
}

/// Whether there is a `--json`, on a command line that cannot be parsed. No option takes it for its value.
fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json")
}

/// Shows the help that was asked for, or what is wrong with the command line.
fn show_usage(error: &clap::Error, json: bool, console: &mut Console<'_>) -> Exit {
    if error.use_stderr() {
        if json {
            return console.finish(Verbosity { json, quiet: false }, Err(Failure::usage(error)));
        }
        // Nothing is left to tell the user if standard error is gone too.
        let _ = write!(console.err, "{}", error.render());
        return Exit::Usage;
    }
    let help = console::Summary::needed(error.render().to_string(), serde_json::Value::Null);
    console.finish(Verbosity::default(), Ok(help))
}
