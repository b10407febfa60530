//! Runs that a signal ends: nothing unfinished stays behind, and the shell sees 128 + n.

use crate::support::Workshop;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The longest that anything here may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn is_there(workshop: &Workshop) -> bool {
    workshop.names().iter().any(|name| name.starts_with(".tmugen-"))
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A run that has begun its output and waits for more quads; `start` is what the shell does first.
fn begun(workshop: &Workshop, start: &str) -> Child {
    let sample = "sample --texture t.toml --quads /dev/stdin -o r.csv --quiet";
    let mut child = Command::new("sh")
        .args(["-c", &format!("{start} exec \"$0\" {sample}"), env!("CARGO_BIN_EXE_tmugen")])
        .current_dir(workshop.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let quads = "u0,v0,u1,v1,u2,v2,u3,v3,valid\n".to_owned() + &"0,0,9,0,0,9,9,9,15\n".repeat(5000);
    child.stdin.as_mut().unwrap().write_all(quads.as_bytes()).unwrap();
    wait_for("a temporary file", || is_there(workshop));
    child
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

fn ended(child: &mut Child) -> ExitStatus {
    let mut status = None;
    wait_for("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack emblem.png -o t.bin --format rgba8 --quiet");
    workshop
}

#[test]
fn a_signal_leaves_no_temporary_files_and_ends_with_128_and_its_number() {
    let workshop = workshop();
    workshop.write("r.csv", "rgba0,rgba1,rgba2,rgba3,valid,error\n");
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let mut child = begun(&workshop, "");
        send(name, &child);
        // What a shell shows as 128 + n.
        assert_eq!(ended(&mut child).signal(), Some(number), "{name}");
        assert!(!is_there(&workshop), "{name}: {:?}", workshop.names());
        assert_eq!(workshop.read("r.csv").lines().count(), 1, "{name}: what stood there before stays");
    }
}

#[test]
fn view_ends_with_128_and_the_number_of_the_signal() {
    let workshop = workshop();
    let before = workshop.names();
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let mut served = workshop.serve("tmugen view emblem.png", &[]);
        assert!(served.get("/options").contains("emblem.png"));
        assert_eq!(
            served.end_by(name),
            (128 + number, "  open this address in a browser of this machine; Ctrl-C ends it\n".to_owned()),
            "{name}"
        );
        assert_eq!(workshop.names(), before, "{name}");
    }
}

#[test]
fn a_signal_that_is_ignored_from_the_start_stays_ignored() {
    let workshop = workshop();
    let mut child = begun(&workshop, "trap '' HUP;");
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(100));
    drop(child.stdin.take());
    assert!(ended(&mut child).success());
    assert_eq!(workshop.read("r.csv").lines().count(), 5001);
    assert!(!is_there(&workshop));
}
