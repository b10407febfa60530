//! The same in four lanes: each has a `coordinate`, `footprint` keeps their items in step, and the items of each lane go through an
//! `address` of a unit with a single lane, since only what a lane looks up counts here.

use super::expected::{Asked, asked};
use super::{Leaves, Seen, everything, features, leave, probe_word, registers, wanted};
use crate::general_support::{binding, config, in_four_lanes};
use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::general::address::Address;
use tmu_rtl::datapath::general::coordinate::Coordinate;
use tmu_rtl::datapath::general::footprint::TapItem;
use tmu_rtl::datapath::general::footprint::row::FootprintRow;
use tmu_rtl::datapath::general::words::Probe;
use tmu_rtl::datapath::words::TileRequest;
use tmu_spec::Config;
use tmu_spec::general::Binding;
use tmu_stages::{Check, Flow, Rig};

const LANES: usize = 4;

/// The stages.
#[derive(LogicBlock)]
struct Rows {
    clocks: Clocks,
    advance: Net<In>,
    upstream_advance: Net<Out>,
    in_valid: Net<In>,
    probe: Vec<Net<In>>,
    tiles: Vec<TileRequest<Field<Out>>>,
    coordinates: Vec<Coordinate>,
    footprint: FootprintRow,
    addresses: Vec<Address>,
    _alone: Config,
    _config: Config,
}

impl Rows {
    /// Of a configuration with one lane, and the same with four.
    fn new(alone: &Config, config: &Config) -> Rows {
        Rows {
            clocks: Clocks::new(),
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::new(LANES),
            probe: (0..LANES).map(|_| Net::new(Probe::of(config).width())).collect(),
            tiles: (0..LANES).map(|_| TileRequest::of(alone).nets()).collect(),
            coordinates: (0..LANES).map(|_| Coordinate::new(config)).collect(),
            footprint: FootprintRow::new(config),
            addresses: (0..LANES).map(|_| Address::new(alone)).collect(),
            _alone: alone.clone(),
            _config: config.clone(),
        }
    }
}

#[kernel]
impl Rows {
    fn logic(&self) {
        let footprint = &self.footprint;
        footprint.clocks.follow(&self.clocks);
        footprint.advance.next = self.advance.val();
        self.upstream_advance.next = footprint.upstream_advance.val();
        let [of_item, of_alone] = [TapItem::of(&self._config), TapItem::of(&self._alone)];
        for lane in 0..LANES {
            let (coordinate, address) = (&self.coordinates[lane], &self.addresses[lane]);
            coordinate.clocks.follow(&self.clocks);
            address.clocks.follow(&self.clocks);
            coordinate.advance.next = footprint.upstream_advance.val();
            address.advance.next = self.advance.val();
            coordinate.in_valid.next = self.in_valid.val().bit(lane);
            coordinate.probe.next = self.probe[lane].val();
            footprint.texels[lane].next = coordinate.footprint.val();
            address.in_valid.next = footprint.out_valid.val().bit(lane);
            address.item.next = of_alone.pack(&of_item.unpack(footprint.items[lane].val()));
            address.invalidating.next = 0;
            self.tiles[lane].next = address.tiles.val();
        }
        footprint.in_valid.next = stack(self.coordinates.iter().map(|coordinate| coordinate.out_valid.val()));
    }
}

/// A probe for some of the lanes, with all that ends a quad left out: that goes for a row, not for a lane.
fn asked_by_lanes(check: &mut Check, config: &Config, bound: &Binding) -> [Option<Asked>; LANES] {
    let mut row = [(); LANES].map(|()| {
        let asked = Asked { ends: [false; 2], ..asked(check, config, bound) };
        (!check.one_in(3)).then_some(asked)
    });
    if row.iter().all(Option::is_none) {
        row[0] = Some(Asked { ends: [false; 2], ..asked(check, config, bound) });
    }
    row
}

fn of(alone: &Config, stage: &str, rows_wanted: usize) {
    let config = &in_four_lanes(alone);
    let mut check = Check::new(stage);
    let mut rig = Rig::new("texel_rows", Rows::new(alone, config));
    let mut owed: [Flow<Leaves>; LANES] = Default::default();
    let mut seen: [Seen; LANES] = Default::default();
    let mut waiting: Vec<Bits> = vec![];
    let mut bound = binding(&mut check, alone);
    let (mut rows, mut idle, mut left_of_binding) = (0, 0, 0);
    while idle < 80 {
        if waiting.is_empty() && rows < rows_wanted && left_of_binding == 0 {
            bound = binding(&mut check, alone);
            left_of_binding = check.rng.random_range(1..60);
            waiting = registers(config, &bound);
            waiting.reverse();
        }
        let asks =
            (waiting.is_empty() && left_of_binding > 0).then(|| asked_by_lanes(&mut check, alone, &bound));
        let comes = (!waiting.is_empty() || asks.is_some()) && !check.one_in(6);
        let mut present = [false; LANES];
        for lane in 0..LANES {
            let own = asks.as_ref().and_then(|asks| asks[lane]).map(|asked| probe_word(config, &asked));
            let word = waiting.last().copied().or(own);
            present[lane] = comes && word.is_some();
            if let Some(word) = word {
                rig.probe[lane].drive(word);
            }
        }
        rig.in_valid.drive(stack(present.map(|is_present| number(1, u64::from(is_present)))));
        rig.settle();
        let may_move = rig.tiles.iter().all(|tiles| !is_high(tiles.waits.val().any()));
        let advance = may_move && !check.one_in(5);
        rig.advance.drive(advance);
        rig.settle();
        for lane in (0..LANES).filter(|_| advance) {
            leave(&mut check, alone, &rig.tiles[lane].val(), &mut owed[lane], &mut seen[lane]);
        }
        if comes && is_high(rig.upstream_advance.val()) {
            if let Some(asks) = asks {
                for (owed, asked) in owed.iter_mut().zip(asks) {
                    let slices = asked.map_or(vec![], |asked| wanted(&bound, &asked));
                    slices.into_iter().for_each(|slice| owed.put(Leaves::Probe(Box::new(slice))));
                }
                left_of_binding -= 1;
                rows += 1;
            } else {
                waiting.pop();
                if waiting.is_empty() && bound.drop_cache {
                    owed[0].put(Leaves::Empties);
                }
            }
        }
        rig.tick();
        let is_done = rows >= rows_wanted && left_of_binding == 0 && owed.iter().all(Flow::is_empty);
        idle = if is_done { idle + 1 } else { 0 };
    }
    owed.iter().for_each(|owed| owed.is_done(&mut check));
    check.at_least(rows_wanted as u64);
}

#[test]
fn of_multi_lite() {
    of(&config(), "general::texels in rows", 3000);
}

#[test]
pub(crate) fn of_volumes() {
    of_feature("volumes");
}

#[test]
fn of_gathers() {
    of_feature("gather");
}

fn of_feature(named: &str) {
    for (name, config) in features().into_iter().filter(|(name, _)| *name == named) {
        of(&config, &format!("general::texels in rows of {name}"), 1500);
    }
}

#[test]
fn of_everything() {
    of(&everything(), "general::texels in rows of everything", 3000);
}
