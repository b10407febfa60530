//! The three forms of a program: random programs go through each and come back, and damage never panics.

use proptest::prelude::*;
use tmu_shader::{HEADER_BYTES, Header, Program, WORD_BYTES, read_bytes, read_text};
use tmu_testing::shaders::random_shader;

/// A random program.
fn program(seed: u64) -> Program {
    read_text(&random_shader(seed, |text| read_text(text).is_ok())).unwrap()
}

#[test]
fn random_programs_use_everything() {
    let texts: String = (0..300).map(|seed| program(seed).to_string()).collect();
    for word in [
        "mov",
        "add",
        "sub",
        "mul",
        "mad",
        "lrp",
        "dp3",
        "dp4",
        "cmp",
        "cnd",
        "bem",
        "texld",
        "texcrd",
        "texkill t",
        "texkill r",
        "texdepth",
        "phase",
        "def",
        "_x2",
        "_x4",
        "_x8",
        "_d2",
        "_d4",
        "_d8",
        "_sat",
        "_bias",
        "_bx2",
        "_dz",
        "_dw.xyw",
        "1-",
        ", -",
        "+",
        "v1",
        ".xyw",
        "texld r1, r",
    ] {
        assert!(texts.contains(word), "no random program has {word}");
    }
}

proptest! {
    #[test]
    fn programs_come_back_from_every_form(seed: u64, flat_textures: u8) {
        let program = program(seed);
        let text = program.to_string();
        let again = read_text(&text);
        prop_assert_eq!(again, Ok(program.clone()), "{}", text);
        prop_assert_eq!(read_bytes(&program.byte_code()), Ok(program.clone()), "{}", text);
        let encoded = program.encode();
        prop_assert_eq!(encoded.len(), HEADER_BYTES + WORD_BYTES * (program.instructions().count() + 1));
        prop_assert_eq!(read_bytes(&encoded), Ok(program.clone()), "{}", text);
        prop_assert_eq!(read_bytes(&program.encode_for(flat_textures)), Ok(program), "{}", text);
    }

    #[test]
    fn damage_is_refused(seed: u64, at: prop::sample::Index, bit in 0_u32..8, length: prop::sample::Index) {
        let program = program(seed);
        for bytes in [program.byte_code(), program.encode()] {
            let mut changed = bytes.clone();
            changed[at.index(bytes.len())] ^= 1_u8 << bit;
            // No bit of the encoding is passed over.
            prop_assert!(!changed.starts_with(b"TPS1") || read_bytes(&changed).is_err());
            prop_assert!(read_bytes(&bytes[..length.index(bytes.len())]).is_err());
        }
        let text = program.to_string();
        let mut damaged = text.into_bytes();
        let index = at.index(damaged.len());
        damaged[index] = b"0.,-+_ r"[bit as usize];
        let _ = read_text(&String::from_utf8_lossy(&damaged));
    }
}

/// A texture of two coordinates needs no third one, unless it divides the others, or something else reads it.
#[test]
fn third_coordinates_of_flat_textures_are_not_worked_out() {
    for (lines, flat, reads) in [
        ("texld r0, t0|texld r1, t1", 0b00, 0x77),
        ("texld r0, t0|texld r1, t1", 0b10, 0x37),
        ("texld r0, t0|texld r1, t1", 0b11, 0x33),
        ("texld r0, t0|texld r1, t1_dw.xyw", 0b11, 0xb3),
        ("texld r0, t0.xyw|mov r0, v0", 0b01, 0x0f00_0003),
        ("texld r0, t0|texcrd r1.rgb, t0", 0b01, 0x07),
        ("texld r2, t0|mov r0, r2", 0b100, 0x03),
    ] {
        let program = read_text(&format!("ps_1_4\n{}\nmov r0, r0\n", lines.replace('|', "\n")));
        let Ok(program) = program else { panic!("{lines}: {program:?}") };
        let mut encoded = program.encode_for(flat);
        let header = |bytes: &[u8]| Header::read(bytes.first_chunk().unwrap()).unwrap();
        assert_eq!(header(&encoded).reads, reads, "{lines}, {flat:#b}");
        assert_eq!(read_bytes(&encoded), Ok(program), "{lines}");
        // What no instruction reads is not worked out, and colours are not left out.
        for changed in [reads | 1 << 23, reads ^ 1 << 24] {
            encoded[12..16].copy_from_slice(&changed.to_le_bytes());
            let end = encoded.len() - WORD_BYTES;
            let check = crc32fast::hash(&encoded[..end]).to_le_bytes();
            encoded[end..end + 4].copy_from_slice(&check);
            assert!(read_bytes(&encoded).is_err(), "{lines}: {changed:#x}");
        }
    }
}

/// Written by hand from the reference's description of tokens.
#[test]
fn byte_code_is_that_of_direct3d() {
    let program =
        read_text("ps_1_4\ntexld r0, t1_dw.xyw\nmad_x2_sat r0.rgb, -r0_bx2, c1.a, v0\n+mov_d8 r0.a, 1-r0\n")
            .unwrap();
    let tokens: Vec<u8> = [
        0xFFFF_0104_u32,
        0x0000_0042,
        0x800F_0000,
        0xBAF4_0001,
        0x0000_0004,
        0x8117_0000,
        0x85E4_0000,
        0xA0FF_0001,
        0x90E4_0000,
        0x4000_0001,
        0x8D08_0000,
        0x86E4_0000,
        0x0000_FFFF,
    ]
    .into_iter()
    .flat_map(u32::to_le_bytes)
    .collect();
    assert_eq!(program.byte_code(), tokens);
    assert_eq!(read_bytes(&tokens), Ok(program));
}

fn bytes(tokens: &[u32]) -> Vec<u8> {
    tokens.iter().flat_map(|token| token.to_le_bytes()).collect()
}

/// What text cannot say, byte code must not: bits that ps_1_4 has not are refused, each by its name.
#[test]
fn bits_that_say_nothing_in_ps_1_4_are_refused() {
    const MOV: [u32; 3] = [0x0000_0001, 0x800F_0000, 0xA0E4_0000];
    const DEF: [u32; 6] = [0x0000_0051, 0xA00F_0000, 0, 0, 0, 0];
    // Which token of the statement has which bits beside its own, and what is then said; nothing of mov and def as they are.
    let nop = [0];
    let phase = [0xFFFD];
    let end: [u32; 0] = [];
    let rows: [(&[u32], usize, u32, &str); 23] = [
        (&nop, 0, 0, ""),
        (&phase, 0, 0, ""),
        (&MOV, 0, 0, ""),
        (&DEF, 0, 0, ""),
        (&nop, 0, 1 << 30, "E0503: 0x40000000 runs nop"),
        (&phase, 0, 1 << 30, "E0503: 0x4000fffd runs phase"),
        (&DEF, 0, 1 << 30, "E0503: 0x40000051 runs def"),
        (&end, 0, 1 << 30, "E0503: 0x4000ffff runs the end"),
        (&nop, 0, 1 << 16, "E0520: 0x00010000 has the control bits 23:16"),
        (&end, 0, 1 << 24, "E0520: 0x0100ffff has the length in bits 27:24"),
        (&MOV, 0, 0x0200_0000, "E0520: 0x02000001 has the length in bits 27:24"),
        (&MOV, 0, 1 << 28, "E0520: 0x10000001 has the predicate in bit 28"),
        (&MOV, 0, 1 << 29, "E0520: 0x20000001 has bit 29"),
        (&MOV, 1, 2 << 20, "E0512: 0x802f0000 has the modifier _pp in bit 21"),
        (&MOV, 1, 4 << 20, "E0512: 0x804f0000 has the modifier _centroid in bit 22"),
        (&MOV, 1, 8 << 20, "E0512: 0x808f0000 has the modifier in bit 23"),
        (&MOV, 1, 1 << 13, "E0520: 0x800f2000 has the relative address in bit 13"),
        (&MOV, 2, 1 << 15, "E0520: 0xa0e48000 has the bits 15:14"),
        (&DEF, 1, 8 << 16, "E0511: def writes c0.rgb"),
        (&DEF, 1, 1 << 20, "E0512: def of c0"),
        (&DEF, 1, 1 << 24, "E0512: def of c0"),
        (&DEF, 1, 2 << 20, "E0512: 0xa02f0000 has the modifier _pp"),
        (&DEF, 1, 1 << 30, "E0520: 0xe00f0000 names no register"),
    ];
    for (statement, at, bits, expected) in rows {
        let mut tokens = [&[0xFFFF_0104], statement, &MOV, &[0xFFFF]].concat();
        // The statement that ends is behind all others.
        let place = if statement.is_empty() { tokens.len() - 1 } else { 1 + at };
        tokens[place] ^= bits;
        let found = match read_bytes(&bytes(&tokens)) {
            Ok(_) => String::new(),
            Err(found) => {
                let first = &found.as_slice()[0];
                format!("{}: {}", first.code, first.message.split_once(": ").unwrap().1)
            }
        };
        assert!(
            found.starts_with(expected) && found.is_empty() == expected.is_empty(),
            "{expected}: {found}"
        );
    }
}

#[test]
fn comments_in_byte_code_are_passed_over() {
    let comment = bytes(&[0xFFFF_0104, 0x0002_FFFE, 1, 2, 0, 0x0000_0001, 0x800F_0000, 0xA0E4_0000, 0xFFFF]);
    assert_eq!(read_bytes(&comment).unwrap().to_string(), "ps_1_4\nmov r0, c0\n");
    for (damaged, code) in [
        (vec![0xFFFF_0104, 0x7FFF_FFFE, 0xFFFF], "E0520"),
        (vec![0xFFFF_0104, 0xFFFF, 0xFFFF], "E0520"),
        (vec![0xFFFF_0104, 0x8000_0000, 0xFFFF], "E0520"),
        (vec![0xFFFF_0104, 0x0000_0042, 0x0000_0001], "E0520"),
        (vec![0xFFFF_0104, 0x0000_0001, 0x800F_0000, 0xC0E4_0000, 0xFFFF], "E0520"),
        (vec![0xFFFF_0104, 0x0000_0001, 0x800F_0000, 0xAFE4_0000, 0xFFFF], "E0520"),
        (vec![0xFFFF_0104, 0x0000_0001, 0x800F_0000, 0xA01B_0000, 0xFFFF], "E0520"),
        (vec![0xFFFF_0104, 0x0000_0043, 0xB00F_0000, 0xB0E4_0000, 0xFFFF], "E0502"),
        (vec![0xFFFF_0104, 0x0000_0001, 0x800F_1000, 0xA0E4_0000, 0xFFFF], "E0504"),
        (vec![0xFFFF_0104, 0x0000_0001, 0x800F_0000, 0x80E4_0008, 0xFFFF], "E0504"),
        (vec![0xFFFF_0104, 0x0000_0042, 0x800F_0000, 0xB0E4_0007, 0xFFFF], "E0504"),
        (vec![0xFFFF_0104, 0x0000_0041, 0x800F_0009, 0xFFFF], "E0504"),
        (vec![0xFFFF_0104, 0x0000_0051, 0x800F_0000, 0, 0, 0, 0, 0xFFFF], "E0519"),
        (vec![0xFFFF_0101, 0xFFFF], "E0520"),
        (vec![], "E0520"),
    ] {
        let found = read_bytes(&bytes(&damaged)).unwrap_err();
        assert_eq!(found.as_slice()[0].code, code, "{damaged:x?}: {found}");
    }
}
