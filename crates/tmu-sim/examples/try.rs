//! Scratch.
#![allow(clippy::print_stdout, clippy::print_stderr)]
use tmu_sim::{Rtl, regression::{Regression, run}, pauses::Pauses};
use tmu_spec::{Config, Preset};
use tmu_verilate::{Model, ModelOptions};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |key: &str| args.iter().position(|a| a == key).map(|i| args[i + 1].clone());
    let config = match get("--config") { Some(p) => Config::from_toml(&std::fs::read_to_string(p).unwrap()).unwrap(), None => Preset::find(&get("--preset").unwrap_or("fury-single".into())).unwrap().config().unwrap() };
    let t = std::time::Instant::now();
    let rtl = match Rtl::generate(&config) { Ok(r) => r, Err(e) => { println!("{e}"); std::process::exit(1) } };
    println!("generated in {:?}", t.elapsed());
    std::fs::write("/tmp/sim_out.v", &rtl.source.files[0].text).unwrap();
    let waves = get("--waves").map(std::path::PathBuf::from);
    let t = std::time::Instant::now();
    let model = Model::build(&rtl.source, &ModelOptions { fst: waves.is_some(), ..Default::default() }).unwrap();
    println!("{}", model.warnings());
    println!("built in {:?}", t.elapsed());
    let num = |k: &str, d: u64| get(k).map_or(d, |v| v.parse().unwrap());
    let r = Regression { pauses: Pauses::percent(num("--pauses", 0) as u8), errors: args.contains(&"--errors".into()), resets: args.contains(&"--resets".into()), waves, ..Regression::new(num("--seed", 1), num("--quads", 1000), num("--latency", 20) as u32) };
    let t = std::time::Instant::now();
    match run(&model, &rtl, &r, |_| ()) { Ok(rep) => println!("{} quads, {} tmu clocks, {} beats, {:?} holes {:?}", rep.quads, rep.tmu_clocks, rep.memory_beats, t.elapsed(), rep.coverage.holes(config.features(), r.errors)), Err(e) => { println!("{e}"); std::process::exit(1) } }
}
