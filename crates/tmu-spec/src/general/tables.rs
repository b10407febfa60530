//! Tables that model and hardware share.

/// Bits that the table of logarithms is computed with.
const WORK_BITS: u32 = 60;

/// `floor(256 · log2(1 + i / 256))`.
pub const LOG2: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        // Each squaring doubles the logarithm, whose next bit is whether 2 has been reached.
        let mut power = (256 + index as u128) << (WORK_BITS - 8);
        let (mut log2, mut bit) = (0u32, 0);
        while bit < 8 {
            power = (power * power) >> WORK_BITS;
            let is_over = power >> (WORK_BITS + 1) != 0;
            log2 = log2 << 1 | is_over as u32;
            if is_over {
                power >>= 1;
            }
            bit += 1;
        }
        table[index] = log2 as u8;
        index += 1;
    }
    table
};

/// Linear light of an sRGB-coded byte in 16 bits: `round(65535 · linear(v / 255))` by IEC 61966-2-1.
#[must_use]
pub fn srgb_to_linear(code: u8) -> u32 {
    static TABLE: std::sync::LazyLock<[u16; 256]> = std::sync::LazyLock::new(|| {
        std::array::from_fn(|code| {
            let coded = code as f64 / 255.0;
            let linear = if coded <= 0.04045 { coded / 12.92 } else { ((coded + 0.055) / 1.055).powf(2.4) };
            (65535.0 * linear).round() as u16
        })
    });
    TABLE[usize::from(code)].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_rounded_down() {
        for (index, log2) in LOG2.iter().enumerate() {
            let exact = 256.0 * (1.0 + index as f64 / 256.0).log2();
            assert_eq!(u32::from(*log2), exact.floor() as u32, "{index}");
        }
    }

    #[test]
    fn linear_light_by_hand() {
        let table = [(0, 0), (1, 20), (10, 199), (11, 219), (128, 14146), (255, 65535)];
        assert_eq!(table.map(|(code, _)| (code, srgb_to_linear(code))), table);
    }
}
