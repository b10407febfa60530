//! Pictures that are damaged or cut short are refused: by `pack` and by what is loaded on the page of `view`.

use crate::support::{Served, Workshop};
use std::fs;
use tmu_assets::Picture;

/// What refuses pictures.
struct Refusing {
    workshop: Workshop,
    served: Served,
}

impl Refusing {
    fn new() -> Self {
        let workshop = Workshop::new();
        let served = workshop.serve("tmugen view", &[]);
        Refusing { workshop, served }
    }

    /// Both refuse a file and say which it is, what is wrong with it, and what to do.
    fn refuse(&self, what: &str, name: &str, bytes: &[u8], wrong: &str) {
        let kind = name.rsplit('.').next().unwrap().to_uppercase();
        fs::write(self.workshop.path(name), bytes).unwrap();
        let run = self.workshop.run(&format!("tmugen pack {name} -o t.bin --format rgb8 --resize pow2"));
        assert_eq!((run.exit, run.out.as_str()), (1, ""), "{what}: {run}");
        let answer = self.served.post(&format!("/picture?name={name}"), bytes);
        assert!(answer.starts_with("HTTP/1.1 422"), "{what}: {answer}");
        for said in [run.err.split_whitespace().collect::<Vec<_>>().join(" "), answer] {
            for part in [
                "E0103",
                name,
                &format!("the {kind} picture is damaged or cut short"),
                wrong,
                "save it again",
            ] {
                assert!(said.contains(part), "{what}: {part:?} is not in {said}");
            }
        }
        assert!(!self.workshop.path("t.bin").exists() && !self.workshop.path("t.toml").exists(), "{what}");
    }

    /// Both take a file.
    fn take(&self, name: &str, bytes: &[u8]) {
        fs::write(self.workshop.path(name), bytes).unwrap();
        self.workshop.succeed(&format!("tmugen pack {name} -o taken.bin --format rgb8 --resize pow2 -q"));
        let answer = self.served.post(&format!("/picture?name={name}"), bytes);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

fn coffee(refusing: &Refusing) -> Vec<u8> {
    fs::read(refusing.workshop.path("coffee.jpg")).unwrap()
}

/// Where a segment of a JPEG file begins.
fn segment(bytes: &[u8], kind: u8) -> usize {
    bytes.windows(2).position(|pair| pair == [0xff, kind]).unwrap()
}

const DQT: u8 = 0xdb;
const DHT: u8 = 0xc4;
const SOS: u8 = 0xda;

/// A JPEG file with other bytes in a place.
fn with(mut bytes: Vec<u8>, at: usize, change: &[u8]) -> Vec<u8> {
    assert_ne!(bytes[at..at + change.len()], *change);
    bytes[at..at + change.len()].copy_from_slice(change);
    bytes
}

#[test]
fn a_jpeg_with_other_bytes_in_its_entropy_coded_data_is_refused() {
    let refusing = Refusing::new();
    let whole = coffee(&refusing);
    refusing.take("whole.jpg", &whole);
    let middle = (segment(&whole, SOS) + whole.len()) / 2;
    refusing.refuse("noise", "e.jpg", &with(whole.clone(), middle, &[0x33; 256]), "in blocks of units");
    let removed = [&whole[..middle], &whole[middle + 500..]].concat();
    refusing.refuse("500 bytes removed", "r.jpg", &removed, "in blocks of units");
    let doubled = [&whole[..middle + 500], &whole[middle..]].concat();
    refusing.refuse("500 bytes twice", "d.jpg", &doubled, "bytes are left over");
}

#[test]
fn a_jpeg_with_another_huffman_table_is_refused() {
    let refusing = Refusing::new();
    let whole = coffee(&refusing);
    let table = segment(&whole, DHT) + 4;
    let lengths = with(whole.clone(), table + 1, &[9, 9]);
    refusing.refuse("lengths", "l.jpg", &lengths, "a Huffman table is cut short");
    // As many codes as before, all of them as short as the first.
    let counts: [u8; 16] = whole[table + 1..table + 17].try_into().unwrap();
    let mut short = [0; 16];
    short[1] = counts.iter().sum();
    let short = with(whole.clone(), table + 1, &short);
    refusing.refuse(
        "too many short codes",
        "t.jpg",
        &short,
        "a Huffman table has more codes than their lengths allow",
    );
    let symbols = with(whole.clone(), table + 17, &[5, 4, 3, 2]);
    refusing.refuse("symbols", "s.jpg", &symbols, "in blocks of units");
    refusing.refuse("number", "n.jpg", &with(whole, table, &[0x44]), "a Huffman table has no number");
}

#[test]
fn a_jpeg_with_an_impossible_quantisation_table_is_refused() {
    let refusing = Refusing::new();
    let whole = coffee(&refusing);
    let table = segment(&whole, DQT) + 4;
    let zero = with(whole.clone(), table + 9, &[0]);
    refusing.refuse("a step of 0", "z.jpg", &zero, "a quantisation table has a step of 0");
    refusing.refuse("number", "n.jpg", &with(whole, table, &[0x07]), "a quantisation table is none");
}

#[test]
fn a_jpeg_with_a_wrong_length_of_a_segment_is_refused() {
    let refusing = Refusing::new();
    let whole = coffee(&refusing);
    for (what, kind, low_byte, wrong) in [
        ("a table too short", DQT, 60, "a quantisation table is none"),
        ("codes too long", DHT, 200, "Huffman table"),
        ("a scan too long", SOS, 14, "the header of a scan is damaged"),
    ] {
        let bytes = with(whole.clone(), segment(&whole, kind) + 3, &[low_byte]);
        refusing.refuse(what, "w.jpg", &bytes, wrong);
    }
    let comment = [&whole[..2], &[0xff, 0xfe, 0, 9, b'a', b'b'], &whole[2..]].concat();
    refusing.refuse("a comment too long", "c.jpg", &comment, "a marker should stand at byte");
}

/// A grey picture of eight blocks in a row with a restart marker behind every third, from tables of one code each.
fn restarted() -> Vec<u8> {
    let segment = |kind: u8, data: &[u8]| [&[0xff, kind, 0, data.len() as u8 + 2], data].concat();
    let one_code = |table: u8| [&[table, 1][..], &[0; 15], &[0]].concat();
    [
        vec![0xff, 0xd8],
        segment(DQT, &[&[0][..], &[1; 64]].concat()),
        segment(0xc0, &[8, 0, 8, 0, 64, 1, 1, 0x11, 0]),
        segment(DHT, &one_code(0)),
        segment(DHT, &one_code(0x10)),
        segment(0xdd, &[0, 3]),
        segment(SOS, &[1, 1, 0, 0, 63, 0]),
        // Three blocks of two bits, and ones up to a whole byte; then two.
        vec![0x03, 0xff, 0xd0, 0x03, 0xff, 0xd1, 0x0f, 0xff, 0xd9],
    ]
    .concat()
}

#[test]
fn a_jpeg_with_missing_or_repeated_restart_markers_is_refused() {
    let refusing = Refusing::new();
    let whole = restarted();
    refusing.take("whole.jpg", &whole);
    let end = whole.len();
    let missing = [&whole[..end - 8], &whole[end - 6..]].concat();
    refusing.refuse("missing", "m.jpg", &missing, "left over");
    let doubled = [&whole[..end - 6], &whole[end - 8..]].concat();
    refusing.refuse("repeated", "d.jpg", &doubled, "it ends in the middle of a block");
    let swapped = with(with(whole.clone(), end - 7, &[0xd1]), end - 4, &[0xd0]);
    refusing.refuse("out of order", "o.jpg", &swapped, "a restart marker should stand at byte");
    let more = [&whole[..end - 2], &[0xff, 0xd2, 0x03], &whole[end - 2..]].concat();
    refusing.refuse("one more", "a.jpg", &more, "does not belong there");
}

/// Every kind of file in the corpus, and those that tmugen writes, cut in many places.
#[test]
fn a_picture_that_is_cut_anywhere_is_refused() {
    let refusing = Refusing::new();
    let corpus = |name: &str| fs::read(format!("tests/corpus/picture/{name}")).unwrap();
    let texels = (0..32 * 16).map(|at| [at as u8, (at / 3) as u8, (at * 7) as u8, (255 - at % 256) as u8]);
    let picture = Picture::from_texels(32, 16, texels.collect());
    let mut files =
        ["palette.tga", "raw.tga", "rle.tga", "palette.bmp", "rgb.bmp", "rgba.bmp"].map(corpus).to_vec();
    files.extend(["palette.png", "rgba.png", "grey16.png", "progressive.jpg", "grey.jpg"].map(corpus));
    let mut names = ["tga", "tga", "tga", "bmp", "bmp", "bmp", "png", "png", "png", "jpg", "jpg"].to_vec();
    for ending in ["tga", "bmp", "png"] {
        files.push(picture.encode(format!("a.{ending}").as_ref()).unwrap());
        names.push(ending);
    }
    for (number, (whole, ending)) in files.iter().zip(names).enumerate() {
        let name = format!("cut{number}.{ending}");
        refusing.take(&name, whole);
        // The footer of a TGA file says nothing that is needed.
        let footer = if whole.ends_with(b"TRUEVISION-XFILE.\0") { 26 } else { 0 };
        let length = whole.len() - footer;
        for kept in [20, length / 4, length / 2, 3 * length / 4, length - 5, length - 1] {
            refusing.refuse(&format!("{kept} of {length} bytes"), &name, &whole[..kept], "");
        }
    }
}
