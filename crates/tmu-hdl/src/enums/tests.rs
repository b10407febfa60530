//! Enums in nets, registers, records and functions; what is refused.

use crate::bits::Bits;
use crate::elaborate::elaborate;
use crate::prelude::*;
use crate::simulate::Simulator;
use crate::testing::refusals;
use crate::verilog::emit;

#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
enum Mode {
    Off,
    Slow,
    Fast,
}

#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
enum Response {
    Okay = 0,
    SlaveError = 2,
    DecodeError,
}

#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
#[hardware_enum(one_hot)]
enum Lamp {
    Red,
    Yellow,
    Green,
}

#[test]
fn codes_are_binary_given_or_of_one_bit_each() {
    let codes = |all: &[Mode]| all.iter().map(Mode::code).collect::<Vec<_>>();
    assert_eq!((codes(Mode::ALL), Mode::WIDTH_BITS), (vec![0, 1, 2], 2));
    let codes: Vec<u64> = Response::ALL.iter().map(Response::code).collect();
    assert_eq!((codes, Response::WIDTH_BITS), (vec![0, 2, 3], 2));
    let codes: Vec<u64> = Lamp::ALL.iter().map(Lamp::code).collect();
    assert_eq!((codes, Lamp::WIDTH_BITS), (vec![1, 2, 4], 3));
    assert_eq!(Response::SlaveError.name(), "RESPONSE_SLAVE_ERROR");
    assert_eq!(Width::of::<Lamp>(), Width::bits(3));
}

#[derive(Record, Clone)]
struct Item<T = Bits> {
    mode: T,
    data: T,
}

/// What an item's data becomes.
#[kernel]
fn treated(mode: Enum<Mode>, data: Bits) -> Bits {
    match mode {
        Mode::Off => lit(8, 0u32),
        Mode::Slow => data,
        Mode::Fast => data + data,
    }
}

#[derive(LogicBlock)]
struct Gears {
    clocks: Clocks,
    mode: EnumNet<Mode, In>,
    data: Net<In>,
    lamp: EnumNet<Lamp, Out>,
    is_fast: Net<Out>,
    out: Net<Out>,
    kind: Net<Out>,
    before: EnumReg<Mode>,
    item: Item<FieldReg>,
}

impl Gears {
    fn new() -> Gears {
        let clocks = Clocks::new();
        let shape = Item { mode: Width::of::<Mode>(), data: Width::bits(8) };
        Gears {
            mode: EnumNet::new(),
            data: Net::new(8),
            lamp: EnumNet::new(),
            is_fast: Net::bit(),
            out: Net::new(8),
            kind: Net::new(3),
            before: EnumReg::with_reset(&clocks, Mode::Slow),
            item: shape.registers(&clocks),
            clocks,
        }
    }
}

#[kernel]
impl Gears {
    fn logic(&self) {
        let mode = self.mode.val();
        self.before.next = mode;
        self.item.next = Item { mode: mode.bits(), data: self.data.val() };
        let item = self.item.val();
        self.out.next = treated(Enum::of(item.mode), item.data);
        self.is_fast.next = mode == Mode::Fast && self.before.val() != mode;
        self.lamp.next = Lamp::Red;
        match mode {
            Mode::Fast => self.lamp.next = Lamp::Green,
            Mode::Slow => {
                self.lamp.next = if self.data.val().bit(0) { Lamp::Yellow.value() } else { Lamp::Red.value() }
            }
            Mode::Off => {}
        }
        match self.data.val() {
            0 => self.kind.next = 1,
            1 | 2 => self.kind.next = 2,
            0x80 => {
                self.kind.next = if self.before.val() == Mode::Off { lit(3, 3u32) } else { lit(3, 4u32) };
            }
            _ => self.kind.next = 5,
        }
    }
}

#[test]
fn an_enum_goes_through_ports_records_registers_and_functions() {
    let mut simulator = Simulator::new("gears", Gears::new()).unwrap();
    assert_eq!(simulator.block.before.val().variant(), Some(Mode::Slow));
    let table = [
        (Mode::Fast, 3, Lamp::Green, 1, 6, 5),
        (Mode::Fast, 0x80, Lamp::Green, 0, 0, 4),
        (Mode::Slow, 1, Lamp::Yellow, 0, 1, 2),
        (Mode::Slow, 2, Lamp::Red, 0, 2, 2),
        (Mode::Off, 0, Lamp::Red, 0, 0, 1),
    ];
    for (mode, data, lamp, is_fast, after, kind) in table {
        simulator.block.mode.drive(mode);
        simulator.block.data.drive(data);
        simulator.settle();
        assert_eq!(simulator.block.lamp.val().variant(), Some(lamp), "{mode:?} {data}");
        assert_eq!(simulator.block.is_fast.val().to_u64(), is_fast, "{mode:?} {data}");
        assert_eq!(simulator.block.kind.val().to_u64(), kind, "{mode:?} {data}");
        simulator.tick(|block| &block.clocks);
        assert_eq!(simulator.block.before.val().variant(), Some(mode));
        assert_eq!(simulator.block.out.val().to_u64(), after, "{mode:?} {data}");
    }
}

#[test]
fn a_match_is_a_case_over_names() {
    let design = elaborate("gears", &Gears::new()).unwrap();
    let text = &emit(&design).modules[0].text;
    let expected = "    always @(*) begin
        lamp = LAMP_RED;
        case (mode)
            MODE_FAST: begin
                lamp = LAMP_GREEN;
            end
            MODE_SLOW: begin
                lamp = data[0] ? LAMP_YELLOW : LAMP_RED;
            end
            default: ;
        endcase
    end
    always @(*) begin
        case (data)
            8'd0: begin
                kind = 3'd1;
            end
            8'd1, 8'd2: begin
                kind = 3'd2;
            end
            8'h80: begin
                kind = before_ == MODE_OFF ? 3'd3 : 3'd4;
            end
            default: begin
                kind = 3'd5;
            end
        endcase
    end
";
    assert!(text.contains(expected), "{text}");
    let names = "    localparam [1:0] MODE_OFF = 2'd0;
    localparam [1:0] MODE_SLOW = 2'd1;
    localparam [1:0] MODE_FAST = 2'd2;
    localparam [2:0] LAMP_RED = 3'd1;
";
    assert!(text.contains(names), "{text}");
    assert!(text.contains("        if (rst) begin\n            before_ <= MODE_SLOW;\n"), "{text}");
}

#[derive(LogicBlock)]
struct TooNarrow {
    code: Net<In>,
    out: Net<Out>,
}

#[kernel]
impl TooNarrow {
    fn logic(&self) {
        self.out.next = Enum::<Mode>::of(self.code.val()) == Mode::Off;
        match self.code.val() {
            0 | 9 => discard(self.code.val(), "nothing"),
            _ => {}
        }
    }
}

#[test]
fn codes_and_numbers_that_do_not_fit_are_refused() {
    let expected = "\
error[H001]: a code of 2 bits is read from 3 bits
  in top
  written: self.out.next = Enum::<Mode>::of(self.code.val()) == Mode::Off;
  code, `code`, 3 bits: assert_eq!(refusals(\"top\", &TooNarrow { code: Net::new(3), out: Net::bit() }), expected);
  help: make the net or the part as wide as the enum: `State::WIDTH_BITS`, `Width::of::<State>()`
error[H001]: the constant 9 does not fit 3 bits
  in top
  constant: match self.code.val() {
  help: make the constant smaller or the width larger (1 to 1024 bits)";
    assert_eq!(refusals("top", &TooNarrow { code: Net::new(3), out: Net::bit() }), expected);
}

/// All codes of two bits, with a variant for three of them, through `match` and through comparison.
#[derive(LogicBlock)]
struct AllCodes {
    code: Net<In>,
    matched: Net<Out>,
    driven: Net<Out>,
    equal: Net<Out>,
}

#[kernel]
impl AllCodes {
    fn logic(&self) {
        let mode = Enum::<Mode>::of(self.code.val());
        self.matched.next = match mode {
            Mode::Off => lit(2, 0u32),
            Mode::Slow => lit(2, 1u32),
            Mode::Fast => lit(2, 2u32),
        };
        self.driven.next = 3;
        match mode {
            Mode::Fast | Mode::Off => self.driven.next = 1,
            Mode::Slow => self.driven.next = 2,
        }
        self.equal.next = cat(&[mode == Mode::Fast, Mode::Slow == mode, mode == Mode::Off]);
    }
}

#[test]
fn a_code_without_a_variant_takes_the_last_arm_and_equals_none() {
    let block = AllCodes { code: Net::new(2), matched: Net::new(2), driven: Net::new(2), equal: Net::new(3) };
    let mut simulator = Simulator::new("all_codes", block).unwrap();
    for (code, matched, driven, equal) in [(0, 0, 1, 1), (1, 1, 2, 2), (2, 2, 1, 4), (3, 2, 2, 0)] {
        simulator.block.code.drive(code);
        simulator.settle();
        let block = &simulator.block;
        let got = [&block.matched, &block.driven, &block.equal].map(|net| net.val().to_u64());
        assert_eq!(got, [matched, driven, equal], "code {code}");
    }
}

#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
enum Step {
    First,
    Second,
    Third,
}

/// Goes round, with widths that have names.
#[derive(LogicBlock)]
struct Round {
    clocks: Clocks,
    data: Net<In>,
    out: Net<Out>,
    step: EnumReg<Step>,
    low: Reg,
    high: Reg,
    sum: Net<Local>,
}

#[kernel]
impl Round {
    fn logic(&self) {
        match self.step.val() {
            Step::First => {
                self.low.next = self.data.val();
                self.step.next = Step::Second;
            }
            Step::Second => {
                self.high.next = self.data.val();
                self.step.next = Step::Third;
            }
            Step::Third => self.step.next = Step::First,
        }
        let limit = lit(6, 40u32).named("LIMIT");
        self.sum.next = if self.low.val() < limit { self.low.val() } else { self.high.val() };
        self.out.next = self.sum.val();
    }
}

#[test]
fn the_last_arm_is_the_default_and_widths_and_limits_have_names() {
    let clocks = Clocks::new();
    let block = Round {
        data: Net::new(6),
        out: Net::new(6),
        step: EnumReg::with_reset(&clocks, Step::First),
        low: Reg::new(&clocks, 6).width_named("SUM_BITS"),
        high: Reg::new(&clocks, 6).width_named("SUM_BITS"),
        sum: Net::new(6).width_named("SUM_BITS"),
        clocks,
    };
    let expected = "\
    localparam SUM_BITS = 6;
    localparam [1:0] STEP_FIRST = 2'd0;
    localparam [1:0] STEP_SECOND = 2'd1;
    localparam [1:0] STEP_THIRD = 2'd2;
    localparam [5:0] LIMIT = 6'h28;
    reg  [1:0] step = 2'd0;
    reg  [SUM_BITS - 1:0] low = 6'd0;
    reg  [SUM_BITS - 1:0] high = 6'd0;
    wire [SUM_BITS - 1:0] sum;

    always @(posedge clk) begin
        case (step)
            STEP_FIRST: begin
                low <= data;
            end
            STEP_SECOND: begin
                high <= data;
            end
            default: ;
        endcase
    end
    always @(posedge clk) begin
        if (rst) begin
            step <= STEP_FIRST;
        end else begin
            case (step)
                STEP_FIRST: begin
                    step <= STEP_SECOND;
                end
                STEP_SECOND: begin
                    step <= STEP_THIRD;
                end
                // STEP_THIRD
                default: begin
                    step <= STEP_FIRST;
                end
            endcase
        end
    end
    assign sum = low < LIMIT ? low : high;
    assign out = sum;
";
    let design = elaborate("round", &block).unwrap();
    let text = &emit(&design).modules[0].text;
    assert!(text.contains(expected), "{text}");
}
