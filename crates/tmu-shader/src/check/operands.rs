//! The rules of one instruction's operands.

use super::{MOST_DZ, State};
use crate::Rule;
use crate::program::{File, Instruction, Mask, Modifier, Operation, Selector, Source};
use crate::statement::Where;
use std::collections::BTreeSet;

impl State {
    /// Refuses operands that do not go with the operation and the phase.
    pub(super) fn operands(&mut self, place: Where, one: &Instruction) {
        self.destination(place, one);
        for source in &one.sources {
            match one.operation {
                Operation::Texld | Operation::Texcrd => self.coordinate(place, one, *source),
                _ => self.arithmetic_source(place, *source),
            }
        }
        if !one.operation.is_texture() {
            self.read_ports(place, one);
        }
        if one.operation == Operation::Bem {
            if let Some(register) = one
                .sources
                .get(1)
                .map(|source| source.register)
                .filter(|register| register.file == File::Constant)
            {
                let message = format!("bem cannot read {register} as its second source");
                self.refuse(place, Rule::Register, message, "copy it to an r register first");
            }
            if !self.has_marker || self.is_second {
                self.refuse(place, Rule::Bump, "bem stands in phase 1 only", "put a phase marker behind it");
            }
            if self.has_bump {
                self.refuse(place, Rule::Bump, "there is a bem already", "use one in a program");
            }
            self.has_bump = true;
        }
    }

    fn destination(&mut self, place: Where, one: &Instruction) {
        let (register, mask) = (one.destination.register, one.destination.mask);
        let name = one.operation.mnemonic();
        if !register.exists() {
            self.refuse(
                place,
                Rule::Register,
                format!("there is no register {register}"),
                "use one that there is",
            );
        } else if one.operation == Operation::Texkill {
            let is_fit = match register.file {
                File::Coordinate => true,
                File::Temporary => self.is_second,
                File::Color | File::Constant => false,
            };
            if !is_fit {
                self.refuse(
                    place,
                    Rule::Register,
                    format!("texkill cannot take {register} here"),
                    "use a t register, or in phase 2 an r register",
                );
            }
        } else if register.file != File::Temporary {
            self.refuse(
                place,
                Rule::Register,
                format!("{register} cannot be written"),
                "write one of r0 to r5",
            );
        }
        self.depth(place, one);
        let is_divided = one.sources.first().is_some_and(|source| source.modifier.divides());
        let (wanted, text) = match one.operation {
            Operation::Texcrd if is_divided => (Some(Mask::RED_GREEN), ".rg with _dw"),
            Operation::Texcrd => (Some(Mask::COLOR), ".rgb"),
            Operation::Bem => (Some(Mask::RED_GREEN), ".rg"),
            _ if one.operation.is_texture() => (Some(Mask::ALL), "all channels, without a mask"),
            _ => (None, ""),
        };
        if wanted.is_some_and(|wanted| wanted != mask) || mask.0 == 0 || mask.0 > Mask::ALL.0 {
            let help = if text.is_empty() { "name at least one channel" } else { "give it that mask" };
            let text = if text.is_empty() { "a channel at least" } else { text };
            self.refuse(place, Rule::Mask, format!("{name} must write {text}"), help);
        }
        let is_plain = one.destination.shift == 0 && !one.destination.saturate;
        if !(-3..=3).contains(&one.destination.shift) || (one.operation.is_texture() && !is_plain) {
            let message = format!("{name} does not take this modifier");
            self.refuse(place, Rule::ResultModifier, message, "give it to an arithmetic instruction behind");
        }
    }

    fn depth(&mut self, place: Where, one: &Instruction) {
        let register = one.destination.register;
        let is_r5 = register.file == File::Temporary && register.number == 5;
        if one.operation == Operation::Texdepth {
            if !self.has_marker || !self.is_second {
                self.refuse(
                    place,
                    Rule::Depth,
                    "texdepth stands in phase 2 only",
                    "put a phase marker in front of it",
                );
            }
            if !is_r5 {
                self.refuse(place, Rule::Depth, format!("texdepth cannot take {register}"), "use r5");
            }
            if self.has_depth {
                self.refuse(place, Rule::Depth, "there is a texdepth already", "use one in a program");
            }
        } else if self.has_depth && is_r5 && one.operation != Operation::Texkill {
            self.refuse(place, Rule::Depth, "r5 is written behind texdepth", "use another register");
        }
    }

    /// A source of texld or texcrd.
    fn coordinate(&mut self, place: Where, one: &Instruction, source: Source) {
        let Source { register, selector, modifier } = source;
        let name = one.operation.mnemonic();
        let from_temporary = one.operation == Operation::Texld && register.file == File::Temporary;
        if !register.exists() || (register.file != File::Coordinate && !from_temporary) {
            let help = if name == "texld" {
                "use a t register, or in phase 2 an r register"
            } else {
                "use a t register"
            };
            return self.refuse(place, Rule::Register, format!("{name} cannot read {register}"), help);
        }
        if from_temporary && !(self.has_marker && self.is_second) {
            let message = format!("texld reads {register} in phase 2 only");
            return self.refuse(place, Rule::Register, message, "put a phase marker in front of it");
        }
        let fits = match (modifier, register.file) {
            (Modifier::None, _) => true,
            (Modifier::Dw, File::Coordinate) => selector == Selector::Xyw,
            (Modifier::Dz, _) => from_temporary,
            _ => false,
        };
        if !fits {
            let (_, suffix) = modifier.text();
            let message = format!("{name} does not take {register}{suffix}{selector}");
            self.refuse(place, Rule::SourceModifier, message, "use _dw.xyw with t, or _dz with r");
        }
        if modifier == Modifier::Dz {
            self.divisions += 1;
            if self.divisions > MOST_DZ {
                let message = format!("_dz stands in the program more than {MOST_DZ} times");
                self.refuse(
                    place,
                    Rule::SourceModifier,
                    message,
                    "divide the others by arithmetic, or leave them out",
                );
            }
        }
        match selector {
            Selector::Xyz => {}
            Selector::Xyw if !from_temporary => {}
            _ => {
                let message = format!("{name} cannot choose {selector} of {register}");
                return self.refuse(place, Rule::Selector, message, "use .xyz, or of t .xyw");
            }
        }
        if !from_temporary {
            let known = self.coordinates[usize::from(register.number)].get_or_insert(selector);
            if *known != selector {
                let message = format!("{register} is read as .xyz and as .xyw");
                self.refuse(place, Rule::Coordinates, message, "choose the same components everywhere");
            }
        }
    }

    fn arithmetic_source(&mut self, place: Where, source: Source) {
        let Source { register, selector, modifier } = source;
        if !register.exists() {
            self.refuse(
                place,
                Rule::Register,
                format!("there is no register {register}"),
                "use one that there is",
            );
        } else if register.file == File::Coordinate {
            let message = format!("arithmetic cannot read {register}");
            self.refuse(place, Rule::Register, message, "copy it to an r register with texcrd");
        } else if register.file == File::Color && !self.is_second {
            let message = format!("{register} is there in phase 2 only");
            self.refuse(place, Rule::Register, message, "move the instruction behind the phase marker");
        }
        if modifier.divides() {
            let message = format!("arithmetic does not divide {register}");
            self.refuse(place, Rule::SourceModifier, message, "use the modifier with texld or texcrd");
        } else if register.file == File::Constant && modifier != Modifier::None {
            let message = format!("{register} is a constant and takes no modifier");
            self.refuse(
                place,
                Rule::SourceModifier,
                message,
                "change the constant, or copy it to an r register",
            );
        }
        if matches!(selector, Selector::Xyz | Selector::Xyw) {
            let message = format!("arithmetic cannot choose three channels of {register}");
            self.refuse(place, Rule::Selector, message, "use .r, .g, .b or .a, or none");
        }
    }

    fn read_ports(&mut self, place: Where, one: &Instruction) {
        for file in File::ALL {
            let read =
                one.sources.iter().map(|source| source.register).filter(|register| register.file == file);
            let different = read.map(|register| register.number).collect::<BTreeSet<_>>().len();
            // Of t arithmetic reads none, which is said already.
            if file != File::Coordinate && different > file.read_ports() {
                let most = file.read_ports();
                let letter = file.letter();
                let message = format!("{different} different {letter} registers are read, and {most} can be");
                self.refuse(place, Rule::ReadPorts, message, "copy one of them to an r register first");
            }
        }
    }
}
