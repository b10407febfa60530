// Samples gathered to quads, behind everything that waits: whatever the interpolations give, a result is made of the samples of
// its own quad, each in its place.
//
// The interpolations are taken to be anything, at any time. A sample is what they give in the clock in which its item has gone
// through them, eight clocks after it came.
module lerp_pair (
    input wire clk,
    input wire enable,
    input wire [7:0] x0,
    input wire [7:0] x1,
    input wire [7:0] y0,
    input wire [7:0] y1,
    input wire [8:0] weight,
    output wire [7:0] result0,
    output wire [7:0] result1
);
    (* anyseq *) reg [15:0] anything;
    assign {result1, result0} = anything;
endmodule

// What comes, eight clocks later.
module eight_clocks #(parameter WIDTH = 1) (
    input wire clk,
    input wire rst,
    input wire in_valid,
    input wire [WIDTH-1:0] word,
    output wire came,
    output wire [WIDTH-1:0] came_word,
    output wire under_way
);
    reg [7:0] at = 8'd0;
    reg [8*WIDTH-1:0] words;
    always @(posedge clk) begin
        at <= rst ? 8'd0 : {at[6:0], in_valid};
        words <= {words[7*WIDTH-1:0], word};
    end
    assign came = at[7];
    assign came_word = words[8*WIDTH-1 -: WIDTH];
    assign under_way = at != 8'd0;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire in_valid,
    input wire [`TAP-1:0] tap,
    input wire error,
    input wire binding_good,
    input wire binding_is_bilinear
);
    wire done;
    wire [132:0] result;
`ifdef TAPS
    filter dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .tap(tap), .tap_error(error), .binding_good(binding_good),
        .binding_is_bilinear(binding_is_bilinear), .done(done), .result(result)
    );
`else
    filter dut (.clk(clk), .rst(rst), .in_valid(in_valid), .tap(tap), .error(error), .done(done), .result(result));
`endif
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // A bit of each sample, of any channel.
    (* anyconst *) reg [4:0] watched;
    wire [3:0] shown = {result[96 + watched], result[64 + watched], result[32 + watched], result[watched]};

    // What has come, and what the interpolations give of it.
    wire came, came_error, under_way;
    wire [`TAP-1:0] came_tap;
    eight_clocks #(.WIDTH(`TAP + 1)) places (
        .clk(clk), .rst(rst), .in_valid(in_valid), .word({error, tap}), .came(came),
        .came_word({came_error, came_tap}), .under_way(under_way)
    );
`ifdef TAPS
    wire [15:0] inner_column_red_green_anything;
`else
    wire [15:0] inner_lanes_0_column_red_green_anything;
`endif
    wire [3:0] sample;

    // The quad that is gathered: which pixels have come, which are valid, and what they are.
    reg [3:0] served = 4'd0;
    reg [3:0] valid;
    reg [3:0] samples;
    reg failed = 1'b0;
    reg ended = 1'b0;
    wire [3:0] serves, is_valid;
    wire ends, fails;
    wire [3:0] served_before = ended ? 4'd0 : served;
    wire failed_before = ended ? 1'b0 : failed;
    always @(posedge clk) begin
        if (rst) begin
            served <= 4'd0;
            failed <= 1'b0;
            ended <= 1'b0;
        end else begin
            ended <= came && ends;
            served <= served_before | (serves & {4{came}});
            failed <= failed_before || (came && fails);
        end
        if (came) begin
            samples <= (samples & ~serves) | (sample & serves);
            valid <= is_valid;
        end
    end

`ifdef PIXELS
    // An item is a pixel, valid or not, and says whether it is its quad's last one. Those that do not come are not valid.
    wire [15:0] inner_lanes_0_column_blue_alpha_anything;
    wire [31:0] whole = {inner_lanes_0_column_blue_alpha_anything, inner_lanes_0_column_red_green_anything};
    assign sample = {4{whole[watched]}};
    assign serves = 4'd1 << came_tap[2:1];
    assign is_valid = (served_before == 4'd0 ? 4'd0 : valid) | (serves & {4{came_tap[4]}});
    assign ends = came_tap[3];
    assign fails = came_error || came_tap[5];
    always @* if (came) assume ((served_before & serves) == 4'd0);
    // For the induction: what is gathered so far.
    wire inner_error_so_far, inner_is_first;
    always @* begin
        error_kept: assert (inner_error_so_far == (failed && !ended));
        first_known: assert (inner_is_first == (served_before == 4'd0));
        gathered: assert (served_before == 4'd0 || (result[131:128] == valid && (valid & ~served) == 4'd0
            && ((shown ^ samples) & valid) == 4'd0 && (shown & ~valid) == 4'd0));
    end
`endif
`ifdef QUADS
    // An item is some pixels of a quad, and says whether it is the last one.
    wire [15:0] inner_lanes_1_column_red_green_anything, inner_lanes_2_column_red_green_anything, inner_lanes_3_column_red_green_anything;
    wire [15:0] inner_lanes_0_column_blue_alpha_anything, inner_lanes_1_column_blue_alpha_anything, inner_lanes_2_column_blue_alpha_anything;
    wire [15:0] inner_lanes_3_column_blue_alpha_anything;
    wire [31:0] whole_0 = {inner_lanes_0_column_blue_alpha_anything, inner_lanes_0_column_red_green_anything};
    wire [31:0] whole_1 = {inner_lanes_1_column_blue_alpha_anything, inner_lanes_1_column_red_green_anything};
    wire [31:0] whole_2 = {inner_lanes_2_column_blue_alpha_anything, inner_lanes_2_column_red_green_anything};
    wire [31:0] whole_3 = {inner_lanes_3_column_blue_alpha_anything, inner_lanes_3_column_red_green_anything};
    assign is_valid = came_tap[9:6];
    assign sample = {whole_3[watched], whole_2[watched], whole_1[watched], whole_0[watched]} & is_valid;
    assign serves = came_tap[5:2];
    assign ends = came_tap[1];
    assign fails = came_error || came_tap[10];
    // All items of a quad say which of its pixels are valid.
    always @* if (came && served_before != 4'd0) assume (is_valid == valid);
    wire inner_error_so_far;
    always @* begin
        error_kept: assert (inner_error_so_far == (failed && !ended));
        gathered: assert (ended || ((shown ^ samples) & served) == 4'd0);
    end
`endif
`ifdef TAPS
    // One tap of a pixel after the other, and behind them all the end of the quad.
    wire [15:0] inner_column_blue_alpha_anything;
    wire [31:0] whole = {inner_column_blue_alpha_anything, inner_column_red_green_anything};
    wire completes = !came_tap[0] && (came_tap[8:7] == 2'd3 || !binding_is_bilinear);
    assign sample = {4{whole[watched]}};
    assign serves = {3'd0, completes} << came_tap[6:5];
    assign is_valid = came_tap[4:1];
    assign ends = came_tap[0];
    assign fails = ends ? !binding_good : came_error;
    always @* begin
        assume (!(came && ended));
        if (came) assume ((served_before & ~is_valid) == 4'd0 && (serves & ~is_valid) == 4'd0);
    end
    // The binding stays as it is while a quad is under way.
    reg [1:0] binding;
    always @(posedge clk) binding <= {binding_good, binding_is_bilinear};
    always @* if (under_way || ended || served != 4'd0) assume (binding == {binding_good, binding_is_bilinear});
    always @* begin
        gathered: assert (ended || ((shown ^ samples) & served) == 4'd0 && (shown & ~served) == 4'd0);
        if (done) nothing_but_taps: assert ((shown & ~served) == 4'd0);
    end
`endif
    always @* begin
        in_time: assert (done == ended);
        if (done) begin
            right_valid: assert (result[131:128] == valid);
            error_told: assert (result[132] == failed);
            zero_if_failed: assert (!failed || result[127:0] == 128'd0);
            zero_if_not_valid: assert ((shown & ~valid) == 4'd0);
            own_samples: assert (failed || ((shown ^ samples) & served & valid) == 4'd0);
        end
        good_quad: cover (done && shown == 4'h5 && result[131:128] == 4'hf);
        failed_quad: cover (done && failed);
    end
endmodule
