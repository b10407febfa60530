//! The bring-up kit of cores that have one: quads without a stream, a CRC of the results, a measure of memory, captured requests.
//!
//! ```
//! use tmu_driver::{Bus, Error, Texture, Tmu, bring_up::Walk};
//!
//! # fn light<B: Bus>(tmu: &mut Tmu<B>, texture: &Texture) -> Result<(), Error<B::Error>> {
//! tmu.bring_up_take(0)?;
//! tmu.bring_up_start(&texture.words(), &Walk::scan([64, 64], 1024, 32))?;
//! tmu.bring_up_wait()?;
//! let report = tmu.bring_up_report()?;
//! assert_eq!(report.crc, 0x1234_5678, "{report:?}"); // as `tmugen bringup` prints it
//! # Ok(())
//! # }
//! ```

use crate::{Bus, Error, MAX_POLLS, Tmu, registers as map};
use core::fmt;

/// Quads that the kit sends. Numbers are s16.16: 65536 is the full extent of the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// Quads anywhere; `first` seeds them and must not be 0.
    pub is_random: bool,
    /// Valid bits of each quad.
    pub valid: u8,
    /// Number of quads.
    pub quads: u32,
    /// Quads of a row, at least 1.
    pub row_quads: u16,
    /// u and v of the first pixel.
    pub first: [u32; 2],
    /// How u and v change from a pixel to the one on its right.
    pub across: [i32; 2],
    /// How they change from a pixel to the one below.
    pub down: [i32; 2],
}

impl Walk {
    /// Steps of a texel in a texture with sides of so many texels.
    const fn steps([width, height]: [u32; 2]) -> [i32; 2] {
        [0x1_0000 / width as i32, 0x1_0000 / height as i32]
    }

    const fn of(size: [u32; 2], across: [i32; 2], down: [i32; 2], quads: u32, row_quads: u16) -> Walk {
        let [u, v] = Walk::steps(size);
        let first = [(u / 2) as u32, (v / 2) as u32];
        Walk { is_random: false, valid: 0xf, quads, row_quads, first, across, down }
    }

    /// One texel again and again. Sides must not be 0.
    pub const fn constant(size: [u32; 2], quads: u32, row_quads: u16) -> Walk {
        Walk::of(size, [0, 0], [0, 0], quads, row_quads)
    }

    /// Rows of the texture, a texel a pixel.
    pub const fn scan(size: [u32; 2], quads: u32, row_quads: u16) -> Walk {
        let [u, v] = Walk::steps(size);
        Walk::of(size, [u, 0], [0, v], quads, row_quads)
    }

    /// Turned by 90 degrees.
    pub const fn turned(size: [u32; 2], quads: u32, row_quads: u16) -> Walk {
        let [u, v] = Walk::steps(size);
        Walk::of(size, [0, v], [-u, 0], quads, row_quads)
    }

    /// Turned by the angle of the triangle with sides 3, 4 and 5.
    pub const fn rotated(size: [u32; 2], quads: u32, row_quads: u16) -> Walk {
        let [u, v] = Walk::steps(size);
        Walk::of(size, [4 * u / 5, 3 * v / 5], [-3 * u / 5, 4 * v / 5], quads, row_quads)
    }

    /// Quads anywhere.
    pub const fn random(size: [u32; 2], quads: u32, row_quads: u16) -> Walk {
        Walk { is_random: true, first: [0x9e37_79b9, 0x243f_6a88], ..Walk::scan(size, quads, row_quads) }
    }
}

/// What the kit says of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// CRC-32 of the results.
    pub crc: u32,
    /// Results, and those of them that have the error bit.
    pub results: u32,
    /// Results that have the error bit.
    pub failed: u32,
    /// Clocks of `tmu_aclk` from the start to the last result.
    pub clocks: u32,
    /// Reads whose latency was measured.
    pub reads: u32,
    /// The least latency in clocks of `tmu_aclk`, the memory port included.
    pub least_latency: u32,
    /// The most.
    pub most_latency: u32,
    /// The sum; see [`Report::mean_latency`].
    pub latency_sum: u32,
    /// Lines of 16 bytes that came from memory.
    pub lines: u32,
    /// Clocks in which lines were to come.
    pub waiting: u32,
}

impl Report {
    /// The mean latency, rounded up; 0 if nothing was read.
    pub const fn mean_latency(&self) -> u32 {
        if self.reads == 0 { 0 } else { self.latency_sum.div_ceil(self.reads) }
    }

    /// Bytes a thousand clocks in which lines were to come.
    pub const fn bytes_per_1000_clocks(&self) -> u32 {
        if self.waiting == 0 { 0 } else { (self.lines as u64 * 16_000 / self.waiting as u64) as u32 }
    }
}

/// What hides a latency: keys of a configuration with a prefetching cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// `axi.outstanding_reads`.
    pub outstanding_reads: u32,
    /// `cache.queue_depth`.
    pub queue_depth: u32,
}

/// Clocks of a latency that the memory port takes, and not memory; with several blocking units, which take turns, it is one more.
pub const PORT_CLOCKS: u32 = 3;

/// What hides a latency that the kit has measured, beside so many units and with `datapath.pixels_per_clock` (1 or 4).
pub const fn needs(measured_clocks: u32, units: u32, pixels_per_clock: u32) -> Needs {
    let latency = measured_clocks.saturating_sub(PORT_CLOCKS);
    // Clocks from a tile to the next, as memory gives them and as a row of quads asks for them.
    let (memory_every, asked_every) = (4 * units, 8 / pixels_per_clock);
    let every = if memory_every > asked_every { memory_every } else { asked_every };
    let behind = (512 / pixels_per_clock * (every - asked_every)).div_ceil(asked_every);
    let waits = latency + memory_every + behind + 23;
    let least = if waits < 64 { 64 } else { waits };
    Needs {
        outstanding_reads: 4 + (latency + memory_every + 11).div_ceil(every),
        queue_depth: least.next_power_of_two(),
    }
}

impl<B: Bus> Tmu<B> {
    fn bring_up_status(&mut self, mask: u32) -> Result<bool, Error<B::Error>> {
        Ok(self.bus.read(map::BRING_UP_STATUS)? & mask != 0)
    }

    fn bring_up_until(&mut self, mask: u32, is: bool) -> Result<(), Error<B::Error>> {
        for _ in 0..MAX_POLLS {
            if self.bring_up_status(mask)? == is {
                return Ok(());
            }
        }
        Err(Error::Time)
    }

    /// Takes a unit from its stream, whose packets wait, once it has answered what it has.
    ///
    /// # Errors
    /// If there is no such unit, or its results are not taken, or the kit is at work, or the platform fails.
    pub fn bring_up_take(&mut self, unit: u32) -> Result<(), Error<B::Error>> {
        self.check_unit(unit)?;
        if self.bring_up_status(map::BRING_UP_STATUS_BUSY_MASK)? {
            return Err(Error::Busy);
        }
        self.bus.write(map::BRING_UP_UNIT, unit)?;
        self.bus.write(map::BRING_UP_TAKE, 1)?;
        self.bring_up_until(map::BRING_UP_STATUS_OWNS_MASK, true)
    }

    /// Gives the unit back. What is bound is the kit's: the stream goes on with a binding.
    ///
    /// # Errors
    /// If the kit is at work, or the platform fails.
    pub fn bring_up_give_back(&mut self) -> Result<(), Error<B::Error>> {
        if self.bring_up_status(map::BRING_UP_STATUS_BUSY_MASK)? {
            return Err(Error::Busy);
        }
        self.bus.write(map::BRING_UP_TAKE, 0)?;
        self.bring_up_until(map::BRING_UP_STATUS_OWNS_MASK, false)
    }

    /// Starts a run with a binding of these words and quads of a walk. The unit must be the kit's.
    ///
    /// # Errors
    /// If the kit is at work, or the platform fails.
    pub fn bring_up_start(&mut self, binding: &[u32], walk: &Walk) -> Result<(), Error<B::Error>> {
        if self.bring_up_status(map::BRING_UP_STATUS_BUSY_MASK)? {
            return Err(Error::Busy);
        }
        for (number, word) in binding.iter().enumerate() {
            self.bus.write(map::BRING_UP_BINDING_0 + 4 * number as u32, *word)?;
        }
        let pattern = u32::from(walk.is_random) << map::BRING_UP_PATTERN_RANDOM_SHIFT
            | u32::from(walk.valid & 0xf) << map::BRING_UP_PATTERN_VALID_SHIFT;
        for (register, value) in [
            (map::BRING_UP_PATTERN, pattern),
            (map::BRING_UP_QUADS, walk.quads),
            (map::BRING_UP_ROW, walk.row_quads.into()),
            (map::BRING_UP_U, walk.first[0]),
            (map::BRING_UP_V, walk.first[1]),
            (map::BRING_UP_U_ACROSS, walk.across[0].cast_unsigned()),
            (map::BRING_UP_V_ACROSS, walk.across[1].cast_unsigned()),
            (map::BRING_UP_U_DOWN, walk.down[0].cast_unsigned()),
            (map::BRING_UP_V_DOWN, walk.down[1].cast_unsigned()),
            (map::BRING_UP_CONTROL, map::BRING_UP_CONTROL_START_MASK),
        ] {
            self.bus.write(register, value)?;
        }
        Ok(())
    }

    /// Waits for the end of a run.
    ///
    /// # Errors
    /// If it does not end, or the platform fails.
    pub fn bring_up_wait(&mut self) -> Result<(), Error<B::Error>> {
        self.bring_up_until(map::BRING_UP_STATUS_BUSY_MASK, false)
    }

    /// Sends no further quads; [`Tmu::bring_up_wait`] waits for the results of those that were sent.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn bring_up_stop(&mut self) -> Result<(), Error<B::Error>> {
        Ok(self.bus.write(map::BRING_UP_CONTROL, map::BRING_UP_CONTROL_STOP_MASK)?)
    }

    /// What the kit says of the last run.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn bring_up_report(&mut self) -> Result<Report, Error<B::Error>> {
        let latency = self.bus.read(map::BRING_UP_LATENCY)?;
        Ok(Report {
            crc: self.bus.read(map::BRING_UP_CRC)?,
            results: self.bus.read(map::BRING_UP_RESULTS)?,
            failed: self.bus.read(map::BRING_UP_FAILED)?,
            clocks: self.bus.read(map::BRING_UP_CLOCKS)?,
            reads: self.bus.read(map::BRING_UP_READS)?,
            least_latency: latency & map::BRING_UP_LATENCY_LEAST_MASK,
            most_latency: latency >> map::BRING_UP_LATENCY_MOST_SHIFT,
            latency_sum: self.bus.read(map::BRING_UP_LATENCY_SUM)?,
            lines: self.bus.read(map::BRING_UP_LINES)?,
            waiting: self.bus.read(map::BRING_UP_WAITING)?,
        })
    }

    /// Forgets what was captured and captures the requests of a unit, from its next binding on until the memory is full, and what
    /// the unit reads from memory for them.
    ///
    /// # Errors
    /// If there is no such unit, or the kit is at work, or the platform fails.
    pub fn bring_up_capture(&mut self, unit: u32) -> Result<(), Error<B::Error>> {
        self.check_unit(unit)?;
        if self.bring_up_status(map::BRING_UP_STATUS_BUSY_MASK)? {
            return Err(Error::Busy);
        }
        self.bus.write(map::BRING_UP_UNIT, unit)?;
        Ok(self.bus.write(map::BRING_UP_CONTROL, map::BRING_UP_CONTROL_CAPTURE_MASK)?)
    }

    /// Beats that were captured so far.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn bring_up_captured(&mut self) -> Result<u32, Error<B::Error>> {
        Ok(self.bus.read(map::BRING_UP_CAPTURED)? & map::BRING_UP_CAPTURED_BEATS_MASK)
    }

    /// A word of a captured beat: `tdata` from bit 0 up, directly above it `tuser`, above it `tlast`.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn bring_up_word(&mut self, beat: u32, word: u32) -> Result<u32, Error<B::Error>> {
        let place = beat << map::BRING_UP_PLACE_BEAT_SHIFT | word << map::BRING_UP_PLACE_WORD_SHIFT;
        self.bus.write(map::BRING_UP_PLACE, place)?;
        Ok(self.bus.read(map::BRING_UP_DATA)?)
    }

    /// Reads from memory that were captured so far, from the binding on: no more than the kit holds, and none if a quad was under way
    /// when the binding came.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn bring_up_captured_reads(&mut self) -> Result<u32, Error<B::Error>> {
        let captured = self.bus.read(map::BRING_UP_CAPTURED_READS)?;
        Ok(captured & map::BRING_UP_CAPTURED_READS_READS_MASK)
    }

    /// A captured read: its first line, counted in 16 bytes from the start of the texture window, and how many lines.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn bring_up_read(&mut self, number: u32) -> Result<[u32; 2], Error<B::Error>> {
        self.bus.write(map::BRING_UP_PLACE, number << map::BRING_UP_PLACE_BEAT_SHIFT)?;
        let read = self.bus.read(map::BRING_UP_READ)?;
        let more = (read & map::BRING_UP_READ_MORE_MASK) >> map::BRING_UP_READ_MORE_SHIFT;
        Ok([read & map::BRING_UP_READ_LINE_MASK, more + 1])
    }

    /// Writes a capture as `tmugen sim --replay` reads it, for request streams whose `tdata` has so many bits. A packet whose end was
    /// not captured is left out. Memory is up to the caller: a line like `memory 0x00000000 coffee.bin`.
    ///
    /// # Errors
    /// If the platform fails, or `out` does.
    pub fn bring_up_write_capture<W: fmt::Write>(
        &mut self,
        tdata_bits: u32,
        out: &mut W,
    ) -> Result<(), Error<B::Error>> {
        let mut beats = self.bring_up_captured()?;
        while beats > 0 && !self.captured_bit(beats - 1, tdata_bits + 1)? {
            beats -= 1;
        }
        write!(out, "tmugen requests 1\ntdata {tdata_bits}").map_err(|_| Error::Output)?;
        let mut begins = true;
        for beat in 0..beats {
            if begins {
                let kind = if self.captured_bit(beat, tdata_bits)? { "binding" } else { "quad" };
                write!(out, "\n{kind}").map_err(|_| Error::Output)?;
            }
            out.write_char(' ').map_err(|_| Error::Output)?;
            for byte in (0..tdata_bits / 8).rev() {
                let value = self.bring_up_word(beat, byte / 4)? >> (8 * (byte % 4)) & 0xff;
                write!(out, "{value:02x}").map_err(|_| Error::Output)?;
            }
            begins = self.captured_bit(beat, tdata_bits + 1)?;
        }
        for number in 0..self.bring_up_captured_reads()? {
            let [line, lines] = self.bring_up_read(number)?;
            write!(out, "\nread 0x{:08x} {lines}", 16 * line).map_err(|_| Error::Output)?;
        }
        out.write_char('\n').map_err(|_| Error::Output)
    }

    /// A bit of a captured beat, `tuser` and `tlast` above `tdata`.
    fn captured_bit(&mut self, beat: u32, bit: u32) -> Result<bool, Error<B::Error>> {
        Ok(self.bring_up_word(beat, bit / 32)? >> (bit % 32) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_those_of_the_reference() {
        let of = |latency, units, pixels| {
            let Needs { outstanding_reads, queue_depth } = needs(latency + PORT_CLOCKS, units, pixels);
            [outstanding_reads, queue_depth]
        };
        // As the table in docs/book/how-to/first-light.md.
        assert_eq!(
            [of(200, 1, 1), of(200, 1, 4), of(400, 1, 4), of(200, 4, 1)],
            [[31, 256], [58, 512], [108, 1024], [19, 1024]]
        );
    }

    #[test]
    fn a_report_of_nothing_has_no_mean() {
        let report = Report { reads: 3, latency_sum: 100, lines: 50, waiting: 100, ..Report::default() };
        assert_eq!([report.mean_latency(), report.bytes_per_1000_clocks()], [34, 8000]);
        assert_eq!([Report::default().mean_latency(), Report::default().bytes_per_1000_clocks()], [0, 0]);
    }
}
