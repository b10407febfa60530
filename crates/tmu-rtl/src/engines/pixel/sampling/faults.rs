//! What was wrong with textures. Part of `sampling`.
//!
//! Of each texture that the unit holds it is known where it stands, where its binding stands, and whether that breaks a rule. The fault that counts is that of
//! the quad that is drawn first, and of its first request that failed; it is known two clocks behind the answer, long before the quad leaves the shader.

use super::super::records::byte_address;
use super::super::shade::words::{ORDER_BITS, TextureRequestWord};
use super::super::tile_fetch::words::{ADDRESS_BITS, CODE_BITS, FaultWord};
use super::super::words::LINE_NUMBER_BITS;
use super::{Sampling, State, entries};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::Config;
use tmu_spec::binding::field::BASE;
use tmu_spec::pixel::FaultCode;

/// What is known of textures, and the fault that counts.
#[derive(Bundle)]
pub(super) struct Faults {
    /// Of each entry of the unit's store the texture's base and the first line of its binding, and whether that breaks a rule.
    places: DistributedRam,
    broken: DistributedRam,
    /// The entry of the last texture whose binding was read, its first line, and whether a line could not be read.
    loaded: Reg,
    loaded_line: Reg,
    lacks_lines: Reg,
    /// What has failed in the clock before, and the order of its quad.
    fails: Reg,
    fault: FaultWord<FieldReg>,
    order: Reg,
    has_failed: Reg,
    kept: FaultWord<FieldReg>,
    kept_order: Reg,
}

impl Faults {
    pub(super) fn new(config: &Config, clocks: &Clocks) -> Faults {
        let flag = || Reg::with_reset(clocks, 1, 0);
        let entries = entries(config);
        Faults {
            places: DistributedRam::new(entries, LINE_NUMBER_BITS + BASE.bits as usize),
            broken: DistributedRam::new(entries, 1),
            loaded: Reg::new(clocks, entries.ilog2() as usize),
            loaded_line: Reg::new(clocks, LINE_NUMBER_BITS),
            lacks_lines: flag(),
            fails: flag(),
            fault: FaultWord::shape().registers(clocks),
            order: Reg::new(clocks, ORDER_BITS),
            has_failed: flag(),
            kept: FaultWord::shape().registers(clocks),
            kept_order: Reg::new(clocks, ORDER_BITS),
        }
    }
}

/// One bit: a binding could not be read.
#[kernel]
fn fails_to_read(of: &Sampling) -> Bits {
    of.read_fails.val() && of.is(State::Lines)
}

/// One bit: of the binding that is read a line could not be read.
#[kernel]
pub(super) fn lacks_lines(of: &Sampling) -> Bits {
    fails_to_read(of) || of.faults.lacks_lines.val()
}

/// A binding is read from a line on, breaks a rule, or goes into the unit's store with a base.
#[kernel]
pub(super) fn load(of: &Sampling, first: Bits, base: Bits) {
    /// # Textures of the unit
    let own = &of.faults;
    if of.is(State::Ask) {
        own.loaded.next = of.request.data.val().low(own.loaded.width());
        own.loaded_line.next = first;
        own.lacks_lines.next = 0;
    } else if fails_to_read(of) {
        own.lacks_lines.next = 1;
    }
    let (stores, breaks_rule) = (of.stores(), of.breaks_rule.val());
    let place = cat(&[own.loaded_line.val(), base]);
    let writes = [(&own.places, stores, place), (&own.broken, stores || breaks_rule, breaks_rule)];
    for (ram, enable, data) in writes {
        ram.clocks.follow(&of.clocks);
        ram.write_enable.next = enable;
        ram.write_address.next = own.loaded.val();
        ram.write_data.next = data;
    }
}

/// The fault that counts. `answered` is what was asked for the result that comes: its quad's order above the entry of the unit's store.
#[kernel]
pub(super) fn keep(of: &Sampling, answered: Bits) {
    /// # Faults
    let own = &of.faults;
    let entry = answered.low(own.loaded.width());
    own.places.read_address.next = entry;
    own.broken.read_address.next = entry;
    let place = own.places.read_data.val();
    let is_broken = own.broken.read_data.val().any();
    let code = |code: FaultCode| lit(CODE_BITS, code as u32);
    let of_unit = FaultWord {
        code: if is_broken { code(FaultCode::Texture) } else { code(FaultCode::Texels) },
        address: if is_broken {
            byte_address(place.high(LINE_NUMBER_BITS))
        } else {
            place.low(BASE.bits as usize).zero_extend(ADDRESS_BITS)
        },
    };
    let of_binding = FaultWord { code: code(FaultCode::Read), address: byte_address(of.failed_line.val()) };
    let is_error = of.result.valid.val() && of.result.ready.val() && of.result.data.val().high(1);
    let fails_to_read = fails_to_read(of);
    let asking = TextureRequestWord::shape().unpack(of.request.data.val());
    own.fails.next = is_error || fails_to_read;
    own.order.next = if fails_to_read { asking.order } else { answered.high(ORDER_BITS) };
    own.fault.next = if fails_to_read { of_binding } else { of_unit };
    let order = own.order.val();
    let behind = order - own.kept_order.val();
    discard(behind.low(ORDER_BITS - 1), "its sign says enough");
    let is_before = behind.high(1);
    if own.fails.val() && (is_before || !own.has_failed.val()) {
        own.has_failed.next = 1;
        own.kept_order.next = order;
        own.kept.next = own.fault.val();
    }
    of.fault.next = own.kept.val();
}
