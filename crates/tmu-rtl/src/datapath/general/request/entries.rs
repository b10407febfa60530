//! Packets of the parameter store: bindings that go there, and uses of what stands there.
//!
//! A binding that is kept takes the way of any other through `rules`, but none of its registers leaves. A use sends those registers that
//! are not in force, and a verdict only where the stages behind have to do something: drop the cache, or load a colour table.

use super::rules::Rules;
use super::store::{Found, ParameterStore};
use super::{Judged, Request, VERDICT_REGISTER, WORD, has_several_beats, indirect};
use crate::datapath::general::words::{general, has_indirect};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::DROP_CACHE;
use tmu_spec::general::field::{STORES, WORD_REGISTERS};
use tmu_spec::general::packet::INDIRECT;
use tmu_spec::general::store::NEVER_WRITTEN;

/// Whether a configuration has a parameter store.
pub(super) fn is_built(config: &Config) -> bool {
    general(config).has_store()
}

/// What is kept beside the store.
#[derive(Bundle)]
pub(super) struct Entries {
    store: ParameterStore,
    /// The binding goes to the store.
    is_storing: Reg,
    /// The packet is a use.
    pub(super) is_use: Reg,
    /// No target is enabled of what the texture is, and of what the secondary one is.
    is_off: Vec<Reg>,
    /// Of the texture that is bound, where [`indirect`] does not know it: it has no footprint of four texels.
    has_no_footprint: Optional<Reg>,
}

impl Entries {
    pub(super) fn new(config: &Config, clocks: &Clocks, rules: &Rules) -> Entries {
        let has_footprints = rules.has_no_footprint.is_some();
        let flag = || Reg::with_reset(clocks, 1, 0);
        Entries {
            store: ParameterStore::new(config, has_footprints),
            is_storing: flag(),
            is_use: flag(),
            is_off: (0..1 + usize::from(has_indirect(config))).map(|_| flag()).collect(),
            has_no_footprint: Optional::new(has_footprints && !has_indirect(config), || Reg::new(clocks, 1)),
        }
    }

    /// Of the texture that is bound, where the unit has textures without and no indirect look-ups: it has no footprint of four texels.
    pub(super) fn has_no_footprint(&self) -> Option<Bits> {
        self.has_no_footprint.as_ref().map(|reg| reg.val())
    }
}

/// One bit: what stands here goes to the store.
#[kernel]
pub(super) fn stores(own: &Entries, request: &Request) -> Bits {
    own.is_storing.val() && request.sending.val()
}

/// One bit: packets may come.
#[kernel]
pub(super) fn is_ready(own: &Entries) -> Bits {
    own.store.is_ready.val()
}

/// What becomes of a use.
#[kernel]
fn found(own: &Entries, request: &Request) -> Found {
    let has_footprints = request.rules.has_no_footprint.is_some();
    Found::of(&request._config, has_footprints).unpack(own.store.found.val())
}

/// One bit: a use ends with the last of its registers, or without any.
#[kernel]
pub(super) fn ends_without_verdict(own: &Entries, request: &Request) -> Bits {
    own.store.may_end.val() && (!request.full.val() || request.item.ready.val())
}

/// One bit: a use lets the next packet in as soon as its last register leaves.
#[kernel]
pub(super) fn may_end(own: &Entries) -> Bits {
    own.store.may_end.val()
}

/// One bit: a register of a use finds room.
#[kernel]
fn has_room(request: &Request) -> Bits {
    let full = request.full.val();
    if has_several_beats(&request._config) { !full } else { !full || request.item.ready.val() }
}

/// One bit: a register of a use, or its verdict, is put where the first coordinate stands.
#[kernel]
pub(super) fn loads(own: &Entries, request: &Request) -> Bits {
    let is_sent = request.full.val() && request.is_end.val();
    (own.store.offers.val() || (own.store.has_verdict.val() && !is_sent)) && has_room(request)
}

/// One bit: what is next may be put there, though it be nothing.
#[kernel]
pub(super) fn puts(own: &Entries, request: &Request) -> Bits {
    let of_binding = !own.is_use.val() && !request.full.val();
    request.sending.val() && (of_binding || (own.is_use.val() && has_room(request)))
}

/// What is put there: whether it is a verdict, and the data; of a binding or of a use.
#[kernel]
pub(super) fn register(own: &Entries, request: &Request, is_verdict: Bits, data: Bits) -> (Bits, Bits) {
    let (offers, found) = (own.store.offers.val(), found(own, request));
    let verdict = cat(&[found.drops, found.is_good]).zero_extend(data.width());
    let of_use = if offers { own.store.data.val() } else { verdict };
    let is_use = own.is_use.val();
    (if is_use { !offers } else { is_verdict }, if is_use { of_use } else { data })
}

/// A packet goes on its way, with what is put where the first coordinate stands.
#[kernel]
pub(super) fn take(own: &Entries, request: &Request, beat: Bits, data: Bits, leaves: Bits) {
    /// # Packets of the parameter store
    let (store, rules) = (&own.store, &request.rules);
    store.clocks.follow(&request.clocks);
    let (is_binding, last) = (beat.bit(beat.width() - 2), beat.high(1));
    /// What comes is known before it is taken; what stands here without being sent is no binding.
    let is_idle = !request.sending.val() || ends_without_verdict(own, request);
    if is_idle && request.number.val() == 0 {
        own.is_storing.next = is_binding && !last && beat.bit(STORES.shift as usize);
        own.is_use.next = is_binding && last;
    }
    let (sending, is_use, is_storing) = (request.sending.val(), own.is_use.val(), own.is_storing.val());
    let register = request.register.val();
    let part_bits = WORD_REGISTERS.ilog2() as usize;
    let word_number = register.high(register.width() - part_bits);
    let is_end = request.is_end.val();
    store.looks.next = !sending || store.may_end.val();
    store.comes.next = beat.low(WORD);
    store.word.next = request.words.read_data.val();
    store.word_number.next = word_number;
    store.names.next = sending && is_storing && word_number == 0;
    store.keeps.next = leaves && is_storing && !is_end && register.low(part_bits).all();
    store.judges.next = leaves && is_storing && is_end;
    store.is_good.next = rules.is_good.val();
    if let (Some(to), Some(from)) = (store.has_no_footprint.as_ref(), rules.has_no_footprint.as_ref()) {
        to.next = from.val();
    }
    if let (Some(to), Some(from)) = (store.placing.as_ref(), rules.placing.as_ref()) {
        to.next = from.val();
    }
    store.uses.next = sending && is_use;
    if let (Some(to), Some(from)) = (store.is_reserved_above.as_ref(), request.has_above.as_ref()) {
        to.next = from.val();
    }
    if let (Some(to), Some(indirect)) = (store.is_secondary.as_ref(), request.indirect.as_ref()) {
        to.next = indirect::is_secondary(indirect);
    }
    store.has_room.next = has_room(request);
    store.ends.next = ends(own, request, leaves);
    let is_passing = sending && !is_use && !is_storing;
    store.passes.next = is_passing && !request.full.val() && !request.at_verdict.val();
    store.passing_number.next = register;
    store.passing.next = data;
    store.all_passed.next = leaves && is_end && !is_storing && !is_use;
    /// The number of a register goes with it; the next packet begins at the first one.
    if sending && is_use && has_room(request) {
        request.register.next =
            if store.offers.val() { store.number.val() } else { lit(register.width(), VERDICT_REGISTER) };
    }
    if is_use && store.ends.val() {
        request.register.next = 0;
    }
    if is_use {
        request.at_verdict.next = 0;
    }
}

/// One bit: a use ends.
#[kernel]
fn ends(own: &Entries, request: &Request, leaves: Bits) -> Bits {
    (leaves && own.is_use.val() && request.is_end.val()) || ends_without_verdict(own, request)
}

/// Whether a texture is bound in this clock, or refused, and what is said of it.
#[kernel]
pub(super) fn binds(own: &Entries, request: &Request, leaves: Bits) -> (Bits, Judged) {
    let found = found(own, request);
    let is_use = own.is_use.val();
    let binds = (leaves && !own.is_storing.val()) || ends_without_verdict(own, request);
    let of_binding = request.judged();
    let either = |of_use: Bits, of_binding: Bits| if is_use { of_use } else { of_binding };
    let judged = Judged {
        is_good: either(found.is_good, of_binding.is_good),
        placing: of_binding.placing.map(|placing| either(found.placing, placing)),
        has_no_footprint: of_binding.has_no_footprint.map(|has_no| either(found.has_no_footprint, has_no)),
    };
    let is_off = is_use && found.is_off;
    match (own.is_off.as_slice(), request.indirect.as_ref()) {
        ([first, second], Some(indirect)) => {
            if binds && !indirect::is_secondary(indirect) {
                first.next = is_off;
            }
            if binds && indirect::is_secondary(indirect) {
                second.next = is_off;
            }
        }
        _ => {
            if binds {
                own.is_off[0].next = is_off;
            }
        }
    }
    if let (Some(kept), Some(has_no)) = (own.has_no_footprint.as_ref(), judged.has_no_footprint) {
        if binds {
            kept.next = has_no;
        }
    }
    (binds, judged)
}

/// Rules that are broken in this clock, with those of a binding.
#[kernel]
pub(super) fn broken_rules(own: &Entries, request: &Request, of_binding: Bits) -> Bits {
    let found = found(own, request);
    let rules = BindingRule::ALL.map(|rule| match rule {
        BindingRule::ReservedBits => found.is_reserved,
        NEVER_WRITTEN => found.is_never_written,
        _ => lit(1, 0u32),
    });
    let is_use = own.is_use.val();
    let of_use = stack(rules) & ends_without_verdict(own, request).repeat(of_binding.width());
    if is_use { of_use } else { of_binding }
}

/// One bit: a quad is answered with zeros, by its operation.
#[kernel]
pub(super) fn is_off(own: &Entries, operation: Option<Bits>) -> Bits {
    match (own.is_off.as_slice(), operation) {
        ([first, second], Some(operation)) => {
            first.val() || (second.val() && operation == u64::from(INDIRECT))
        }
        _ => own.is_off[0].val(),
    }
}

const _: () = assert!(DROP_CACHE.word == 0 && STORES.word == 0, "a use has the first word alone");
