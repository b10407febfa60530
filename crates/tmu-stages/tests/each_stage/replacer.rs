//! `replacer` and `victim`: which way gives up what it holds, in every policy, with their free-running bits.

use crate::support::configs;
use rand::Rng;
use tmu_rtl::cache::prefetch::victim::Victim;
use tmu_rtl::cache::replacer::Replacer;
use tmu_spec::Config;
use tmu_spec::config::Replacement;
use tmu_stages::{Check, Rig};

const POLICIES: [&str; 3] = ["plru_random", "random", "round_robin"];

/// The lowest way that holds nothing, or what the policy says by what it knows of the set and by the clocks since the reset.
fn way(policy: Replacement, ways: u64, order: u64, clocks: u64, valids: u64) -> u64 {
    let half = (ways / 2).max(1);
    let chosen = match policy {
        Replacement::PlruRandom => order * half + clocks % half,
        Replacement::Random => clocks % ways,
        Replacement::RoundRobin => order,
    };
    (0..ways).find(|way| valids >> way & 1 == 0).unwrap_or(chosen)
}

/// What the policy knows of a set once a way was hit or filled.
fn after(policy: Replacement, ways: u64, order: u64, used: u64, fills: bool) -> u64 {
    match policy {
        Replacement::PlruRandom => u64::from(used < ways / 2),
        Replacement::RoundRobin if fills => (used + 1) % ways,
        _ => order,
    }
}

fn valids(check: &mut Check, ways: u64) -> u64 {
    let all = (1 << ways) - 1;
    if check.one_in(3) { check.rng.random_range(0..=all) } else { all }
}

#[test]
pub(crate) fn replacer() {
    for policy in POLICIES {
        for ways in [2, 4, 8] {
            looks(&format!("replacer_{policy}_{ways}"), &configs::small_blocking(ways, policy));
        }
    }
}

fn looks(name: &str, config: &Config) {
    let (ways, policy) = (u64::from(config.cache().ways()), config.cache().replacement());
    let sets = u64::from(config.cache().sets());
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, Replacer::new(config));
    let mut orders = vec![0; sets as usize];
    let mut clocks = 0u64;
    let mut tick = |rig: &mut Rig<Replacer>| {
        rig.tick();
        clocks += 1;
        clocks
    };
    for set in 0..sets {
        rig.set.drive(set);
        rig.clear.drive(true);
        tick(&mut rig);
    }
    rig.clear.drive(false);
    tick(&mut rig);
    for _ in 0..600 {
        let set = check.pick(&[0, 1, sets - 1, sets / 2]);
        rig.set.drive(set);
        rig.look.drive(true);
        let clocks = tick(&mut rig);
        rig.look.drive(false);
        let valids = valids(&mut check, ways);
        rig.valids.drive(valids);
        rig.settle();
        let order = orders[set as usize];
        let expected = way(policy, ways, order, clocks, valids);
        check.same(
            format_args!("way of set {set}, valid {valids:#b}, known {order}"),
            rig.victim.val().to_u64(),
            expected,
        );
        tick(&mut rig);
        let (hits, used) = (check.one_in(2), check.rng.random_range(0..ways));
        rig.hit.drive(hits);
        rig.fill.drive(!hits);
        rig.way.drive(used);
        orders[set as usize] = after(policy, ways, order, used, !hits);
        tick(&mut rig);
        rig.hit.drive(false);
        rig.fill.drive(false);
        tick(&mut rig);
    }
    check.at_least(600);
}

#[test]
pub(crate) fn victim() {
    for policy in POLICIES {
        for ways in [2, 4] {
            reads(&format!("victim_{policy}_{ways}"), &configs::pixel_ways(ways, policy));
        }
    }
}

fn reads(name: &str, config: &Config) {
    let (ways, policy) = (u64::from(config.cache().ways()), config.cache().replacement());
    let sets = u64::from(config.cache().bank_sets());
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, Victim::new(config));
    let mut orders = vec![0; sets as usize];
    let (mut clocks, mut read) = (0, None);
    for step in 0..sets + 2000 {
        let clears = step < sets;
        let set = if clears { step } else { check.pick(&[0, 1, sets - 1]) };
        let (uses, fills, used) = (!check.one_in(3), check.one_in(2), check.rng.random_range(0..ways));
        rig.clear.drive(clears);
        rig.write_set.drive(set);
        rig.hit.drive(!clears && uses);
        rig.fill.drive(!clears && uses && fills);
        rig.used_way.drive(used);
        let next = check.pick(&[0, 1, sets - 1]);
        rig.read_set.drive(next);
        let valids = valids(&mut check, ways);
        rig.valids.drive(valids);
        rig.settle();
        if let Some(order) = read {
            let expected = way(policy, ways, order, clocks, valids);
            check.same(
                format_args!("way, valid {valids:#b}, known {order}"),
                rig.way.val().to_u64(),
                expected,
            );
        }
        read = (step >= sets).then(|| orders[next as usize]);
        if clears {
            orders[set as usize] = 0;
        } else if uses {
            orders[set as usize] = after(policy, ways, orders[set as usize], used, fills);
        }
        rig.tick();
        clocks += 1;
    }
    check.at_least(1000);
}
