//! The page of the pixel pipeline's records, made from their tables.

use std::fmt::Write;
use tmu_spec::pixel::record::{self, Described};
use tmu_spec::pixel::{DITHER, FaultCode, Field, list};

const START: &str = "\
<!-- Made from crates/tmu-spec. UPDATE_DOCS=1 cargo test -p tmu-spec writes it anew. -->

# The pixel pipeline

A tile-based deferred renderer with programs: the host transforms, clips and lights vertices and sorts triangles into tiles; the
pipeline removes hidden surfaces tile by tile, shades each pixel that is seen once with a [pixel shader](programs.md), samples
textures as the [general numerics](general.md) have it, and writes the picture. This page is what both find in memory. The golden
model draws frames (`tmu_model::pixel`), the engine [pixel](engines/pixel.md) and the presets `pixel` and `pixel-lite` are its hardware.
Hardware draws frames with tiles of the size that it is built for, and refuses others as a broken rule of the frame's record. Textures lie in the texture
window, all else in the whole of memory.

## What a frame is

- Frames have up to 4096 x 4096 pixels. Places of vertices have 4 bits behind the point. A pixel belongs to a triangle if its centre
  lies inside; a centre on an edge belongs to the triangle whose edge is a top or a left one.
- \"Single\" is an IEEE single: rounded to the nearest even after every operation written, denormals as zeros.
- With the vertices 0, 1, 2 of a triangle in the order of its record, a value k (depth, RHW, a component of a coordinate set, a
  channel of a colour) is, at the centre of a pixel,

```
A = (y1-y2)*(k1-k0) - (k1-k2)*(y1-y0)    B = (k1-k2)*(x1-x0) - (x1-x2)*(k1-k0)    C = (x1-x2)*(y1-y0) - (y1-y2)*(x1-x0)
D = -((A*x1 + B*y1) + C*k1)              E = (-A)*(1/C), F = (-B)*(1/C), G = (-D)*(1/C)
k(x, y) = E*x + (F*y + G)
```

- Coordinates are multiplied by the reciprocal of RHW; RHW that is not beyond 0 counts as 2^-126. Colours are limited to 0 ... 255 and reach the
  program as floor(c*4096 / 255).
- Opaque triangles of a tile are looked at first, all of them; then each pixel is shaded by the last one that passed. Punch-through
  ones are tested in the order of the list with their own depth, shaded, and written with their depth (that of `texdepth`, if the
  program has one) where neither program nor alpha test let the pixel go. Translucent ones are tested, shaded and blended, and write no depth.
  Only they blend. An alpha test and `texkill` hold for them, too; `texdepth` does nothing there.
- All four pixels of a quad are worked out and sampled, whichever of them are seen. A quad begins at an even column and row.
- Blending has 8 bits a channel, all four alike; divisions by 255 are rounded. Of rgb565 the upper bits are taken; with dither, half of the value
  below by row and column of the picture, rounded down, is added to red and blue before, and a quarter to green.

";

fn bits(field: &Field) -> String {
    let (low, high) = (field.bit, field.bit + field.bits - 1);
    if low == high { low.to_string() } else { format!("{high}:{low}") }
}

fn rows(page: &mut String, record: &Described) {
    let lines = if record.lines == 1 { "a line".to_owned() } else { format!("{} lines", record.lines) };
    let _ = write!(
        page,
        "\n### {}\n\n{} It has {lines}.\n\n| field | word | bits | values | says |\n| --- | --- | --- | --- | --- |\n",
        record.name, record.doc
    );
    for field in record.fields {
        let (name, word, count, doc) = (field.name, field.word, field.count, field.doc);
        let _ = writeln!(page, "| `{name}` | {word} | {} | {count} | {doc} |", bits(field));
    }
}

fn page() -> String {
    let mut page = START.to_owned();
    page += "| row | column 0 | 1 | 2 | 3 |\n| --- | --- | --- | --- | --- |\n";
    for (number, [a, b, c, d]) in DITHER.into_iter().enumerate() {
        let _ = writeln!(page, "| {number} | {a} | {b} | {c} | {d} |");
    }
    page += "\n## Records\n\nRecords are whole lines of 16 bytes at addresses that are multiples of 16, little-endian, counted in words of 32 bits. Several\n\
             values of a field stand one behind the other, each with the bits of the first. What no field covers is 0. A vertex is `Position`, then\n\
             `VertexColors` if its state has colours, then `VertexCoordinates` for each of the state's sets. Memory for programs is described\n\
             [with them](programs.md#encoding), that of a texture of the store [with bindings](streams.md).\n";
    for record in record::ALL {
        rows(&mut page, record);
    }
    page += "\n## Lists\n\nAn entry is a word: an address in bits 31:4, and a kind in bits 3:0. The frame's table of tiles has an entry for each tile, a jump or\n\
             an end. A list is read in rising addresses. Its parts follow each other: opaque, punch-through, translucent.\n\n| kind | name | says |\n| --- | --- | --- |\n";
    for (code, name, says) in list::KINDS {
        let _ = writeln!(page, "| {code} | {name} | {says} |");
    }
    page += "\n## How a frame can end\n\nA frame that cannot be drawn ends with a code and an address; tiles before the one at fault are written.\n\n\
             | code | what | address of |\n| --- | --- | --- |\n";
    for code in FaultCode::ALL {
        let _ = writeln!(page, "| {} | {} | {} |", *code as u8, code.title(), code.address_of());
    }
    page
}

#[test]
fn the_committed_page_is_what_the_tables_say() {
    tmu_testing::check_committed("docs/reference/pixel.md", &page(), "UPDATE_DOCS", "cargo test -p tmu-spec");
}

/// The records of the drivers. `VertexCoordinates` is not among them: its words are its values.
fn driver_records() -> impl Iterator<Item = &'static Described> {
    record::ALL.iter().filter(|record| record.name != "VertexCoordinates")
}

const fn words(record: &Described) -> usize {
    record.lines * tmu_spec::pixel::LINE_BYTES / 4
}

/// The constants of the driver in Rust.
fn driver_layout() -> String {
    let mut text = "//! Where the fields of the pixel pipeline's records stand.\n//!\n\
                    //! Made from the tables of records: `UPDATE_DRIVERS=1 cargo test -p tmu-spec` writes it anew.\n\n\
                    use super::record::Field;\n\n"
        .to_owned();
    let _ = writeln!(
        text,
        "/// What a frame's record begins with.\npub(super) const FRAME_MAGIC: u32 = {:#010x};",
        record::FRAME_MAGIC
    );
    for record in driver_records() {
        let words = words(record);
        let _ = write!(
            text,
            "\n/// {}\npub(super) mod {} {{\n    use super::Field;\n\n    pub(in super::super) const WORDS: usize = {words};\n",
            record.doc,
            snake(record.name),
        );
        for Field { name, word, bit, bits, doc, .. } in record.fields {
            let _ = writeln!(
                text,
                "    /// {doc}.\n    pub(in super::super) const {}: Field = Field {{ word: {word}, bit: {bit}, bits: {bits} }};",
                name.to_uppercase(),
            );
        }
        text += "}\n";
    }
    text
}

/// `VertexColors` to `vertex_colors`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// The same in C: of each field its word, its lowest bit and its bits, as three arguments of a call.
fn driver_header() -> String {
    let mut text = "/* Where the fields of the pixel pipeline's records stand: word, lowest bit, bits.\n \
                    * Made from the tables of records: UPDATE_DRIVERS=1 cargo test -p tmu-spec writes it anew. */\n\
                    #ifndef TMU_PIXEL_LAYOUT_H\n#define TMU_PIXEL_LAYOUT_H\n\n"
        .to_owned();
    let _ = writeln!(
        text,
        "/* What a frame's record begins with. */\n#define TMU_PIXEL_FRAME_MAGIC_VALUE {:#010x}u",
        record::FRAME_MAGIC
    );
    for record in driver_records() {
        let name = format!("TMU_PIXEL_{}", snake(record.name).to_uppercase());
        let words = words(record);
        let _ = write!(text, "\n/* {} */\n#define {name}_WORDS {words}u\n", record.doc);
        for Field { name: field, word, bit, bits, doc, .. } in record.fields {
            let field = field.to_uppercase();
            let _ = writeln!(text, "/* {doc}. */\n#define {name}_{field} {word}u, {bit}u, {bits}u");
        }
    }
    text + "\n#endif\n"
}

#[test]
fn the_drivers_layout_is_what_the_tables_say() {
    for (file, text) in [
        ("crates/tmu-driver/src/pixel/layout.rs", driver_layout()),
        ("drivers/c/tmu_pixel_layout.h", driver_header()),
    ] {
        tmu_testing::check_committed(file, &text, "UPDATE_DRIVERS", "cargo test -p tmu-spec");
    }
}
