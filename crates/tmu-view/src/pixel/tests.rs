//! A shipped scene, and bodies that no page sends.

use super::*;
use crate::damage;
use crate::no_hardware::NoHardware;
use crate::site::Site;
use crate::workbench::Workbench;
use tmu_scene::PixelTile;
use tmu_testing::repository;

impl PixelWorkbench for NoHardware {
    fn missing(&self) -> Option<Problem> {
        Workbench::missing(self)
    }

    fn hardware(&self) -> Result<Box<dyn PixelEngine>, Vec<Problem>> {
        Err(Workbench::missing(self).into_iter().collect())
    }
}

/// Hardware whose pictures are the golden model's but for one byte.
struct Painter(Build);

impl PixelEngine for Painter {
    fn draw(&mut self, frame: &PixelFrame) -> Result<(Vec<u8>, u64), EngineError> {
        let mut picture = draw_pixel(frame, &self.0)?.picture;
        picture[4] ^= 1;
        Ok((picture, 4800))
    }
}

struct PaintShop;

impl PixelWorkbench for PaintShop {
    fn missing(&self) -> Option<Problem> {
        None
    }

    fn hardware(&self) -> Result<Box<dyn PixelEngine>, Vec<Problem>> {
        Ok(Box::new(Painter(Build::preset())))
    }
}

fn scene(name: &str) -> PixelScene {
    let path = repository().join(format!("scenes/pixel/{name}.toml"));
    PixelScene::load(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

fn session(name: &str, workbench: impl PixelWorkbench) -> PixelSession {
    let built = PixelBuild { build: Build::preset(), tile: TileSize::Square32 };
    PixelSession::new(scene(name), String::new(), built, Arc::new(workbench))
}

fn small(tile: &str) -> PixelSettings {
    PixelSettings { width: 80, height: 60, tile: tile.to_owned() }
}

fn question(settings: &PixelSettings, [x, y]: [u32; 2]) -> Vec<u8> {
    json!({ "settings": settings, "x": x, "y": y }).to_string().into_bytes()
}

fn sum(values: &Value) -> u64 {
    values.as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).sum()
}

#[test]
fn a_frame_is_that_of_render_whatever_its_tiles() {
    let session = session("courtyard", NoHardware);
    let size = small("32x32").chosen().unwrap().size;
    let (expected, _) = tmu_scene::render_pixel(&scene("courtyard"), size).unwrap();
    for tile in TileSize::CHOICES {
        let drawn = session.draw(&small(tile.name())).unwrap();
        assert!(drawn.frame == expected, "{tile}");
        let (data, cost) = (drawn.data(), &drawn.statistics);
        let tiles = &data["tiles"];
        let across = 80u32.div_ceil(tile.width()) * 60u32.div_ceil(tile.height());
        assert_eq!(tiles["triangles"].as_array().unwrap().len() as u32, across);
        assert_eq!(sum(&tiles["shaded"]), cost.shaded_pixels);
        assert_eq!(sum(&tiles["passed"]), cost.immediate_shaded_pixels);
        assert_eq!(sum(&tiles["look_ups"]), cost.sampled_quads);
        assert_eq!(sum(&tiles["bytes_read"]), cost.bytes_read);
        assert_eq!((sum(&tiles["bytes_written"]), cost.bytes_written), (80 * 60 * 4, 80 * 60 * 4));
        assert_eq!(sum(&tiles["covered"]) as f64 / 4800.0, cost.overdraw_before);
        // Each look-up is an instruction, and each quad has a pixel that is seen.
        assert!(sum(&tiles["instructions"]) > sum(&tiles["look_ups"]));
        assert!(sum(&tiles["quads"]) <= sum(&tiles["shaded"]));
    }
}

#[test]
fn what_is_told_of_a_pixel_ends_in_the_frames_colour() {
    for name in ["courtyard", "bump-reflection", "light-mapped-level", "ripmap-floor"] {
        let session = session(name, NoHardware);
        let settings = small("16x16");
        let drawn = session.draw(&settings).unwrap();
        let build = Build::preset();
        let put = put_pixel(&session.scene, drawn.frame.size(), PixelTile::Square16).unwrap();
        let (mut looked, mut layered) = (0, 0);
        for [x, y] in (0..60).step_by(7).flat_map(|y| (0..80).step_by(9).map(move |x| [x, y])) {
            let told = Question::<PixelSettings>::read(&question(&settings, [x, y])).unwrap();
            let told = session.pixel(&told).unwrap();
            let at = 3 * (y * 80 + x) as usize;
            let color = &drawn.frame.rgb()[at..at + 3];
            assert_eq!(
                told["color"].as_array().unwrap()[..3],
                color.iter().map(|code| json!(code)).collect::<Vec<_>>()
            );
            assert_eq!(told["tile"], y / 16 * 5 + x / 16);
            let trace = trace_pixel(&put, &build, [x, y]).unwrap();
            let layers = told["layers"].as_array().unwrap();
            assert_eq!(layers.len(), trace.layers.len());
            if let Some(seen) = told["seen"].as_u64() {
                assert_eq!(layers[seen as usize]["drawn"], told["color"], "{name} at {x}, {y}");
            }
            for (layer, of) in layers.iter().zip(&trace.layers) {
                assert_eq!(layer["triangle"], of.data.triangle.address);
                assert_eq!(layer["rhw"], json!(of.rhw));
                let steps = layer["steps"].as_array().unwrap();
                assert_eq!(steps.len(), of.data.state.program.instructions().count());
                let r0: Vec<i64> = steps.last().unwrap()["registers"][0]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|channel| (channel.as_i64().unwrap().clamp(0, 4096) * 255 + 2048) >> 12)
                    .collect();
                assert_eq!(layer["color"], json!(r0), "what leaves is r0, limited");
                layered += 1;
                looked += steps.iter().filter(|step| !step["look_up"].is_null()).count();
                let looks = steps.iter().filter(|step| !step["look_up"].is_null());
                for texels in looks.map(|step| step["look_up"]["texels"].as_array().unwrap()) {
                    assert!(!texels.is_empty() && texels.iter().all(|texel| !texel["channels"].is_null()));
                }
            }
        }
        assert!(layered > 20 && looked > 20, "{name}: {layered} and {looked}");
    }
}

#[test]
fn what_no_page_sends_is_named() {
    let site = Site::from(session("ripmap-floor", NoHardware)).0;
    let code = |refusal: Refusal| (refusal.status, refusal.problems[0].code);
    let draw =
        |settings: &PixelSettings| code(site.draw(&serde_json::to_vec(settings).unwrap()).err().unwrap());
    let pixel = |settings: &PixelSettings, place| code(site.pixel(&question(settings, place)).unwrap_err());
    let good = small("32x32");
    assert!(site.pixel(&question(&good, [79, 59])).is_ok());
    for place in [[80, 0], [0, 60], [u32::MAX, u32::MAX]] {
        assert_eq!(pixel(&good, place), (422, "E0405"));
    }
    let wrong = [
        small("8x8"),
        PixelSettings { width: 0, ..good.clone() },
        PixelSettings { height: 4097, ..good.clone() },
    ];
    for settings in wrong {
        assert_eq!([draw(&settings), pixel(&settings, [0, 0])], [(422, "E0405"); 2]);
    }
    for body in [&b""[..], b"{}", b"[[[[", b"\xff", b"{\"settings\":{},\"x\":1,\"y\":1}"] {
        assert_eq!(code(site.draw(body).err().unwrap()), (400, "E0404"));
        assert_eq!(code(site.pixel(body).unwrap_err()), (400, "E0404"));
    }
    let body = serde_json::to_vec(&good).unwrap();
    assert_eq!(code(site.begin_hardware(&body).unwrap_err()), (422, "E0210"));
    assert_eq!(code(site.jobs().hardware_frame().err().unwrap()), (404, "E0409"));
    assert_eq!(code(site.load("p.png", b"").unwrap_err()), (400, "E0404"));
    assert_eq!(code(site.files(&body).unwrap_err()), (400, "E0404"));
    assert_eq!(site.options()["hardware_missing"]["help"], "get one");
}

#[test]
fn damaged_questions_are_answered_or_refused() {
    let site = Site::from(session("ripmap-floor", NoHardware)).0;
    let original = question(&small("32x32"), [3, 4]);
    damage::questions(&*site, &original);
}

#[test]
fn the_hardware_is_compared_in_its_own_tiles() {
    let session = session("ripmap-floor", PaintShop);
    let refused = session.drawing(&small("16x16")).err().unwrap();
    assert_eq!(refused.problems[0].code, "E0405");
    assert!(refused.problems[0].message.contains("32x32, not of 16x16"), "{refused:?}");
    let (_, draw) = session.drawing(&small("32x32")).unwrap_or_else(|_| panic!("draws"));
    let compared = draw(Arc::default()).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    let data = compared.data(1, Duration::ZERO);
    assert_eq!((&data["differing_pixels"], &data["clocks"]), (&json!(1), &json!(4800)));
}
