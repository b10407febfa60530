//! The texture cache of the mesh engine against a few lines that say which texels are under a pixel and which lines must be asked
//! for; and how fast it is.

mod memory;
mod rates;
mod synthesis;
mod twin;

use crate::mesh_address::{Pixel, Texture, footprint_bits};
use crate::support::is_high;
use memory::{Manner, Memory};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::texture_cache::TextureCache;
use tmu_rtl::engines::mesh::texture_cache::words::CacheShape;
use tmu_rtl::engines::mesh::words::{PLACE_BITS, taps_word};
use tmu_stages::{Check, Flow, Rig};
use twin::{Tags, taps};

/// A cache that moves nothing for so many clocks has stopped.
const PATIENCE_CLOCKS: u64 = 3000;
/// Clocks behind a job in which its last fault comes.
const LATE_CLOCKS: u64 = 6;

#[test]
pub(crate) fn texels() {
    let manner = |latency_clocks, pauses| Manner { latency_clocks, pauses, failures: 0, wrong_lengths: 0 };
    run("texels", 8, 400, &[manner(0, 3), manner(20, 0), manner(60, 5)], 2, 10);
}

/// The smallest and larger ones.
#[test]
pub(crate) fn sizes() {
    let manner = Manner { latency_clocks: 20, pauses: 4, failures: 0, wrong_lengths: 0 };
    for kib in [16, 32, 64] {
        run("sizes", kib, 250, &[manner], 3, 4);
    }
}

#[test]
pub(crate) fn failing_reads() {
    let manner = |failures| Manner { latency_clocks: 9, pauses: 4, failures, wrong_lengths: 0 };
    run("failing_reads", 8, 200, &[manner(150), manner(20), manner(0)], 3, 12);
}

#[test]
pub(crate) fn wrong_lengths() {
    let manner = |wrong_lengths| Manner { latency_clocks: 12, pauses: 4, failures: 90, wrong_lengths };
    run("wrong_lengths", 8, 200, &[manner(100), manner(30), manner(0)], 3, 12);
}

#[test]
#[ignore = "minutes in the interpreter"]
fn many_jobs() {
    let manner = |latency_clocks, pauses, failures, wrong_lengths| Manner {
        latency_clocks,
        pauses,
        failures,
        wrong_lengths,
    };
    let all = [manner(0, 0, 0, 0), manner(60, 2, 0, 0), manner(20, 9, 100, 300), manner(3, 3, 0, 0)];
    for kib in [8, 16, 32] {
        run("many_jobs", kib, 2500, &all, 2, 60);
    }
}

/// Pixels of a job: a walk with any step, now and then from somewhere else.
struct Walk {
    texture: Texture,
    at: [u64; 2],
    step: [i64; 2],
}

impl Walk {
    fn new(check: &mut Check, texture: Texture) -> Walk {
        let mut walk = Walk { texture, at: [0; 2], step: [0; 2] };
        walk.jump(check);
        walk
    }

    fn jump(&mut self, check: &mut Check) {
        let Pixel { u, v, .. } = Pixel::any(check, &self.texture);
        self.at = [u, v];
        let most = check.pick(&[0, 64, 100, 1500]);
        self.step = [0; 2].map(|_| if check.one_in(3) { most } else { check.rng.random_range(-most..=most) });
        // Whole texels: taps without weight.
        if check.one_in(3) {
            self.at = self.at.map(|at| at & !63);
            self.step = self.step.map(|step| step & !63);
        }
    }

    fn next(&mut self, check: &mut Check) -> Pixel {
        if check.one_in(40) {
            self.jump(check);
        }
        let [u, v] = self.at;
        let sizes = [self.texture.width, self.texture.height];
        for (axis, size) in sizes.into_iter().enumerate() {
            let last = ((size - 1) << 6).cast_signed();
            self.at[axis] = (self.at[axis].cast_signed() + self.step[axis]).clamp(0, last).cast_unsigned();
        }
        Pixel { u, v, place: check.rng.random_range(0..1 << PLACE_BITS), is_end: false }
    }
}

/// Jobs one after the other. `pauses`: of what comes and of what is taken, one in so many clocks.
fn run(name: &str, kib: u64, pixels: u64, manners: &[Manner], pauses: u32, jobs: u64) {
    let mut check = Check::new(&format!("mesh_texture_cache {name}, {kib} KiB"));
    let mut rig = Rig::new("mesh_texture_cache", TextureCache::new(CacheShape::of_kib(kib as usize)));
    let mut tags = Tags::new(kib);
    let mut memory = Memory::default();
    for job in 0..jobs {
        let manner = manners[job as usize % manners.len()];
        let texture = Texture::any(&mut check);
        let said = format!("job {job} of {texture:?}, {manner:?}");
        one_job(
            &mut check,
            &mut rig,
            &mut memory,
            &mut tags,
            Job { job, pixels, pauses, manner, texture, said },
        );
    }
    check.at_least(3 * jobs * pixels);
}

struct Job {
    job: u64,
    pixels: u64,
    pauses: u32,
    manner: Manner,
    texture: Texture,
    said: String,
}

fn one_job(check: &mut Check, rig: &mut Rig<TextureCache>, memory: &mut Memory, tags: &mut Tags, of: Job) {
    let Job { job, pixels, pauses, manner, texture, said } = of;
    let mut walk = Walk::new(check, texture);
    let (mut owed, mut lines): (Flow<Pixel>, Flow<u64>) = (Flow::default(), Flow::default());
    let (mut sent, mut waits, mut starts) = (0, 0, true);
    let (mut offered, mut ended, mut late): (Option<Pixel>, bool, u64) = (None, false, 0);
    let mut faults = vec![];
    memory.is_broken = false;
    memory.failed.clear();
    tags.clear();
    while late < LATE_CLOCKS {
        late = if ended && memory.is_quiet() { late + 1 } else { 0 };
        rig.start.drive(starts);
        starts = false;
        if offered.is_none() && sent <= pixels && !check.one_in(pauses) {
            let pixel = walk.next(check);
            offered = Some(Pixel { is_end: sent == pixels, ..pixel });
            sent += 1;
        }
        rig.footprint.valid.drive(offered.is_some());
        if let Some(pixel) = offered {
            rig.footprint.data.drive(footprint_bits(&texture, pixel));
        }
        let takes = !check.one_in(pauses);
        rig.taps.ready.drive(takes);
        memory.drive(check, rig, &manner, job);
        rig.settle();
        waits += 1;
        if is_high(rig.footprint.ready.val())
            && let Some(pixel) = offered.take()
        {
            tags.misses(&texture, pixel).into_iter().for_each(|line| lines.put(line));
            owed.put(pixel);
            waits = 0;
        }
        if takes && is_high(rig.taps.valid.val()) {
            let pixel = owed.next(check);
            check_taps(check, rig, memory.is_broken, &said, pixel, taps(job, &texture, pixel));
            ended = pixel.is_end;
            waits = 0;
        }
        if is_high(rig.fault.happened.val()) {
            faults.push([rig.fault.response.val().to_u64(), rig.fault.line.val().to_u64()]);
        }
        memory.take(check, rig, &manner);
        while let Some(line) = memory.asked.pop_front() {
            let expected = lines.next(check);
            check.same(format_args!("{said}: a line that is asked for"), line, expected);
        }
        rig.tick();
        check
            .holds(waits < PATIENCE_CLOCKS, format_args!("{said}: something moves; {} are owed", owed.len()));
    }
    owed.is_done(check);
    lines.is_done(check);
    check_faults(check, memory, &said, &faults);
}

fn check_taps(
    check: &mut Check,
    rig: &Rig<TextureCache>,
    is_broken: bool,
    said: &str,
    pixel: Pixel,
    expected: [Option<u64>; 4],
) {
    let word = taps_word().unpack(rig.taps.data.val());
    let [fx, fy] = pixel.weights();
    let got = [word.fx, word.fy, word.place, word.opens_line, word.is_end].map(Bits::to_u64);
    check.same(
        format_args!("{said}: beside the texels of {pixel:?}"),
        got,
        [fx, fy, pixel.place, pixel.opens_line().into(), pixel.is_end.into()],
    );
    // Nobody knows which beat is which line's.
    if is_broken {
        return;
    }
    for (tap, expected) in expected.into_iter().enumerate() {
        if let Some(expected) = expected {
            check.same(format_args!("{said}: tap {tap} of {pixel:?}"), word.texels[tap].to_u64(), expected);
        }
    }
}

/// One fault a job: its first.
fn check_faults(check: &mut Check, memory: &Memory, said: &str, faults: &[[u64; 2]]) {
    let is_one = usize::from(memory.is_broken || !memory.failed.is_empty());
    check.same(format_args!("{said}: faults"), faults.len(), is_one);
    let Some(&[response, line]) = faults.first() else { return };
    // Behind an answer of the wrong length nobody knows which line is which.
    let is_right = memory.is_broken || memory.failed.first() == Some(&(line, response));
    check.holds(is_right, format_args!("{said}: fault {response} of {line}, failed {:?}", memory.failed));
}
