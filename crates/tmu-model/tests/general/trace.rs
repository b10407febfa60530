//! What is told of a quad, against what comes out of it.

use super::cases::{Case, case};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use tmu_model::MemoryImage;
use tmu_model::general::Channels;
use tmu_model::general::filter::{Sum, WHOLE, bilinear};
use tmu_model::general::probes::numbers_of_probes;
use tmu_model::general::result::{of_float, of_unorm};
use tmu_model::general::trace::{Probe, Taken};
use tmu_model::general::unit::Unit;
use tmu_spec::Features;
use tmu_spec::general::{Operation, Swizzle};

/// The channels of a probe's four taps, if all that have a weight are texels as the filter sees them.
fn taps(probe: &Probe, is_compared: bool) -> Option<[Channels; 4]> {
    let mut places = probe.taps.iter();
    let [second_x, second_y] = probe.footprint.weights.map(|weight| weight != 0);
    let mut taps = [[0; 4]; 4];
    for (number, needed) in [true, second_x, second_y, second_x && second_y].into_iter().enumerate() {
        if needed {
            let Taken::Texel(texel) = places.next()?.taken else { return None };
            taps[number] = texel.channels.filter(|_| !is_compared)?;
        }
    }
    Some(taps)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_told_of_a_quad_is_what_happens(case in case()) {
        let Case { texture, sampler, general, quad, .. } = &case;
        let mut unit = Unit::new(MemoryImage::new(0, case.memory()), Features::GENERAL.with_general(*general, 12));
        unit.bind(texture, 0, sampler).map_err(|rules| TestCaseError::fail(format!("{rules:?}")))?;
        let trace = unit.trace(quad).unwrap();
        prop_assert_eq!(trace.result, unit.sample(quad));
        if matches!(quad.operation, Operation::Fetch | Operation::Gather(_)) {
            prop_assert!(trace.lod.is_none() && trace.probes.iter().all(Vec::is_empty));
            return Ok(());
        }
        let lod = trace.lod.unwrap();
        let bound = unit.bound().unwrap();
        prop_assert_eq!(trace.probes.each_ref().map(|probes| probes.len() as u32), numbers_of_probes(bound, quad, &trace.positions, &lod));
        for (pixel, probes) in trace.probes.iter().enumerate().filter(|(_, probes)| !probes.is_empty()) {
            prop_assert_eq!(probes.iter().map(|probe| probe.weight).sum::<u32>(), WHOLE);
            let mut sum = Sum::default();
            let mut is_whole = texture.swizzle() == Swizzle::NONE;
            for probe in probes {
                prop_assert_eq!(probe.taps.iter().map(|tap| tap.weight).sum::<u32>(), WHOLE);
                let of = taps(probe, sampler.compare.is_some());
                is_whole &= of.is_some();
                let [x, y] = probe.footprint.weights;
                sum.add(probe.weight, bilinear(of.unwrap_or_default(), x, y));
            }
            if is_whole {
                let expected = sum.total().map(|channel| match texture.format().is_float() {
                    true => of_float(channel, general.result),
                    false => of_unorm(channel, general.channel_bits, general.result),
                });
                prop_assert_eq!(trace.result.channels[pixel], expected);
            }
        }
    }
}
