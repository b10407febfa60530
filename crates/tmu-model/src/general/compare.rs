//! `compare`: a depth and a reference, to true or false.

use tmu_spec::general::CompareOp;

/// What a depth of so many bits is compared with: the reference limited to 0 … 1, rounded, halves upwards. None of NaN.
#[must_use]
pub fn reference(bits: u32, depth_bits: u32) -> Option<u32> {
    let single = f32::from_bits(bits);
    // Exact: 24 and 24 bits fit a double, and so does the half.
    let scaled = f64::from(single.clamp(0.0, 1.0)) * ((1u64 << depth_bits) - 1) as f64 + 0.5;
    (!single.is_nan()).then_some(scaled.floor() as u32)
}

/// Whether `reference op depth` holds. A number that is none is not even equal to itself.
#[must_use]
pub fn holds<T: PartialOrd>(op: CompareOp, reference: Option<T>, depth: Option<T>) -> bool {
    let order = reference.zip(depth).and_then(|(reference, depth)| reference.partial_cmp(&depth));
    match op {
        CompareOp::Never => false,
        CompareOp::Less => order.is_some_and(|order| order.is_lt()),
        CompareOp::Equal => order.is_some_and(|order| order.is_eq()),
        CompareOp::Lequal => order.is_some_and(|order| order.is_le()),
        CompareOp::Greater => order.is_some_and(|order| order.is_gt()),
        CompareOp::Notequal => order.is_none_or(|order| order.is_ne()),
        CompareOp::Gequal => order.is_some_and(|order| order.is_ge()),
        CompareOp::Always => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::choice::Choice;

    #[test]
    fn references_by_hand() {
        let table = [
            (0.0, 16, Some(0)),
            (-3.0, 16, Some(0)),
            (1.0, 16, Some(65535)),
            (f32::INFINITY, 24, Some((1 << 24) - 1)),
            (0.5, 16, Some(32768)),
            (0.5, 24, Some(1 << 23)),
            (0.499_999_97, 24, Some((1 << 23) - 1)),
            (f32::NAN, 16, None),
        ];
        for (single, bits, expected) in table {
            assert_eq!(reference(single.to_bits(), bits), expected, "{single} {bits}");
        }
    }

    /// Of each comparison: whether 1 op 2, 1 op 1, 2 op 1 and NaN op 1.
    #[test]
    fn comparisons_by_hand() {
        let table = ["0000", "1000", "0100", "1100", "0010", "1011", "0110", "1111"];
        for (op, expected) in CompareOp::CHOICES.iter().zip(table) {
            let pairs = [(1.0, 2.0), (1.0, 1.0), (2.0, 1.0), (f32::NAN, 1.0)];
            let got = pairs.map(|(a, b)| if holds(*op, Some(a), Some(b)) { '1' } else { '0' });
            assert_eq!(got.iter().collect::<String>(), expected, "{op}");
            assert_eq!(holds(*op, None, Some(1)), expected.ends_with('1'), "{op}");
        }
    }
}
