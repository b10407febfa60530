//! The byte code of Direct3D 8: tokens of 32 bits, little-endian.
//!
//! The first token is the version, the last one the end. A token with the highest bit clear begins a statement, and its low 16
//! bits say what; tokens of parameters have that bit set, but for the four numbers of `def`. What comments hold is passed over.
//!
//! Contract: no other bit is. One that says something in other versions, or nothing in any, is refused by its name.

use crate::Rule;
use crate::program::{
    Destination, File, Instruction, Mask, Modifier, Operation, Program, Register, Selector, Source,
};
use crate::statement::{Statement, Statements, Where};
use tmu_problem::{Problem, Problems};

/// The first token.
pub(crate) const VERSION: u32 = 0xFFFF_0104;

const NOP: u32 = 0;
const DEF: u32 = 81;
const PHASE: u32 = 0xFFFD;
const COMMENT: u32 = 0xFFFE;
const END: u32 = 0xFFFF;

/// Marks a parameter.
const PARAMETER: u32 = 1 << 31;
/// Marks an instruction that runs with the one before it.
const PAIRED: u32 = 1 << 30;
const CODE_BITS: u32 = 0xFFFF;
const NUMBER_BITS: u32 = 0x1FFF;
const MASK_SHIFT: u32 = 16;
const SATURATE: u32 = 1 << 20;
const MODIFIER_SHIFT: u32 = 24;
const FILE_SHIFT: u32 = 28;
const SELECTOR_SHIFT: u32 = 16;

/// Two bits for each channel: itself, or the first three, the last of them twice.
const SELECT_ALL: u32 = 0xE4;
const SELECT_XYZ: u32 = 0xA4;
const SELECT_XYW: u32 = 0xF4;
/// Times the channel.
const SELECT_ONE: u32 = 0x55;

/// Bits of tokens, what they say in versions that have them, and the rule that they break here.
type Foreign = (u32, &'static str, Rule);

/// Of a token that begins a statement.
const FOREIGN_TO_STATEMENTS: [Foreign; 4] = [
    (0xFF << 16, "the control bits 23:16", Rule::Bytes),
    (0xF << 24, "the length in bits 27:24", Rule::Bytes),
    (1 << 28, "the predicate in bit 28", Rule::Bytes),
    (1 << 29, "bit 29", Rule::Bytes),
];
/// Of a parameter.
const FOREIGN_TO_PARAMETERS: [Foreign; 2] =
    [(1 << 13, "the relative address in bit 13", Rule::Bytes), (3 << 14, "the bits 15:14", Rule::Bytes)];
/// Of a destination beside those.
const FOREIGN_TO_DESTINATIONS: [Foreign; 3] = [
    (1 << 21, "the modifier _pp in bit 21", Rule::ResultModifier),
    (1 << 22, "the modifier _centroid in bit 22", Rule::ResultModifier),
    (1 << 23, "the modifier in bit 23", Rule::ResultModifier),
];

/// The tokens of a file, one after the other.
struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What is wrong with tokens behind which the rest can be read.
    found: Vec<Problem>,
}

impl Tokens<'_> {
    fn next(&mut self) -> Result<u32, Problem> {
        let token = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk()).copied();
        let token = token.ok_or_else(|| self.problem("the byte code ends in the middle of a statement"))?;
        self.at += 4;
        Ok(u32::from_le_bytes(token))
    }

    /// A parameter of a kind of register that pixel shaders have.
    fn parameter(&mut self) -> Result<u32, Problem> {
        let token = self.next()?;
        if token & PARAMETER == 0 {
            return Err(self.problem(&format!("{token:#010x} is no parameter")));
        }
        if token >> FILE_SHIFT & 4 != 0 {
            return Err(self.problem(&format!("{token:#010x} names no register of ps_1_4")));
        }
        self.refuse(token, &FOREIGN_TO_PARAMETERS);
        Ok(token)
    }

    fn destination(&mut self) -> Result<u32, Problem> {
        let token = self.parameter()?;
        self.refuse(token, &FOREIGN_TO_DESTINATIONS);
        Ok(token)
    }

    /// Notes bits of a token, the last one that was read, that ps_1_4 does not have.
    fn refuse(&mut self, token: u32, foreign: &[Foreign]) {
        for (_, what, rule) in foreign.iter().filter(|(bits, ..)| token & bits != 0) {
            let message = format!("{token:#010x} has {what}, which ps_1_4 does not have");
            self.found.push(Where::Byte(self.at - 4).problem(
                *rule,
                message,
                "clear them, or assemble the program again",
            ));
        }
    }

    /// Notes a statement that there is not, and passes over its parameters.
    fn pass_over(&mut self, at: Where, code: u32) {
        let message = format!("{code} is no instruction of ps_1_4");
        self.found.push(at.problem(Rule::Instruction, message, "`tmugen explain E0502` lists them"));
        while self.bytes.get(self.at + 3).is_some_and(|top| top & 0x80 != 0) {
            self.at += 4;
        }
    }

    fn problem(&self, message: &str) -> Problem {
        Where::Byte(self.at).problem(Rule::Bytes, message, "assemble the program again")
    }
}

/// The statements of byte code, and what is wrong with others.
///
/// # Errors
/// What keeps the rest from being read.
pub(crate) fn statements(bytes: &[u8]) -> Result<(Statements, Vec<Problem>), Problems> {
    let mut tokens = Tokens { bytes, at: 4, found: Vec::new() };
    let mut statements = Vec::new();
    loop {
        let at = Where::Byte(tokens.at);
        let token = tokens.next()?;
        let code = token & CODE_BITS;
        if token & PARAMETER != 0 {
            return Err(tokens.problem(&format!("{token:#010x} begins no statement")).into());
        }
        if code == COMMENT {
            tokens.at += 4 * (token >> 16) as usize;
            continue;
        }
        tokens.refuse(token, &FOREIGN_TO_STATEMENTS);
        let alone = [(NOP, "nop"), (DEF, "def"), (PHASE, "phase"), (END, "the end")];
        if let Some((_, name)) = alone.iter().find(|(one, _)| *one == code && token & PAIRED != 0) {
            let message = format!("{token:#010x} runs {name} with the instruction before it");
            tokens.found.push(at.problem(
                Rule::Operand,
                message,
                "clear bit 30, or assemble the program again",
            ));
        }
        match code {
            NOP => {}
            END => break,
            PHASE => statements.push((at, Statement::Phase)),
            DEF => statements.extend(constant(&mut tokens, at)?.map(|one| (at, one))),
            code => match Operation::ALL.iter().find(|one| u32::from(one.direct3d_code()) == code) {
                Some(operation) => {
                    let one = instruction(&mut tokens, *operation, token & PAIRED != 0)?;
                    statements.push((at, Statement::Instruction(one)));
                }
                None => tokens.pass_over(at, code),
            },
        }
    }
    if tokens.at != bytes.len() {
        return Err(tokens.problem("something stands behind the end").into());
    }
    Ok((statements, tokens.found))
}

/// What follows `def`; none if it defines no constant.
fn constant(tokens: &mut Tokens<'_>, at: Where) -> Result<Option<Statement>, Problem> {
    let token = tokens.destination()?;
    let register = register(token);
    let mut values = [0.0; 4];
    for value in &mut values {
        *value = f32::from_bits(tokens.next()?);
    }
    if register.file != File::Constant {
        let message = format!("{register} is no constant");
        tokens.found.push(at.problem(Rule::Constant, message, "define one of c0 to c7"));
        return Ok(None);
    }
    if mask(token) != Mask::ALL {
        let message = format!("def writes {register}{}, not all channels of it", mask(token));
        tokens.found.push(at.problem(Rule::Mask, message, "give it a mask of all channels"));
    }
    if token & SATURATE != 0 || shift(token) != 0 {
        let message = format!("def of {register} does not take a modifier");
        tokens.found.push(at.problem(Rule::ResultModifier, message, "define what the register shall hold"));
    }
    Ok(Some(Statement::Constant(register.number, values)))
}

fn mask(token: u32) -> Mask {
    Mask((token >> MASK_SHIFT & 15) as u8)
}

/// A signed field of four bits.
fn shift(token: u32) -> i8 {
    ((token >> MODIFIER_SHIFT & 15) as i8) << 4 >> 4
}

/// Numbers that do not fit a byte are refused by the checker, as 255 is.
fn register(token: u32) -> Register {
    let number = u8::try_from(token & NUMBER_BITS).unwrap_or(u8::MAX);
    Register { file: File::ALL[(token >> FILE_SHIFT & 3) as usize], number }
}

fn instruction(
    tokens: &mut Tokens<'_>,
    operation: Operation,
    is_paired: bool,
) -> Result<Instruction, Problem> {
    let token = tokens.destination()?;
    let destination = Destination {
        register: register(token),
        mask: mask(token),
        shift: shift(token),
        saturate: token & SATURATE != 0,
    };
    let mut sources = Vec::new();
    for _ in 0..operation.sources() {
        let token = tokens.parameter()?;
        let selector = match token >> SELECTOR_SHIFT & 0xFF {
            SELECT_ALL => Selector::All,
            SELECT_XYZ => Selector::Xyz,
            SELECT_XYW => Selector::Xyw,
            one if one % SELECT_ONE == 0 => Selector::Replicate((one / SELECT_ONE) as u8),
            other => return Err(tokens.problem(&format!("{other:#04x} chooses no channels of a source"))),
        };
        let modifier = Modifier::ALL.get((token >> MODIFIER_SHIFT & 15) as usize);
        let modifier = *modifier.ok_or_else(|| tokens.problem("there is no such modifier of a source"))?;
        sources.push(Source { register: register(token), selector, modifier });
    }
    Ok(Instruction { operation, destination, sources, is_paired })
}

impl Program {
    /// The program as byte code of Direct3D 8.
    pub fn byte_code(&self) -> Vec<u8> {
        let mut tokens = vec![VERSION];
        for (number, values) in (0..).zip(&self.constants) {
            if let Some(values) = values {
                let register = Register { file: File::Constant, number };
                tokens.extend([DEF, parameter(register) | u32::from(Mask::ALL.0) << MASK_SHIFT]);
                tokens.extend(values.map(f32::to_bits));
            }
        }
        let [first, second] = &self.phases;
        first.iter().for_each(|one| put(one, &mut tokens));
        if self.has_marker {
            tokens.push(PHASE);
        }
        second.iter().for_each(|one| put(one, &mut tokens));
        tokens.push(END);
        tokens.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}

fn parameter(register: Register) -> u32 {
    PARAMETER | (register.file as u32) << FILE_SHIFT | u32::from(register.number)
}

fn put(one: &Instruction, tokens: &mut Vec<u32>) {
    let Destination { register, mask, shift, saturate } = one.destination;
    let pair = if one.is_paired { PAIRED } else { 0 };
    tokens.push(u32::from(one.operation.direct3d_code()) | pair);
    let limit = if saturate { SATURATE } else { 0 };
    let scale = (shift as u32 & 15) << MODIFIER_SHIFT;
    tokens.push(parameter(register) | u32::from(mask.0) << MASK_SHIFT | scale | limit);
    for source in &one.sources {
        let selector = match source.selector {
            Selector::All | Selector::Xyz => SELECT_ALL,
            Selector::Xyw => SELECT_XYW,
            Selector::Replicate(channel) => u32::from(channel) * SELECT_ONE,
        };
        let modifier = (source.modifier as u32) << MODIFIER_SHIFT;
        tokens.push(parameter(source.register) | selector << SELECTOR_SHIFT | modifier);
    }
}
