//! Goes through a JPEG file block by block, without making texels of it, and refuses what a sound file never has.
//!
//! Contract: up to the end of the image every segment is as long as what is in it, every code means something, no block has
//! more coefficients than places, and every scan and every stretch between two restart markers has just the blocks that
//! the size of the picture asks for. So a change that leaves all that as it is cannot be found: JPEG files have no checksum.
//! A picture that is too large, or of a kind that the decoder does not know (arithmetic, lossless, 12 bits), is left to the
//! decoder to refuse.
//!
//! Cost: as long as decoding, about; for progressive files 8 bytes a block.

mod blocks;

use super::codes::{Bits, Codes};
use super::marker;
use crate::picture::MAX_DECODE_SIDE;
use blocks::{band, difference, refined};

/// Scans of a file: a fourteenth of what the standard allows, and far more than any program writes.
const MAX_SCANS: usize = 1000;

/// Whether a file is sound, as far as it can be known.
///
/// # Errors
/// What is wrong, and where.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(&[0xff, marker::SOI]) {
        return Err("it does not begin as a JPEG file".to_owned());
    }
    let mut walk = Walk { bytes, at: 2, ..Walk::default() };
    while walk.segment()? {}
    Ok(())
}

#[derive(Default)]
struct Walk<'b> {
    bytes: &'b [u8],
    at: usize,
    frame: Option<Frame>,
    /// Tables of DC and of AC coefficients.
    codes: [[Option<Codes>; 4]; 2],
    /// Whether there is a table of quantisation.
    has_steps: [bool; 4],
    /// Units between two restart markers; 0 for no markers.
    restart_units: usize,
    scans: usize,
}

/// The size of a picture and its components.
struct Frame {
    is_progressive: bool,
    width: usize,
    height: usize,
    components: Vec<Component>,
}

struct Component {
    id: u8,
    /// Blocks of a unit across and down.
    blocks: [usize; 2],
    steps: usize,
    /// Whether a scan has brought its DC coefficients.
    is_there: bool,
    /// Which coefficients of each block are not zero; empty before the first scan of AC coefficients.
    nonzero: Vec<u64>,
}

impl Frame {
    /// Units of a scan over all of some components.
    fn units(&self, components: &[usize]) -> usize {
        let largest = |axis: usize| self.components.iter().map(|one| one.blocks[axis]).max().unwrap_or(1);
        let of_axis = |texels: usize, axis: usize| match components {
            [alone] => (texels * self.components[*alone].blocks[axis]).div_ceil(largest(axis)).div_ceil(8),
            _ => texels.div_ceil(8 * largest(axis)),
        };
        of_axis(self.width, 0) * of_axis(self.height, 1)
    }
}

/// What a scan codes.
struct Scan {
    /// Each with its tables of DC and AC coefficients.
    components: Vec<(usize, [usize; 2])>,
    first: usize,
    last: usize,
    /// Whether it adds a bit to coefficients of earlier scans.
    refines: bool,
}

impl Walk<'_> {
    fn cut() -> String {
        "it ends before its end-of-image marker".to_owned()
    }

    /// Goes over a segment, with the scan behind it; false at the end of the image.
    fn segment(&mut self) -> Result<bool, String> {
        let rest = self.bytes.get(self.at..).ok_or_else(Self::cut)?;
        let fill = rest.iter().take_while(|byte| **byte == 0xff).count();
        let kind = *rest.get(fill).ok_or_else(Self::cut)?;
        if fill == 0 {
            return Err(format!("a marker should stand at byte {}", self.at));
        }
        let start = self.at;
        self.at += fill + 1;
        match kind {
            marker::EOI => return self.end().map(|()| false),
            marker::TEM => return Ok(true),
            marker::SOI | 0 | marker::RST0..=marker::RST7 => {
                return Err(format!("a marker stands at byte {start} that does not belong there"));
            }
            _ => {}
        }
        let rest = &self.bytes[self.at..];
        let length = rest.first_chunk().map(|bytes| usize::from(u16::from_be_bytes(*bytes)));
        let data = rest.get(2..length.ok_or_else(Self::cut)?).ok_or_else(Self::cut)?;
        self.at += data.len() + 2;
        let known = match kind {
            marker::SOF0..=marker::SOF2 => return self.frame(kind, data),
            marker::DHT => self.huffman_tables(data),
            marker::DQT => self.quantisation_tables(data),
            marker::DRI => <[u8; 2]>::try_from(data)
                .map(|units| self.restart_units = u16::from_be_bytes(units).into())
                .map_err(|_| "the restart interval has another length".to_owned()),
            marker::SOS => return self.scan(data).map(|()| true),
            // Left to the decoder.
            marker::SOF3..=marker::SOF15 => return Ok(false),
            _ => Ok(()),
        };
        known.map(|()| true).map_err(|wrong| format!("{wrong}, in the segment at byte {start}"))
    }

    fn quantisation_tables(&mut self, mut data: &[u8]) -> Result<(), String> {
        while let Some((kind, rest)) = data.split_first() {
            let (step_bytes, table) = (1 + usize::from(kind >> 4), usize::from(kind & 15));
            let steps = rest.get(..64 * step_bytes).filter(|_| step_bytes <= 2 && table < 4);
            let steps = steps.ok_or("a quantisation table is none")?;
            if steps.chunks(step_bytes).any(|step| step.iter().all(|byte| *byte == 0)) {
                return Err("a quantisation table has a step of 0".to_owned());
            }
            self.has_steps[table] = true;
            data = &rest[steps.len()..];
        }
        Ok(())
    }

    fn huffman_tables(&mut self, mut data: &[u8]) -> Result<(), String> {
        while let Some((kind, rest)) = data.split_first() {
            let (class, table) = (usize::from(kind >> 4), usize::from(kind & 15));
            let (counts, rest) = rest.split_first_chunk::<16>().ok_or("a Huffman table is cut short")?;
            let codes: usize = counts.iter().map(|count| usize::from(*count)).sum();
            let values = rest.get(..codes).ok_or("a Huffman table is cut short")?;
            let place = self.codes.get_mut(class).and_then(|tables| tables.get_mut(table));
            *place.ok_or("a Huffman table has no number")? = Some(Codes::new(counts, values)?);
            data = &rest[codes..];
        }
        Ok(())
    }

    /// Notes size and components; false if the decoder is to refuse the kind.
    fn frame(&mut self, kind: u8, data: &[u8]) -> Result<bool, String> {
        let wrong = || "the segment with the picture's size is damaged".to_owned();
        let ([bits, height @ .., w1, w0, count], components) =
            data.split_first_chunk::<6>().ok_or_else(wrong)?;
        let (width, height) = (u16::from_be_bytes([*w1, *w0]), u16::from_be_bytes(*height));
        if components.len() != 3 * usize::from(*count) || !(1..=4).contains(count) || self.frame.is_some() {
            return Err(wrong());
        }
        let is_too_large = u32::from(width.max(height)) > MAX_DECODE_SIDE;
        if *bits != 8 || width == 0 || height == 0 || is_too_large {
            return Ok(false);
        }
        let component = |data: &[u8]| Component {
            id: data[0],
            blocks: [data[1] >> 4, data[1] & 15].map(usize::from),
            steps: data[2].into(),
            is_there: false,
            nonzero: Vec::new(),
        };
        let components: Vec<_> = components.chunks(3).map(component).collect();
        let is_known =
            |one: &Component| one.blocks.iter().all(|blocks| (1..=4).contains(blocks)) && one.steps < 4;
        if !components.iter().all(is_known) {
            return Err(wrong());
        }
        let is_progressive = kind == marker::SOF2;
        self.frame = Some(Frame { is_progressive, width: width.into(), height: height.into(), components });
        Ok(true)
    }

    fn end(&self) -> Result<(), String> {
        match &self.frame {
            Some(frame) if frame.components.iter().all(|component| component.is_there) => Ok(()),
            _ => Err("it ends before all of its picture is there".to_owned()),
        }
    }

    /// What a scan's segment says.
    fn header(&self, data: &[u8]) -> Option<Scan> {
        let frame = self.frame.as_ref()?;
        let (count, data) = data.split_first()?;
        let (selectors, parameters) = data.split_at_checked(2 * usize::from(*count))?;
        let [first, last, bits] = *<&[u8; 3]>::try_from(parameters).ok()?;
        let component = |selector: &[u8]| {
            let found = frame.components.iter().position(|component| component.id == selector[0])?;
            let tables = [selector[1] >> 4, selector[1] & 15].map(usize::from);
            (tables.iter().all(|table| *table < 4) && self.has_steps[frame.components[found].steps])
                .then_some((found, tables))
        };
        let components: Vec<_> = selectors.chunks(2).map(component).collect::<Option<_>>()?;
        let (first, last, refines) = match frame.is_progressive {
            true => (first.into(), last.into(), bits >> 4 != 0),
            false => (0, 63, false),
        };
        let is_sequential = !frame.is_progressive;
        let has_band =
            is_sequential || (first == 0 && last == 0) || (0 < first && first <= last && last < 64);
        let has_components = matches!((components.len(), first), (1, _) | (2..=4, 0));
        (has_band && has_components).then_some(Scan { components, first, last, refines })
    }

    fn scan(&mut self, data: &[u8]) -> Result<(), String> {
        let scan = self.header(data).ok_or("the header of a scan is damaged")?;
        self.scans += 1;
        if self.scans > MAX_SCANS {
            return Err(format!("it has more than {MAX_SCANS} scans"));
        }
        let Some(mut frame) = self.frame.take() else { return Err("a scan has no picture".to_owned()) };
        let numbers: Vec<_> = scan.components.iter().map(|(component, _)| *component).collect();
        let units = frame.units(&numbers);
        for component in &numbers {
            let component = &mut frame.components[*component];
            component.is_there |= scan.first == 0;
            if frame.is_progressive && scan.first > 0 {
                component.nonzero.resize(units, 0);
            }
        }
        let (mut done, mut restarts) = (0, 0);
        while done < units {
            let most = if self.restart_units == 0 { units } else { self.restart_units };
            let next = units.min(done + most);
            let start = self.at;
            let (mut bits, length) =
                Bits::up_to_marker(&self.bytes[start..]).ok_or("it ends in the middle of its picture")?;
            let walked = self.stretch(&mut frame, &scan, &mut bits, done..next);
            walked.and_then(|()| bits.end()).map_err(|wrong| {
                format!("{wrong} in blocks of units {done} to {} of {units}, from byte {start} on", next - 1)
            })?;
            self.at += length;
            let is_full = next - done == self.restart_units;
            done = next;
            let expected = [0xff, marker::RST0 + restarts % 8];
            if self.bytes[self.at..].starts_with(&expected) && is_full {
                self.at += 2;
            } else if done < units {
                return Err(format!("a restart marker should stand at byte {}", self.at));
            }
            restarts = restarts.wrapping_add(1);
        }
        self.frame = Some(frame);
        Ok(())
    }

    /// Goes over the units between two markers.
    fn stretch(
        &self,
        frame: &mut Frame,
        scan: &Scan,
        bits: &mut Bits,
        units: std::ops::Range<usize>,
    ) -> Result<(), String> {
        let codes = |class: usize, table: usize| {
            self.codes[class][table].as_ref().ok_or("a scan has no Huffman table".to_owned())
        };
        // Blocks that the last run of empty ones still holds.
        let mut empty = 0;
        for unit in units {
            for (component, [dc, ac]) in &scan.components {
                let component = &mut frame.components[*component];
                let blocks = if scan.components.len() == 1 { 1 } else { component.blocks.iter().product() };
                for _ in 0..blocks {
                    match (frame.is_progressive, scan.first, scan.refines) {
                        (false, ..) => {
                            difference(bits, codes(0, *dc)?)?;
                            band(bits, codes(1, *ac)?, 1..=63, None, &mut 0)?;
                        }
                        (true, 0, false) => difference(bits, codes(0, *dc)?)?,
                        (true, 0, true) => drop(bits.take(1)?),
                        (true, first, false) => {
                            let nonzero = &mut component.nonzero[unit];
                            band(bits, codes(1, *ac)?, first..=scan.last, Some(nonzero), &mut empty)?;
                        }
                        (true, first, true) => {
                            let nonzero = &mut component.nonzero[unit];
                            refined(bits, codes(1, *ac)?, first..=scan.last, nonzero, &mut empty)?;
                        }
                    }
                }
            }
        }
        if empty == 0 { Ok(()) } else { Err("a run of empty blocks goes on".to_owned()) }
    }
}

#[cfg(test)]
mod tests;
