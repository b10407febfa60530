//! Driver of texture units, without `std` and without dependencies.
//!
//! A [`Tmu`] makes bindings and quads into beats of the request stream, takes results apart, and knows the control
//! port. How beats reach the core and registers are accessed is the platform's matter: it implements [`Bus`]. Calls
//! never wait but for the core's own commands ([`Tmu::invalidate`], [`Tmu::soft_reset`]), and for those only for
//! a number of polls. The driver allocates nothing. `drivers/c` is the same in C. [`general`] is for cores of the general
//! numerics, [`mesh`] for the mesh engine, [`pixel`] for frames of the pixel pipeline, [`bring_up`] for cores with a bring-up kit.
//!
//! ```
//! use tmu_driver::{Bus, Error, Quad, Texture, Tmu};
//!
//! # fn draw<B: Bus>(bus: B, texture: &Texture, quads: &[Quad]) -> Result<(), Error<B::Error>> {
//! let mut tmu = Tmu::open(bus)?;
//! while !tmu.bind(0, texture)? {}
//! let (mut queued, mut collected) = (0, 0);
//! while collected < quads.len() {
//!     if queued < quads.len() && tmu.queue(0, &quads[queued])? {
//!         queued += 1;
//!     }
//!     while let Some(result) = tmu.collect(0)? {
//!         assert!(!result.error, "{:?}", tmu.errors()?);
//!         collected += 1;
//!     }
//! }
//! # Ok(())
//! # }
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod beat;
pub mod bring_up;
pub mod binding;
pub mod engine;
mod formats;
pub mod general;
pub mod loader;
pub mod mesh;
pub mod pixel;
pub mod registers;
mod state;
mod texture;

pub use beat::{Beat, Quad, QuadResult, RESULT_WORDS, ResultBeat};
pub use binding::BEAT_BYTES;
pub use formats::Format;
pub use general::codes::AddressMode;
pub use state::{Capabilities, Counters, Errors};
pub use texture::{Refusal, Texture};

/// Polls of the status after which a command is given up.
const MAX_POLLS: u32 = 1_000_000;

/// What the platform does for the driver.
pub trait Bus {
    /// How an access fails.
    type Error;

    /// Reads a register, by its byte address from the start of the control port.
    ///
    /// # Errors
    /// If the access fails.
    fn read(&mut self, address: u32) -> Result<u32, Self::Error>;

    /// Writes a register.
    ///
    /// # Errors
    /// If the access fails.
    fn write(&mut self, address: u32, value: u32) -> Result<(), Self::Error>;

    /// Takes all beats of a packet and returns true, or none and returns false.
    ///
    /// # Errors
    /// If the stream is broken.
    fn send(&mut self, unit: u32, beats: &[Beat]) -> Result<bool, Self::Error>;

    /// The oldest result of a unit that was not given yet.
    ///
    /// # Errors
    /// If the stream is broken.
    fn receive(&mut self, unit: u32) -> Result<Option<ResultBeat>, Self::Error>;
}

/// Why a call did nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// The platform failed.
    Bus(E),
    /// No texture unit answers; this is what its identity reads.
    Identity(u32),
    /// The core has no unit of that number.
    Unit(u32),
    /// The core would refuse the binding.
    Refused(Refusal),
    /// The texture window must begin at a multiple of 4096 bytes.
    Window(u64),
    /// A command did not end: is `tmu_aclk` running?
    Time,
    /// The core was built without counters.
    NoCounters,
    /// The bring-up kit is at work, or entries of a parameter store are being written.
    Busy,
    /// The word given to [`Tmu::open_general`] is not this core's.
    Built(u32),
    /// The operation of a quad is not built, or the component of a `gather` is over 3.
    Operation,
    /// What was captured could not be written.
    Output,
}

impl<E> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Error::Bus(error)
    }
}

/// A core, through a platform's bus.
#[derive(Debug)]
pub struct Tmu<B> {
    bus: B,
    capabilities: Capabilities,
    /// 0 unless it was opened as a core of the general numerics.
    built: general::Built,
}

impl<B: Bus> Tmu<B> {
    /// Looks whether a core answers, and what it was built to do.
    ///
    /// # Errors
    /// If no core answers.
    pub fn open(mut bus: B) -> Result<Self, Error<B::Error>> {
        let id = bus.read(registers::ID)?;
        if id != registers::ID_VALUE {
            return Err(Error::Identity(id));
        }
        let capabilities = Capabilities::from_registers(
            bus.read(registers::CAPABILITIES)?,
            bus.read(registers::FORMATS_LOW)?,
            bus.read(registers::FORMATS_HIGH)?,
        );
        Ok(Self { bus, capabilities, built: general::Built::from_word(0) })
    }

    /// What the core was built to do.
    pub const fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// The platform's side.
    pub const fn bus(&mut self) -> &mut B {
        &mut self.bus
    }

    fn check_unit(&self, unit: u32) -> Result<(), Error<B::Error>> {
        if unit < self.capabilities.units() { Ok(()) } else { Err(Error::Unit(unit)) }
    }

    /// Queues a binding, which holds for all quads behind it. False: the stream is full, try again.
    ///
    /// # Errors
    /// If the core would refuse it; nothing is sent then.
    pub fn bind(&mut self, unit: u32, texture: &Texture) -> Result<bool, Error<B::Error>> {
        self.check_unit(unit)?;
        texture.check(self.capabilities).map_err(Error::Refused)?;
        Ok(self.bus.send(unit, &texture.to_beats())?)
    }

    /// Queues a quad. False: the stream is full; collect results, then try again.
    ///
    /// # Errors
    /// If there is no such unit, or the platform fails.
    pub fn queue(&mut self, unit: u32, quad: &Quad) -> Result<bool, Error<B::Error>> {
        self.check_unit(unit)?;
        let count = self.capabilities.beats_per_quad();
        Ok(self.bus.send(unit, &quad.to_beats(count)[..count])?)
    }

    /// The oldest result that was not collected. Results come in the order of the quads.
    ///
    /// # Errors
    /// If there is no such unit, or the platform fails.
    pub fn collect(&mut self, unit: u32) -> Result<Option<QuadResult>, Error<B::Error>> {
        self.check_unit(unit)?;
        Ok(self.bus.receive(unit)?.map(QuadResult::from_beat))
    }

    /// Gives a command and waits for its end.
    fn command(&mut self, control: u32, status: u32) -> Result<(), Error<B::Error>> {
        self.bus.write(registers::CONTROL, control)?;
        for _ in 0..MAX_POLLS {
            if self.bus.read(registers::STATUS)? & status == 0 {
                return Ok(());
            }
        }
        Err(Error::Time)
    }

    /// Drops what every cache holds, after textures have changed in memory. No quad may be in flight that needs the
    /// old ones.
    ///
    /// # Errors
    /// If the command does not end, or the platform fails.
    pub fn invalidate(&mut self) -> Result<(), Error<B::Error>> {
        self.command(registers::CONTROL_CACHE_INVALIDATE_MASK, registers::STATUS_CACHE_INVALIDATE_MASK)
    }

    /// Empties the units. The platform must have stopped sending, and drops results that it still holds.
    ///
    /// # Errors
    /// If the command does not end, or the platform fails.
    pub fn soft_reset(&mut self) -> Result<(), Error<B::Error>> {
        self.command(registers::CONTROL_SOFT_RESET_MASK, registers::STATUS_SOFT_RESET_MASK)
    }

    /// Says where the texture window lies in memory. Nothing may be in flight. The caches are emptied.
    ///
    /// # Errors
    /// If the base is no multiple of 4096, or as [`Tmu::invalidate`].
    pub fn set_window(&mut self, base: u64) -> Result<(), Error<B::Error>> {
        if !base.is_multiple_of(4096) {
            return Err(Error::Window(base));
        }
        self.bus.write(registers::WINDOW_BASE_LOW, base as u32)?;
        self.bus.write(registers::WINDOW_BASE_HIGH, (base >> 32) as u32)?;
        self.invalidate()
    }

    /// What a unit has counted.
    ///
    /// # Errors
    /// If the core has no counters, or no such unit, or the platform fails.
    pub fn counters(&mut self, unit: u32) -> Result<Counters, Error<B::Error>> {
        self.check_unit(unit)?;
        if !self.capabilities.has_counters() {
            return Err(Error::NoCounters);
        }
        let first = registers::UNIT_BASE + unit * registers::UNIT_STRIDE;
        let mut read = |offset: u32| self.bus.read(first + offset);
        Ok(Counters {
            quads: read(registers::UNIT_QUADS)?,
            valid_pixels: read(registers::UNIT_VALID_PIXELS)?,
            line_lookups: read(registers::UNIT_LINE_LOOKUPS)?,
            line_repeats: read(registers::UNIT_LINE_REPEATS)?,
            hits: read(registers::UNIT_HITS)?,
            misses: read(registers::UNIT_MISSES)?,
            memory_beats: read(registers::UNIT_MEMORY_BEATS)?,
            stall_cycles: read(registers::UNIT_STALL_CYCLES)?,
            dropped_packets: read(registers::UNIT_DROPPED_PACKETS)?,
        })
    }

    /// What went wrong since it was last cleared.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn errors(&mut self) -> Result<Errors, Error<B::Error>> {
        let flags = self.bus.read(registers::ERROR)?;
        let low = self.bus.read(registers::ERROR_ADDRESS_LOW)?;
        let high = self.bus.read(registers::ERROR_ADDRESS_HIGH)?;
        Ok(Errors { flags, address: u64::from(high) << 32 | u64::from(low) })
    }

    /// Forgets what went wrong.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn clear_errors(&mut self) -> Result<(), Error<B::Error>> {
        Ok(self.bus.write(registers::ERROR, u32::MAX)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers that always read the same.
    struct Fixed {
        id: u32,
        capabilities: u32,
        status: u32,
    }

    impl Bus for Fixed {
        type Error = ();

        fn read(&mut self, address: u32) -> Result<u32, ()> {
            match address {
                registers::ID => Ok(self.id),
                registers::STATUS => Ok(self.status),
                registers::CAPABILITIES => Ok(self.capabilities),
                registers::FORMATS_LOW | registers::FORMATS_HIGH => Ok(0),
                _ => Err(()),
            }
        }

        fn write(&mut self, _: u32, _: u32) -> Result<(), ()> {
            Ok(())
        }

        fn send(&mut self, _: u32, _: &[Beat]) -> Result<bool, ()> {
            Ok(true)
        }

        fn receive(&mut self, _: u32) -> Result<Option<ResultBeat>, ()> {
            Ok(None)
        }
    }

    #[test]
    fn something_else_is_no_texture_unit() {
        let open = |id| Tmu::open(Fixed { id, capabilities: 0, status: 0 }).map(|_| ());
        assert_eq!(open(0xffff_ffff), Err(Error::Identity(0xffff_ffff)));
        assert_eq!(open(registers::ID_VALUE), Ok(()));
    }

    #[test]
    fn a_command_that_does_not_end_is_given_up() {
        let mut stuck = Tmu::open(Fixed { id: registers::ID_VALUE, capabilities: 0, status: 3 }).unwrap();
        assert_eq!(stuck.invalidate(), Err(Error::Time));
        assert_eq!(stuck.soft_reset(), Err(Error::Time));
        assert_eq!(stuck.set_window(4095), Err(Error::Window(4095)));
    }

    #[test]
    fn what_a_core_does_not_have_is_an_error() {
        // One unit and nothing else.
        let mut least = Tmu::open(Fixed { id: registers::ID_VALUE, capabilities: 0, status: 0 }).unwrap();
        assert_eq!(least.queue(1, &Quad::default()), Err(Error::Unit(1)));
        assert_eq!(least.collect(1), Err(Error::Unit(1)));
        assert_eq!(least.counters(0), Err(Error::NoCounters));
        assert_eq!(least.errors(), Err(Error::Bus(())));
        let texture = Texture {
            base: 0,
            format: Format::Rgba8,
            width_log2: 0,
            height_log2: 0,
            max_lod: 0,
            bilinear: false,
            mipmapped: false,
            address_u: AddressMode::Wrap,
            address_v: AddressMode::Wrap,
            drop_cache: false,
        };
        assert_eq!(least.bind(0, &texture), Err(Error::Refused(Refusal::Format)));
        let capabilities = registers::CAPABILITIES_GENERAL_MASK;
        let mut general = Tmu::open(Fixed { id: registers::ID_VALUE, capabilities, status: 0 }).unwrap();
        assert_eq!(general.bind(0, &texture), Err(Error::Refused(Refusal::Numerics)));
    }

    #[test]
    fn a_core_of_the_general_numerics_is_told_what_it_is() {
        let wrap = 1 << registers::CAPABILITIES_ADDRESS_MODES_SHIFT;
        let open = |capabilities, built| {
            let fixed = Fixed { id: registers::ID_VALUE, capabilities, status: 0 };
            Tmu::open_general(fixed, built).map(|tmu| tmu.built().word())
        };
        let (core, built) = (registers::CAPABILITIES_GENERAL_MASK | wrap, 1 << 10 | 0b10);
        assert_eq!(open(core, built), Ok(built));
        assert_eq!(open(wrap, built), Err(Error::Built(built)));
        assert_eq!(open(core, 0), Err(Error::Built(0)));
        // Clamp is another core's.
        assert_eq!(open(core, 3 << 10), Err(Error::Built(3 << 10)));
        // One opened as any core takes no binding of the general numerics, nor one of the classic ones.
        let fixed = Fixed { id: registers::ID_VALUE, capabilities: core, status: 0 };
        let mut tmu = Tmu::open(fixed).unwrap();
        let texture = general::Texture::new(Format::Rgba8, [4, 4]);
        let refused = Err(Error::Refused(Refusal::Numerics));
        assert_eq!(tmu.bind_general(0, &texture, &general::Sampler::default()), refused);
        assert_eq!(tmu.queue_general(0, &general::Quad::new([general::Pixel::default(); 4])), refused);
    }
}
