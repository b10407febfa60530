// A FIFO between two clocks that have no relation to each other.
module proof (
    input wire write_clk,
    input wire write_rst,
    input wire read_clk,
    input wire read_rst,
    input wire input_valid,
    input wire [1:0] input_data,
    input wire output_ready
);
    wire input_ready, output_valid, write_stopped, read_stopped;
    wire [1:0] output_data;
    block dut (
        .write_clk(write_clk), .write_rst(write_rst), .read_clk(read_clk), .read_rst(read_rst),
        .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(output_data),
        .write_stopped(write_stopped), .read_stopped(read_stopped)
    );
    wire taken = input_valid && input_ready && !write_rst;
    wire given = output_valid && output_ready && !read_rst;
    wire [1:0] sent;
    offer_stays #(.WIDTH(2)) offer (
        .clk(read_clk), .rst(read_rst || read_stopped), .valid(output_valid), .ready(output_ready), .data(output_data)
    );

`ifdef RESETS
    // Either side may be reset at any time and for any time; then items may be lost, but none is doubled or passes another.
    in_order #(.MAY_LOSE(1)) order (
`else
    reg write_started = 1'b0;
    reg read_started = 1'b0;
    always @(posedge write_clk) write_started <= 1'b1;
    always @(posedge read_clk) read_started <= 1'b1;
    always @* assume (write_rst == !write_started && read_rst == !read_started);
    in_order order (
`endif
        .in_clk(write_clk), .in_clear(1'b0), .taken(taken), .in_mark(input_data),
        .out_clk(read_clk), .out_clear(1'b0), .offered(output_valid), .given(given), .out_mark(output_data),
        .marks_sent(sent)
    );

`ifdef RESETS
    // What was written before the reading side was reset never comes out after it.
    reg forgotten = 1'b0;
    always @(posedge read_clk) if (read_rst && sent != 2'd0) forgotten <= 1'b1;
    always @* if (output_valid) reset_forgets: assert (!(forgotten && output_data == 2'd1));
`else
    // Counted on both sides, without the FIFO's own pointers.
    reg [3:0] written = 4'd0;
    reg [3:0] read = 4'd0;
    always @(posedge write_clk) if (taken) written <= written + 4'd1;
    always @(posedge read_clk) if (given) read <= read + 4'd1;
    wire [3:0] items = written - read;
    always @* begin
        // Three places between the pointers' memory and the output: its register.
        has_room: assert (items <= 4'd5);
        not_empty: assert (!output_valid || items != 4'd0);
        full: cover (items >= 4'd4 && !input_ready && write_started);
    end
`endif
endmodule
