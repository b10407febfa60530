//! The seven rules about what crosses and what belongs to a clock, each with a small design that breaks it, the message,
//! and the same design put right; then the declared escapes.

use crate::elaborate::elaborate;
use crate::manifest::manifest;
use crate::prelude::*;
use crate::primitives::Synchroniser;
use crate::testing::refusals;
use crate::verilog::emit;

/// Registers of two clocks with synchronisers towards `b` between, as many of each as a case needs.
#[derive(LogicBlock)]
struct Small {
    a: Clocks,
    b: Clocks,
    inputs: Vec<Net<In>>,
    on_a: Vec<Reg>,
    syncs: Vec<Synchroniser>,
    on_b: Vec<Reg>,
    outs: Vec<Net<Out>>,
    _kernel: fn(&Small),
}

#[kernel]
impl Small {
    fn logic(&self) {
        for sync in &self.syncs {
            sync.clocks.follow(&self.b);
        }
        (self._kernel)(self);
    }
}

/// Widths of the parts: inputs, registers on `a`, synchronisers, registers on `b`, outputs.
type Widths = [&'static [usize]; 5];

/// What is done with the inputs, or with the registers on `a`, when they are made.
#[derive(Clone, Copy, PartialEq)]
enum Declares {
    Nothing,
    OnClockA,
    Asynchronous,
    OneBitAtATime,
}

fn small([inputs, on_a, syncs, on_b, outs]: Widths, declares: Declares, kernel: fn(&Small)) -> Small {
    let (a, b) = (Clocks::named_without_reset("a"), Clocks::named_without_reset("b"));
    let input = |&width: &usize| match declares {
        Declares::OnClockA => Net::new(width).on_clock(&a),
        Declares::Asynchronous => Net::new(width).asynchronous(),
        Declares::Nothing | Declares::OneBitAtATime => Net::new(width),
    };
    let register = |&width: &usize| match declares {
        Declares::OneBitAtATime => Reg::new(&a, width).one_bit_at_a_time("it counts in gray code"),
        _ => Reg::new(&a, width),
    };
    Small {
        inputs: inputs.iter().map(input).collect(),
        on_a: on_a.iter().map(register).collect(),
        syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
        on_b: on_b.iter().map(|&width| Reg::new(&b, width)).collect(),
        outs: outs.iter().map(|&width| Net::new(width)).collect(),
        a,
        b,
        _kernel: kernel,
    }
}

#[kernel]
fn samples_an_input_on_both_clocks(s: &Small) {
    s.on_a[0].next = s.inputs[0].val();
    s.on_b[0].next = s.inputs[0].val();
    s.outs[0].next = s.on_a[0].val();
    s.outs[1].next = s.on_b[0].val();
}

#[kernel]
fn samples_an_input_on_one_clock_and_brings_it_to_the_other(s: &Small) {
    s.on_a[0].next = s.inputs[0].val();
    s.syncs[0].data_in.next = s.on_a[0].val();
    s.outs[0].next = s.on_a[0].val();
    s.outs[1].next = s.syncs[0].data_out.val();
}

#[kernel]
fn takes_two_synchronised_bits_together(s: &Small) {
    for i in 0..2 {
        s.on_a[i].next = s.inputs[i].val();
        s.syncs[i].data_in.next = s.on_a[i].val();
    }
    s.on_b[0].next = s.syncs[0].data_out.val() & s.syncs[1].data_out.val();
    s.outs[0].next = s.on_b[0].val();
}

#[kernel]
fn takes_two_synchronised_bits_together_a_clock_later(s: &Small) {
    for i in 0..2 {
        s.on_a[i].next = s.inputs[i].val();
        s.syncs[i].data_in.next = s.on_a[i].val();
        s.on_b[i].next = s.syncs[i].data_out.val();
    }
    s.outs[0].next = cat(&[s.on_b[0].val(), s.on_b[1].val()]);
}

#[kernel]
fn lets_a_counter_cross_bit_by_bit(s: &Small) {
    s.on_a[0].next = s.on_a[0].val() + 1;
    s.syncs[0].data_in.next = s.on_a[0].val();
    s.outs[0].next = s.syncs[0].data_out.val();
}

#[kernel]
fn encodes_between_register_and_synchroniser(s: &Small) {
    let count = s.on_a[0].val();
    s.on_a[0].next = count + 1;
    let gray = count ^ (count >> 1);
    s.syncs[0].data_in.next = gray;
    s.outs[0].next = s.syncs[0].data_out.val();
}

#[kernel]
fn encodes_before_the_register(s: &Small) {
    let next = s.on_a[0].val() + 1;
    s.on_a[0].next = next;
    s.on_a[1].next = next ^ (next >> 1);
    s.syncs[0].data_in.next = s.on_a[1].val();
    s.outs[0].next = s.syncs[0].data_out.val();
}

#[kernel]
fn synchronises_data_of_two_clocks(s: &Small) {
    s.on_a[0].next = s.inputs[0].val();
    s.on_b[0].next = s.inputs[1].val();
    s.syncs[0].data_in.next = s.on_a[0].val() ^ s.on_b[0].val();
    s.outs[0].next = s.syncs[0].data_out.val();
}

#[kernel]
fn synchronises_what_is_there(s: &Small) {
    s.on_b[0].next = s.inputs[0].val();
    s.syncs[0].data_in.next = s.on_b[0].val();
    s.outs[0].next = s.syncs[0].data_out.val() ^ s.on_a[0].val();
    s.on_a[0].next = s.inputs[1].val();
}

#[kernel]
fn samples_a_clock(s: &Small) {
    s.on_a[0].next = s.inputs[0].val();
    s.on_b[0].next = s.a.clk.val();
    s.outs[0].next = s.on_a[0].val() ^ s.on_b[0].val();
}

#[kernel]
fn synchronises_a_clock_and_hands_one_on_through_logic(s: &Small) {
    s.on_a[0].next = s.inputs[0].val();
    s.syncs[0].data_in.next = s.a.clk.val();
    s.outs[0].next = s.syncs[0].data_out.val();
    s.outs[1].next = s.b.clk.val() & s.on_a[0].val();
}

#[kernel]
fn hands_a_clock_on_and_counts_its_edges(s: &Small) {
    s.on_a[0].next = !s.on_a[0].val();
    s.syncs[0].data_in.next = s.on_a[0].val();
    s.outs[0].next = s.syncs[0].data_out.val();
    s.outs[1].next = s.a.clk.val();
}

/// A design that breaks a rule, with what it is told.
type Broken = (Widths, Declares, fn(&Small), &'static str);

const BROKEN: &[Broken] = &[
    (
        [&[1], &[1], &[], &[1], &[1, 1]],
        Declares::Nothing,
        samples_an_input_on_both_clocks,
        "\
error[H006.1]: the input `top.inputs_0` is sampled on clock top.a_clk by `top.on_a_0` and on clock top.b_clk by `top.on_b_0`
  in top
  input `inputs_0`: Declares::Nothing | Declares::OneBitAtATime => Net::new(width),
  to `on_a_0`: _ => Reg::new(&a, width),
  to `on_b_0`: on_b: on_b.iter().map(|&width| Reg::new(&b, width)).collect(),
  help: say which clock it belongs to with on_clock(), or asynchronous(), and let it cross to the others",
    ),
    (
        [&[1], &[1], &[], &[1], &[1, 1]],
        Declares::OnClockA,
        samples_an_input_on_both_clocks,
        "\
error[H006]: `top.on_b_0` on clock top.b_clk takes data of `top.inputs_0` on clock top.a_clk
  in top
  from `inputs_0`: Declares::OnClockA => Net::new(width).on_clock(&a),
  to `on_b_0`: on_b: on_b.iter().map(|&width| Reg::new(&b, width)).collect(),
  help: cross with a synchroniser or an asynchronous FIFO",
    ),
    (
        [&[1], &[1], &[1], &[], &[1, 1]],
        Declares::Asynchronous,
        samples_an_input_on_one_clock_and_brings_it_to_the_other,
        "\
error[H006]: `top.on_a_0` on clock top.a_clk takes data of `top.inputs_0`, which belongs to no clock
  in top
  from `inputs_0`: Declares::Asynchronous => Net::new(width).asynchronous(),
  to `on_a_0`: _ => Reg::new(&a, width),
  help: cross with a synchroniser or an asynchronous FIFO",
    ),
    (
        [&[1, 1], &[1, 1], &[1, 1], &[1], &[1]],
        Declares::Nothing,
        takes_two_synchronised_bits_together,
        "\
error[H006.3]: `top.on_b_0` on clock top.b_clk puts together bits from clock top.a_clk that cross apart, in `top.syncs_0` and `top.syncs_1`: they may arrive a clock apart
  in top
  through `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  through `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  meet in `on_b_0`: on_b: on_b.iter().map(|&width| Reg::new(&b, width)).collect(),
  help: let them cross as one code, behind one handshake or through an asynchronous FIFO",
    ),
    (
        [&[1, 1], &[1, 1], &[1, 1], &[1, 1], &[2]],
        Declares::Nothing,
        takes_two_synchronised_bits_together_a_clock_later,
        "\
error[H006.3]: `top.outs_0` puts together bits from clock top.a_clk that cross apart, in `top.syncs_0` and `top.syncs_1`: they may arrive a clock apart
  in top
  through `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  through `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  meet in `outs_0`: outs: outs.iter().map(|&width| Net::new(width)).collect(),
  help: let them cross as one code, behind one handshake or through an asynchronous FIFO",
    ),
    (
        [&[], &[4], &[4], &[], &[4]],
        Declares::Nothing,
        lets_a_counter_cross_bit_by_bit,
        "\
error[H006.4]: the 4 bits of `top.syncs_0.data_in` come from `top.on_a_0`, where several may change at once: they may arrive a clock apart
  in top.syncs_0
  from `on_a_0`: _ => Reg::new(&a, width),
  to `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  help: cross as a GrayPointer or a code declared one_bit_at_a_time(), or through an asynchronous FIFO",
    ),
    (
        [&[], &[4], &[4], &[], &[4]],
        Declares::OneBitAtATime,
        encodes_between_register_and_synchroniser,
        "\
error[H006.5]: `top.syncs_0.data_in` is fed through logic: it may catch a glitch
  in top.syncs_0
  to `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  help: put a register of the source clock between the logic and the synchroniser",
    ),
    (
        [&[1, 1], &[1], &[1], &[1], &[1]],
        Declares::Nothing,
        synchronises_data_of_two_clocks,
        "\
error[H006.6]: `top.syncs_0.data_in` is fed from `top.on_a_0` on clock top.a_clk and `top.on_b_0` on clock top.b_clk
  in top.syncs_0
  from `on_a_0`: _ => Reg::new(&a, width),
  from `on_b_0`: on_b: on_b.iter().map(|&width| Reg::new(&b, width)).collect(),
  to `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  help: synchronise the data of each clock by itself",
    ),
    (
        [&[1, 1], &[1], &[1], &[1], &[1]],
        Declares::Nothing,
        synchronises_what_is_there,
        "\
error[H006.6]: `top.syncs_0.data_in` is fed by `top.on_b_0`, which is on clock top.b_clk already
  in top.syncs_0
  from `on_b_0`: on_b: on_b.iter().map(|&width| Reg::new(&b, width)).collect(),
  to `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  help: use the data as it is, or check which clock the synchroniser follows",
    ),
    (
        [&[1], &[1], &[], &[1], &[1]],
        Declares::Nothing,
        samples_a_clock,
        "\
error[H006.7]: `top.on_b_0` on clock top.b_clk takes the clock top.a_clk as data
  in top
  clock `a_clk`: let (a, b) = (Clocks::named_without_reset(\"a\"), Clocks::named_without_reset(\"b\"));
  to `on_b_0`: on_b: on_b.iter().map(|&width| Reg::new(&b, width)).collect(),
  help: let a clock drive clock ports only; count its edges with a register of its own and let that cross",
    ),
    (
        [&[1], &[1], &[1], &[], &[1, 1]],
        Declares::Nothing,
        synchronises_a_clock_and_hands_one_on_through_logic,
        "\
error[H006.7]: the output `top.outs_1` is computed from the clock top.b_clk
  in top
  clock `b_clk`: let (a, b) = (Clocks::named_without_reset(\"a\"), Clocks::named_without_reset(\"b\"));
  output `outs_1`: outs: outs.iter().map(|&width| Net::new(width)).collect(),
  help: let a clock drive clock ports only; an output may hand it on as it is
error[H006.7]: `top.syncs_0.data_in` on clock top.b_clk takes the clock top.a_clk as data
  in top.syncs_0
  clock `a_clk`: let (a, b) = (Clocks::named_without_reset(\"a\"), Clocks::named_without_reset(\"b\"));
  to `data_in`: syncs: syncs.iter().map(|&width| Synchroniser::new(width, 2)).collect(),
  help: let a clock drive clock ports only; count its edges with a register of its own and let that cross",
    ),
];

#[test]
fn each_rule_refuses_the_design_that_breaks_it() {
    for &(widths, declares, kernel, expected) in BROKEN {
        assert_eq!(refusals("top", &small(widths, declares, kernel)), expected);
    }
}

#[test]
fn what_keeps_the_rules_passes() {
    type Kernel = fn(&Small);
    let table: &[(Widths, Declares, Kernel)] = &[
        (
            [&[1], &[1], &[1], &[], &[1, 1]],
            Declares::OnClockA,
            samples_an_input_on_one_clock_and_brings_it_to_the_other,
        ),
        ([&[], &[4], &[4], &[], &[4]], Declares::OneBitAtATime, lets_a_counter_cross_bit_by_bit),
        ([&[], &[4, 4], &[4], &[], &[4]], Declares::OneBitAtATime, encodes_before_the_register),
        ([&[], &[1], &[1], &[], &[1, 1]], Declares::Nothing, hands_a_clock_on_and_counts_its_edges),
    ];
    for &(widths, declares, kernel) in table {
        elaborate("top", &small(widths, declares, kernel)).unwrap();
    }
}

#[kernel]
fn waives_the_meeting_where_the_bits_meet(s: &Small) {
    takes_two_synchronised_bits_together(s);
    crossing_waiver(&s.on_b[0], CrossingRule::Reconvergence, "either bit alone is enough");
}

#[kernel]
fn waives_the_meeting_at_a_synchroniser(s: &Small) {
    takes_two_synchronised_bits_together(s);
    crossing_waiver(
        &s.syncs[1].data_out,
        CrossingRule::Reconvergence,
        "it never changes while the other does",
    );
}

#[kernel]
fn waives_the_code(s: &Small) {
    lets_a_counter_cross_bit_by_bit(s);
    crossing_waiver(
        &s.syncs[0].data_in,
        CrossingRule::UnsteadyBus,
        "read only while the counter stands still",
    );
}

#[kernel]
fn waives_the_glitch(s: &Small) {
    encodes_between_register_and_synchroniser(s);
    crossing_waiver(
        &s.syncs[0].data_in,
        CrossingRule::LogicBeforeSynchroniser,
        "read only while it stands still",
    );
}

#[kernel]
fn waives_the_own_clock(s: &Small) {
    synchronises_what_is_there(s);
    crossing_waiver(&s.syncs[0].data_in, CrossingRule::SynchroniserSource, "a delay");
    crossing_waiver(&s.outs[0], CrossingRule::ClockAsData, "by mistake");
}

#[kernel]
fn waives_the_input_and_the_clock(s: &Small) {
    s.on_a[0].next = s.inputs[0].val();
    s.on_b[0].next = s.a.clk.val() ^ s.inputs[0].val();
    s.outs[0].next = s.on_a[0].val();
    crossing_waiver(&s.inputs[0], CrossingRule::InputOfTwoClocks, "a strap, fixed on the board");
    crossing_waiver(&s.on_b[0], CrossingRule::ClockAsData, "a phase detector");
    discard(s.on_b[0].val(), "only its metastability is of interest");
}

#[kernel]
fn waives_without_a_reason(s: &Small) {
    lets_a_counter_cross_bit_by_bit(s);
    crossing_waiver(&s.syncs[0].data_in, CrossingRule::UnsteadyBus, " ");
}

#[test]
fn a_waiver_with_a_reason_lets_one_rule_pass_for_one_net_and_stands_in_the_manifest() {
    let two: Widths = [&[1, 1], &[1, 1], &[1, 1], &[1], &[1]];
    let bus: Widths = [&[], &[4], &[4], &[], &[4]];
    type Kernel = fn(&Small);
    let table: &[(Widths, Kernel, &str)] = &[
        (two, waives_the_meeting_where_the_bits_meet, "on_b_0 H006.3 either bit alone is enough"),
        (
            two,
            waives_the_meeting_at_a_synchroniser,
            "syncs_1.data_out H006.3 it never changes while the other does",
        ),
        (bus, waives_the_code, "syncs_0.data_in H006.4 read only while the counter stands still"),
        (bus, waives_the_glitch, "syncs_0.data_in H006.5 read only while it stands still"),
        (
            [&[1], &[1], &[], &[1], &[1]],
            waives_the_input_and_the_clock,
            "inputs_0 H006.1 a strap, fixed on the board\non_b_0 H006.7 a phase detector",
        ),
    ];
    for &(widths, kernel, expected) in table {
        let design = elaborate("top", &small(widths, Declares::Nothing, kernel)).unwrap();
        let declarations = manifest(&design, &emit(&design)).crossing_declarations;
        let lines = declarations.iter().map(|d| {
            assert_eq!((d.module.as_str(), d.instances.as_slice()), ("top", [String::new()].as_slice()));
            format!("{} {} {}", d.net, d.rule, d.reason)
        });
        assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected);
    }
}

#[test]
fn a_declared_code_stands_in_the_manifest() {
    let widths: Widths = [&[], &[4], &[4], &[], &[4]];
    let block = small(widths, Declares::OneBitAtATime, lets_a_counter_cross_bit_by_bit);
    let design = elaborate("top", &block).unwrap();
    let [declaration] = &manifest(&design, &emit(&design)).crossing_declarations[..] else { panic!("one") };
    assert_eq!((declaration.net.as_str(), declaration.rule.as_str()), ("on_a_0", "H006.4"));
    assert_eq!(declaration.reason, "it counts in gray code");
}

#[test]
fn a_waiver_without_use_or_reason_is_refused() {
    let useless = "\
error[H006.7]: the waiver of H006.7 for `top.outs_0` waives nothing
  in top
  waiver: crossing_waiver(&s.outs[0], CrossingRule::ClockAsData, \"by mistake\");
  net `outs_0`: outs: outs.iter().map(|&width| Net::new(width)).collect(),
  help: take it out, or name the net and the rule that the refusal names";
    let widths: Widths = [&[1, 1], &[1], &[1], &[1], &[1]];
    assert_eq!(refusals("top", &small(widths, Declares::Nothing, waives_the_own_clock)), useless);
    let unreasoned = "\
error[H006.4]: a waiver of H006.4 has no reason
  in top
  waiver: crossing_waiver(&s.syncs[0].data_in, CrossingRule::UnsteadyBus, \" \");
  help: say why the crossing is safe";
    let widths: Widths = [&[], &[4], &[4], &[], &[4]];
    assert_eq!(refusals("top", &small(widths, Declares::Nothing, waives_without_a_reason)), unreasoned);
}
