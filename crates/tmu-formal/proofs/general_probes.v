// The stage that gives each quad's pixels their probes.
//
// Beside it stands what was taken last, with the probes of it that are still to come: a bit for each pixel and level, or one for
// an item that has a single probe. A probe that comes out is compared with the lowest one of them. The block is asked for
// nothing but its ports: what comes out of which register is its own affair.
module proof (
    input wire clk,
    input wire rst,
    input wire in_valid,
    input wire [323:0] in_item,
    input wire advance
);
    wire in_ready, out_valid;
    wire is_binding, is_valid, is_failed, ends_pixel, ends_quad, is_linear;
    wire [4:0] register;
    wire [1:0] pixel;
    wire [3:0] valid, level;
    wire [36:0] u, v;
    wire [2:0] slice;
    wire [16:0] weight;
    probes dut (
        .clk(clk), .rst(rst), .input_valid(in_valid), .input_ready(in_ready), .input_data(in_item), .advance(advance),
        .out_valid(out_valid), .probe_head_is_binding(is_binding), .probe_head_register(register), .probe_pixel(pixel),
        .probe_is_valid(is_valid), .probe_is_failed(is_failed), .probe_ends_pixel(ends_pixel), .probe_ends_quad(ends_quad),
        .probe_valid(valid), .probe_u(u), .probe_v(v), .probe_face(slice), .probe_is_linear(is_linear), .probe_level(level),
        .probe_weight(weight)
    );
    wire taken = in_valid && in_ready && !rst;
    wire given = out_valid && advance;

    // A probe is offered until it is taken.
    offer_stays #(.WIDTH(121)) offer (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(advance),
        .data({is_binding, register, pixel, is_valid, is_failed, ends_pixel, ends_quad, valid, u, v, slice, is_linear, level, weight})
    );
    // Two items are marked in what is the number of a register of a binding, and means nothing here of a quad either.
    wire [1:0] sent, seen;
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(taken), .in_mark(in_item[2:1]), .out_clk(clk), .out_clear(rst), .offered(out_valid),
        .given(given && ends_quad), .out_mark(register[1:0]), .marks_sent(sent), .marks_seen(seen)
    );

    // What an item needs: of each valid pixel the probe of its level, and above those of all pixels those of the next one.
    wire in_has_probes = !in_item[0] && !in_item[10];
    wire in_has_second = in_item[323:316] != 8'd0;
    wire [7:0] in_due = {in_item[9:6] & {4{in_has_second}}, in_item[9:6]} & {8{in_has_probes}};

    // The item that was taken last, what is to come of it, and that a probe of it has to be offered now.
    reg [323:0] item;
    reg [7:0] to_come = 8'd0;
    reg is_single = 1'b0;
    reg is_due = 1'b0;
    wire has_more = to_come != 8'd0 || is_single;
    wire [7:0] next = to_come & ~(to_come - 8'd1);
    wire [7:0] rest = to_come & (to_come - 8'd1);
    wire is_last = is_single || rest == 8'd0;
    always @(posedge clk) begin
        if (rst) begin
            to_come <= 8'd0;
            is_single <= 1'b0;
            is_due <= 1'b0;
        end else begin
            if (taken) begin
                to_come <= in_due;
                is_single <= in_due == 8'd0;
            end else if (advance) begin
                to_come <= rest;
                is_single <= 1'b0;
            end
            if (advance) is_due <= has_more;
        end
        if (taken) item <= in_item;
    end
    // The probe that has to be offered.
    reg [7:0] expected;
    reg [323:0] of_item;
    always @(posedge clk) if (advance && has_more) begin
        expected <= next;
        of_item <= item;
    end
    reg was_last;
    always @(posedge clk) if (advance) was_last <= is_last;

    wire is_null = expected == 8'd0;
    wire has_second = of_item[323:316] != 8'd0;
    wire is_second = expected[7:4] != 4'd0;
    wire [3:0] of_pixel = is_null ? 4'h1 : expected[7:4] | expected[3:0];
    wire [74:0] place = of_pixel[3] ? of_item[310:236] : of_pixel[2] ? of_item[235:161] : of_pixel[1] ? of_item[160:86]
        : of_item[85:11];
    always @* begin
        in_time: assert (out_valid == is_due);
        lets_in: assert (in_ready == (!has_more || (advance && is_last)));
        if (out_valid && is_due) begin
            right_pixel: assert ((4'd1 << pixel) == of_pixel && is_valid == !is_null);
            right_ends: assert (ends_quad == was_last && ends_pixel == (is_null || is_second || !has_second));
            right_item: assert ({is_binding, register} == {of_item[0], of_item[5:1]}
                && {valid, is_failed, is_linear} == {of_item[9:6], of_item[10], of_item[311]});
            right_place: assert (u == {place[35], place[35:0]} && v == {place[71], place[71:36]} && slice == place[74:72]);
            if (!is_null) begin
                right_level: assert (level == of_item[315:312] + is_second);
                right_weight: assert (weight == (is_second ? {1'b0, of_item[323:316], 8'd0} : 17'h10000 - {1'b0, of_item[323:316], 8'd0}));
            end
        end
        of_a_binding: cover (given && is_binding && seen == 2'd1);
        failed: cover (given && is_failed && valid == 4'hf);
        second_level: cover (given && pixel == 2'd3 && is_second && ends_quad && valid == 4'hb);
        one_after_the_other: cover (given && ends_quad && taken && has_more);
    end
endmodule
