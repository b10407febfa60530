// A model of DP16KD as far as it is instantiated, after Lattice's description of the memory (ECP5 memory usage guide, FPGA-TN-02204):
// port A writes, port B reads and has an output register with an enable of its own. Words are whole rows of 18 bits, or halves of them;
// or two rows, whose upper one is on the data pins of the other port: it is written on those of B and shown on those of B, the lower one
// on those of A.
// What port B reads in the clock in which port A writes it is undefined: here it is the wrong bits, all of them.
module DP16KD (
    input wire CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2,
    input wire CLKB, CEB, OCEB, WEB, RSTB, CSB0, CSB1, CSB2,
    input wire
    ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8,
    ADA9, ADA10, ADA11, ADA12, ADA13, ADB0, ADB1, ADB2, ADB3,
    ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12,
    ADB13, DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7,
    DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16,
    DIA17, DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7,
    DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16,
    DIB17,
    output wire
    DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8,
    DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17,
    DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8,
    DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
parameter DATA_WIDTH_A = 18;
parameter DATA_WIDTH_B = 18;
parameter REGMODE_A = "NOREG";
parameter REGMODE_B = "NOREG";
parameter RESETMODE = "SYNC";
parameter ASYNC_RESET_RELEASE = "SYNC";
parameter CSDECODE_A = "0b000";
parameter CSDECODE_B = "0b000";
parameter WRITEMODE_A = "NORMAL";
parameter WRITEMODE_B = "NORMAL";
parameter GSR = "ENABLED";
parameter [319:0] INITVAL_00 = 320'd0;
parameter [319:0] INITVAL_01 = 320'd0;
parameter [319:0] INITVAL_02 = 320'd0;
parameter [319:0] INITVAL_03 = 320'd0;
parameter [319:0] INITVAL_04 = 320'd0;
parameter [319:0] INITVAL_05 = 320'd0;
parameter [319:0] INITVAL_06 = 320'd0;
parameter [319:0] INITVAL_07 = 320'd0;
parameter [319:0] INITVAL_08 = 320'd0;
parameter [319:0] INITVAL_09 = 320'd0;
parameter [319:0] INITVAL_0A = 320'd0;
parameter [319:0] INITVAL_0B = 320'd0;
parameter [319:0] INITVAL_0C = 320'd0;
parameter [319:0] INITVAL_0D = 320'd0;
parameter [319:0] INITVAL_0E = 320'd0;
parameter [319:0] INITVAL_0F = 320'd0;
parameter [319:0] INITVAL_10 = 320'd0;
parameter [319:0] INITVAL_11 = 320'd0;
parameter [319:0] INITVAL_12 = 320'd0;
parameter [319:0] INITVAL_13 = 320'd0;
parameter [319:0] INITVAL_14 = 320'd0;
parameter [319:0] INITVAL_15 = 320'd0;
parameter [319:0] INITVAL_16 = 320'd0;
parameter [319:0] INITVAL_17 = 320'd0;
parameter [319:0] INITVAL_18 = 320'd0;
parameter [319:0] INITVAL_19 = 320'd0;
parameter [319:0] INITVAL_1A = 320'd0;
parameter [319:0] INITVAL_1B = 320'd0;
parameter [319:0] INITVAL_1C = 320'd0;
parameter [319:0] INITVAL_1D = 320'd0;
parameter [319:0] INITVAL_1E = 320'd0;
parameter [319:0] INITVAL_1F = 320'd0;
parameter [319:0] INITVAL_20 = 320'd0;
parameter [319:0] INITVAL_21 = 320'd0;
parameter [319:0] INITVAL_22 = 320'd0;
parameter [319:0] INITVAL_23 = 320'd0;
parameter [319:0] INITVAL_24 = 320'd0;
parameter [319:0] INITVAL_25 = 320'd0;
parameter [319:0] INITVAL_26 = 320'd0;
parameter [319:0] INITVAL_27 = 320'd0;
parameter [319:0] INITVAL_28 = 320'd0;
parameter [319:0] INITVAL_29 = 320'd0;
parameter [319:0] INITVAL_2A = 320'd0;
parameter [319:0] INITVAL_2B = 320'd0;
parameter [319:0] INITVAL_2C = 320'd0;
parameter [319:0] INITVAL_2D = 320'd0;
parameter [319:0] INITVAL_2E = 320'd0;
parameter [319:0] INITVAL_2F = 320'd0;
parameter [319:0] INITVAL_30 = 320'd0;
parameter [319:0] INITVAL_31 = 320'd0;
parameter [319:0] INITVAL_32 = 320'd0;
parameter [319:0] INITVAL_33 = 320'd0;
parameter [319:0] INITVAL_34 = 320'd0;
parameter [319:0] INITVAL_35 = 320'd0;
parameter [319:0] INITVAL_36 = 320'd0;
parameter [319:0] INITVAL_37 = 320'd0;
parameter [319:0] INITVAL_38 = 320'd0;
parameter [319:0] INITVAL_39 = 320'd0;
parameter [319:0] INITVAL_3A = 320'd0;
parameter [319:0] INITVAL_3B = 320'd0;
parameter [319:0] INITVAL_3C = 320'd0;
parameter [319:0] INITVAL_3D = 320'd0;
parameter [319:0] INITVAL_3E = 320'd0;
parameter [319:0] INITVAL_3F = 320'd0;

reg [17:0] rows [0:1023];
reg [35:0] latch;
reg [35:0] register;

localparam [20479:0] INITIAL_ROWS = {INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00};
integer number;
initial begin
    for (number = 0; number < 1024; number = number + 1) rows[number] = INITIAL_ROWS[number * 20 +: 18];
end

wire [13:0] a;
wire [13:0] b;
wire [17:0] given;
wire [17:0] given_above;
assign a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
assign b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
assign given = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
assign given_above = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
wire is_pair;
assign is_pair = DATA_WIDTH_A == 36;

// Which bits of a row a write changes: the enabled bytes, or the half that the address names.
wire [17:0] mask;
wire [17:0] spread;
assign mask = (DATA_WIDTH_A >= 18) ? {{9{a[1]}}, {9{a[0]}}} : {{9{a[3]}}, {9{!a[3]}}};
assign spread = (DATA_WIDTH_A >= 18) ? given : {given[8:0], given[8:0]};

wire writes;
assign writes = CEA && WEA && {CSA2, CSA1, CSA0} == 3'd0;
always @(posedge CLKA) begin
    if (writes && is_pair) begin
        rows[{a[13:5], 1'b0}] <= rows[{a[13:5], 1'b0}] & ~mask | given & mask;
        rows[{a[13:5], 1'b1}] <= rows[{a[13:5], 1'b1}] & ~{{9{a[3]}}, {9{a[2]}}} | given_above & {{9{a[3]}}, {9{a[2]}}};
    end else if (writes) rows[a[13:4]] <= rows[a[13:4]] & ~mask | spread & mask;
end

wire meets;
assign meets = writes && a[13:5] == b[13:5] && (is_pair || (a[4] == b[4] && (DATA_WIDTH_A == 18 || a[3] == b[3])));
wire [17:0] row;
wire [35:0] word;
assign row = rows[b[13:4]];
assign word = is_pair ? {rows[{b[13:5], 1'b1}], rows[{b[13:5], 1'b0}]}
    : (DATA_WIDTH_B == 18) ? {18'd0, row} : {27'd0, b[3] ? row[17:9] : row[8:0]};
always @(posedge CLKB) begin
    if (CEB && {CSB2, CSB1, CSB0} == 3'd0) latch <= meets ? ~word : word;
    if (OCEB) register <= latch;
end
wire [35:0] shown;
wire [17:0] shown_a;
wire [17:0] shown_b;
assign shown = (REGMODE_B == "OUTREG") ? register : latch;
assign shown_a = is_pair ? shown[17:0] : 18'd0;
assign shown_b = is_pair ? shown[35:18] : shown[17:0];
assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = shown_a;
assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = shown_b;

// Port B writes nothing by itself.
wire unused;
assign unused = &{1'b0, OCEA, RSTA, WEB, RSTB};
endmodule
