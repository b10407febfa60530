//! Draws a texture of 4 x 4 texels by the verilated texture unit, quad by quad, and compares it with what was put into memory.

mod bench;

use bench::Bench;
use tmu_spec::{Binding, Format, Quad, Sampler, Texture};

/// Where the texture begins in memory.
const BASE: u32 = 0x100;

const SIZE_LOG2: u32 = 2;
const SIZE: u32 = 1 << SIZE_LOG2;

/// The colour of a texel: red grows to the right, green downwards.
fn color(x: u32, y: u32) -> [u8; 4] {
    [(x * 80) as u8, (y * 80) as u8, 0x40, 0xff]
}

/// The quad of texels with this one in its upper left, each pixel in the middle of its texel.
fn quad(x: u32, y: u32) -> Quad {
    // s16.16: the texture reaches from 0 to 1.
    let middle = |texel: u32| ((2 * texel + 1) << (15 - SIZE_LOG2)) as i32;
    Quad::new([(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| [middle(x + right), middle(y + down)]), 0xf)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let texture = Texture::new(Format::Rgba8, SIZE_LOG2, SIZE_LOG2, 0).expect("a texture that the unit knows");
    let mut memory = vec![0; (BASE + texture.bytes()) as usize];
    for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
        let at = (BASE + texture.texel_byte_offset(0, x, y)) as usize;
        memory[at..at + 4].copy_from_slice(&color(x, y));
    }
    let mut bench = Bench::new(memory)?;
    // Nearest texel, no mipmaps, wrap.
    let binding = Binding::new(BASE, texture, Sampler::default())?;
    bench.send(binding.record().to_beats());
    for (x, y) in [(0, 0), (2, 0), (0, 2), (2, 2)] {
        let result = bench.sample(&quad(x, y))?;
        let wanted = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| color(x, y));
        assert!(!result.error(), "the unit says that quad {x}, {y} could not be sampled");
        assert_eq!(*result.rgba(), wanted, "quad {x}, {y}");
        println!("quad {x}, {y}: {:02x?}", result.rgba());
    }
    println!("every texel is as it was put into memory");
    Ok(())
}
