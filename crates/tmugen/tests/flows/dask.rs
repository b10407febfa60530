//! `examples/sweeps/dask_sweep.py` on two workers, one of which is killed.

use crate::support::{SMALL, TMUGEN, example, printed, python, whole, write_program};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A part of the cluster with all that it starts; ends when it is dropped.
struct Process(Child);

impl Process {
    fn start(python: &Path, folder: &Path, name: &str, arguments: &[&str]) -> Self {
        let log = |name: &str| fs::File::create(folder.join(name)).expect("a log");
        let code = "import sys; from dask.__main__ import main; sys.argv[0] = 'dask'; main()";
        let mut command = Command::new(python);
        command.args(["-c", code]).args(arguments).args([
            "--scheduler-file",
            "scheduler.json",
            "--no-dashboard",
        ]);
        command.current_dir(folder).env("WORKER", name).process_group(0);
        command.stdout(log(&format!("{name}.out"))).stderr(log(&format!("{name}.err")));
        Self(command.spawn().expect("Python starts"))
    }

    fn kill(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn wait_for(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_killed_worker_loses_nothing() {
    let Some(python) = python("distributed") else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // On worker b a shard never ends, and the first one on worker a fails once.
    write_program(
        &folder.join("tmugen"),
        &format!(
            "#!/bin/sh\nif [ \"$WORKER\" = b ]; then touch started; exec sleep 600; fi\n\
             if [ \"$WORKER\" = a ] && [ ! -e failed ]; then touch failed; echo broken >&2; exit 4; fi\nexec {TMUGEN} \"$@\"\n"
        ),
    );
    let _scheduler =
        Process::start(&python, folder, "scheduler", &["scheduler", "--port", "0", "--host", "127.0.0.1"]);
    wait_for(&folder.join("scheduler.json"));
    let worker = ["worker", "--nthreads", "1", "--no-nanny"];
    let _first = Process::start(&python, folder, "a", &worker);
    let mut second = Process::start(&python, folder, "b", &worker);
    let program = folder.join("tmugen").display().to_string();
    let mut sweep = Command::new(&python);
    sweep.arg(example("sweeps/dask_sweep.py"));
    sweep.args([
        "--scheduler-file",
        "scheduler.json",
        "--shards",
        "6",
        "--results",
        "results",
        "--tmugen",
        &program,
        "--",
    ]);
    let sweep = sweep.args(SMALL).current_dir(folder).stdout(std::process::Stdio::piped());
    let sweep = sweep.stderr(std::process::Stdio::piped()).spawn().expect("Python starts");
    wait_for(&folder.join("started"));
    second.kill();
    let output = sweep.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", printed(&output));
    assert!(folder.join("failed").exists());
    assert_eq!(fs::read_to_string(folder.join("results/all.jsonl")).unwrap(), whole(folder));
}
