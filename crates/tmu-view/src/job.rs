//! Frames of the hardware in simulation, one at a time, on a thread of their own.

use crate::answer::Answer;
use crate::problem::{Refusal, Rule};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tmu_problem::{Problem, Problems};

/// A frame that has been drawn by both engines.
pub(crate) trait Compared: Send + Sync + 'static {
    /// What the page says beside the frame that has this number and took so long.
    fn data(&self, number: u64, time: Duration) -> Value;

    /// R, G, B of each pixel, of the golden model and of the hardware.
    fn pictures(&self) -> [&[u8]; 2];
}

/// Frames of the hardware, whatever they show.
pub(crate) trait Jobs {
    /// How far the frame is.
    ///
    /// # Errors
    /// Why it failed, if it did.
    fn progress(&self) -> Result<Value, Refusal>;

    /// The frame that was drawn last, by both engines.
    ///
    /// # Errors
    /// [`Rule::NoFrame`].
    fn hardware_frame(&self) -> Result<Answer, Refusal>;
}

/// What draws a frame; it tells how many quads are done, where it knows that.
pub(crate) type Draw<T> = Box<dyn FnOnce(Arc<AtomicU64>) -> Result<T, Refusal> + Send>;

/// What became of the frame that was asked for last.
enum State<T> {
    Idle,
    Drawing { done: Arc<AtomicU64>, total: u64, begin: Instant },
    Done(Arc<T>, Duration),
    Failed(Refusal),
}

/// The frame that is being drawn, or the one drawn last.
pub(crate) struct Job<T> {
    state: Mutex<(u64, State<T>)>,
}

impl<T: Compared> Job<T> {
    pub(crate) fn new() -> Self {
        Job { state: Mutex::new((0, State::Idle)) }
    }

    fn lock(&self) -> MutexGuard<'_, (u64, State<T>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to draw what `prepare` gives, together with the number of its quads.
    ///
    /// # Errors
    /// If a tool is missing, what is asked for cannot be drawn, or another frame is being drawn.
    pub(crate) fn begin(
        self: &Arc<Self>,
        missing: Option<Problem>,
        prepare: impl FnOnce() -> Result<(u64, Draw<T>), Refusal>,
    ) -> Result<u64, Refusal> {
        let busy =
            || Refusal::new(Rule::Busy, "the hardware is still drawing a frame", "wait until it is done");
        if matches!(self.lock().1, State::Drawing { .. }) {
            return Err(busy());
        }
        Problems::check(missing.into_iter().collect())?;
        let (total, draw) = prepare()?;
        let done = Arc::new(AtomicU64::new(0));
        let mut state = self.lock();
        if matches!(state.1, State::Drawing { .. }) {
            return Err(busy());
        }
        let (number, begin) = (state.0 + 1, Instant::now());
        *state = (number, State::Drawing { done: Arc::clone(&done), total, begin });
        drop(state);
        let job = Arc::clone(self);
        thread::spawn(move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| draw(done)))
                .unwrap_or_else(|_| Err(Refusal::internal("the simulation panicked")));
            job.lock().1 = match outcome {
                Ok(compared) => State::Done(Arc::new(compared), begin.elapsed()),
                Err(refusal) => State::Failed(refusal),
            };
        });
        Ok(number)
    }

    /// The frame that was drawn last, and what the page says beside it.
    ///
    /// # Errors
    /// [`Rule::NoFrame`].
    pub(crate) fn frame(&self) -> Result<(Arc<T>, Value), Refusal> {
        let state = self.lock();
        match &state.1 {
            State::Done(compared, time) => Ok((Arc::clone(compared), compared.data(state.0, *time))),
            _ => {
                Err(Refusal::new(Rule::NoFrame, "there is no frame of the hardware", "let it draw one first"))
            }
        }
    }
}

impl<T: Compared> Jobs for Job<T> {
    fn progress(&self) -> Result<Value, Refusal> {
        let state = self.lock();
        Ok(match &state.1 {
            State::Idle => json!({ "state": "idle" }),
            State::Drawing { done, total, begin } => json!({
                "state": "drawing",
                "number": state.0,
                "done": done.load(Ordering::Relaxed),
                "total": total,
                "seconds": begin.elapsed().as_secs_f64(),
            }),
            State::Done(compared, time) => json!({ "state": "done", "frame": compared.data(state.0, *time) }),
            State::Failed(refusal) => return Err(refusal.clone()),
        })
    }

    fn hardware_frame(&self) -> Result<Answer, Refusal> {
        let (compared, data) = self.frame()?;
        Ok(Answer::frame(&data, compared.pictures()))
    }
}

/// Pixels, of three bytes each, that are not the same in two pictures.
pub(crate) fn differing_pixels(one: &[u8], other: &[u8]) -> usize {
    one.chunks(3).zip(other.chunks(3)).filter(|(one, other)| one != other).count()
}
