//! `request` of the general numerics: from beats of the request FIFO to items.
//!
//! Puts the beats of a quad together and drops packets of the wrong length. A binding waits until all of its beats are there; then its
//! registers go on one by one, are checked on the way, and an item with the verdict follows, in front of the quads for which the
//! binding holds. See [`packet`](tmu_spec::general::packet) for what stands in which beat.
//!
//! Latency 1 clock from a quad's last beat to its item. Initiation interval a clock more than a quad has beats, 1 where it has one: a
//! beat comes as the item in front leaves then, so that ready waits for that of the item in the same clock. A binding takes 2 clocks a
//! register and those of `rules`. A LUT RAM of 8 x 128 bits, a multiplier.
//!
//! With a parameter store a binding may go there in place of leaving, and a packet of one beat bind what stands there, see `store`.

mod entries;
mod extent;
pub mod indirect;
mod ripmap;
mod rules;
mod store;
mod table;
mod whole;

use super::words::{
    COMPONENT_BITS, ItemHead, OPERATION_BITS, PIXELS, PixelNumbers, QuadMarks, RequestItem, extras,
    has_gather, has_indirect,
};
use entries::Entries;
use indirect::{Asked, Indirect};
use rules::Rules;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::{DROP_CACHE, WORD_BITS};
use tmu_spec::choice::Choice;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::field::{REGISTER_BITS, REGISTERS, WORD_REGISTERS, WORDS};
use tmu_spec::general::packet::{COMPONENT_SHIFT, COORDINATE_BEATS, Extras, OPERATION_SHIFT};
use tmu_spec::quad::BeatsPerQuad;

/// Number of the item behind the registers of a binding: whether it is in force, and whether the cache drops what it holds.
pub const VERDICT_REGISTER: u32 = REGISTERS;

/// Bits of the number of a beat of a packet.
const BEAT_BITS: usize = 3;
/// Bits of a word of a packet.
const WORD: usize = WORD_BITS as usize;
/// Bits of a register.
const REGISTER: usize = REGISTER_BITS as usize;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Request {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Beats: `tdata`, then one bit for a binding, then one for the last beat of a packet.
    pub beat: StreamIn,
    /// Items, see [`RequestItem`].
    pub item: StreamOut,
    /// What the quad of an item asks for of an indirect look-up, see [`Asked`].
    pub asked: Optional<Net<Out>>,
    /// The quad of an item is answered with zeros and without an error, since no target of its entry is enabled. It fails otherwise.
    pub is_off: Optional<Net<Out>>,
    /// Rules that a binding has just broken, bit by bit.
    pub broken_rules: Net<Out>,
    /// A packet of the wrong length has just been dropped.
    pub packet_dropped: Net<Out>,
    /// A quad has just left.
    pub quad_enters: Net<Out>,
    /// Its valid pixels; 0 without a quad.
    pub pixels_leave: Net<Out>,
    /// Beats of the packet so far.
    number: Reg,
    is_binding: Reg,
    skipping: Reg,
    dropped: Reg,
    /// Neither a quad nor a binding stands here. Not where a quad has one beat.
    idle: Optional<Reg>,
    full: Reg,
    sending: Reg,
    /// The item that stands is the verdict.
    is_end: Reg,
    register: Reg,
    /// The registers have gone: what is next is the verdict.
    at_verdict: Reg,
    pixels: Vec<Pixel>,
    marks: Marks,
    words: DistributedRam,
    rules: Rules,
    indirect: Optional<Indirect>,
    entries: Optional<Entries>,
    is_good: Reg,
    drops_cache: Reg,
    /// A bit above a word of the binding is set. Not where a quad has one beat: such bits mean nothing then.
    has_above: Optional<Reg>,
    entered: Reg,
    left_pixels: Reg,
    _config: Config,
}

#[derive(Bundle)]
struct Pixel {
    u: Reg,
    v: Reg,
    w: Optional<Reg>,
    q: Optional<Reg>,
    reference: Optional<Reg>,
}

#[derive(Bundle)]
struct Marks {
    valid: Reg,
    operation: Optional<Reg>,
    component: Optional<Reg>,
    lod: Optional<Reg>,
}

/// What is said of a texture that is to be bound.
struct Judged {
    is_good: Bits,
    placing: Option<Bits>,
    has_no_footprint: Option<Bits>,
}

impl Request {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Request {
        let has_several = has_several_beats(config);
        let clocks = Clocks::new();
        let Extras { third, divisor, reference, operation, .. } = extras(config);
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let number = || Reg::new(&clocks, REGISTER);
        let rules = Rules::new(config);
        let pixel = || Pixel {
            u: number(),
            v: number(),
            w: Optional::new(third, number),
            q: Optional::new(divisor, number),
            reference: Optional::new(reference, number),
        };
        Request {
            beat: StreamIn::new(config.request_tdata_bits() as usize + 2),
            item: StreamOut::new(RequestItem::of(config).width()),
            asked: Optional::new(has_indirect(config), || Net::new(Asked::shape().width())),
            is_off: Optional::new(entries::is_built(config), Net::bit),
            broken_rules: Net::new(BindingRule::ALL.len()),
            packet_dropped: Net::bit(),
            quad_enters: Net::bit(),
            pixels_leave: Net::new(3),
            number: Reg::with_reset(&clocks, BEAT_BITS, 0),
            is_binding: flag(),
            skipping: flag(),
            dropped: flag(),
            idle: Optional::new(has_several, || Reg::with_reset(&clocks, 1, 1)),
            full: flag(),
            sending: flag(),
            is_end: flag(),
            register: Reg::with_reset(&clocks, super::words::REGISTER_NUMBER_BITS, 0),
            at_verdict: flag(),
            pixels: (0..PIXELS).map(|_| pixel()).collect(),
            marks: Marks {
                valid: Reg::new(&clocks, PIXELS),
                operation: Optional::new(operation, || Reg::new(&clocks, OPERATION_BITS)),
                component: Optional::new(has_gather(config), || Reg::new(&clocks, COMPONENT_BITS)),
                lod: Optional::new(operation, number),
            },
            words: DistributedRam::new(1 << BEAT_BITS, WORD),
            indirect: Optional::new(has_indirect(config), || Indirect::new(&clocks, &rules)),
            entries: Optional::new(entries::is_built(config), || Entries::new(config, &clocks, &rules)),
            rules,
            is_good: flag(),
            drops_cache: Reg::new(&clocks, 1),
            has_above: Optional::new(has_several, || Reg::new(&clocks, 1)),
            entered: flag(),
            left_pixels: Reg::with_reset(&clocks, 3, 0),
            clocks,
            _config: config.clone(),
        }
    }

    /// Most beats of a quad.
    fn quad_beats(&self) -> usize {
        if has_several_beats(&self._config) { extras(&self._config).words() } else { 1 }
    }
}

/// Whether a quad is put together from beats.
fn has_several_beats(config: &Config) -> bool {
    config.request().beats_per_quad() == BeatsPerQuad::Two
}

/// Puts quads together, checks bindings, and hands both on.
#[kernel]
impl Request {
    fn logic(&self) {
        let has_several = has_several_beats(&self._config);
        timing(1, if has_several { self.quad_beats() as u32 + 1 } else { 1 });
        self.packets();
        if has_several {
            self.quad();
        } else {
            whole::take(self);
        }
        self.binding();
        self.check();
        self.leave();
    }

    fn packets(&self) {
        /// # Packets
        let is_free = self.idle.as_ref().map_or_else(|| self.is_free(), |idle| idle.val());
        self.beat.ready.next = match self.entries.as_ref() {
            Some(entries) => is_free && entries::is_ready(entries),
            None => is_free,
        };
        let beat = self.beat.data.val();
        let (is_binding, last) = (beat.slice(beat.width() - 2, 1), beat.high(1));
        let number = self.number.val();
        let starts = number == 0;
        let is_last_word = number == (WORDS - 1) as u64;
        let is_last_beat = number == (self.quad_beats() - 1) as u64;
        let ends_quad = if has_several_beats(&self._config) { !starts && last } else { last };
        let ends_binding =
            if self.entries.is_some() { (starts || is_last_word) && last } else { is_last_word && last };
        let is_whole = if is_binding { ends_binding } else { ends_quad };
        let is_kind = starts || !(is_binding ^ self.is_binding.val());
        let goes_on = if is_binding { !is_last_word && !last } else { !last && !is_last_beat };
        let fits = is_kind && (is_whole || goes_on);
        let moves = self.beat.moves();
        let ends_well = moves && is_kind && is_whole && !self.skipping.val();
        self.dropped.next = moves && last && (self.skipping.val() || !fits);
        self.packet_dropped.next = self.dropped.val();
        if moves {
            self.is_binding.next = is_binding;
            self.skipping.next = !last && (self.skipping.val() || !fits);
            self.number.next = if last || !fits { lit(BEAT_BITS, 0u32) } else { number + 1 };
        }
        let quad_ends = ends_well && !is_binding;
        let leaves = self.may_leave() && self.full.val();
        if quad_ends || self.loads_register() {
            self.full.next = 1;
        } else if leaves {
            self.full.next = 0;
        }
        if let Some(idle) = self.idle.as_ref() {
            if ends_well {
                idle.next = 0;
            } else if leaves && (!self.sending.val() || self.is_end.val()) {
                idle.next = 1;
            }
        }
        if let Some(entries) = self.entries.as_ref() {
            let ends = entries::ends_without_verdict(entries, self);
            if ends {
                self.sending.next = 0;
            }
            if let Some(idle) = self.idle.as_ref() {
                if ends {
                    idle.next = 1;
                }
            }
        }
        if ends_well && is_binding {
            self.sending.next = 1;
        } else if leaves && self.is_end.val() {
            self.sending.next = 0;
        }
    }

    /// One bit: what stands here leaves in this clock, or what is kept goes no further.
    fn may_leave(&self) -> Bits {
        match self.entries.as_ref() {
            Some(entries) => self.item.ready.val() || entries::stores(entries, self),
            None => self.item.ready.val(),
        }
    }

    /// One bit: nothing stands here, or a quad that leaves.
    fn is_free(&self) -> Bits {
        let is_gone = !self.full.val() || self.item.ready.val();
        match self.entries.as_ref() {
            Some(entries) => (!self.sending.val() || entries::may_end(entries)) && is_gone,
            None => !self.sending.val() && is_gone,
        }
    }

    /// One bit: the next register of a binding, or its verdict, is put where the first coordinate stands.
    fn loads_register(&self) -> Bits {
        let waits = self.at_verdict.val() && !self.rules.is_done.val();
        let loads = self.sending.val() && !self.full.val() && !waits;
        match self.entries.as_ref() {
            Some(entries) => (loads && !entries.is_use.val()) || entries::loads(entries, self),
            None => loads,
        }
    }

    /// One bit: where the first coordinate stands, what is next of a binding may be put, though it be nothing.
    fn puts_register(&self) -> Bits {
        match self.entries.as_ref() {
            Some(entries) => entries::puts(entries, self),
            None => self.loads_register(),
        }
    }

    /// One bit: the first words of a quad may be taken from the beat.
    fn takes_first(&self) -> Bits {
        if has_several_beats(&self._config) { self.takes(0) } else { self.is_free() }
    }

    /// The word of the beat with this number, one bit: it is written.
    fn takes(&self, number: usize) -> Bits {
        let beat = self.beat.data.val();
        let is_binding = beat.slice(beat.width() - 2, 1);
        self.beat.moves() && !is_binding && self.number.val() == number as u64
    }

    fn quad(&self) {
        /// # Quads
        let beat = self.beat.data.val();
        let number = |place: usize| beat.slice(place * REGISTER, REGISTER);
        let (starts, goes_on) = (self.takes(0), self.takes(1));
        for (place, pixel) in self.pixels.iter().enumerate().skip(1) {
            let takes = if place < PIXELS / 2 { starts } else { goes_on };
            if takes {
                pixel.u.next = number(place % 2 * 2);
                pixel.v.next = number(place % 2 * 2 + 1);
            }
        }
        let first = &self.pixels[0];
        if starts {
            first.v.next = number(1);
        }
        if self.beat.moves() {
            self.marks.valid.next = beat.slice(WORD, PIXELS);
        }
        let extras = extras(&self._config);
        /// What a quad has whose beat is left out stands there from its first beat on.
        let mut at = COORDINATE_BEATS;
        if extras.third {
            self.optional(at, self.pixels.iter().map(|pixel| &pixel.w), 0);
            at += 1;
        }
        if extras.divisor {
            self.optional(at, self.pixels.iter().map(|pixel| &pixel.q), extras.numbers.one());
            at += 1;
        }
        if extras.reference {
            self.optional(at, self.pixels.iter().map(|pixel| &pixel.reference), 0);
        }
        let (Some(operation), Some(lod)) = (self.marks.operation.as_ref(), self.marks.lod.as_ref()) else {
            return;
        };
        let of_operation = self.takes(self.quad_beats() - 1);
        if starts {
            operation.next = 0;
        } else if of_operation {
            operation.next = beat.slice(OPERATION_SHIFT as usize, operation.width());
            lod.next = number(0);
        }
        if let Some(own) = self.indirect.as_ref() {
            indirect::take(own, beat.low(WORD), of_operation);
        }
        if let Some(component) = self.marks.component.as_ref() {
            if of_operation {
                component.next = beat.slice(COMPONENT_SHIFT as usize, component.width());
            }
        }
    }

    /// A number of each pixel, from the beat with this number on; until then it is what it is where the beat is left out.
    fn optional<'a>(&self, beat: usize, regs: impl Iterator<Item = &'a Optional<Reg>>, left_out: u32) {
        let data = self.beat.data.val();
        let (starts, comes) = (self.takes(0), self.takes(beat));
        for (place, reg) in regs.enumerate() {
            let Some(reg) = reg.as_ref() else { continue };
            if starts {
                reg.next = u64::from(left_out);
            } else if comes {
                reg.next = data.slice(place * REGISTER, REGISTER);
            }
        }
    }

    fn binding(&self) {
        /// # Registers of a binding
        let beat = self.beat.data.val();
        self.words.clocks.follow(&self.clocks);
        self.words.write_enable.next = self.beat.moves();
        self.words.write_address.next = self.number.val();
        self.words.write_data.next = beat.low(WORD);
        let register = self.register.val();
        let part_bits = WORD_REGISTERS.ilog2() as usize;
        self.words.read_address.next = register.high(BEAT_BITS);
        let word = self.words.read_data.val();
        let part = |number: usize| word.slice(number * REGISTER, REGISTER);
        let upper = if register.bit(0) { part(3) } else { part(2) };
        let lower = if register.bit(0) { part(1) } else { part(0) };
        let own = if register.bit(part_bits - 1) { upper } else { lower };
        let is_verdict = self.at_verdict.val();
        let verdict = cat(&[self.drops_cache.val() && self.rules.is_good.val(), self.rules.is_good.val()]);
        let own = if is_verdict { verdict.zero_extend(REGISTER) } else { own };
        let (is_verdict, own) = match self.entries.as_ref() {
            Some(entries) => entries::register(entries, self, is_verdict, own),
            None => (is_verdict, own),
        };
        let first = &self.pixels[0];
        if self.takes_first() {
            first.u.next = beat.low(REGISTER);
        } else if self.puts_register() {
            first.u.next = own;
        }
        if self.puts_register() {
            self.is_end.next = is_verdict;
        }
        let leaves = self.sending.val() && self.full.val() && self.may_leave();
        if leaves {
            self.at_verdict.next = register == u64::from(VERDICT_REGISTER - 1);
            self.register.next = if self.is_end.val() { lit(register.width(), 0u32) } else { register + 1 };
        }
        let binds = leaves && self.is_end.val();
        let (binds, judged) = match self.entries.as_ref() {
            Some(entries) => {
                entries::take(entries, self, beat, own, leaves);
                entries::binds(entries, self, binds)
            }
            None => (binds, self.judged()),
        };
        match self.indirect.as_ref() {
            None => {
                if binds {
                    self.is_good.next = judged.is_good;
                }
            }
            Some(own) => {
                if binds && !indirect::is_secondary(own) {
                    self.is_good.next = judged.is_good;
                }
            }
        }
        if let Some(own) = self.indirect.as_ref() {
            indirect::begin(own, beat.low(WORD), self.beat.moves() && self.number.val() == 0);
            indirect::keep(own, &judged, binds);
        }
        let (drop_register, drop_bit) = tmu_spec::general::field::place(DROP_CACHE);
        if leaves && register == u64::from(drop_register) {
            self.drops_cache.next = first.u.val().bit(drop_bit as usize);
        }
    }

    /// What the rules say of the binding that is sent.
    fn judged(&self) -> Judged {
        Judged {
            is_good: self.rules.is_good.val(),
            placing: self.rules.placing.as_ref().map(|net| net.val()),
            has_no_footprint: self.rules.has_no_footprint.as_ref().map(|net| net.val()),
        }
    }

    fn check(&self) {
        /// # Rules of a binding
        let beat = self.beat.data.val();
        let rules = &self.rules;
        rules.clocks.follow(&self.clocks);
        let leaves = self.sending.val() && self.full.val() && self.may_leave();
        rules.clears.next = !self.sending.val();
        let comes = leaves && !self.is_end.val();
        rules.in_valid.next = match self.entries.as_ref() {
            Some(entries) => comes && !entries.is_use.val(),
            None => comes,
        };
        rules.register.next = self.register.val();
        rules.data.next = self.pixels[0].u.val();
        let is_binding = beat.slice(beat.width() - 2, 1);
        if let (Some(has_above), Some(is_reserved)) =
            (self.has_above.as_ref(), rules.is_reserved_above.as_ref())
        {
            let above = beat.slice(WORD, beat.width() - 2 - WORD);
            if self.beat.moves() {
                has_above.next = (is_binding && above.any()) || (self.number.val().any() && has_above.val());
            }
            is_reserved.next = self.sending.val() && has_above.val();
        }
        let reports = leaves && self.is_end.val();
        let of_binding = rules.broken_rules.val();
        let reported = reports.repeat(BindingRule::ALL.len());
        self.broken_rules.next = match self.entries.as_ref() {
            Some(entries) => entries::broken_rules(entries, self, of_binding & reported),
            None => of_binding & reported,
        };
    }

    fn leave(&self) {
        /// # Items
        let is_binding = self.sending.val();
        let general = super::words::general(&self._config);
        let operation = self.marks.operation.as_ref().map(|reg| reg.val());
        let component = self.marks.component.as_ref();
        let asked = match (self.indirect.as_ref(), operation) {
            (Some(own), Some(operation)) => Some(indirect::asked(own, operation)),
            _ => None,
        };
        let is_built = operation.map_or_else(
            || lit(1, 1u32),
            |operation| {
                let built = OperationName::CHOICES.iter().filter(|name| general.has_operation(**name));
                built.fold(lit(1, 0u32), |any, name| any || operation == *name as u64)
            },
        );
        let is_built = asked.as_ref().map_or(is_built, |asked| is_built || asked.is_indirect);
        let none = || lit(REGISTER, 0u32);
        let kept = self.indirect.as_ref().and_then(Indirect::has_no_footprint);
        let kept = kept.or_else(|| self.entries.as_ref().and_then(Entries::has_no_footprint));
        let has_no_footprint =
            kept.or_else(|| self.rules.has_no_footprint.as_ref().map(|has_no| has_no.val()));
        let cannot_gather = match (operation, has_no_footprint) {
            (Some(operation), Some(has_no)) => operation == OperationName::Gather as u64 && has_no,
            _ => lit(1, 0u32),
        };
        let own_number = self.register.val();
        let register = match self.indirect.as_ref() {
            Some(own) => indirect::number(own, own_number, self.is_end.val()),
            None => own_number,
        };
        let item = RequestItem {
            head: ItemHead { is_binding, register },
            marks: QuadMarks {
                valid: self.marks.valid.val(),
                is_failed: !self.is_good.val() || !is_built || cannot_gather,
                operation: operation.unwrap_or_else(|| lit(OPERATION_BITS, 0u32)),
                component: component.map_or_else(|| lit(COMPONENT_BITS, 0u32), |reg| reg.val()),
                lod: self.marks.lod.as_ref().map_or_else(none, |reg| reg.val()),
            },
            pixels: [0, 1, 2, 3].map(|place: usize| {
                let pixel = &self.pixels[place];
                PixelNumbers {
                    u: pixel.u.val(),
                    v: pixel.v.val(),
                    w: pixel.w.as_ref().map_or_else(none, |reg| reg.val()),
                    q: pixel.q.as_ref().map_or_else(none, |reg| reg.val()),
                    reference: pixel.reference.as_ref().map_or_else(none, |reg| reg.val()),
                }
            }),
        };
        if let (Some(to), Some(entries)) = (self.is_off.as_ref(), self.entries.as_ref()) {
            to.next = entries::is_off(entries, operation);
        }
        if let (Some(to), Some(asked)) = (self.asked.as_ref(), asked) {
            to.next = Asked::shape().pack(&asked);
        }
        self.item.valid.next = match self.entries.as_ref() {
            Some(entries) => self.full.val() && !entries::stores(entries, self),
            None => self.full.val(),
        };
        self.item.data.next = RequestItem::of(&self._config).pack(&item);
        let enters = self.full.val() && self.item.ready.val() && !is_binding;
        self.entered.next = enters;
        self.quad_enters.next = self.entered.val();
        let valid = self.marks.valid.val();
        let count = (0..PIXELS).fold(lit(3, 0u32), |sum, place| sum + valid.bit(place).zero_extend(3));
        self.left_pixels.next = count & enters.repeat(3);
        self.pixels_leave.next = self.left_pixels.val();
    }
}
