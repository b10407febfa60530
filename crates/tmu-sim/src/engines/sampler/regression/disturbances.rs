//! Resets and commands at random.

use crate::engines::sampler::bench::Resets;
use crate::engines::sampler::regression::action::Action;
use crate::kit::domain::Domain;
use rand::Rng;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use tmu_spec::Config;

/// What can be done to a unit in the middle of everything.
#[derive(Debug, Clone)]
pub(crate) struct Disturbances {
    domains: &'static [Domain],
    has_control: bool,
}

impl Disturbances {
    pub(crate) fn new(config: &Config) -> Self {
        Self { domains: Domain::of(config), has_control: config.control().port() }
    }

    /// The clocks that there are.
    pub(crate) const fn domains(&self) -> &'static [Domain] {
        self.domains
    }

    pub(crate) fn draw(&self, random: &mut ChaCha8Rng) -> Action {
        match random.random_range(0..if self.has_control { 5 } else { 3 }) {
            0..3 => {
                let chosen = random.random_range(1..1u32 << self.domains.len());
                let some = self.domains.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
                let some: Vec<_> = some.map(|(_, domain)| *domain).collect();
                Action::Reset(Self::resets(&some, random))
            }
            3 => Action::SoftReset,
            _ => Action::Invalidate,
        }
    }

    /// Asserts some resets in some order and releases them in another.
    pub(crate) fn resets(domains: &[Domain], random: &mut ChaCha8Rng) -> Resets {
        let mut in_some_order = || {
            let mut order: Vec<_> = domains.to_vec();
            order.shuffle(random);
            order.into_iter().map(|domain| (domain, random.random_range(0..40))).collect()
        };
        let (asserted, released) = (in_some_order(), in_some_order());
        let held_clocks = random.random_range(0..100);
        Resets { asserted, held_clocks, released }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use std::collections::HashSet;

    #[test]
    fn resets_come_alone_and_together_in_every_order() {
        let config = Config::from_toml("axi = { clock = \"own\" }\nclock = { memory_mhz = 300 }").unwrap();
        let disturbances = Disturbances::new(&config);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut orders = HashSet::new();
        for _ in 0..5000 {
            if let Action::Reset(resets) = disturbances.draw(&mut random) {
                let order = |domains: &[(Domain, u32)]| {
                    domains.iter().map(|(domain, _)| *domain as usize).collect::<Vec<_>>()
                };
                orders.insert((order(&resets.asserted), order(&resets.released)));
            }
        }
        // Three by themselves, three pairs in two orders twice, and all in six orders twice.
        assert_eq!(orders.len(), 3 + 3 * 4 + 36);
    }
}
