// The stage that puts packets together and deals them out in items.
//
// Two packets are marked, quads or bindings, as in `in_order`. A quad's mark stands in its last pixel; a binding's in the
// lowest bits of the line that it begins with, on which nothing depends here. A binding with a colour table comes out twice,
// in front of the table's entries and behind them, so it is not marked.
//
// The block that measures a texture is stood in for by one with any answer, which stays once the fields of the binding have
// stood still for as many clocks as the emitted one takes.
module extent (
    input wire clk,
    input wire [26:0] first_line,
    input wire [3:0] width_log2,
    input wire [3:0] height_log2,
    input wire kind_is_rgb,
    input wire kind_is_indexed,
    output wire is_past
);
    localparam CLOCKS = 3'd4;
    (* anyseq *) reg answer;
    assign is_past = answer;
    wire [36:0] fields_now = {first_line, width_log2, height_log2, kind_is_rgb, kind_is_indexed};
    reg [36:0] fields;
    reg [2:0] stood = 3'd0;
    reg before;
    always @(posedge clk) begin
        fields <= fields_now;
        before <= answer;
        stood <= stood == 3'd0 || fields != fields_now ? 3'd1 : stood + (stood <= CLOCKS);
    end
    always @* if (stood > CLOCKS) assume (answer == before);
endmodule

// Pixels that have an item, of a quad of two beats: the valid ones, and beside one that is alone its neighbour; without any the
// first two.
module turns_of_quad (
    input wire [3:0] valid,
    output wire [3:0] turns
);
    wire [3:0] beside = {valid[2], valid[3], valid[0], valid[1]};
    wire is_alone = (valid & (valid - 4'd1)) == 4'd0;
    assign turns = valid == 4'd0 ? 4'h3 : is_alone ? valid | beside : valid;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire beat_valid,
    input wire [`BEAT+9:0] beat_data,
    input wire advance
);
    wire beat_ready, out_valid, packet_dropped, quad_enters;
    wire [`SLOT-1:0] out_item;
    wire [255:0] quad;
    wire [3:0] valid_pixels;
    wire [`COUNT-1:0] pixels_leave;
    request dut (
        .clk(clk), .rst(rst), .beat_valid(beat_valid), .beat_ready(beat_ready), .beat_data(beat_data), .advance(advance),
        .out_valid(out_valid), .out_item(out_item), .quad(quad), .valid_pixels(valid_pixels), .packet_dropped(packet_dropped),
        .quad_enters(quad_enters), .pixels_leave(pixels_leave)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Packets: one beat of a binding, or so many of a quad that its pixels are there.
    wire moves = beat_valid && beat_ready && !rst;
    wire is_last = beat_data[`BEAT+9];
    wire is_binding_beat = beat_data[`BEAT+8];
    wire [3:0] beat_pixels = beat_data[`BEAT+3:`BEAT];
    reg [1:0] beats = 2'd0;
    reg first_is_binding;
    always @(posedge clk) begin
        if (rst) beats <= 2'd0;
        else if (moves) beats <= is_last ? 2'd0 : beats + (beats != 2'd2);
        if (moves && beats == 2'd0) first_is_binding <= is_binding_beat;
    end
    wire is_binding_packet = beats == 2'd0 ? is_binding_beat : first_is_binding;
`ifdef QUADS
    wire is_right = beats == 2'd0;
    wire [255:0] whole = beat_data[255:0];
`else
    wire is_right = is_binding_packet ? beats == 2'd0 : beats == 2'd1;
    reg [127:0] first_beat;
    always @(posedge clk) if (moves) first_beat <= beat_data[127:0];
    wire [255:0] whole = {beat_data[127:0], first_beat};
`endif
    wire is_wrong_end = moves && is_last && !is_right;
    reg was_wrong_end = 1'b0;
    always @(posedge clk) was_wrong_end <= is_wrong_end;
    always @* dropped_whole: assert (packet_dropped == was_wrong_end);

    // What comes out: a binding, and the last item of a quad.
    wire is_binding = out_item[0];
    wire is_table = out_item[1];
    wire is_quad = !is_binding && !is_table;
`ifdef QUADS
    wire [255:0] own_pixels = out_item[261:6];
    wire [1:0] binding_mark = quad[5:4];
    wire [3:0] own_valid = out_item[5:2];
    wire ends = 1'b1;
    wire begins = 1'b1;
`else
    wire [1:0] pixel = out_item[3:2];
    wire [1:0] binding_mark = quad[133:132];
    wire [255:0] own_pixel = quad >> {pixel, 6'd0};
    wire [3:0] pixel_mask = 4'd1 << pixel;
    wire [3:0] own_valid = {3'd0, out_item[5]};
    wire ends = out_item[4];
    reg [3:0] gone = 4'd0;
    wire begins = gone == 4'd0;
    always @(posedge clk)
        if (rst) gone <= 4'd0;
        else if (out_valid && advance) gone <= ends ? 4'd0 : gone | pixel_mask;
`endif
    offer_stays #(.WIDTH(`SLOT + 260)) offer (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(advance), .data({out_item, quad, valid_pixels})
    );
    wire taken = moves && is_last && is_right;
    wire [1:0] in_mark = is_binding_packet ? beat_data[5:4] : whole[193:192];
    wire counts = out_valid && (is_binding || (is_quad && ends));
    wire [1:0] out_mark = is_binding ? binding_mark : quad[193:192];
    always @* if (taken && is_binding_packet && beat_data[45]) assume (in_mark == 2'd0);
    wire [1:0] sent, seen;
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(taken), .in_mark(in_mark),
        .out_clk(clk), .out_clear(rst), .offered(counts), .given(counts && advance), .out_mark(out_mark),
        .marks_sent(sent), .marks_seen(seen)
    );

    // The first marked packet, if it is a quad.
    (* anyconst *) reg [259:0] watched;
    (* anyconst *) reg watches_quad;
    always @* if (taken && in_mark == 2'd1) begin
        assume (is_binding_packet == !watches_quad);
        if (watches_quad) assume ({beat_pixels, whole} == watched);
    end
    always @* if (out_valid) begin
        right_pixels: assert (!(is_quad && out_mark == 2'd1 && watches_quad)
            || (quad == watched[255:0] && valid_pixels == watched[259:256]));
`ifdef QUADS
        dealt_out: assert (own_pixels == quad && (!is_quad || out_item[5:2] == valid_pixels));
`else
        dealt_out: assert (out_item[69:6] == own_pixel[63:0] && (!is_quad || out_item[5] == ((valid_pixels & pixel_mask) != 4'd0)));
`endif
    end

    // The items of a quad come in order, and end with its last valid pixel; two come at least, and where there are two valid
    // pixels no other. A binding has one, and a table's entries come 256 in a row.
`ifndef QUADS
    wire has_two = (valid_pixels & (valid_pixels - 4'd1)) != 4'd0;
    wire all_gone = (valid_pixels & ~(gone | pixel_mask)) == 4'd0;
    always @* if (out_valid) begin
        in_turn: assert (is_binding ? gone == 4'd0 : (gone >> pixel) == 4'd0);
        only_valid: assert (!is_quad || !has_two || own_valid[0]);
        ends_in_time: assert (ends == (is_binding || (is_table ? pixel == 2'd3 : gone != 4'd0 && (all_gone || !has_two))));
        all_come: assert (!(is_quad && ends) || all_gone);
    end
`endif
    reg [7:0] entries = 8'd0;
    always @(posedge clk) entries <= rst ? 8'd0 : entries + (out_valid && advance && is_table);
    always @* if (out_valid) begin
        whole_table: assert (is_table || entries == 8'd0);
        one_kind: assert (!(is_binding && is_table));
    end

    // Counted when it begins.
    reg is_fresh = 1'b1;
    always @(posedge clk) is_fresh <= rst || !out_valid || advance;
    wire enters = out_valid && is_quad && begins && is_fresh && started;
    reg entered_before = 1'b0;
    reg [2:0] left_before = 3'd0;
    always @(posedge clk) begin
        entered_before <= quad_enters && !rst;
        left_before <= rst || !out_valid || !advance || !is_quad ? 3'd0
            : {2'd0, own_valid[0]} + {2'd0, own_valid[1]} + {2'd0, own_valid[2]} + {2'd0, own_valid[3]};
    end
    // For the induction: a packet stands in front of the items, or in them, or has gone.
    wire inner_skipping, inner_packet_full, inner_packet_is_binding, inner_is_checked, inner_is_judged, inner_has_table;
    wire [2:0] inner_is_measured;
    wire inner_in_table, inner_behind_table;
    wire [6:0] inner_rules;
    wire inner_extent_is_past;
    wire [2:0] inner_extent_stood;
    wire [36:0] inner_extent_fields;
    wire [2:0] measured = inner_is_checked + inner_is_measured[0] + inner_is_measured[1] + inner_is_measured[2] + inner_is_judged;
    wire [5:0] inner_broken;
    wire [6:0] broken = {1'b0, inner_broken[5], inner_broken[4], inner_broken[3], inner_broken[2], inner_broken[1], inner_broken[0]};
    wire [259:0] inner_packet;
    wire [26:0] inner_line_behind;
`ifdef QUADS
    wire [7:0] inner_table_row;
    wire [63:0] raw = inner_packet[63:0];
    wire [1:0] pixel = 2'd0;
    wire [7:0] rows_gone = inner_table_row - 8'd1;
    always @* packets_known: assert (inner_skipping == (beats != 2'd0));
`else
    wire [5:0] inner_table_row;
    wire [63:0] raw = inner_packet[191:128];
    wire inner_has_half;
    wire [127:0] inner_half;
    wire [3:0] inner_turn_due;
    wire [2:0] inner_turn_left;
    wire [3:0] due, turns;
    turns_of_quad of_packet (.valid(inner_packet[259:256]), .turns(due));
    turns_of_quad of_items (.valid(valid_pixels), .turns(turns));
    wire [3:0] own_turns = is_table ? 4'hf : is_binding ? 4'h4 : turns;
    wire [3:0] below = pixel_mask - 4'd1;
    wire [7:0] rows_gone = {inner_table_row - 6'd1, pixel};
    always @* begin
        packets_known: assert (inner_has_half == (beats == 2'd1 && !first_is_binding)
            && inner_skipping == (beats == 2'd2 || (beats == 2'd1 && first_is_binding)));
        half_kept: assert (!inner_has_half || inner_half == first_beat);
        due_of_packet: assert (!inner_packet_full || inner_turn_due == (inner_packet_is_binding ? 4'h4 : due));
        turns_in_order: assert (out_valid ? (own_turns & pixel_mask) != 4'd0 && gone == (own_turns & below)
            && {inner_turn_left, 1'b0} == (own_turns & ~below & ~pixel_mask) && ends == (inner_turn_left == 3'd0) : begins);
    end
`endif
    always @* few_beats: assert (beats != 2'd3);
    wire [1:0] standing = !inner_packet_full ? 2'd0 : inner_packet_is_binding ? raw[5:4] : inner_packet[193:192];
    wire [1:0] dealt = out_valid && !is_table ? out_mark : 2'd0;
    wire table_stands = inner_packet_full && inner_packet_is_binding && raw[45];
    wire has_dealt = dealt != 2'd0;
    always @* begin
        marks_in_order: assert (sent == seen + has_dealt + (standing != 2'd0) && (!has_dealt || dealt == seen + 2'd1)
            && (standing == 2'd0 || standing == seen + has_dealt + 2'd1) && sent != 2'd3 && seen <= sent);
        table_has_no_mark: assert (!table_stands || raw[5:4] == 2'd0);
        judged_stands: assert ((!inner_is_checked || (inner_packet_full && inner_packet_is_binding))
            && (!inner_is_judged || inner_is_measured[2]) && (!inner_is_measured[2] || inner_is_measured[1])
            && (!inner_is_measured[1] || inner_is_measured[0]) && (!inner_is_measured[0] || inner_is_checked));
        judged_is_known: assert (!inner_is_checked || ((!inner_has_table || raw[45]) && inner_rules == broken
            && inner_line_behind[1:0] == raw[5:4]));
        has_table_if_good: assert (!inner_is_judged || inner_has_table == (raw[45] && inner_rules == 7'd0
            && !inner_extent_is_past));
        extent_stands: assert (!inner_is_checked || (inner_extent_stood >= measured
            && inner_extent_fields == {raw[30:4], raw[35:32], raw[39:36], raw[44], raw[45]}));
        table_is_judged: assert (!(inner_in_table || inner_behind_table)
            || (inner_is_judged && inner_has_table && table_stands));
        in_or_behind: assert (!(inner_in_table && inner_behind_table));
        rows_counted: assert (out_valid && is_table ? entries == rows_gone && (inner_in_table || inner_table_row == 0)
            : entries == 8'd0 && inner_table_row == 0);
        entries_of_a_table: assert (!(out_valid && is_table) || inner_in_table || inner_behind_table);
        watched_stands: assert (standing != 2'd1 || (inner_packet_is_binding == !watches_quad
            && (inner_packet_is_binding || inner_packet == watched)));
    end
    always @* begin
        counted_once: assert (quad_enters == enters);
        pixels_counted: assert (pixels_leave == left_before[`COUNT-1:0]);
`ifndef QUADS
        counted_apart: assert (!quad_enters || !entered_before);
`endif
        drop: cover (packet_dropped);
        entry: cover (out_valid && is_table);
`ifndef QUADS
        alone: cover (out_valid && is_quad && valid_pixels == 4'h8 && ends);
        all_four: cover (out_valid && is_quad && valid_pixels == 4'hf && ends);
`endif
        binding: cover (counts && advance && is_binding && out_mark == 2'd1);
    end
endmodule
