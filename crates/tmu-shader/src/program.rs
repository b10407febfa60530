//! A checked program, and how it prints.

use std::fmt;

/// Names of the channels, red first.
const CHANNELS: [char; 4] = ['r', 'g', 'b', 'a'];

/// Kinds of registers. The numbers are those of byte code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum File {
    /// r0 to r5.
    Temporary = 0,
    /// v0 and v1.
    Color = 1,
    /// c0 to c7.
    Constant = 2,
    /// t0 to t5.
    Coordinate = 3,
}

impl File {
    /// All, by their numbers.
    pub const ALL: [File; 4] = [File::Temporary, File::Color, File::Constant, File::Coordinate];

    /// The letter in front of the number.
    pub fn letter(self) -> char {
        ['r', 'v', 'c', 't'][self as usize]
    }

    /// How many registers there are.
    pub fn size(self) -> u8 {
        [6, 2, 8, 6][self as usize]
    }

    /// How many different ones an instruction may read.
    pub fn read_ports(self) -> usize {
        [3, 2, 2, 1][self as usize]
    }
}

/// A register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Register {
    /// Its kind.
    pub file: File,
    /// Its number.
    pub number: u8,
}

impl Register {
    /// Whether there is such a register; byte code has room for others.
    pub(crate) fn exists(self) -> bool {
        self.number < self.file.size()
    }

    /// Its place among the r registers, if it is one of them.
    pub(crate) fn temporary(self) -> Option<usize> {
        (self.file == File::Temporary && self.exists()).then_some(usize::from(self.number))
    }
}

/// Declares the operations: name, mnemonic, code of Direct3D, sources.
macro_rules! operations {
    ($( $name:ident = $mnemonic:literal, $code:literal, $sources:literal; )*) => {
        /// What an instruction does. The numbers are those of the encoding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Operation {
            $( #[doc = $mnemonic] $name, )*
        }

        impl Operation {
            /// All, by their numbers.
            pub const ALL: &'static [Operation] = &[$( Operation::$name ),*];

            /// The name in text.
            pub fn mnemonic(self) -> &'static str {
                match self { $( Operation::$name => $mnemonic, )* }
            }

            /// The number in byte code.
            pub fn direct3d_code(self) -> u16 {
                match self { $( Operation::$name => $code, )* }
            }

            /// How many sources it has beside the destination.
            pub fn sources(self) -> usize {
                match self { $( Operation::$name => $sources, )* }
            }
        }
    };
}

operations! {
    Mov = "mov", 1, 1;
    Add = "add", 2, 2;
    Sub = "sub", 3, 2;
    Mul = "mul", 5, 2;
    Mad = "mad", 4, 3;
    Lrp = "lrp", 18, 3;
    Dp3 = "dp3", 8, 2;
    Dp4 = "dp4", 9, 2;
    Cmp = "cmp", 88, 3;
    Cnd = "cnd", 80, 3;
    Bem = "bem", 89, 2;
    Texld = "texld", 66, 1;
    Texcrd = "texcrd", 64, 1;
    Texkill = "texkill", 65, 0;
    Texdepth = "texdepth", 87, 0;
}

impl Operation {
    /// Whether it takes a texture slot rather than arithmetic ones.
    pub fn is_texture(self) -> bool {
        matches!(self, Operation::Texld | Operation::Texcrd | Operation::Texkill | Operation::Texdepth)
    }

    /// The slots that it takes.
    pub fn slots(self) -> usize {
        if self == Operation::Bem { 2 } else { 1 }
    }
}

/// Which channels are written: bit 0 red to bit 3 alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask(pub u8);

impl Mask {
    /// All four channels.
    pub const ALL: Mask = Mask(15);
    /// The three of the colour.
    pub const COLOR: Mask = Mask(7);
    /// Red and green.
    pub const RED_GREEN: Mask = Mask(3);
    /// Alpha alone.
    pub const ALPHA: Mask = Mask(8);
}

/// Which channels of a source are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selector {
    /// Each channel from itself.
    All,
    /// All from one, 0 to 3.
    Replicate(u8),
    /// The first three, of coordinates.
    Xyz,
    /// The first two and the fourth, of coordinates.
    Xyw,
}

/// What is done to a source. The numbers are those of byte code and of the encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Modifier {
    /// Nothing.
    None = 0,
    /// −v
    Negate = 1,
    /// v − 0.5
    Bias = 2,
    /// −(v − 0.5)
    BiasNegate = 3,
    /// 2·(v − 0.5)
    Bx2 = 4,
    /// −2·(v − 0.5)
    Bx2Negate = 5,
    /// 1 − v
    Invert = 6,
    /// 2·v
    X2 = 7,
    /// −2·v
    X2Negate = 8,
    /// x and y divided by z
    Dz = 9,
    /// x and y divided by w
    Dw = 10,
}

impl Modifier {
    /// All, by their numbers.
    pub const ALL: [Modifier; 11] = [
        Modifier::None,
        Modifier::Negate,
        Modifier::Bias,
        Modifier::BiasNegate,
        Modifier::Bx2,
        Modifier::Bx2Negate,
        Modifier::Invert,
        Modifier::X2,
        Modifier::X2Negate,
        Modifier::Dz,
        Modifier::Dw,
    ];

    /// What stands before and behind the register in text.
    pub(crate) fn text(self) -> (&'static str, &'static str) {
        match self {
            Modifier::None => ("", ""),
            Modifier::Negate => ("-", ""),
            Modifier::Bias => ("", "_bias"),
            Modifier::BiasNegate => ("-", "_bias"),
            Modifier::Bx2 => ("", "_bx2"),
            Modifier::Bx2Negate => ("-", "_bx2"),
            Modifier::Invert => ("1-", ""),
            Modifier::X2 => ("", "_x2"),
            Modifier::X2Negate => ("-", "_x2"),
            Modifier::Dz => ("", "_dz"),
            Modifier::Dw => ("", "_dw"),
        }
    }

    /// Whether it divides coordinates.
    pub fn divides(self) -> bool {
        matches!(self, Modifier::Dz | Modifier::Dw)
    }
}

/// A source of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Source {
    /// The register that is read.
    pub register: Register,
    /// Which of its channels.
    pub selector: Selector,
    /// What is done to them.
    pub modifier: Modifier,
}

impl Source {
    /// The channels that may be read, or of coordinates the components: by `_dz` and `_dw` one more.
    fn channels(&self) -> u32 {
        let chosen = match self.selector {
            Selector::All => 0b1111,
            Selector::Replicate(channel) => 1 << channel,
            Selector::Xyz => 0b0111,
            Selector::Xyw => 0b1011,
        };
        chosen | self.divisor()
    }

    /// Those of coordinates of which the first two are asked for.
    fn two_channels(&self) -> u32 {
        0b0011 | self.divisor()
    }

    /// The component that the others are divided by.
    fn divisor(&self) -> u32 {
        match self.modifier {
            Modifier::Dz => 0b0100,
            Modifier::Dw => 0b1000,
            _ => 0,
        }
    }
}

/// The destination of an instruction: of texkill and texdepth the register that they read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The register.
    pub register: Register,
    /// Its channels.
    pub mask: Mask,
    /// The result is multiplied by 2 to this power, −3 to 3.
    pub shift: i8,
    /// Whether it is limited to 0 … 1 then.
    pub saturate: bool,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// Where the result goes.
    pub destination: Destination,
    /// What it is made of.
    pub sources: Vec<Source>,
    /// Whether it runs with the one before it.
    pub is_paired: bool,
}

/// A program that keeps every rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    pub(crate) constants: [Option<[f32; 4]>; 8],
    pub(crate) phases: [Vec<Instruction>; 2],
    pub(crate) has_marker: bool,
}

impl Program {
    /// The constants that the program itself defines.
    pub fn constants(&self) -> &[Option<[f32; 4]>; 8] {
        &self.constants
    }

    /// The instructions of both phases; those of a program without a phase marker are of the second.
    pub fn phases(&self) -> &[Vec<Instruction>; 2] {
        &self.phases
    }

    /// Whether a `phase` stands between the phases, of which the first may be empty.
    pub fn has_marker(&self) -> bool {
        self.has_marker
    }

    /// The instructions in their order.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.phases.iter().flatten()
    }

    /// Whether a pixel may go, or change its depth, so that depth is written behind the program.
    pub fn is_punch_through(&self) -> bool {
        self.instructions().any(|one| matches!(one.operation, Operation::Texkill | Operation::Texdepth))
    }

    /// What of a pixel may be read: bit 4n + m for component m of tn, bit 24 + m for channel m of v0, bit 28 + m of v1.
    pub fn reads(&self) -> u32 {
        self.reads_with(0)
    }

    /// The same with textures of which some have two coordinates, bit n for the n-th.
    pub(crate) fn reads_with(&self, flat_textures: u8) -> u32 {
        // texkill and texdepth read what other instructions write.
        let destinations = self.instructions().filter(|one| one.operation.sources() == 0);
        let registers = destinations.map(|one| read(one.destination.register, 0b0111));
        let sources = self.instructions().flat_map(|one| one.sources.iter().map(move |source| (one, source)));
        let channels = |one: &Instruction, source: &Source| {
            let is_flat = one.operation == Operation::Texld
                && flat_textures >> one.destination.register.number & 1 == 1;
            if is_flat { source.two_channels() } else { source.channels() }
        };
        registers
            .chain(sources.map(|(one, source)| read(source.register, channels(one, source))))
            .fold(0, |all, own| all | own)
    }

    /// The textures that are sampled, bit n for the n-th.
    pub fn textures(&self) -> u8 {
        let sampling = self.instructions().filter(|one| one.operation == Operation::Texld);
        sampling.fold(0, |textures, one| textures | 1 << one.destination.register.number)
    }
}

/// The bits of [`Program::reads`] for channels of a register.
fn read(Register { file, number }: Register, channels: u32) -> u32 {
    match file {
        File::Coordinate => channels << (4 * u32::from(number)),
        File::Color => channels << (24 + 4 * u32::from(number)),
        File::Temporary | File::Constant => 0,
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file.letter(), self.number)
    }
}

/// With its dot; nothing if all channels are written.
impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Mask::ALL {
            return Ok(());
        }
        let named = CHANNELS.iter().enumerate().filter(|(bit, _)| self.0 >> bit & 1 == 1);
        write!(f, ".{}", named.map(|(_, name)| *name).collect::<String>())
    }
}

/// With its dot; nothing if each channel is itself.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::All | Selector::Xyz => Ok(()),
            Selector::Replicate(channel) => write!(f, ".{}", CHANNELS[usize::from(*channel & 3)]),
            Selector::Xyw => f.write_str(".xyw"),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, behind) = self.modifier.text();
        write!(f, "{before}{}{behind}{}", self.register, self.selector)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Destination { register, mask, shift, saturate } = self.destination;
        let pair = if self.is_paired { "+" } else { "" };
        let scale =
            ["_d8", "_d4", "_d2", "", "_x2", "_x4", "_x8"][usize::from(shift.clamp(-3, 3).abs_diff(-3))];
        let limit = if saturate { "_sat" } else { "" };
        write!(f, "{pair}{}{scale}{limit} {register}{mask}", self.operation.mnemonic())?;
        self.sources.iter().try_for_each(|source| write!(f, ", {source}"))
    }
}

/// The text of the program, which reads back as an equal one.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ps_1_4")?;
        for (number, constant) in self.constants.iter().enumerate() {
            if let Some([r, g, b, a]) = constant {
                writeln!(f, "def c{number}, {r}, {g}, {b}, {a}")?;
            }
        }
        let [first, second] = &self.phases;
        first.iter().try_for_each(|one| writeln!(f, "{one}"))?;
        if self.has_marker {
            writeln!(f, "phase")?;
        }
        second.iter().try_for_each(|one| writeln!(f, "{one}"))
    }
}
