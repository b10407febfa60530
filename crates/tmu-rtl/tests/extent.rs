//! `extent` at the end of the texture window: every format and every size, in the interpreter, Verilator and Icarus.

use tmu_cosim::{Engines, Reading};
use tmu_rtl::datapath::request::extent::Extent;
use tmu_spec::{Config, Format, LINE_BYTES, TEXTURE_ADDRESS_BITS, Texture};
use tmu_verilate::Rows;

/// Clocks that the fields of a texture stay: its latency, and the one in which the answer is read.
const HELD_CLOCKS: usize = 5;
/// log2 of the largest side.
const MOST_LOG2: u32 = 11;

/// A texture in the window, and whether it reaches past the end.
struct Case {
    texture: Texture,
    first_line: u64,
    is_past: bool,
}

/// Each texture where it just fits, a line further, and as far back as forward.
fn cases() -> Vec<Case> {
    let lines = (1u64 << TEXTURE_ADDRESS_BITS) / u64::from(LINE_BYTES);
    let mut cases = vec![];
    for format in Format::DEFAULT {
        for (width_log2, height_log2) in (0..=MOST_LOG2).flat_map(|w| (0..=MOST_LOG2).map(move |h| (w, h))) {
            let texture = Texture::new(format, width_log2, height_log2, 0).expect("a size that there is");
            let own = u64::from(texture.bytes()).div_ceil(u64::from(LINE_BYTES));
            let fits = lines - own;
            for (first_line, is_past) in
                [(fits, false), (lines - 1, own > 1), (fits.saturating_sub(own), false)]
            {
                cases.push(Case { texture, first_line, is_past });
            }
            // A texture of one line always fits.
            if own > 1 {
                cases.push(Case { texture, first_line: fits + 1, is_past: true });
            }
        }
    }
    cases
}

#[test]
fn every_format_and_size_is_held_against_the_end_of_the_window() {
    let cases = cases();
    let config = Config::from_toml("").unwrap_or_else(|e| panic!("{e}"));
    let mut engines =
        Engines::new("extent", || Extent::new(&config), |text| text).unwrap_or_else(|e| panic!("{e}"));
    let mut inputs = Rows::zeros(engines.input_layout(), cases.len() * HELD_CLOCKS);
    for (case, Case { texture, first_line, .. }) in cases.iter().enumerate() {
        for row in case * HELD_CLOCKS..(case + 1) * HELD_CLOCKS {
            let format = texture.format();
            inputs.set(row, "first_line", *first_line);
            inputs.set(row, "width_log2", u64::from(texture.width_log2()));
            inputs.set(row, "height_log2", u64::from(texture.height_log2()));
            inputs.set(row, "kind_is_rgb", u64::from(format.colors().bytes == 3));
            inputs.set(row, "kind_is_indexed", u64::from(format.has_color_table()));
        }
    }
    let check = |name: &str, outputs: &Rows| {
        for (case, Case { texture, first_line, is_past }) in cases.iter().enumerate() {
            let got = outputs.get(case * HELD_CLOCKS + HELD_CLOCKS - 1, "is_past") == 1;
            assert_eq!(got, *is_past, "{name}: {texture:?} from line {first_line:#x}");
        }
    };
    check("interpreter", &engines.interpreter(&inputs).unwrap_or_else(|e| panic!("{e}")).value);
    for reading in engines.readings() {
        // The kernels run along for the first rows only; `tmu-hdl` compares them with the others.
        if reading != Reading::Kernels {
            let outputs = engines.run(reading, &inputs).unwrap_or_else(|e| panic!("{e}"));
            check(&format!("{reading:?}"), &outputs.value);
        }
    }
}
