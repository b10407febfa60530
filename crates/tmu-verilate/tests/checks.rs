//! Linters, synthesis and depth on small modules.

mod common;

use common::counter;
use tmu_verilate::{
    Diagnostic, Family, ModelSource, Severity, SourceFile, Tools, WAIVERS, icarus_lint, lint_with_all,
    slang_lint, synthesize, verilator_lint, yosys_lint,
};

#[test]
fn clean_verilog_has_no_findings() {
    if Tools::are_missing() {
        return;
    }
    assert_eq!(lint_with_all(&counter()).unwrap(), []);
}

fn source(top: &str, verilog: &str) -> ModelSource {
    ModelSource::single(top, verilog, Vec::new())
}

/// A latch, a sum that is cut short, and a wire that nobody drives.
const FAULTY: &str = "module faulty(input wire on, input wire [7:0] a, output reg [3:0] y, output wire z);
  always @* if (on) y = a[3:0];
  wire [3:0] cut = a + 8'd1;
  wire floating;
  assign z = floating ^ cut[0];
endmodule
";

#[test]
fn each_reader_names_its_findings_with_file_and_line() {
    if Tools::are_missing() {
        return;
    }
    let faulty = source("faulty", FAULTY);
    let has = |found: &[Diagnostic], code: &str, place: &str, text: &str| {
        let hit = found.iter().any(|one| {
            one.severity == Severity::Warning
                && one.code.starts_with(code)
                && one.place == place
                && one.message.contains(text)
        });
        assert!(hit, "no `{code}` at `{place}` about `{text}` in {found:#?}");
    };
    let found = verilator_lint(&faulty, WAIVERS).unwrap();
    has(&found, "WIDTH", "faulty.v:3", "generates 8 bits");
    has(&found, "LATCH", "faulty.v:2", "Latch inferred for signal");
    has(&yosys_lint(&faulty).unwrap(), "", "", "Latch inferred for signal `\\faulty.\\y'");
    has(&yosys_lint(&faulty).unwrap(), "", "", "\\floating is used but has no driver");
    has(&slang_lint(&faulty).unwrap(), "width-trunc", "faulty.v:3", "truncates from 8 to 4 bits");
    has(&slang_lint(&faulty).unwrap(), "undriven-net", "faulty.v:4", "floating");
    let gaps = source(
        "gaps",
        "module gaps(input wire a);\n  wire [1:0] w;\n  counter c(.clk(a), .by(w));\nendmodule\n",
    );
    let gaps = ModelSource { files: [gaps.files, counter().files].concat(), ..gaps };
    has(&icarus_lint(&gaps).unwrap(), "", "gaps.v:3", "Port 3 (by) of counter expects 4 bits, got 2");

    let waived = WAIVERS.to_owned() + "lint_off -rule WIDTH -file \"*faulty.v\" -match \"*\"\n";
    let left = verilator_lint(&faulty, &waived).unwrap();
    assert!(left.iter().all(|one| !one.code.starts_with("WIDTH")) && !left.is_empty(), "{left:#?}");
}

#[test]
fn text_that_is_not_verilog_is_an_error_of_each_reader() {
    if Tools::are_missing() {
        return;
    }
    let broken = source("broken", "module broken(input wire a\n  assign b = a;\nendmodule\n");
    for (tool, found) in [
        ("Verilator", verilator_lint(&broken, WAIVERS)),
        ("Icarus Verilog", icarus_lint(&broken)),
        ("Yosys", yosys_lint(&broken)),
        ("slang", slang_lint(&broken)),
    ] {
        let found = found.unwrap();
        let error = found.iter().find(|one| one.severity == Severity::Error).unwrap();
        assert_eq!(
            (error.tool, error.place.as_str()),
            (tool, if tool == "slang" { "broken.v:1" } else { "broken.v:2" })
        );
        assert!(error.to_string().contains(": error: "), "{error}");
    }
}

const PRIMITIVES: &str = "module primitives(
  input wire clk, input wire we, input wire [11:0] wa, input wire [11:0] ra, input wire [63:0] d,
  output reg [63:0] line, output reg [35:0] tag_a, output reg [35:0] tag_b, output reg [8:0] offset,
  output reg [7:0] small, output reg delayed
);
  (* ram_style = \"ultra\" *) reg [63:0] lines [0:4095];
  reg [63:0] line_read;
  always @(posedge clk) begin
    if (we) lines[wa] <= d;
    line_read <= lines[ra];
    line <= line_read;
  end

  (* ram_style = \"block\" *) reg [35:0] tags [0:1023];
  always @(posedge clk) begin
    if (we) tags[wa[9:0]] <= d[35:0];
    tag_a <= tags[wa[9:0]];
  end
  always @(posedge clk) tag_b <= tags[ra[9:0]];

  (* rom_style = \"block\" *) reg [8:0] offsets [0:4095];
  initial $readmemh(\"offsets.mem\", offsets);
  always @(posedge clk) offset <= offsets[ra];

  (* ram_style = \"distributed\" *) reg [7:0] smalls [0:31];
  always @(posedge clk) begin
    if (we) smalls[wa[4:0]] <= d[63:56];
    small <= smalls[ra[4:0]];
  end

  reg [15:0] line_of_16;
  always @(posedge clk) begin
    line_of_16 <= {line_of_16[14:0], d[50]};
    delayed <= line_of_16[15];
  end
endmodule
";

#[test]
fn synthesis_infers_the_primitives_of_the_device() {
    if Tools::are_missing() {
        return;
    }
    let table: String =
        (0..4096u32).map(|i| format!("{:03x}\n", i.wrapping_mul(2_654_435_761) >> 23)).collect();
    let mut primitives = source("primitives", PRIMITIVES);
    primitives.files.push(SourceFile::new("offsets.mem", table));
    let synthesis = synthesize(&primitives, Family::UltraScalePlus).unwrap();
    let counts = &synthesis.counts;
    assert_eq!((counts.uram288, counts.bram36(), counts.latches), (1, 2.0, 0), "{counts:?}");
    assert_eq!((counts.lut, counts.ff_in_dsp), (0, 0), "{counts:?}");
    // 32 words of 8 bits, and a shift register of 16 places.
    assert_eq!(counts.lut_memory, 8 + 1, "{counts:?}");
    let path = synthesis.depth.register_to_register.unwrap();
    assert_eq!((path.weight.weight, path.through.as_slice()), (0, [].as_slice()), "{path:?}");
    let path = synthesis.depth.input_to_register.unwrap();
    assert_eq!((path.weight.luts, path.through.len()), (1, 1), "the read of distributed memory: {path:?}");
}

const MULTIPLIER: &str = "module multiplier(
  input wire clk, input wire signed [24:0] a, input wire signed [17:0] b, output reg signed [42:0] product
);
  reg signed [24:0] x, x_again;
  reg signed [17:0] y, y_again;
  reg signed [42:0] m;
  always @(posedge clk) begin
    x_again <= a; y_again <= b;
    x <= x_again; y <= y_again;
    m <= x * y;
    product <= m;
  end
endmodule
";

#[test]
fn registers_that_belong_inside_a_dsp_are_counted() {
    if Tools::are_missing() {
        return;
    }
    let multiplier = source("multiplier", MULTIPLIER);
    let outside = synthesize(&multiplier, Family::UltraScalePlus).unwrap();
    assert_eq!((outside.counts.dsp48, outside.counts.lut), (1, 0));
    // Two before each operand and two behind the product, which Yosys leaves outside on UltraScale+.
    let registers = 2 * (25 + 18) + 2 * 43;
    assert_eq!((outside.counts.ff, outside.counts.ff_in_dsp), (registers, registers));
    let path = outside.depth.register_to_register.unwrap();
    assert_eq!((path.weight.weight, path.weight.dsps), (3, 1), "{path:?}");

    // On 7-series it packs them.
    let packed = synthesize(&multiplier, Family::Series7).unwrap();
    assert_eq!((packed.counts.dsp48, packed.counts.ff), (1, 0), "{:?}", packed.counts);
    assert_eq!(packed.depth.depth(), 0);
}

#[test]
fn a_source_that_yosys_refuses_is_an_error_with_its_text() {
    if Tools::are_missing() {
        return;
    }
    let message = synthesize(&source("faulty", "module other; endmodule\n"), Family::default())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("Yosys failed on `faulty`") && message.contains("Module `faulty' not found"),
        "{message}"
    );
}
