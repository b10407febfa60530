//! Building: the cache, wrong sources, missing tools.

mod common;

use std::time::{SystemTime, UNIX_EPOCH};

use common::counter;
use tmu_verilate::{
    Direction, Error, IcarusModel, Model, ModelOptions, ModelSource, OptimizeFor, Schedule, SourceFile, Tools,
};

/// The only test that fails where tools are missing.
#[test]
fn the_tools_are_installed() {
    let missing: Vec<_> = Tools::missing().iter().map(ToString::to_string).collect();
    assert!(missing.is_empty(), "most tests of the workspace were skipped:\n{}", missing.join("\n"));
}

#[test]
fn a_second_build_comes_from_the_cache() {
    if Tools::are_missing() {
        return;
    }
    let mut source = counter();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    source.files[0].text += &format!("// a text that was never built before: {now}\n");
    let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
    let first = Model::build(&source, &options).unwrap();
    let second = Model::build(&source, &options).unwrap();
    assert_eq!((first.from_cache(), second.from_cache()), (false, true));
    assert_eq!(first.directory(), second.directory());
    let names = std::fs::read_dir(first.directory())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(
        names,
        ["counter.v", "tmuv_digests", "tmuv_model.so", "tmuv_warnings.log"],
        "the generated C++ is not kept"
    );

    let waves = ModelOptions { fst: true, ..options.clone() };
    assert_ne!(
        Model::build(&source, &waves).unwrap().directory(),
        first.directory(),
        "options are part of the key"
    );
    let passing = ModelOptions { keep: false, ..options };
    let passing = Model::build(&source, &passing).unwrap();
    let directory = passing.directory().to_owned();
    let mut instance = passing.instance().unwrap();
    drop(passing);
    assert!(directory.is_dir(), "an instance keeps its model");
    instance.eval().unwrap();
    drop(instance);
    assert!(!directory.exists());
    std::fs::remove_dir_all(first.directory()).unwrap();
}

#[test]
fn wrong_verilog_gives_the_tools_text_with_file_and_line() {
    if Tools::are_missing() {
        return;
    }
    let mut source = counter();
    source.files[0].text = source.files[0].text.replace("by};", "bye};");
    let Err(Error::Tool { tool, output, .. }) = Model::build(&source, &ModelOptions::default()) else {
        panic!()
    };
    assert_eq!(tool, "Verilator");
    assert!(output.contains("counter.v:4") && output.contains("bye"), "{output}");
    let Err(Error::Tool { tool, output, .. }) = IcarusModel::build(&source, Schedule::Cycles) else {
        panic!()
    };
    assert_eq!(tool, "Icarus Verilog");
    assert!(output.contains("counter.v:4") && output.contains("bye"), "{output}");
}

#[test]
fn a_port_list_that_is_not_the_modules_is_refused() {
    if Tools::are_missing() {
        return;
    }
    let refused = |change: &dyn Fn(&mut ModelSource), expected: &str| {
        let mut source = counter();
        change(&mut source);
        let message = Model::build(&source, &ModelOptions::default()).unwrap_err().to_string();
        assert!(message.contains(expected), "expected `{expected}` in: {message}");
    };
    refused(&|source| source.ports[2].width_bits = 5, "'by' expects 4 bits");
    refused(&|source| source.ports[3].width_bits = 7, "'total' expects 8 bits");
    refused(&|source| drop(source.ports.remove(2)), "has missing pin: 'by'");
    refused(&|source| source.ports[2].direction = Direction::Output, "Signal is not driven: 'p2'");
    refused(&|source| source.ports[3].direction = Direction::Input, "p3");
    refused(&|source| source.ports[1].name = "reset".into(), "Pin not found: 'reset'");
}

#[test]
fn all_faults_of_a_source_are_named_at_once() {
    let mut source = counter();
    source.top = "9 lives".into();
    source.files.push(SourceFile::new("../counter.v", ""));
    source.files.push(SourceFile::new("counter.v", ""));
    source.ports[0].width_bits = 2;
    source.ports[1].name = "a.b".into();
    source.ports[2].width_bits = 0;
    source.ports[3].name = "clk".into();
    let message = source.validate().unwrap_err().to_string();
    assert_eq!(
        message,
        "the model source `9 lives` cannot be used:
  - the top module's name `9 lives` is not a plain Verilog identifier
  - the file name `../counter.v` is not a relative name without `..`, blanks and quotes
  - two files are called `counter.v`
  - clock `clk` is 2 bits wide; a clock has 1
  - the port name `a.b` is not a plain Verilog identifier
  - port `by` is 0 bits wide; 1 to 65536 is allowed
  - two ports are called `clk`"
    );
}

#[test]
fn a_port_that_is_not_there_is_named_with_those_that_are() {
    if Tools::are_missing() {
        return;
    }
    let model = Model::build(&counter(), &ModelOptions::default()).unwrap();
    let message = model.port("clock").unwrap_err().to_string();
    assert_eq!(message, "`counter` has no port `clock`; it has clk, rst, by, total");
}
