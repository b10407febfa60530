//! The server under anything that can be sent to it: it may refuse but must not stop, hang or fill the memory, and draws
//! afterwards.
//!
//! ```text
//! TMUGEN_FUZZ_SECONDS=600 cargo test -p tmu-view --test robust -- --nocapture
//! ```
//!
//! goes on for that many seconds, from `TMUGEN_FUZZ_SEED` on.

#![allow(clippy::print_stdout, reason = "a long run says what it did")]

mod no_hardware;

use no_hardware::NoHardware;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tmu_problem::Problem;
use tmu_scene::{MeshEngine, MeshJob};
use tmu_spec::Preset;
use tmu_testing::{repository, setting};
use tmu_view::{
    Choice, HardwareEngine, Limits, MeshSession, MeshSettings, MeshWorkbench, Server, Session, Settings,
    Site, Workbench,
};
use tokio::sync::oneshot;

/// Inputs of a run without settings.
const SHORT_RUN_INPUTS: u64 = 600;

/// The longest that the server may take for an answer to a whole request, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

/// Less than what heads and bodies are given to arrive.
const NO_WAIT: Duration = Duration::from_secs(8);

/// Bytes that a picture may have here.
const MAX_UPLOAD: usize = 100_000;

/// A server that stops when it is dropped.
struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Running {
    /// The page of a picture.
    fn start() -> Self {
        let config = Preset::find("fury-single").unwrap().config().unwrap();
        let choice = Choice { name: "fury-single".to_owned(), about: String::new(), config };
        let limits = Limits { upload_bytes: MAX_UPLOAD, texels: 1 << 16 };
        Running::serve(Session::new(vec![choice], limits, Arc::new(NoHardware)))
    }

    fn serve(site: impl Into<Site>) -> Self {
        let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0, site).unwrap();
        let address = server.url().strip_prefix("http://").unwrap().trim_end_matches('/').parse().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let run = move || {
            server.run(async {
                let _ = stopped.await;
            })
        };
        Running { address, stop: Some(stop), thread: Some(thread::spawn(run)) }
    }

    /// Sends bytes and reads what comes until the server closes.
    fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        // The server may close before it has read everything: what it has answered counts.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        if let Err(error) = stream.read_to_end(&mut answer) {
            assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "no answer within {PATIENCE:?}");
        }
        answer
    }

    /// The status and the body of an answer to a whole request.
    fn request(&self, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
        split(&self.send(&request(method, path, "", body)))
    }

    fn assert_draws(&self) {
        let settings = Settings { width: 32, height: 24, ..Settings::first("fury-single") };
        let (status, body) = self.request("POST", "/draw", &serde_json::to_vec(&settings).unwrap());
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        assert!(body.len() > 3 * 32 * 24);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        let outcome = self.thread.take().map(JoinHandle::join);
        if !thread::panicking() {
            assert!(matches!(outcome, Some(Ok(Ok(())))), "the server stopped by itself: {outcome:?}");
        }
    }
}

fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

fn split(answer: &[u8]) -> (u16, Vec<u8>) {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(answer)));
    let status = String::from_utf8_lossy(&answer[..end]).split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer[end + 4..].to_vec())
}

/// The code of a refusal.
fn code((status, body): (u16, Vec<u8>)) -> (u16, String) {
    let value: serde_json::Value = serde_json::from_slice(&body)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&body)));
    (status, value["problems"][0]["code"].as_str().unwrap_or_default().to_owned())
}

fn png() -> Vec<u8> {
    let texels = (0..40 * 30).map(|at| [at as u8, 7, (at / 9) as u8, 255]).collect();
    let picture = tmu_assets::Picture::from_texels(40, 30, texels);
    picture.encode("p.png".as_ref()).unwrap()
}

#[test]
fn other_addresses_are_refused() {
    let session = || Session::new(Vec::new(), Limits { upload_bytes: 1, texels: 1 }, Arc::new(NoHardware));
    for address in ["0.0.0.0", "::", "192.168.0.1", "8.8.8.8"] {
        let problem = Server::bind(address.parse().unwrap(), 0, session()).err().unwrap().problems.remove(0);
        assert_eq!(problem.code, "E0401", "{problem}");
        assert!(problem.message.contains(address) && problem.help.contains("127.0.0.1"), "{problem}");
    }
    let server = Running::start();
    let taken =
        Server::bind(server.address.ip(), server.address.port(), session()).err().unwrap().problems.remove(0);
    assert_eq!(taken.code, "E0402", "{taken}");
    assert!(taken.message.contains(&server.address.port().to_string()), "{taken}");
}

#[test]
fn bodies_that_are_too_long_or_damaged_are_named() {
    let server = Running::start();
    let load =
        |name: &str, bytes: &[u8]| code(server.request("POST", &format!("/picture?name={name}"), bytes));
    assert_eq!(load("p.png", &png()), (200, String::new()));
    assert_eq!(load("p.png", &vec![0; MAX_UPLOAD + 1]), (413, "E0406".to_owned()));
    assert_eq!(load("p.png", &vec![0; 50 * MAX_UPLOAD]), (413, "E0406".to_owned()));
    assert_eq!(load("p.png", &vec![0; MAX_UPLOAD]), (422, "E0103".to_owned()));
    assert_eq!(load("p.txt", &vec![0; MAX_UPLOAD]), (422, "E0102".to_owned()));
    assert_eq!(load("p.png", &png()[..100]), (422, "E0103".to_owned()));
    assert_eq!(load("..%2fp.png", &png()), (422, "E0407".to_owned()));
    let large = tmu_assets::Picture::from_texels(257, 256, vec![[9; 4]; 257 * 256]);
    assert_eq!(load("l.png", &large.encode("l.png".as_ref()).unwrap()), (422, "E0104".to_owned()));
    assert_eq!(code(server.request("POST", "/draw", &vec![b' '; 17 << 10])), (400, "E0404".to_owned()));
    assert_eq!(code(server.request("POST", "/draw", b"{")), (400, "E0404".to_owned()));
    assert_eq!(code(server.request("POST", "/hardware", &settings())), (422, "E0210".to_owned()));
    assert_eq!(code(server.request("GET", "/hardware/frame", b"")), (404, "E0409".to_owned()));
    // The same without a length, in pieces.
    let pieces = format!("{:x}\r\n", MAX_UPLOAD + 1);
    let chunked = [
        b"POST /picture?name=p.png HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
        pieces.as_bytes(),
        &vec![7; MAX_UPLOAD + 1],
        b"\r\n0\r\n\r\n",
    ];
    assert_eq!(code(split(&server.send(&chunked.concat()))), (413, "E0406".to_owned()));
    server.assert_draws();
}

impl MeshWorkbench for NoHardware {
    fn missing(&self) -> Option<Problem> {
        Workbench::missing(self)
    }

    fn hardware(&self) -> Result<Box<dyn MeshEngine>, Vec<Problem>> {
        Err(Workbench::missing(self).into_iter().collect())
    }
}

#[test]
fn settings_of_a_mesh_that_are_wrong_are_named() {
    let job = MeshJob::load(&repository().join("scenes/mesh/zoom-out.toml")).unwrap();
    let session = || MeshSession::new(job.first_step(), String::new(), Arc::new(NoHardware));
    let first = session().first_settings();
    let server = Running::serve(session());
    let send = |path: &str, settings: &MeshSettings| {
        server.request("POST", path, &serde_json::to_vec(settings).unwrap())
    };
    assert_eq!(send("/draw", &first).0, 200);
    assert_eq!(send("/files", &first).0, 200);
    let wrong = |change: fn(&mut MeshSettings)| {
        let mut settings = first.clone();
        change(&mut settings);
        ["/draw", "/files"].map(|path| code(send(path, &settings)))
    };
    let out_of_range: [fn(&mut MeshSettings); 5] = [
        |settings| settings.brightness = 64,
        |settings| settings.alpha = -1,
        |settings| settings.mask_y = 1 << 18,
        |settings| settings.x_offset = i64::MAX,
        |settings| settings.chroma_key = "#12345é".to_owned(),
    ];
    for change in out_of_range {
        assert_eq!(wrong(change), [(422, "E0405".to_owned()), (422, "E0405".to_owned())]);
    }
    let other_meshes: [fn(&mut MeshSettings); 2] =
        [|settings| settings.points.clear(), |settings| settings.points = vec![[0; 2]; 128 * 128]];
    for change in other_meshes {
        assert_eq!(wrong(change), [(400, "E0404".to_owned()), (400, "E0404".to_owned())]);
    }
    assert_eq!(code(send("/hardware", &first)), (422, "E0210".to_owned()));
    for (path, body) in
        [("/draw", vec![b'['; 600 << 10]), ("/draw", vec![b'['; 500_000]), ("/picture?name=p.png", png())]
    {
        assert_eq!(code(server.request("POST", path, &body)).0 / 100, 4, "{path}");
    }
    let extreme = MeshSettings {
        points: vec![[i32::MIN, i32::MAX]; first.points.len()],
        x_offset: i32::MIN.into(),
        ..first.clone()
    };
    assert_eq!(send("/draw", &extreme).0, 200);
}

#[test]
fn other_sites_and_huge_heads_are_refused() {
    let server = Running::start();
    let of = |bytes: &[u8]| split(&server.send(bytes));
    let foreign = b"GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n";
    assert_eq!(code(of(foreign)), (403, "E0403".to_owned()));
    assert_eq!(code(of(b"GET / HTTP/1.0\r\n\r\n")), (403, "E0403".to_owned()));
    let origin = request("POST", "/draw", "Origin: http://example.org\r\n", &settings());
    assert_eq!(code(of(&origin)), (403, "E0403".to_owned()));
    let long = format!("X-Long: {}\r\n", "x".repeat(1 << 20));
    let answer = server.send(&request("GET", "/", &long, b""));
    assert!(
        answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"),
        "{:?}",
        String::from_utf8_lossy(&answer)
    );
    let many = "X-Many: 1\r\n".repeat(1000);
    let answer = server.send(&request("GET", "/", &many, b""));
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{:?}", String::from_utf8_lossy(&answer));
    server.assert_draws();
}

#[test]
fn the_page_is_served_so_that_nothing_else_can_use_it() {
    let server = Running::start();
    let answer = server.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let (status, page) = split(&answer);
    assert_eq!(status, 200);
    assert!(page.starts_with(b"<!DOCTYPE html>"));
    let head = String::from_utf8_lossy(&answer[..answer.len() - page.len()]).to_lowercase();
    for part in
        ["content-security-policy: default-src 'none'", "x-frame-options: deny", "content-type: text/html"]
    {
        assert!(head.contains(part), "{part} in {head}");
    }
}

fn settings() -> Vec<u8> {
    let settings = Settings { width: 16, height: 12, ..Settings::first("fury-single") };
    serde_json::to_vec(&settings).unwrap()
}

/// Requests that are right, to be damaged.
fn seeds() -> Vec<Vec<u8>> {
    let chunked = b"POST /draw HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"con\r\n0\r\n\r\n";
    vec![
        request("GET", "/", "", b""),
        request("GET", "/options", "", b""),
        request("POST", "/draw", "Content-Type: application/json\r\n", &settings()),
        request("POST", "/picture?name=p%20q.png", "", &png()),
        request("POST", "/hardware", "Origin: http://localhost\r\n", &settings()),
        request("GET", "/hardware/frame", "", b""),
        request("POST", "/draw", "Expect: 100-continue\r\n", &settings()),
        chunked.to_vec(),
    ]
}

const WORDS: [&str; 16] = [
    "\r\n",
    "\r\n\r\n",
    "\0",
    "HTTP/9.9",
    "Content-Length: 99999999999999999999\r\n",
    "Content-Length: -1\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Upgrade: h2c\r\n",
    "CONNECT",
    "%ff%00",
    "../../",
    "1e999",
    "-1",
    "\"",
    "[[[[",
    "\u{feff}",
];

/// A copy of a request with some faults, cut short now and then.
fn damaged(original: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..rng.random_range(1..=6) {
        let at = rng.random_range(0..=bytes.len());
        let to = (at + rng.random_range(0..40)).min(bytes.len());
        match rng.random_range(0..8) {
            0 if at < bytes.len() => bytes[at] = rng.random(),
            1 => drop(bytes.drain(at..to)),
            2 => drop(bytes.splice(at..to, WORDS.choose(rng).unwrap().bytes())),
            3 => drop(bytes.splice(at..at, WORDS.choose(rng).unwrap().bytes())),
            4 => bytes.truncate(at),
            5 => drop(bytes.splice(at..at, b"x".repeat(rng.random_range(0..100_000)))),
            6 => bytes = (0..rng.random_range(0..300)).map(|_| rng.random()).collect(),
            _ => bytes.extend_from_slice(original),
        }
    }
    bytes
}

/// Says how to repeat what has failed.
struct Repeat(u64);

impl Drop for Repeat {
    fn drop(&mut self) {
        if thread::panicking() {
            println!("repeat: TMUGEN_FUZZ_SEED={} cargo test -p tmu-view --test robust damaged", self.0);
        }
    }
}

#[test]
fn damaged_requests_do_not_stop_the_server() {
    let (server, seeds) = (Running::start(), seeds());
    let first = setting("TMUGEN_FUZZ_SEED").unwrap_or(0);
    let time = setting("TMUGEN_FUZZ_SECONDS").map(Duration::from_secs);
    let (started, mut inputs, mut answered) = (Instant::now(), 0, 0);
    while time.map_or(inputs < SHORT_RUN_INPUTS, |time| started.elapsed() < time) {
        let seed = first + inputs;
        let _repeat = Repeat(seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let input = damaged(seeds.choose(&mut rng).unwrap(), &mut rng);
        let answer = server.send(&input);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1."),
            "{:?}",
            String::from_utf8_lossy(&answer)
        );
        // A fault of the server itself is none that a request can bring about.
        assert!(!answer.starts_with(b"HTTP/1.1 500"), "{:?}", String::from_utf8_lossy(&answer));
        answered += u64::from(!answer.is_empty());
        inputs += 1;
    }
    server.assert_draws();
    println!(
        "{inputs} damaged requests from seed {first}, {answered} answered, {} s",
        started.elapsed().as_secs()
    );
    assert!(answered > inputs / 4, "{answered} of {inputs}");
}

/// Connections that say nothing, or not all, or do not read their answers keep nobody else from being answered, however many they are.
#[test]
fn silent_connections_do_not_stand_in_the_way() {
    let server = Running::start();
    let open = |text: &[u8]| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_write_timeout(Some(Duration::from_millis(20))).unwrap();
        // Who does not read may not be able to write, either.
        let _ = stream.write_all(text);
        stream
    };
    let half = b"POST /draw HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{";
    let unread = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2000);
    for text in [&b""[..], half, &unread] {
        let started = Instant::now();
        let streams: Vec<_> = (0..100).map(|_| open(text)).collect();
        server.assert_draws();
        let waited = started.elapsed();
        assert!(waited < NO_WAIT, "{waited:?} behind 100 connections that sent {} bytes", text.len());
        drop(streams);
        server.assert_draws();
    }
}

#[test]
fn several_pages_draw_at_once() {
    let server = Running::start();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..5).for_each(|_| server.assert_draws()));
        }
    });
}
