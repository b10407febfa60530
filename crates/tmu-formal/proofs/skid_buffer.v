// A register stage between two streams.
module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [7:0] input_data,
    input wire output_ready
);
    wire input_ready, output_valid;
    wire [7:0] output_data;
    block dut (
        .clk(clk), .rst(rst),
        .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(output_data)
    );
    wire taken = input_valid && input_ready;
    wire given = output_valid && output_ready;
    offer_stays #(.WIDTH(8)) offer (.clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(output_data));
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(taken && !rst), .in_mark(input_data[1:0]),
        .out_clk(clk), .out_clear(rst), .offered(output_valid), .given(given), .out_mark(output_data[1:0])
    );
    occupancy #(.DEPTH(2), .LATENCY(1)) room (
        .clk(clk), .rst(rst), .taken(taken), .given(given), .ready(input_ready), .valid(output_valid)
    );
endmodule
