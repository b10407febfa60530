// Queues in front of which nobody waits: what comes when it may always finds room. The queue stands in for the emitted one,
// which has its own proofs: it counts its items and tells its level a clock late.
module counted_fifo #(parameter DEPTH = 1, parameter BITS = 1, parameter WIDTH = 1) (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire output_valid,
    input wire output_ready,
    output wire [WIDTH-1:0] output_data,
    output wire [BITS-1:0] level
);
`ifdef SHORTENED
    // A reset leaves it nearly full then.
    localparam START = DEPTH - 14;
`else
    localparam START = 0;
`endif
    (* anyseq *) reg shows;
    (* anyseq *) reg [WIDTH-1:0] anything;
    reg [BITS-1:0] count = START;
    reg gave = 1'b0;
    wire gives = output_valid && output_ready;
    always @(posedge clk) begin
        count <= rst ? START : count + input_valid - gives;
        gave <= gives && !rst;
    end
    always @* begin
        fits: assert (count <= DEPTH - 4);
        nearly_full: cover (count == DEPTH - 6);
    end
    assign output_valid = shows && count != 0;
    assign output_data = anything;
    assign level = count + gave;
endmodule

module sync_fifo_512x82_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [81:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [81:0] output_data,
    output wire [9:0] level
);
    counted_fifo #(.DEPTH(512), .BITS(10), .WIDTH(82)) counted (
        .clk(clk), .rst(rst), .input_valid(input_valid), .output_valid(output_valid), .output_ready(output_ready),
        .output_data(output_data), .level(level)
    );
    assign input_ready = 1'b1;
endmodule

module sync_fifo_512x257_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [256:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [256:0] output_data,
    output wire [9:0] level
);
    counted_fifo #(.DEPTH(512), .BITS(10), .WIDTH(257)) counted (
        .clk(clk), .rst(rst), .input_valid(input_valid), .output_valid(output_valid), .output_ready(output_ready),
        .output_data(output_data), .level(level)
    );
    assign input_ready = 1'b1;
endmodule

module sync_fifo_32x208_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [207:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [207:0] output_data,
    output wire [5:0] level
);
    counted_fifo #(.DEPTH(32), .BITS(6), .WIDTH(208)) counted (
        .clk(clk), .rst(rst), .input_valid(input_valid), .output_valid(output_valid), .output_ready(output_ready),
        .output_data(output_data), .level(level)
    );
    assign input_ready = 1'b1;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire in_valid,
    input wire out_ready,
    input wire read_ready,
    input wire [12:0] fills
);
    wire has_room;
`ifdef FETCH
    miss_queue dut (.clk(clk), .rst(rst), .misses(in_valid), .has_room(has_room), .may_fetch(out_ready), .read_ready(read_ready));
`else
    data_stage dut (.clk(clk), .rst(rst), .in_valid(in_valid), .has_room(has_room), .out_ready(out_ready), .fills(fills));
`endif
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);
    // What proof `lookup` says: nothing comes unless there was room in one of the clocks just before.
    reg [6:1] had_room = 6'd0;
    always @(posedge clk) had_room <= rst ? 6'd0 : {had_room[5:1], has_room};
    always @* if (in_valid) assume (!rst && had_room[`CLOCKS:1] != 0);
endmodule
