//! What each rule says at length: for `tmugen explain` and whoever asks.

use super::Rule;
use crate::crossing::CrossingRule;

/// What there is to say about a rule.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// What breaks it, in a few words.
    pub title: &'static str,
    /// What it asks for, and why.
    pub rule: &'static str,
    /// A block that breaks it, in Rust.
    pub example: &'static str,
    /// What keeps it.
    pub remedy: &'static str,
}

impl Rule {
    /// All rules by rising code, those under [`Rule::ClockCrossing`] among them.
    pub fn every() -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().flat_map(|rule| {
            let below: &[CrossingRule] = if rule == Rule::ClockCrossing { &CrossingRule::ALL } else { &[] };
            [rule].into_iter().chain(below.iter().copied().map(Rule::Crossing))
        })
    }

    /// What the rule says, with a block that breaks it.
    pub fn explanation(self) -> Explanation {
        let (title, example, rule, remedy) = match self {
            Rule::Crossing(rule) => crossing(rule),
            Rule::Width => (
                "widths do not fit",
                include_str!("examples/h001.rs"),
                "Operands of one operator are equally wide, what drives a net is as wide as the net, a slice lies within \
                 its value, and a number fits the value that it stands beside. Verilog would cut or extend without a word, \
                 and where it does depends on what stands around. A net is 1 to 1024 bits wide.",
                "Extend with zero_extend or sign_extend, cut with low, high or slice, or give the net another width.",
            ),
            Rule::Unconnected => (
                "nothing drives a net",
                include_str!("examples/h002.rs"),
                "Every wire, output and register that there is has a driver, and so has every input of a block inside \
                 another one. A net without one would be unknown in simulation and anything in hardware.",
                "Drive it in the kernel of its block, an input in the kernel of the block around, or take it out.",
            ),
            Rule::DoublyDriven => (
                "a net has two drivers",
                include_str!("examples/h003.rs"),
                "A net has one driver. In a kernel a later drive overrides an earlier one only under an `if`: then the \
                 earlier one is the default. One that is overridden always is a mistake.",
                "Keep one of them, or put the second one under its condition.",
            ),
            Rule::CombinationalLoop => (
                "a value depends on itself within a clock",
                include_str!("examples/h004.rs"),
                "No net depends on itself but through a register, bit for bit and through all blocks between. Such a loop \
                 oscillates or keeps a state that nobody has asked for, and no two simulators need agree about it.",
                "Put a register into the loop. Where only other bits of the same net are read, make a net of each part.",
            ),
            Rule::Latch => (
                "a wire would have to keep its value",
                include_str!("examples/h005.rs"),
                "A wire is driven on every path through the kernel. On a path without a drive it would keep what it had, \
                 which takes a latch: FPGAs have few, and timing analysis does not see through them. A register keeps its \
                 value where it is not driven.",
                "Give the wire a default before the `if`, drive it on each side, or make it a register.",
            ),
            Rule::ClockCrossing => (
                "data passes from clock to clock",
                include_str!("examples/h006.rs"),
                "What a register takes belongs to its own clock. Data of another one changes while the register looks: it \
                 may take some bits before the change and some behind it, or hang between 0 and 1. Only the primitives for \
                 it bring data across: Synchroniser, ResetSynchroniser, GrayPointer, AsyncFifo and DualClockRam.",
                "Cross with a synchroniser or an asynchronous FIFO.",
            ),
            Rule::NameCollision => (
                "a name cannot stand in Verilog",
                include_str!("examples/h007.rs"),
                "Ports are called as the fields of the top are, since whoever instantiates the module names them. So no \
                 two may have one name, and none may be a keyword of Verilog or SystemVerilog. Names inside a module are \
                 changed where they have to be.",
                "Rename the field, its bundle, or the design.",
            ),
            Rule::Unsupported => (
                "there is no hardware for it",
                include_str!("examples/h008.rs"),
                "A kernel runs once to become hardware, with both sides of every hardware `if`. What it does to values of \
                 Rust on one side would be seen on the other and behind it, what it leaves early cannot be left, a signal \
                 has no number yet, and a kernel that does something else each time it runs is no hardware at all. Blocks \
                 in rust-hdl's own kernel language and attributes that Verilog does not have are refused under this code \
                 too; the message says which it is.",
                "Write `name = if condition { … } else { name };`, or drive a net; otherwise what the message says.",
            ),
            Rule::DeadRegister => (
                "nobody sees what a register holds",
                include_str!("examples/h009.rs"),
                "The value of a register reaches an output, a memory or a property, through whatever lies between. \
                 Synthesis would remove one that does not, so that it is mostly a forgotten line.",
                "Use it, remove it, or say why it stays: discard(register.val(), \"reason\").",
            ),
            Rule::UnusedInput => (
                "nobody reads an input",
                include_str!("examples/h010.rs"),
                "A block reads each of its inputs. One that it does not read is mostly a forgotten line, or a port that \
                 the block around drives for nothing. Clocks and resets are not asked for.",
                "Use it, remove it, or say why it stays: discard(input.val(), \"reason\").",
            ),
        };
        Explanation { title, rule, example, remedy }
    }
}

/// Title, example, rule and remedy.
fn crossing(rule: CrossingRule) -> (&'static str, &'static str, &'static str, &'static str) {
    match rule {
        CrossingRule::InputOfTwoClocks => (
            "registers of two clocks take one input",
            include_str!("examples/h006_1.rs"),
            "An input of the top that nothing is said about belongs to the one clock that samples it. Where two do, it \
             cannot belong to both, and the two see it change at different times.",
            "Say where it comes from, with on_clock(&clocks) or asynchronous() on the net, and let it cross to the others.",
        ),
        CrossingRule::ForeignReset => (
            "the reset of another clock",
            include_str!("examples/h006_2.rs"),
            "A register is reset by a reset of its own clock. One of another clock ends at any time, so that some registers \
             leave it a clock before others do.",
            "Bring the reset over with a ResetSynchroniser.",
        ),
        CrossingRule::Reconvergence => (
            "bits that crossed apart meet",
            include_str!("examples/h006_3.rs"),
            "Two synchronisers may take a clock more or less, each by itself. What was set at once then arrives a clock \
             apart, and whatever looks at both sees a state that there never was. Bits are followed through wires, logic and \
             registers that only copy.",
            "Let them cross as one code, behind one handshake or through an AsyncFifo.",
        ),
        CrossingRule::UnsteadyBus => (
            "several bits through one synchroniser change at once",
            include_str!("examples/h006_4.rs"),
            "The bits of a synchroniser may arrive a clock apart. So they are a code of which no two bits change at once, \
             such as a gray code, or they are not a number behind it.",
            "Cross as a GrayPointer, with a register declared one_bit_at_a_time(reason), or through an AsyncFifo.",
        ),
        CrossingRule::LogicBeforeSynchroniser => (
            "logic stands before a synchroniser",
            include_str!("examples/h006_5.rs"),
            "A synchroniser is fed straight from a register. Logic shows pulses while its inputs change, and a synchroniser, \
             which looks at any time, may catch one.",
            "Put a register of the source clock between the logic and the synchroniser.",
        ),
        CrossingRule::SynchroniserSource => (
            "a synchroniser is fed from two clocks, or from its own",
            include_str!("examples/h006_6.rs"),
            "A synchroniser brings data of one other clock. From its own clock it brings nothing but two clocks of delay, \
             which mostly means that it follows the wrong one.",
            "Use data of the own clock as it is, and synchronise that of each other clock by itself.",
        ),
        CrossingRule::ClockAsData => (
            "a clock is used as data",
            include_str!("examples/h006_7.rs"),
            "A clock drives clock ports and nothing else; an output may hand it on as it is. As data it changes just when \
             registers look, and logic on its way gives edges that nothing has asked for.",
            "Let a register turn at each of its edges, and let that register cross.",
        ),
    }
}
