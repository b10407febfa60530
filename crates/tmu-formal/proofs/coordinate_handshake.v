// Quads to footprints, of the unit that looks up one line at a time: each quad gives its valid pixels one after the other, and
// an end. The level offsets are taken to be anything: nothing of this depends on them.
module rom_4096x9 (
    input wire clk,
    input wire read_enable,
    input wire [11:0] read_address,
    input wire output_enable,
    output wire [8:0] read_data
);
    // Answers stand as long as the output does.
    (* anyseq *) reg [8:0] anything;
    reg [8:0] answer;
    always @(posedge clk) if (output_enable) answer <= anything;
    assign read_data = answer;
endmodule

module rom_4096x9_2 (
    input wire clk,
    input wire read_enable,
    input wire [11:0] read_address,
    input wire output_enable,
    output wire [8:0] read_data
);
    (* anyseq *) reg [8:0] anything;
    reg [8:0] answer;
    always @(posedge clk) if (output_enable) answer <= anything;
    assign read_data = answer;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [263:0] input_data,
    input wire is_good,
    input wire [12:0] binding,
    input wire output_ready
);
    wire input_ready, output_valid;
    wire [88:0] output_data;
    coordinate dut (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .binding_good(is_good), .binding_width_log2(binding[3:0]), .binding_height_log2(binding[7:4]),
        .binding_is_bilinear(binding[8]), .binding_mode_u(binding[10:9]), .binding_mode_v(binding[12:11]),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(output_data)
    );
    offer_stays #(.WIDTH(89)) offer (
        .clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(output_data)
    );
    // The binding stays as it is.
    reg was_good;
    reg started = 1'b0;
    always @(posedge clk) begin
        was_good <= is_good;
        started <= 1'b1;
    end
    always @* begin
        assume (rst || started);
        if (started) assume (is_good == was_good);
    end
    // Quads under way, the oldest first: which of their pixels are valid.
    wire taken = input_valid && input_ready && !rst;
    wire is_end = output_data[0];
    wire [3:0] shown = output_data[4:1];
    wire [1:0] pixel = output_data[6:5];
    wire given = output_valid && output_ready;
    wire ends = given && is_end;
    reg [3:0] count = 4'd0;
    reg [31:0] waiting;
    wire [3:0] left = count - ends;
    wire [31:0] moved = ends ? waiting >> 4 : waiting;
    wire [4:0] at = {left[2:0], 2'd0};
    always @(posedge clk) begin
        count <= rst ? 4'd0 : left + taken;
        waiting <= taken ? (moved & ~(32'hf << at)) | ({28'd0, input_data[259:256]} << at) : moved;
    end
    // Its pixels that have come.
    reg [3:0] come = 4'd0;
    wire [3:0] own = 4'd1 << pixel;
    wire [3:0] wanted = waiting[3:0] & {4{is_good}};
    wire [3:0] to_come = wanted & ~come;
    always @(posedge clk) come <= rst || ends ? 4'd0 : given ? come | own : come;
    always @* if (output_valid) begin
        of_a_quad: assert (count != 4'd0 && count <= 4'd8);
        same_quad: assert (shown == waiting[3:0]);
        pixels_in_turn: assert (is_end ? to_come == 4'd0 : own == (to_come & (~to_come + 4'd1)) && to_come != 4'd0);
    end
    always @* begin
        four_pixels: cover (ends && come == 4'hf);
        none: cover (ends && come == 4'd0 && is_good && count == 4'd3);
    end
endmodule
