// Models of UltraScale+'s block RAM as Yosys instantiates it, after the vendor's description (UG573): without output registers; what is
// read in the clock in which it is written is what stood there before. Other modes end the simulation. What the latches show at first
// (INIT_A, INIT_B) is left open, since the emitted Verilog does not say it.

// Both sizes: bytes with a parity bit each. Words of a byte or more take parity bits; narrower ones do not.
module block_ram #(
    parameter ADDRESS_BITS = 15, HALF_BITS = 32,
    parameter READ_A = 0, READ_B = 0, WRITE_A = 0, WRITE_B = 0,
    parameter [9*HALF_BITS/4-1:0] RESET_A = 0, RESET_B = 0,
    parameter [(1 << ADDRESS_BITS)-1:0] DATA = 0,
    parameter [(1 << ADDRESS_BITS)/8-1:0] PARITY = 0
) (
    input wire clock_a, clock_b, enable_a, enable_b, reset_a, reset_b,
    input wire [ADDRESS_BITS-1:0] address_a, address_b,
    input wire [HALF_BITS/4-1:0] write_a, write_b,
    input wire [2*HALF_BITS-1:0] in_a, in_b,
    input wire [HALF_BITS/4-1:0] inp_a, inp_b,
    output reg [2*HALF_BITS-1:0] out_a,
    output reg [HALF_BITS/4-1:0] outp_a,
    output reg [HALF_BITS-1:0] out_b,
    output reg [HALF_BITS/8-1:0] outp_b
);
    localparam BYTES = (1 << ADDRESS_BITS) / 8;
    reg [7:0] data [0:BYTES-1];
    reg parity [0:BYTES-1];
    integer place;
    initial for (place = 0; place < BYTES; place = place + 1) begin
        data[place] = DATA[8*place +: 8];
        parity[place] = PARITY[place];
    end
    // The byte in which an address points, and the bit of it.
    wire [ADDRESS_BITS-4:0] byte_a = address_a[ADDRESS_BITS-1:3], byte_b = address_b[ADDRESS_BITS-1:3];
    wire [2:0] bit_a = address_a[2:0], bit_b = address_b[2:0];
    genvar lane;
    generate
        for (lane = 0; lane < WRITE_A / 9; lane = lane + 1) begin : writes_a
            wire [ADDRESS_BITS-4:0] at = byte_a & ~(WRITE_A / 9 - 1) | lane;
            always @(posedge clock_a) if (enable_a && write_a[lane]) begin
                data[at] <= in_a[8*lane +: 8];
                parity[at] <= inp_a[lane];
            end
        end
        for (lane = 0; lane < READ_A / 9; lane = lane + 1) begin : reads_a
            wire [ADDRESS_BITS-4:0] at = byte_a & ~(READ_A / 9 - 1) | lane;
            always @(posedge clock_a) if (enable_a) begin
                out_a[8*lane +: 8] <= reset_a ? RESET_A[8*lane +: 8] : data[at];
                outp_a[lane] <= reset_a ? RESET_A[2*HALF_BITS + lane] : parity[at];
            end
        end
        if (WRITE_A > 0 && WRITE_A < 9) begin : narrow_writes_a
            wire [2:0] at = bit_a & ~(WRITE_A - 1);
            always @(posedge clock_a) if (enable_a && write_a[0]) data[byte_a][at +: WRITE_A] <= in_a[0 +: WRITE_A];
        end
        if (READ_A > 0 && READ_A < 9) begin : narrow_reads_a
            wire [2:0] at = bit_a & ~(READ_A - 1);
            always @(posedge clock_a) if (enable_a)
                out_a[0 +: READ_A] <= reset_a ? RESET_A[0 +: READ_A] : data[byte_a][at +: READ_A];
        end
        for (lane = 0; lane < WRITE_B / 9; lane = lane + 1) begin : writes_b
            wire [ADDRESS_BITS-4:0] at = byte_b & ~(WRITE_B / 9 - 1) | lane;
            always @(posedge clock_b) if (enable_b && write_b[lane]) begin
                data[at] <= in_b[8*lane +: 8];
                parity[at] <= inp_b[lane];
            end
        end
        for (lane = 0; lane < READ_B / 9; lane = lane + 1) begin : reads_b
            wire [ADDRESS_BITS-4:0] at = byte_b & ~(READ_B / 9 - 1) | lane;
            always @(posedge clock_b) if (enable_b) begin
                out_b[8*lane +: 8] <= reset_b ? RESET_B[8*lane +: 8] : data[at];
                outp_b[lane] <= reset_b ? RESET_B[2*HALF_BITS + lane] : parity[at];
            end
        end
        if (WRITE_B > 0 && WRITE_B < 9) begin : narrow_writes_b
            wire [2:0] at = bit_b & ~(WRITE_B - 1);
            always @(posedge clock_b) if (enable_b && write_b[0]) data[byte_b][at +: WRITE_B] <= in_b[0 +: WRITE_B];
        end
        if (READ_B > 0 && READ_B < 9) begin : narrow_reads_b
            wire [2:0] at = bit_b & ~(READ_B - 1);
            always @(posedge clock_b) if (enable_b)
                out_b[0 +: READ_B] <= reset_b ? RESET_B[0 +: READ_B] : data[byte_b][at +: READ_B];
        end
    endgenerate
endmodule

module RAMB18E2 #(
    parameter READ_WIDTH_A = 0, READ_WIDTH_B = 0, WRITE_WIDTH_A = 0, WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "", WRITE_MODE_B = "", INIT_A = 0, INIT_B = 0,
    parameter DOA_REG = 0, DOB_REG = 0,
    parameter [17:0] SRVAL_A = 0,
    parameter [17:0] SRVAL_B = 0,
    parameter [255:0]
    INITP_00 = 256'bx, INITP_01 = 256'bx, INITP_02 = 256'bx, INITP_03 = 256'bx,
    INITP_04 = 256'bx, INITP_05 = 256'bx, INITP_06 = 256'bx, INITP_07 = 256'bx,
    INIT_00 = 256'bx, INIT_01 = 256'bx, INIT_02 = 256'bx, INIT_03 = 256'bx,
    INIT_04 = 256'bx, INIT_05 = 256'bx, INIT_06 = 256'bx, INIT_07 = 256'bx,
    INIT_08 = 256'bx, INIT_09 = 256'bx, INIT_0A = 256'bx, INIT_0B = 256'bx,
    INIT_0C = 256'bx, INIT_0D = 256'bx, INIT_0E = 256'bx, INIT_0F = 256'bx,
    INIT_10 = 256'bx, INIT_11 = 256'bx, INIT_12 = 256'bx, INIT_13 = 256'bx,
    INIT_14 = 256'bx, INIT_15 = 256'bx, INIT_16 = 256'bx, INIT_17 = 256'bx,
    INIT_18 = 256'bx, INIT_19 = 256'bx, INIT_1A = 256'bx, INIT_1B = 256'bx,
    INIT_1C = 256'bx, INIT_1D = 256'bx, INIT_1E = 256'bx, INIT_1F = 256'bx,
    INIT_20 = 256'bx, INIT_21 = 256'bx, INIT_22 = 256'bx, INIT_23 = 256'bx,
    INIT_24 = 256'bx, INIT_25 = 256'bx, INIT_26 = 256'bx, INIT_27 = 256'bx,
    INIT_28 = 256'bx, INIT_29 = 256'bx, INIT_2A = 256'bx, INIT_2B = 256'bx,
    INIT_2C = 256'bx, INIT_2D = 256'bx, INIT_2E = 256'bx, INIT_2F = 256'bx,
    INIT_30 = 256'bx, INIT_31 = 256'bx, INIT_32 = 256'bx, INIT_33 = 256'bx,
    INIT_34 = 256'bx, INIT_35 = 256'bx, INIT_36 = 256'bx, INIT_37 = 256'bx,
    INIT_38 = 256'bx, INIT_39 = 256'bx, INIT_3A = 256'bx, INIT_3B = 256'bx,
    INIT_3C = 256'bx, INIT_3D = 256'bx, INIT_3E = 256'bx, INIT_3F = 256'bx
) (
    input wire CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, ADDRENA, ADDRENB, SLEEP,
    input wire REGCEAREGCE, REGCEB, RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB,
    input wire [1:0] WEA,
    input wire [3:0] WEBWE,
    input wire [13:0] ADDRARDADDR, ADDRBWRADDR,
    input wire [15:0] DINADIN, DINBDIN,
    input wire [1:0] DINPADINP, DINPBDINP,
    output wire [15:0] DOUTADOUT, DOUTBDOUT,
    output wire [1:0] DOUTPADOUTP, DOUTPBDOUTP
);
    // Of the widest words the lower half is on the pins of port A, the upper one on those of port B.
    localparam IS_WIDE_READ = READ_WIDTH_A == 36, IS_WIDE_WRITE = WRITE_WIDTH_B == 36;
    wire [15:0] out_b;
    wire [1:0] outp_b;
    wire [15:0] upper;
    wire [1:0] upperp;
    assign DOUTBDOUT = IS_WIDE_READ ? upper : out_b;
    assign DOUTPBDOUTP = IS_WIDE_READ ? upperp : outp_b;
    block_ram #(
        .ADDRESS_BITS(14), .READ_A(READ_WIDTH_A), .READ_B(READ_WIDTH_B), .WRITE_A(WRITE_WIDTH_A), .WRITE_B(WRITE_WIDTH_B),
        .RESET_A(IS_WIDE_READ ? {SRVAL_B[17:16], SRVAL_A[17:16], SRVAL_B[15:0], SRVAL_A[15:0]} :
            {2'b0, SRVAL_A[17:16], 16'b0, SRVAL_A[15:0]}),
        .RESET_B({2'b0, SRVAL_B[17:16], 16'b0, SRVAL_B[15:0]}), .HALF_BITS(16),
        .DATA({
        INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38,
        INIT_37, INIT_36, INIT_35, INIT_34, INIT_33, INIT_32, INIT_31, INIT_30,
        INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28,
        INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20,
        INIT_1F, INIT_1E, INIT_1D, INIT_1C, INIT_1B, INIT_1A, INIT_19, INIT_18,
        INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10,
        INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08,
        INIT_07, INIT_06, INIT_05, INIT_04, INIT_03, INIT_02, INIT_01, INIT_00
        }),
        .PARITY({
        INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
        })
    ) ram (
        .clock_a(CLKARDCLK), .clock_b(CLKBWRCLK), .enable_a(ENARDEN), .enable_b(ENBWREN),
        .reset_a(RSTRAMARSTRAM), .reset_b(RSTRAMB), .address_a(ADDRARDADDR), .address_b(ADDRBWRADDR),
        .write_a({2'b0, WEA}), .write_b(WEBWE),
        .in_a({16'b0, DINADIN}), .inp_a({2'b0, DINPADINP}),
        .in_b(IS_WIDE_WRITE ? {DINBDIN, DINADIN} : {16'b0, DINBDIN}),
        .inp_b(IS_WIDE_WRITE ? {DINPBDINP, DINPADINP} : {2'b0, DINPBDINP}),
        .out_a({upper, DOUTADOUT}), .outp_a({upperp, DOUTPADOUTP}), .out_b(out_b), .outp_b(outp_b)
    );
    initial if (DOA_REG != 0 || DOB_REG != 0 || WRITE_MODE_A != "READ_FIRST" || WRITE_MODE_B != "READ_FIRST")
        $fatal(1, "RAMB18E2: this model has no output register and no other mode than READ_FIRST");
endmodule

module RAMB36E2 #(
    parameter READ_WIDTH_A = 0, READ_WIDTH_B = 0, WRITE_WIDTH_A = 0, WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "", WRITE_MODE_B = "", INIT_A = 0, INIT_B = 0,
    parameter DOA_REG = 0, DOB_REG = 0,
    parameter [35:0] SRVAL_A = 0,
    parameter [35:0] SRVAL_B = 0,
    parameter [255:0]
    INITP_00 = 256'bx, INITP_01 = 256'bx, INITP_02 = 256'bx, INITP_03 = 256'bx,
    INITP_04 = 256'bx, INITP_05 = 256'bx, INITP_06 = 256'bx, INITP_07 = 256'bx,
    INITP_08 = 256'bx, INITP_09 = 256'bx, INITP_0A = 256'bx, INITP_0B = 256'bx,
    INITP_0C = 256'bx, INITP_0D = 256'bx, INITP_0E = 256'bx, INITP_0F = 256'bx,
    INIT_00 = 256'bx, INIT_01 = 256'bx, INIT_02 = 256'bx, INIT_03 = 256'bx,
    INIT_04 = 256'bx, INIT_05 = 256'bx, INIT_06 = 256'bx, INIT_07 = 256'bx,
    INIT_08 = 256'bx, INIT_09 = 256'bx, INIT_0A = 256'bx, INIT_0B = 256'bx,
    INIT_0C = 256'bx, INIT_0D = 256'bx, INIT_0E = 256'bx, INIT_0F = 256'bx,
    INIT_10 = 256'bx, INIT_11 = 256'bx, INIT_12 = 256'bx, INIT_13 = 256'bx,
    INIT_14 = 256'bx, INIT_15 = 256'bx, INIT_16 = 256'bx, INIT_17 = 256'bx,
    INIT_18 = 256'bx, INIT_19 = 256'bx, INIT_1A = 256'bx, INIT_1B = 256'bx,
    INIT_1C = 256'bx, INIT_1D = 256'bx, INIT_1E = 256'bx, INIT_1F = 256'bx,
    INIT_20 = 256'bx, INIT_21 = 256'bx, INIT_22 = 256'bx, INIT_23 = 256'bx,
    INIT_24 = 256'bx, INIT_25 = 256'bx, INIT_26 = 256'bx, INIT_27 = 256'bx,
    INIT_28 = 256'bx, INIT_29 = 256'bx, INIT_2A = 256'bx, INIT_2B = 256'bx,
    INIT_2C = 256'bx, INIT_2D = 256'bx, INIT_2E = 256'bx, INIT_2F = 256'bx,
    INIT_30 = 256'bx, INIT_31 = 256'bx, INIT_32 = 256'bx, INIT_33 = 256'bx,
    INIT_34 = 256'bx, INIT_35 = 256'bx, INIT_36 = 256'bx, INIT_37 = 256'bx,
    INIT_38 = 256'bx, INIT_39 = 256'bx, INIT_3A = 256'bx, INIT_3B = 256'bx,
    INIT_3C = 256'bx, INIT_3D = 256'bx, INIT_3E = 256'bx, INIT_3F = 256'bx,
    INIT_40 = 256'bx, INIT_41 = 256'bx, INIT_42 = 256'bx, INIT_43 = 256'bx,
    INIT_44 = 256'bx, INIT_45 = 256'bx, INIT_46 = 256'bx, INIT_47 = 256'bx,
    INIT_48 = 256'bx, INIT_49 = 256'bx, INIT_4A = 256'bx, INIT_4B = 256'bx,
    INIT_4C = 256'bx, INIT_4D = 256'bx, INIT_4E = 256'bx, INIT_4F = 256'bx,
    INIT_50 = 256'bx, INIT_51 = 256'bx, INIT_52 = 256'bx, INIT_53 = 256'bx,
    INIT_54 = 256'bx, INIT_55 = 256'bx, INIT_56 = 256'bx, INIT_57 = 256'bx,
    INIT_58 = 256'bx, INIT_59 = 256'bx, INIT_5A = 256'bx, INIT_5B = 256'bx,
    INIT_5C = 256'bx, INIT_5D = 256'bx, INIT_5E = 256'bx, INIT_5F = 256'bx,
    INIT_60 = 256'bx, INIT_61 = 256'bx, INIT_62 = 256'bx, INIT_63 = 256'bx,
    INIT_64 = 256'bx, INIT_65 = 256'bx, INIT_66 = 256'bx, INIT_67 = 256'bx,
    INIT_68 = 256'bx, INIT_69 = 256'bx, INIT_6A = 256'bx, INIT_6B = 256'bx,
    INIT_6C = 256'bx, INIT_6D = 256'bx, INIT_6E = 256'bx, INIT_6F = 256'bx,
    INIT_70 = 256'bx, INIT_71 = 256'bx, INIT_72 = 256'bx, INIT_73 = 256'bx,
    INIT_74 = 256'bx, INIT_75 = 256'bx, INIT_76 = 256'bx, INIT_77 = 256'bx,
    INIT_78 = 256'bx, INIT_79 = 256'bx, INIT_7A = 256'bx, INIT_7B = 256'bx,
    INIT_7C = 256'bx, INIT_7D = 256'bx, INIT_7E = 256'bx, INIT_7F = 256'bx
) (
    input wire CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, ADDRENA, ADDRENB, SLEEP,
    input wire REGCEAREGCE, REGCEB, RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB,
    input wire [3:0] WEA,
    input wire [7:0] WEBWE,
    input wire [14:0] ADDRARDADDR, ADDRBWRADDR,
    input wire [31:0] DINADIN, DINBDIN,
    input wire [3:0] DINPADINP, DINPBDINP,
    output wire [31:0] DOUTADOUT, DOUTBDOUT,
    output wire [3:0] DOUTPADOUTP, DOUTPBDOUTP
);
    // Of the widest words the lower half is on the pins of port A, the upper one on those of port B.
    localparam IS_WIDE_READ = READ_WIDTH_A == 72, IS_WIDE_WRITE = WRITE_WIDTH_B == 72;
    wire [31:0] out_b;
    wire [3:0] outp_b;
    wire [31:0] upper;
    wire [3:0] upperp;
    assign DOUTBDOUT = IS_WIDE_READ ? upper : out_b;
    assign DOUTPBDOUTP = IS_WIDE_READ ? upperp : outp_b;
    block_ram #(
        .ADDRESS_BITS(15), .READ_A(READ_WIDTH_A), .READ_B(READ_WIDTH_B), .WRITE_A(WRITE_WIDTH_A), .WRITE_B(WRITE_WIDTH_B),
        .RESET_A(IS_WIDE_READ ? {SRVAL_B[35:32], SRVAL_A[35:32], SRVAL_B[31:0], SRVAL_A[31:0]} :
            {4'b0, SRVAL_A[35:32], 32'b0, SRVAL_A[31:0]}),
        .RESET_B({4'b0, SRVAL_B[35:32], 32'b0, SRVAL_B[31:0]}), .HALF_BITS(32),
        .DATA({
        INIT_7F, INIT_7E, INIT_7D, INIT_7C, INIT_7B, INIT_7A, INIT_79, INIT_78,
        INIT_77, INIT_76, INIT_75, INIT_74, INIT_73, INIT_72, INIT_71, INIT_70,
        INIT_6F, INIT_6E, INIT_6D, INIT_6C, INIT_6B, INIT_6A, INIT_69, INIT_68,
        INIT_67, INIT_66, INIT_65, INIT_64, INIT_63, INIT_62, INIT_61, INIT_60,
        INIT_5F, INIT_5E, INIT_5D, INIT_5C, INIT_5B, INIT_5A, INIT_59, INIT_58,
        INIT_57, INIT_56, INIT_55, INIT_54, INIT_53, INIT_52, INIT_51, INIT_50,
        INIT_4F, INIT_4E, INIT_4D, INIT_4C, INIT_4B, INIT_4A, INIT_49, INIT_48,
        INIT_47, INIT_46, INIT_45, INIT_44, INIT_43, INIT_42, INIT_41, INIT_40,
        INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38,
        INIT_37, INIT_36, INIT_35, INIT_34, INIT_33, INIT_32, INIT_31, INIT_30,
        INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28,
        INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20,
        INIT_1F, INIT_1E, INIT_1D, INIT_1C, INIT_1B, INIT_1A, INIT_19, INIT_18,
        INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10,
        INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08,
        INIT_07, INIT_06, INIT_05, INIT_04, INIT_03, INIT_02, INIT_01, INIT_00
        }),
        .PARITY({
        INITP_0F, INITP_0E, INITP_0D, INITP_0C, INITP_0B, INITP_0A, INITP_09, INITP_08,
        INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
        })
    ) ram (
        .clock_a(CLKARDCLK), .clock_b(CLKBWRCLK), .enable_a(ENARDEN), .enable_b(ENBWREN),
        .reset_a(RSTRAMARSTRAM), .reset_b(RSTRAMB), .address_a(ADDRARDADDR), .address_b(ADDRBWRADDR),
        .write_a({4'b0, WEA}), .write_b(WEBWE),
        .in_a({32'b0, DINADIN}), .inp_a({4'b0, DINPADINP}),
        .in_b(IS_WIDE_WRITE ? {DINBDIN, DINADIN} : {32'b0, DINBDIN}),
        .inp_b(IS_WIDE_WRITE ? {DINPBDINP, DINPADINP} : {4'b0, DINPBDINP}),
        .out_a({upper, DOUTADOUT}), .outp_a({upperp, DOUTPADOUTP}), .out_b(out_b), .outp_b(outp_b)
    );
    initial if (DOA_REG != 0 || DOB_REG != 0 || WRITE_MODE_A != "READ_FIRST" || WRITE_MODE_B != "READ_FIRST")
        $fatal(1, "RAMB36E2: this model has no output register and no other mode than READ_FIRST");
endmodule
