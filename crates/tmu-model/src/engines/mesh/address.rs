//! From a place inside the texture to its four taps in memory.

use super::coordinate::FRACTION_BITS;
use super::job::Job;

/// The texels under a pixel: upper left, upper right, lower left, lower right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Where they lie in memory; none where a tap has no weight.
    pub taps: [Option<u32>; 4],
    /// Weight of the right ones, of 64.
    pub fx: u32,
    /// Weight of the lower ones, of 64.
    pub fy: u32,
}

/// The footprint of a place, which [`limited`](super::coordinate::limited) gives.
#[must_use]
pub fn footprint(job: &Job, u: u32, v: u32) -> Footprint {
    let fraction = (1 << FRACTION_BITS) - 1;
    let (fx, fy) = (u & fraction, v & fraction);
    let texel = (v >> FRACTION_BITS) * job.texture_width + (u >> FRACTION_BITS);
    let tap = |texel: u32| job.texture.wrapping_add(2 * texel);
    let below = texel + job.texture_width;
    Footprint {
        taps: [
            Some(tap(texel)),
            if fx == 0 { None } else { Some(tap(texel + 1)) },
            if fy == 0 { None } else { Some(tap(below)) },
            if fx == 0 || fy == 0 { None } else { Some(tap(below + 1)) },
        ],
        fx,
        fy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taps_without_weight_are_not_read() {
        let job = Job { texture: 0x1000, texture_width: 5, ..Job::default() };
        let at = |texel: u32| Some(0x1000 + 2 * texel);
        for (u, v, taps) in [
            (64, 128, [at(11), None, None, None]),
            (65, 128, [at(11), at(12), None, None]),
            (64, 191, [at(11), None, at(16), None]),
            (127, 129, [at(11), at(12), at(16), at(17)]),
        ] {
            assert_eq!(footprint(&job, u, v), Footprint { taps, fx: u & 63, fy: v & 63 });
        }
    }
}
