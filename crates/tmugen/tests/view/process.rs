//! The program around the page: what it says, what it refuses, how it ends.

use crate::support::Workshop;
use serde_json::Value;

#[test]
fn it_says_where_the_page_is_and_ends_when_it_is_interrupted() {
    let workshop = Workshop::new();
    let before = workshop.names();
    let mut served = workshop.serve("tmugen view coffee.jpg --preset quad", &[]);
    assert!(served.url.starts_with("http://127.0.0.1:"), "{}", served.url);
    assert!(served.get("/").contains("<title>tmugen view</title>"));
    let options = served.get("/options");
    let options: Value = serde_json::from_str(options.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(
        (&options["picture"]["name"], &options["settings"]["config"]),
        (&"coffee.jpg".into(), &"quad".into())
    );
    assert_eq!(options["configs"].as_array().unwrap().len(), tmu_spec::presets::classic().count());
    assert_eq!(served.interrupt().0, 130);
    assert_eq!(workshop.names(), before, "something was written");
}

#[test]
fn a_configuration_file_stands_beside_the_presets() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen new my.toml --quiet");
    let mut served = workshop.serve("tmugen view --config my.toml --address ::1 --json", &[]);
    assert!(served.url.starts_with("http://[::1]:"), "{}", served.url);
    assert!(served.get("/options").contains("{\"about\":\"from your file\",\"name\":\"my.toml\"}"));
    // The rest of the object that was printed at the start, and nothing after it.
    assert_eq!(served.interrupt(), (130, "}\n".to_owned()));
}

#[test]
fn wrong_input_is_refused_before_anything_is_served() {
    let workshop = Workshop::new();
    workshop.write("bad.png", "no picture");
    let cases: [(&str, i32, &[&str]); 6] = [
        ("tmugen view --address 0.0.0.0", 2, &["E0401", "0.0.0.0", "--address 127.0.0.1"]),
        ("tmugen view --address example.org", 2, &["example.org"]),
        ("tmugen view bad.png", 1, &["E0103", "bad.png"]),
        ("tmugen view nothing.png", 1, &["E0201", "nothing.png"]),
        ("tmugen view --max-megapixels 1 big.png", 1, &["E0104", "1100 x 1000", "1000000"]),
        ("tmugen view --max-upload-mib 0", 2, &["--max-upload-mib", "1..=1024"]),
    ];
    let big = tmu_assets::Picture::from_texels(1100, 1000, vec![[7; 4]; 1_100_000]);
    std::fs::write(workshop.path("big.png"), big.encode("big.png".as_ref()).unwrap()).unwrap();
    for (command, exit, parts) in cases {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
    }
    let served = workshop.serve("tmugen view", &[]);
    let port = served.url.trim_end_matches('/').rsplit(':').next().unwrap();
    let run = workshop.run(&format!("tmugen view --port {port}"));
    assert_eq!((run.exit, run.out.as_str()), (1, ""), "{run}");
    assert!(run.err.contains("E0402") && run.err.contains(port) && run.err.contains("--port"), "{run}");
}
