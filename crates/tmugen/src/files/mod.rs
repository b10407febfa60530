//! The files of one run: what it reads, what it writes, and the one rule that keeps them apart.
//!
//! Contract: a command declares every file that it reads and every file that it writes, those that are only implied
//! (the descriptor beside a memory image, the pictures of a scene) included, and writes through [`Files`] alone. Then
//!
//! 1. no output is an input of the same run, and no two outputs are one file, whatever they are called: see [`identity`];
//! 2. what is there already is replaced only by its like, see [`kind`], unless `--force` says otherwise;
//! 3. the folder of an output is there, before work is spent on what goes into it.
//!
//! [`Files::check`] refuses a run before its work; writing checks again, since work takes time. `--force` never lifts the
//! first rule. What is not a regular file (a pipe, `/dev/null`, or
//! `-`, see [`standard`]) holds nothing that could be lost, and is left out of both.

pub(crate) mod identity;
mod interrupt;
pub(crate) mod kind;
pub(crate) mod standard;
#[cfg(feature = "full")]
pub(crate) mod waves;
pub(crate) mod write;

use crate::problem::{Failure, Rule};
use identity::Identity;
#[cfg(feature = "full")]
pub(crate) use interrupt::heed_signals;
pub(crate) use interrupt::outlive_size_limits;
use kind::Kind;
use standard::is_standard;
use std::fs;
use std::path::{Path, PathBuf};
use tmu_problem::Problem;
use write::PendingFile;

/// Whether files of another kind may be replaced.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct ForceArgs {
    /// Replace files that are there already and are not of the kind that is written
    #[arg(long)]
    pub(crate) force: bool,
}

/// A file that is read.
#[derive(Debug)]
struct Input {
    path: PathBuf,
    role: &'static str,
}

/// A file that is written.
#[derive(Debug)]
struct Output {
    path: PathBuf,
    role: &'static str,
    /// None where nothing is replaced.
    kind: Option<Kind>,
    /// Whether its folder is made by the run.
    makes_folder: bool,
}

/// The files of one run.
#[derive(Debug, Default)]
pub(crate) struct Files {
    force: bool,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
}

impl Files {
    /// No files yet.
    pub(crate) fn new(force: ForceArgs) -> Self {
        Files { force: force.force, ..Files::default() }
    }

    /// Declares a file that is read; `role` says in messages what it is.
    pub(crate) fn read(&mut self, path: impl Into<PathBuf>, role: &'static str) {
        self.inputs.push(Input { path: path.into(), role });
    }

    /// Declares several.
    pub(crate) fn read_all<P: Into<PathBuf>>(
        &mut self,
        paths: impl IntoIterator<Item = P>,
        role: &'static str,
    ) {
        paths.into_iter().for_each(|path| self.read(path, role));
    }

    /// Declares the descriptor of a texture and the memory image beside it.
    pub(crate) fn read_texture(&mut self, descriptor: &Path) {
        self.read(descriptor, "the texture");
        self.read(tmu_assets::memory_path(descriptor), "the texture's memory image");
    }

    /// Declares a file that is written; `role` says in messages by which option.
    pub(crate) fn write(&mut self, path: impl Into<PathBuf>, role: &'static str, kind: Kind) {
        self.outputs.push(Output { path: path.into(), role, kind: Some(kind), makes_folder: false });
    }

    /// Declares several.
    pub(crate) fn write_all<P: Into<PathBuf>>(
        &mut self,
        paths: impl IntoIterator<Item = P>,
        role: &'static str,
        kind: Kind,
    ) {
        paths.into_iter().for_each(|path| self.write(path, role, kind));
    }

    /// Declares a file that is appended to by who looks at its content itself.
    pub(crate) fn append(&mut self, path: impl Into<PathBuf>, role: &'static str) {
        self.outputs.push(Output { path: path.into(), role, kind: None, makes_folder: false });
    }

    /// Declares a file that is written, or removed, in a folder that the run makes.
    pub(crate) fn write_in_folder(&mut self, path: &Path, role: &'static str, kind: Kind) {
        self.outputs.push(Output { path: path.to_path_buf(), role, kind: Some(kind), makes_folder: true });
    }

    /// Refuses the run if a file would be lost, with all that is wrong.
    ///
    /// # Errors
    /// [`Rule::Overlap`], [`Rule::OtherKind`] and [`Rule::Write`].
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let mut rules = Vec::new();
        let mut problems = Vec::new();
        let mut add = |rule: Rule, path: &Path, message: String, help: &str| {
            rules.push(rule);
            problems.push(Problem::new(rule, message, help).in_file(path));
        };
        for (output, number) in self.outputs.iter().filter(|output| is_standard(&output.path)).zip(1..) {
            if let Some((message, help)) = output.unfit_for_standard(number) {
                add(Rule::Overlap, &output.path, message, help);
            }
        }
        let read = self.inputs.iter().filter(|input| is_standard(&input.path));
        for input in read.skip(1) {
            let message = format!("standard input is read already, and cannot be {} too", input.role);
            add(Rule::Overlap, &input.path, message, "name a file for one of them");
        }
        let identified = |path: &PathBuf| (!is_special(path)).then(|| Identity::of(path));
        let inputs: Vec<_> = self.inputs.iter().map(|input| (input, identified(&input.path))).collect();
        let mut before: Vec<(&Output, Identity)> = Vec::new();
        for output in &self.outputs {
            let Some(identity) = identified(&output.path) else { continue };
            let Output { path, role, .. } = output;
            let same = |other: &Option<Identity>| other.as_ref().is_some_and(|other| other.is(&identity));
            let shown = path.display();
            if let Some((input, _)) = inputs.iter().find(|(_, other)| same(other)) {
                let input_path = input.path.display();
                let message =
                    format!("{shown} ({role}) is the file that is read as {input_path} ({})", input.role);
                add(Rule::Overlap, path, message, "name another output; --force does not allow this");
            } else if let Some((other, _)) = before.iter().find(|(_, other)| other.is(&identity)) {
                let message = format!(
                    "{shown} ({role}) is the file that is written as {} ({})",
                    other.path.display(),
                    other.role
                );
                add(Rule::Overlap, path, message, "name two files; --force does not allow this");
            } else if let Some(wrong) = output.unwritable(&identity) {
                let help = "check that the folder exists, has room and may be written to";
                add(Rule::Write, path, format!("the output cannot be written: {wrong}"), help);
            } else if let Some(wrong) = output.would_lose(&identity).filter(|_| !self.force) {
                let message = format!("{role} would replace the file that is there, {wrong}");
                add(Rule::OtherKind, path, message, "name another output, or replace the file with --force");
            }
            before.push((output, identity));
        }
        match rules.first() {
            None => Ok(()),
            Some(rule) => Err(Failure { exit: rule.exit(), problems, omitted: 0 }),
        }
    }

    /// Writes files that were declared: all, or none.
    ///
    /// # Errors
    /// Those of [`Files::check`], and [`Rule::Write`].
    pub(crate) fn put(&self, files: &[(&Path, &[u8])]) -> Result<(), Failure> {
        files.iter().try_for_each(|(path, _)| self.expect(path))?;
        self.check()?;
        write::write_files(files)
    }

    /// Writes files that were declared into a folder, which is made if it is not there: all, or none.
    ///
    /// # Errors
    /// As of [`Files::put`].
    pub(crate) fn put_in_folder(&self, folder: &Path, files: &[(&Path, &[u8])]) -> Result<(), Failure> {
        self.check()?;
        let is_new = !folder.exists();
        fs::create_dir_all(folder).map_err(|error| {
            let help = "name a folder that can be made";
            Failure::in_file(Rule::Write, folder, format!("the folder cannot be made: {error}"), help)
        })?;
        let written = self.put(files);
        if written.is_err() && is_new {
            // Empty, since nothing was written; if it cannot be removed that is not what went wrong.
            let _ = fs::remove_dir(folder);
        }
        written
    }

    /// Starts a file that was declared.
    ///
    /// # Errors
    /// As of [`Files::put`].
    pub(crate) fn begin(&self, path: &Path) -> Result<PendingFile, Failure> {
        self.expect(path)?;
        self.check()?;
        PendingFile::create(path)
    }

    /// Opens a file that was declared to be appended to; it is made where there is none. Of a file that is there only its
    /// first `kept_bytes` stay.
    ///
    /// # Errors
    /// As of [`Files::put`].
    pub(crate) fn open_to_append(&self, path: &Path, kept_bytes: Option<u64>) -> Result<fs::File, Failure> {
        self.expect(path)?;
        self.check()?;
        write::open_to_append(path, kept_bytes).map_err(|error| write::failure(path, &error))
    }

    /// Removes files that were declared, behind [`Files::put`], which has checked them: what tells that they are tmugen's may be
    /// among what it wrote. What cannot be removed stays.
    ///
    /// # Errors
    /// If one was not declared.
    pub(crate) fn remove(&self, paths: &[PathBuf]) -> Result<(), Failure> {
        paths.iter().try_for_each(|path| self.expect(path))?;
        paths.iter().for_each(|path| drop(fs::remove_file(path)));
        Ok(())
    }

    /// What was not declared was not checked.
    fn expect(&self, path: &Path) -> Result<(), Failure> {
        if self.outputs.iter().any(|output| output.path == path) {
            return Ok(());
        }
        let help = "report this together with the command";
        Err(Failure::in_file(
            Rule::Undeclared,
            path,
            "the command has not said that it writes this file",
            help,
        ))
    }
}

impl Output {
    /// Why an output, the so manieth one of its kind, cannot go to standard output, and what helps.
    fn unfit_for_standard(&self, number: usize) -> Option<(String, &'static str)> {
        let role = self.role;
        if number > 1 {
            let message =
                format!("{role} cannot go to standard output, to which another output goes already");
            return Some((message, "name a file for one of them"));
        }
        let kind = self.kind?;
        if kind == Kind::Waves {
            return Some((format!("{role} cannot be written to standard output"), "name a file"));
        }
        (kind.is_binary() && standard::output_is_terminal()).then(|| {
            let message = format!("{role} would write {} to the terminal", kind.name());
            (message, "send it to a program or into a file, with | or >")
        })
    }

    /// Why nothing can be written there, as far as that shows beforehand.
    fn unwritable(&self, identity: &Identity) -> Option<String> {
        let place = identity.place();
        if place.is_dir() {
            return Some("it is a folder".to_owned());
        }
        let folder = place.parent().filter(|_| !self.makes_folder)?;
        match fs::metadata(folder) {
            Ok(metadata) if metadata.is_dir() => None,
            Ok(_) => Some(format!("{} is no folder", folder.display())),
            Err(error) => Some(format!("the folder {}: {error}", folder.display())),
        }
    }

    /// Why what is there is not to be replaced.
    fn would_lose(&self, identity: &Identity) -> Option<String> {
        let kind = self.kind.filter(|_| identity.place().is_file())?;
        match kind.is_at(identity.place()) {
            Ok(true) => None,
            Ok(false) => Some(format!("which is not {}", kind.name())),
            Err(error) => Some(format!("which cannot be read: {error}")),
        }
    }
}

/// Whether something is there that is neither a file nor a folder; so is standard input or output.
fn is_special(path: &Path) -> bool {
    is_standard(path) || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}
