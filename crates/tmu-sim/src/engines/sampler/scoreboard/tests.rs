use super::*;
use tmu_spec::{Binding, Format, Sampler, Texture};

fn binding(format: Format, sampler: Sampler) -> Binding {
    Binding::new(0x1000, Texture::new(format, 4, 4, 4).unwrap(), sampler).unwrap()
}

fn scoreboard(format: Format, sampler: Sampler) -> Scoreboard {
    let mut scoreboard = Scoreboard::new(2, Features::ALL, Arc::new(TextureMemory::noise(1)));
    scoreboard.request(&Request::Bind(binding(format, sampler).record()));
    scoreboard
}

const QUAD: Quad = Quad::new([[0x1234, 0x4321]; 4], 0b0001);

fn due(scoreboard: &Scoreboard) -> ResultBeat {
    let expected = scoreboard.in_flight[0].expected;
    ResultBeat::narrow(expected.tdata(), expected.tuser())
}

#[test]
fn the_right_result_is_accepted_once() {
    let mut scoreboard = scoreboard(Format::Rgba8, Sampler::default());
    scoreboard.request(&Request::Sample(QUAD));
    let due = due(&scoreboard);
    scoreboard.result(due).unwrap();
    assert_eq!((scoreboard.answered(), scoreboard.in_flight()), (1, 0));
    assert_eq!(scoreboard.result(due).unwrap_err().wrong::<Unasked>().unwrap().unit, 2);
}

#[test]
fn a_wrong_pixel_is_named_with_its_stage() {
    let bilinear = Sampler { bilinear: true, ..Sampler::default() };
    let mut scoreboard = scoreboard(Format::Rgba8, bilinear);
    scoreboard.request(&Request::Sample(QUAD));
    let mut wrong = due(&scoreboard);
    wrong.tdata ^= 1;
    let text = scoreboard.result(wrong).unwrap_err().to_string();
    for part in ["unit 2, quad 0", "rgba8 16 x 16 at 0x1000", "bilinear", "<--", "suspect: filter"] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

#[test]
fn only_lines_that_are_needed_may_be_read() {
    let mut scoreboard = scoreboard(Format::I8Rgb8, Sampler::default());
    // The colour table is 48 lines; no quad is there yet.
    assert!(scoreboard.read(0x100).is_ok() && scoreboard.read(0x12f).is_ok());
    let text = scoreboard.read(0x130).unwrap_err().to_string();
    assert!(text.contains("0x1300"), "{text}");
    scoreboard.request(&Request::Sample(QUAD));
    let line = scoreboard.in_flight[0].lines[0];
    assert!(scoreboard.read(line).is_ok() && scoreboard.read(line + 1).is_err());
    scoreboard.result(due(&scoreboard)).unwrap();
    assert!(scoreboard.read(line).is_err() && scoreboard.read(0x100).is_ok());
    // After a quad of the next binding the table is not needed any more.
    let other = binding(Format::Rgba8, Sampler::default());
    scoreboard.request(&Request::Bind(other.record()));
    scoreboard.request(&Request::Sample(QUAD));
    scoreboard.result(due(&scoreboard)).unwrap();
    assert!(scoreboard.read(0x100).is_err());
    scoreboard.clear(0, false);
    scoreboard.request(&Request::Sample(QUAD));
    assert_eq!(due(&scoreboard).tuser, 0b1_0001, "nothing is bound after a reset");
}

#[test]
fn a_quad_is_excused_only_for_a_line_that_it_needs() {
    let failed = QuadResult::failed(1);
    let failed = ResultBeat::narrow(failed.tdata(), failed.tuser());
    // Its own line, a line of its colour table, and one that is neither.
    for (line, is_excused) in [(None, true), (Some(0x100), true), (Some(0x131), false)] {
        let mut scoreboard = scoreboard(Format::I8Rgb8, Sampler::default());
        scoreboard.request(&Request::Sample(QUAD));
        let needed = scoreboard.in_flight[0].lines[0];
        scoreboard.excuse(line.unwrap_or(needed));
        assert_eq!(scoreboard.result(failed).is_ok(), is_excused, "{line:x?}");
        if !is_excused {
            continue;
        }
        // Wrong pixels without the error bit are never excused, nor is an error behind the end.
        scoreboard.request(&Request::Sample(QUAD));
        assert!(scoreboard.result(ResultBeat { tuser: 1, ..failed }).is_err());
        assert_eq!(scoreboard.excuse_none().unwrap(), 1);
        scoreboard.request(&Request::Sample(QUAD));
        assert!(scoreboard.result(failed).is_err());
    }
}

/// Behind an answer of the wrong length a cache that reads ahead may fail what it reads then, and begin reads of quads
/// that have failed; the other one only fails that line.
#[test]
fn behind_an_answer_of_the_wrong_length_quads_are_right_or_fail() {
    let failed = QuadResult::failed(1);
    let failed = ResultBeat::narrow(failed.tdata(), failed.tuser());
    for prefetches in [true, false] {
        let mut scoreboard = scoreboard(Format::Rgba8, Sampler::default()).with_prefetch(prefetches);
        scoreboard.request(&Request::Sample(QUAD));
        let lines = scoreboard.in_flight[0].lines.clone();
        if prefetches {
            // It is under way when the answer comes.
            scoreboard.mislead(0x20);
            assert!(scoreboard.result(failed).is_ok());
            assert_eq!(scoreboard.excuse_none().unwrap(), 1);
        }
        // Somebody else's answer is wrong, and then this quad's line is read, before it fails or afterwards.
        scoreboard.mislead(0x20);
        if !prefetches {
            scoreboard.read(lines[0]).unwrap();
            assert!(scoreboard.result(failed).is_err(), "its own answer was right");
            continue;
        }
        scoreboard.request(&Request::Sample(QUAD));
        assert!(scoreboard.result(failed).is_ok());
        assert!(scoreboard.excuse_none().is_err(), "nothing that it needs was read");
        scoreboard.mislead(0x20);
        scoreboard.request(&Request::Sample(QUAD));
        assert!(scoreboard.result(failed).is_ok());
        for line in &lines {
            assert!(scoreboard.read(*line).is_ok(), "the failed quad did not wait for {line:#x}");
        }
        assert!(scoreboard.read(lines[lines.len() - 1] + 1).is_err(), "nobody needs it");
        scoreboard.request(&Request::Sample(QUAD));
        assert!(scoreboard.result(ResultBeat { tuser: 1, ..failed }).is_err(), "wrong without the error bit");
        assert_eq!(scoreboard.excuse_none().unwrap(), 2);
        assert!(scoreboard.read(lines[0]).is_err(), "nobody needs it any more");
        scoreboard.request(&Request::Sample(QUAD));
        scoreboard.read(lines[0]).unwrap();
        assert!(scoreboard.result(failed).is_err(), "behind the end every quad is right");
    }
}

#[test]
fn the_rest_of_a_tile_may_be_read_where_the_cache_reads_ahead() {
    for (format, lines_per_tile) in [(Format::Rgba8, 4), (Format::Rgb8, 3), (Format::I8Rgb8, 1)] {
        let mut scoreboard = scoreboard(format, Sampler::default()).with_prefetch(true);
        scoreboard.request(&Request::Sample(QUAD));
        let line = scoreboard.in_flight[0].lines.clone();
        assert_eq!(line.len(), lines_per_tile, "{format}");
        assert!(line.windows(2).all(|pair| pair[1] == pair[0] + 1));
        // A tile starts a whole number of tiles behind the base and the colour table.
        let from_first = line[0] - 0x100 - format.color_table_bytes() / LINE_BYTES;
        assert_eq!(from_first as usize % lines_per_tile, 0, "{format}");
        assert!(scoreboard.read(line[0]).is_ok() && scoreboard.read(line[lines_per_tile - 1]).is_ok());
        assert!(scoreboard.read(line[lines_per_tile - 1] + 1).is_err());
    }
}

/// What was offered at a reset is still due, and nothing else of what was asked for before it.
#[test]
fn a_result_that_was_offered_at_a_reset_stays_due() {
    let mut scoreboard = scoreboard(Format::Rgba8, Sampler::default());
    scoreboard.request(&Request::Sample(QUAD));
    scoreboard.request(&Request::Sample(QUAD));
    let offered = due(&scoreboard);
    scoreboard.clear(0, true);
    assert!(scoreboard.result(offered).is_err(), "it is no result of a request after the reset");
    // Another reset finds it still offered.
    scoreboard.clear(0, true);
    scoreboard.left_over(offered).unwrap();
    assert!(scoreboard.left_over(offered).is_err(), "it comes once");

    for changed in [ResultBeat { tdata: offered.tdata ^ 1, ..offered }, ResultBeat { tuser: 0, ..offered }] {
        scoreboard.request(&Request::Bind(binding(Format::Rgba8, Sampler::default()).record()));
        scoreboard.request(&Request::Sample(QUAD));
        scoreboard.clear(0, true);
        assert!(scoreboard.left_over(changed).is_err());
    }
    scoreboard.request(&Request::Sample(QUAD));
    scoreboard.clear(0, false);
    assert!(scoreboard.left_over(offered).is_err(), "the streams' own reset takes it back");
}
