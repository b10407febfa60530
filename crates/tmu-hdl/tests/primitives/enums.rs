//! Enums of the hardware as parts of records and as payloads of pipes: in ports, wires, registers and the stages between.

use tmu_cosim::{Stimulus, compare};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::simulate::Simulator;
use tmu_hdl::verilog::emit;

/// What to do with a number; one code is no variant.
#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
enum Order {
    Keep,
    Double,
    Invert,
}

#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
#[hardware_enum(one_hot)]
enum Lamp {
    Dark,
    Dim,
    Bright,
}

/// A number with what is to become of it.
#[derive(Clone, Debug, Record)]
struct Job<T = Bits> {
    /// What to do.
    order: Enum<Order, T>,
    number: T,
    /// How it is lit before and behind.
    lamps: [Enum<Lamp, T>; 2],
}

fn shape() -> Job<Width> {
    Job { order: Enum::shape(), number: Width::bits(8), lamps: [Enum::shape(); 2] }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    Entry,
    Work,
    Exit,
}

/// A job goes through a pipe as a record, its order once more alone; what comes out is kept.
#[derive(LogicBlock)]
struct Shop {
    clocks: Clocks,
    advance: Net<In>,
    job: Job<Field<In>>,
    order: EnumNet<Order, Out>,
    done: Job<Field<Out>>,
    is_swapped: Net<Out>,
    word: Net<Out>,
    kept: Job<FieldReg>,
    pipe: Pipe<Stage>,
}

impl Shop {
    fn new() -> Shop {
        let clocks = Clocks::new();
        let shop = Shop {
            advance: Net::bit(),
            job: shape().nets(),
            order: EnumNet::new(),
            done: shape().nets(),
            is_swapped: Net::bit(),
            word: Net::new(shape().width()),
            kept: shape().registers(&clocks),
            pipe: Pipe::new(),
            clocks,
        };
        shop.pipe.plan(&shop.clocks, || shop.logic());
        shop
    }
}

/// Does what each job says.
#[kernel]
impl Shop {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        let job = pipe.put(Stage::Entry, "job", self.job.val());
        let order = pipe.put(Stage::Entry, "order", self.job.order.val());

        let Job { number, lamps, .. } = job.at(Stage::Work);
        let result = match order.at(Stage::Work) {
            Order::Keep => number,
            Order::Double => number + number,
            Order::Invert => !number,
        };
        // Bright changes places with dark.
        let swapped = match lamps[0] {
            Lamp::Bright => [lamps[1], lamps[0]],
            _ => lamps,
        };
        let result = pipe.put(Stage::Work, "result", result);
        let swapped = pipe.put(Stage::Work, "swapped", swapped);

        self.order.next = order.at(Stage::Exit);
        let done = Job {
            order: job.at(Stage::Exit).order,
            number: result.at(Stage::Exit),
            lamps: swapped.at(Stage::Exit),
        };
        self.is_swapped.next = done.lamps[0] == Lamp::Dark || done.lamps[1] != job.at(Stage::Exit).lamps[1];
        self.kept.next = done;
        if self.advance.val() {
            self.kept.order.next = Order::Invert;
        }
        let kept = self.kept.val();
        self.word.next = shape().pack(&kept);
        self.done.next = if kept.order == Order::Keep { shape().unpack(self.word.val()) } else { kept };
    }
}

#[test]
fn enums_go_through_records_and_pipes() {
    let mut simulator = Simulator::new("shop", Shop::new()).unwrap_or_else(|e| panic!("{e}"));
    let table = [
        (Order::Keep, Lamp::Dim, Lamp::Dark, 3, [Lamp::Dim, Lamp::Dark]),
        (Order::Double, Lamp::Bright, Lamp::Dark, 6, [Lamp::Dark, Lamp::Bright]),
        (Order::Invert, Lamp::Bright, Lamp::Dim, 0xfc, [Lamp::Dim, Lamp::Bright]),
    ];
    for (order, front, back, number, lamps) in table {
        let shop = &simulator.block;
        shop.job.order.drive(order);
        shop.job.number.drive(3);
        shop.job.lamps[0].drive(front);
        shop.job.lamps[1].drive(back);
        shop.advance.drive(1);
        simulator.tick(|shop| &shop.clocks);
        simulator.tick(|shop| &shop.clocks);
        simulator.block.advance.drive(0);
        simulator.tick(|shop| &shop.clocks);
        let shop = &simulator.block;
        assert_eq!(shop.order.val().variant(), Some(order));
        let done = shop.done.val();
        assert_eq!(done.number.to_u64(), number, "{order:?}");
        assert_eq!(done.lamps.map(Enum::variant), lamps.map(Some), "{order:?}");
        assert_eq!(done.order.variant(), Some(order));
        assert_eq!(shop.kept.val().order.variant(), Some(order));
    }
}

#[test]
fn codes_of_records_and_pipes_have_names_in_the_verilog_and_in_waveforms() {
    let design = elaborate("shop", &Shop::new()).unwrap_or_else(|e| panic!("{e}"));
    let text = &emit(&design).modules[0].text;
    for line in [
        "    input  wire [1:0] job_order,\n",
        "kept_order <= ORDER_INVERT;",
        "job_order_work <= job_order;",
        "job_lamps_0_work == LAMP_BRIGHT",
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
    let nets = design.blocks[0].nets.iter().filter(|net| net.code_names.is_some());
    let found: Vec<&str> = nets.map(|net| net.name.as_str()).collect();
    let expected = [
        "job_order",
        "job_lamps_0",
        "job_lamps_1",
        "order",
        "done_order",
        "done_lamps_0",
        "done_lamps_1",
        "kept_order",
        "kept_lamps_0",
        "kept_lamps_1",
    ];
    assert_eq!(found[..expected.len()], expected);
    assert_eq!(shape().layout()[0].to_string(), "order [1:0] What to do.");
}

/// All codes, those without a variant among them.
#[test]
fn enums_in_records_and_pipes_mean_the_same_in_verilog() {
    compare("shop", Shop::new, &Stimulus::random(2_000)).unwrap_or_else(|failure| panic!("{failure}"));
}
