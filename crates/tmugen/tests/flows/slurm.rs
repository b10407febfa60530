//! `examples/sweeps/slurm`, with stand-ins for Slurm's commands: `sbatch` runs an array's jobs one after the other, starts one whose
//! node fails again, and `srun` makes jobs fail.

use crate::support::{SMALL, TMUGEN, example, printed, whole, write_program};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a job, or each of an array but the one that `LOST` names; a job that is killed runs again if its script says so.
const SBATCH: &str = r#"#!/usr/bin/env bash
array=0 dependency=
while [[ $1 == --* ]]; do
  case $1 in
    --array=*) [[ $1 =~ ^--array=1-([0-9]+)%[0-9]+$ ]] || exit 3; array=${BASH_REMATCH[1]} ;;
    --dependency=*) dependency=${1#*=} ;;
    --cpus-per-task=*) export SLURM_CPUS_PER_TASK=${1#*=} ;;
    --output=*) [[ $1 == */%x-%A-%a.log ]] || exit 3 ;;
    --parsable | --export=ALL | --time=*) ;;
    *) echo "sbatch: unknown $1" >&2; exit 3 ;;
  esac
  shift
done
if [[ $array -eq 0 ]]; then
  [[ $dependency == afterany:70 ]] || exit 3
  bash "$@" >merge.log 2>&1; echo $? >merge.code
  echo 71
  exit
fi
for ((task = 1; task <= array; task++)); do
  [[ $task -ne ${LOST:-0} ]] || continue
  export SLURM_ARRAY_TASK_ID=$task
  bash "$@" >>shards.log 2>&1; code=$?
  if [[ $code -eq 137 ]] && grep -q '^#SBATCH --requeue$' "$1"; then echo requeued >>shards.log; bash "$@" >>shards.log 2>&1; fi
done
echo "70;cluster"
"#;

/// The second shard's node fails when its first result stands half in the file; the third shard's first attempt ends with an error.
const SRUN: &str = r#"#!/usr/bin/env bash
if [[ $SLURM_ARRAY_TASK_ID -eq 2 && ! -e failed_2 ]]; then
  touch failed_2
  "$@" >/dev/null
  truncate --size=40 results/shard-2.jsonl
  kill -KILL $PPID
  exit 1
fi
if [[ $SLURM_ARRAY_TASK_ID -eq 3 && ! -e failed_3 ]]; then touch failed_3; exit 4; fi
exec "$@"
"#;

fn submit(folder: &Path, lost: &str) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new(example("sweeps/slurm/submit"))
        .args(["results", "3", "2"])
        .args(SMALL)
        .current_dir(folder)
        .envs([("PATH", format!("{}:{path}", folder.join("bin").display()).as_str()), ("LOST", lost)])
        .env("TMUGEN", TMUGEN)
        .env_remove("PARTITION")
        .output()
        .expect("bash is there")
}

#[test]
fn a_sweep_survives_failing_nodes_and_is_merged_when_complete() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("bin")).unwrap();
    write_program(&folder.join("bin/sbatch"), SBATCH);
    write_program(&folder.join("bin/srun"), SRUN);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();

    // A shard that never ran: nothing is merged, and the log says which one it was.
    let first = submit(folder, "1");
    assert!(first.status.success(), "{}", printed(&first));
    let (code, log) = (read("merge.code"), read("merge.log"));
    assert!(code == "1\n" && log.contains("E0224") && log.contains("shard 1/3"), "{code}{log}");
    assert!(!folder.join("results/all.jsonl").exists());
    let shards = read("shards.log");
    assert!(shards.contains("requeued") && shards.contains("shard 3/3: attempt 1 ended with 4"), "{shards}");

    // The same command once more.
    let second = submit(folder, "0");
    assert!(printed(&second).contains("shards: job 70, merge: job 71"), "{}", printed(&second));
    assert_eq!(read("merge.code"), "0\n", "{}", read("merge.log"));
    assert_eq!(read("results/all.jsonl"), whole(folder));
    assert!(read("results/front.svg").contains("<svg"));
}

#[test]
fn the_scripts_are_read_by_bash_and_wrong_use_is_refused() {
    for script in ["submit", "shard.sbatch", "merge.sbatch"] {
        let read = Command::new("bash").arg("-n").arg(example("sweeps/slurm").join(script)).output().unwrap();
        assert!(read.status.success(), "{script}: {}", printed(&read));
    }
    for (arguments, said) in
        [(vec!["results"], "submit RESULTS SHARDS"), (vec!["results", "0", "x"], "are numbers")]
    {
        let refused = Command::new(example("sweeps/slurm/submit")).args(arguments).output().unwrap();
        assert!(
            refused.status.code() == Some(2) && printed(&refused).contains(said),
            "{}",
            printed(&refused)
        );
    }
}
