//! Shipped scenes, and bodies that no page sends.

use super::*;
use crate::damage;
use crate::no_hardware::NoHardware;
use crate::site::Site;
use crate::workbench::Workbench;
use std::collections::HashSet;
use tmu_scene::{AnyScene, Batch, EngineError, EngineStatistics};
use tmu_spec::Preset;
use tmu_spec::general::QuadResult;
use tmu_testing::repository;

impl GeneralWorkbench for NoHardware {
    fn not_built(&self, _: &Scene<General>) -> Vec<Problem> {
        Vec::new()
    }

    fn missing(&self) -> Option<Problem> {
        Workbench::missing(self)
    }

    fn hardware(&self, _: &[u8], _: Box<dyn FnMut(u64)>) -> Result<Box<dyn Engine<General>>, Vec<Problem>> {
        Err(Workbench::missing(self).into_iter().collect())
    }
}

/// Hardware that answers every quad with white.
struct Painter(Box<dyn FnMut(u64)>);

impl Engine<General> for Painter {
    fn sample(
        &mut self,
        batch: &Batch<'_, General>,
        results: &mut Vec<QuadResult>,
    ) -> Result<(), EngineError> {
        let white = [[1.0f32.to_bits(); 4]; 4];
        let answer = |valid| QuadResult { channels: white, valid, error: false };
        results.extend(batch.quads.iter().map(|quad| answer(quad.valid)));
        (self.0)(batch.quads.len() as u64);
        Ok(())
    }

    fn statistics(&self) -> EngineStatistics {
        EngineStatistics { cache: Vec::new(), clocks: Some(99) }
    }
}

struct PaintShop;

impl GeneralWorkbench for PaintShop {
    fn not_built(&self, _: &Scene<General>) -> Vec<Problem> {
        Vec::new()
    }

    fn missing(&self) -> Option<Problem> {
        None
    }

    fn hardware(
        &self,
        _: &[u8],
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn Engine<General>>, Vec<Problem>> {
        Ok(Box::new(Painter(progress)))
    }
}

const SCENES: [&str; 6] =
    ["sky-lake", "shadow-map", "solid-stone", "anisotropic-floor", "ripmap-floor", "environment-mipmapped"];

fn config() -> Config {
    Preset::find("multi").unwrap().config().unwrap()
}

fn session(name: &str, workbench: impl GeneralWorkbench) -> GeneralSession {
    let path = repository().join(format!("scenes/{name}.toml"));
    let scene = AnyScene::load(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let config = config();
    let scene = scene.into_general(config.features().general().unwrap());
    GeneralSession::new(scene, String::new(), config, Arc::new(workbench))
}

fn small(session: &GeneralSession) -> GeneralSettings {
    GeneralSettings { width: 80, height: 60, ..session.first_settings() }
}

fn question(settings: &GeneralSettings, [x, y]: [u32; 2]) -> Vec<u8> {
    json!({ "settings": settings, "x": x, "y": y }).to_string().into_bytes()
}

fn ask(session: &GeneralSession, settings: &GeneralSettings, place: [u32; 2]) -> Value {
    let question = Question::<GeneralSettings>::read(&question(settings, place)).unwrap();
    session.pixel(&question).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

#[test]
fn a_frame_is_that_of_render_and_its_pixels_end_in_its_colours() {
    for name in SCENES {
        let session = session(name, NoHardware);
        let settings = small(&session);
        let drawn = session.draw(&settings).unwrap();
        let size = drawn.frame.size();
        let mut engine = GeneralGoldenEngine::new(session.scene.memory(), &session.config);
        let (frame, statistics) = render(&session.scene, size, &mut engine, &mut |_, _| {}).unwrap();
        assert!(drawn.frame == frame && drawn.statistics == statistics, "{name}");
        let of_bindings =
            |key: &str| -> u64 { drawn.bindings.iter().map(|binding| binding[key].as_u64().unwrap()).sum() };
        assert_eq!(of_bindings("samples"), statistics.requests.samples, "{name}");
        assert!(of_bindings("probes") >= of_bindings("samples"), "{name}");
        let mut layered = 0;
        for [x, y] in (0..60).step_by(11).flat_map(|y| (0..80).step_by(17).map(move |x| [x, y])) {
            let told = ask(&session, &settings, [x, y]);
            let at = (y * 80 + x) as usize;
            let color: Vec<u8> = serde_json::from_value(told["color"].clone()).unwrap();
            assert_eq!(color, frame.rgb()[3 * at..][..3], "{name} ({x}, {y})");
            let layers = told["layers"].as_array().unwrap();
            layered += usize::from(!layers.is_empty());
            let map = &drawn.pixels[4 * at..][..4];
            let Some(seen) = layers.iter().rev().find(|layer| !layer["drawn"].is_null()) else {
                assert_eq!(map, [u8::MAX; 4], "{name} ({x}, {y})");
                continue;
            };
            assert_eq!(seen["probes"].as_array().unwrap().len(), usize::from(map[2]), "{name} ({x}, {y})");
            assert_eq!(seen["binding"], map[3], "{name} ({x}, {y})");
            let weight: u64 = seen["probes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|probe| probe["weight"].as_u64().unwrap())
                .sum();
            assert_eq!(weight, 1 << 16, "{name} ({x}, {y}): {seen}");
        }
        assert!(layered > 10, "{name}: {layered}");
    }
}

#[test]
fn each_setting_changes_the_frame() {
    let session = session("anisotropic-floor", NoHardware);
    let first = small(&session);
    let named = |name: &str| Some(name.to_owned());
    let settings = [
        first.clone(),
        GeneralSettings { min: named("nearest"), ..first.clone() },
        GeneralSettings { mag: named("nearest"), ..first.clone() },
        GeneralSettings { mip: named("none"), ..first.clone() },
        GeneralSettings { anisotropy: Some(1), ..first.clone() },
        GeneralSettings { anisotropy: Some(2), ..first.clone() },
        GeneralSettings { lod_bias: 1.5, ..first.clone() },
        GeneralSettings { right_degrees: 10.0, ..first.clone() },
        GeneralSettings { up_degrees: -4.0, ..first.clone() },
        GeneralSettings { zoom: 1.5, ..first.clone() },
    ];
    let frames: Vec<_> =
        settings.iter().map(|settings| session.draw(settings).unwrap().frame.into_rgb()).collect();
    let different: HashSet<_> = frames.iter().collect();
    assert_eq!(different.len(), frames.len());
    assert!(session.draw(&first).unwrap().frame.into_rgb() == frames[0], "a change has stayed");
}

#[test]
fn what_no_page_sends_is_named() {
    let session = session("shadow-map", NoHardware);
    let good = small(&session);
    let site = Site::from(session).0;
    let code = |refusal: Refusal| (refusal.status, refusal.problems.len(), refusal.problems[0].code);
    let draw =
        |settings: &GeneralSettings| code(site.draw(&serde_json::to_vec(settings).unwrap()).err().unwrap());
    assert!(site.pixel(&question(&good, [79, 59])).is_ok());
    for place in [[80, 0], [0, 60], [u32::MAX, u32::MAX]] {
        assert_eq!(code(site.pixel(&question(&good, place)).unwrap_err()), (422, 1, "E0405"));
    }
    let named = |name: &str| Some(name.to_owned());
    let wrong = [
        (1, GeneralSettings { width: 0, ..good.clone() }),
        (1, GeneralSettings { mip: named("ripmap"), ..good.clone() }),
        (2, GeneralSettings { min: named("cubic"), mag: named(""), ..good.clone() }),
        (
            4,
            GeneralSettings {
                anisotropy: Some(3),
                lod_bias: 33.0,
                zoom: 0.0,
                up_degrees: 1e9,
                ..good.clone()
            },
        ),
    ];
    for (problems, settings) in wrong {
        assert_eq!(draw(&settings), (422, problems, "E0405"), "{settings:?}");
    }
    for body in [&b""[..], b"{}", b"[[[[", b"\xff", b"{\"settings\":{},\"x\":1,\"y\":1}"] {
        assert_eq!(code(site.draw(body).err().unwrap()), (400, 1, "E0404"));
        assert_eq!(code(site.pixel(body).unwrap_err()), (400, 1, "E0404"));
    }
    let body = serde_json::to_vec(&good).unwrap();
    assert_eq!(code(site.begin_hardware(&body).unwrap_err()), (422, 1, "E0210"));
    assert_eq!(site.options()["hardware_missing"]["help"], "get one");
}

#[test]
fn damaged_questions_are_answered_or_refused() {
    let session = session("shadow-map", NoHardware);
    let original = question(&small(&session), [3, 4]);
    let site = Site::from(session).0;
    damage::questions(&*site, &original);
}

#[test]
fn the_hardware_is_compared() {
    let session = session("sky-lake", PaintShop);
    let (quads, draw) = session.drawing(&small(&session)).unwrap_or_else(|_| panic!("draws"));
    let done = Arc::default();
    let compared = draw(Arc::clone(&done)).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    assert_eq!(done.load(Ordering::Relaxed), quads);
    let data = compared.data(1, Duration::ZERO);
    assert_eq!((&data["clocks"], &data["quads"]), (&json!(99), &json!(quads)));
    assert!(data["differing_pixels"].as_u64().unwrap() > 1000, "{data}");
}
