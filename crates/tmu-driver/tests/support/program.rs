//! The drivers in C, in programs that test them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program in C that was made of parts of the driver, freestanding, and of a file of tests.
pub(crate) struct Program {
    folder: PathBuf,
    program: PathBuf,
}

impl Program {
    /// `parts` are names of files in `drivers/c`, `test` is one in `tests`, both without their ending.
    pub(crate) fn new(parts: &[&str], test: &str) -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let drivers = here.join("../../drivers/c");
        let folder = std::env::temp_dir().join(format!("tmu-driver-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let compile = |more: &[&str], sources: &[PathBuf], output: &Path| {
            let mut command = Command::new("gcc");
            command.args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-I"]).arg(&drivers);
            command.args(more).arg("-o").arg(output).args(sources);
            output_of(&mut command, &[]);
        };
        let mut files = vec![here.join("tests").join(test).with_extension("c")];
        for part in parts {
            let object = folder.join(part).with_extension("o");
            compile(&["-ffreestanding", "-c"], &[drivers.join(part).with_extension("c")], &object);
            files.push(object);
        }
        let program = folder.join(test);
        compile(&[], &files, &program);
        Self { folder, program }
    }

    /// What the program writes of this input.
    pub(crate) fn run(&self, input: &[u8]) -> Vec<u8> {
        output_of(&mut Command::new(&self.program), input)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The folder is one of temporary files anyway.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn output_of(command: &mut Command, input: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // Beside what is read, so that neither waits for the other. A program that has failed does not read.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{command:?}\n{}{}", said[0], said[1]);
    output.stdout
}
