//! Every example of every help text runs, in the order in which the commands stand in the help.

use crate::support::Workshop;
use tmugen::cli::Cli;

/// The example lines of a command and its subcommands.
fn examples(command: &clap::Command, found: &mut Vec<String>) {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (_, listed) = help.split_once("Examples:\n").unwrap_or_default();
    let lines = listed.lines().map(str::trim).filter(|line| line.starts_with("tmugen "));
    found.extend(lines.map(str::to_owned));
    for subcommand in command.get_subcommands() {
        examples(subcommand, found);
    }
}

/// All examples, in the order of the help.
fn all_examples() -> Vec<String> {
    let mut found = Vec::new();
    let mut parser = Cli::parser();
    parser.build();
    examples(&parser, &mut found);
    assert!(found.len() >= 20, "{found:#?}");
    found
}

/// Examples of which shorter ones of the same command run.
const LONG: [&str; 2] = [
    "tmugen pack emblem.png emblem.png emblem.png emblem.png emblem.png emblem.png -o sky.bin --format etc2_rgba8 --kind cube",
    "tmugen trace scenes/trace/torus.toml -o torus.png",
];

/// Simulation and synthesis need tools and take minutes, and some examples take half a minute, as tests are compiled: see
/// [`every_example_that_takes_long_runs`].
fn takes_long(example: &str) -> bool {
    LONG.contains(&example)
        || ["tmugen sim", "tmugen bench", "tmugen estimate"]
            .iter()
            .any(|command| example.starts_with(command))
        || ["--engine rtl", "--area", "--luts"].iter().any(|option| example.contains(option))
}

/// Runs examples in one folder, one after the other, since some use what others have written.
fn run_all(of: impl Fn(&str) -> bool) {
    let workshop = Workshop::new();
    let quads = "0,0,128,0,0,128,128,128,15\n".repeat(64);
    workshop.write("quads.csv", &format!("u0,v0,u1,v1,u2,v2,u3,v3,valid\n{quads}"));
    for example in all_examples().iter().filter(|example| of(example)) {
        if example.starts_with("tmugen view") && !example.contains("--measure") {
            let mut served = workshop.serve(example, &[]);
            assert!(served.get("/").starts_with("HTTP/1.1 200"), "{example}");
            assert_eq!(served.interrupt().0, 130, "{example}");
            continue;
        }
        let (command, target) = example.split_once(" > ").unwrap_or((example, ""));
        let run = workshop.run(command);
        assert_eq!(run.exit, 0, "{run}");
        if !target.is_empty() {
            workshop.write(target, &run.out);
        }
    }
}

#[test]
fn every_example_runs() {
    run_all(|example| !takes_long(example));
}

/// In `scripts/test-long`: takes many minutes, and all tools.
#[test]
#[ignore = "simulates and synthesises for many minutes"]
fn every_example_that_takes_long_runs() {
    assert_eq!(tmu_verilate::Tools::missing().len(), 0, "some tools are not installed; run scripts/setup");
    run_all(|_| true);
}

/// Those that are only run for hours are at least command lines that there are.
#[test]
fn every_example_is_a_command_line() {
    for example in all_examples() {
        let (command, _) = example.split_once(" > ").unwrap_or((&example, ""));
        if let Err(error) = Cli::parse_from(command.split_whitespace()) {
            panic!("{example}\n{error}");
        }
    }
}

#[test]
fn every_command_shows_an_example() {
    let mut parser = Cli::parser();
    parser.build();
    for command in parser.get_subcommands() {
        let mut found = Vec::new();
        examples(command, &mut found);
        let of_command = format!("tmugen {}", command.get_name());
        assert!(found.iter().any(|example| example.starts_with(&of_command)), "{of_command} has no example");
    }
}
