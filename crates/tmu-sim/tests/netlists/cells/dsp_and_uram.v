// Models of UltraScale+'s DSP slice and UltraRAM as Yosys instantiates them, after the vendor's descriptions (UG579, UG573). Other uses end
// the simulation.

// A product of signed numbers, without registers.
module DSP48E2 #(
    parameter ACASCREG = 1, ADREG = 1, ALUMODEREG = 1, AREG = 1, BCASCREG = 1, BREG = 1, CARRYINREG = 1, CARRYINSELREG = 1,
    parameter CREG = 1, DREG = 1, INMODEREG = 1, MREG = 1, OPMODEREG = 1, PREG = 1,
    parameter AMULTSEL = "A", A_INPUT = "DIRECT", BMULTSEL = "B", B_INPUT = "DIRECT", USE_MULT = "MULTIPLY", USE_SIMD = "ONE48"
) (
    input wire [29:0] A, ACIN,
    input wire [17:0] B, BCIN,
    input wire [47:0] C, PCIN,
    input wire [26:0] D,
    input wire [3:0] ALUMODE,
    input wire [4:0] INMODE,
    input wire [8:0] OPMODE,
    input wire [2:0] CARRYINSEL,
    input wire CARRYIN,
    output wire [47:0] P
);
    wire signed [26:0] a = A[26:0];
    wire signed [17:0] b = B;
    wire signed [44:0] product = a * b;
    assign P = {{3{product[44]}}, product};
    initial if (ACASCREG + ADREG + ALUMODEREG + AREG + BCASCREG + BREG + CARRYINREG + CARRYINSELREG + CREG + DREG + INMODEREG + MREG +
        OPMODEREG + PREG != 0 || AMULTSEL != "A" || A_INPUT != "DIRECT" || BMULTSEL != "B" || B_INPUT != "DIRECT" ||
        USE_MULT != "MULTIPLY" || USE_SIMD != "ONE48")
        $fatal(1, "DSP48E2: this model is a product without registers");
    always @* if (OPMODE != 9'h005 || INMODE != 0 || ALUMODE != 0 || CARRYINSEL != 0 || CARRYIN)
        $fatal(1, "DSP48E2: this model is a product");
endmodule

// 4096 words of 72 bits, two ports on one clock, of which A comes first: what A writes B reads in the same clock, and what B writes A
// does not. A port that writes keeps what it shows.
module URAM288 #(
    parameter BWE_MODE_A = "PARITY_INTERLEAVED", BWE_MODE_B = "PARITY_INTERLEAVED",
    parameter EN_AUTO_SLEEP_MODE = "FALSE", IREG_PRE_A = "FALSE", IREG_PRE_B = "FALSE", OREG_A = "FALSE", OREG_B = "FALSE",
    parameter RST_MODE_A = "SYNC", RST_MODE_B = "SYNC",
    parameter [0:0] IS_CLK_INVERTED = 0
) (
    input wire CLK, SLEEP, EN_A, EN_B, RDB_WR_A, RDB_WR_B, RST_A, RST_B,
    input wire INJECT_DBITERR_A, INJECT_SBITERR_A, INJECT_DBITERR_B, INJECT_SBITERR_B,
    input wire [22:0] ADDR_A, ADDR_B,
    input wire [8:0] BWE_A, BWE_B,
    input wire [71:0] DIN_A, DIN_B,
    output reg [71:0] DOUT_A, DOUT_B
);
    reg [71:0] memory [0:4095];

    // The bits that a port writes: in the interleaved mode each enable has a byte and its parity bit.
    function [71:0] mask(input [8:0] enables, input interleaved);
        integer lane;
        begin
            for (lane = 0; lane < 8; lane = lane + 1) begin
                mask[8*lane +: 8] = {8{enables[lane]}};
                mask[64+lane] = interleaved ? enables[lane] : enables[8];
            end
        end
    endfunction
    wire [71:0] mask_a = mask(BWE_A, BWE_MODE_A == "PARITY_INTERLEAVED");
    wire [71:0] mask_b = mask(BWE_B, BWE_MODE_B == "PARITY_INTERLEAVED");

    always @(posedge CLK) begin
        if (RST_A) DOUT_A <= 0;
        else if (EN_A && !RDB_WR_A) DOUT_A <= memory[ADDR_A[11:0]];
        if (EN_A && RDB_WR_A) memory[ADDR_A[11:0]] = memory[ADDR_A[11:0]] & ~mask_a | DIN_A & mask_a;
        if (RST_B) DOUT_B <= 0;
        else if (EN_B && !RDB_WR_B) DOUT_B <= memory[ADDR_B[11:0]];
        if (EN_B && RDB_WR_B) memory[ADDR_B[11:0]] = memory[ADDR_B[11:0]] & ~mask_b | DIN_B & mask_b;
    end
    initial if (EN_AUTO_SLEEP_MODE != "FALSE" || IREG_PRE_A != "FALSE" || IREG_PRE_B != "FALSE" || OREG_A != "FALSE" || OREG_B != "FALSE" ||
        IS_CLK_INVERTED)
        $fatal(1, "URAM288: this model has no registers but those of what it shows");
    always @* if ((RST_A && RST_MODE_A != "SYNC") || (RST_B && RST_MODE_B != "SYNC"))
        $fatal(1, "URAM288: this model has no asynchronous reset");
endmodule
