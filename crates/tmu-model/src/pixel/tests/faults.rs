//! Frames that end before their last tile: the code and the address of each way.

use super::super::Fault;
use super::memory::{Corner, PICTURE, Scene, state};
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::record::State;
use tmu_spec::pixel::{Entry, FaultCode, Part, TEXTURE_BYTES};

/// A frame of two tiles with a textured triangle; what its parts' addresses are.
struct Built {
    scene: Scene,
    state: u32,
    program: u32,
    triangle: u32,
    vertex: u32,
}

fn built(lines: &str, part: Part) -> Built {
    let mut scene = Scene::new(40, 8);
    scene.frame.textures = scene.put(&[0; TEXTURE_BYTES]);
    let state = scene.state(lines, State { textures: [1, 0, 0, 0, 0, 0], ..state() });
    let corners = [[0, 0], [900, 0], [0, 900]].map(|[x, y]| Corner::new(x, y, 0.5, [255; 4]));
    let triangle = scene.triangle(part, state, CompareOp::Lequal, &corners);
    let word = |at: u32| u32::from_le_bytes(*scene.bytes[at as usize..].first_chunk().unwrap());
    let (program, vertex) = (word(state), word(triangle));
    Built { scene, state, program, triangle, vertex }
}

fn poke(scene: &mut Scene, address: u32, word: u32) {
    scene.bytes[address as usize..address as usize + 4].copy_from_slice(&word.to_le_bytes());
}

/// How the frame ends if something is done to it before its lists are put, and behind it.
fn fault(built: Built, before: impl FnOnce(&mut Built), behind: impl FnOnce(&mut Scene)) -> Option<Fault> {
    let mut built = built;
    before(&mut built);
    built.scene.finish();
    behind(&mut built.scene);
    built.scene.draw().1.err()
}

#[test]
fn records_that_break_rules() {
    let plain = || built("mov r0, v0", Part::Opaque);
    let found = |word: fn(&Built) -> (u32, u32)| {
        fault(
            plain(),
            |built| {
                let (address, value) = word(built);
                poke(&mut built.scene, address, value)
            },
            |_| (),
        )
    };
    let (state, program, triangle, vertex) = {
        let built = plain();
        (built.state, built.program, built.triangle, built.vertex)
    };
    let table = [
        (found(|built| (built.state + 4, 5)), FaultCode::State, state),
        (found(|built| (built.state + 4, 7 << 16 | 7 << 4)), FaultCode::State, state),
        (found(|built| (built.program, 0)), FaultCode::Program, program),
        (found(|built| (built.program + 80, 0xffff)), FaultCode::Program, program),
        (found(|built| (built.triangle + 20, 3 << 4)), FaultCode::Triangle, triangle),
        (found(|built| (built.triangle, 8)), FaultCode::Triangle, triangle),
        (found(|built| (built.vertex, 1 << 18)), FaultCode::Vertex, vertex),
        (found(|built| (built.triangle, 0x7fff_fff0)), FaultCode::Read, 0x7fff_fff0),
    ];
    for (number, (got, code, address)) in table.into_iter().enumerate() {
        assert_eq!(got, Some(Fault::new(code, address)), "case {number}");
    }
    assert_eq!(fault(plain(), |_| (), |_| ()), None);
}

#[test]
fn frames_that_break_rules() {
    let changes: [fn(&mut tmu_spec::pixel::Frame); 6] = [
        |frame| frame.magic = 0,
        |frame| frame.picture_pitch = 144,
        |frame| frame.picture_pitch = 168,
        |frame| frame.picture = PICTURE + 8,
        |frame| frame.texture_count = 257,
        |frame| frame.writes_depth = true,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut built = built("mov r0, v0", Part::Opaque);
        change(&mut built.scene.frame);
        built.scene.finish();
        let expected = Fault::new(FaultCode::Frame, built.scene.address);
        assert_eq!(built.scene.draw().1, Err(expected), "case {number}");
    }
}

#[test]
fn lists_that_break_rules() {
    let plain = || built("mov r0, v0", Part::Opaque);
    // The list of a tile begins where its entry of the table jumps to: behind the triangle's record.
    let start = |built: &Built| built.triangle + 32;
    let list = start(&plain());
    let out_of_order = |built: &mut Built| {
        let Some(Entry::Triangle(_, address)) = built.scene.list.first().copied() else { panic!() };
        built.scene.list.insert(0, Entry::Triangle(Part::Translucent, address));
    };
    assert_eq!(fault(plain(), out_of_order, |_| ()), Some(Fault::new(FaultCode::Entry, list + 4)));
    let no_entry = |scene: &mut Scene| poke(scene, list, 15);
    assert_eq!(fault(plain(), |_| (), no_entry), Some(Fault::new(FaultCode::Entry, list)));
    // A list that goes round, and one that ends just at the limit.
    let round = |built: &mut Built| built.scene.list.push(Entry::Jump(list));
    assert_eq!(fault(plain(), round, |_| ()).map(|fault| fault.code), Some(FaultCode::Endless));
    for (limit, expected) in [(2, None), (1, Some(Fault::new(FaultCode::Endless, list + 4)))] {
        assert_eq!(fault(plain(), |built| built.scene.frame.list_limit = limit, |_| ()), expected, "{limit}");
    }
    // A triangle in the table of tiles.
    let in_table = |scene: &mut Scene| poke(scene, scene.frame.tiles, 0x11);
    let tiles = list + 16;
    assert_eq!(fault(plain(), |_| (), in_table), Some(Fault::new(FaultCode::Entry, tiles)));
}

#[test]
fn programs_and_textures_that_do_not_go() {
    let kill = built("texcrd r0.rgb, t0|phase|texkill t0|mov r0, v0", Part::Opaque);
    let expected = Fault::new(FaultCode::Part, kill.triangle);
    assert_eq!(fault(kill, |_| (), |_| ()), Some(expected));
    // Texture 1 of a store of none, of one, and of two without a binding.
    let textured = || built("texld r0, t0", Part::Opaque);
    let (state, store) = (textured().state, textured().scene.frame.textures);
    let table =
        [(0, FaultCode::State, state), (1, FaultCode::State, state), (2, FaultCode::Texture, store + 80)];
    for (count, code, address) in table {
        let found = fault(textured(), |built| built.scene.frame.texture_count = count, |_| ());
        assert_eq!(found, Some(Fault::new(code, address)), "{count} textures");
    }
}

#[test]
fn tiles_in_front_of_a_fault_are_written() {
    let mut built = built("mov r0, v0", Part::Opaque);
    built.scene.finish();
    let second = built.scene.frame.tiles + 4;
    poke(&mut built.scene, second, 5);
    let (picture, drawn) = built.scene.draw();
    assert_eq!(drawn, Err(Fault::new(FaultCode::Entry, second)));
    assert_eq!((picture[..4].to_vec(), picture[128..132].to_vec()), (vec![255; 4], vec![0; 4]));
    // Memory that cannot be written.
    built.scene.frame.picture = 0x10;
    built.scene.finish();
    assert_eq!(built.scene.draw().1, Err(Fault::new(FaultCode::Write, 0x10)));
}
