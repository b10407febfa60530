//! A frame of a scene by both engines.
//!
//! What the hardware is and how it is simulated is the business of a [`Workbench`]. A frame is drawn twice, by the hardware
//! and by the golden model, of the same scene, so that the two can be compared whatever the page has come to show meanwhile.

use crate::job::{Compared, Draw, differing_pixels};
use crate::problem::Refusal;
use crate::session::{Prepared, Session};
use crate::settings::Settings;
use crate::workbench::{HardwareCounts, Workbench};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tmu_scene::{Frame, GoldenEngine, Statistics, render};

/// A frame by both engines.
pub(crate) struct ComparedFrame {
    golden: Frame,
    hardware: Frame,
    statistics: Statistics,
    golden_statistics: Statistics,
    counts: Option<HardwareCounts>,
}

impl Compared for ComparedFrame {
    fn data(&self, number: u64, time: Duration) -> Value {
        json!({
            "number": number,
            "width": self.statistics.width,
            "height": self.statistics.height,
            "differing_pixels": differing_pixels(self.golden.rgb(), self.hardware.rgb()),
            "clocks": self.statistics.clocks,
            "quads": self.statistics.requests.quads,
            "samples": self.statistics.requests.samples,
            "counts": self.counts,
            "golden_hit_rate": self.golden_statistics.cache.as_ref().map(|cache| cache.hit_rate),
            "seconds": time.as_secs_f64(),
        })
    }

    fn pictures(&self) -> [&[u8]; 2] {
        [self.golden.rgb(), self.hardware.rgb()]
    }
}

/// What draws a frame by both engines, and the number of its quads.
///
/// # Errors
/// If the settings cannot be drawn.
pub(crate) fn drawing(session: &Session, settings: &Settings) -> Result<(u64, Draw<ComparedFrame>), Refusal> {
    let prepared = session.prepare(settings)?;
    // The golden model is quick, and its count of quads is what progress is told by.
    let golden = golden(&prepared)?;
    let (quads, workbench) = (golden.1.requests.quads, Arc::clone(session.workbench()));
    Ok((quads, Box::new(move |done| compare(&*workbench, &prepared, golden, done))))
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
) -> Result<ComparedFrame, Refusal> {
    let Prepared { scene, config, .. } = prepared;
    let progress = Box::new(move |quads| done.store(quads, Ordering::Relaxed));
    let mut engine = workbench.hardware(config, scene.memory(), progress).map_err(Refusal::input)?;
    let drawn = render(scene, scene.size(), &mut *engine, &mut |_, _| {});
    let (hardware, statistics) = drawn.map_err(Refusal::internal)?;
    let counts = engine.counts().map_err(Refusal::input)?;
    Ok(ComparedFrame { golden, hardware, statistics, golden_statistics, counts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Jobs};
    use crate::session::tests::{session, small};
    use crate::session::{Choice, Limits};
    use crate::workbench::HardwareEngine;
    use std::thread;
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

    fn begin(job: &Arc<Job<ComparedFrame>>, session: &Session, config: &str) -> Result<u64, Refusal> {
        job.begin(session.workbench().missing(), || drawing(session, &small(config)))
    }

    fn wait(job: &Job<ComparedFrame>) -> Result<Value, Refusal> {
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
        assert_eq!(begin(&job, &session, "fury").unwrap(), 1);
        let done = wait(&job).unwrap();
        let frame = &done["frame"];
        assert_eq!((&frame["clocks"], &frame["counts"]["hit_rate"]), (&99.into(), &0.75.into()));
        let (compared, data) = job.frame().unwrap();
        assert_eq!(data["number"], 1);
        let painted = compared.hardware.rgb().chunks(3).filter(|pixel| *pixel == [200, 0, 0]).count();
        assert!(painted > 300, "{painted}");
        assert_eq!(data["differing_pixels"], painted);
        assert_eq!(begin(&job, &session, "fury").unwrap(), 2);
    }

    #[test]
    fn a_simulation_that_panics_is_a_failure_and_the_next_one_begins() {
        let (broken, job) = (shop(13), Arc::new(Job::new()));
        begin(&job, &broken, "fury").unwrap();
        assert_eq!(wait(&job).unwrap_err().problems[0].code, "E0410");
        begin(&job, &shop(1), "fury").unwrap();
        assert_eq!(wait(&job).unwrap()["state"], "done");
    }

    #[test]
    fn a_missing_tool_is_named() {
        let refusal = begin(&Arc::new(Job::new()), &session(), "stream").unwrap_err();
        assert_eq!((refusal.problems[0].code, refusal.status), ("E0210", 422));
    }
}
