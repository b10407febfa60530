//! Text to statements: comments, the version, one statement a line.
//!
//! Contract: what cannot be read is reported and left out; everything else goes on to the checker.

use crate::program::{Destination, File, Instruction, Mask, Modifier, Operation, Register, Selector, Source};
use crate::statement::{Statement, Statements, Where};
use crate::{Problem, Rule};

/// Why a part of a line cannot be read: rule, message and remedy.
type Refusal = (Rule, String, &'static str);

/// The statements of a text, and what is wrong with the others.
pub(crate) fn statements(text: &str) -> (Statements, Vec<Problem>) {
    let text = without_comments(text);
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim().to_ascii_lowercase(), number));
    let mut lines = lines.filter(|(line, _)| !line.is_empty()).peekable();
    let (mut statements, mut found) = (Vec::new(), Vec::new());
    match lines.peek() {
        Some((line, _)) if line == "ps_1_4" || line == "ps.1.4" => {
            lines.next();
        }
        other => {
            let line = other.map_or(1, |(_, number)| *number);
            let help = "write ps_1_4 in front of the program";
            found.push(Where::Line(line).problem(Rule::Version, "this is not the version ps_1_4", help));
            if other.is_some_and(|(line, _)| line.starts_with("ps")) {
                lines.next();
            }
        }
    }
    for (line, number) in lines {
        match statement(&line) {
            Ok(Some(statement)) => statements.push((Where::Line(number), statement)),
            Ok(None) => {}
            Err((rule, message, help)) => found.push(Where::Line(number).problem(rule, message, help)),
        }
    }
    (statements, found)
}

/// The text with blanks for comments, and all its line ends.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("//") || letter == ';' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            let length = rest[2..].find("*/").map_or(rest.len(), |end| end + 4);
            kept.push(' ');
            kept.extend(rest[..length].chars().filter(|letter| *letter == '\n'));
            rest = &rest[length..];
        } else {
            kept.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    kept
}

/// A line in small letters; none for `nop`.
fn statement(line: &str) -> Result<Option<Statement>, Refusal> {
    let (is_paired, line) = match line.strip_prefix('+') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let operands: Vec<_> = match operands.trim() {
        "" => Vec::new(),
        operands => operands.split(',').map(str::trim).collect(),
    };
    match name {
        "nop" | "phase" if !operands.is_empty() || is_paired => {
            Err((Rule::Operand, format!("{name} stands alone"), "leave the rest of the line out"))
        }
        "def" if is_paired => Err((Rule::Operand, "def is no part of a pair".to_owned(), "leave the + out")),
        "nop" => Ok(None),
        "phase" => Ok(Some(Statement::Phase)),
        "def" => constant(&operands).map(Some),
        _ => instruction(name, &operands, is_paired).map(|one| Some(Statement::Instruction(one))),
    }
}

/// The operands of `def`.
fn constant(operands: &[&str]) -> Result<Statement, Refusal> {
    const HELP: &str = "write it like def c0, 1, 0.5, 0, -1";
    let [name, values @ ..] = operands else {
        return Err((Rule::Operand, "def has no operands".to_owned(), HELP));
    };
    let register = register(name)?;
    if register.file != File::Constant {
        return Err((Rule::Constant, format!("{register} is no constant"), "define one of c0 to c7"));
    }
    let number = |text: &&str| {
        text.strip_suffix('f').unwrap_or(text).parse().map_err(|_| {
            (Rule::Constant, format!("{text:?} is no number"), "give four numbers of -8 to 7.999755859375")
        })
    };
    let numbers: Vec<f32> = values.iter().map(number).collect::<Result<_, _>>()?;
    let values = numbers.try_into().map_err(|numbers: Vec<f32>| {
        (Rule::Constant, format!("{register} has {} numbers, not four", numbers.len()), HELP)
    })?;
    Ok(Statement::Constant(register.number, values))
}

fn instruction(name: &str, operands: &[&str], is_paired: bool) -> Result<Instruction, Refusal> {
    let mut parts = name.split('_');
    let mnemonic = parts.next().unwrap_or_default();
    let operation =
        Operation::ALL.iter().copied().find(|one| one.mnemonic() == mnemonic).ok_or_else(|| {
            (
                Rule::Instruction,
                format!("{mnemonic:?} is no instruction of ps_1_4"),
                "`tmugen explain E0502` lists them",
            )
        })?;
    let (mut shift, mut saturate) = (0, false);
    for part in parts {
        let scale = match part {
            "x2" => 1,
            "x4" => 2,
            "x8" => 3,
            "d2" => -1,
            "d4" => -2,
            "d8" => -3,
            "sat" if !saturate => 0,
            _ => 4,
        };
        if scale == 4 || (scale != 0 && (shift != 0 || saturate)) {
            let message = format!("_{part} is no modifier of a result, or stands at a wrong place");
            return Err((
                Rule::ResultModifier,
                message,
                "use one of _x2, _x4, _x8, _d2, _d4, _d8, and then _sat",
            ));
        }
        saturate |= scale == 0;
        shift += scale;
    }
    let wanted = operation.sources() + 1;
    let [first, rest @ ..] = operands else {
        return Err((Rule::Operand, format!("{mnemonic} has no operands"), "name its destination first"));
    };
    if operands.len() != wanted {
        let message = format!("{mnemonic} has {} operands, not {wanted}", operands.len());
        return Err((Rule::Operand, message, "give a destination and as many sources as it takes"));
    }
    let (name, mask) = match first.split_once('.') {
        Some((name, channels)) => (name, mask(channels)?),
        None => (*first, Mask::ALL),
    };
    let destination = Destination { register: register(name)?, mask, shift, saturate };
    let sources = rest.iter().map(|text| source(text)).collect::<Result<_, _>>()?;
    Ok(Instruction { operation, destination, sources, is_paired })
}

fn register(text: &str) -> Result<Register, Refusal> {
    let known = File::ALL.iter().find_map(|file| {
        let number = text.strip_prefix(file.letter())?;
        let is_number = number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|number| is_number && *number < file.size())?;
        Some(Register { file: *file, number })
    });
    known.ok_or_else(|| {
        (
            Rule::Register,
            format!("there is no register {text:?}"),
            "use c0 to c7, r0 to r5, t0 to t5, v0 or v1",
        )
    })
}

/// Which channels letters mean, all of them of one set.
fn numbers(channels: &str) -> Option<Vec<u8>> {
    let among = |set: &str| {
        let number = |letter| set.find(letter).and_then(|number| u8::try_from(number).ok());
        channels.chars().map(number).collect::<Option<_>>()
    };
    among("rgba").or_else(|| among("xyzw"))
}

fn mask(channels: &str) -> Result<Mask, Refusal> {
    let numbers = numbers(channels);
    let ordered =
        numbers.filter(|numbers| !numbers.is_empty() && numbers.windows(2).all(|two| two[0] < two[1]));
    let bits = ordered.map(|numbers| numbers.iter().fold(0, |bits, number| bits | 1 << number));
    bits.map(Mask).ok_or_else(|| {
        let message = format!(".{channels} does not name channels in the order rgba or xyzw, each once");
        (Rule::Mask, message, "name them in one of these orders, and letters of one of them only")
    })
}

fn selector(channels: &str) -> Result<Selector, Refusal> {
    match numbers(channels).as_deref() {
        Some([one]) => Ok(Selector::Replicate(*one)),
        Some([0, 1, 2]) => Ok(Selector::Xyz),
        Some([0, 1, 3]) => Ok(Selector::Xyw),
        Some([0, 1, 2, 3]) => Ok(Selector::All),
        _ => {
            let message = format!(".{channels} does not choose channels of a source");
            Err((Rule::Selector, message, "use .r, .g, .b, .a, or for coordinates .xyz or .xyw"))
        }
    }
}

/// A source: `-`, `1-`, the register, a modifier and a selector, these two in any order.
fn source(text: &str) -> Result<Source, Refusal> {
    let (sign, rest) = match (text.strip_prefix('-'), text.strip_prefix('1')) {
        (Some(rest), _) => ("-", rest.trim_start()),
        (None, Some(rest)) => {
            let rest = rest.trim_start().strip_prefix('-').ok_or_else(|| {
                (Rule::Operand, format!("{text:?} is no source"), "write a register, or 1 - and a register")
            })?;
            ("1-", rest.trim_start())
        }
        (None, None) => ("", text),
    };
    let name_bytes = rest.find(['_', '.']).unwrap_or(rest.len());
    let register = register(&rest[..name_bytes])?;
    let (mut chosen, mut suffix) = (None, "");
    let mut parts = &rest[name_bytes..];
    while !parts.is_empty() {
        let length = parts[1..].find(['_', '.']).map_or(parts.len(), |end| end + 1);
        let (part, behind) = parts.split_at(length);
        match part.strip_prefix('.') {
            Some(channels) if chosen.is_none() => chosen = Some(selector(channels)?),
            None if suffix.is_empty() => suffix = part,
            _ => {
                let message = format!("{text:?} has more than one selector or modifier");
                return Err((Rule::Operand, message, "keep one of each"));
            }
        }
        parts = behind;
    }
    let suffix = match suffix {
        "_db" => "_dz",
        "_da" => "_dw",
        suffix => suffix,
    };
    let modifier =
        Modifier::ALL.into_iter().find(|modifier| modifier.text() == (sign, suffix)).ok_or_else(|| {
            let message = format!("{sign} and {suffix} are no modifier of a source together");
            (Rule::SourceModifier, message, "use _bias, _bx2 or _x2, with - or without, or - or 1- alone")
        })?;
    Ok(Source { register, selector: chosen.unwrap_or(Selector::All), modifier })
}
