//! What can be wrong with a program: codes, titles and explanations.

use tmu_problem::RuleCode;

/// Declares the rules of programs: code, title and explanation of each.
macro_rules! rules {
    ($( $name:ident = $code:literal, $title:literal, $explanation:literal; )*) => {
        /// The rule that a program breaks. Codes keep their number and meaning for ever.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $( #[doc = $title] $name, )*
        }

        impl Rule {
            /// Every rule, by rising code.
            pub const ALL: &'static [Self] = &[$( Self::$name ),*];

            /// What breaks the rule, in a few words.
            pub fn title(self) -> &'static str {
                match self { $( Self::$name => $title, )* }
            }

            /// What the rule says and why, in a paragraph.
            pub fn explanation(self) -> &'static str {
                match self { $( Self::$name => $explanation, )* }
            }
        }

        impl RuleCode for Rule {
            fn code(self) -> &'static str {
                match self { $( Self::$name => $code, )* }
            }
        }
    };
}

rules! {
    Version = "E0501", "the program does not begin with ps_1_4",
        "The first statement of a program is its version, `ps_1_4` or `ps.1.4`. Other versions are not assembled.";
    Instruction = "E0502", "there is no such instruction",
        "Instructions are mov, add, sub, mul, mad, lrp, dp3, dp4, cmp, cnd, bem, texld, texcrd, texkill and texdepth, beside def, \
         phase and nop. Those of ps_1_1 to ps_1_3, such as tex and texbem, are not part of ps_1_4.";
    Operand = "E0503", "an operand cannot be read",
        "Operands are parted by commas: first the destination, with the channels that are written behind a dot, then sources. An \
         instruction has the number of operands that its name says.";
    Register = "E0504", "there is no such register, or it does not go there",
        "There are c0 to c7, r0 to r5, t0 to t5, and v0 and v1 in phase 2. Arithmetic reads c, r and v, texcrd t, texld t and \
         in phase 2 r. The second source of bem is an r. Only r is written.";
    Order = "E0505", "a statement stands at a wrong place",
        "A program has its constants first, then at most one `phase` between two phases, in each of which texture instructions \
         stand in front of arithmetic ones. Without `phase` all of it is phase 2.";
    Slots = "E0506", "a phase has too many instructions",
        "Each phase has 6 texture slots and 8 arithmetic ones. A pair takes one, bem two.";
    Pair = "E0507", "two instructions cannot run as a pair",
        "`+` lets an arithmetic instruction run with the one before it: one of them writes channels of the colour only, the \
         other alpha only. dp4 and bem need both halves, and dp3 that of the colour.";
    ReadPorts = "E0508", "an instruction reads too many different registers of a kind",
        "An instruction reads at most two different c, three different r and two different v.";
    SourceModifier = "E0509", "a modifier does not go with its source",
        "Arithmetic sources may have _bias, _bx2 or _x2, each also negated, or be negated or inverted (`1-r0`); constants may not. \
         texld and texcrd take _dw with .xyw from t, and texld _dz from r, at most twice in a program.";
    Selector = "E0510", "channels of a source are chosen that cannot be",
        "Arithmetic sources take each channel from itself, or all of them from .r, .g, .b or .a. texld and texcrd read .xyz or \
         .xyw from t, and .xyz from r. Letters of rgba and xyzw are not mixed.";
    Mask = "E0511", "channels are written that cannot be",
        "A mask names channels in the order rgba or xyzw, each once, and letters of one of the two only. texld writes all of them, texcrd .rgb, or .rg with _dw; bem \
         writes .rg.";
    ResultModifier = "E0512", "a modifier does not go with its instruction",
        "Arithmetic instructions take one of _x2, _x4, _x8, _d2, _d4 and _d8, and then _sat. Texture instructions take none.";
    Coordinates = "E0513", "one t register is read as .xyz and as .xyw",
        "All texld and texcrd that read a t register choose the same three of its four components.";
    Unwritten = "E0514", "a channel is read that has not been written",
        "Temporary registers hold nothing when a program begins. texcrd leaves alpha without a value, with _dw blue too. texld \
         reads an r whose first three channels were written in phase 1 and not since.";
    LostAlpha = "E0515", "alpha is read that was lost between the phases",
        "The alpha channel of temporary registers does not last over `phase`. Write it again in phase 2.";
    Output = "E0516", "r0 is not written as a whole",
        "What r0 holds in the end is the pixel's colour, so all four of its channels must have been written; alpha in phase 2.";
    Depth = "E0517", "texdepth is not used as it can be",
        "texdepth stands in phase 2 and takes r5, whose red and green were written before. Neither r5 nor another texdepth may \
         follow.";
    Bump = "E0518", "bem is not used as it can be",
        "bem stands in phase 1 of a program with two phases, and once in it.";
    Constant = "E0519", "a constant is not one",
        "`def` gives a register c0 to c7 four numbers of -8 to 7.999755859375. Of several for one register the last one holds.";
    Bytes = "E0520", "the bytes are no program",
        "Byte code of Direct3D 8 begins with the token 0xFFFF0104 and ends with 0x0000FFFF; each parameter has its highest bit \
         set. Bits that say something in other versions only, such as the length of a statement, are clear. An encoded program begins with TPS1 and has the length that its header says. Nothing stands behind the end.";
}
