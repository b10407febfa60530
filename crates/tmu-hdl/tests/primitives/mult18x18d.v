// A model of MULT18X18D as far as it is instantiated, after Lattice's description of the site (ECP5 sysDSP usage guide, FPGA-TN-02205):
// two factors of 18 bits, each with a sign or without; a register behind each factor, one between the partial products and their
// sum, and one behind the product. All are clocked, enabled and reset by number 0 here, and reset with the clock. The vendor's own model,
// which may not be given on, has more modes.
module MULT18X18D (
    input wire CLK0, CE0, RST0, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    input wire
    A0, A1, A2, A3, A4, A5, A6, A7, A8,
    A9, A10, A11, A12, A13, A14, A15, A16, A17,
    B0, B1, B2, B3, B4, B5, B6, B7, B8,
    B9, B10, B11, B12, B13, B14, B15, B16, B17,
    C0, C1, C2, C3, C4, C5, C6, C7, C8,
    C9, C10, C11, C12, C13, C14, C15, C16, C17,
    output wire
    P0, P1, P2, P3, P4, P5, P6, P7, P8,
    P9, P10, P11, P12, P13, P14, P15, P16, P17,
    P18, P19, P20, P21, P22, P23, P24, P25, P26,
    P27, P28, P29, P30, P31, P32, P33, P34, P35
);
parameter REG_INPUTA_CLK = "NONE";
parameter REG_INPUTA_CE = "CE0";
parameter REG_INPUTA_RST = "RST0";
parameter REG_INPUTB_CLK = "NONE";
parameter REG_INPUTB_CE = "CE0";
parameter REG_INPUTB_RST = "RST0";
parameter REG_INPUTC_CLK = "NONE";
parameter REG_PIPELINE_CLK = "NONE";
parameter REG_PIPELINE_CE = "CE0";
parameter REG_PIPELINE_RST = "RST0";
parameter REG_OUTPUT_CLK = "NONE";
parameter REG_OUTPUT_CE = "CE0";
parameter REG_OUTPUT_RST = "RST0";
parameter GSR = "ENABLED";
parameter RESETMODE = "SYNC";

// Extended by a sign: of a factor without one it is 0. What the registers take is a factor with its sign.
wire [18:0] a;
wire [18:0] b;
assign a = {SIGNEDA & A17, {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0}};
assign b = {SIGNEDB & B17, {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0}};

reg [18:0] a_register;
reg [18:0] b_register;
reg [35:0] pipeline_register;
reg [35:0] output_register;

wire [18:0] a_taken;
wire [18:0] b_taken;
wire [35:0] product;
wire [35:0] summed;
assign a_taken = (REG_INPUTA_CLK == "CLK0") ? a_register : a;
assign b_taken = (REG_INPUTB_CLK == "CLK0") ? b_register : b;
assign product = $unsigned($signed({{17{a_taken[18]}}, a_taken}) * $signed({{17{b_taken[18]}}, b_taken}));
assign summed = (REG_PIPELINE_CLK == "CLK0") ? pipeline_register : product;
assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = (REG_OUTPUT_CLK == "CLK0") ? output_register : summed;

always @(posedge CLK0) begin
    if (RST0) begin
        a_register <= 19'd0;
        b_register <= 19'd0;
        pipeline_register <= 36'd0;
        output_register <= 36'd0;
    end else if (CE0) begin
        a_register <= a;
        b_register <= b;
        pipeline_register <= product;
        output_register <= summed;
    end
end

// The third factor, and the way from the neighbour, which no instance uses.
wire unused;
assign unused = &{1'b0, SOURCEA, SOURCEB, C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0};
endmodule
