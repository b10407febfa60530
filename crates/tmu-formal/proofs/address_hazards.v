// How the tiles of an item are marked, for `lookup`.
//
// `tag_stage` takes for granted what `item_marks` of `rules.v` says. Here the same is proved of what `address` gives, for any
// spans, which need not be those of real textures. Products are taken to be anything, at any time: whichever lines come
// out, the marks are about those lines.
module multiplier_u9_u12 (
    input wire clk,
    input wire enable,
    input wire [8:0] a,
    input wire [11:0] b,
    output wire [20:0] product
);
    (* anyseq *) reg [20:0] anything;
    assign product = anything;
endmodule

module dual_multiplier_u9_u3 (
    input wire clk,
    input wire enable,
    input wire [8:0] a0,
    input wire [8:0] a1,
    input wire [2:0] b,
    output wire [11:0] p0,
    output wire [11:0] p1
);
    (* anyseq *) reg [11:0] anything_0;
    assign p0 = anything_0;
    (* anyseq *) reg [11:0] anything_1;
    assign p1 = anything_1;
endmodule

// One bank: the marks of its items, and for the induction what the stage has found out so far of those behind.
module marked_bank (
    input wire clk,
    input wire rst,
    input wire advance,
    input wire goes,
    input wire drops,
    // What is given: the item of the seventh place.
    input wire same_tile,
    input wire [3:0] waits,
    input wire [34:0] own,
    // The places behind it, the nearest first, and those that have gone before it.
    input wire [8:4] used_places,
    input wire [34:0] next,
    input wire [5:0] next_set_3,
    input wire [5:0] gone_set_6,
    input wire [6:4] drops_places,
    // What the stage keeps.
    input wire [7:0] meets,
    // The item of the sixth place meets those of so many moves before, the nearest first.
    input wire [3:0] near,
    input wire last_valid,
    input wire [34:0] last,
    input wire [12:0] same_parts,
    output wire is_repeat
);
    wire [4:1] used_before;
    wire [23:0] sets_before;
    wire has_last;
    wire [28:0] last_key;
    wire [5:0] last_set;
    item_marks #(.KEY(29), .SET(6), .PROVED(1)) marks (
        .clk(clk), .rst(rst), .accepted(goes), .same_tile(same_tile), .key(own[28:0]), .set(own[34:29]),
        .used_before(used_before), .sets_before(sets_before), .has_last(has_last), .last_key(last_key),
        .last_set(last_set)
    );

    // A binding that empties the cache makes every bank forget.
    reg since_drop = 1'b0;
    always @(posedge clk)
        if (rst || drops) since_drop <= 1'b0;
        else if (goes) since_drop <= 1'b1;
    always @* forgets_when_emptied: assert (!(goes && same_tile) || since_drop);

    // The items of the moves before, which the stage does not keep any more.
    reg used_9 = 1'b0;
    reg used_10 = 1'b0;
    reg [5:0] set_7, set_8, set_9;
    always @(posedge clk)
        if (rst) {used_9, used_10} <= 2'd0;
        else if (advance) begin
            {used_9, used_10} <= {used_places[8], used_9};
            {set_7, set_8, set_9} <= {gone_set_6, set_7, set_8};
        end
    wire [5:0] set_4 = next[34:29];
    wire [5:0] set_5 = own[34:29];
    function [1:0] halves(input [5:0] of, input [5:0] with);
        halves = {of[5:3] == with[5:3], of[2:0] == with[2:0]};
    endfunction
    wire [3:0] met = {used_before[4] && sets_before[23:18] == set_5, used_before[3] && sets_before[17:12] == set_5,
        used_before[2] && sets_before[11:6] == set_5, used_before[1] && sets_before[5:0] == set_5};
    wire [3:0] gone_used = {used_10, used_9, used_places[8], used_places[7]};
    // Slots of so many clocks before are among those of so many moves.
    wire [3:0] is_set_0 = {set_9 == sets_before[5:0], set_8 == sets_before[5:0], set_7 == sets_before[5:0],
        gone_set_6 == sets_before[5:0]};
    wire [3:0] is_set_1 = {set_9 == sets_before[11:6], set_8 == sets_before[11:6], set_7 == sets_before[11:6],
        gone_set_6 == sets_before[11:6]};
    wire [3:0] is_set_2 = {set_9 == sets_before[17:12], set_8 == sets_before[17:12], set_7 == sets_before[17:12],
        gone_set_6 == sets_before[17:12]};
    wire [3:0] is_set_3 = {set_9 == sets_before[23:18], set_8 == sets_before[23:18], set_7 == sets_before[23:18],
        gone_set_6 == sets_before[23:18]};
    wire [34:0] before = {last_set, last_key};
    always @* begin
        clocks_are_moves: assert ((!used_before[1] || (is_set_0 & gone_used & 4'h1) != 4'd0)
            && (!used_before[2] || (is_set_1 & gone_used & 4'h3) != 4'd0)
            && (!used_before[3] || (is_set_2 & gone_used & 4'h7) != 4'd0)
            && (!used_before[4] || (is_set_3 & gone_used) != 4'd0));
        meets_kept: assert (!used_places[4] || meets == {halves(next_set_3, set_4), halves(next_set_3, set_5),
            halves(next_set_3, gone_set_6), halves(next_set_3, set_7)});
        near_kept: assert (!used_places[5] || near == {used_9 && set_8 == set_4, used_places[8] && set_7 == set_4,
            used_places[7] && gone_set_6 == set_4, used_places[6] && set_5 == set_4});
        // Who has met an item of so many clocks before waits for the rest of five.
        rest_is_waited: assert (!used_places[6] || same_tile || ((!met[0] || waits[3]) && (!met[1] || waits[3:2] != 2'd0)
            && (!met[2] || waits[3:1] != 3'd0) && (!met[3] || waits != 4'd0)));
        last_kept: assert (!last_valid
            || (used_places[5] ? last == next : used_places[6] ? last == own : has_last && last == before));
        same_kept: assert (!(used_places[5] && (&same_parts))
            || (used_places[6] ? next == own : has_last && next == before));
        repeats_kept: assert (!(used_places[6] && same_tile) || (has_last && own == before));
        emptied_last: assert (!last_valid || used_places[5] || (!drops_places[5] && (used_places[6]
            || (!drops_places[6] && since_drop))));
        emptied_same: assert (!(used_places[5] && (&same_parts)) || used_places[6] || (!drops_places[6] && since_drop));
        emptied_repeat: assert (!(used_places[6] && same_tile) || since_drop);
    end
    assign is_repeat = goes && same_tile;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire advance,
    input wire in_valid,
    input wire [`SPAN-1:0] in_tiles,
    input wire invalidating
);
    wire tiles_valid, tiles_invalidates;
    wire [3:0] tiles_waits;
    wire [3:0] tiles_needed, tiles_same_tile;
    wire [107:0] lines;
    wire [23:0] sets;
    wire [1:0] tiles_kind;
    address dut (
        .clk(clk), .rst(rst), .advance(advance), .in_valid(in_valid), .in_tiles(in_tiles), .invalidating(invalidating),
        .tiles_valid(tiles_valid), .tiles_invalidates(tiles_invalidates), .tiles_needed(tiles_needed), .tiles_same_tile(tiles_same_tile),
        .tiles_waits(tiles_waits), .tiles_line(lines), .tiles_set(sets), .tiles_kind(tiles_kind)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Proved of `tag_stage`.
    always @* assume (tiles_waits == 4'd0 || !advance);

    // What `span` says: no tile is used but by an item, a binding uses none, and only a binding begins another texture.
    always @* begin
        assume (in_tiles[40:37] == 4'd0 || (in_valid && !in_tiles[0]));
    end

    wire inner_waiting_factors, inner_waiting_level, inner_waiting_row, inner_waiting_tile;
    wire inner_waiting_compare, inner_waiting_mark, inner_waiting_exit, inner_invalidates_factors;
    wire inner_invalidates_level, inner_invalidates_row, inner_invalidates_tile, inner_invalidates_compare, inner_invalidates_mark;
    wire inner_invalidates_exit;
    wire [1:0] inner_kind_mark;
    wire [3:0] inner_needed_factors, inner_needed_level, inner_needed_row, inner_needed_tile, inner_needed_compare;
    wire [3:0] inner_needed_mark, inner_needed_exit, inner_needed_exit_plus1, inner_needed_exit_plus2;
    wire [3:0] inner_set_hazards_0_mark, inner_set_hazards_1_mark, inner_set_hazards_2_mark, inner_set_hazards_3_mark;
    wire [3:0] inner_last_valid;
    wire [5:0] inner_set_0_compare, inner_set_0_mark, inner_set_0_exit, inner_set_0_exit_plus1;
    wire [5:0] inner_set_1_compare, inner_set_1_mark, inner_set_1_exit, inner_set_1_exit_plus1;
    wire [5:0] inner_set_2_compare, inner_set_2_mark, inner_set_2_exit, inner_set_2_exit_plus1;
    wire [5:0] inner_set_3_compare, inner_set_3_mark, inner_set_3_exit, inner_set_3_exit_plus1;
    wire [1:0] inner_same_sets_0_0_compare, inner_same_sets_1_0_compare, inner_same_sets_2_0_compare, inner_same_sets_3_0_compare;
    wire [1:0] inner_same_sets_0_1_compare, inner_same_sets_1_1_compare, inner_same_sets_2_1_compare, inner_same_sets_3_1_compare;
    wire [1:0] inner_same_sets_0_2_compare, inner_same_sets_1_2_compare, inner_same_sets_2_2_compare, inner_same_sets_3_2_compare;
    wire [1:0] inner_same_sets_0_3_compare, inner_same_sets_1_3_compare, inner_same_sets_2_3_compare, inner_same_sets_3_3_compare;
    wire [12:0] inner_same_parts_0_mark, inner_same_parts_1_mark, inner_same_parts_2_mark, inner_same_parts_3_mark;
    wire [26:0] inner_line_0_mark, inner_line_1_mark, inner_line_2_mark, inner_line_3_mark;
    wire [4*35-1:0] inner_last;
    wire [34:0] last_0, last_1, last_2, last_3;
    assign {last_3, last_2, last_1, last_0} = inner_last;
    wire goes = tiles_valid && advance && !rst;
    wire [3:0] is_repeat;

    marked_bank bank_0 (
        .clk(clk), .rst(rst), .advance(advance), .goes(goes && tiles_needed[0]), .drops(tiles_invalidates && advance),
        .same_tile(tiles_same_tile[0]), .waits(tiles_waits),
        .own({sets[5:0], tiles_kind, lines[26:0]}),
        .used_places({inner_needed_exit_plus2[0], inner_needed_exit_plus1[0], inner_needed_exit[0],
            inner_needed_mark[0], inner_needed_compare[0]}),
        .next({inner_set_0_mark, inner_kind_mark, inner_line_0_mark}),
        .next_set_3(inner_set_0_compare), .gone_set_6(inner_set_0_exit_plus1),
        .drops_places({inner_invalidates_exit, inner_invalidates_mark, inner_invalidates_compare}), .meets({inner_same_sets_0_0_compare, inner_same_sets_1_0_compare, inner_same_sets_2_0_compare, inner_same_sets_3_0_compare}),
        .near({inner_set_hazards_3_mark[0], inner_set_hazards_2_mark[0], inner_set_hazards_1_mark[0],
            inner_set_hazards_0_mark[0]}), .last_valid(inner_last_valid[0]),
        .last({last_0[34:29], last_0[1:0], last_0[28:2]}), .same_parts(inner_same_parts_0_mark),
        .is_repeat(is_repeat[0])
    );
    marked_bank bank_1 (
        .clk(clk), .rst(rst), .advance(advance), .goes(goes && tiles_needed[1]), .drops(tiles_invalidates && advance),
        .same_tile(tiles_same_tile[1]), .waits(tiles_waits),
        .own({sets[11:6], tiles_kind, lines[53:27]}),
        .used_places({inner_needed_exit_plus2[1], inner_needed_exit_plus1[1], inner_needed_exit[1],
            inner_needed_mark[1], inner_needed_compare[1]}),
        .next({inner_set_1_mark, inner_kind_mark, inner_line_1_mark}),
        .next_set_3(inner_set_1_compare), .gone_set_6(inner_set_1_exit_plus1),
        .drops_places({inner_invalidates_exit, inner_invalidates_mark, inner_invalidates_compare}), .meets({inner_same_sets_0_1_compare, inner_same_sets_1_1_compare, inner_same_sets_2_1_compare, inner_same_sets_3_1_compare}),
        .near({inner_set_hazards_3_mark[1], inner_set_hazards_2_mark[1], inner_set_hazards_1_mark[1],
            inner_set_hazards_0_mark[1]}), .last_valid(inner_last_valid[1]),
        .last({last_1[34:29], last_1[1:0], last_1[28:2]}), .same_parts(inner_same_parts_1_mark),
        .is_repeat(is_repeat[1])
    );
    marked_bank bank_2 (
        .clk(clk), .rst(rst), .advance(advance), .goes(goes && tiles_needed[2]), .drops(tiles_invalidates && advance),
        .same_tile(tiles_same_tile[2]), .waits(tiles_waits),
        .own({sets[17:12], tiles_kind, lines[80:54]}),
        .used_places({inner_needed_exit_plus2[2], inner_needed_exit_plus1[2], inner_needed_exit[2],
            inner_needed_mark[2], inner_needed_compare[2]}),
        .next({inner_set_2_mark, inner_kind_mark, inner_line_2_mark}),
        .next_set_3(inner_set_2_compare), .gone_set_6(inner_set_2_exit_plus1),
        .drops_places({inner_invalidates_exit, inner_invalidates_mark, inner_invalidates_compare}), .meets({inner_same_sets_0_2_compare, inner_same_sets_1_2_compare, inner_same_sets_2_2_compare, inner_same_sets_3_2_compare}),
        .near({inner_set_hazards_3_mark[2], inner_set_hazards_2_mark[2], inner_set_hazards_1_mark[2],
            inner_set_hazards_0_mark[2]}), .last_valid(inner_last_valid[2]),
        .last({last_2[34:29], last_2[1:0], last_2[28:2]}), .same_parts(inner_same_parts_2_mark),
        .is_repeat(is_repeat[2])
    );
    marked_bank bank_3 (
        .clk(clk), .rst(rst), .advance(advance), .goes(goes && tiles_needed[3]), .drops(tiles_invalidates && advance),
        .same_tile(tiles_same_tile[3]), .waits(tiles_waits),
        .own({sets[23:18], tiles_kind, lines[107:81]}),
        .used_places({inner_needed_exit_plus2[3], inner_needed_exit_plus1[3], inner_needed_exit[3],
            inner_needed_mark[3], inner_needed_compare[3]}),
        .next({inner_set_3_mark, inner_kind_mark, inner_line_3_mark}),
        .next_set_3(inner_set_3_compare), .gone_set_6(inner_set_3_exit_plus1),
        .drops_places({inner_invalidates_exit, inner_invalidates_mark, inner_invalidates_compare}), .meets({inner_same_sets_0_3_compare, inner_same_sets_1_3_compare, inner_same_sets_2_3_compare, inner_same_sets_3_3_compare}),
        .near({inner_set_hazards_3_mark[3], inner_set_hazards_2_mark[3], inner_set_hazards_1_mark[3],
            inner_set_hazards_0_mark[3]}), .last_valid(inner_last_valid[3]),
        .last({last_3[34:29], last_3[1:0], last_3[28:2]}), .same_parts(inner_same_parts_3_mark),
        .is_repeat(is_repeat[3])
    );

    // For the induction: what is used belongs to an item, and a binding that empties the cache is none.
    wire [6:0] waiting = {inner_waiting_exit, inner_waiting_mark, inner_waiting_compare, inner_waiting_tile,
        inner_waiting_row, inner_waiting_level, inner_waiting_factors};
    wire [6:0] used = {|inner_needed_exit, |inner_needed_mark, |inner_needed_compare, |inner_needed_tile,
        |inner_needed_row, |inner_needed_level, |inner_needed_factors};
    wire [6:0] dropping_places = {inner_invalidates_exit, inner_invalidates_mark, inner_invalidates_compare, inner_invalidates_tile,
        inner_invalidates_row, inner_invalidates_level, inner_invalidates_factors};
    always @* used_by_items: assert ((used & ~waiting) == 7'd0 && (used & dropping_places) == 7'd0);
    always @* begin
        repeat: cover (is_repeat == 4'hf);
        waits: cover (tiles_valid && tiles_waits[3] && tiles_needed == 4'hf && tiles_same_tile == 4'he);
        far: cover (goes && tiles_needed == 4'hf && tiles_same_tile == 4'd0);
    end
endmodule
