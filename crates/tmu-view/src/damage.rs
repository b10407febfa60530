//! For tests: questions about a pixel that no page sends.

use crate::site::Shown;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Asks with a few bytes of a body changed or left out, which is answered or refused.
pub(crate) fn questions(site: &dyn Shown, original: &[u8]) {
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut body = original.to_vec();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..body.len());
            match rng.random_range(0..3) {
                0 => body[at] = rng.random(),
                1 => body[at] = b'0' + rng.random_range(0..10),
                _ => drop(body.remove(at)),
            }
        }
        if let Err(refusal) = site.pixel(&body) {
            assert!([400, 422].contains(&refusal.status), "seed {seed}: {refusal:?}");
        }
    }
}
