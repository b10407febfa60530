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

#[test]
fn every_example_runs() {
    let workshop = Workshop::new();
    let quads = "0,0,128,0,0,128,128,128,15\n".repeat(64);
    workshop.write("quads.csv", &format!("u0,v0,u1,v1,u2,v2,u3,v3,valid\n{quads}"));
    let mut found = Vec::new();
    let mut parser = Cli::parser();
    parser.build();
    examples(&parser, &mut found);
    assert!(found.len() >= 20, "{found:#?}");
    // Simulation and synthesis need tools and take minutes; they have tests of their own.
    let simulates = |example: &str| {
        ["tmugen sim", "tmugen bench", "tmugen estimate"].iter().any(|command| example.starts_with(command))
            || example.contains("--engine rtl")
            || example.contains("--area")
    };
    for example in found.iter().filter(|example| !simulates(example)) {
        if example.starts_with("tmugen view") && !example.contains("--measure") {
            let mut served = workshop.serve(example, &[]);
            assert!(served.get("/").starts_with("HTTP/1.1 200"), "{example}");
            assert_eq!(served.interrupt(), (0, "".to_owned()), "{example}");
            continue;
        }
        let run = workshop.run(example);
        assert_eq!(run.exit, 0, "{run}");
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
