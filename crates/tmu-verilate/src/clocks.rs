//! Free-running clocks for a test bench that is written by hand.
//!
//! Contract: a bench looks at outputs in front of an edge and sets inputs behind it, as hardware does. So a step is two calls:
//! [`Clocks::advance`] stops in front of the next rising edges, [`Clocks::rise`] has them happen. Time is the instance's, in
//! picoseconds; half periods are counted in femtoseconds, so that 480 MHz stays 480 MHz.
//!
//! Cost: two evaluations for each rising edge.

use crate::error::{Error, Result};
use crate::instance::Instance;
use crate::model::{Model, PortId};
use crate::source::Direction;

const FS_PER_PS: u64 = 1000;
const FS_PER_US: u64 = 1_000_000_000;

/// The most clocks at a time.
const MAX_CLOCKS: usize = 32;

#[derive(Debug)]
struct Clock {
    port: PortId,
    mhz: u64,
    /// Edges that have been; the next one rises where it is even.
    edges: u64,
}

impl Clock {
    /// When the next edge is: the first one half a period after the start.
    const fn next_fs(&self) -> u64 {
        (self.edges + 1) * FS_PER_US / (2 * self.mhz)
    }

    const fn next_rises(&self) -> bool {
        self.edges.is_multiple_of(2)
    }
}

/// Clocks of one instance, without relation to each other but their frequencies.
#[derive(Debug)]
pub struct Clocks {
    clocks: Vec<Clock>,
    /// When those rise that are about to.
    rising_fs: Option<u64>,
}

impl Clocks {
    /// Clocks by their ports, with frequencies in MHz; all begin low.
    ///
    /// # Errors
    /// If one is no clock of the model, a frequency is 0, or there are more than 32.
    pub fn new(model: &Model, clocks: &[(&str, u32)]) -> Result<Self> {
        if clocks.is_empty() || clocks.len() > MAX_CLOCKS {
            return Err(Error::Usage(format!("{} clocks: 1 to {MAX_CLOCKS} can be driven", clocks.len())));
        }
        let clock = |(name, mhz): &(&str, u32)| {
            let port = model.port(name)?;
            if model.describe(port).direction != Direction::Clock || *mhz == 0 {
                return Err(Error::Usage(format!(
                    "`{name}` at {mhz} MHz: a clock of at least 1 MHz is wanted"
                )));
            }
            Ok(Clock { port, mhz: u64::from(*mhz), edges: 0 })
        };
        Ok(Self { clocks: clocks.iter().map(clock).collect::<Result<_>>()?, rising_fs: None })
    }

    /// Goes on to the next time at which a clock rises and stops in front of it; bit *i* of the result says that clock *i*
    /// rises. Edges that were not told to [rise](Clocks::rise) do so first.
    ///
    /// # Errors
    /// As [`Instance::eval`].
    pub fn advance(&mut self, instance: &mut Instance) -> Result<u32> {
        self.rise(instance)?;
        loop {
            let now_fs = self.clocks.iter().map(Clock::next_fs).min().unwrap_or_default();
            // What stands in front of an edge is a moment earlier in a waveform.
            instance.set_time(now_fs / FS_PER_PS - 1);
            let (mut rising, mut falls) = (0, false);
            for (bit, clock) in
                self.clocks.iter_mut().enumerate().filter(|(_, clock)| clock.next_fs() == now_fs)
            {
                if clock.next_rises() {
                    rising |= 1 << bit;
                } else {
                    instance.set(clock.port, 0);
                    clock.edges += 1;
                    falls = true;
                }
            }
            if rising != 0 {
                instance.eval()?;
                self.rising_fs = Some(now_fs);
                return Ok(rising);
            }
            if falls {
                instance.eval()?;
            }
        }
    }

    /// Lets those clocks rise in front of which [`Clocks::advance`] stopped; nothing without it.
    ///
    /// # Errors
    /// As [`Instance::eval`].
    pub fn rise(&mut self, instance: &mut Instance) -> Result<()> {
        let Some(now_fs) = self.rising_fs.take() else { return Ok(()) };
        for clock in self.clocks.iter_mut().filter(|clock| clock.next_fs() == now_fs) {
            instance.set(clock.port, 1);
            clock.edges += 1;
        }
        instance.set_time(now_fs / FS_PER_PS);
        instance.eval()
    }
}
