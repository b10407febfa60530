//! Entropy-coded data of a JPEG file as bits, and its Huffman codes.

/// Bits of the longest code.
const MAX_CODE_BITS: usize = 16;

/// A Huffman table: what every 16 bits begin with.
pub(super) struct Codes {
    /// Length of the code and its symbol; length 0 where no code begins so.
    symbols: Vec<(u8, u8)>,
}

impl Codes {
    /// A table from how many codes there are of each length, and their symbols by rising code.
    pub(super) fn new(counts: &[u8; MAX_CODE_BITS], values: &[u8]) -> Result<Self, String> {
        let mut symbols = vec![(0, 0); 1 << MAX_CODE_BITS];
        let (mut next, mut values) = (0, values.iter());
        for (bits, count) in (1..).zip(counts) {
            let alike = 1 << (MAX_CODE_BITS - bits);
            for _ in 0..*count {
                // The code of ones alone is none, so the last of all stays free.
                let value = values.next().filter(|_| next + alike < symbols.len());
                let value = value.ok_or("a Huffman table has more codes than their lengths allow")?;
                symbols[next..next + alike].fill((bits as u8, *value));
                next += alike;
            }
        }
        Ok(Codes { symbols })
    }
}

/// The entropy-coded data between two markers, without the zeros that are stuffed behind bytes of ones.
pub(super) struct Bits {
    bytes: Vec<u8>,
    length: usize,
    at: usize,
}

impl Bits {
    /// The data from the beginning up to a marker, and how many bytes that is of the file; none if no marker follows.
    pub(super) fn up_to_marker(file: &[u8]) -> Option<(Self, usize)> {
        let mut bytes = Vec::new();
        let mut rest = file;
        loop {
            let ones = rest.iter().position(|byte| *byte == 0xff)?;
            bytes.extend(&rest[..ones]);
            rest = &rest[ones..];
            if *rest.get(1)? != 0 {
                let length = 8 * bytes.len();
                // So that the last bits can be looked at as the others.
                bytes.extend([0xff; 4]);
                return Some((Bits { bytes, length, at: 0 }, file.len() - rest.len()));
            }
            bytes.push(0xff);
            rest = &rest[2..];
        }
    }

    /// The next 16 bits; ones behind the end.
    fn peek(&self) -> usize {
        let word =
            self.bytes[self.at / 8..].first_chunk().map_or(u32::MAX, |bytes| u32::from_be_bytes(*bytes));
        (word << (self.at % 8) >> 16) as usize
    }

    fn skip(&mut self, bits: usize) -> Result<(), String> {
        self.at += bits;
        if self.at > self.length { Err("it ends in the middle of a block".to_owned()) } else { Ok(()) }
    }

    /// The next bits as a number, at most 16.
    pub(super) fn take(&mut self, bits: usize) -> Result<usize, String> {
        let value = self.peek() >> (16 - bits);
        self.skip(bits).map(|()| value)
    }

    /// The symbol of the next code.
    pub(super) fn symbol(&mut self, codes: &Codes) -> Result<u8, String> {
        match codes.symbols[self.peek()] {
            (0, _) if self.at + MAX_CODE_BITS <= self.length => Err("a code means nothing".to_owned()),
            (0, _) => Err("it ends in the middle of a block".to_owned()),
            (bits, symbol) => self.skip(bits.into()).map(|()| symbol),
        }
    }

    /// Refuses more than the padding of the last byte.
    pub(super) fn end(&self) -> Result<(), String> {
        match (self.length - self.at) / 8 {
            0 => Ok(()),
            bytes => Err(format!("{bytes} bytes are left over")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_and_tables_that_are_none_refused() {
        let counts = |pairs: &[(usize, u8)]| {
            let mut counts = [0; 16];
            pairs.iter().for_each(|(bits, count)| counts[bits - 1] = *count);
            counts
        };
        // 0, 10, 110 and 1110.
        let codes = Codes::new(&counts(&[(1, 1), (2, 1), (3, 1), (4, 1)]), &[7, 8, 9, 10]).unwrap();
        let (mut bits, length) = Bits::up_to_marker(&[0b0101_1011, 0b1000_1111, 0xff, 0xd9]).unwrap();
        let found: Vec<_> = (0..5).map(|_| bits.symbol(&codes).unwrap()).collect();
        assert_eq!((found, length), (vec![7, 8, 9, 10, 7], 2));
        assert_eq!((bits.take(2).unwrap(), bits.end()), (1, Ok(())));
        assert!(bits.symbol(&codes).unwrap_err().contains("middle"));
        for wrong in [counts(&[(1, 2)]), counts(&[(1, 1), (2, 2)]), counts(&[(3, 8)]), counts(&[(16, 255)])] {
            let values = &[0; 9];
            assert!(Codes::new(&wrong, values).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn stuffed_zeros_are_no_data() {
        let (mut bits, length) = Bits::up_to_marker(&[0xff, 0, 0x12, 0xff, 0xff, 0xd0]).unwrap();
        assert_eq!((bits.take(16).unwrap(), length), (0xff12, 3));
        assert_eq!(bits.end(), Ok(()));
        let (bits, _) = Bits::up_to_marker(&[1, 2, 0xff, 0xd9]).unwrap();
        assert!(bits.end().unwrap_err().starts_with("2 bytes"));
        for endless in [&[1, 2][..], &[1, 0xff], &[0xff, 0], &[]] {
            assert!(Bits::up_to_marker(endless).is_none(), "{endless:?}");
        }
    }
}
