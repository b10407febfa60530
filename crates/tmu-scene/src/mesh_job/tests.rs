//! Jobs from files to pictures.

use super::*;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with a texture of 4 x 4 pixels, in both kinds of file, and meshes that show it as it is and turned by 180 degrees.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let picture = texture();
    fs::write(folder.path().join("t.rgb565"), picture.bytes()).unwrap();
    fs::write(folder.path().join("t.png"), picture.encode("t.png".as_ref()).unwrap()).unwrap();
    fs::write(folder.path().join("copy.csv"), "x,y,u,v\n0,0,0,0\n1,0,256,0\n0,1,0,256\n1,1,256,256\n")
        .unwrap();
    let turned = "x,y,u,v\n0,0,192,192\n1,0,-64,192\n0,1,192,-64\n1,1,-64,-64\n";
    fs::write(folder.path().join("turn.csv"), turned).unwrap();
    folder
}

fn texture() -> Picture565 {
    let bytes: Vec<u8> = (0..32).map(|at| at * 7 + 3).collect();
    Picture565::from_bytes(4, 4, &bytes)
}

const ONE: &str = "hmeshlast = 1\nvmeshlast = 1\nrectangle_width = 4\nrectangle_height = 4\n\
                   frame_width = 4\nframe_height = 4\n";

fn write(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("job.toml");
    fs::write(&path, text).unwrap();
    path
}

fn drawn(folder: &TempDir, text: &str) -> (Vec<Picture565>, MeshStatistics) {
    let job = MeshJob::load(&write(folder, text)).unwrap_or_else(|problems| panic!("{problems}"));
    draw_mesh_job(&job, &mut Golden565, &mut |_| {}).unwrap()
}

fn refused(folder: &TempDir, text: &str) -> String {
    MeshJob::load(&write(folder, text)).unwrap_err().to_string()
}

#[test]
fn both_kinds_of_picture_are_drawn_bit_for_bit() {
    let folder = folder();
    for texture_keys in
        ["texture = \"t.png\"", "texture = \"t.rgb565\"\ntexture_width = 4\ntexture_height = 4"]
    {
        let (pictures, statistics) =
            drawn(&folder, &format!("{ONE}vertices = \"copy.csv\"\n{texture_keys}\n"));
        assert_eq!(pictures, [texture()]);
        let counts =
            MeshCounts { pixels_drawn: 16, texture_lines: 2, frame_lines: 2, ..MeshCounts::default() };
        assert_eq!(statistics, MeshStatistics { total: counts, runs: vec![counts] });
    }
}

#[test]
fn steps_take_what_the_step_before_has_drawn() {
    let folder = folder();
    let text = format!(
        "{ONE}texture = \"t.png\"\nvertices = \"turn.csv\"\ntexture_is_previous = true\n\
         [[step]]\nrepeat = 3\n[[step]]\nvertices = \"copy.csv\"\noutput = false\nbrightness = 0\n[[step]]\n"
    );
    let (pictures, statistics) = drawn(&folder, &text);
    let turned =
        Picture565::from_bytes(4, 4, &texture().bytes().rchunks(2).flatten().copied().collect::<Vec<_>>());
    assert_eq!(pictures, [turned.clone(), texture(), turned, Picture565::black(4, 4)]);
    assert_eq!((statistics.runs.len(), statistics.total.pixels_drawn), (5, 80));
}

#[test]
fn frame_buffers_are_black_or_a_file_or_the_picture_before() {
    let folder = folder();
    let half = format!("{ONE}x_offset = 2\ntexture = \"t.png\"\nvertices = \"copy.csv\"\n");
    let column = |picture: &Picture565, x: usize| -> Vec<u8> {
        picture.bytes().chunks(8).flat_map(|row| row[2 * x..2 * x + 2].to_vec()).collect()
    };
    let (pictures, _) = drawn(&folder, &half);
    assert_eq!((column(&pictures[0], 0), column(&pictures[0], 2)), (vec![0; 8], column(&texture(), 0)));
    let (pictures, _) = drawn(&folder, &format!("{half}frame = \"t.rgb565\"\n"));
    assert_eq!(column(&pictures[0], 0), column(&texture(), 0));
    let series =
        format!("{half}frame = \"t.png\"\nframe_is_previous = true\n[[step]]\n[[step]]\nx_offset = 3\n");
    let (pictures, _) = drawn(&folder, &series);
    let expected = [0, 1, 0, 0].map(|x| column(&texture(), x));
    assert_eq!([0, 1, 2, 3].map(|x| column(&pictures[1], x)), expected);
}

#[test]
fn everything_that_is_wrong_with_a_job_is_told_with_its_line() {
    let folder = folder();
    let whole = format!("{ONE}texture = \"t.png\"\nvertices = \"copy.csv\"\n");
    let raw = "texture = \"t.rgb565\"\nvertices = \"copy.csv\"\n";
    let wide = Picture565::black(2047, 1);
    fs::write(folder.path().join("wide.png"), wide.encode("a.png".as_ref()).unwrap()).unwrap();
    let wider = tmu_assets::encode_rgb(2048, 1, vec![0; 3 * 2048], "a.png".as_ref()).unwrap();
    fs::write(folder.path().join("wider.png"), wider).unwrap();
    for (text, expected) in [
        (String::new(), vec!["job.toml:1: error[E0303]: the job has no `vertices`", "job has no `texture`"]),
        ("hmeshlast = ".to_owned(), vec!["job.toml:1: error[E0301]"]),
        (
            format!("{whole}brightnes = 3\n"),
            vec!["job.toml:9: error[E0302]: the job has no key `brightnes`", "brightness"],
        ),
        (
            format!("{whole}alpha = 64\nmask_x = -1\nbrightness = \"full\"\n"),
            vec![
                "job.toml:9: error[E0305]: the job `alpha` is 64; it lies within 0 and 63",
                "job.toml:10: error[E0305]: the job `mask_x` is -1",
                "job.toml:11: error[E0304]",
            ],
        ),
        (
            format!("{whole}[[step]]\nframe_width = 2048\ndelay_ms = 3\n"),
            vec![
                "job.toml:10: error[E0305]: [[step]] 1 `frame_width` is 2048",
                "[[step]] 1 has no key `delay_ms`",
            ],
        ),
        (
            format!("{whole}chroma_key = \"FF00F\"\n"),
            vec!["job.toml:9: error[E0305]: the job `chroma_key` is \"FF00F\", which is no colour"],
        ),
        (format!("{whole}chroma_key = 65536\n"), vec!["job.toml:9: error[E0305]"]),
        (format!("{ONE}{raw}"), vec!["t.rgb565: error[E0315]: a .rgb565 file has no size of its own"]),
        (
            format!("{ONE}{raw}texture_width = 4\ntexture_height = 5\n"),
            vec!["t.rgb565: error[E0315]: the file has 32 bytes; 4 x 5 pixels take 40"],
        ),
        (
            format!("{whole}texture_width = 5\n"),
            vec!["t.png: error[E0315]: the picture has 4 x 4 pixels, and the job says 5 x 4"],
        ),
        (
            format!("{ONE}texture = \"wider.png\"\nvertices = \"copy.csv\"\n"),
            vec!["wider.png: error[E0315]: the picture has 2048 x 1 pixels; 2047 a side are the most"],
        ),
        (
            format!("{ONE}texture = \"none.png\"\nvertices = \"none.csv\"\n"),
            vec!["none.csv: error[E0310]", "none.png: error[E0101]"],
        ),
        (
            whole.replace("hmeshlast = 1", "hmeshlast = 2"),
            vec!["copy.csv: error[E0314]: 2 of 6 points are missing, the first of them (2, 0)"],
        ),
        (
            format!("{whole}texture_is_previous = true\n[[step]]\n[[step]]\ntexture_width = 3\n"),
            vec![
                "job.toml:11: error[E0315]: the texture is the picture of the step before, which has 4 x 4 pixels",
            ],
        ),
        (format!("{whole}output = false\n"), vec!["error[E0308]: no step has an output"]),
        (
            format!("{}repeat = 10000\n", whole.replace("_width = 4\nframe_height = 4", "_width = 640")),
            vec!["error[E0309]: the pictures of all steps take"],
        ),
        (format!("{whole}step = 3\n"), vec!["job.toml:9: error[E0304]: `step` is not a list of tables"]),
    ] {
        let said = refused(&folder, &text);
        for part in expected {
            assert!(said.contains(part), "{text}: {part:?} is not in\n{said}");
        }
        assert!(said.matches("help: ").count() == said.matches("error[").count(), "{said}");
    }
    let fits = format!("{ONE}texture = \"wide.png\"\nvertices = \"copy.csv\"\n");
    assert!(MeshJob::load(&write(&folder, &fits)).is_ok());
}

/// What follows from a value that is refused is not told as well: a job, and how many mistakes it has.
#[test]
fn a_mistake_is_told_once() {
    let folder = folder();
    for (text, expected) in [
        ("hmeshlast = 0\ntexture = 3\nvertices = \"copy.csv\"\n".to_owned(), 2),
        (format!("{ONE}texture = \"t.rgb565\"\nvertices = \"copy.csv\"\ntexture_width = 0\n"), 1),
    ] {
        let said = refused(&folder, &text);
        assert_eq!(said.matches("error[").count(), expected, "{text}:\n{said}");
    }
}

#[test]
fn keys_are_colours_or_numbers() {
    let folder = folder();
    // The first pixel is 0x0a03.
    for (key, left_out) in [("\"084118\"", 1), ("2563", 1), ("\"08411B\"", 1), ("2564", 0), ("\"08411d\"", 0)]
    {
        let text = format!(
            "{ONE}texture = \"t.png\"\nvertices = \"copy.csv\"\nchroma_key_enable = true\nchroma_key = {key}\n"
        );
        let (_, statistics) = drawn(&folder, &text);
        assert_eq!(statistics.total.pixels_left_out, left_out, "{key}");
    }
}

/// The first step, with other registers and points, is drawn by the files that it writes; a frame that is drawn on included.
#[test]
fn the_files_of_a_changed_step_draw_the_same() {
    let folder = folder();
    let text = format!(
        "{ONE}vertices = \"copy.csv\"\ntexture = \"t.rgb565\"\ntexture_width = 4\ntexture_height = 4\nframe = \"t.png\"\n\
         [[step]]\nalpha = 20\n[[step]]\ntexture_is_previous = true\n"
    );
    let job = MeshJob::load(&write(&folder, &text)).unwrap();
    let first = job.first_step();
    assert_eq!((job.steps(), first.points().len(), first.texture_size()), (2, 4, [4, 4]));
    let mut points = first.points().to_vec();
    points[3] = [-100, 77];
    let changed = first.with(
        tmu_model::engines::mesh::Job {
            brightness: 40,
            chroma_key_enable: true,
            chroma_key: 0x1234,
            mask_x: 0x7f,
            x_offset: -1,
            ..first.job().clone()
        },
        points,
    );
    let (picture, counts) = changed.draw(&mut Golden565).unwrap();
    assert_ne!(picture, first.draw(&mut Golden565).unwrap().0);
    fs::write(folder.path().join("new.csv"), changed.points_file()).unwrap();
    let (pictures, statistics) = drawn(&folder, &changed.job_file("new.csv"));
    assert_eq!((pictures, statistics.total), (vec![picture], counts));
}
