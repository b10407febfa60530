//! Pixel shaders 1.4: text, Direct3D 8 byte code and the project's own encoding, checked and turned into each other.
//!
//! [`read_text`] and [`read_bytes`] give a list of statements to one checker (`check`), which knows the rules of Microsoft's
//! reference for ps_1_4. What passes is a [`Program`], which has no other way to be made; [`std::fmt::Display`] prints it as
//! text, [`Program::byte_code`] and [`Program::encode`] as bytes.
//!
//! Contract: any of the three forms that a program is written in reads back as an equal program, but that the encoding holds
//! constants as the registers do, in s3.12. All that is wrong is reported at once. No input panics.
//! Cost: linear in the input, of which at most [`MOST_BYTES`] are read.
//!
//! ```
//! let text = "ps_1_4\ntexld r0, t0\nmul r0, r0, c1\n";
//! let program = tmu_shader::read_text(text).unwrap();
//! assert_eq!(program.to_string(), text);
//! assert_eq!(tmu_shader::read_bytes(&program.encode()).unwrap(), program);
//! ```

mod byte_code;
mod check;
mod encoded;
mod parse;
mod problem;
mod program;
mod statement;

pub use encoded::{Field, HEADER_BYTES, Header, LAYOUT, MAGIC, MOST_INSTRUCTIONS, WORD_BYTES};
pub use problem::Rule;
pub use program::{
    Destination, File, Instruction, Mask, Modifier, Operation, Program, Register, Selector, Source,
};

use tmu_problem::{Problem, Problems};

/// Bytes that an input has at most: a program has 28 instructions, the rest is comments.
pub const MOST_BYTES: u64 = 1 << 20;

/// Reads a program from text.
///
/// # Errors
/// Everything that is wrong with it, by line.
pub fn read_text(text: &str) -> Result<Program, Problems> {
    let (statements, found) = parse::statements(text);
    check::check(&statements, found)
}

/// Reads a program from byte code or from the project's own encoding, whichever it is.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_bytes(bytes: &[u8]) -> Result<Program, Problems> {
    let (statements, found) = match bytes.get(..4) {
        Some(start) if start == MAGIC.to_le_bytes() => encoded::statements(bytes)?,
        Some(start) if start == byte_code::VERSION.to_le_bytes() => byte_code::statements(bytes)?,
        _ => {
            let message = "the bytes are neither byte code of ps_1_4 nor an encoded program";
            return Err(Problem::new(Rule::Bytes, message, "assemble the program's text").into());
        }
    };
    check::check(&statements, found)
}

/// Whether bytes begin like byte code or like the project's own encoding.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC.to_le_bytes()) || bytes.starts_with(&byte_code::VERSION.to_le_bytes())
}
