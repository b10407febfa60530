//! Frames of the hardware in simulation, one at a time, on a thread of their own.
//!
//! What the hardware is and how it is simulated is the business of a [`Workbench`]. A frame is drawn twice, by the hardware
//! and by the golden model, of the same scene, so that the two can be compared whatever the page has come to show meanwhile.

use crate::problem::{Refusal, Rule};
use crate::session::{Prepared, Session};
use crate::settings::Settings;
use crate::workbench::{HardwareCounts, Workbench};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;
use tmu_problem::Problems;
use tmu_scene::{Frame, GoldenEngine, Statistics, render};

/// A frame by both engines.
pub(crate) struct Compared {
    pub(crate) golden: Frame,
    pub(crate) hardware: Frame,
    pub(crate) differing_pixels: usize,
    statistics: Statistics,
    golden_statistics: Statistics,
    counts: Option<HardwareCounts>,
    seconds: f64,
}

impl Compared {
    /// What the page says beside the frame.
    pub(crate) fn data(&self, number: u64) -> Value {
        json!({
            "number": number,
            "width": self.statistics.width,
            "height": self.statistics.height,
            "differing_pixels": self.differing_pixels,
            "clocks": self.statistics.clocks,
            "quads": self.statistics.requests.quads,
            "samples": self.statistics.requests.samples,
            "counts": self.counts,
            "golden_hit_rate": self.golden_statistics.cache.as_ref().map(|cache| cache.hit_rate),
            "seconds": self.seconds,
        })
    }
}

/// What became of the frame that was asked for last.
enum State {
    Idle,
    Drawing { done: Arc<AtomicU64>, quads: u64, begin: Instant },
    Done(Arc<Compared>),
    Failed(Refusal),
}

/// The frame that is being drawn, or the one drawn last.
pub(crate) struct Job {
    state: Mutex<(u64, State)>,
}

impl Job {
    pub(crate) fn new() -> Self {
        Job { state: Mutex::new((0, State::Idle)) }
    }

    fn lock(&self) -> MutexGuard<'_, (u64, State)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to draw.
    ///
    /// # Errors
    /// If the settings cannot be drawn, a tool is missing, or another frame is being drawn.
    pub(crate) fn begin(self: &Arc<Self>, session: &Session, settings: &Settings) -> Result<u64, Refusal> {
        let busy =
            || Refusal::new(Rule::Busy, "the hardware is still drawing a frame", "wait until it is done");
        if matches!(self.lock().1, State::Drawing { .. }) {
            return Err(busy());
        }
        Problems::check(session.workbench().missing().into_iter().collect())?;
        let prepared = session.prepare(settings)?;
        // The golden model is quick, and its count of quads is what progress is told by.
        let golden = golden(&prepared)?;
        let done = Arc::new(AtomicU64::new(0));
        let mut state = self.lock();
        if matches!(state.1, State::Drawing { .. }) {
            return Err(busy());
        }
        let number = state.0 + 1;
        let (quads, begin) = (golden.1.requests.quads, Instant::now());
        *state = (number, State::Drawing { done: Arc::clone(&done), quads, begin });
        drop(state);
        let (job, workbench) = (Arc::clone(self), Arc::clone(session.workbench()));
        thread::spawn(move || {
            let compare = || compare(&*workbench, &prepared, golden, done, begin);
            let outcome = catch_unwind(AssertUnwindSafe(compare))
                .unwrap_or_else(|_| Err(Refusal::internal("the simulation panicked")));
            job.lock().1 = match outcome {
                Ok(compared) => State::Done(Arc::new(compared)),
                Err(refusal) => State::Failed(refusal),
            };
        });
        Ok(number)
    }

    /// How far it is.
    ///
    /// # Errors
    /// Why it failed, if it did.
    pub(crate) fn progress(&self) -> Result<Value, Refusal> {
        let state = self.lock();
        Ok(match &state.1 {
            State::Idle => json!({ "state": "idle" }),
            State::Drawing { done, quads, begin } => json!({
                "state": "drawing",
                "number": state.0,
                "done": done.load(Ordering::Relaxed),
                "quads": quads,
                "seconds": begin.elapsed().as_secs_f64(),
            }),
            State::Done(compared) => json!({ "state": "done", "frame": compared.data(state.0) }),
            State::Failed(refusal) => return Err(refusal.clone()),
        })
    }

    /// The frame that was drawn last, with its number.
    ///
    /// # Errors
    /// [`Rule::NoFrame`].
    pub(crate) fn frame(&self) -> Result<(u64, Arc<Compared>), Refusal> {
        let state = self.lock();
        match &state.1 {
            State::Done(compared) => Ok((state.0, Arc::clone(compared))),
            _ => {
                Err(Refusal::new(Rule::NoFrame, "there is no frame of the hardware", "let it draw one first"))
            }
        }
    }
}

fn golden(prepared: &Prepared) -> Result<(Frame, Statistics), Refusal> {
    let mut engine = GoldenEngine::new(prepared.scene.memory(), &prepared.config);
    render(&prepared.scene, prepared.scene.size(), &mut engine, &mut |_, _| {}).map_err(Refusal::internal)
}

fn compare(
    workbench: &dyn Workbench,
    prepared: &Prepared,
    (golden, golden_statistics): (Frame, Statistics),
    done: Arc<AtomicU64>,
    begin: Instant,
) -> Result<Compared, Refusal> {
    let Prepared { scene, config, .. } = prepared;
    let progress = Box::new(move |quads| done.store(quads, Ordering::Relaxed));
    let mut engine = workbench.hardware(config, scene.memory(), progress).map_err(Refusal::input)?;
    let drawn = render(scene, scene.size(), &mut *engine, &mut |_, _| {});
    let (hardware, statistics) = drawn.map_err(Refusal::internal)?;
    let counts = engine.counts().map_err(Refusal::input)?;
    let pixels = golden.rgb().chunks(3).zip(hardware.rgb().chunks(3));
    Ok(Compared {
        differing_pixels: pixels.filter(|(one, other)| one != other).count(),
        golden,
        hardware,
        statistics,
        golden_statistics,
        counts,
        seconds: begin.elapsed().as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::{session, small};
    use crate::session::{Choice, Limits};
    use crate::workbench::HardwareEngine;
    use tmu_problem::Problem;
    use tmu_scene::{Batch, Engine, EngineError, EngineStatistics};
    use tmu_spec::{Binding, Config, Preset, QuadResult};

    /// Hardware that answers every quad with one colour, or breaks down.
    struct Painter {
        red: u8,
        progress: Box<dyn FnMut(u64)>,
    }

    impl Engine for Painter {
        fn sample(&mut self, batch: &Batch<'_>, results: &mut Vec<QuadResult>) -> Result<(), EngineError> {
            assert_ne!(self.red, 13, "breaks down");
            let color = [self.red, 0, 0, 255];
            results.extend(batch.quads.iter().map(|quad| QuadResult::new([color; 4], quad.valid(), false)));
            (self.progress)(batch.quads.len() as u64);
            Ok(())
        }

        fn statistics(&self) -> EngineStatistics {
            EngineStatistics { cache: Vec::new(), clocks: Some(99) }
        }
    }

    impl HardwareEngine for Painter {
        fn counts(&mut self) -> Result<Option<HardwareCounts>, Vec<Problem>> {
            Ok(Some(HardwareCounts { lookups: 8, misses: 2, hit_rate: 0.75 }))
        }
    }

    struct PaintShop(u8);

    impl Workbench for PaintShop {
        fn not_built(&self, _: &Binding, _: &Config, _: &str) -> Vec<Problem> {
            Vec::new()
        }

        fn missing(&self) -> Option<Problem> {
            None
        }

        fn hardware(
            &self,
            _: &Config,
            _: &[u8],
            progress: Box<dyn FnMut(u64)>,
        ) -> Result<Box<dyn HardwareEngine>, Vec<Problem>> {
            Ok(Box::new(Painter { red: self.0, progress }))
        }
    }

    fn shop(red: u8) -> Session {
        let config = Preset::find("fury").unwrap().config().unwrap();
        let choice = Choice { name: "fury".to_owned(), about: String::new(), config };
        Session::new(
            vec![choice],
            Limits { upload_bytes: 1 << 20, texels: 1 << 20 },
            Arc::new(PaintShop(red)),
        )
    }

    fn wait(job: &Job) -> Result<Value, Refusal> {
        loop {
            let progress = job.progress()?;
            if progress["state"] != "drawing" {
                return Ok(progress);
            }
            thread::yield_now();
        }
    }

    #[test]
    fn pixels_that_differ_are_counted() {
        let (session, job) = (shop(200), Arc::new(Job::new()));
        assert_eq!(job.frame().err().unwrap().problems[0].code, "E0409");
        assert_eq!(job.begin(&session, &small("fury")).unwrap(), 1);
        let done = wait(&job).unwrap();
        let frame = &done["frame"];
        assert_eq!((&frame["clocks"], &frame["counts"]["hit_rate"]), (&99.into(), &0.75.into()));
        let (number, compared) = job.frame().unwrap();
        assert_eq!(number, 1);
        let painted = compared.hardware.rgb().chunks(3).filter(|pixel| *pixel == [200, 0, 0]).count();
        assert!(painted > 300, "{painted}");
        assert_eq!(compared.differing_pixels, painted);
        assert_eq!(job.begin(&session, &small("fury")).unwrap(), 2);
    }

    #[test]
    fn a_simulation_that_panics_is_a_failure_and_the_next_one_begins() {
        let (broken, job) = (shop(13), Arc::new(Job::new()));
        job.begin(&broken, &small("fury")).unwrap();
        assert_eq!(wait(&job).unwrap_err().problems[0].code, "E0410");
        job.begin(&shop(1), &small("fury")).unwrap();
        assert_eq!(wait(&job).unwrap()["state"], "done");
    }

    #[test]
    fn a_missing_tool_is_named() {
        let refusal = Arc::new(Job::new()).begin(&session(), &small("stream")).unwrap_err();
        assert_eq!((refusal.problems[0].code, refusal.status), ("E0210", 422));
    }
}
