//! Jobs that come as packets.

use super::{READ_FAULT, RESET, WRITE_FAULT, check, job_of_faults, loader, preset, write_of};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_model::engines::loader::{Job, Settings};
use tmu_rtl::system::registers::ERROR;
use tmu_sim::engines::loader::Loader;
use tmu_sim::engines::loader::job_streams::Answer;
use tmu_sim::engines::loader::jobs::{self, BASE};
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::memory::{self, Bytes, Fault};
use tmu_spec::loader::Refusal;
use tmu_spec::loader::job_port::{WORDS, WRONG_LENGTH};

/// Sends a packet of another length than that of a job.
fn send_other_length(loader: &mut Loader, random: &mut ChaCha8Rng) {
    let length =
        [random.random_range(1..WORDS), random.random_range(WORDS + 1..30)][random.random_range(0..2)];
    let words: Vec<u32> = (0..length).map(|_| random.random()).collect();
    loader.system().surroundings_mut().send(&words);
}

const WELL: Answer = Answer { code: 0, response: 0, address: 0 };
const OTHER_LENGTH: Answer = Answer { code: WRONG_LENGTH as u32, response: 0, address: 0 };

/// Sends the packet of a job, among others of the wrong length and of refused jobs. Gives the answers that must come.
fn send_among_others(loader: &mut Loader, job: &Job, random: &mut ChaCha8Rng) -> Vec<Answer> {
    let mut expected = vec![];
    loop {
        match random.random_range(0..4) {
            0 => {
                send_other_length(loader, random);
                expected.push(OTHER_LENGTH);
            }
            1 => {
                let settings = jobs::wild(random, &job.settings());
                if let Err(refusal) = settings.job() {
                    loader.send(&settings);
                    expected.push(Answer { code: refusal.code().into(), ..WELL });
                }
            }
            _ => {
                loader.send(&job.settings());
                expected.push(WELL);
                return expected;
            }
        }
    }
}

#[test]
fn packets_make_what_registers_make() {
    for (seed, percent) in [(11, 0), (12, 25)] {
        let Some(mut loader) = loader(&preset(), percent, seed) else { return };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for round in 0..40 {
            let told = format!("seed {seed}, job {round}");
            let (job, memory) = jobs::random(&mut random, 24);
            if random.random_range(0..4) == 0 {
                // A job that a processor has started is left alone: the packet waits for its end.
                loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
                loader.start(&job.settings()).unwrap();
                send_other_length(&mut loader, &mut random);
                loader.send(&Settings { levels: 0, ..job.settings() });
                assert_eq!(loader.answer(0).unwrap(), OTHER_LENGTH, "{told}");
                let refused = Answer { code: u32::from(Refusal::Levels.code()), ..WELL };
                assert_eq!(loader.answer(100_000).unwrap(), refused, "{told}");
                let mut expected = memory.clone();
                job.run(BASE, &mut expected);
                assert!(loader.bytes() == expected, "{told}: {job:x?}");
                assert!(loader.write("INTERRUPT", 1).unwrap());
                continue;
            }
            let mut expected = memory.clone();
            job.run(BASE, &mut expected);
            loader.set_memory(Bytes::new(BASE.into(), memory));
            for answer in send_among_others(&mut loader, &job, &mut random) {
                assert_eq!(loader.answer(100_000).unwrap(), answer, "{told}: {job:x?}");
            }
            assert!(loader.bytes() == expected, "{told}: {job:x?}");
            assert!(loader.write("INTERRUPT", 1).unwrap());
        }
        assert_eq!(loader.system().read_register(ERROR.offset_bytes).unwrap(), 0);
    }
}

#[test]
fn what_fails_is_told_to_who_sent_the_packet() {
    let Some(mut loader) = loader(&preset(), 10, 13) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(13);
    for round in 0..8 {
        let (job, memory) = job_of_faults(&mut random);
        let reads = round % 2 == 0;
        let at = if reads {
            u64::from(job.picture) + u64::from(job.pitch) * random.random_range(0..50u64)
        } else {
            u64::from(job.texture)
        };
        let answer =
            Answer { code: if reads { READ_FAULT } else { WRITE_FAULT }, response: 3, address: at as u32 };
        let fault = memory::Answer { addresses: at..at + 16, fault: Fault::Decode, reads, writes: !reads };
        loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
        loader.system().memory_mut().contents_mut().answer(vec![fault]);
        loader.send(&job.settings());
        assert_eq!(loader.answer(100_000).unwrap(), answer, "round {round}: {job:x?}");
        assert_eq!(loader.read("STATUS").unwrap() >> 8 & 15, answer.code);
        // Ended by the engine's own reset, by who has registers.
        loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
        loader.send(&job.settings());
        while loader.read("STATUS").unwrap() & 1 == 0 {}
        assert!(loader.write("RESET", 1).unwrap());
        assert_eq!(loader.answer(100_000).unwrap(), Answer { code: RESET, ..WELL }, "round {round}");
        assert!(loader.write("INTERRUPT", 1).unwrap());
        assert!(loader.system().access(write_of(ERROR.offset_bytes)).unwrap().response == 0);
        check(&mut loader, &job, &memory, "behind a fault");
    }
}

#[test]
fn a_packet_waits_for_who_does_not_take_answers() {
    let Some(mut loader) = loader(&preset(), 0, 14) else { return };
    let (job, memory) = job_of_faults(&mut ChaCha8Rng::seed_from_u64(14));
    loader.set_memory(Bytes::new(BASE.into(), memory));
    loader.system().surroundings_mut().hold(true);
    let refused = Settings { levels: 0, ..job.settings() };
    // Answers that the FIFO and its register hold, the one that waits in the stage, packets that wait, and what is left over.
    for _ in 0..20 {
        loader.send(&refused);
    }
    loader.system().run_clocks(3000).unwrap();
    let left = loader.system().surroundings_mut().queued_words();
    assert!((WORDS * 10..WORDS * 18).contains(&left), "{left} words are left");
    loader.system().surroundings_mut().hold(false);
    for _ in 0..20 {
        assert_eq!(loader.answer(0).unwrap().code, u32::from(Refusal::Levels.code()));
    }
}

/// Behind a reset packets are taken again; one that was cut in two has the wrong length, if anything is left of it.
#[test]
fn after_any_reset_packets_are_taken() {
    let mut random = ChaCha8Rng::seed_from_u64(15);
    let Some(mut loader) = loader(&preset(), 20, 15) else { return };
    for round in 0..24 {
        let (job, memory) = job_of_faults(&mut random);
        loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
        for _ in 0..3 {
            loader.send(&job.settings());
        }
        loader.system().run_clocks(random.random_range(0..2000)).unwrap();
        let domain = [Domain::Tmu, Domain::Core][round % 2];
        loader.system().assert_reset(domain);
        if domain == Domain::Core {
            loader.system().surroundings_mut().forget();
        }
        loader.system().run_clocks(random.random_range(1..40)).unwrap();
        loader.system().release_reset(domain);
        // What was sent and not lost runs, cut off by nothing.
        while loader.system().surroundings_mut().queued_words() > 0 {
            loader.system().run_clocks(64).unwrap();
        }
        let rests = |loader: &mut Loader| loader.read("STATUS").unwrap() & 1 == 0;
        for _ in 0..3 {
            loader.system().run_clocks(200).unwrap();
            while !rests(&mut loader) {}
        }
        loader.system().surroundings_mut().forget();
        assert!(loader.write("INTERRUPT", 1).unwrap());
        let mut expected = memory.clone();
        job.run(BASE, &mut expected);
        loader.set_memory(Bytes::new(BASE.into(), memory));
        loader.send(&job.settings());
        assert_eq!(loader.answer(100_000).unwrap(), WELL, "round {round}");
        assert!(loader.bytes() == expected, "round {round}");
        assert!(loader.write("INTERRUPT", 1).unwrap());
    }
}
