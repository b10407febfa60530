//! `binding_rules`: what a binding of the general numerics must keep to, looked at register by register.
//!
//! Contract: the rules are those of [`Binding::decode_for`](tmu_spec::general::Binding::decode_for). A register may come every second
//! clock. The verdict is there when `is_done` is, 4 clocks behind that of `level_extent`. Its multipliers are all.

use super::extent::{LevelExtent, WINDOW_LINE_BITS};
use super::indirect::Placing;
use super::ripmap;
use super::table::Table;
use crate::datapath::general::tile::{half_lines, tile_half_bits};
use crate::datapath::general::words::{REGISTER_NUMBER_BITS, field_of, general, has_gather, has_indirect};
use tmu_hdl::prelude::*;
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::{BASE, FORMAT, Field};
use tmu_spec::choice::Choice as _;
use tmu_spec::general::features::Sizes;
use tmu_spec::general::field::{self, FIRST_OFFSET_REGISTER, REGISTERS, WORD_REGISTERS, place, reserved};
use tmu_spec::general::indirect::{Part, has_bytes, has_part, holds_places};
use tmu_spec::general::sampler::MipFilter;
use tmu_spec::general::texture::{Component, Swizzle};
use tmu_spec::general::{Kind, texture};
use tmu_spec::{Config, Format, LINE_BYTES};

/// Clocks from the last register to the verdict.
fn wait_clocks(config: &Config) -> usize {
    LevelExtent::latency_clocks(config) + 4
}
/// Bits of a byte's number in a line.
const LINE_SHIFT: usize = LINE_BYTES.ilog2() as usize;
/// The last register in front of the offsets that a rule looks at. Behind it stands a colour, which may be any.
const LAST_WITH_RULES: u32 = place(field::MIN_LOD).0;
/// Groups of reserved bits that are looked at together.
const GROUPS_TOGETHER: usize = 3;
/// Bits of a level of detail in a binding.
const LOD_BITS: usize = field::MIN_LOD.bits as usize;

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Rules {
    /// Clock and reset.
    pub clocks: Clocks,
    /// There is no binding: nothing is broken yet.
    pub clears: Net<In>,
    /// A register comes.
    pub in_valid: Net<In>,
    /// Its number.
    pub register: Net<In>,
    /// What it holds.
    pub data: Net<In>,
    /// A bit above a word is set, where such bits must not be.
    pub is_reserved_above: Optional<Net<In>>,
    /// All that came has been looked at.
    pub is_done: Net<Out>,
    /// No rule is broken.
    pub is_good: Net<Out>,
    /// Rules that are broken, bit by bit.
    pub broken_rules: Net<Out>,
    /// The texture has no footprint of four texels in one slice: it is a row or a volume.
    pub has_no_footprint: Optional<Net<Out>>,
    /// What indirect look-ups need of the texture, see [`Placing`].
    pub placing: Optional<Net<Out>>,
    comes: Reg,
    /// What comes is the register of that number, or one of a level's offset: known as it comes, since most rules ask.
    comes_as: Vec<Reg>,
    comes_as_offset: Reg,
    held: Reg,
    wait: Reg,
    reserved_registers: Vec<Reg>,
    /// What breaks a rule, a bit for each of its parts.
    seen: Vec<Reg>,
    broken: Vec<Reg>,
    base_line: Reg,
    tile_halves: Reg,
    levels: Reg,
    is_cube: Reg,
    kinds: Kinds,
    /// The texture has more than one row of texels.
    has_rows: Optional<Reg>,
    formats: Formats,
    /// The texture may be read as a ripmap.
    may_be_ripmap: Optional<Reg>,
    places: Optional<Placing<FieldReg>>,
    table: Optional<Table>,
    sides_loaded: Reg,
    level: Reg,
    extent: LevelExtent,
    _config: Config,
}

impl Rules {
    /// The rules for a configuration.
    pub(super) fn new(config: &Config) -> Rules {
        let general = general(config);
        assert!(general.sizes == Sizes::Any, "sizes are any");
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Rules {
            clears: Net::bit(),
            in_valid: Net::bit(),
            register: Net::new(REGISTER_NUMBER_BITS),
            data: Net::new(field::REGISTER_BITS as usize),
            is_reserved_above: Optional::new(super::has_several_beats(config), Net::bit),
            is_done: Net::bit(),
            is_good: Net::bit(),
            broken_rules: Net::new(BindingRule::ALL.len()),
            has_no_footprint: Optional::new(
                has_gather(config) && (general.has_kind(Kind::D1) || general.has_kind(Kind::D3)),
                Net::bit,
            ),
            placing: Optional::new(has_indirect(config), || Net::new(Placing::shape().width())),
            comes: flag(),
            comes_as: (0..=LAST_WITH_RULES).map(|_| flag()).collect(),
            comes_as_offset: flag(),
            held: Reg::new(&clocks, field::REGISTER_BITS as usize),
            wait: Reg::with_reset(&clocks, wait_clocks(config).ilog2() as usize + 1, 0),
            reserved_registers: Reg::array(reserved_groups(config).len(), &clocks, 1),
            seen: parts_of_rules(config).iter().map(|parts| Reg::new(&clocks, *parts)).collect(),
            broken: (0..BindingRule::ALL.len()).map(|_| flag()).collect(),
            base_line: Reg::new(&clocks, WINDOW_LINE_BITS),
            tile_halves: Reg::new(&clocks, tile_half_bits(config)),
            levels: Reg::new(&clocks, field::LEVELS.bits as usize),
            is_cube: Reg::new(&clocks, 1),
            kinds: Kinds::new(config, &clocks),
            has_rows: Optional::new(general.has_kind(Kind::D1), || Reg::new(&clocks, 1)),
            formats: Formats::new(config, &clocks),
            may_be_ripmap: Optional::new(general.ripmaps, || Reg::new(&clocks, 1)),
            places: Optional::new(has_indirect(config), || Placing::shape().registers(&clocks)),
            table: Optional::new(config.features().has_color_table(), || Table::new(&clocks)),
            sides_loaded: flag(),
            level: Reg::new(&clocks, field::LEVELS.bits as usize),
            extent: LevelExtent::new(config),
            clocks,
            _config: config.clone(),
        }
    }
}

/// Which kind the texture is, of those built beside `2d` and `cube`.
#[derive(Bundle)]
struct Kinds {
    is_row: Optional<Reg>,
    is_volume: Optional<Reg>,
    is_array: Optional<Reg>,
}

impl Kinds {
    fn new(config: &Config, clocks: &Clocks) -> Kinds {
        let built = |kind| Optional::new(general(config).has_kind(kind), || Reg::new(clocks, 1));
        Kinds { is_row: built(Kind::D1), is_volume: built(Kind::D3), is_array: built(Kind::D2Array) }
    }
}

/// What may hold of a format.
type Is = fn(Format) -> bool;

/// What later registers need of the format.
#[derive(Bundle)]
struct Formats {
    is_block: Optional<Reg>,
    is_depth: Optional<Reg>,
    is_float: Optional<Reg>,
    can_be_srgb: Optional<Reg>,
    /// The float is not compared.
    compares: Optional<Reg>,
}

impl Formats {
    fn new(config: &Config, clocks: &Clocks) -> Formats {
        let built = |is_built| Optional::new(is_built, || Reg::new(clocks, 1));
        let general = general(config);
        let has = |is: Is| config.features().formats().any(is);
        let has_row_or_volume = general.has_kind(Kind::D1) || general.has_kind(Kind::D3);
        Formats {
            is_block: built(has_row_or_volume && has(Format::is_block)),
            is_depth: built(general.compare),
            is_float: built(has(Format::is_float)),
            can_be_srgb: built(general.srgb),
            compares: built(general.compare && has(Format::is_float)),
        }
    }
}

/// The flag, or nothing where there is none.
#[kernel]
fn held(flag: &Optional<Reg>) -> Bits {
    flag.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val())
}

/// Bits that no field has in the same registers.
struct ReservedGroup {
    bits: u32,
    registers: Vec<u32>,
}

/// Parts of each rule, as [`Rules::judge`] has them.
fn parts_of_rules(config: &Config) -> [usize; BindingRule::ALL.len()] {
    let above = usize::from(super::has_several_beats(config));
    [reserved_groups(config).len().div_ceil(GROUPS_TOGETHER) + above, 1, 4, 1, 3, 1, 6, 1]
}

/// All bits of registers that no field has.
fn reserved_groups(config: &Config) -> Vec<ReservedGroup> {
    let of_words = reserved(&general(config));
    let reserved = |register: u32| {
        let shift = register % WORD_REGISTERS * field::REGISTER_BITS;
        (of_words[(register / WORD_REGISTERS) as usize] >> shift) as u32
    };
    let mut groups: Vec<ReservedGroup> = vec![];
    for bit in 0..field::REGISTER_BITS {
        let registers: Vec<u32> =
            (0..REGISTERS).filter(|register| reserved(*register) >> bit & 1 == 1).collect();
        match groups.iter_mut().find(|group| group.registers == registers) {
            _ if registers.is_empty() => {}
            Some(group) => group.bits |= 1 << bit,
            None => groups.push(ReservedGroup { bits: 1 << bit, registers }),
        }
    }
    groups
}

/// Registers to broken rules.
#[kernel]
impl Rules {
    fn logic(&self) {
        timing(wait_clocks(&self._config) as u32, 2);
        self.hold();
        self.keep();
        self.levels();
        self.judge();
    }

    fn hold(&self) {
        /// # The register that is looked at
        let number = self.register.val();
        self.comes.next = self.in_valid.val();
        for (one, comes_as) in self.comes_as.iter().enumerate() {
            comes_as.next = self.in_valid.val() && number == one as u64;
        }
        self.comes_as_offset.next = self.in_valid.val() && number >= u64::from(FIRST_OFFSET_REGISTER);
        for (group, is_own) in reserved_groups(&self._config).into_iter().zip(&self.reserved_registers) {
            let own = group.registers.iter();
            is_own.next = own.fold(lit(1, 0u32), |any, one| any || number == u64::from(*one));
        }
        if self.in_valid.val() {
            self.held.next = self.data.val();
            if let Some(table) = self.table.as_ref() {
                table.hold(self.data.val());
            }
            self.wait.next = wait_clocks(&self._config) as u64;
        } else if self.wait.val().any() {
            self.wait.next = self.wait.val() - 1;
        }
        self.is_done.next = !self.wait.val().any();
    }

    /// One bit: the register with this field is looked at.
    fn has(&self, of: Field) -> Bits {
        self.comes_as[place(of).0 as usize].val()
    }

    fn of(&self, of: Field) -> Bits {
        field_of(self.held.val(), of)
    }

    fn keep(&self) {
        /// # What later registers need
        if self.has(BASE) {
            self.base_line.next = self.of(BASE).high(WINDOW_LINE_BITS);
        }
        if self.has(FORMAT) {
            self.tile_halves.next = half_lines(&self._config, self.of(FORMAT));
            let formats = &self.formats;
            let of_format: [(&Optional<Reg>, Is); 3] = [
                (&formats.is_block, Format::is_block),
                (&formats.is_depth, Format::is_depth),
                (&formats.is_float, Format::is_float),
            ];
            for (flag, is) in of_format {
                let Some(flag) = flag.as_ref() else { continue };
                flag.next = self.is_format(is);
            }
            if let Some(can_be_srgb) = formats.can_be_srgb.as_ref() {
                /// A code that is no format breaks that rule alone.
                can_be_srgb.next = !self.is_format(|format| !format.can_be_srgb());
            }
            if let Some(table) = self.table.as_ref() {
                table.keep(&self._config, self.of(FORMAT));
            }
        }
        if let Some(compares) = self.formats.compares.as_ref() {
            if self.has(field::COMPARES) {
                compares.next = self.of(field::COMPARES);
            }
        }
        if let Some(may_be_ripmap) = self.may_be_ripmap.as_ref() {
            if self.has(field::WIDTH) {
                may_be_ripmap.next = ripmap::may_be(self.held.val());
            }
        }
        if self.has(field::WIDTH) {
            self.levels.next = self.of(field::LEVELS);
            self.is_cube.next = self.is_kind(Kind::Cube);
            let kinds = [
                (&self.kinds.is_row, Kind::D1),
                (&self.kinds.is_volume, Kind::D3),
                (&self.kinds.is_array, Kind::D2Array),
            ];
            for (flag, kind) in kinds {
                let Some(flag) = flag.as_ref() else { continue };
                flag.next = self.is_kind(kind);
            }
            if let Some(has_rows) = self.has_rows.as_ref() {
                has_rows.next = self.of(field::HEIGHT).any();
            }
        }
        self.keep_placing();
        self.sides_loaded.next = self.has(field::WIDTH);
        if let Some(has_no_footprint) = self.has_no_footprint.as_ref() {
            has_no_footprint.next = held(&self.kinds.is_row) || held(&self.kinds.is_volume);
        }
    }

    /// What indirect look-ups need.
    fn keep_placing(&self) {
        let (Some(kept), Some(placing)) = (self.places.as_ref(), self.placing.as_ref()) else { return };
        if self.has(FORMAT) {
            let has = |part: Part| self.is_format(|format| holds_places(format) && has_part(format, part));
            kept.parts.next = stack(Part::CHOICES.iter().map(|part| has(*part)));
            kept.are_bytes.next = self.is_format(has_bytes);
        }
        if self.has(field::KIND) {
            kept.is_flat.next = self.is_kind(Kind::D1) || self.is_kind(Kind::D2);
            kept.is_row.next = self.is_kind(Kind::D1);
        }
        placing.next = Placing::shape().pack(&kept.val());
    }

    fn levels(&self) {
        /// # Levels
        let comes = self.comes_as_offset.val();
        if self.sides_loaded.val() {
            self.level.next = 0;
        } else if comes {
            self.level.next = self.level.val() + 1;
        }
        let extent = &self.extent;
        extent.clocks.follow(&self.clocks);
        extent.loads.next = self.has(field::WIDTH);
        extent.width.next = self.of(field::WIDTH);
        extent.height.next = self.of(field::HEIGHT);
        extent.in_valid.next = comes;
        extent.counts.next = self.counts();
        extent.offset_line.next = self.held.val().slice(LINE_SHIFT, WINDOW_LINE_BITS);
        extent.base_line.next = self.base_line.val();
        extent.half_lines.next = self.tile_halves.val();
        extent.is_cube.next = self.is_cube.val();
        if let Some(is_row) = extent.is_row.as_ref() {
            is_row.next = held(&self.kinds.is_row);
        }
        if let (Some(loads), Some(depth), Some(is_volume)) =
            (extent.depth_loads.as_ref(), extent.depth.as_ref(), extent.is_volume.as_ref())
        {
            loads.next = self.has(field::DEPTH);
            depth.next = self.of(field::DEPTH);
            is_volume.next = held(&self.kinds.is_volume);
        }
    }

    /// One bit: the register that is looked at names this kind, which is built.
    fn is_kind(&self, kind: Kind) -> Bits {
        let code = self.of(field::KIND) == u64::from(kind.code());
        if general(&self._config).has_kind(kind) { code } else { lit(1, 0u32) }
    }

    /// One bit: the register that is looked at names a format of which this holds.
    fn is_format(&self, is: impl Fn(Format) -> bool) -> Bits {
        let code = self.of(FORMAT);
        let formats = self._config.features().formats().filter(|format| is(*format));
        formats.fold(lit(1, 0u32), |any, format| any || code == u64::from(format.code()))
    }

    /// One bit: the level whose offset comes is one of the texture.
    fn counts(&self) -> Bits {
        self.level.val() <= self.levels.val()
    }

    fn judge(&self) {
        /// # Rules
        let rules = [
            self.reserved(),
            [self.has(FORMAT) && !self.is_known_format()].to_vec(),
            self.wrong_size(),
            [self.extent.is_beyond.val() || self.has_too_many_levels()].to_vec(),
            self.misplaced(),
            [self.wrong_mode()].to_vec(),
            self.misfit(),
            [self.extent.is_past.val()].to_vec(),
        ];
        for ((held, seen), breaks) in self.broken.iter().zip(&self.seen).zip(rules) {
            seen.next = stack(breaks);
            if self.clears.val() {
                held.next = 0;
            } else if seen.val().any() {
                held.next = 1;
            }
        }
        let [sight @ .., window] = self.broken.as_slice() else { unreachable!("there are rules") };
        let at_sight = stack(sight.iter().map(|reg| reg.val()));
        /// Where another rule is broken, where a level would end means nothing.
        self.broken_rules.next = cat(&[window.val() && !at_sight.any(), at_sight]);
        self.is_good.next = !at_sight.any() && !window.val();
    }

    /// A bit is set that no field has.
    fn reserved(&self) -> Vec<Bits> {
        let data = self.held.val();
        let wrong = reserved_groups(&self._config).into_iter().zip(&self.reserved_registers).map(
            |(group, is_own)| {
                let bits = (0..field::REGISTER_BITS).filter(|bit| group.bits >> bit & 1 == 1);
                stack(bits.map(|bit| data.bit(bit as usize)).collect::<Vec<_>>()).any() && is_own.val()
            },
        );
        let wrong: Vec<Bits> = wrong.collect();
        let parts = wrong.chunks(GROUPS_TOGETHER);
        let parts = parts.map(|wrong| stack(wrong.to_vec()).any() && self.comes.val());
        parts.chain(self.is_reserved_above.as_ref().map(|is_set| is_set.val())).collect()
    }

    fn is_known_format(&self) -> Bits {
        self.is_format(|_| true)
    }

    fn wrong_size(&self) -> Vec<Bits> {
        let most_log2 = self._config.features().max_size_log2() as usize;
        let (width, height) = (self.of(field::WIDTH), self.of(field::HEIGHT));
        let is_over = |side: Bits| {
            if most_log2 < side.width() { side.high(side.width() - most_log2).any() } else { lit(1, 0u32) }
        };
        let is_oblong = self.is_kind(Kind::Cube) && width != height;
        // A clock later: kind and height in one clock are more than five levels in a unit with everything.
        let is_high = self.sides_loaded.val() && held(&self.kinds.is_row) && held(&self.has_rows);
        let is_large = is_over(width) || is_over(height);
        let depth = self.of(field::DEPTH);
        let is_deep = if held(&self.kinds.is_volume) { is_over(depth) } else { depth.any() };
        let most_layers_log2 = texture::MAX_LAYERS.ilog2() as usize;
        let has_many = depth.high(depth.width() - most_layers_log2).any();
        let wrong_depth = if held(&self.kinds.is_array) { has_many } else { is_deep };
        let of_sides = [is_large, is_oblong].map(|wrong| self.has(field::WIDTH) && wrong);
        of_sides.into_iter().chain([is_high, self.has(field::DEPTH) && wrong_depth]).collect()
    }

    /// One bit: there are more levels than offsets, so that the last ones never come.
    fn has_too_many_levels(&self) -> Bits {
        self.has(field::LEVELS) && self.of(field::LEVELS) >= u64::from(texture::MAX_LEVELS)
    }

    /// The base or the offset of a level lies inside a line, or a level begins in the colour table.
    fn misplaced(&self) -> Vec<Bits> {
        let is_inside = self.held.val().low(LINE_SHIFT).any();
        let is_offset = self.comes_as_offset.val() && self.counts();
        let is_in_table =
            self.table.as_ref().map_or_else(|| lit(1, 0u32), |table| table.has(self.held.val()));
        [is_inside && self.has(BASE), is_inside && is_offset, is_in_table && is_offset].to_vec()
    }

    fn wrong_mode(&self) -> Bits {
        let features = self._config.features();
        let is_known = |mode: Bits| {
            features.address_modes().fold(lit(1, 0u32), |any, own| any || mode == u64::from(own.code()))
        };
        let [u, v, w] = field::ADDRESS.map(|mode| self.of(mode));
        let of_v = is_known(v) || held(&self.kinds.is_row);
        let is_flat = match self.kinds.is_volume.as_ref() {
            Some(is_volume) => is_known(w) || !is_volume.val(),
            None => lit(1, 1u32),
        };
        /// A cube has no address mode.
        self.has(field::ADDRESS[0])
            && !self.is_cube.val()
            && !(is_known(u) && of_v && is_flat)
    }

    /// Something is asked for that is not built, or that does not go together.
    fn misfit(&self) -> Vec<Bits> {
        let (features, general) = (self._config.features(), general(&self._config));
        let kind = self.of(field::KIND);
        let is_built = general.kinds().fold(lit(1, 0u32), |any, own| any || kind == u64::from(own.code()));
        let swizzle = field::SWIZZLE.into_iter().zip(Swizzle::NONE.0);
        let is_shown = |(shown, own): (Field, Component)| {
            let shown = self.of(shown);
            if general.swizzle { shown <= Component::One as u64 } else { shown == own as u64 }
        };
        let is_plain = swizzle.fold(lit(1, 1u32), |all, one| all && is_shown(one));
        let can_be_srgb = general.channel_bits == 16;
        let wrong_srgb = match self.formats.can_be_srgb.as_ref() {
            Some(can_be) if can_be_srgb => !can_be.val(),
            _ => lit(1, 1u32),
        };
        let wrong_compare = match self.formats.is_depth.as_ref() {
            Some(is_depth) => !is_depth.val(),
            None => lit(1, 1u32),
        };
        let extras = (self.of(field::SRGB) && wrong_srgb) || (self.of(field::COMPARES) && wrong_compare);
        let is_row_or_volume = held(&self.kinds.is_row) || held(&self.kinds.is_volume);
        let wrong_block = held(&self.formats.is_block) && is_row_or_volume;
        let mip = self.of(field::MIP);
        let has_levels = if features.mipmaps() { lit(1, 1u32) } else { !mip.any() };
        let is_other = match self.may_be_ripmap.as_ref() {
            Some(may_be) => ripmap::is_misread(self.held.val(), may_be.val()),
            None => mip == MipFilter::Ripmap as u64,
        };
        let has_fraction = !is_other && (general.trilinear || mip != MipFilter::Linear as u64);
        let is_linear = self.of(field::MIN) || self.of(field::MAG);
        let is_filtered = if features.bilinear() { lit(1, 0u32) } else { is_linear };
        let anisotropy = self.of(field::ANISOTROPY);
        let most_log2 = general.max_anisotropy.ilog2();
        let is_weighted = is_linear || mip == MipFilter::Linear as u64 || anisotropy.any();
        let is_float = held(&self.formats.is_float) && !held(&self.formats.compares);
        let wrong_mip = !has_levels || !has_fraction;
        let wrong_filter = is_filtered || anisotropy > u64::from(most_log2) || (is_float && is_weighted);
        let (least, most) = (self.of(field::MIN_LOD), self.of(field::MAX_LOD));
        let is_crossed = least.signed() > most.signed();
        let parts = [
            self.has(field::KIND) && !is_built,
            self.has(field::SRGB) && (extras || wrong_block),
            self.has(field::SRGB) && !is_plain,
            self.has(field::MIN) && wrong_mip,
            self.has(field::MIN) && wrong_filter,
            self.has(field::MIN_LOD) && is_crossed,
        ];
        parts.to_vec()
    }
}

const _: () = assert!(MipFilter::Linear as u32 == 2 && LOD_BITS == 16 && texture::MAX_LEVELS == 13);
