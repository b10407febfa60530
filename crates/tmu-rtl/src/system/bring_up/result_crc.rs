//! `result_crc`: CRC-32 of the results of a unit, as Ethernet, zlib and PNG have it.
//!
//! Of each result the bytes of `tdata` from bit 0 up, then a byte with `tuser`. A CRC is linear: what a result adds to it and what becomes
//! of the CRC so far are found apart, the former ahead of time.
//!
//! Latency 4 clocks from a result to `crc`. Initiation interval 1.

use tmu_hdl::prelude::*;
use tmu_spec::Config;

use crate::datapath::general::result::result_bits;

/// Bits of the CRC.
const CRC_BITS: usize = 32;
/// The polynomial, lowest power in the highest bit.
const POLYNOMIAL: u32 = 0xedb8_8320;
/// Bits that are added up in a clock. Tools share parts of such sums, and do not always find the two levels that would do.
const SUM_BITS: usize = 18;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ResultCrc {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Begins anew.
    pub clear: Net<In>,
    /// A result.
    pub valid: Net<In>,
    /// Its colours, and the valid bits and the error bit above.
    pub result: Net<In>,
    /// CRC of all results so far.
    pub crc: Net<Out>,
    parts: Vec<Reg>,
    has_parts: Reg,
    addend: Reg,
    has_addend: Reg,
    state: Reg,
    _result_bytes: usize,
}

impl ResultCrc {
    /// For the results of a configuration.
    pub fn new(config: &Config) -> ResultCrc {
        let clocks = Clocks::new();
        let bits = result_bits(config);
        let result_bytes = bits.div_ceil(8);
        let parts: usize = terms(bits, result_bytes).iter().map(|terms| terms.len().div_ceil(SUM_BITS)).sum();
        ResultCrc {
            clear: Net::bit(),
            valid: Net::bit(),
            result: Net::new(bits),
            crc: Net::new(CRC_BITS),
            parts: (0..parts).map(|_| Reg::new(&clocks, 1)).collect(),
            has_parts: Reg::with_reset(&clocks, 1, 0),
            addend: Reg::new(&clocks, CRC_BITS),
            has_addend: Reg::with_reset(&clocks, 1, 0),
            state: Reg::with_reset(&clocks, CRC_BITS, u128::from(u32::MAX)),
            clocks,
            _result_bytes: result_bytes,
        }
    }
}

/// The register of the CRC after some bytes.
fn after(state: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(state, |state, byte| {
        (0..8).fold(state ^ u32::from(*byte), |state, _| {
            (state >> 1) ^ if state & 1 == 1 { POLYNOMIAL } else { 0 }
        })
    })
}

/// For each bit of the CRC the bits of a result that it adds up.
fn terms(result_bits: usize, result_bytes: usize) -> Vec<Vec<usize>> {
    let of_bit = |bit: usize| {
        let mut bytes = vec![0; result_bytes];
        bytes[bit / 8] = 1 << (bit % 8);
        after(0, &bytes)
    };
    transposed((0..result_bits).map(of_bit))
}

/// For each bit of the CRC the bits of the CRC before that it adds up.
fn own_terms(result_bytes: usize) -> Vec<Vec<usize>> {
    transposed((0..CRC_BITS).map(|bit| after(1 << bit, &vec![0; result_bytes])))
}

/// From what each input adds to the inputs that each bit adds up.
fn transposed(inputs: impl Iterator<Item = u32>) -> Vec<Vec<usize>> {
    let inputs: Vec<u32> = inputs.collect();
    let of_bit = |bit: usize| (0..inputs.len()).filter(|input| inputs[*input] >> bit & 1 == 1).collect();
    (0..CRC_BITS).map(of_bit).collect()
}

/// The sum of some bits of a word.
#[kernel]
fn sum(word: Bits, bits: &[usize]) -> Bits {
    let chosen: Vec<Bits> = bits.iter().map(|bit| word.bit(*bit)).collect();
    cat(&chosen).parity()
}

/// CRC-32 of results.
#[kernel]
impl ResultCrc {
    fn logic(&self) {
        timing(4, 1);
        /// # What a result adds
        let result = self.result.val();
        let mut part = 0;
        let mut sums = vec![];
        for bits in terms(result.width(), self._result_bytes) {
            let mut own = vec![];
            for some in bits.chunks(SUM_BITS) {
                self.parts[part].next = sum(result, some);
                own.push(self.parts[part].val());
                part += 1;
            }
            sums.push(cat(&own).parity());
        }
        sums.reverse();
        self.has_parts.next = self.valid.val() && !self.clear.val();
        self.addend.next = cat(&sums);
        self.has_addend.next = self.has_parts.val() && !self.clear.val();
        /// # The CRC so far
        let state = self.state.val();
        let mut moved: Vec<Bits> =
            own_terms(self._result_bytes).iter().map(|bits| sum(state, bits)).collect();
        moved.reverse();
        if self.clear.val() {
            self.state.next = u64::from(u32::MAX);
        } else if self.has_addend.val() {
            self.state.next = cat(&moved) ^ self.addend.val();
        }
        self.crc.next = !state;
    }
}
