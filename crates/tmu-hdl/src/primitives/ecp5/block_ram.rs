//! Block RAM of ECP5 with its output register: DP16KD, written on port A and read on port B.
//!
//! Inferred, a word takes 4 ns to come out of the memory and then has to reach a register; out of the register of the site it
//! takes less than one. A site has 512 words of 36 bits, 1024 of 18 or 2048 of 9; a memory has as many beside each other as its
//! words are wide. What port B reads in the clock in which port A writes it is undefined, so [`simple_ram`] writes a clock later
//! and keeps what it writes beside the memory, to give it where it is read meanwhile, unless that never is.

use crate::primitives::RamShape;
use crate::value::Value;
use crate::verilog::text::range;
use std::fmt::Write as _;
use std::ops::Range;

/// Bits of a row of a site, and of rows in one `INITVAL`, where each takes 20.
const ROW_BITS: usize = 18;
const ROWS_OF_INITVAL: usize = 16;
/// Rows of a site.
const ROWS: usize = 1024;
/// Words of a site that are half a row.
const HALVES: usize = 2 * ROWS;
/// Words of a site that are two rows, the lower one on the pins of port A and the upper one on those of port B.
const PAIRS: usize = ROWS / 2;
const PAIR_BITS: usize = 2 * ROW_BITS;

/// How a port is driven: names of the module's nets.
struct Ports {
    write: Option<[&'static str; 4]>,
    read_clk: &'static str,
    read_address: &'static str,
}

/// Bits of a word that one site holds; none where there are more words than a site has. Contents are written by rows.
fn site_bits(depth: usize, has_contents: bool) -> Option<usize> {
    let shapes = [(PAIRS, PAIR_BITS), (ROWS, ROW_BITS), (HALVES, ROW_BITS / 2)];
    let mut fitting = shapes.into_iter().skip(usize::from(has_contents));
    fitting.find(|(words, _)| depth <= *words).map(|(_, bits)| bits)
}

/// Whether a memory becomes sites: in block RAM, with an output register and whole words.
fn has_sites(shape: &RamShape) -> bool {
    shape.output_register && shape.is_block() && shape.write_enable_bits() == 1
}

/// A memory with one write port and one read port on one clock.
pub(in crate::primitives) fn simple_ram(shape: &RamShape) -> Option<String> {
    if !has_sites(shape) || shape.contents.is_some() {
        return None;
    }
    let mut ports = Ports {
        write: Some(["clk", "write_enable", "write_address", "write_data"]),
        read_clk: "clk",
        read_address: "read_address",
    };
    if shape.reads_apart {
        let sites = sites("stored", shape.depth, shape.width, &ports, &[])?;
        return Some(format!("{sites}assign read_data = stored;\n"));
    }
    ports.write = Some(["clk", "written", "written_address", "written_data"]);
    let sites = sites("stored", shape.depth, shape.width, &ports, &[])?;
    let (address, word) = (range(shape.address_bits()), range(shape.width));
    Some(format!(
        "reg written;\nreg {address}written_address;\nreg {word}written_data;\n\
         // Words that were being written when they were read, as they pass beside the memory.\n\
         reg passes_latch;\nreg passes_output;\nreg {word}passed_latch;\nreg {word}passed_output;\n\
         always @(posedge clk) begin\n\
         \x20   written <= write_enable;\n\
         \x20   written_address <= write_address;\n\
         \x20   written_data <= write_data;\n\
         \x20   if (read_enable) begin\n\
         \x20       passes_latch <= written && written_address == read_address;\n\
         \x20       passed_latch <= written_data;\n\
         \x20   end\n\
         \x20   if (output_enable) begin\n\
         \x20       passes_output <= passes_latch;\n\
         \x20       passed_output <= passed_latch;\n\
         \x20   end\n\
         end\n\
         {sites}assign read_data = passes_output ? passed_output : stored;\n"
    ))
}

/// A memory that is written on one clock and read on another, which reads no word that is being written.
pub(in crate::primitives) fn crossing_ram(shape: &RamShape) -> Option<String> {
    if !has_sites(shape) || shape.contents.is_some() {
        return None;
    }
    let ports = Ports {
        write: Some(["write_clk", "write_enable", "write_address", "write_data"]),
        read_clk: "read_clk",
        read_address: "read_address",
    };
    let sites = sites("stored", shape.depth, shape.width, &ports, &[])?;
    Some(format!("{sites}assign read_data = stored;\n"))
}

/// A memory that is never written; up to two sites behind each other.
pub(in crate::primitives) fn rom(shape: &RamShape) -> Option<String> {
    let contents = shape.contents.as_ref().filter(|_| shape.output_register && shape.is_block())?;
    let words = contents.words();
    let ports = Ports { write: None, read_clk: "clk", read_address: "read_address" };
    if shape.depth <= HALVES {
        let sites = sites("stored", shape.depth, shape.width, &ports, words)?;
        return Some(format!("{sites}assign read_data = stored;\n"));
    }
    if shape.depth > 2 * HALVES {
        return None;
    }
    let (low, high) = words.split_at(HALVES);
    let bits = HALVES.ilog2();
    let ports = Ports { read_address: "place", ..ports };
    let text = format!("wire [{}:0] place;\nassign place = read_address[{}:0];\n", bits - 1, bits - 1)
        + &sites("low", HALVES, shape.width, &ports, low)?
        + &sites("high", HALVES, shape.width, &ports, high)?;
    Some(format!(
        "{text}reg is_high_latch;\nreg is_high_output;\n\
         always @(posedge clk) begin\n\
         \x20   if (read_enable) is_high_latch <= read_address[{bits}];\n\
         \x20   if (output_enable) is_high_output <= is_high_latch;\n\
         end\n\
         assign read_data = is_high_output ? high : low;\n"
    ))
}

/// The sites of a memory, whose output registers are the wire `name`.
fn sites(name: &str, depth: usize, width: usize, ports: &Ports, words: &[Value]) -> Option<String> {
    let bits = site_bits(depth, !words.is_empty())?;
    let memory =
        Memory { name, address_bits: depth.next_power_of_two().ilog2() as usize, width, bits, ports, words };
    let sites: String = (0..width.div_ceil(bits)).map(|number| memory.site(number)).collect();
    Some(format!("wire {}{name};\n{sites}", range(width)))
}

/// A memory of sites beside each other.
struct Memory<'a> {
    name: &'a str,
    address_bits: usize,
    width: usize,
    /// Bits of a word that a site holds.
    bits: usize,
    ports: &'a Ports,
    words: &'a [Value],
}

impl Memory<'_> {
    fn site(&self, number: usize) -> String {
        let Memory { name, width, bits, ports, words, .. } = *self;
        let held = number * bits..width.min((number + 1) * bits);
        let of_a = if bits == PAIR_BITS { "OUTREG" } else { "NOREG" };
        let mut text = format!(
            "DP16KD #(\n    .DATA_WIDTH_A({bits}), .DATA_WIDTH_B({bits}), .REGMODE_A(\"{of_a}\"), .REGMODE_B(\"OUTREG\"),\n    \
             .RESETMODE(\"SYNC\"), .ASYNC_RESET_RELEASE(\"SYNC\"), .CSDECODE_A(\"0b000\"), .CSDECODE_B(\"0b000\"),\n    \
             .WRITEMODE_A(\"NORMAL\"), .WRITEMODE_B(\"NORMAL\"), .GSR(\"DISABLED\")"
        );
        for (place, initval) in initvals(bits, &held, words) {
            let _ = write!(text, ",\n    .INITVAL_{place:02X}({initval})");
        }
        let [write_clk, write_enable, write_address, write_data] = match ports.write {
            Some(names) => names.map(Some),
            None => [None; 4],
        };
        let none = "1'b0";
        let writes = if ports.write.is_some() { "1'b1" } else { none };
        let pins = [
            vec![control('A', write_clk.unwrap_or(none), write_enable.unwrap_or(none), none, writes)],
            vec![control('B', ports.read_clk, "read_enable", "output_enable", none)],
            lines(self.address('A', write_address)),
            lines(self.address('B', Some(ports.read_address))),
            lines(self.data_pins('A', write_data, &held)),
            lines(self.data_pins('B', write_data, &held)),
            lines(self.shown_pins('A', &held)),
            lines(self.shown_pins('B', &held)),
        ];
        format!("{text}\n) {name}_{number} (\n    {}\n);\n", pins.concat().join(",\n    "))
    }

    /// The address pins of a port. With whole rows the lowest ones of a writing port enable its bytes.
    fn address(&self, port: char, name: Option<&str>) -> Vec<String> {
        let (lowest, bytes) = match self.bits {
            PAIR_BITS => (5, 4),
            ROW_BITS => (4, 2),
            _ => (3, 0),
        };
        let pin = |pin: usize| {
            let driven = match (pin.checked_sub(lowest), name) {
                (Some(bit), Some(name)) if bit < self.address_bits => bit_of(name, bit, self.address_bits),
                (None, Some(_)) if port == 'A' && pin < bytes => "1'b1".to_owned(),
                _ => "1'b0".to_owned(),
            };
            format!(".AD{port}{pin}({driven})")
        };
        (0..14).map(pin).collect()
    }

    /// The bits that are written on the data pins of a port: of pairs of rows one row on each, otherwise all on those of port A.
    fn written(&self, port: char, held: &Range<usize>) -> Range<usize> {
        let middle = held.end.min(held.start + ROW_BITS);
        if port == 'A' { held.start..middle } else { middle..held.end }
    }

    /// The bits that are shown on the data pins of a port: as they are written, but single rows on those of port B.
    fn shown(&self, port: char, held: &Range<usize>) -> Range<usize> {
        match (self.bits, port) {
            (PAIR_BITS, _) => self.written(port, held),
            (_, 'A') => held.end..held.end,
            _ => held.clone(),
        }
    }

    /// The pins of the word that a port writes.
    fn data_pins(&self, port: char, name: Option<&str>, held: &Range<usize>) -> Vec<String> {
        let written = self.written(port, held);
        let pin = |pin: usize| {
            let driven = match name {
                Some(name) if written.start + pin < written.end => {
                    bit_of(name, written.start + pin, self.width)
                }
                _ => "1'b0".to_owned(),
            };
            format!(".DI{port}{pin}({driven})")
        };
        (0..ROW_BITS).map(pin).collect()
    }

    /// The pins of the word that a port shows.
    fn shown_pins(&self, port: char, held: &Range<usize>) -> Vec<String> {
        let shown = self.shown(port, held);
        let pin = |pin: usize| match shown.start + pin {
            bit if bit < shown.end => format!(".DO{port}{pin}({})", bit_of(self.name, bit, self.width)),
            _ => format!(".DO{port}{pin}()"),
        };
        (0..ROW_BITS).map(pin).collect()
    }
}

/// The pins of a port that are neither address nor data.
fn control(port: char, clk: &str, enable: &str, output_enable: &str, writes: &str) -> String {
    format!(
        ".CLK{port}({clk}), .CE{port}({enable}), .OCE{port}({output_enable}), .WE{port}({writes}), .RST{port}(1'b0),\n    \
         .CS{port}0(1'b0), .CS{port}1(1'b0), .CS{port}2(1'b0)"
    )
}

/// A bit of a net, which is no vector where it has one bit.
fn bit_of(name: &str, bit: usize, width: usize) -> String {
    if width == 1 { name.to_owned() } else { format!("{name}[{bit}]") }
}

fn lines(pins: Vec<String>) -> Vec<String> {
    pins.chunks(6).map(|line| line.join(", ")).collect()
}

/// The numbers and texts of the `INITVAL`s that are not 0, of the bits that a site holds.
fn initvals(bits: usize, held: &Range<usize>, words: &[Value]) -> Vec<(usize, String)> {
    let row = |row: usize| {
        let of_row = ROW_BITS / bits;
        (0..of_row).fold(0u32, |found, part| {
            let Some(word) = words.get(row * of_row + part) else { return found };
            let part_bits =
                held.clone().enumerate().fold(0, |sum, (place, bit)| sum | u32::from(word.bit(bit)) << place);
            found | part_bits << (part * bits)
        })
    };
    let rows: Vec<u32> = if words.is_empty() { vec![] } else { (0..ROWS).map(row).collect() };
    let initvals =
        rows.chunks(ROWS_OF_INITVAL).enumerate().filter(|(_, rows)| rows.iter().any(|row| *row != 0));
    let text = |rows: &[u32]| rows.iter().rev().map(|row| format!("{row:05x}")).collect::<String>();
    initvals.map(|(number, rows)| (number, format!("320'h{}", text(rows)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::{Contents, RamStyle};

    fn shape(depth: usize, width: usize) -> RamShape {
        RamShape::new(depth, width).style(RamStyle::Block).output_register(true)
    }

    #[test]
    fn memories_are_cut_into_sites() {
        for (depth, width, sites) in
            [(2, 1, 1), (512, 36, 1), (512, 37, 2), (513, 36, 2), (1024, 19, 2), (1025, 18, 2), (2048, 9, 1)]
        {
            let text = simple_ram(&shape(depth, width)).unwrap();
            assert_eq!(text.matches("DP16KD #(").count(), sites, "{depth} x {width}");
        }
        assert_eq!(simple_ram(&shape(2049, 9)), None);
        assert_eq!(simple_ram(&shape(64, 9).output_register(false)), None);
        assert_eq!(simple_ram(&shape(64, 9).style(RamStyle::Distributed)), None);
        assert_eq!(simple_ram(&shape(64, 16).lanes(8)), None);
    }

    #[test]
    fn nothing_stands_beside_a_memory_whose_words_are_not_read_while_they_are_written() {
        assert!(simple_ram(&shape(64, 9)).unwrap().contains("passed_output"));
        let bare = simple_ram(&shape(64, 9).reads_apart()).unwrap();
        assert!(!bare.contains("reg ") && bare.contains(".DIA8(write_data[8])"), "{bare}");
    }

    /// A net that is connected before it is declared is another one, of one bit.
    #[test]
    fn what_a_site_is_connected_to_is_declared_before_it() {
        let text = simple_ram(&shape(64, 14)).unwrap();
        let site = text.find("DP16KD #(").unwrap();
        for declared in
            ["reg written;", "reg [5:0] written_address;", "reg [13:0] written_data;", "wire [13:0] stored;"]
        {
            assert!(text.find(declared).is_some_and(|place| place < site), "{declared} in\n{text}");
        }
    }

    #[test]
    fn contents_are_rows_of_two_words_or_one() {
        let words = |width: usize, numbers: &[u64]| {
            numbers.iter().map(|number| Value::from_limbs(width, &[*number])).collect::<Vec<_>>()
        };
        assert_eq!(
            initvals(9, &(0..9), &words(9, &[1, 0x100, 3])),
            [(0, format!("320'h{:0>80}", "0000320001"))]
        );
        assert_eq!(
            initvals(18, &(0..18), &words(18, &[1, 0x3_ffff])),
            [(0, format!("320'h{:0>80}", "3ffff00001"))]
        );
        // The second site of words of 20 bits has their two highest.
        assert_eq!(initvals(18, &(18..20), &words(20, &[0xc_0000])), [(0, format!("320'h{:0>80}", "00003"))]);
        assert_eq!(initvals(18, &(0..18), &words(18, &[0, 0])), []);
    }

    #[test]
    fn deep_contents_take_two_sites_behind_each_other() {
        let contents = |depth: usize| Contents::inline(vec![Value::from_limbs(9, &[1]); depth]);
        let rom_of = |depth| rom(&shape(depth, 9).contents(contents(depth)));
        for (depth, sites) in [(2, 1), (2048, 1), (2049, 2), (4096, 2)] {
            assert_eq!(rom_of(depth).unwrap().matches("DP16KD #(").count(), sites, "{depth}");
        }
        assert_eq!(rom_of(4097), None);
    }
}
