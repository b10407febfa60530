//! Which states are loaded, and the slot that the next one goes to.
//!
//! A state is looked for by the line of its record. Slots are taken one after the other round; one is free when no quad of its state is on
//! its way. What a state says of its triangles is kept beside it.
//!
//! Latency: whether a state is there a clock, what it says two clocks; slots in turn, a clock each.

use super::words::StateWord;
use crate::engines::pixel::shade::words::ShadeShape;
use crate::engines::pixel::words::LINE_NUMBER_BITS;
use tmu_hdl::prelude::*;

/// Clocks in which `slot_is_used` may not know yet of a quad that has gone to `shade`.
const LEFT_CLOCKS: u32 = 7;
/// Bits of their number.
const LEFT_BITS: usize = 3;

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Slots {
    pub(super) clocks: Clocks,
    /// The line of the state that is looked for.
    pub(super) address: Net<In>,
    /// A slot has held it a clock ago.
    pub(super) is_there: Net<Out>,
    /// That slot becomes the triangle's.
    pub(super) uses: Net<In>,
    /// A free slot is waited for.
    pub(super) waits: Net<In>,
    /// Nothing that is to be loaded is left over.
    pub(super) is_loaded: Net<In>,
    /// There is one.
    pub(super) is_free: Net<Out>,
    /// It becomes the triangle's.
    pub(super) takes: Net<In>,
    /// The triangle's slot holds its state from now on.
    pub(super) keeps: Net<In>,
    /// What it says.
    pub(super) said: StateWord<Field<In>>,
    /// What the triangle's slot holds is read.
    pub(super) reads: Net<In>,
    /// The triangle's slot.
    pub(super) slot: Net<Out>,
    /// What its state says, from the clock behind `reads` on.
    pub(super) own: StateWord<Field<Out>>,
    /// Slots that quads of are on their way.
    pub(super) slot_is_used: Net<In>,
    /// The slot of the triangle whose quads are handed on.
    pub(super) current: Net<In>,
    /// There is one.
    pub(super) has_current: Net<In>,
    /// Of each slot the line of its state.
    lines: Vec<Reg>,
    valid: Reg,
    hits: Reg,
    slot_reg: Reg,
    next: Reg,
    next_is_free: Reg,
    /// The slot that was the current one a clock ago, and the one before it, for as long as its last quad may not be counted yet.
    last_current: Reg,
    left_slot: Reg,
    left_for: Reg,
    /// What slots hold.
    kept: Vec<Reg>,
    own_reg: StateWord<FieldReg>,
    _shape: ShadeShape,
}

impl Slots {
    pub(super) fn new(shape: &ShadeShape) -> Slots {
        let clocks = Clocks::new();
        let (bits, slots) = (shape.slots_log2, shape.slots());
        Slots {
            address: Net::new(LINE_NUMBER_BITS),
            is_there: Net::bit(),
            uses: Net::bit(),
            waits: Net::bit(),
            is_loaded: Net::bit(),
            is_free: Net::bit(),
            takes: Net::bit(),
            keeps: Net::bit(),
            said: StateWord::shape().nets(),
            reads: Net::bit(),
            slot: Net::new(bits),
            own: StateWord::shape().nets(),
            slot_is_used: Net::new(slots),
            current: Net::new(bits),
            has_current: Net::bit(),
            lines: Reg::array(slots, &clocks, LINE_NUMBER_BITS),
            valid: Reg::with_reset(&clocks, slots, 0),
            hits: Reg::new(&clocks, slots),
            slot_reg: Reg::new(&clocks, bits),
            next: Reg::with_reset(&clocks, bits, 0),
            next_is_free: Reg::with_reset(&clocks, 1, 0),
            last_current: Reg::new(&clocks, bits),
            left_slot: Reg::new(&clocks, bits),
            left_for: Reg::with_reset(&clocks, LEFT_BITS, 0),
            kept: Reg::array(slots, &clocks, StateWord::shape().width()),
            own_reg: StateWord::shape().registers(&clocks),
            clocks,
            _shape: *shape,
        }
    }
}

/// States to slots.
#[kernel]
impl Slots {
    fn module_name(&self) -> String {
        "triangle_data_slots".into()
    }

    fn logic(&self) {
        self.look();
        self.free();
        self.keep();
        self.slot.next = self.slot_reg.val();
        self.own.next = self.own_reg.val();
    }

    fn look(&self) {
        /// # Which slot holds a state
        let address = self.address.val();
        let same = self.lines.iter().map(|line| line.val() == address).collect::<Vec<_>>();
        self.hits.next = stack(same) & self.valid.val();
        let hits = self.hits.val();
        self.is_there.next = hits.any();
        let holds = |bit: usize| (0..self._shape.slots()).filter(move |slot| slot >> bit & 1 == 1);
        let index: Vec<Bits> = (0..self._shape.slots_log2)
            .map(|bit| stack(holds(bit).map(|slot| hits.bit(slot))).any())
            .collect();
        if self.takes.val() {
            self.slot_reg.next = self.next.val();
        } else if self.uses.val() {
            self.slot_reg.next = stack(index);
        }
    }

    fn free(&self) {
        /// # Which slot is free
        let next = self.next.val();
        let used: Vec<Bits> = (0..self._shape.slots())
            .map(|number| self.slot_is_used.val().bit(number) && next == number as u64)
            .collect();
        let is_current = self.has_current.val() && self.current.val() == next;
        // A quad that `shade` has just taken is not among those that `slot_is_used` knows.
        let last = self.last_current.val();
        self.last_current.next = self.current.val();
        if self.current.val() != last {
            self.left_slot.next = last;
            self.left_for.next = lit(LEFT_BITS, LEFT_CLOCKS);
        } else if self.left_for.val().any() {
            self.left_for.next = self.left_for.val() - 1;
        }
        let was_left = self.left_for.val().any() && self.left_slot.val() == next;
        let was_current = self.has_current.val() && last == next;
        self.next_is_free.next =
            !stack(used).any() && !is_current && !was_current && !was_left && self.is_loaded.val();
        self.is_free.next = self.next_is_free.val();
        // Quads of the current slot may have left, but what they wait for behind them is this state.
        if self.takes.val() || (self.waits.val() && is_current) {
            self.next.next = next + 1;
        }
    }

    fn keep(&self) {
        /// # What states say
        let own = self.slot_reg.val();
        let keeps = self.keeps.val();
        let valid: Vec<Bits> = (0..self._shape.slots())
            .map(|number| {
                let goes = self.takes.val() && self.next.val() == number as u64;
                let there = self.valid.val().bit(number) && !goes;
                there || (keeps && own == number as u64)
            })
            .collect();
        self.valid.next = stack(valid);
        let said = StateWord::shape().pack(&self.said.val());
        for (number, (line, kept)) in self.lines.iter().zip(&self.kept).enumerate() {
            if keeps && own == number as u64 {
                line.next = self.address.val();
                kept.next = said;
            }
        }
        if self.reads.val() {
            let kept: Vec<Bits> = self
                .kept
                .iter()
                .enumerate()
                .map(|(number, kept)| {
                    let kept = kept.val();
                    kept & (own == number as u64).repeat(kept.width())
                })
                .collect();
            let kept = kept.into_iter().reduce(|a, b| a | b).expect("there are slots");
            self.own_reg.next = StateWord::shape().unpack(kept);
        }
    }
}
