`default_nettype none

// Leading-zero count with a normalising shift, one register deep.
module normalise (
    input  wire clk,
    input  wire rst,
    input  wire input_valid,
    output wire input_ready,
    input  wire [15:0] input_data,
    output wire output_valid,
    input  wire output_ready,
    output wire [20:0] output_data
);
    reg  full = 1'b0;
    reg  [15:0] mantissa = 16'd0;
    reg  [4:0] zeros = 5'd0;
    wire ready;


    // ------------------------------------------------------------------------
    // Handshake
    // ------------------------------------------------------------------------
    assign ready = !full || output_ready;
    assign input_ready = ready;
    always @(posedge clk) begin
        if (rst) begin
            full <= 1'b0;
        end else if (ready) begin
            full <= input_valid;
        end
    end

    // ------------------------------------------------------------------------
    // Count and shift
    // ------------------------------------------------------------------------
    wire [7:0] upper = input_data[15:8];
    wire empty = upper == 8'd0;
    wire [7:0] rest = empty ? input_data[7:0] : upper;
    wire [3:0] upper_2 = rest[7:4];
    wire empty_2 = upper_2 == 4'd0;
    wire [3:0] rest_2 = empty_2 ? rest[3:0] : upper_2;
    wire [1:0] upper_3 = rest_2[3:2];
    wire empty_3 = upper_3 == 2'd0;
    wire [1:0] rest_3 = empty_3 ? rest_2[1:0] : upper_3;
    wire upper_4 = rest_3[1];
    wire empty_4 = upper_4 == 1'b0;
    wire [3:0] digits = {empty, empty_2, empty_3, empty_4};
    wire rest_4 = empty_4 ? rest_3[0] : upper_4;
    wire zero = !rest_4;
    wire all = (&digits) & zero;
    wire [4:0] zeros_2 = {all, all ? 4'd0 : digits};
    wire [15:0] shifted = input_data << zeros_2;
    always @(posedge clk) begin
        if (ready) begin
            mantissa <= shifted;
            zeros <= zeros_2;
        end
    end
    assign output_valid = full;
    assign output_data = {zeros, mantissa};
endmodule

`default_nettype wire
