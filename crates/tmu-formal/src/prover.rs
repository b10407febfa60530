//! Makes the models of a proof with Yosys and hands them to the provers.

use crate::properties::{COVERS, PROPERTIES, RULES, TICKS};
use crate::subject::Error as SubjectError;
use crate::table::{Method, Mutant, Proof};
use std::error::Error;
use std::fmt::{self, Write as _};
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tmu_hdl::mutate::Mutation;
use tmu_verilate::{Key, MissingTool, Tool, Tools};

/// Why a proof failed. Names the property, the block, the depth and the command that repeats it.
#[derive(Debug)]
pub struct Failure {
    /// Name of the proof.
    pub proof: String,
    /// The properties that are violated, where a prover names them.
    pub properties: Vec<String>,
    text: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}

/// The tools that proofs need and that are not installed.
#[must_use]
pub fn missing_provers() -> Vec<MissingTool> {
    Tools::missing_provers()
}

/// Where a proof is made: one directory for it, kept.
#[derive(Debug)]
pub struct Workplace<'a> {
    proof: &'a Proof,
    directory: PathBuf,
}

/// What ABC is asked for an invariant.
const REACHABILITY: &str = "read_aiger model.aig; fold; strash; scorr; pdr";

/// What the model checker is asked for all runs of so many clocks.
const BOUNDED: &[&str] = &["--presat", "--dump-vcd", "trace.vcd"];

/// What ABC is asked for an induction over so many clocks.
fn induction(depth: u32) -> String {
    format!("read_aiger model.aig; fold; strash; orpos; ind -F {depth}")
}

/// What ABC is asked for a run of so many clocks that violates something.
fn search(depth: u32) -> String {
    format!("read_aiger model.aig; fold; strash; bmc3 -F {depth}")
}

/// What a model keeps of the properties, by name.
#[derive(Clone, Copy)]
enum Only<'a> {
    /// One that must not hold.
    Property(&'a str),
    /// One cover, turned into a property that must not hold.
    Cover(&'a str),
}

/// A block as it is proved.
struct Block {
    /// Its Verilog.
    text: String,
    /// Wires of the properties file, each with the one inside the block that it is.
    inner: Vec<(String, String)>,
}

/// A finished program.
struct Finished {
    success: bool,
    output: String,
}

impl<'a> Workplace<'a> {
    /// A place for `proof` under `directory`.
    #[must_use]
    pub fn new(proof: &'a Proof, directory: &Path) -> Self {
        Self { proof, directory: directory.join(&proof.name) }
    }

    /// Makes the proof.
    ///
    /// # Errors
    /// If a property is violated, or cannot be proved by the method that the table names.
    pub fn prove(&self) -> Result<(), Failure> {
        let directory = self.models("proof", &[], None)?;
        let proof = self.proof;
        match proof.method {
            Method::Bounded if proof.search => match self.search(&directory, proof.depth)? {
                false => Ok(()),
                true => Err(self.failure(vec![], "some property is violated", "", &directory)),
            },
            Method::Bounded => self.bounded(&directory, proof.depth),
            Method::Induction => {
                self.bounded(&directory, proof.depth)?;
                let run = self.run(Tools::abc(), &directory, &["-c", &induction(proof.depth)])?;
                if run.output.contains("Networks are equivalent") {
                    return Ok(());
                }
                Err(self.failure(
                    vec![],
                    "some property does not follow from the clocks before",
                    &run.output,
                    &directory,
                ))
            }
            Method::Unbounded => {
                let run = self.run(Tools::abc(), &directory, &["-c", REACHABILITY])?;
                if run.output.contains("Property proved") {
                    return Ok(());
                }
                // Only the other prover names the property.
                self.bounded(&directory, proof.depth)?;
                Err(self.failure(vec![], "ABC found no invariant", &run.output, &directory))
            }
        }
    }

    /// Finds a run to every cover.
    ///
    /// # Errors
    /// If one is not reached: the assumptions are too strong, or the block cannot do what it is for.
    pub fn cover(&self) -> Result<(), Failure> {
        if self.proof.search {
            return self.search_covers();
        }
        let directory = self.models("cover", &self.proof.shortcut.iter().collect::<Vec<_>>(), None)?;
        let depth = self.proof.cover_depth.to_string();
        let run = self.smtbmc(&directory, &["-c", "-t", &depth])?;
        let reached = run.success && run.output.contains("Reached cover");
        if reached {
            return Ok(());
        }
        let missed = names(&run.output, "Unreached cover statement");
        let what = format!("is not reached in {depth} clocks");
        Err(self.failure(missed, &what, &run.output, &directory))
    }

    /// Makes sure that a mutant breaks its property.
    ///
    /// # Errors
    /// If it breaks none, or only others.
    pub fn kill(&self, number: usize, mutant: &Mutant) -> Result<(), Failure> {
        let changes: Vec<_> = self.proof.shortcut.iter().chain([&mutant.mutation]).collect();
        let only = Only::Property(&mutant.breaks);
        let directory = self.models(&format!("mutant_{number}"), &changes, Some(only))?;
        let what = format!("holds in spite of the mutant {}; violated", mutant.mutation);
        let found = if self.proof.search {
            let is_found = self.search(&directory, self.proof.cover_depth)?;
            if is_found { vec![mutant.breaks.clone()] } else { vec![] }
        } else {
            match self.bounded(&directory, self.proof.cover_depth) {
                Ok(()) => vec![],
                Err(failure) if failure.properties.is_empty() => return Err(failure),
                Err(failure) => failure.properties,
            }
        };
        if found.iter().any(|name| name == &mutant.breaks) {
            return Ok(());
        }
        let what = format!("{what}: {found:?}");
        Err(self.failure(vec![mutant.breaks.clone()], &what, "", &directory))
    }

    fn search_covers(&self) -> Result<(), Failure> {
        let depth = self.proof.cover_depth;
        for name in covers(self.properties()?) {
            let directory = self.models(&format!("cover_{name}"), &[], Some(Only::Cover(name)))?;
            if !self.search(&directory, depth)? {
                let what = format!("is not reached in {depth} clocks");
                return Err(self.failure(vec![name.to_owned()], &what, "", &directory));
            }
        }
        Ok(())
    }

    /// Whether ABC finds a run of so many clocks that violates a property.
    fn search(&self, directory: &Path, depth: u32) -> Result<bool, Failure> {
        let run = self.run(Tools::abc(), directory, &["-c", &search(depth)])?;
        if run.output.contains("was asserted in frame") {
            return Ok(true);
        }
        if run.output.contains(&format!("No output asserted in {depth} frames")) {
            return Ok(false);
        }
        Err(self.failure(vec![], "ABC did not search all runs", &run.output, directory))
    }

    fn properties(&self) -> Result<&'static str, Failure> {
        let name = self.proof.properties_file();
        let found = PROPERTIES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        found.ok_or_else(|| self.failure(vec![], &format!("there is no file {name}"), "", &self.directory))
    }

    fn bounded(&self, directory: &Path, depth: u32) -> Result<(), Failure> {
        let depth = depth.to_string();
        let run = self.smtbmc(directory, &[BOUNDED, &["-t", &depth]].concat())?;
        self.verdict(directory, run, "is violated")
    }

    fn verdict(&self, directory: &Path, run: Finished, what: &str) -> Result<(), Failure> {
        if run.success {
            return Ok(());
        }
        Err(self.failure(names(&run.output, "Assert failed in"), what, &run.output, directory))
    }

    /// Writes the Verilog and lets Yosys make the models of it, with all properties or only those of one name.
    fn models(
        &self,
        purpose: &str,
        changes: &[&Mutation],
        only: Option<Only<'_>>,
    ) -> Result<PathBuf, Failure> {
        let directory = self.directory.join(purpose);
        let io = |error: std::io::Error| self.failure(vec![], &error.to_string(), "", &directory);
        fs::create_dir_all(&directory).map_err(io)?;
        for (file, text) in self.files(changes, only)? {
            fs::write(directory.join(file), text).map_err(io)?;
        }
        let run = self.run(Tools::yosys(), &directory, &["-q", "-l", "model.log", "model.ys"])?;
        if run.success {
            Ok(directory)
        } else {
            Err(self.failure(vec![], "Yosys failed", &run.output, &directory))
        }
    }

    /// What Yosys makes a model of: each file's name and text.
    fn files(
        &self,
        changes: &[&Mutation],
        only: Option<Only<'_>>,
    ) -> Result<[(&'static str, String); 6], Failure> {
        let properties = self.properties()?;
        let block = self
            .block(properties, changes)
            .map_err(|error| self.failure(vec![], &error.to_string(), "", &self.directory))?;
        let script = self.script(!changes.is_empty(), &block.inner, only);
        Ok([
            ("block.v", block.text),
            ("properties.v", properties.to_owned()),
            ("rules.v", RULES.to_owned()),
            ("ticks.v", TICKS.to_owned()),
            ("covers.v", COVERS.to_owned()),
            ("model.ys", script),
        ])
    }

    /// SHA-256 of everything that proof and covers are made of. What the tools are is no part of it: a proof holds whoever
    /// made it.
    ///
    /// # Errors
    /// If the block cannot be made.
    pub fn digest(&self) -> Result<String, Failure> {
        let proof = self.proof;
        let asked = [
            REACHABILITY.to_owned(),
            BOUNDED.join(" "),
            induction(proof.depth),
            search(proof.depth),
            format!("{:?} {} {}", proof.method, proof.cover_depth, proof.search),
        ];
        let shortened = (!proof.shortcut.is_empty()).then(|| proof.shortcut.iter().collect());
        let mut key = Key::new("proof").fields(asked);
        for changes in iter::once(vec![]).chain(shortened) {
            let files = self.files(&changes, None)?;
            key = key.fields(files.iter().flat_map(|(file, text)| [*file, text]));
        }
        Ok(key.finish())
    }

    /// The block with the changes made: its modules but those that the properties file stands in for, and what is wanted of
    /// the inside.
    fn block(&self, properties: &str, changes: &[&Mutation]) -> Result<Block, Box<dyn Error>> {
        let mut recorded = self.proof.block.recorded()?;
        recorded.mutate(changes)?;
        let stands_in = |kind: &str| properties.contains(&format!("\nmodule {kind} ("));
        let modules = recorded.modules()?;
        let text =
            modules.iter().filter(|(kind, _)| !stands_in(kind)).map(|(_, text)| text.as_str()).collect();
        let dut = self.proof.dut.as_deref();
        let inner = self.proof.inner.iter().map(|node| {
            let wire = recorded.wire(dut, node, stands_in)?;
            Ok((format!("inner_{}", node.replace('.', "_")), wire))
        });
        Ok(Block { text, inner: inner.collect::<Result<_, SubjectError>>()? })
    }

    fn script(&self, is_changed: bool, inner: &[(String, String)], only: Option<Only<'_>>) -> String {
        let mut script = String::new();
        let shortened = (is_changed && !self.proof.shortcut.is_empty()).then_some("SHORTENED");
        let defines = self.proof.defines.iter().map(String::as_str).chain(shortened);
        let defines: String = defines.map(|define| format!(" -D{define}")).collect();
        // Properties of kernels are for whoever defines this.
        let _ = writeln!(script, "read_verilog -sv -formal -DTMUGEN_PROPERTIES block.v");
        let _ = writeln!(script, "read_verilog -sv -formal{defines} rules.v properties.v");
        let _ = writeln!(script, "hierarchy -check -top proof\nproc\nflatten\ncd proof");
        for (own, wire) in inner {
            let _ = writeln!(script, "connect -nounset -set {own} dut.{wire}");
        }
        if let Some(only) = only {
            let (Only::Property(name) | Only::Cover(name)) = only;
            // What else holds or does not would only take time.
            let _ =
                writeln!(script, "cd ..\nselect -set kept c:{name} c:*.{name}\nselect -assert-min 1 @kept");
            let _ = writeln!(script, "chformal -assert -cover -remove c:* @kept %d\ncd proof");
        }
        let _ = writeln!(script, "cd ..\nopt_expr -keepdc\nopt_clean\nmemory_nordff");
        if self.proof.two_clocks {
            let _ = writeln!(script, "memory_map -formal\nopt_clean\ndffunmap\ntechmap -map ticks.v");
            let _ = writeln!(script, "select -assert-none t:$dff t:$adff t:$dlatch");
        }
        let _ = writeln!(script, "async2sync\nchformal -lower\nopt_clean");
        let _ = writeln!(script, "formalff -setundef -clk2ff -ff2anyinit -hierarchy");
        let _ = writeln!(script, "setundef -undriven -anyseq\nopt -fast");
        let _ = writeln!(script, "write_smt2 -wires model.smt2");
        if matches!(only, Some(Only::Cover(_))) {
            let _ = writeln!(script, "techmap -map covers.v");
        }
        if self.proof.search || (self.proof.method != Method::Bounded && !is_changed) {
            let _ = writeln!(script, "chformal -cover -remove\nformalff -assume\nsetattr -unset keep");
            let _ = writeln!(script, "delete -output\nopt -full\ntechmap\nopt -fast\nmemory_map -formal");
            let _ = writeln!(script, "formalff -clk2ff -ff2anyinit\nsimplemap\ndffunmap\naigmap\nopt_clean");
            let _ = writeln!(script, "write_aiger -I -B -zinit -no-startoffset model.aig");
        }
        script
    }

    fn smtbmc(&self, directory: &Path, arguments: &[&str]) -> Result<Finished, Failure> {
        let mut all = vec!["-s", "z3"];
        all.extend(arguments);
        all.push("model.smt2");
        self.run(Tools::smtbmc(), directory, &all)
    }

    fn run(
        &self,
        tool: Result<&'static Tool, MissingTool>,
        directory: &Path,
        arguments: &[&str],
    ) -> Result<Finished, Failure> {
        let failure = |what: String| self.failure(vec![], &what, "", directory);
        let tool = tool.map_err(|missing| failure(missing.to_string()))?;
        // The model checker starts its solver by name.
        let solver = Tools::z3().map_err(|missing| failure(missing.to_string()))?;
        let beside = solver.program.parent().map(Path::to_path_buf);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(beside.into_iter().chain(std::env::split_paths(&path)))
            .map_err(|error| failure(error.to_string()))?;
        let output = Command::new(&tool.program)
            .args(arguments)
            .current_dir(directory)
            .env("PATH", path)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failure(format!("{}: {error}", tool.program.display())))?;
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Finished { success: output.status.success(), output: text.concat() })
    }

    fn failure(&self, properties: Vec<String>, what: &str, output: &str, directory: &Path) -> Failure {
        let proof = self.proof;
        let which = match properties.as_slice() {
            [] => String::new(),
            names => format!("property {} ", names.join(", ")),
        };
        let text = format!(
            "proof {} of {}: {which}{what}\n  method {:?}, depth {}; files and trace in {}\n  repeat: cargo test -p \
             tmu-formal --test proofs -- {}\n{output}",
            proof.name,
            proof.block.label(),
            proof.method,
            proof.depth,
            directory.display(),
            proof.name
        );
        Failure { proof: proof.name.clone(), properties, text }
    }
}

/// The covers of a properties file.
fn covers(properties: &str) -> impl Iterator<Item = &str> {
    let before = properties.match_indices(": cover (").map(|(at, _)| &properties[..at]);
    before.filter_map(|text| text.rsplit(char::is_whitespace).next())
}

/// The properties that a prover's output names, without the path to them.
fn names(output: &str, before: &str) -> Vec<String> {
    let lines = output.lines().filter_map(|line| line.split_once(before));
    lines
        .filter_map(|(_, rest)| {
            let name = rest.split_once(": ")?.1.split_whitespace().next()?;
            Some(name.rsplit('.').next()?.trim_start_matches('\\').to_owned())
        })
        .collect()
}
