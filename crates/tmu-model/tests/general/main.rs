//! The general numerics against themselves, written a second time as plainly as they can be said, in whole numbers of any length.

mod cases;
mod indirect;
mod reference;
mod trace;

use cases::{Case, case};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_spec::Features;

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    /// Whatever the texture, the sampler and the quad: every channel of every pixel.
    #[test]
    fn samples_are_what_the_numerics_say(case in case()) {
        let Case { texture, sampler, general, quad, .. } = &case;
        let features = Features::GENERAL.with_general(*general, 12);
        let mut unit = Unit::new(MemoryImage::new(0, case.memory()), features);
        unit.bind(texture, 0, sampler).map_err(|rules| TestCaseError::fail(format!("{rules:?}")))?;
        let got = unit.sample(quad);
        let expected = reference::Reference::new(&case).sample();
        prop_assert_eq!(got.channels, expected);
        prop_assert_eq!((got.valid, got.error), (quad.valid, false));
    }
}
