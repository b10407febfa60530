//! From a scene to a picture: what an engine is asked, and what becomes of its answers.

use std::path::Path;

use tmu_scene::{
    Batch, Engine, EngineError, EngineStatistics, Frame, GoldenEngine, ImageSize, Scene, Statistics, render,
};
use tmu_spec::{Config, Quad, QuadResult};

/// An engine that notes what it is asked and answers with a colour that tells the binding and the place in the
/// stream.
#[derive(Default)]
struct Spy {
    quads: Vec<Quad>,
    /// By quad.
    bindings: Vec<usize>,
    /// Alpha of the answers, by binding; 255 beyond the end.
    alphas: Vec<u8>,
    /// Answers that are held back.
    withheld: usize,
    fails: bool,
}

impl Engine for Spy {
    fn sample(&mut self, batch: &Batch<'_>, results: &mut Vec<QuadResult>) -> Result<(), EngineError> {
        if self.fails {
            return Err("the engine is broken".into());
        }
        let mut next = 0;
        for run in batch.runs {
            assert_eq!(run.quads.start, next, "runs follow each other without gaps");
            next = run.quads.end;
            let color = [run.binding as u8, 0, 0, self.alphas.get(run.binding).copied().unwrap_or(255)];
            for quad in &batch.quads[run.quads.clone()] {
                assert_ne!(quad.valid(), 0, "a quad without valid pixels is not asked for");
                self.quads.push(*quad);
                self.bindings.push(run.binding);
                results.push(QuadResult::new([color; 4], quad.valid(), false));
            }
        }
        assert_eq!(next, batch.quads.len(), "runs cover the batch");
        results.truncate(results.len() - self.withheld);
        Ok(())
    }

    fn statistics(&self) -> EngineStatistics {
        EngineStatistics { cache: Vec::new(), clocks: Some(7) }
    }
}

/// Two textures of 64 × 64 and a picture of 64 × 64, with these meshes.
fn scene(directory: &Path, meshes: &str) -> Scene {
    let texels = (0..64 * 64).map(|index| [(index % 64) as u8, (index / 64) as u8, 7, 255]).collect();
    let picture = tmu_assets::Picture::from_texels(64, 64, texels);
    std::fs::write(directory.join("p.png"), picture.encode(Path::new("p.png")).unwrap()).unwrap();
    let text = format!(
        "[image]\nwidth = 64\nheight = 64\nbackground = \"#fefdfc\"\n\
         [[texture]]\nname = \"a\"\nfile = \"p.png\"\n[[texture]]\nname = \"b\"\nfile = \"p.png\"\n\
         [[sampler]]\nname = \"s\"\n{meshes}"
    );
    Scene::parse(&directory.join("s.toml"), &text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn rectangle(texture: &str, keys: &str) -> String {
    format!("[[mesh]]\nshape = \"rectangle\"\ntexture = \"{texture}\"\nsampler = \"s\"\n{keys}\n")
}

fn draw(scene: &Scene, engine: &mut dyn Engine) -> (Frame, Statistics) {
    render(scene, scene.size(), engine, &mut |_, _| {}).expect("an engine that works")
}

fn pixel(frame: &Frame, x: u32, y: u32) -> [u8; 3] {
    let index = (y * frame.size().width() + x) as usize * 3;
    frame.rgb()[index..index + 3].try_into().unwrap()
}

#[test]
fn a_rectangle_asks_for_texel_centres_tile_by_tile() {
    let directory = tempfile::tempdir().unwrap();
    let scene = scene(directory.path(), &rectangle("a", ""));
    let mut spy = Spy::default();
    let (_, statistics) = draw(&scene, &mut spy);
    assert_eq!(statistics.requests.samples, 64 * 64);
    // The two triangles share the quads on the diagonal.
    assert_eq!(statistics.requests.quads, 32 * 32 + 32);
    let mut tiles = Vec::new();
    for quad in &spy.quads {
        let [u, v] = quad.uv()[0];
        // Texel centres: 65536 / 64 = 1024 a texel.
        assert!(u % 1024 == 512 && v % 1024 == 512, "{quad:?}");
        for (pixel, [du, dv]) in [[0, 0], [1024, 0], [0, 1024], [1024, 1024]].into_iter().enumerate() {
            assert_eq!(quad.uv()[pixel], [u + du, v + dv], "helper pixels extend the rectangle: {quad:?}");
        }
        let tile = (v / 1024 / 8, u / 1024 / 8);
        if tiles.last() != Some(&tile) {
            tiles.push(tile);
        }
    }
    let expected: Vec<_> = (0..8).flat_map(|row| (0..8).map(move |column| (row, column))).collect();
    assert_eq!(tiles, expected);
}

#[test]
fn what_is_hidden_is_not_sampled() {
    let directory = tempfile::tempdir().unwrap();
    let behind = rectangle("b", "distance = 2.0\ncorner = [8, 8]\nextent = [64, 64]");
    let scene = scene(directory.path(), &(rectangle("a", "distance = 1.0\nextent = [32, 64]") + &behind));
    let mut spy = Spy::default();
    let (frame, statistics) = draw(&scene, &mut spy);
    assert_eq!(statistics.textures[0].requests.samples, 32 * 64);
    assert_eq!(statistics.textures[1].requests.samples, 32 * 56);
    assert_eq!(pixel(&frame, 31, 20), [0, 0, 0]);
    assert_eq!(pixel(&frame, 32, 20), [1, 0, 0]);
    assert_eq!(pixel(&frame, 40, 7), [0xfe, 0xfd, 0xfc]);
}

#[test]
fn transparent_pixels_show_what_is_behind_whatever_the_order() {
    let directory = tempfile::tempdir().unwrap();
    let near = rectangle("a", "distance = 1.0\nalpha_threshold = 128");
    let far = rectangle("b", "distance = 2.0");
    for (order, meshes) in [("near first", near.clone() + &far), ("far first", far + &near)] {
        let scene = scene(directory.path(), &meshes);
        let texture_a = usize::from(order == "far first");
        for (alpha, expected) in [(127, 1 - texture_a), (128, texture_a)] {
            let mut alphas = vec![255; 2];
            alphas[texture_a] = alpha;
            let (frame, _) = draw(&scene, &mut Spy { alphas, ..Spy::default() });
            assert_eq!(pixel(&frame, 30, 30), [expected as u8, 0, 0], "{order}, alpha {alpha}");
        }
    }
}

#[test]
fn an_engine_that_breaks_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let scene = scene(directory.path(), &rectangle("a", ""));
    let say = |mut spy: Spy| render(&scene, scene.size(), &mut spy, &mut |_, _| {}).unwrap_err().to_string();
    assert_eq!(say(Spy { fails: true, ..Spy::default() }), "the engine is broken");
    assert_eq!(say(Spy { withheld: 1, ..Spy::default() }), "the engine gave 1055 results for 1056 quads");
}

#[test]
fn progress_counts_rows_of_tiles_and_clocks_are_passed_on() {
    let directory = tempfile::tempdir().unwrap();
    let scene = scene(directory.path(), &rectangle("a", ""));
    let mut seen = Vec::new();
    let size = ImageSize::new(9, 17).unwrap();
    let (frame, statistics) =
        render(&scene, size, &mut Spy::default(), &mut |done, all| seen.push((done, all))).unwrap();
    assert_eq!(seen, [(1, 3), (2, 3), (3, 3)]);
    assert_eq!((frame.rgb().len(), statistics.clocks, statistics.cache), (9 * 17 * 3, Some(7), None));
}

#[test]
fn a_large_frame_comes_in_several_batches_and_no_quad_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let scene = scene(directory.path(), &rectangle("a", "extent = [1024, 1024]"));
    let mut spy = Spy::default();
    let size = ImageSize::new(1023, 1021).unwrap();
    let (frame, statistics) = render(&scene, size, &mut spy, &mut |_, _| {}).unwrap();
    assert_eq!(statistics.requests.samples, 1023 * 1021);
    assert_eq!(spy.quads.len() as u64, statistics.requests.quads);
    assert!(frame.rgb().chunks(3).all(|color| color == [0, 0, 0]), "every pixel is drawn");
}

/// A golden engine with the cache of the default configuration.
fn golden(scene: &Scene) -> GoldenEngine<'_> {
    let config = Config::from_toml("").unwrap();
    GoldenEngine::new(scene.memory(), &config)
}

#[test]
fn one_texel_a_pixel_gives_the_picture_back() {
    let directory = tempfile::tempdir().unwrap();
    let scene = scene(directory.path(), &rectangle("a", ""));
    let (frame, statistics) = draw(&scene, &mut golden(&scene));
    for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
        assert_eq!(pixel(&frame, x, y), [x as u8, y as u8, 7], "pixel ({x}, {y})");
    }
    let cache = statistics.cache.unwrap();
    let counts = cache.counts;
    // 64 × 64 texels of 4 bytes, 16 bytes a line; bilinear asks for four taps a pixel.
    assert_eq!((counts.lines_touched, counts.misses, counts.lookups), (1024, 1024, 4 * 64 * 64));
    assert_eq!(counts.lookups, counts.repeats + counts.hits + counts.misses);
    assert_eq!(cache.hit_rate, 1.0 - 1024.0 / 16384.0);
}

#[test]
fn picture_and_statistics_do_not_depend_on_the_number_of_threads() {
    let path = tmu_testing::repository().join("scenes/cube-photo.toml");
    let scene = Scene::load(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| draw(&scene, &mut golden(&scene)))
    };
    let one = on(1);
    for threads in [2, 3, 8] {
        let other = on(threads);
        assert!(other.0 == one.0, "{threads} threads give another picture");
        assert_eq!(other.1, one.1, "{threads} threads give other statistics");
    }
}

/// Counted by line, look-ups are those that the cache counts.
#[test]
fn look_ups_are_counted_by_line() {
    let directory = tempfile::tempdir().unwrap();
    let scene =
        scene(directory.path(), "[[mesh]]\nshape = \"rectangle\"\ntexture = \"a\"\nsampler = \"s\"\n");
    let config = Config::from_toml("").unwrap();
    let mut engine = GoldenEngine::new(scene.memory(), &config).counting_lines();
    let (frame, statistics) = render(&scene, scene.size(), &mut engine, &mut |_, _| {}).unwrap();
    let counts = engine.into_line_counts();
    let cache = statistics.cache.unwrap().counts;
    assert_eq!(counts.iter().map(|count| u64::from(*count)).sum::<u64>(), cache.lookups);
    assert_eq!(counts.iter().filter(|count| **count > 0).count() as u64, cache.lines_touched);
    let mut plain = GoldenEngine::new(scene.memory(), &config);
    let (same, same_statistics) = render(&scene, scene.size(), &mut plain, &mut |_, _| {}).unwrap();
    assert_eq!((frame, statistics), (same, same_statistics));
    assert!(plain.into_line_counts().is_empty());
}
