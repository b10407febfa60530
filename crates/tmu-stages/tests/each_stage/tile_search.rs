//! `tile_search` against a list of tiles: what is missing, and where what is not stands. Tiles come back just behind those that push
//! them out, so that every order of look-ups under way is met.

use crate::general_support::lanes_with;
use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_rtl::cache::prefetch::tile_search::{LATENCY, TileSearch, UNSEEN};
use tmu_spec::Config;
use tmu_stages::{Check, Rig};

/// Banks of so many places.
pub(crate) fn configs() -> Vec<(u32, Config)> {
    let of = |places: u32| {
        (places, lanes_with("anywhere", &format!("[texture]\n[cache]\nassociative_lines = {places}")))
    };
    [16, 32, 64].map(of).into()
}

/// A look-up with its answer, and the tile that went for it.
#[derive(Debug, Clone, Copy)]
struct LookUp {
    tile: u64,
    miss: bool,
    place: usize,
    gone: Option<u64>,
}

/// What a bank must hold: the tile of each place, and which place is filled next.
struct Tiles {
    places: Vec<Option<u64>>,
    next: usize,
}

impl Tiles {
    fn new(places: u32) -> Tiles {
        Tiles { places: vec![None; places as usize], next: 0 }
    }

    /// What becomes of a look-up.
    fn look_up(&mut self, tile: u64) -> LookUp {
        if let Some(place) = self.places.iter().position(|held| *held == Some(tile)) {
            return LookUp { tile, miss: false, place, gone: None };
        }
        let place = self.next;
        let gone = self.places[place].replace(tile);
        self.next = (place + 1) % self.places.len();
        LookUp { tile, miss: true, place, gone }
    }
}

/// How often a tile of a look-up under way was asked for again, and how often one that such a look-up had pushed out.
#[derive(Debug, Default)]
struct Met {
    just_before: u64,
    just_gone: u64,
}

#[test]
pub(crate) fn tile_search() {
    for (places, config) in configs() {
        look_ups(places, &config);
    }
}

fn look_ups(places: u32, config: &Config) {
    const CLOCKS: usize = 8000;
    let mut check = Check::new(&format!("tile_search_{places}"));
    let mut rig = Rig::new("tile_search", TileSearch::new(config));
    let mut tiles = Tiles::new(places);
    let mut under_way: VecDeque<Option<LookUp>> = VecDeque::from([None; LATENCY]);
    let (mut met, mut quiet) = (Met::default(), 0);
    let key_bits = rig.keys[0].width();
    for _ in 0..CLOCKS {
        if quiet == 0 && check.one_in(300) {
            quiet = LATENCY + 1;
        }
        let clears = quiet == 1;
        let asks = quiet == 0 && !check.one_in(8);
        quiet = quiet.saturating_sub(1);
        let asked = asks.then(|| {
            let tile = next_tile(&mut check, &tiles, &under_way);
            let before = || under_way.iter().take(UNSEEN).flatten();
            met.just_before += u64::from(before().any(|other| other.tile == tile));
            met.just_gone += u64::from(before().any(|other| other.gone == Some(tile)));
            tiles.look_up(tile)
        });
        under_way.push_front(asked);
        under_way.truncate(LATENCY);
        let needed = (0..).zip(&under_way).map(|(age, asked)| u64::from(asked.is_some()) << age).sum::<u64>();
        rig.needed.drive(needed >> 1);
        for (key, asked) in rig.keys.iter().zip(&under_way) {
            // What was not asked for is anything.
            let tile = asked.map_or_else(|| check.rng.random(), |asked| spread(asked.tile));
            key.drive(number(64, tile).low(key_bits));
        }
        rig.clear.drive(clears);
        rig.settle();
        if let Some(Some(LookUp { tile, miss, place, .. })) = under_way.back() {
            let got = (is_high(rig.miss.val()), rig.place.val().to_u64() as usize);
            check.same(format_args!("whether tile {tile} misses, and its place"), got, (*miss, *place));
        }
        rig.tick();
        if clears {
            tiles = Tiles::new(places);
        }
    }
    check.holds(
        met.just_before > 500 && met.just_gone > 100,
        format_args!("look-ups under way count: {met:?}"),
    );
    check.at_least(5000);
}

/// Tiles that differ in any bits, and in few.
fn spread(tile: u64) -> u64 {
    tile.wrapping_mul(0x0008_0000_4000_2001)
}

/// A tile of just before, the one that is about to go or has just gone, one that is held, or any.
fn next_tile(check: &mut Check, tiles: &Tiles, under_way: &VecDeque<Option<LookUp>>) -> u64 {
    let places = tiles.places.len();
    let any = check.rng.random_range(0..4 * places as u64);
    let chosen = match check.rng.random_range(0..8) {
        0 => under_way[check.rng.random_range(0..LATENCY)].map(|other| other.tile),
        1 => under_way[check.rng.random_range(0..LATENCY)].and_then(|other| other.gone),
        2 | 3 => tiles.places[(tiles.next + check.rng.random_range(0..LATENCY)) % places],
        4 | 5 => tiles.places[check.rng.random_range(0..places)],
        _ => None,
    };
    chosen.unwrap_or(any)
}
