//! `tmugen assemble`: a pixel shader checked and turned from one form into another.

use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind;
use crate::files::standard::{is_standard, read_bytes};
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::PathBuf;
use tmu_shader::{MOST_BYTES, Program};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Words of 16 bytes
    Encoded,
    /// Byte code of Direct3D 8
    ByteCode,
    /// Text
    Text,
}

/// Check a pixel shader 1.4, assemble and disassemble it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Reads text, byte code of Direct3D 8 and encoded programs, which it tells by their content. Without -o it only checks. The engine \
pixel runs encoded programs in hardware, and `tmugen render --pipeline pixel` draws scenes with all three forms.

Examples:
  tmugen assemble scenes/programs/light_map.psh
  tmugen assemble scenes/programs/light_map.psh -o light_map.tps
  tmugen assemble light_map.tps -o - --to text
  tmugen assemble light_map.tps -o light_map.pso --to byte-code")]
pub(crate) struct Args {
    /// The program; - is standard input
    #[arg(value_name = "FILE")]
    program: PathBuf,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_name = "FORM", default_value = "encoded", requires = "output")]
    to: Form,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read(&self.program, "the program");
        if let Some(output) = &self.output {
            let kind = if self.to == Form::Text { Kind::ProgramText } else { Kind::Program };
            files.write(output, "-o", kind);
        }
        files.check()?;
        let program = self.read()?;
        if let Some(output) = &self.output {
            let bytes = match self.to {
                Form::Encoded => program.encode(),
                Form::ByteCode => program.byte_code(),
                Form::Text => program.to_string().into_bytes(),
            };
            files.put(&[(output, &bytes)])?;
        }
        Ok(self.summary(&program))
    }

    fn read(&self) -> Result<Program, Failure> {
        let path = &self.program;
        let read =
            if is_standard(path) { read_bytes(MOST_BYTES) } else { tmu_assets::read_whole(path, MOST_BYTES) };
        let bytes = read.map_err(|error| {
            let message = format!("the program cannot be read: {error}");
            Failure::in_file(Rule::Read, path, message, "name a text or byte code of ps_1_4")
        })?;
        let program = match std::str::from_utf8(&bytes) {
            Ok(text) if !tmu_shader::is_binary(&bytes) => tmu_shader::read_text(text),
            _ => tmu_shader::read_bytes(&bytes),
        };
        Ok(program.map_err(|problems| problems.in_file(path))?)
    }

    fn summary(&self, program: &Program) -> Summary {
        let phases = program.phases().each_ref().map(|phase| {
            let texture = phase.iter().filter(|one| one.operation.is_texture()).count();
            (texture, phase.len() - texture)
        });
        let [(first_texture, first_arithmetic), (second_texture, second_arithmetic)] = phases;
        let name = self.program.display();
        let text = format!(
            "{name}: {} texture and {} arithmetic instructions{}\n",
            first_texture + second_texture,
            first_arithmetic + second_arithmetic,
            if program.has_marker() { " in two phases" } else { "" }
        );
        let phases =
            phases.map(|(texture, arithmetic)| json!({ "texture": texture, "arithmetic": arithmetic }));
        let textures: Vec<_> = (0..6).filter(|number| program.textures() >> number & 1 == 1).collect();
        let data = json!({
            "program": program.to_string(),
            "phases": phases,
            "textures": textures,
            "punch_through": program.is_punch_through(),
            "output": self.output.as_ref().map(|output| output.display().to_string()),
        });
        Summary::note(text, data)
    }
}
