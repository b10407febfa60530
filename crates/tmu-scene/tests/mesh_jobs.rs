//! The jobs of the engine `mesh` that are shipped.

use std::path::{Path, PathBuf};

use tmu_assets::{Picture, encode_animation};
use tmu_scene::{Golden565, MeshJob, MeshStatistics, Picture565, draw_mesh_job};
use tmu_testing::{is_set, repository};

fn job_path(name: &str) -> PathBuf {
    repository().join(format!("scenes/mesh/{name}.toml"))
}

fn drawn(path: &Path) -> (MeshJob, Vec<Picture565>, MeshStatistics) {
    let job = MeshJob::load(path).unwrap_or_else(|problems| panic!("{problems}"));
    let (pictures, statistics) =
        draw_mesh_job(&job, &mut Golden565, &mut |_| {}).expect("golden never breaks");
    (job, pictures, statistics)
}

/// Jobs, their pictures, pixels drawn and left out, and whether a picture of them is in the docs.
const JOBS: [(&str, usize, u64, u64, bool); 10] = [
    ("copy", 1, 245_760, 0, false),
    ("echo", 24, 2_061_312, 0, true),
    ("fade", 8, 614_400, 0, false),
    ("rotozoom", 1, 307_200, 0, true),
    ("sprite", 1, 0, 0, true),
    ("tile", 1, 307_200, 0, false),
    ("turn", 1, 262_144, 0, false),
    ("warp", 1, 307_200, 0, true),
    ("zoom-in", 1, 307_200, 0, false),
    ("zoom-out", 1, 65_536, 0, false),
];

#[test]
fn every_job_is_drawn_and_gives_its_picture_in_the_docs() {
    let folder = std::fs::read_dir(repository().join("scenes/mesh")).expect("the jobs");
    let mut names: Vec<_> = folder
        .map(|entry| entry.expect("a directory entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, JOBS.map(|(name, ..)| name));
    for (name, outputs, pixels_drawn, pixels_left_out, is_shown) in JOBS {
        let (job, pictures, statistics) = drawn(&job_path(name));
        assert_eq!(pictures.len(), outputs, "{name}");
        let total = statistics.total;
        assert_eq!((total.pixels_drawn, total.pixels_left_out), (pixels_drawn, pixels_left_out), "{name}");
        if is_shown {
            check_picture(name, &job, &pictures);
        }
    }
}

/// The picture in the docs is the one that is drawn; a series is one that moves.
fn check_picture(name: &str, job: &MeshJob, pictures: &[Picture565]) {
    let image = format!("docs/images/mesh-{name}.png");
    let path = repository().join(&image);
    let content = match pictures {
        [picture] => picture.encode(&path),
        _ => {
            let rgb: Vec<_> = pictures.iter().map(Picture565::rgb).collect();
            encode_animation(pictures[0].size(), &rgb, job.delay_ms(), &path)
        }
    };
    let content = content.expect("a picture");
    if is_set("UPDATE_DOCS") {
        std::fs::write(&path, &content).expect("the docs");
    }
    let committed = Picture::open(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let is_same = Picture::decode(&content, &path).is_ok_and(|drawn| drawn == committed);
    assert!(
        is_same,
        "{image} differs; run UPDATE_DOCS=1 cargo test -p tmu-scene --test mesh_jobs and look at it"
    );
}

/// What the copy is of, to the last bit that RGB565 has.
#[test]
fn the_copy_is_the_picture() {
    let (_, pictures, _) = drawn(&job_path("copy"));
    let picture = Picture::open(&repository().join("assets/gravel.png")).expect("a picture");
    for (at, rgb) in pictures[0].rgb().as_chunks::<3>().0.iter().enumerate() {
        let [red, green, blue, _] = picture.texel(at % 512, at / 512);
        for (is, was, largest) in [(rgb[0], red, 31.0), (rgb[1], green, 63.0), (rgb[2], blue, 31.0)] {
            let nearest = (f64::from(was) * largest / 255.0).round() * 255.0 / largest;
            assert!((f64::from(is) - nearest).abs() < 4.2, "pixel {at}");
        }
    }
}

/// A turn by 90 degrees, four times, is where it began.
#[test]
fn four_turns_are_none() {
    let text = std::fs::read_to_string(job_path("turn")).expect("the job");
    let text = text.replace("../../assets/", &format!("{}/", repository().join("assets").display()));
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(job_path("turn").with_extension("csv"), folder.path().join("turn.csv"))
        .expect("the points");
    let path = folder.path().join("turn.toml");
    std::fs::write(&path, format!("{text}texture_is_previous = true\nrepeat = 8\n")).expect("a job");
    let (_, pictures, _) = drawn(&path);
    assert!(pictures[3] == pictures[7] && pictures[3] != pictures[4]);
    let (_, once, _) = drawn(&job_path("turn"));
    assert!(pictures[0] == once[0]);
}
