//! The coefficients of one block: how far its codes go, and whether they fit.

use crate::jpeg::codes::{Bits, Codes};

/// The largest category of a difference of DC coefficients and of an AC coefficient at 8 bits a sample.
const MAX_DC_BITS: u8 = 11;
const MAX_AC_BITS: u8 = 10;

/// The difference of a DC coefficient.
pub(super) fn difference(bits: &mut Bits, codes: &Codes) -> Result<(), String> {
    let size = bits.symbol(codes)?;
    if size > MAX_DC_BITS {
        return Err("a coefficient is too large".to_owned());
    }
    bits.take(size.into()).map(drop)
}

type Band = std::ops::RangeInclusive<usize>;

/// AC coefficients of a block. Only progressive ones have `nonzero`, and runs of empty blocks.
pub(super) fn band(
    bits: &mut Bits,
    codes: &Codes,
    band: Band,
    mut nonzero: Option<&mut u64>,
    empty: &mut usize,
) -> Result<(), String> {
    if *empty > 0 {
        *empty -= 1;
        return Ok(());
    }
    let mut at = *band.start();
    while at <= *band.end() {
        let symbol = bits.symbol(codes)?;
        let (run, size) = (usize::from(symbol >> 4), symbol & 15);
        match (run, size) {
            (15, 0) => at += 15,
            (0, 0) => return Ok(()),
            (_, 0) if nonzero.is_some() => {
                *empty = (1 << run) - 1 + bits.take(run)?;
                return Ok(());
            }
            (_, 0) => return Err("a code means nothing".to_owned()),
            _ if size > MAX_AC_BITS => return Err("a coefficient is too large".to_owned()),
            _ => {
                at += run;
                bits.take(size.into())?;
                if let Some(nonzero) = nonzero.as_deref_mut().filter(|_| at < 64) {
                    *nonzero |= 1 << at;
                }
            }
        }
        if at > *band.end() {
            return Err("a block has too many coefficients".to_owned());
        }
        at += 1;
    }
    Ok(())
}

/// One more bit of the AC coefficients of a block that are not zero, and new ones.
pub(super) fn refined(
    bits: &mut Bits,
    codes: &Codes,
    band: Band,
    nonzero: &mut u64,
    empty: &mut usize,
) -> Result<(), String> {
    let mut at = *band.start();
    while *empty == 0 && at <= *band.end() {
        let symbol = bits.symbol(codes)?;
        let (mut run, is_new) = (usize::from(symbol >> 4), symbol & 15 == 1);
        match symbol & 15 {
            0 if run < 15 => {
                // This block is the first of the run.
                *empty = (1 << run) + bits.take(run)?;
                break;
            }
            0 => {}
            1 => drop(bits.take(1)?),
            _ => return Err("a coefficient is too large".to_owned()),
        }
        while at <= *band.end() {
            if *nonzero >> at & 1 == 1 {
                bits.take(1)?;
            } else if run == 0 {
                break;
            } else {
                run -= 1;
            }
            at += 1;
        }
        if at > *band.end() {
            return Err("a block has too many coefficients".to_owned());
        }
        *nonzero |= u64::from(is_new) << at;
        at += 1;
    }
    if *empty > 0 {
        let rest = (*nonzero & (u64::MAX >> (63 - *band.end()))) >> at;
        (0..rest.count_ones()).try_for_each(|_| bits.take(1).map(drop))?;
        *empty -= 1;
    }
    Ok(())
}
