// Stages of the unit that looks up one line at a time, with a handshake on both sides: an offer stays until it is taken,
// and what goes in comes out, in order. Products are taken to be anything, at any time: nothing of this depends on them.
module multiplier_u17_u17 (
    input wire clk,
    input wire enable,
    input wire [16:0] a,
    input wire [16:0] b,
    output wire [33:0] product
);
    (* anyseq *) reg [33:0] anything;
    assign product = anything;
endmodule

`ifdef LOD
module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [259:0] input_data,
    input wire is_mipmapped,
    input wire [11:0] binding,
    input wire output_ready
);
    wire input_ready, output_valid;
    wire [263:0] output_data;
    lod dut (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .binding_is_mipmapped(is_mipmapped), .binding_width_log2(binding[3:0]), .binding_height_log2(binding[7:4]),
        .binding_max_lod(binding[11:8]), .output_valid(output_valid), .output_ready(output_ready),
        .output_data(output_data)
    );
    offer_stays #(.WIDTH(264)) offer (
        .clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(output_data)
    );
    // One quad at a time, out as it came in, after eleven clocks at most.
    wire taken = input_valid && input_ready && !rst;
    wire given = output_valid && output_ready;
    reg open = 1'b0;
    reg [259:0] quad;
    reg [3:0] clocks = 4'd0;
    always @(posedge clk) begin
        open <= !rst && (taken || (open && !given));
        if (taken) quad <= input_data;
        clocks <= rst || !open || output_valid ? 4'd0 : clocks + 4'd1;
    end
    wire [9:0] inner_step;
    always @* begin
        one_at_a_time: assert (input_ready == !open);
        was_taken: assert (!output_valid || open);
        same_quad: assert (!open || output_data[259:0] == quad);
        in_time: assert (clocks <= 4'd10 && (output_valid || clocks <= 4'd9));
        in_steps: assert (inner_step == (open && !output_valid ? 10'd1 << clocks : 10'd0));
        no_levels: cover (given && clocks == 4'd0 && output_data[263:260] == 4'd0);
        level: cover (given && output_data[263:260] == 4'd5);
    end
endmodule
`endif

`ifdef ADDRESS
module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [88:0] input_data,
    input wire [26:0] first_line,
    input wire [2:0] binding,
    input wire table_load,
    input wire output_ready
);
    wire input_ready, output_valid;
    wire [59:0] output_data;
    address dut (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .binding_first_line(first_line), .binding_is_bilinear(binding[0]), .binding_is_indexed(binding[1]),
        .binding_is_rgb(binding[2]), .table_load(table_load), .output_valid(output_valid), .output_ready(output_ready),
        .output_data(output_data)
    );
    offer_stays #(.WIDTH(60)) offer (
        .clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(output_data)
    );
    // The binding stays, and no colour table is loaded.
    reg [2:0] was_binding;
    reg started = 1'b0;
    always @(posedge clk) begin
        was_binding <= binding;
        started <= 1'b1;
    end
    always @* begin
        assume (rst || started);
        assume (!table_load);
        if (started) assume (binding == was_binding);
    end
    wire given = output_valid && output_ready;
    wire is_end = output_data[7];
    wire is_whole = output_data[5];
    wire [1:0] tap = output_data[15:14];
    // Nothing comes in the clock after an end was taken.
    reg was_end = 1'b0;
    always @(posedge clk) was_end <= given && is_end && !rst;
    always @* if (was_end) pause_behind_end: assert (!output_valid);
    // The taps of a pixel come in turn, and the second line of a texel behind its first.
    reg [1:0] turn = 2'd0;
    reg rest_follows = 1'b0;
    always @(posedge clk)
        if (rst) begin
            turn <= 2'd0;
            rest_follows <= 1'b0;
        end else if (given) begin
            turn <= is_end || !binding[0] ? 2'd0 : turn + is_whole;
            rest_follows <= !is_whole;
        end
    always @* if (output_valid) begin
        taps_in_turn: assert (tap == turn);
        rest_in_turn: assert (output_data[4] == rest_follows && (!rest_follows || is_whole) && (!is_end || is_whole));
        no_table: assert (!output_data[6]);
    end
    // Two footprints are marked by their weights, on which nothing depends.
    wire ends = is_end || (is_whole && (tap == 2'd3 || !binding[0]));
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(input_valid && input_ready && !rst), .in_mark(input_data[52:51]),
        .out_clk(clk), .out_clear(rst), .offered(output_valid && ends), .given(given && ends),
        .out_mark(output_data[17:16])
    );
    always @* two_lines: cover (given && rest_follows && tap == 2'd3);
endmodule
`endif
