// The stage that puts packets together and deals them out in slots.
//
// Two packets are marked, quads or bindings, as in `in_order`. A quad's mark stands in its last pixel; a binding's in the lowest
// bits of the line that it begins with, on which nothing depends here. A binding with a colour table comes out twice, in
// front of the table's entries and behind them, so it is not marked.
module proof (
    input wire clk,
    input wire rst,
    input wire beat_valid,
    input wire [`BEAT+9:0] beat_data,
    input wire advance
);
    wire beat_ready, active, packet_dropped, quad_enters;
    wire [`SLOT-1:0] slot;
    wire [255:0] quad;
    wire [3:0] valid_pixels;
    wire [2:0] pixels_enter;
    request dut (
        .clk(clk), .rst(rst), .beat_valid(beat_valid), .beat_ready(beat_ready), .beat_data(beat_data), .advance(advance),
        .active(active), .slot(slot), .quad(quad), .valid_pixels(valid_pixels), .packet_dropped(packet_dropped),
        .quad_enters(quad_enters), .pixels_enter(pixels_enter)
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

    // What comes out: the carrier of a binding, and the last pixel of a quad.
    wire is_binding = slot[0];
    wire is_table = slot[1];
    wire is_quad = !is_binding && !is_table;
`ifdef QUADS
    wire [255:0] own_pixels = slot[261:6];
    wire [1:0] binding_mark = slot[11:10];
    wire ends = 1'b1;
    wire carries = 1'b1;
    wire begins = 1'b1;
`else
    wire [1:0] number = slot[3:2];
    wire [1:0] binding_mark = slot[10:9];
    wire ends = number == 2'd3;
    wire carries = number == 2'd2;
    wire begins = number == 2'd0;
`endif
    offer_stays #(.WIDTH(`SLOT + 260)) offer (
        .clk(clk), .rst(rst), .valid(active), .ready(advance), .data({slot, quad, valid_pixels})
    );
    wire taken = moves && is_last && is_right;
    wire [1:0] in_mark = is_binding_packet ? beat_data[5:4] : whole[193:192];
    wire counts = active && (is_binding ? carries : is_quad && ends);
    wire [1:0] out_mark = is_binding ? binding_mark : quad[193:192];
    always @* if (taken && is_binding_packet && beat_data[45]) assume (in_mark == 2'd0);
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(taken), .in_mark(in_mark),
        .out_clk(clk), .out_clear(rst), .offered(counts), .given(counts && advance), .out_mark(out_mark)
    );

    // The first marked packet, if it is a quad.
    (* anyconst *) reg [259:0] watched;
    (* anyconst *) reg watches_quad;
    always @* if (taken && in_mark == 2'd1) begin
        assume (is_binding_packet == !watches_quad);
        if (watches_quad) assume ({beat_pixels, whole} == watched);
    end
    always @* if (active && is_quad && out_mark == 2'd1 && watches_quad) begin
        right_pixels: assert (quad == watched[255:0] && valid_pixels == watched[259:256]);
`ifdef QUADS
        dealt_out: assert (own_pixels == watched[255:0] && slot[5:2] == watched[259:256]);
`else
        dealt_out: assert (slot[68:5] == watched[64 * number +: 64] && slot[4] == watched[256 + number]);
`endif
    end

    // Slots come four by four, and a table's entries 256 in a row.
`ifndef QUADS
    reg [1:0] turn = 2'd0;
    always @(posedge clk) turn <= rst ? 2'd0 : turn + (active && advance);
    always @* if (active) in_turn: assert (number == turn);
`endif
    reg [7:0] entries = 8'd0;
    always @(posedge clk) entries <= rst ? 8'd0 : entries + (active && advance && is_table);
    always @* if (active) begin
        whole_table: assert (is_table || entries == 8'd0);
        one_kind: assert (!(is_binding && is_table));
    end

    // Counted when it begins.
    reg is_fresh = 1'b1;
    always @(posedge clk) is_fresh <= rst || !active || advance;
    wire enters = active && is_quad && begins && is_fresh && started;
    reg [1:0] since = 2'd0;
    always @(posedge clk) since <= rst ? 2'd0 : quad_enters ? 2'd3 : since - (since != 2'd0);
    always @* begin
        counted_once: assert (quad_enters == enters);
        pixels_counted: assert (pixels_enter == (enters ? valid_pixels[0] + valid_pixels[1] + valid_pixels[2]
            + valid_pixels[3] : 3'd0));
`ifndef QUADS
        counted_apart: assert (!quad_enters || since == 2'd0);
`endif
        drop: cover (packet_dropped);
        entry: cover (active && is_table);
        quad_behind_binding: cover (counts && advance && is_quad && out_mark == 2'd2 && !watches_quad);
    end
endmodule
