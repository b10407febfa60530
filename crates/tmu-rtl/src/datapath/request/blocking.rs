//! `request`: from beats of the request FIFO to quads and bindings.
//!
//! Puts the beats of a quad together and drops packets of the wrong length. A binding waits until every quad
//! before it has left the unit, is checked against the rules, and is then held for all that follow; where it
//! asks for it, the cache is emptied and the colour table loaded before the next quad enters.
//!
//! Latency: none for a quad (its last beat passes straight on); a binding takes 6 clocks after the last quad has
//! left, more with a cleared cache or a colour table. Initiation interval: 3 clocks, since a quad is counted before
//! room is promised to the next one; every stage behind takes longer.

use crate::datapath::binding::{self, BINDING_BITS, part};
use crate::datapath::bundles::{BindingField, BindingState, line_bits};
use crate::datapath::format::Kind;
use crate::datapath::request::extent::Extent;
use crate::datapath::request::rules::{
    MEASURING_CLOCKS, RULES_AT_SIGHT, all_rules, any_in_parts, broken_rules, measure, parts_above,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::{
    ADDRESS_U, ADDRESS_V, BILINEAR, DROP_CACHE, HEIGHT_LOG2, MAX_LOD, MIPMAPPED, WIDTH_LOG2,
};
use tmu_spec::quad::BeatsPerQuad;

/// Most quads between here and the result FIFO.
pub const MAX_IN_FLIGHT: usize = 7;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Request {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Beats: `tdata`, then one bit for a binding, then one for the last beat of a packet.
    pub beat: StreamIn,
    /// Quads: pixels 0 to 3, u below v, then the valid bits.
    pub quad: StreamOut,
    /// The binding in force.
    pub binding: BindingState<Out>,
    /// Words in the result FIFO, or more.
    pub result_level: Net<In>,
    /// A quad has gone into the result FIFO.
    pub quad_done: Net<In>,
    /// High for one clock: empty the cache.
    pub invalidate_cache: Net<Out>,
    /// The cache is emptying.
    pub invalidating: Net<In>,
    /// Load the colour table, until `table_done`.
    pub table_load: Optional<Net<Out>>,
    /// The colour table is loaded.
    pub table_done: Optional<Net<In>>,
    /// Rules that a binding has just broken, bit by bit.
    pub broken_rules: Net<Out>,
    /// A packet of the wrong length has just been dropped.
    pub packet_dropped: Net<Out>,
    /// A quad has just entered.
    pub quad_enters: Net<Out>,
    /// Its valid pixels, 0 to 4; 0 without a quad.
    pub pixels_enter: Net<Out>,
    entered: Reg,
    entered_pixels: Reg,
    half: Optional<Reg>,
    has_half: Optional<Reg>,
    skipping: Reg,
    dropped: Reg,
    in_flight: Reg,
    is_empty: Reg,
    has_room: Reg,
    raw: Reg,
    raw_above: Reg,
    rules: Reg,
    extent: Extent,
    checking: Reg,
    measuring: Vec<Reg>,
    applying: Reg,
    clearing: Reg,
    loading: Optional<Reg>,
    may_load: Optional<Reg>,
    good: Reg,
    first_line: Optional<Reg>,
    behind_table: Optional<Reg>,
    idle: Reg,
    take: Net<Local>,
    quad_moves: Net<Local>,
    binding_moves: Net<Local>,
    _config: Config,
    _result_depth: usize,
}

impl Request {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Request {
        let clocks = Clocks::new();
        let beats = config.request().beats_per_quad();
        let two_beats = beats == BeatsPerQuad::Two;
        let has_table = config.features().has_color_table();
        let depth = config.result().fifo_depth() as usize;
        Request {
            beat: StreamIn::new(beats.tdata_bits() as usize + 2),
            quad: StreamOut::new(260),
            binding: BindingState::new(config, &BindingField::ALL),
            result_level: Net::new(depth.ilog2() as usize + 1),
            quad_done: Net::bit(),
            invalidate_cache: Net::bit(),
            invalidating: Net::bit(),
            table_load: Optional::new(has_table, Net::bit),
            table_done: Optional::new(has_table, Net::bit),
            broken_rules: Net::new(BindingRule::ALL.len()),
            packet_dropped: Net::bit(),
            quad_enters: Net::bit(),
            pixels_enter: Net::new(3),
            entered: Reg::with_reset(&clocks, 1, 0),
            entered_pixels: Reg::with_reset(&clocks, 3, 0),
            half: Optional::new(two_beats, || Reg::new(&clocks, 128)),
            has_half: Optional::new(two_beats, || Reg::with_reset(&clocks, 1, 0)),
            skipping: Reg::with_reset(&clocks, 1, 0),
            dropped: Reg::with_reset(&clocks, 1, 0),
            in_flight: Reg::with_reset(&clocks, 3, 0),
            is_empty: Reg::with_reset(&clocks, 1, 0),
            has_room: Reg::with_reset(&clocks, 1, 0),
            raw: Reg::new(&clocks, BINDING_BITS),
            raw_above: Reg::new(&clocks, parts_above(config)),
            rules: Reg::new(&clocks, RULES_AT_SIGHT),
            extent: Extent::new(config),
            checking: Reg::with_reset(&clocks, 1, 0),
            measuring: (0..MEASURING_CLOCKS).map(|_| Reg::with_reset(&clocks, 1, 0)).collect(),
            applying: Reg::with_reset(&clocks, 1, 0),
            clearing: Reg::with_reset(&clocks, 1, 0),
            loading: Optional::new(has_table, || Reg::with_reset(&clocks, 1, 0)),
            may_load: Optional::new(has_table, || Reg::with_reset(&clocks, 1, 0)),
            good: Reg::with_reset(&clocks, 1, 0),
            first_line: Optional::new(has_table, || Reg::new(&clocks, line_bits(config))),
            behind_table: Optional::new(has_table, || Reg::with_reset(&clocks, 1, 0)),
            idle: Reg::with_reset(&clocks, 1, 0),
            take: Net::bit(),
            quad_moves: Net::bit(),
            binding_moves: Net::bit(),
            clocks,
            _config: config.clone(),
            _result_depth: depth,
        }
    }
}

/// Puts quads together, checks and holds bindings.
#[kernel]
impl Request {
    fn logic(&self) {
        self.packets();
        self.flow();
        self.check();
        self.apply();
        self.state();
    }

    fn packets(&self) {
        /// # Packets
        let tdata_bits = self._config.request().beats_per_quad().tdata_bits() as usize;
        let beat = self.beat.data.val();
        let is_binding = beat.bit(tdata_bits);
        let last = beat.bit(tdata_bits + 1);
        let moves = self.beat.moves();
        let has_half = self.has_half.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val());
        /// A binding is one beat; a quad ends where its last pixel is.
        let ends_here = is_binding || (self.half.is_none() || has_half);
        let starts_binding = is_binding && !has_half;
        let fits = last == ends_here;
        let completes_quad = if self.half.is_some() { has_half } else { !is_binding };
        let no_quads = self.is_empty.val();
        /// A beat waits only for room: a quad's last beat for the next stage, a binding for the quads before it.
        /// Nothing here waits for another choice, since what the FIFO holds next follows from this one.
        let quad_waits = completes_quad && !(self.quad.ready.val() && self.has_room.val());
        let binding_waits = starts_binding && !no_quads;
        let must_wait = last && (quad_waits || binding_waits);
        self.take.next = self.idle.val() && (self.skipping.val() || !must_wait);
        self.beat.ready.next = self.take.val();
        let in_step = self.beat.valid.val() && self.idle.val() && !self.skipping.val();
        self.binding_moves.next = in_step && starts_binding && last && no_quads;
        self.quad_moves.next = self.quad.moves();
        self.dropped.next = moves && last && (self.skipping.val() || !fits);
        self.packet_dropped.next = self.dropped.val();
        if moves {
            self.skipping.next = !last && (self.skipping.val() || !fits);
        }
        let pixels = beat.low(tdata_bits - 8);
        let valid_pixels = beat.slice(tdata_bits - 8, 4);
        if let (Some(half), Some(has_half)) = (self.half.as_ref(), self.has_half.as_ref()) {
            if moves {
                has_half.next = !self.skipping.val() && !is_binding && !has_half.val() && !last;
                half.next = pixels;
            }
            self.quad.data.next = cat(&[valid_pixels, pixels, half.val()]);
        } else {
            self.quad.data.next = cat(&[valid_pixels, pixels]);
        }
        let count = (0..4).fold(lit(3, 0u32), |sum, pixel| sum + valid_pixels.bit(pixel).zero_extend(3));
        self.entered.next = self.quad_moves.val();
        self.entered_pixels.next = count & self.quad_moves.val().repeat(3);
        self.quad_enters.next = self.entered.val();
        self.pixels_enter.next = self.entered_pixels.val();
        self.quad.valid.next = in_step && self.has_room.val() && completes_quad && last;
        /// A binding packet of the wrong length leaves the binding in force as it is.
        if self.binding_moves.val() {
            self.raw.next = beat.low(BINDING_BITS);
            self.raw_above.next = any_in_parts(beat.slice(BINDING_BITS, tdata_bits - BINDING_BITS));
        }
    }

    fn flow(&self) {
        /// # Quads in flight
        /// Every quad that enters has a place in the result FIFO, so that nothing behind ever has to wait.
        /// A quad is counted one clock after it has entered.
        let (enters, entered) = (self.quad_moves.val(), self.entered.val());
        let left = self.quad_done.val();
        if entered && !left {
            self.in_flight.next = self.in_flight.val() + 1;
        } else if left && !entered {
            self.in_flight.next = self.in_flight.val() - 1;
        }
        self.is_empty.next = self.in_flight.val() == 0 && !enters && !entered;
        let level_bits = self.result_level.width() + 1;
        let level = self.result_level.val().zero_extend(level_bits.max(4));
        let claimed = level + self.in_flight.val().zero_extend(level_bits.max(4));
        /// Two words of margin: this register lags by one clock, and a quad may enter in it. In the clock after
        /// that none does, for it is not counted yet.
        let room = claimed < (self._result_depth - 2) as u64;
        let few = self.in_flight.val() < (MAX_IN_FLIGHT - 1) as u64;
        self.has_room.next = room && few && !enters && !entered;
    }

    fn check(&self) {
        /// # Rules of a binding
        self.rules.next = broken_rules(&self._config, self.raw.val(), self.raw_above.val().any());
        measure(&self._config, &self.extent, &self.clocks, self.raw.val());
        let reported = self.applying.val().repeat(BindingRule::ALL.len());
        self.broken_rules.next = all_rules(self.rules.val(), &self.extent) & reported;
    }

    fn apply(&self) {
        /// # The binding in force
        let raw = self.raw.val();
        let line_bits = line_bits(&self._config);
        let start = binding::first_line(&self._config, raw);
        let line = self.first_line.as_ref().map_or(start, |reg| reg.val());
        /// While the colour table is loaded its entries are the texels.
        let kind = self.kind();
        let is_indexed = kind.is_indexed && !self.is_loading();
        for (field, value) in [
            (BindingField::Good, self.good.val()),
            (BindingField::WidthLog2, part(raw, WIDTH_LOG2)),
            (BindingField::HeightLog2, part(raw, HEIGHT_LOG2)),
            (BindingField::MaxLod, part(raw, MAX_LOD)),
            (BindingField::IsRgb, kind.is_rgb),
            (BindingField::IsIndexed, is_indexed),
            (BindingField::Packing, kind.packing),
            (BindingField::IsBilinear, part(raw, BILINEAR)),
            (BindingField::IsMipmapped, part(raw, MIPMAPPED)),
            (BindingField::ModeU, part(raw, ADDRESS_U)),
            (BindingField::ModeV, part(raw, ADDRESS_V)),
            (BindingField::FirstLine, line),
        ] {
            if let Some(net) = self.binding.net(field) {
                net.next = value;
            }
        }
        let (Some(first_line), Some(behind_table)) = (self.first_line.as_ref(), self.behind_table.as_ref())
        else {
            return;
        };
        if self.checking.val() {
            behind_table.next = 0;
        } else if self.table_is_done() {
            behind_table.next = 1;
        }
        /// Added anew in each clock: two clocks after it has changed nothing can have asked for it yet.
        let is_rgb = self.binding.get(BindingField::IsRgb);
        let entries_lines = if is_rgb { lit(line_bits, 48u32) } else { lit(line_bits, 64u32) };
        let skipped = if behind_table.val() { entries_lines } else { lit(line_bits, 0u32) };
        first_line.next = start + skipped;
    }

    fn state(&self) {
        /// # From a binding to the next quad
        self.checking.next = self.binding_moves.val();
        /// The texture's extent takes longer than the other rules.
        let mut before = self.checking.val();
        for step in &self.measuring {
            step.next = before;
            before = step.val();
        }
        self.applying.next = before;
        let accepted = self.applying.val() && !self.rules.val().any() && !self.extent.is_past.val();
        let clears = accepted && part(self.raw.val(), DROP_CACHE);
        self.invalidate_cache.next = clears;
        self.clearing.next = clears || (self.clearing.val() && self.invalidating.val());
        let done = self.table_is_done();
        if self.checking.val() {
            self.good.next = 0;
        } else if accepted {
            self.good.next = 1;
        }
        if let (Some(loading), Some(may_load), Some(load)) =
            (self.loading.as_ref(), self.may_load.as_ref(), self.table_load.as_ref())
        {
            if accepted && self.kind().is_indexed {
                loading.next = 1;
            } else if done {
                loading.next = 0;
            }
            /// The cache must be empty before the table comes through it.
            may_load.next = loading.val() && !self.clearing.val();
            load.next = may_load.val();
        }
        /// One clock late when a binding is done, never when one begins.
        let measures = self.measuring.iter().fold(lit(1, 0u32), |any, step| any || step.val());
        let begins = self.checking.val() || measures || self.applying.val();
        let steps = begins || self.clearing.val() || self.is_loading();
        self.idle.next = !self.binding_moves.val() && !steps;
    }

    /// What the texels of the binding that stands here are.
    fn kind(&self) -> Kind {
        binding::kind(&self._config, self.raw.val())
    }

    fn is_loading(&self) -> Bits {
        self.loading.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val())
    }

    fn table_is_done(&self) -> Bits {
        self.table_done.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val())
    }
}
