//! What a pipe keeps, and what it refuses.

use crate::elaborate::elaborate;
use crate::prelude::*;
use crate::primitives::{Multiplier, Operand};
use crate::testing::refusals;
use crate::verilog::{Header, emit};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    Entry,
    First,
    SecondHalf,
    Exit,
}
use Stage::{Entry, Exit, First, SecondHalf};

/// What a test does with the pipe of its block.
type Body = fn(&Block4, &Run<'_, Stage>);

/// A block of four stages around what a test does.
#[derive(LogicBlock)]
struct Block4 {
    clocks: Clocks,
    advance: Net<In>,
    data: Net<In>,
    result: Net<Out>,
    product: Optional<Multiplier>,
    pipe: Pipe<Stage>,
    _body: Body,
    _flows: bool,
}

impl Block4 {
    fn unplanned(flows: bool, has_product: bool, body: Body) -> Block4 {
        Block4 {
            clocks: Clocks::new(),
            advance: Net::bit(),
            data: Net::new(8),
            result: Net::new(8),
            product: Optional::new(has_product, || {
                Multiplier::new(Operand::unsigned(8), Operand::unsigned(8))
            }),
            pipe: Pipe::new(),
            _body: body,
            _flows: flows,
        }
    }

    fn planned(self) -> Block4 {
        self.pipe.plan(&self.clocks, || self.logic());
        self
    }

    fn new(body: Body) -> Block4 {
        Block4::unplanned(false, false, body).planned()
    }
}

#[kernel]
impl Block4 {
    fn logic(&self) {
        let (clocks, advance) = (&self.clocks, self.advance.val());
        discard(advance, "a pipe without registers needs none");
        let pipe = if self._flows {
            self.pipe.flow(clocks, advance, advance)
        } else {
            self.pipe.run(clocks, advance)
        };
        (self._body)(self, &pipe);
    }
}

fn registers(block: &Block4) -> Vec<String> {
    let design = elaborate("kept", block).unwrap_or_else(|found| panic!("{found}"));
    let nets = design.blocks[0].nets.iter().filter(|net| net.register().is_some());
    nets.map(|net| format!("{} {}", net.name, net.width)).collect()
}

fn pass(block: &Block4, pipe: &Run<'_, Stage>) {
    let value = pipe.put(Entry, "value", block.data.val());
    block.result.drive(value.at(Exit));
}

#[test]
fn a_value_is_kept_as_far_as_it_is_used() {
    assert_eq!(registers(&Block4::new(pass)), ["value_first 8", "value_second_half 8", "value_exit 8"]);
    let used_early: Body = |block, pipe| {
        let parts = pipe.put(Entry, "parts", [block.data.val(), block.data.val() + 1, lit(8, 3u32)]);
        let sum = parts.at(First)[0] + parts.at(Entry)[1] + parts.at(SecondHalf)[2];
        // Asked for, but nothing comes of it.
        let _ = parts.at(Exit);
        block.result.drive(sum);
    };
    assert_eq!(registers(&Block4::new(used_early)), ["parts_0_first 8"], "no constant and nothing unused");
}

#[test]
fn what_only_feeds_something_unused_is_not_kept() {
    let unused: Body = |block, pipe| {
        let value = pipe.put(Entry, "value", block.data.val());
        let later = pipe.put(First, "later", value.at(First));
        let _ = later.at(Exit);
        block.result.drive(block.data.val());
    };
    assert!(registers(&Block4::new(unused)).is_empty());
}

#[test]
fn those_in_front_are_found_behind_the_last_stage() {
    let history: Body = |block, pipe| {
        let value = pipe.put(SecondHalf, "value", block.data.val());
        block.result.drive(value.at(Exit) ^ value.before(Exit, 2));
    };
    assert_eq!(
        registers(&Block4::new(history)),
        ["value_exit 8", "value_exit_plus1 8", "value_exit_plus2 8"]
    );
}

#[test]
fn registers_are_what_the_policy_says() {
    let kept: Body = |block, pipe| {
        let long = pipe.put(Entry, "long", block.data.val() + 1).at(Exit);
        let short = pipe.put(SecondHalf, "short", block.data.val() + 1).at(Exit);
        let wired = pipe.put(First, "wired", block.data.val().slice(0, 8)).at(SecondHalf);
        let in_luts = pipe.put_in(Keep::ShiftRegisters, Entry, "in_luts", block.data.val()).at(Exit);
        let flag = pipe.flag(First, "flag", block.data.val()).at(SecondHalf);
        block.result.drive(long ^ short ^ wired ^ in_luts ^ flag);
    };
    let design = elaborate("kept", &Block4::new(kept)).unwrap_or_else(|found| panic!("{found}"));
    for net in design.blocks[0].nets.iter() {
        let Some(register) = net.register() else { continue };
        let name = net.name.split('_').next().unwrap_or("");
        let resets = ["long", "wired", "flag"].contains(&name);
        assert_eq!(register.reset_value.is_some(), resets, "{}", net.name);
        assert_eq!(net.attributes.is_empty(), name != "in", "{}", net.name);
    }
    let text = emit(&design).to_file(&Header::default());
    assert!(text.contains("(* shreg_extract = \"yes\" *) reg  [7:0] in_luts_exit = 8'd0;"), "{text}");
}

#[test]
fn each_mistake_is_refused_with_its_names() {
    let early: Body = |block, pipe| {
        block.result.drive(pipe.put(SecondHalf, "value", block.data.val()).at(First));
    };
    let never: Body = |block, pipe| {
        let _ = pipe.put(First, "value", block.data.val());
        block.result.drive(block.data.val());
    };
    let twice: Body = |block, pipe| {
        let [one, other] = [0, 1].map(|_| pipe.put(First, "value", block.data.val()));
        block.result.drive(one.at(Exit) ^ other.at(Exit));
    };
    let too_late: Body = |block, pipe| {
        if let Some(product) = block.product.as_ref() {
            let value = pipe.through(First, "square", product, (block.data.val(), block.data.val()));
            block.result.drive(value.at(Exit).low(8));
        }
    };
    let before: Body = |block, pipe| {
        block.result.drive(pipe.put(First, "value", block.data.val()).before(Exit, 1));
    };
    let planned = |flows: bool, body: Body| Block4::unplanned(flows, true, body).planned();
    let table = [
        (Block4::new(early), "`value` is asked for at `first` but exists from `second_half` on"),
        (Block4::new(never), "`value` is put into a pipe at `first` and never asked for"),
        (Block4::new(twice), "two values in a pipe are called `value`"),
        (Block4::new(under_if), "`value` is put into a pipe under a condition that only hardware knows"),
        (planned(false, too_late), "`square` leaves its primitive behind the last stage of its pipe"),
        (planned(true, too_late), "`square` goes through a primitive whose registers move together"),
        (
            Block4::unplanned(true, false, before).planned(),
            "of those in front is asked for in a pipe that flows",
        ),
        (Block4::unplanned(false, false, pass), "a pipe runs without a plan"),
    ];
    for (block, expected) in table {
        let found = refusals("top", &block);
        assert!(found.contains("error[H008]") && found.contains(expected), "{expected}:\n{found}");
    }
}

#[kernel]
fn under_if(block: &Block4, pipe: &Run<'_, Stage>) {
    block.result.next = block.data.val();
    if block.data.val().bit(0) {
        block.result.next = pipe.put(First, "value", block.data.val()).at(Exit);
    }
}

#[test]
fn a_stage_that_the_pipe_does_not_have_is_refused() {
    let mut block = Block4::unplanned(false, false, pass);
    block.pipe = Pipe::with(&[Entry, First]);
    let found = refusals("top", &block.planned());
    assert!(found.contains("at `exit`, which is no stage of its pipe"), "{found}");
}

/// A value goes through one pipe and then through another one, and the first one also carries what stays there.
#[derive(LogicBlock)]
struct TwoPipes {
    clocks: Clocks,
    data: Net<In>,
    result: Net<Out>,
    outer: Pipe<Stage>,
    inner: Pipe<Stage>,
}

#[kernel]
impl TwoPipes {
    fn logic(&self) {
        let always = lit(1, 1u32);
        let outer = self.outer.run(&self.clocks, always);
        let inner = self.inner.run(&self.clocks, always);
        let own = inner.put(Entry, "own", self.data.val());
        let through_both = outer.put(Entry, "through_both", self.data.val()).at(First);
        let through_both = inner.put(Entry, "goes_on", through_both).at(SecondHalf);
        let back = outer.put(First, "back", through_both).at(SecondHalf);
        self.result.next = own.at(First) ^ back;
    }
}

#[test]
fn the_plan_of_one_pipe_stands_around_that_of_another() {
    let block = TwoPipes {
        clocks: Clocks::new(),
        data: Net::new(8),
        result: Net::new(8),
        outer: Pipe::new(),
        inner: Pipe::new(),
    };
    block.outer.plan(&block.clocks, || block.inner.plan(&block.clocks, || block.logic()));
    let design = elaborate("kept", &block).unwrap_or_else(|found| panic!("{found}"));
    let nets = design.blocks[0].nets.iter().filter(|net| net.register().is_some());
    let mut names: Vec<&str> = nets.map(|net| &net.name[..]).collect();
    names.sort_unstable();
    let expected =
        ["back_second_half", "goes_on_first", "goes_on_second_half", "own_first", "through_both_first"];
    assert_eq!(names, expected);
}
