//! Words of a binding on their way out of the store, and what of them the stages behind do not know. Part of `parameter_store`.

use super::{Finds, LEVELS_BITS, ParameterStore, REGISTER, WORD, WORD_NUMBER_BITS};
use crate::datapath::general::words::{REGISTER_NUMBER_BITS, has_indirect};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;
use tmu_spec::binding::field::FORMAT;
use tmu_spec::general::field::{FIRST_OFFSET_REGISTER, WORD_REGISTERS, WORDS, place};

/// Registers of a word.
const PARTS: usize = WORD_REGISTERS as usize;
/// Bits of the number of a register in its word.
const PART_BITS: usize = PARTS.ilog2() as usize;
/// The last word of a secondary texture's binding that anything looks at.
const LAST_SECONDARY_WORD: u32 = 1;
/// The last word of a binding.
const LAST_WORD: u32 = WORDS as u32 - 1;

/// Words in the RAM, in its latch, in its output register, and what of the last one is to be sent.
#[derive(Bundle)]
pub(super) struct Reading {
    words: RamSimpleDualPort,
    /// What the stages were last told, a RAM for each place in a word: of the texture, and of the secondary one.
    in_force: Vec<DistributedRam>,
    /// All of that is known.
    is_known: Vec<Reg>,
    /// Of the binding that is read: the number of the last level, and of the last word that says something.
    pub(super) levels: Reg,
    pub(super) last: Reg,
    /// What is in force of its texture is known.
    knows: Reg,
    /// Words are left to be read, from `next` on.
    is_left: Reg,
    next: Reg,
    latched: Reg,
    latched_number: Reg,
    shown: Reg,
    shown_number: Reg,
    /// Beside the word that is shown: what is in force, whether a register counts, and whether it is sent however it is.
    kept: Vec<Reg>,
    counts: Reg,
    is_told: Reg,
    /// Registers of `word` that are to be sent, a bit each.
    due: Reg,
    word: Reg,
    number: Reg,
    /// A register that was sent.
    is_sent: Reg,
    sent_role: Reg,
    sent_number: Reg,
    sent: Reg,
}

impl Reading {
    pub(super) fn new(config: &Config, clocks: &Clocks, slot_bits: usize) -> Reading {
        let flag = || Reg::with_reset(clocks, 1, 0);
        let number = || Reg::new(clocks, WORD_NUMBER_BITS);
        let shape = RamShape::new(1 << (slot_bits + WORD_NUMBER_BITS), WORD).style(RamStyle::Block);
        Reading {
            words: RamSimpleDualPort::new(shape.output_register(true)),
            in_force: (0..PARTS).map(|_| DistributedRam::new(2 << WORD_NUMBER_BITS, REGISTER)).collect(),
            is_known: (0..1 + usize::from(has_indirect(config))).map(|_| flag()).collect(),
            levels: Reg::new(clocks, LEVELS_BITS),
            last: number(),
            knows: Reg::new(clocks, 1),
            is_left: flag(),
            next: number(),
            latched: flag(),
            latched_number: number(),
            shown: flag(),
            shown_number: number(),
            kept: Reg::array(PARTS, clocks, REGISTER),
            counts: Reg::new(clocks, PARTS),
            is_told: Reg::new(clocks, PARTS),
            due: Reg::with_reset(clocks, PARTS, 0),
            word: Reg::new(clocks, WORD),
            number: number(),
            is_sent: flag(),
            sent_role: Reg::new(clocks, 1),
            sent_number: Reg::new(clocks, REGISTER_NUMBER_BITS),
            sent: Reg::new(clocks, REGISTER),
        }
    }
}

/// The bits of a register of the first word that say something to the stages behind: the others are for `request`.
fn of_stages(register: usize) -> u32 {
    if register == place(FORMAT).0 as usize { (FORMAT.mask() >> REGISTER) as u32 } else { u32::MAX }
}

/// One bit: what is bound is the secondary texture.
#[kernel]
fn is_secondary(store: &ParameterStore) -> Bits {
    store.is_secondary.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val())
}

/// All but the first of the registers that are due.
#[kernel]
fn without_first(due: Bits) -> Bits {
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|part: usize| due.bit(part));
    let before_third = first || second;
    stack([lit(1, 0u32), second && first, third && before_third, fourth && (before_third || third)])
}

/// Keeps and reads words. One bit: those that are read move on.
#[kernel]
pub(super) fn read(of: &Reading, store: &ParameterStore, finds: &Finds) -> Bits {
    /// # Words
    of.words.clocks.follow(&store.clocks);
    let word = store.word.val();
    let own = word.slice(REGISTER, REGISTER) & lit(REGISTER, of_stages(1));
    let first = cat(&[word.high(WORD - 2 * REGISTER), own, word.low(REGISTER)]);
    of.words.write_enable.next = store.keeps.val();
    of.words.write_address.next = cat(&[store.slot(), store.word_number.val()]);
    of.words.write_data.next = if store.word_number.val() == 0 { first } else { word };
    let due = of.due.val();
    let has_one = !without_first(due).any();
    let moves = !due.any() || (has_one && store.has_room.val());
    let of_texture = if of.knows.val() { of.last.val() } else { lit(WORD_NUMBER_BITS, LAST_WORD) };
    let last = if is_secondary(store) { lit(WORD_NUMBER_BITS, LAST_SECONDARY_WORD) } else { of_texture };
    let (is_left, next) = (of.is_left.val(), of.next.val());
    if finds.comes {
        of.is_left.next = finds.goes;
        of.next.next = 1;
        of.knows.next = match (store.is_secondary.as_ref(), of.is_known.as_slice()) {
            (Some(is_secondary), [first, second]) => {
                if is_secondary.val() {
                    second.val()
                } else {
                    first.val()
                }
            }
            _ => of.is_known[0].val(),
        };
    } else if is_left && moves {
        of.is_left.next = next != last;
        of.next.next = next + 1;
    }
    let number = next & is_left.repeat(WORD_NUMBER_BITS);
    of.words.read_enable.next = moves && (finds.comes || is_left);
    of.words.read_address.next = cat(&[store.slot(), number]);
    if let Some(enable) = of.words.output_enable.as_ref() {
        enable.next = moves;
    }
    if moves {
        of.latched.next = if finds.comes { finds.goes } else { is_left };
        of.latched_number.next = number;
        of.shown.next = of.latched.val();
        of.shown_number.next = of.latched_number.val();
    }
    moves
}

/// Finds out what is to be sent. One bit: from the next clock on nothing is.
#[kernel]
pub(super) fn compare(of: &Reading, store: &ParameterStore, moves: Bits) -> Bits {
    /// # What is not in force
    let role = is_secondary(store);
    let passes = store.passes.val();
    let takes = of.due.val().any() && store.has_room.val();
    /// It is remembered a clock later, which is before anything of the same word is compared again.
    of.is_sent.next = passes || takes;
    of.sent_number.next = if passes { store.passing_number.val() } else { store.number.val() };
    of.sent.next = if passes { store.passing.val() } else { store.data.val() };
    of.sent_role.next = role;
    let (is_sent, sent_number, sent) = (of.is_sent.val(), of.sent_number.val(), of.sent.val());
    let has_color_table = store._config.features().has_color_table();
    let latched = of.latched_number.val();
    let first_beyond = of.levels.val().zero_extend(REGISTER_NUMBER_BITS) + u64::from(FIRST_OFFSET_REGISTER);
    let told = |part: usize| {
        let ram = &of.in_force[part];
        ram.clocks.follow(&store.clocks);
        ram.read_address.next = cat(&[role, latched]);
        ram.write_enable.next = is_sent && sent_number.low(PART_BITS) == part as u64;
        ram.write_address.next = cat(&[of.sent_role.val(), sent_number.high(WORD_NUMBER_BITS)]);
        let own = lit(REGISTER, of_stages(part));
        ram.write_data.next = if sent_number.high(WORD_NUMBER_BITS) == 0 { sent & own } else { sent };
        if moves {
            of.kept[part].next = ram.read_data.val();
        }
        // `color_table` remembers one format of two textures.
        let is_format = has_color_table && part == place(FORMAT).0 as usize;
        !of.knows.val() || (lit(1, u32::from(is_format)) && latched == 0)
    };
    let told = stack([told(0), told(1), told(2), told(3)]);
    /// Offsets behind the last level mean nothing.
    let counts = |part: usize| cat(&[latched, lit(PART_BITS, part as u32)]) <= first_beyond;
    let counts = stack([counts(0), counts(1), counts(2), counts(3)]);
    if moves {
        of.is_told.next = told;
        of.counts.next = counts;
    }
    let word = of.words.read_data.val();
    let differs = |part: usize| word.slice(part * REGISTER, REGISTER) != of.kept[part].val();
    let differs = stack([differs(0), differs(1), differs(2), differs(3)]);
    let new = ((differs & of.counts.val()) | of.is_told.val()) & of.shown.val().repeat(PARTS);
    if moves {
        of.due.next = new;
        of.word.next = word;
        of.number.next = of.shown_number.val();
    } else if store.has_room.val() {
        of.due.next = without_first(of.due.val());
    }
    remember(of, store);
    offer(of, store);
    moves && !of.is_left.val() && !of.latched.val() && !new.any()
}

/// What is in force is known once all of it has been told.
#[kernel]
fn remember(of: &Reading, store: &ParameterStore) {
    let all = store.all_passed.val() || (store.ends.val() && store.found_use.val().is_good);
    match (store.is_secondary.as_ref(), of.is_known.as_slice()) {
        (Some(is_secondary), [first, second]) => {
            if all && !is_secondary.val() {
                first.next = 1;
            }
            if all && is_secondary.val() {
                second.next = 1;
            }
        }
        _ => {
            if all {
                of.is_known[0].next = 1;
            }
        }
    }
}

#[kernel]
fn offer(of: &Reading, store: &ParameterStore) {
    /// # Registers
    let (due, word) = (of.due.val(), of.word.val());
    let chosen = |of: &dyn Fn(usize) -> Bits| {
        let upper = if due.bit(2) { of(2) } else { of(3) };
        let behind = if due.bit(1) { of(1) } else { upper };
        if due.bit(0) { of(0) } else { behind }
    };
    store.offers.next = due.any();
    store.number.next = cat(&[of.number.val(), chosen(&|part: usize| lit(PART_BITS, part as u32))]);
    store.data.next = chosen(&|part: usize| word.slice(part * REGISTER, REGISTER));
}
