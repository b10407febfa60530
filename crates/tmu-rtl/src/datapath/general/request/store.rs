//! `parameter_store`: bindings that are kept, and of the one that a packet names the registers that are not in force yet.
//!
//! Contract: what [`tmu_spec::general::store`] says of packets. The words of a binding stand in block RAM, what must be known of it at
//! once in LUT RAM, which is emptied after a reset, a clock a target. Beside them stands what the stages behind were last told of each
//! register: what they know already is not sent, nor are offsets of levels that a texture does not have.
//!
//! From the packet of a use to its first register 4 clocks, then a register a clock, and one at least for each word of the binding that
//! counts: 2 of a texture of one level, 5 of the longest chain.

use super::indirect::Placing;
use super::{REGISTER, WORD};
use crate::datapath::general::words::{REGISTER_NUMBER_BITS, general, has_indirect};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::{DROP_CACHE, FORMAT, Field};
use tmu_spec::general::field::{
    ENABLES, ENTRY, FIRST_OFFSET_REGISTER, KIND, LEVELS, SETS_ENABLES, WORD_REGISTERS, place,
};
use tmu_spec::general::store::{NEVER_WRITTEN, TARGET_OF_KIND, TARGETS, use_reserved};

/// Bits of the number of a word of a binding.
const WORD_NUMBER_BITS: usize = 3;
/// Bits of the number of a target.
const TARGET_BITS: usize = TARGETS.ilog2() as usize;
/// Registers of a word.
const PARTS: usize = WORD_REGISTERS as usize;
/// The last word of a secondary texture's binding that anything looks at.
const LAST_SECONDARY_WORD: u32 = 1;
/// The last word of a binding.
const LAST_WORD: u32 = tmu_spec::general::field::WORDS as u32 - 1;
/// Bits of the number of the last level.
const LEVELS_BITS: usize = LEVELS.bits as usize;

/// The bits of a register of the first word that say something to the stages behind: the others are for `request`.
fn of_stages(register: usize) -> u32 {
    if register == place(FORMAT).0 as usize { (FORMAT.mask() >> REGISTER) as u32 } else { u32::MAX }
}

/// What must be known of a target at once.
#[derive(Clone, Debug, Record)]
struct Held<T = Bits> {
    is_written: T,
    /// Its binding breaks no rule.
    is_good: T,
    /// The cache drops what it holds when it is used.
    drops: T,
    /// The number of the last level.
    levels: T,
    has_no_footprint: T,
    /// See [`Placing`].
    placing: T,
}

impl Held<Width> {
    fn of(config: &Config, has_footprints: bool) -> Held<Width> {
        let bit = Width::bits(1);
        Held {
            is_written: bit,
            is_good: bit,
            drops: bit,
            levels: Width::bits(LEVELS_BITS),
            has_no_footprint: bit.when(has_footprints),
            placing: Width::bits(Placing::shape().width()).when(has_indirect(config)),
        }
    }
}

/// What becomes of a use.
#[derive(Clone, Debug, Record)]
pub(super) struct Found<T = Bits> {
    /// A binding that breaks no rule is in force.
    pub(super) is_good: T,
    /// No target is enabled.
    pub(super) is_off: T,
    /// The cache drops what it holds.
    pub(super) drops: T,
    /// See [`super::rules::Rules`].
    pub(super) has_no_footprint: T,
    /// See [`Placing`].
    pub(super) placing: T,
    /// Rules that the use breaks, bit by bit.
    pub(super) broken_rules: T,
}

impl Found<Width> {
    pub(super) fn of(config: &Config, has_footprints: bool) -> Found<Width> {
        let Held { is_good, drops, has_no_footprint, placing, .. } = Held::of(config, has_footprints);
        let broken_rules = Width::bits(BindingRule::ALL.len());
        Found { is_good, is_off: Width::bits(1), drops, has_no_footprint, placing, broken_rules }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct ParameterStore {
    /// Clock and reset.
    pub clocks: Clocks,
    /// It has been emptied: packets may come.
    pub is_ready: Net<Out>,
    /// A word of the packet that is being worked on.
    pub word: Net<In>,
    /// Its number.
    pub word_number: Net<In>,
    /// It is the first word of a binding that will be kept.
    pub names: Net<In>,
    /// The word is kept; the first one a clock after it has named the entry, or later.
    pub keeps: Net<In>,
    /// All words have been kept, and what is in force of `rules` goes for them.
    pub judges: Net<In>,
    /// No rule is broken.
    pub is_good: Net<In>,
    /// See [`super::rules::Rules`].
    pub has_no_footprint: Optional<Net<In>>,
    /// See [`Placing`].
    pub placing: Optional<Net<In>>,
    /// A packet may come, whose first word the word is.
    pub looks: Net<In>,
    /// It was a use: from the clock behind that in which it comes.
    pub uses: Net<In>,
    /// A bit above the word of a use is set, where such bits must not be.
    pub is_reserved_above: Optional<Net<In>>,
    /// The use has ended.
    pub ends: Net<In>,
    /// What is bound is the secondary texture.
    pub is_secondary: Optional<Net<In>>,
    /// There is a register to be sent.
    pub offers: Net<Out>,
    /// Its number.
    pub number: Net<Out>,
    /// What it holds.
    pub data: Net<Out>,
    /// It is sent.
    pub takes: Net<In>,
    /// No register is left.
    pub is_done: Net<Out>,
    /// What becomes of the use, once that is so; see [`Found`].
    pub found: Net<Out>,
    /// A register of a binding that is not kept is sent.
    pub passes: Net<In>,
    /// Its number.
    pub passing_number: Net<In>,
    /// What it holds.
    pub passing: Net<In>,
    /// It was the last one.
    pub all_passed: Net<In>,
    /// Targets that are still to be emptied after a reset.
    emptied: Reg,
    is_emptied: Reg,
    named: Named,
    has_found: Reg,
    held: Held<FieldReg>,
    enables: DistributedRam,
    targets: DistributedRam,
    words: RamSimpleDualPort,
    reading: Reading,
    in_force: Vec<DistributedRam>,
    /// What the stages know stands there: of the texture, and of the secondary one.
    is_known: Vec<Reg>,
    _has_footprints: bool,
    _config: Config,
}

/// What the first word of the packet says.
#[derive(Bundle)]
struct Named {
    entry: Reg,
    target: Reg,
    enables: Reg,
    sets_enables: Reg,
    levels: Reg,
    drops: Reg,
    is_reserved: Reg,
    is_never_written: Reg,
    is_off: Reg,
}

/// Words on their way out of the RAM.
#[derive(Bundle)]
struct Reading {
    /// Words are left to be read, from `next` to `last`.
    is_left: Reg,
    next: Reg,
    /// In the RAM's latch and in its output register.
    latched: Reg,
    latched_number: Reg,
    shown: Reg,
    shown_number: Reg,
    /// Registers to be sent of `word`, a bit each.
    due: Reg,
    word: Reg,
    number: Reg,
}

impl ParameterStore {
    /// The store of a configuration that has one.
    pub(super) fn new(config: &Config, has_footprints: bool) -> ParameterStore {
        let clocks = Clocks::new();
        let entries = general(config).store_entries as usize;
        let (entry_bits, targets) = (entries.ilog2() as usize, entries * TARGETS);
        let slot_bits = entry_bits + TARGET_BITS;
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let bit = || Reg::new(&clocks, 1);
        let held = Held::of(config, has_footprints);
        let shape = RamShape::new(targets << WORD_NUMBER_BITS, WORD).style(RamStyle::Block);
        ParameterStore {
            is_ready: Net::bit(),
            word: Net::new(WORD),
            word_number: Net::new(WORD_NUMBER_BITS),
            names: Net::bit(),
            keeps: Net::bit(),
            judges: Net::bit(),
            is_good: Net::bit(),
            has_no_footprint: Optional::new(has_footprints, Net::bit),
            placing: Optional::new(has_indirect(config), || Net::new(Placing::shape().width())),
            looks: Net::bit(),
            uses: Net::bit(),
            is_reserved_above: Optional::new(super::has_several_beats(config), Net::bit),
            ends: Net::bit(),
            is_secondary: Optional::new(has_indirect(config), Net::bit),
            offers: Net::bit(),
            number: Net::new(REGISTER_NUMBER_BITS),
            data: Net::new(REGISTER),
            takes: Net::bit(),
            is_done: Net::bit(),
            found: Net::new(Found::of(config, has_footprints).width()),
            passes: Net::bit(),
            passing_number: Net::new(REGISTER_NUMBER_BITS),
            passing: Net::new(REGISTER),
            all_passed: Net::bit(),
            emptied: Reg::with_reset(&clocks, slot_bits, 0),
            is_emptied: flag(),
            named: Named {
                entry: Reg::new(&clocks, entry_bits),
                target: Reg::new(&clocks, TARGET_BITS),
                enables: Reg::new(&clocks, TARGETS),
                sets_enables: bit(),
                levels: Reg::new(&clocks, LEVELS_BITS),
                drops: bit(),
                is_reserved: bit(),
                is_never_written: bit(),
                is_off: bit(),
            },
            has_found: flag(),
            targets: DistributedRam::new(targets, held.width()),
            held: held.registers(&clocks),
            enables: DistributedRam::new(entries, 1 + TARGETS),
            words: RamSimpleDualPort::new(shape.output_register(true)),
            reading: Reading {
                is_left: flag(),
                next: Reg::new(&clocks, WORD_NUMBER_BITS),
                latched: flag(),
                latched_number: Reg::new(&clocks, WORD_NUMBER_BITS),
                shown: flag(),
                shown_number: Reg::new(&clocks, WORD_NUMBER_BITS),
                due: Reg::with_reset(&clocks, PARTS, 0),
                word: Reg::new(&clocks, WORD),
                number: Reg::new(&clocks, WORD_NUMBER_BITS),
            },
            in_force: (0..PARTS).map(|_| DistributedRam::new(2 << WORD_NUMBER_BITS, REGISTER)).collect(),
            is_known: (0..1 + usize::from(has_indirect(config))).map(|_| flag()).collect(),
            clocks,
            _has_footprints: has_footprints,
            _config: config.clone(),
        }
    }
}

/// Keeps bindings, and gives back what is not in force.
#[kernel]
impl ParameterStore {
    fn logic(&self) {
        timing(4, 1);
        let clocks = [&self.enables.clocks, &self.targets.clocks, &self.words.clocks];
        let all = clocks.into_iter().chain(self.in_force.iter().map(|ram| &ram.clocks));
        all.for_each(|clocks| clocks.follow(&self.clocks));
        self.empty();
        self.name();
        self.keep();
        self.look();
        let advance = self.read();
        self.compare(advance);
        self.offer();
    }

    fn empty(&self) {
        /// # Emptied after a reset
        if !self.is_emptied.val() {
            self.emptied.next = self.emptied.val() + 1;
            self.is_emptied.next = self.emptied.val().all();
        }
        self.is_ready.next = self.is_emptied.val();
    }

    /// A field of the first word.
    fn of(&self, of: Field) -> Bits {
        self.word.val().slice(of.shift as usize, of.bits as usize)
    }

    /// One bit: the target of a use is looked up. Its enables were in the clock before.
    fn finds(&self) -> Bits {
        self.uses.val() && !self.has_found.val()
    }

    /// One bit: the use has a bit set that no field has.
    fn is_reserved(&self) -> Bits {
        let own = self.named.is_reserved.val();
        self.is_reserved_above.as_ref().map_or_else(|| own, |above| own || above.val())
    }

    fn entry_of_word(&self) -> Bits {
        self.of(ENTRY).low(self.named.entry.width())
    }

    fn name(&self) {
        /// # What the first word says
        let named = &self.named;
        let looks = self.looks.val();
        let takes = looks || self.names.val();
        if takes {
            named.entry.next = self.entry_of_word();
            named.enables.next = self.of(ENABLES);
            named.sets_enables.next = self.of(SETS_ENABLES);
            named.levels.next = self.of(LEVELS);
            named.drops.next = self.of(DROP_CACHE);
        }
        let kind = self.of(KIND);
        let of_kind =
            TARGET_OF_KIND.iter().enumerate().fold(lit(TARGET_BITS, 0u32), |target, (code, own)| {
                target | (lit(TARGET_BITS, u32::from(*own)) & (kind == code as u64).repeat(TARGET_BITS))
            });
        /// # Enables
        let read = self.enables.read_data.val();
        let enabled = if self.of(SETS_ENABLES) { self.of(ENABLES) } else { read.low(TARGETS) };
        let [row, picture, volume, cube] = [0, 1, 2, 3].map(|target: usize| enabled.bit(target));
        discard(row, "it is what is left");
        let of_rank = cat(&[cube || volume, cube || (!volume && picture)]);
        if takes {
            named.target.next = if looks { of_rank } else { of_kind };
        }
        if looks {
            let word = self.word.val();
            let reserved = use_reserved(&general(&self._config));
            let bits = (0..WORD).filter(|bit| reserved >> bit & 1 == 1);
            let is_reserved = stack(bits.map(|bit| word.bit(bit))).any();
            named.is_reserved.next = is_reserved;
            named.is_never_written.next = !read.high(1);
            named.is_off.next = !enabled.any();
        }
        let own = cat(&[lit(1, 1u32), named.enables.val()]);
        self.enables.read_address.next = if looks { self.entry_of_word() } else { named.entry.val() };
        let sets = self.finds() && named.sets_enables.val() && !self.is_reserved();
        let keeps = cat(&[self.judges.val() || read.high(1), read.low(TARGETS)]);
        let changed = if named.sets_enables.val() { cat(&[keeps.high(1), own.low(TARGETS)]) } else { keeps };
        let is_emptied = self.is_emptied.val();
        self.enables.write_enable.next = !is_emptied || sets || self.judges.val();
        self.enables.write_address.next =
            if is_emptied { named.entry.val() } else { self.emptied.val().low(named.entry.width()) };
        self.enables.write_data.next = changed & is_emptied.repeat(1 + TARGETS);
    }

    fn slot(&self) -> Bits {
        cat(&[self.named.entry.val(), self.named.target.val()])
    }

    fn keep(&self) {
        /// # Bindings that are kept
        let named = &self.named;
        let shape = Held::of(&self._config, self._has_footprints);
        let held = shape.pack(&Held {
            is_written: lit(1, 1u32),
            is_good: self.is_good.val(),
            drops: named.drops.val(),
            levels: named.levels.val(),
            has_no_footprint: self.has_no_footprint.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val()),
            placing: self
                .placing
                .as_ref()
                .map_or_else(|| lit(Placing::shape().width(), 0u32), |net| net.val()),
        });
        let is_emptied = self.is_emptied.val();
        self.targets.write_enable.next = !is_emptied || self.judges.val();
        self.targets.write_address.next = if is_emptied { self.slot() } else { self.emptied.val() };
        self.targets.write_data.next = held & is_emptied.repeat(held.width());
        self.targets.read_address.next = self.slot();
        self.words.write_enable.next = self.keeps.val();
        self.words.write_address.next = cat(&[self.slot(), self.word_number.val()]);
        let word = self.word.val();
        let own = lit(REGISTER, of_stages(1));
        let first =
            cat(&[word.high(WORD - 2 * REGISTER), word.slice(REGISTER, REGISTER) & own, word.low(REGISTER)]);
        self.words.write_data.next = if self.word_number.val() == 0 { first } else { word };
    }

    fn look(&self) {
        /// # What a use names
        self.has_found.next = self.uses.val() && !self.ends.val();
        let shape = Held::of(&self._config, self._has_footprints);
        if self.finds() {
            self.held.next = &shape.unpack(self.targets.read_data.val());
        }
    }

    /// One bit: what is known of the texture that is bound stands in `in_force`.
    fn is_known(&self) -> Bits {
        match (self.is_secondary.as_ref(), self.is_known.as_slice()) {
            (Some(is_secondary), [first, second]) => {
                if is_secondary.val() {
                    second.val()
                } else {
                    first.val()
                }
            }
            _ => self.is_known[0].val(),
        }
    }

    fn role(&self) -> Bits {
        self.is_secondary.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val())
    }

    /// Reads words. One bit: they move on.
    fn read(&self) -> Bits {
        /// # Words
        let (reading, named) = (&self.reading, &self.named);
        let due = reading.due.val();
        let has_one = !(due & (due - 1)).any();
        let advance = !due.any() || (has_one && self.takes.val());
        let shape = Held::of(&self._config, self._has_footprints);
        let found = shape.unpack(self.targets.read_data.val());
        let goes = self.finds()
            && found.is_written
            && found.is_good
            && !named.is_never_written.val()
            && !self.is_reserved()
            && !named.is_off.val();
        let levels = self.held.levels.val();
        let of_levels = levels.zero_extend(LEVELS_BITS + 1) + u64::from(FIRST_OFFSET_REGISTER);
        let of_levels = of_levels.high(LEVELS_BITS + 1 - WORD_REGISTERS.ilog2() as usize);
        let of_texture = if self.is_known() { of_levels } else { lit(WORD_NUMBER_BITS, LAST_WORD) };
        let last = if self.role() { lit(WORD_NUMBER_BITS, LAST_SECONDARY_WORD) } else { of_texture };
        let (is_left, next) = (reading.is_left.val(), reading.next.val());
        if goes {
            reading.is_left.next = 1;
            reading.next.next = 1;
        } else if is_left && advance {
            reading.is_left.next = next != last;
            reading.next.next = next + 1;
        }
        let number = next & is_left.repeat(WORD_NUMBER_BITS);
        let reads = advance && (self.finds() || is_left);
        self.words.read_enable.next = reads;
        self.words.read_address.next = cat(&[self.slot(), number]);
        if let Some(enable) = self.words.output_enable.as_ref() {
            enable.next = advance;
        }
        if advance {
            reading.latched.next = goes || is_left;
            reading.latched_number.next = number;
            reading.shown.next = reading.latched.val();
            reading.shown_number.next = reading.latched_number.val();
        }
        let is_under_way = is_left || reading.latched.val() || reading.shown.val() || due.any();
        self.is_done.next = self.has_found.val() && !is_under_way;
        advance
    }

    fn compare(&self, advance: Bits) {
        /// # What is not in force
        let reading = &self.reading;
        let (word, number) = (self.words.read_data.val(), reading.shown_number.val());
        let role = self.role();
        let levels = self.held.levels.val();
        let passes = self.passes.val();
        let sent_number = if passes { self.passing_number.val() } else { self.number.val() };
        let sent = if passes { self.passing.val() } else { self.data.val() };
        let part_bits = WORD_REGISTERS.ilog2() as usize;
        let part = |place: usize| {
            let ram = &self.in_force[place];
            ram.read_address.next = cat(&[role, number]);
            ram.write_enable.next =
                (passes || self.takes.val()) && sent_number.low(part_bits) == place as u64;
            ram.write_address.next = cat(&[role, sent_number.high(WORD_NUMBER_BITS)]);
            let is_first_word = sent_number.high(WORD_NUMBER_BITS) == 0;
            let own = lit(REGISTER, of_stages(place));
            ram.write_data.next = if is_first_word { sent & own } else { sent };
            let own = word.slice(place * REGISTER, REGISTER);
            let differs = own != ram.read_data.val() || !self.is_known();
            /// Offsets behind the last level mean nothing.
            let register = cat(&[number, lit(part_bits, place as u32)]);
            let first = u64::from(FIRST_OFFSET_REGISTER);
            let is_beyond = register > (levels.zero_extend(REGISTER_NUMBER_BITS) + first);
            let is_told = self.is_always_told(place) && number == 0;
            (differs && (!is_beyond || !self.is_known())) || is_told
        };
        let due = stack([part(0), part(1), part(2), part(3)]);
        if advance {
            reading.due.next = due & reading.shown.val().repeat(PARTS);
            reading.word.next = word;
            reading.number.next = number;
        } else if self.takes.val() {
            reading.due.next = reading.due.val() & (reading.due.val() - 1);
        }
        let all_known = self.all_passed.val() || (self.ends.val() && self.uses.val() && self.is_in_force());
        match (self.is_secondary.as_ref(), self.is_known.as_slice()) {
            (Some(is_secondary), [first, second]) => {
                if all_known && !is_secondary.val() {
                    first.next = 1;
                }
                if all_known && is_secondary.val() {
                    second.next = 1;
                }
            }
            _ => {
                if all_known {
                    self.is_known[0].next = 1;
                }
            }
        }
    }

    /// Whether a register of the first word is sent even if it is in force: `color_table` remembers one format of two textures.
    fn is_always_told(&self, part: usize) -> Bits {
        let has_color_table = self._config.features().has_color_table();
        lit(1, u32::from(has_color_table && part == place(FORMAT).0 as usize))
    }

    /// One bit: a binding without a broken rule was found.
    fn is_in_force(&self) -> Bits {
        let (named, held) = (&self.named, self.held.val());
        held.is_written
            && held.is_good
            && !named.is_never_written.val()
            && !self.is_reserved()
            && !named.is_off.val()
    }

    fn offer(&self) {
        /// # Registers
        let reading = &self.reading;
        let due = reading.due.val();
        let first = due.bit(0);
        let place = cat(&[!first && !due.bit(1), !first && (due.bit(1) || !due.bit(2))]);
        let word = reading.word.val();
        let part = |number: usize| word.slice(number * REGISTER, REGISTER);
        let upper = if place.bit(0) { part(3) } else { part(2) };
        let lower = if place.bit(0) { part(1) } else { part(0) };
        self.offers.next = due.any();
        self.number.next = cat(&[reading.number.val(), place]);
        self.data.next = if place.bit(1) { upper } else { lower };
        /// # What becomes of the use
        let (named, held) = (&self.named, self.held.val());
        let is_reserved = self.is_reserved();
        let is_off = named.is_off.val() && !named.is_never_written.val() && !is_reserved;
        let is_never = named.is_never_written.val() || (!named.is_off.val() && !held.is_written);
        let rules = BindingRule::ALL.map(|rule| match rule {
            BindingRule::ReservedBits => is_reserved,
            NEVER_WRITTEN => is_never && !is_reserved,
            _ => lit(1, 0u32),
        });
        let shape = Found::of(&self._config, self._has_footprints);
        self.found.next = shape.pack(&Found {
            is_good: self.is_in_force(),
            is_off,
            drops: held.drops || named.drops.val(),
            has_no_footprint: held.has_no_footprint,
            placing: held.placing,
            broken_rules: stack(rules),
        });
    }
}
