//! `parameter_store`: bindings that are kept, and of the one that a packet names the registers that are not in force yet.
//!
//! Contract: what [`tmu_spec::general::store`] says of packets. The words of a binding stand in block RAM, what must be known of it at
//! once in LUT RAM, which is emptied after a reset, a clock a target. Beside them stands what the stages behind were last told of each
//! register: what they know already is not sent, nor are offsets of levels that a texture does not have.
//!
//! From the packet of a use to its first register 4 clocks, then a register a clock, and one at least for each word of the binding that
//! counts: 2 of a texture of one level, 5 of the longest chain.

mod reading;

use super::indirect::Placing;
use super::{REGISTER, WORD};
use crate::datapath::general::words::{REGISTER_NUMBER_BITS, general, has_indirect};
use reading::Reading;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::Config;
use tmu_spec::binding::field::{DROP_CACHE, Field};
use tmu_spec::general::field::{
    ENABLES, ENTRY, FIRST_OFFSET_REGISTER, KIND, LEVELS, SECONDARY, SETS_ENABLES,
};
use tmu_spec::general::store::{TARGET_OF_KIND, TARGETS, use_reserved};

/// Bits of the number of a word of a binding.
const WORD_NUMBER_BITS: usize = 3;
/// Bits of the number of a target.
const TARGET_BITS: usize = TARGETS.ilog2() as usize;
/// Bits of the number of the last level.
const LEVELS_BITS: usize = LEVELS.bits as usize;

/// A use is looked up.
struct Finds {
    comes: Bits,
    /// It finds a binding.
    goes: Bits,
}

/// What must be known of a target at once.
#[derive(Clone, Debug, Record)]
struct Held<T = Bits> {
    is_written: T,
    /// One that breaks no rule.
    is_good: T,
    /// The cache drops what it holds when it is used.
    drops: T,
    /// The number of the last level, and of the last word that says something.
    levels: T,
    last_word: T,
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
            last_word: Width::bits(WORD_NUMBER_BITS),
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
    /// A bit is set that no field has.
    pub(super) is_reserved: T,
    /// What it names was never written.
    pub(super) is_never_written: T,
}

impl Found<Width> {
    pub(super) fn of(config: &Config, has_footprints: bool) -> Found<Width> {
        let Held { is_good, drops, has_no_footprint, placing, .. } = Held::of(config, has_footprints);
        let bit = Width::bits(1);
        Found {
            is_good,
            is_off: bit,
            drops,
            has_no_footprint,
            placing,
            is_reserved: bit,
            is_never_written: bit,
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct ParameterStore {
    /// Clock and reset.
    pub clocks: Clocks,
    /// It has been emptied: packets may come.
    pub is_ready: Net<Out>,
    /// A word of the binding that is being worked on.
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
    /// A packet may come.
    pub looks: Net<In>,
    /// The first word of what comes.
    pub comes: Net<In>,
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
    /// It is sent in this clock, if there is one.
    pub has_room: Net<In>,
    /// No register is left, and none but a verdict is to be sent.
    pub has_verdict: Net<Out>,
    /// No register is left, nor is a verdict to be sent.
    pub may_end: Net<Out>,
    /// What becomes of the use, from the first register on; see [`Found`].
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
    found_use: Found<FieldReg>,
    needs_verdict: Reg,
    is_quiet: Reg,
    /// Whether each entry was written, above its enables: of the one that is named, and of the one that comes.
    enables: Vec<DistributedRam>,
    writing: Writing,
    targets: DistributedRam,
    reading: Reading,
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
    /// None of these three: what stands in `targets` counts. Known before that is read.
    has_target: Reg,
}

/// What is written to `targets`.
#[derive(Bundle)]
struct Writing {
    is_valid: Reg,
    slot: Reg,
    held: Reg,
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
            comes: Net::new(WORD),
            uses: Net::bit(),
            is_reserved_above: Optional::new(super::has_several_beats(config), Net::bit),
            ends: Net::bit(),
            is_secondary: Optional::new(has_indirect(config), Net::bit),
            offers: Net::bit(),
            number: Net::new(REGISTER_NUMBER_BITS),
            data: Net::new(REGISTER),
            has_room: Net::bit(),
            has_verdict: Net::bit(),
            may_end: Net::bit(),
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
                has_target: bit(),
            },
            has_found: flag(),
            writing: Writing {
                is_valid: flag(),
                slot: Reg::new(&clocks, slot_bits),
                held: Reg::new(&clocks, held.width()),
            },
            targets: DistributedRam::new(targets, held.width()),
            found_use: Found::of(config, has_footprints).registers(&clocks),
            needs_verdict: bit(),
            is_quiet: flag(),
            enables: (0..2).map(|_| DistributedRam::new(entries, 1 + TARGETS)).collect(),
            reading: Reading::new(config, &clocks, slot_bits),
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
        let clocks = self.enables.iter().map(|ram| &ram.clocks).chain([&self.targets.clocks]);
        clocks.for_each(|clocks| clocks.follow(&self.clocks));
        self.empty();
        self.name();
        self.enable();
        self.keep();
        let goes = self.look();
        let finds = Finds { comes: self.finds(), goes };
        let moves = reading::read(&self.reading, self, &finds);
        let is_empty = reading::compare(&self.reading, self, moves);
        self.end(&finds, is_empty);
    }

    fn empty(&self) {
        /// # Emptied after a reset
        if !self.is_emptied.val() {
            self.emptied.next = self.emptied.val() + 1;
            self.is_emptied.next = self.emptied.val().all();
        }
        self.is_ready.next = self.is_emptied.val();
    }

    /// The lowest bits of a field of the first word of what comes, or of the binding that is kept.
    fn of(&self, of: Field, bits: usize) -> Bits {
        let field = |word: Bits| word.slice(of.shift as usize, bits);
        if self.looks.val() { field(self.comes.val()) } else { field(self.word.val()) }
    }

    /// One bit: the target of a use is looked up. Its enables were in the clock before.
    fn finds(&self) -> Bits {
        self.uses.val() && !self.has_found.val()
    }

    fn name(&self) {
        /// # What the first word says
        let named = &self.named;
        let takes = self.looks.val() || self.names.val();
        if takes {
            named.entry.next = self.of(ENTRY, named.entry.width());
            named.enables.next = self.of(ENABLES, TARGETS);
            named.sets_enables.next = self.of(SETS_ENABLES, 1);
            named.drops.next = self.of(DROP_CACHE, 1);
        }
        let word = self.word.val();
        let own = |of: Field| word.slice(of.shift as usize, of.bits as usize);
        if self.names.val() {
            named.levels.next = own(LEVELS);
        }
        let kind = own(KIND);
        let of_kind =
            TARGET_OF_KIND.iter().enumerate().fold(lit(TARGET_BITS, 0u32), |target, (code, own)| {
                target | (lit(TARGET_BITS, u32::from(*own)) & (kind == code as u64).repeat(TARGET_BITS))
            });
        if self.looks.val() {
            named.target.next = self.highest(self.enabled());
        } else if self.names.val() {
            named.target.next = of_kind;
        }
        let coming = self.comes.val();
        if has_indirect(&self._config) {
            discard(coming.bit(SECONDARY.shift as usize), "which texture it is, `request` knows");
        }
        let reserved = use_reserved(&general(&self._config));
        let bits = (0..WORD).filter(|bit| reserved >> bit & 1 == 1);
        let is_reserved = stack(bits.map(|bit| coming.bit(bit))).any();
        if self.looks.val() {
            named.is_reserved.next = is_reserved;
            let (is_written, is_enabled) = (self.coming_enables().high(1), self.enabled().any());
            named.is_never_written.next = !is_written;
            named.is_off.next = !is_enabled;
            named.has_target.next = !is_reserved && is_written && is_enabled;
        }
    }

    /// Of the entry of what comes: whether it was written, and its enables.
    fn coming_enables(&self) -> Bits {
        self.enables[1].read_data.val()
    }

    /// The targets that a use enables.
    fn enabled(&self) -> Bits {
        let (coming, read) = (self.comes.val(), self.coming_enables());
        let own = coming.slice(ENABLES.shift as usize, TARGETS);
        if coming.bit(SETS_ENABLES.shift as usize) { own } else { read.low(TARGETS) }
    }

    /// The one that holds.
    fn highest(&self, enabled: Bits) -> Bits {
        discard(enabled.low(1), "the row is what is left");
        let [picture, volume, cube] = [1, 2, 3].map(|target: usize| enabled.bit(target));
        cat(&[cube || volume, cube || (!volume && picture)])
    }

    fn enable(&self) {
        /// # Enables
        let (named, is_emptied) = (&self.named, self.is_emptied.val());
        let [ram, coming] = self.enables.as_slice() else { return };
        let entry = named.entry.val();
        ram.read_address.next = entry;
        let read = ram.read_data.val();
        let (judges, sets) = (self.judges.val(), named.sets_enables.val());
        let enables = if sets { named.enables.val() } else { read.low(TARGETS) };
        let changed = cat(&[judges || read.high(1), enables]);
        coming.read_address.next = self.comes.val().slice(ENTRY.shift as usize, entry.width());
        for ram in [ram, coming] {
            ram.write_enable.next = !is_emptied || (self.finds() && !self.is_reserved()) || judges;
            ram.write_address.next = if is_emptied { entry } else { self.emptied.val().low(entry.width()) };
            ram.write_data.next = changed & is_emptied.repeat(1 + TARGETS);
        }
    }

    /// One bit: the use has a bit set that no field has.
    fn is_reserved(&self) -> Bits {
        let own = self.named.is_reserved.val();
        self.is_reserved_above.as_ref().map_or_else(|| own, |above| own || above.val())
    }

    fn slot(&self) -> Bits {
        cat(&[self.named.entry.val(), self.named.target.val()])
    }

    fn keep(&self) {
        /// # Bindings that are kept
        let (named, is_emptied) = (&self.named, self.is_emptied.val());
        let levels = named.levels.val();
        let last = levels.zero_extend(LEVELS_BITS + 1) + u64::from(FIRST_OFFSET_REGISTER);
        discard(last.low(LEVELS_BITS + 1 - WORD_NUMBER_BITS), "a word has four registers");
        let nothing = || lit(1, 0u32);
        let none = || lit(Placing::shape().width(), 0u32);
        let held = Held::of(&self._config, self._has_footprints).pack(&Held {
            is_written: lit(1, 1u32),
            is_good: self.is_good.val(),
            drops: named.drops.val(),
            levels,
            last_word: last.high(WORD_NUMBER_BITS),
            has_no_footprint: self.has_no_footprint.as_ref().map_or_else(nothing, |net| net.val()),
            placing: self.placing.as_ref().map_or_else(none, |net| net.val()),
        });
        /// A use looks at it two clocks later at the earliest.
        let writing = &self.writing;
        writing.is_valid.next = !is_emptied || self.judges.val();
        writing.slot.next = if is_emptied { self.slot() } else { self.emptied.val() };
        writing.held.next = held & is_emptied.repeat(held.width());
        self.targets.write_enable.next = writing.is_valid.val();
        self.targets.write_address.next = writing.slot.val();
        self.targets.write_data.next = writing.held.val();
        self.targets.read_address.next = self.slot();
    }

    /// One bit: a use finds a binding, whose words are to be read.
    fn look(&self) -> Bits {
        /// # What a use names
        let named = &self.named;
        self.has_found.next = self.uses.val() && !self.ends.val();
        let target = Held::of(&self._config, self._has_footprints).unpack(self.targets.read_data.val());
        let (is_reserved, is_off) = (self.is_reserved(), named.is_off.val());
        let is_unknown = named.is_never_written.val();
        let has_target = named.has_target.val();
        let has_target =
            self.is_reserved_above.as_ref().map_or_else(|| has_target, |above| has_target && !above.val());
        let is_good = has_target && target.is_good;
        let drops = target.drops || named.drops.val();
        let has_color_table = lit(1, u32::from(self._config.features().has_color_table()));
        if self.finds() {
            self.found_use.next = Found {
                is_good,
                is_off: is_off && !is_unknown && !is_reserved,
                drops,
                has_no_footprint: target.has_no_footprint,
                placing: target.placing,
                is_reserved,
                is_never_written: !is_reserved && (is_unknown || (!is_off && !target.is_written)),
            };
            self.needs_verdict.next = is_good && (drops || has_color_table);
            self.reading.levels.next = target.levels;
            self.reading.last.next = target.last_word;
        }
        self.finds() && is_good
    }

    fn end(&self, finds: &Finds, is_empty: Bits) {
        /// # What becomes of the use
        let fails = finds.comes && !finds.goes;
        self.is_quiet.next = (fails || (self.has_found.val() && is_empty)) && !self.ends.val();
        let (is_quiet, needs) = (self.is_quiet.val(), self.needs_verdict.val());
        self.has_verdict.next = is_quiet && needs;
        self.may_end.next = is_quiet && !needs;
        let shape = Found::of(&self._config, self._has_footprints);
        self.found.next = shape.pack(&self.found_use.val());
    }
}
