// A FIFO on one clock, with its level.
module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [`WIDTH-1:0] input_data,
    input wire output_ready
);
    localparam BITS = $clog2(`DEPTH) + 1;
    wire input_ready, output_valid;
    wire [`WIDTH-1:0] output_data;
    wire [BITS-1:0] level;
    block dut (
        .clk(clk), .rst(rst),
        .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(output_data), .level(level)
    );
    wire taken = input_valid && input_ready;
    wire given = output_valid && output_ready;
    wire [15:0] items;
    offer_stays #(.WIDTH(`WIDTH)) offer (.clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(output_data));
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(taken && !rst), .in_mark(input_data[1:0]),
        .out_clk(clk), .out_clear(rst), .offered(output_valid), .given(given), .out_mark(output_data[1:0])
    );
    occupancy #(.DEPTH(`DEPTH), .LATENCY(`LATENCY), .SLACK(`LATE)) room (
        .clk(clk), .rst(rst), .taken(taken), .given(given), .ready(input_ready), .valid(output_valid), .items(items)
    );
    // The late level counts an item for one more clock after it was given.
    reg gave = 1'b0;
    always @(posedge clk) gave <= given && !rst;
    always @* level_counts: assert (level == items + (`LATE && gave));
endmodule
