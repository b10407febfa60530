//! The memory by itself: timing, order, and each rule of the address channel.

use super::*;
use crate::kit::pauses::Pauses;
use std::collections::VecDeque;

const BASE: u64 = 0x1_0000;

/// Lines that hold their number, but one that fails.
fn contents() -> Bytes {
    let lines = (0..4095u128).flat_map(u128::to_le_bytes);
    let mut bytes = Bytes::new(BASE, lines.collect());
    let addresses = BASE + 48..BASE + 64;
    bytes.answer(vec![Answer { addresses, fault: Fault::Subordinate, reads: true, writes: true }]);
    bytes
}

/// Memory of four units that may have this many reads in flight.
fn deep_port(timing: MemoryTiming, outstanding_reads: u32) -> Memory<Bytes> {
    let cache = if outstanding_reads > 1 { "[cache]\nkind = \"prefetch\"" } else { "" };
    let toml = format!("units = 4\n[axi]\noutstanding_reads = {outstanding_reads}\n{cache}");
    Memory::new(&Config::from_toml(&toml).unwrap(), timing, contents(), 5)
}

fn port(timing: MemoryTiming) -> Memory<Bytes> {
    deep_port(timing, 1)
}

fn at_edge(
    port: &mut Memory<Bytes>,
    read: Option<Address>,
    read_ready: bool,
) -> Result<MemoryEvents, Violation> {
    port.clock(Shown { read, read_ready, ..Shown::default() })
}

fn address(id: u32, line: u64, beats: u8) -> Address {
    Address { id, address: BASE + line * 16, len: beats - 1, size: 4, burst: 1, attributes: [3, 0, 0] }
}

/// Offers addresses one after the other and takes data whenever it comes: (edge, id, last) of each beat.
fn run(port: &mut Memory<Bytes>, mut addresses: VecDeque<Address>, edges: u64) -> Vec<(u64, u32, bool)> {
    let mut got = Vec::new();
    for edge in 0..edges {
        let shown = port.driven().read.copied();
        let events = at_edge(port, addresses.front().copied(), true).unwrap();
        if events.taken.is_some() {
            addresses.pop_front();
        }
        got.extend(shown.map(|data| (edge, data.id, data.last)));
        assert_eq!(events.given, shown.is_some());
    }
    assert!(addresses.is_empty() && port.outstanding_reads() == 0);
    got
}

#[test]
fn latency_and_bandwidth_are_as_set() {
    // The address is taken at edge 1, since arready is low before edge 0.
    for latency in [1, 2, 20] {
        let got = run(&mut port(MemoryTiming::latency(latency)), [address(0, 0, 3)].into(), 40);
        let first = 1 + u64::from(latency);
        assert_eq!(got, [(first, 0, false), (first + 1, 0, false), (first + 2, 0, true)], "{latency}");
    }
    let half = MemoryTiming { bytes_per_clock: 4, ..MemoryTiming::latency(1) };
    let edges: Vec<_> = run(&mut port(half), [address(0, 0, 4)].into(), 60).iter().map(|b| b.0).collect();
    assert!(edges.windows(2).skip(1).all(|pair| pair[1] - pair[0] == 4), "{edges:?}");
}

#[test]
fn ids_overtake_and_each_stays_in_order() {
    let timing = MemoryTiming { reorder: true, latency_spread_clocks: 9, ..MemoryTiming::latency(5) };
    let asked: VecDeque<_> = (0..4).map(|id| address(id, u64::from(id) * 8, 8)).collect();
    let got = run(&mut port(timing), asked, 200);
    let order: Vec<_> = got.iter().map(|beat| beat.1).collect();
    assert!(!order.is_sorted(), "nothing overtook: {order:?}");
    for id in 0..4 {
        let lasts: Vec<_> = got.iter().filter(|beat| beat.1 == id).map(|beat| beat.2).collect();
        assert_eq!(lasts, [false, false, false, false, false, false, false, true]);
    }
    assert_eq!(got.len(), 32);
}

#[test]
fn pauses_lose_nothing() {
    let timing = MemoryTiming { pauses: Pauses::percent(30), ..MemoryTiming::latency(3) };
    let mut port = port(timing);
    let asked = (0..100u64).map(|n| address(n as u32 % 4, n, 1));
    // Each unit has one read in flight at most, so ask for the next when the last has come.
    for one in asked {
        let (mut taken, mut data) = (false, None);
        while data.is_none() {
            data = port.driven().read.copied();
            taken |= at_edge(&mut port, (!taken).then_some(one), true).unwrap().taken.is_some();
        }
        assert_eq!(data.unwrap().id, one.id);
    }
    assert_eq!(port.beats_by_channel(), [25; 4]);
}

#[test]
fn data_are_the_contents_and_faults_their_responses() {
    let mut port = port(MemoryTiming::latency(1));
    let mut got = Vec::new();
    let mut asked: VecDeque<_> = [address(1, 2, 1), address(2, 3, 1), address(3, 0x800_0000, 1)].into();
    for _ in 0..20 {
        got.extend(port.driven().read.copied());
        if at_edge(&mut port, asked.front().copied(), true).unwrap().taken.is_some() {
            asked.pop_front();
        }
    }
    assert_eq!(got.iter().map(|data| data.response).collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(got[0].data, 2u128.to_le_bytes());
}

#[test]
fn each_rule_of_the_address_channel_is_watched() {
    let refused = |address: Address| {
        let mut port = port(MemoryTiming::latency(50));
        at_edge(&mut port, None, true).unwrap();
        at_edge(&mut port, Some(address), true).unwrap_err().what
    };
    let good = address(0, 0, 1);
    for (address, rule) in [
        (Address { size: 3, ..good }, "arsize"),
        (Address { burst: 0, ..good }, "arburst"),
        (Address { address: good.address + 8, ..good }, "multiple of 16"),
        (Address { address: good.address + 4080, len: 1, ..good }, "4 KiB"),
        (Address { attributes: [3, 0, 1], ..good }, "qos"),
    ] {
        let what = refused(address);
        assert!(what.contains(rule), "{what} should name {rule}");
    }
    let mut port = port(MemoryTiming::latency(50));
    at_edge(&mut port, None, true).unwrap();
    at_edge(&mut port, Some(good), true).unwrap();
    let what = at_edge(&mut port, Some(good), true).unwrap_err().what;
    assert!(what.contains("outstanding_reads"), "{what}");
}

#[test]
fn an_address_stays_until_it_is_taken() {
    let stalled = || {
        let mut port = port(MemoryTiming::latency(1));
        // arready is low before the first edge.
        at_edge(&mut port, Some(address(0, 0, 1)), true).unwrap();
        port
    };
    let fell = at_edge(&mut stalled(), None, true).unwrap_err().what;
    assert!(fell.contains("fell"), "{fell}");
    let changed = at_edge(&mut stalled(), Some(address(0, 1, 1)), true).unwrap_err().what;
    assert!(changed.contains("changed"), "{changed}");
}

#[test]
fn reads_in_flight_hide_the_latency() {
    for (latency, beats) in [(20, 1), (20, 4), (200, 4)] {
        // Data of the first read come after the latency, and from then on a beat a clock.
        let asked = (0..256).map(|read| address(0, read * 4, beats)).collect();
        let mut port = deep_port(MemoryTiming::latency(latency), 256);
        let got = run(&mut port, asked, 2000);
        let edges: Vec<_> = got.iter().map(|beat| beat.0).collect();
        let first = 1 + u64::from(latency);
        assert!(
            edges.iter().copied().eq(first..first + 256 * u64::from(beats)),
            "{latency}, {beats}: {edges:?}"
        );
        assert_eq!(port.beats_by_channel()[0], 256 * u64::from(beats));
    }
}

#[test]
fn reads_of_one_id_stay_in_order_whatever_the_others_do() {
    let timing = MemoryTiming {
        reorder: true,
        latency_spread_clocks: 50,
        pauses: Pauses::percent(20),
        ..MemoryTiming::latency(10)
    };
    let mut port = deep_port(timing, 64);
    let mut asked: VecDeque<_> = (0..200u64).map(|read| address(read as u32 % 4, 16 + read * 4, 4)).collect();
    let mut expected = [0, 1, 2, 3].map(|unit| {
        let lines = move |read: u64| (0..4).map(move |beat| 16 + (read * 4 + unit) * 4 + beat);
        (0..50).flat_map(lines).collect::<VecDeque<u64>>()
    });
    for edge in 0..20_000u64 {
        let ready = edge % 3 != 0;
        if let Some(data) = port.driven().read.copied().filter(|_| ready) {
            let due = &mut expected[data.id as usize];
            let line = due.pop_front().unwrap();
            assert_eq!(data.data, u128::from(line).to_le_bytes(), "channel {}", data.id);
            assert_eq!(data.last, line % 4 == 3, "line {line}");
        }
        if at_edge(&mut port, asked.front().copied(), ready).unwrap().taken.is_some() {
            asked.pop_front();
        }
    }
    assert!(expected.iter().all(VecDeque::is_empty) && port.outstanding_reads() == 0, "{expected:?}");
}

#[test]
fn a_read_is_in_flight_until_its_last_beat_is_taken() {
    let mut port = port(MemoryTiming::latency(1));
    at_edge(&mut port, None, false).unwrap();
    at_edge(&mut port, Some(address(0, 0, 2)), false).unwrap();
    // Both beats wait for rready; only when the second is taken may the next read begin.
    at_edge(&mut port, None, true).unwrap();
    assert!(port.driven().read.unwrap().last);
    let what = at_edge(&mut port, Some(address(0, 8, 1)), false).unwrap_err().what;
    assert!(what.contains("outstanding_reads"), "{what}");
    at_edge(&mut port, Some(address(0, 8, 1)), true).unwrap();
}

#[test]
fn bursts_up_to_the_edge_of_4_kib_pass() {
    let mut port = deep_port(MemoryTiming::latency(1), 4);
    let got = run(&mut port, [address(0, 252, 4), address(0, 256, 4), address(0, 255, 1)].into(), 40);
    assert_eq!(got.len(), 9);
    for (line, beats) in [(253, 4), (255, 2), (511, 2)] {
        let what = at_edge(&mut port, Some(address(0, line, beats)), true).unwrap_err().what;
        assert!(what.contains("4 KiB"), "{what}");
    }
}

fn beat(data: u128, strobes: u16, last: bool) -> WriteBeat {
    WriteBeat { data: data.to_le_bytes(), strobes, last }
}

/// Offers a burst and its data until the response comes; gives it.
fn write(port: &mut Memory<Bytes>, to: Address, beats: &[WriteBeat]) -> Result<Response, Violation> {
    let (mut write, mut beats) = (Some(to), beats.iter());
    let mut shown = beats.next().copied();
    for _ in 0..2000 {
        let driven = port.driven();
        let (address_taken, beat_taken) = (driven.write_ready, driven.beat_ready);
        if let Some(response) = driven.response {
            port.clock(Shown { response_ready: true, ..Shown::default() })?;
            return Ok(response);
        }
        port.clock(Shown { write, beat: shown, ..Shown::default() })?;
        write = write.filter(|_| !address_taken);
        shown = if beat_taken { beats.next().copied() } else { shown };
    }
    panic!("no response comes")
}

#[test]
fn writes_change_the_bytes_whose_strobe_is_set() {
    for pauses in [Pauses::NONE, Pauses::percent(40)] {
        let timing = MemoryTiming { pauses, latency_spread_clocks: 9, ..MemoryTiming::latency(4) };
        let mut port = port(timing);
        let response =
            write(&mut port, address(2, 7, 2), &[beat(u128::MAX, 1, false), beat(0, u16::MAX, true)]);
        assert_eq!(response, Ok(Response { id: 2, response: 0 }));
        assert_eq!(port.contents().read(BASE + 7 * 16), Ok(255u128.to_le_bytes()));
        assert_eq!(port.contents().read(BASE + 8 * 16), Ok([0; 16]));
        assert!(!port.busy());
    }
}

#[test]
fn a_burst_answers_the_worst_of_its_beats() {
    let mut port = port(MemoryTiming::latency(1));
    let all = [beat(0, u16::MAX, false), beat(0, u16::MAX, true)];
    for (line, expected) in [(2, 2), (3, 2), (4094, 3), (4, 0)] {
        let response =
            write(&mut port, Address { address: BASE + line * 16, ..address(0, 0, 2) }, &all).unwrap();
        assert_eq!(response.response, expected, "line {line}");
    }
    assert_eq!(port.contents().read(BASE + 2 * 16), Ok([0; 16]));
}

#[test]
fn each_rule_of_the_write_channels_is_watched() {
    let good = address(0, 0, 1);
    let all = beat(0, u16::MAX, true);
    for (address, last, rule) in [
        (Address { size: 3, ..good }, true, "awsize"),
        (Address { address: good.address + 4080, len: 1, ..good }, true, "4 KiB"),
        (Address { attributes: [0; 3], ..good }, true, "qos"),
        (good, false, "wlast"),
    ] {
        let what = write(&mut port(MemoryTiming::latency(1)), address, &[WriteBeat { last, ..all }]);
        let what = what.unwrap_err().what;
        assert!(what.contains(rule), "{what} should name {rule}");
    }
    let mut port = port(MemoryTiming::latency(1));
    port.clock(Shown { beat: Some(all), ..Shown::default() }).unwrap();
    let what = port.clock(Shown::default()).unwrap_err().what;
    assert!(what.contains("wvalid"), "{what}");
}
