//! `tile_depths`: the depths of tiles from the one in which surfaces are looked for to the one that is written, three at a time. And depths of a punch-through
//! triangle, until it is known which of its pixels stay.
//!
//! Contract: `clear` begins a tile in the next bank; nothing is found or put while it is at work. What stays of a quad is put two rows one after the other
//! into the bank and into `hidden_surfaces`. What is read comes two moves after its place, from the bank that `turns` has made the one to be read.
//!
//! Cost: a quad that is put two clocks. A block RAM of 18 Kb and some LUT RAM for each pixel of a group.

use super::words::{FoundWord, PIXELS, SINGLE_BITS, TileShape};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, RamShape, RamSimpleDualPort, RamStyle};

/// Depths that are read together.
const READ_TOGETHER: usize = 4;
/// Bits of the number of a bank: three are in use, and four are a RAM with tiles of 32 × 32 pixels and 16 lanes.
const BANK_BITS: usize = 2;

/// A quad whose pixels stay.
#[derive(Clone, Debug, Record)]
pub struct StayWord<T = Bits> {
    /// Row and column of the quad in its tile, in quads, the column below.
    pub place: T,
    /// Which pixels stay.
    pub mask: T,
    /// They have depths of their own.
    pub has_depth: T,
    /// These.
    pub depths: [T; PIXELS],
}

impl StayWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> StayWord<Width> {
        StayWord {
            place: Width::bits(shape.width_log2 + shape.height_log2 - 2),
            mask: Width::bits(PIXELS),
            has_depth: Width::bits(1),
            depths: [Width::bits(SINGLE_BITS); PIXELS],
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TileDepths {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A tile begins.
    pub clear: Net<In>,
    /// Its depths where nothing is drawn.
    pub clear_depth: Net<In>,
    /// Pixels are found.
    pub found_valid: Net<In>,
    /// Which.
    pub found: FoundWord<Field<In>>,
    /// Their depths.
    pub found_depths: Net<In>,
    /// They are of a triangle that keeps its depths.
    pub keeps: Net<In>,
    /// Quads whose pixels stay, see [`StayWord`].
    pub stays: StreamIn,
    /// Depths are put into hidden surfaces.
    pub put_valid: Net<Out>,
    /// Row and group.
    pub put_place: Net<Out>,
    /// Which pixels.
    pub put_mask: Net<Out>,
    /// Their depths.
    pub put_depths: Net<Out>,
    /// The tile before is read from now on no longer: the bank behind it is.
    pub turns: Net<In>,
    /// What is read moves on.
    pub read_enable: Net<In>,
    /// Row and four columns, the columns below.
    pub read_place: Net<In>,
    /// The depths, the first one lowest.
    pub read_depths: Net<Out>,
    banks: Vec<RamSimpleDualPort>,
    candidates: Vec<DistributedRam>,
    bank: Reg,
    read_bank: Reg,
    clears: Reg,
    clear_place: Reg,
    /// The lower row of a quad is put.
    is_lower: Reg,
    put: Put,
    /// Which four of a group, where it has more.
    read_columns: Vec<Reg>,
    _shape: TileShape,
}

/// What is put in a clock.
#[derive(Bundle)]
struct Put {
    valid: Reg,
    place: Reg,
    mask: Reg,
    depths: [Reg; 2],
}

impl TileDepths {
    /// The stage for tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> TileDepths {
        let clocks = Clocks::new();
        let (lanes, place) = (shape.lanes(), shape.place_bits());
        let in_group = shape.lanes_log2 - READ_TOGETHER.ilog2() as usize;
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let bank = || {
            let words = RamShape::new(1 << (BANK_BITS + place), SINGLE_BITS).style(RamStyle::Block);
            RamSimpleDualPort::new(words.output_register(true))
        };
        TileDepths {
            clear: Net::bit(),
            clear_depth: Net::new(SINGLE_BITS),
            found_valid: Net::bit(),
            found: FoundWord::of(shape).nets(),
            found_depths: Net::new(lanes * SINGLE_BITS),
            keeps: Net::bit(),
            stays: StreamIn::new(StayWord::of(shape).width()),
            put_valid: Net::bit(),
            put_place: Net::new(place),
            put_mask: Net::new(lanes),
            put_depths: Net::new(lanes * SINGLE_BITS),
            turns: Net::bit(),
            read_enable: Net::bit(),
            read_place: Net::new(shape.width_log2 + shape.height_log2 - 2),
            read_depths: Net::new(READ_TOGETHER * SINGLE_BITS),
            banks: (0..lanes).map(|_| bank()).collect(),
            candidates: (0..lanes).map(|_| DistributedRam::new(1 << place, SINGLE_BITS)).collect(),
            bank: Reg::with_reset(&clocks, BANK_BITS, 0),
            read_bank: Reg::with_reset(&clocks, BANK_BITS, 0),
            clears: flag(),
            clear_place: Reg::new(&clocks, place),
            is_lower: flag(),
            put: Put {
                valid: flag(),
                place: Reg::new(&clocks, place),
                mask: Reg::new(&clocks, lanes),
                depths: [Reg::new(&clocks, SINGLE_BITS), Reg::new(&clocks, SINGLE_BITS)],
            },
            read_columns: Reg::array(if in_group == 0 { 0 } else { 2 }, &clocks, in_group.max(1)),
            clocks,
            _shape: *shape,
        }
    }
}

/// Depths of tiles.
#[kernel]
impl TileDepths {
    fn module_name(&self) -> String {
        "tile_depths".into()
    }

    fn logic(&self) {
        self.stays();
        self.write();
        self.read();
    }

    fn stays(&self) {
        /// # What stays
        let shape = &self._shape;
        let (lanes, columns) = (shape.lanes(), shape.width_log2 - 1);
        let word = StayWord::of(shape).unpack(self.stays.data.val());
        let is_lower = self.is_lower.val();
        let comes = self.stays.valid.val();
        self.stays.ready.next = is_lower;
        if comes {
            self.is_lower.next = !is_lower;
        }
        let (row, column) = (word.place.high(shape.height_log2 - 1), word.place.low(columns));
        let place = cat(&[row, is_lower, column.high(shape.group_bits())]);
        let pair = column.low(shape.lanes_log2 - 1);
        let mask = if is_lower { word.mask.high(2) } else { word.mask.low(2) };
        let pairs = (0..lanes / 2).map(|own| mask & (pair == own as u64).repeat(2));
        let candidates: Vec<Bits> = self
            .candidates
            .iter()
            .map(|candidates| {
                candidates.read_address.next = place;
                candidates.read_data.val()
            })
            .collect();
        let put = &self.put;
        for half in 0..2 {
            let found: Vec<Bits> = (0..lanes / 2)
                .map(|own| candidates[2 * own + half] & (pair == own as u64).repeat(SINGLE_BITS))
                .collect();
            let found = found.into_iter().reduce(|a, b| a | b).expect("there are pairs");
            let own = if is_lower { word.depths[2 + half] } else { word.depths[half] };
            put.depths[half].next = if word.has_depth { own } else { found };
        }
        put.valid.next = comes;
        put.place.next = place;
        put.mask.next = stack(pairs.collect::<Vec<_>>());
        self.put_valid.next = put.valid.val();
        self.put_place.next = put.place.val();
        self.put_mask.next = put.mask.val();
        self.put_depths.next = cat(&[put.depths[1].val(), put.depths[0].val()]).repeat(lanes / 2);
    }

    fn write(&self) {
        /// # What is written
        let found = self.found.val();
        discard(found.number, "a depth is a depth");
        let (clears, clear_place) = (self.clears.val(), self.clear_place.val());
        if self.clear.val() {
            self.clears.next = 1;
            self.clear_place.next = 0;
            self.bank.next = self.bank.val() + 1;
        } else if clears {
            self.clears.next = !clear_place.all();
            self.clear_place.next = clear_place + 1;
        }
        let put = &self.put;
        let puts = put.valid.val();
        let keeps = self.found_valid.val() && self.keeps.val();
        let tries = self.found_valid.val() && !self.keeps.val();
        let other = if puts { put.place.val() } else { found.place };
        let place = if clears { clear_place } else { other };
        for lane in 0..self._shape.lanes() {
            let own = self.found_depths.val().slice(lane * SINGLE_BITS, SINGLE_BITS);
            let (ram, candidates) = (&self.banks[lane], &self.candidates[lane]);
            let other = if puts { put.depths[lane % 2].val() } else { own };
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next =
                clears || (puts && put.mask.val().bit(lane)) || (keeps && found.mask.bit(lane));
            ram.write_address.next = cat(&[self.bank.val(), place]);
            ram.write_data.next = if clears { self.clear_depth.val() } else { other };
            candidates.clocks.follow(&self.clocks);
            candidates.write_enable.next = tries && found.mask.bit(lane);
            candidates.write_address.next = found.place;
            candidates.write_data.next = own;
        }
    }

    fn read(&self) {
        /// # What is read
        let shape = &self._shape;
        if self.turns.val() {
            self.read_bank.next = self.read_bank.val() + 1;
        }
        let (place, moves) = (self.read_place.val(), self.read_enable.val());
        let in_group = shape.lanes_log2 - READ_TOGETHER.ilog2() as usize;
        let group = place.high(place.width() - in_group);
        for ram in &self.banks {
            ram.read_enable.next = moves;
            ram.read_address.next = cat(&[self.read_bank.val(), group]);
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = moves;
            }
        }
        let words: Vec<Bits> = (0..shape.lanes() / READ_TOGETHER)
            .map(|own| {
                let lanes = &self.banks[READ_TOGETHER * own..READ_TOGETHER * (own + 1)];
                stack(lanes.iter().map(|ram| ram.read_data.val()))
            })
            .collect();
        if let [first, second] = &self.read_columns[..] {
            if moves {
                first.next = place.low(in_group);
                second.next = first.val();
            }
            let own = second.val();
            let chosen: Vec<Bits> = words
                .iter()
                .enumerate()
                .map(|(number, word)| *word & (own == number as u64).repeat(word.width()))
                .collect();
            self.read_depths.next = chosen.into_iter().reduce(|a, b| a | b).expect("there are words");
        } else {
            self.read_depths.next = words[0];
        }
    }
}
