// The stage that finds out whether the pixels of a quad go together, and deals them out if not.
//
// Two quads are marked, as in `in_order`; the first of them is any quad, of a colour table, a binding or pixels. What a
// item brings is compared with what that quad needs, worked out here from its texels, not by parity.

// What one coordinate of a pixel needs: its first texel, and the second one where it has weight.
module wanted (
    input wire [10:0] first,
    input wire [10:0] second,
    input wire needs_second,
    input wire [7:0] weight,
    // By parity, the odd one above: a tile is needed, and which.
    output wire [1:0] needed,
    output wire [8:0] even_tile,
    output wire [8:0] odd_tile,
    // By the lowest two bits: a texel is needed there, in a tile of this parity.
    output wire [3:0] even_places,
    output wire [3:0] odd_places,
    output wire [8:0] odd_weight
);
    wire first_odd = first[2];
    wire second_odd = needs_second && second[2];
    wire second_even = needs_second && !second[2];
    assign needed = {first_odd || second_odd, !first_odd || second_even};
    assign even_tile = first_odd ? second[10:2] : first[10:2];
    assign odd_tile = first_odd ? first[10:2] : second[10:2];
    assign odd_places = ({3'd0, first_odd} << first[1:0]) | ({3'd0, second_odd} << second[1:0]);
    assign even_places = ({3'd0, !first_odd} << first[1:0]) | ({3'd0, second_even} << second[1:0]);
    // The odd texel has the weight of all taps that fall on it.
    wire [8:0] second_weight = needs_second ? {1'b0, weight} : 9'd0;
    assign odd_weight = (first[0] ? 9'd256 - second_weight : 9'd0) + (second[0] ? second_weight : 9'd0);
endmodule

// Four pixels along one axis: whether their tiles and places let them go together.
module agreement (
    input wire [3:0] reads,
    input wire [7:0] needed,
    input wire [35:0] even_tiles,
    input wire [35:0] odd_tiles,
    input wire [15:0] even_places,
    input wire [15:0] odd_places,
    output wire same_tiles,
    output wire no_clash,
    output wire [3:0] all_even,
    output wire [3:0] all_odd
);
    wire [3:0] evens = reads & {needed[6], needed[4], needed[2], needed[0]};
    wire [3:0] odds = reads & {needed[7], needed[5], needed[3], needed[1]};
    function [3:0] gather(input [15:0] places, input [3:0] of);
        gather = (places[15:12] & {4{of[3]}}) | (places[11:8] & {4{of[2]}}) | (places[7:4] & {4{of[1]}})
            | (places[3:0] & {4{of[0]}});
    endfunction
    function alike(input [35:0] tiles, input [3:0] of);
        alike = !(of[0] && of[1] && tiles[8:0] != tiles[17:9]) && !(of[0] && of[2] && tiles[8:0] != tiles[26:18])
            && !(of[0] && of[3] && tiles[8:0] != tiles[35:27]) && !(of[1] && of[2] && tiles[17:9] != tiles[26:18])
            && !(of[1] && of[3] && tiles[17:9] != tiles[35:27]) && !(of[2] && of[3] && tiles[26:18] != tiles[35:27]);
    endfunction
    assign same_tiles = alike(even_tiles, evens) && alike(odd_tiles, odds);
    assign all_even = gather(even_places, reads);
    assign all_odd = gather(odd_places, reads);
    assign no_clash = (all_even & all_odd) == 4'd0;
endmodule

// A pixel that an item brings: its tiles, the places in them, its texels and weights.
module brought_pixel (
    input wire shows,
    input wire [10:0] x0,
    input wire [10:0] x1,
    input wire [10:0] y0,
    input wire [10:0] y1,
    input wire needs_x1,
    input wire needs_y1,
    input wire [8:0] weight_x,
    input wire [8:0] weight_y,
    input wire [21:0] tap,
    input wire [17:0] columns,
    input wire [17:0] rows,
    input wire [3:0] column_bit2,
    input wire [3:0] row_bit2
);
    function [8:0] tile(input [17:0] tiles, input is_odd);
        tile = is_odd ? tiles[17:9] : tiles[8:0];
    endfunction
    always @* if (shows) begin
        right_tiles: assert (tile(columns, x0[2]) == x0[10:2] && (!needs_x1 || tile(columns, x1[2]) == x1[10:2])
            && tile(rows, y0[2]) == y0[10:2] && (!needs_y1 || tile(rows, y1[2]) == y1[10:2]));
        right_places: assert (column_bit2[x0[1:0]] == x0[2] && (!needs_x1 || column_bit2[x1[1:0]] == x1[2])
            && row_bit2[y0[1:0]] == y0[2] && (!needs_y1 || row_bit2[y1[1:0]] == y1[2]));
        right_texels: assert (tap[{4'd0, x0[0]}] == x0[1] && (!needs_x1 || tap[{4'd0, x1[0]}] == x1[1])
            && tap[{4'd1, y0[0]}] == y0[1] && (!needs_y1 || tap[{4'd1, y1[0]}] == y1[1]));
        right_weights: assert (tap[12:4] == weight_x && tap[21:13] == weight_y);
    end
endmodule

`ifdef PIXEL
// With one pixel an item: the stage keeps nothing but which entry of a colour table comes next.
module proof (
    input wire clk,
    input wire rst,
    input wire advance,
    input wire in_valid,
    input wire [120:0] footprint
);
    wire upstream_advance, out_valid;
    wire [128:0] out_tiles;
    quad_scheduler dut (
        .clk(clk), .rst(rst), .advance(advance), .upstream_advance(upstream_advance), .in_valid(in_valid), .footprint(footprint), .out_valid(out_valid),
        .out_tiles(out_tiles)
    );
    always @* at_once: assert (out_valid == in_valid && upstream_advance == advance);
    // What stands still in front stands still behind.
    reg waits = 1'b0;
    reg [120:0] footprint_before;
    reg [128:0] left_before;
    always @(posedge clk) begin
        waits <= in_valid && !advance && !rst;
        footprint_before <= footprint;
        left_before <= out_tiles;
    end
    always @* if (waits && in_valid && footprint == footprint_before) data_holds: assert (out_tiles == left_before);

    // Entries of a colour table count from the binding.
    reg [7:0] entry = 8'd0;
    always @(posedge clk)
        if (rst || (in_valid && advance && footprint[0])) entry <= 8'd0;
        else if (in_valid && advance && footprint[1]) entry <= entry + 8'd1;
    wire is_table = footprint[1];
    always @* assume (!(footprint[0] && is_table));
    wire [10:0] x0 = is_table ? {5'd0, entry[7:4], entry[1:0]} : footprint[71:61];
    wire [10:0] x1 = is_table ? x0 : footprint[82:72];
    wire [10:0] y0 = is_table ? {9'd0, entry[3:2]} : footprint[93:83];
    wire [10:0] y1 = is_table ? y0 : footprint[104:94];
    wire needs_x1 = footprint[112:105] != 8'd0 && !is_table;
    wire needs_y1 = footprint[120:113] != 8'd0 && !is_table;
    always @* begin
        assume (x1 == x0 || (x1[0] != x0[0] && (x1[10:2] == x0[10:2] || x1[2] != x0[2])));
        assume (y1 == y0 || (y1[0] != y0[0] && (y1[10:2] == y0[10:2] || y1[2] != y0[2])));
    end
    wire [1:0] used_columns, used_rows;
    wire [8:0] weight_x, weight_y;
    wanted column (
        .first(x0), .second(x1), .needs_second(needs_x1), .weight(footprint[112:105]), .needed(used_columns),
        .odd_weight(weight_x)
    );
    wanted row (
        .first(y0), .second(y1), .needs_second(needs_y1), .weight(footprint[120:113]), .needed(used_rows),
        .odd_weight(weight_y)
    );
    wire reads = in_valid && (is_table || (footprint[5] && !footprint[6] && !footprint[0]));
    brought_pixel check (
        .shows(reads), .x0(x0), .x1(x1), .y0(y0), .y1(y1), .needs_x1(needs_x1), .needs_y1(needs_y1), .weight_x(weight_x),
        .weight_y(weight_y), .tap(out_tiles[128:107]), .columns(out_tiles[18:1]), .rows(out_tiles[36:19]),
        .column_bit2({2{out_tiles[96:95]}}), .row_bit2({2{out_tiles[98:97]}})
    );
    always @* begin
        asks_for_what_is_needed: assert (out_tiles[40:37]
            == ({used_columns & {2{used_rows[1]}}, used_columns & {2{used_rows[0]}}} & {4{reads}}));
        marks_kept: assert (out_tiles[0] == footprint[0] && out_tiles[94:41] == footprint[60:7]
            && out_tiles[106:101] == footprint[6:1]);
        used_by_items: assert (out_tiles[40:37] == 4'd0 || (out_valid && !out_tiles[0]));
        four_tiles: cover (out_tiles[40:37] == 4'hf);
        table_entry: cover (reads && is_table && entry == 8'd3);
    end
endmodule
`else
// A step of the stage with a marked quad in it, for the induction.
module standing_quad (
    input wire at,
    input wire second_at,
    input wire waiting,
    input wire [60:0] marks,
    input wire [60:0] expected
);
    always @* begin
        known_mark: assert (at == (waiting && marks[8:7] == 2'd1) && second_at == (waiting && marks[8:7] == 2'd2)
            && !(waiting && marks[8:7] == 2'd3));
        marks_move: assert (!at || marks == expected);
    end
endmodule

// A pixel of the watched quad in one of the steps, for the induction.
module sorted_pixel (
    input wire at,
    input wire [69:0] word,
    input wire [10:0] x0,
    input wire [10:0] x1,
    input wire [10:0] y0,
    input wire [10:0] y1,
    input wire needs_x1,
    input wire needs_y1,
    input wire [17:0] columns,
    input wire [17:0] rows,
    input wire [3:0] needed,
    input wire [7:0] odd_places,
    input wire [17:0] weights
);
    wire [3:0] bit1 = word[51:48];
    always @* if (at) begin
        sorted: assert (word[39:36] == needed && word[47:40] == odd_places && word[69:52] == weights);
        sorted_tiles: assert (word[35:0] == {rows, columns});
        sorted_texels: assert (bit1[{1'b0, x0[0]}] == x0[1] && (!needs_x1 || bit1[{1'b0, x1[0]}] == x1[1])
            && bit1[{1'b1, y0[0]}] == y0[1] && (!needs_y1 || bit1[{1'b1, y1[0]}] == y1[1]));
    end
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire advance,
    input wire in_valid,
    input wire [300:0] footprint
);
    wire upstream_advance, out_valid;
    wire [201:0] out_tiles;
    quad_scheduler dut (
        .clk(clk), .rst(rst), .advance(advance), .upstream_advance(upstream_advance), .in_valid(in_valid), .footprint(footprint), .out_valid(out_valid),
        .out_tiles(out_tiles)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // An item's offer stays until those behind move on; one quad after the other, each ended once.
    offer_stays #(.WIDTH(202)) offer (.clk(clk), .rst(rst), .valid(out_valid), .ready(advance), .data(out_tiles));
    wire taken = in_valid && upstream_advance && !rst;
    wire [1:0] in_mark = footprint[8:7];
    wire is_last = out_tiles[104];
    wire [1:0] out_mark = out_tiles[42:41];
    wire given = out_valid && advance && is_last;
    wire [1:0] sent, seen;
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(taken), .in_mark(in_mark),
        .out_clk(clk), .out_clear(rst), .offered(out_valid), .given(given), .out_mark(out_mark), .marks_sent(sent),
        .marks_seen(seen)
    );

    // The watched quad.
    (* anyconst *) reg [300:0] quad;
    wire is_watched = in_mark == 2'd1;
    always @* begin
        assume (quad[8:7] == 2'd1);
        if (in_valid && is_watched) assume (footprint == quad);
        assume (!(quad[0] && quad[1]));
        assume (!(in_valid && footprint[0] && footprint[1]));
    end
    // Entries of a colour table count from the binding.
    reg [7:0] entry = 8'd0;
    reg [7:0] quad_entry;
    always @(posedge clk) begin
        if (rst) entry <= 8'd0;
        else if (taken && footprint[0]) entry <= 8'd0;
        else if (taken && footprint[1]) entry <= entry + 8'd1;
        if (taken && is_watched) quad_entry <= entry;
    end
    wire is_table = quad[1];
    wire [3:0] reads = is_table ? 4'd1 : quad[5:2] & {4{!quad[6] && !quad[0]}};
    wire [10:0] table_column = {5'd0, quad_entry[7:4], quad_entry[1:0]};
    wire [10:0] table_row = {9'd0, quad_entry[3:2]};

    wire [7:0] used_columns, used_rows;
    wire [35:0] even_columns, odd_columns, even_rows, odd_rows;
    wire [15:0] even_column_places, odd_column_places, even_row_places, odd_row_places;
    wire [35:0] weights_x, weights_y;
    wire [43:0] first_columns, second_columns, first_rows, second_rows;
    wire [3:0] second_x, second_y;
    genvar lane;
    generate
        for (lane = 0; lane < 4; lane = lane + 1) begin : pixel
            wire [59:0] taps = quad[61 + 60 * lane +: 60];
            wire of_table = is_table && lane == 0;
            wire [10:0] x0 = of_table ? table_column : taps[10:0];
            wire [10:0] x1 = of_table ? table_column : taps[21:11];
            wire [10:0] y0 = of_table ? table_row : taps[32:22];
            wire [10:0] y1 = of_table ? table_row : taps[43:33];
            wire needs_x1 = taps[51:44] != 8'd0 && !is_table;
            wire needs_y1 = taps[59:52] != 8'd0 && !is_table;
            // A neighbour is the texel itself or of the other parity, in the same tile or in one of the other parity.
            always @* begin
                assume (x1 == x0 || (x1[0] != x0[0] && (x1[10:2] == x0[10:2] || x1[2] != x0[2])));
                assume (y1 == y0 || (y1[0] != y0[0] && (y1[10:2] == y0[10:2] || y1[2] != y0[2])));
            end
            wanted column (
                .first(x0), .second(x1), .needs_second(needs_x1), .weight(taps[51:44]), .needed(used_columns[2 * lane +: 2]),
                .even_tile(even_columns[9 * lane +: 9]), .odd_tile(odd_columns[9 * lane +: 9]),
                .even_places(even_column_places[4 * lane +: 4]), .odd_places(odd_column_places[4 * lane +: 4]),
                .odd_weight(weights_x[9 * lane +: 9])
            );
            wanted row (
                .first(y0), .second(y1), .needs_second(needs_y1), .weight(taps[59:52]), .needed(used_rows[2 * lane +: 2]),
                .even_tile(even_rows[9 * lane +: 9]), .odd_tile(odd_rows[9 * lane +: 9]),
                .even_places(even_row_places[4 * lane +: 4]), .odd_places(odd_row_places[4 * lane +: 4]),
                .odd_weight(weights_y[9 * lane +: 9])
            );
            assign first_columns[11 * lane +: 11] = x0;
            assign second_columns[11 * lane +: 11] = x1;
            assign first_rows[11 * lane +: 11] = y0;
            assign second_rows[11 * lane +: 11] = y1;
            assign second_x[lane] = needs_x1;
            assign second_y[lane] = needs_y1;
        end
    endgenerate
    wire same_columns, same_rows, free_columns, free_rows;
    wire [3:0] all_even_columns, all_odd_columns, all_even_rows, all_odd_rows;
    agreement columns (
        .reads(reads), .needed(used_columns), .even_tiles(even_columns), .odd_tiles(odd_columns),
        .even_places(even_column_places), .odd_places(odd_column_places), .same_tiles(same_columns), .no_clash(free_columns),
        .all_even(all_even_columns), .all_odd(all_odd_columns)
    );
    agreement rows (
        .reads(reads), .needed(used_rows), .even_tiles(even_rows), .odd_tiles(odd_rows),
        .even_places(even_row_places), .odd_places(odd_row_places), .same_tiles(same_rows), .no_clash(free_rows),
        .all_even(all_even_rows), .all_odd(all_odd_rows)
    );
    wire fits = same_columns && same_rows && free_columns && free_rows;

    // What its items bring.
    wire shows = out_valid && out_mark == 2'd1;
    wire [3:0] served = out_tiles[108:105];
    wire [3:0] brings = served & reads;
    reg [3:0] brought = 4'd0;
    always @(posedge clk)
        if (rst) brought <= 4'd0;
        else if (shows && advance) brought <= brought | brings;
    wire [3:0] to_come = reads & ~brought;
    wire [3:0] lowest = to_come & (~to_come + 4'd1);
    always @* if (shows) begin
        in_one_item_if_it_fits: assert ((served == 4'hf) == fits);
        each_pixel_once: assert ((brings & brought) == 4'd0);
        one_after_the_other: assert (fits ? brings == reads : brings == lowest);
        ends_with_the_last: assert (is_last == ((brought | brings) == reads));
        marks_kept: assert (out_tiles[0] == quad[0] && out_tiles[94:41] == quad[60:7] && out_tiles[103] == quad[1]
            && out_tiles[113:109] == quad[6:2]);
    end
    wire [15:0] banks;
    generate
        for (lane = 0; lane < 4; lane = lane + 1) begin : brought_pixel
            wire [1:0] own_columns = used_columns[2 * lane +: 2];
            wire [1:0] own_rows = used_rows[2 * lane +: 2];
            wire [3:0] own_banks = {own_columns & {2{own_rows[1]}}, own_columns & {2{own_rows[0]}}};
            assign banks[4 * lane +: 4] = own_banks & {4{brings[lane]}};
            brought_pixel check (
                .shows(shows && brings[lane]), .x0(first_columns[11 * lane +: 11]), .x1(second_columns[11 * lane +: 11]),
                .y0(first_rows[11 * lane +: 11]), .y1(second_rows[11 * lane +: 11]), .needs_x1(second_x[lane]),
                .needs_y1(second_y[lane]), .weight_x(weights_x[9 * lane +: 9]), .weight_y(weights_y[9 * lane +: 9]),
                .tap(out_tiles[114 + 22 * lane +: 22]), .columns(out_tiles[18:1]), .rows(out_tiles[36:19]), .column_bit2(out_tiles[98:95]),
                .row_bit2(out_tiles[102:99])
            );
        end
    endgenerate
    always @* used_by_items: assert (out_tiles[40:37] == 4'd0 || (out_valid && !out_tiles[0]));
    always @* if (shows) asks_for_what_is_needed: assert (out_tiles[40:37] == (banks[3:0] | banks[7:4] | banks[11:8] | banks[15:12]));

    // Where the marked quads are, and what of them each step has found, for the induction.
    reg [5:0] at = 6'd0;
    reg [5:0] second_at = 6'd0;
    always @(posedge clk)
        if (rst) begin
            at <= 6'd0;
            second_at <= 6'd0;
        end else if (upstream_advance) begin
            at <= {at[4:0], taken && in_mark == 2'd1};
            second_at <= {second_at[4:0], taken && in_mark == 2'd2};
        end
    wire [5:0] inner_serialiser_waiting_places;
    wire [6*61-1:0] inner_serialiser_sideband_places;
    wire [6*280-1:0] inner_serialiser_sorted_places;
    wire [5*4-1:0] inner_serialiser_reads_places;
    wire [31:0] inner_serialiser_even_banks;
    wire [4*8-1:0] inner_serialiser_firsts_places;
    wire [7:0] inner_serialiser_all_even, inner_serialiser_all_odd;
    wire [4*9-1:0] inner_serialiser_candidates;
    wire [2:0] inner_serialiser_clashes_places;
    wire [15:0] inner_serialiser_differences;
    wire inner_serialiser_differs, inner_serialiser_together, inner_serialiser_is_last;
    wire [3:0] inner_serialiser_reading, inner_serialiser_remaining;
    wire [4*2-1:0] inner_serialiser_chosen;
    wire [7:0] inner_entry;
    wire [5:0] inner_waiting = inner_serialiser_waiting_places;
    wire [365:0] inner_marks = inner_serialiser_sideband_places;
    wire [1679:0] inner_sorted = inner_serialiser_sorted_places;
    wire [19:0] inner_reads = inner_serialiser_reads_places;
    wire [31:0] inner_firsts = inner_serialiser_firsts_places;
    wire [2:0] inner_clashes = inner_serialiser_clashes_places;

    // The first pixel that needs each parity, and its tile.
    function [1:0] first_of(input [3:0] needs);
        first_of = needs[0] ? 2'd0 : needs[1] ? 2'd1 : needs[2] ? 2'd2 : 2'd3;
    endfunction
    function [8:0] tile_of(input [35:0] tiles, input [1:0] number);
        tile_of = number == 2'd0 ? tiles[8:0] : number == 2'd1 ? tiles[17:9] : number == 2'd2 ? tiles[26:18] : tiles[35:27];
    endfunction
    function [3:0] evens_of(input [7:0] needed);
        evens_of = {needed[6], needed[4], needed[2], needed[0]};
    endfunction
    function [3:0] odds_of(input [7:0] needed);
        odds_of = {needed[7], needed[5], needed[3], needed[1]};
    endfunction
    wire [7:0] firsts = {first_of(reads & odds_of(used_rows)), first_of(reads & evens_of(used_rows)),
        first_of(reads & odds_of(used_columns)), first_of(reads & evens_of(used_columns))};
    wire [31:0] evens;
    genvar step;
    generate
        for (step = 0; step < 6; step = step + 1) begin : steps
            standing_quad check (
                .at(at[step]), .second_at(second_at[step]), .waiting(inner_waiting[step]),
                .marks(inner_marks[61 * step +: 61]), .expected(quad[60:0])
            );
            for (lane = 0; lane < 4; lane = lane + 1) begin : sorted_pixel
                sorted_pixel check (
                    .at(at[step]), .word(inner_sorted[280 * step + 70 * lane +: 70]),
                    .x0(first_columns[11 * lane +: 11]), .x1(second_columns[11 * lane +: 11]),
                    .y0(first_rows[11 * lane +: 11]), .y1(second_rows[11 * lane +: 11]), .needs_x1(second_x[lane]),
                    .needs_y1(second_y[lane]), .columns({odd_columns[9 * lane +: 9], even_columns[9 * lane +: 9]}),
                    .rows({odd_rows[9 * lane +: 9], even_rows[9 * lane +: 9]}),
                    .needed({used_rows[2 * lane +: 2], used_columns[2 * lane +: 2]}),
                    .odd_places({odd_row_places[4 * lane +: 4], odd_column_places[4 * lane +: 4]}),
                    .weights({weights_y[9 * lane +: 9], weights_x[9 * lane +: 9]})
                );
            end
        end
        for (lane = 0; lane < 4; lane = lane + 1) begin : even_places
            assign evens[8 * lane +: 8] = {even_row_places[4 * lane +: 4], even_column_places[4 * lane +: 4]};
        end
    endgenerate
    wire clashes = !(free_columns && free_rows);
    wire [7:0] chosen = inner_serialiser_chosen;
    wire [1:0] own = first_of(lowest);
    // What reads is an item, and no binding. A reset leaves the pixels that read as they are, and clears what they need.
    wire [4:0] can_read = inner_waiting[4:0] & ~{inner_marks[244], inner_marks[183], inner_marks[122], inner_marks[61],
        inner_marks[0]};
    wire is_clear = inner_sorted[1679:1400] == 280'd0;
    always @* begin
        read_by_items: assert ((!(inner_reads[3:0] != 4'd0) || can_read[0]) && (!(inner_reads[7:4] != 4'd0) || can_read[1])
            && (!(inner_reads[11:8] != 4'd0) || can_read[2]) && (!(inner_reads[15:12] != 4'd0) || can_read[3])
            && (!(inner_reads[19:16] != 4'd0) || can_read[4]));
        dealt_by_items: assert (!(inner_serialiser_reading != 4'd0 || !inner_serialiser_is_last) || (out_valid && !out_tiles[0]) || is_clear);
        last_when_clear: assert (out_valid || inner_serialiser_is_last);
    end
    always @* begin
        sorted_evens: assert (!at[0] || inner_serialiser_even_banks == evens);
        reads_move: assert (!(at[0] && inner_reads[3:0] != reads) && !(at[1] && inner_reads[7:4] != reads)
            && !(at[2] && inner_reads[11:8] != reads) && !(at[3] && inner_reads[15:12] != reads)
            && !(at[4] && inner_reads[19:16] != reads));
        firsts_move: assert (!(at[1] && inner_firsts[7:0] != firsts) && !(at[2] && inner_firsts[15:8] != firsts)
            && !(at[3] && inner_firsts[23:16] != firsts) && !(at[4] && inner_firsts[31:24] != firsts));
        clashes_move: assert (!(at[2] && inner_clashes[0] != clashes) && !(at[3] && inner_clashes[1] != clashes)
            && !(at[4] && inner_clashes[2] != clashes));
        entries_count: assert (inner_entry == entry);
        one_place: assert ((at & (at - 6'd1)) == 6'd0 && (second_at & (second_at - 6'd1)) == 6'd0);
        first_is_ahead: assert (second_at == 6'd0 || at == 6'd0 || second_at < at);
        sent_is_known: assert (sent != 2'd3 && seen <= sent && (sent != 2'd0) == (at != 6'd0 || seen != 2'd0)
            && (sent == 2'd2) == (second_at != 6'd0 || seen == 2'd2) && (seen == 2'd0 || at == 6'd0)
            && (seen != 2'd2 || second_at == 6'd0));
        places_gathered: assert (!at[1] || (inner_serialiser_all_even == {all_even_rows, all_even_columns}
            && inner_serialiser_all_odd == {all_odd_rows, all_odd_columns}));
        candidates_found: assert (!at[2] || (inner_serialiser_candidates[0*9 +: 9] == tile_of(even_columns, firsts[1:0])
            && inner_serialiser_candidates[1*9 +: 9] == tile_of(odd_columns, firsts[3:2])
            && inner_serialiser_candidates[2*9 +: 9] == tile_of(even_rows, firsts[5:4])
            && inner_serialiser_candidates[3*9 +: 9] == tile_of(odd_rows, firsts[7:6])));
        differences_found: assert (!at[3] || (inner_serialiser_differences == 16'd0) == (same_columns && same_rows));
        differs_found: assert (!at[4] || inner_serialiser_differs == !(same_columns && same_rows));
        brought_while_it_stands: assert (at[5] || seen != 2'd0 || brought == 4'd0);
        dealt_till_the_last: assert (inner_serialiser_is_last || inner_serialiser_remaining != 4'd0);
        brought_in_order: assert (!at[5] || (inner_serialiser_together ? brought == 4'd0
            : (brought & ~reads) == 4'd0 && to_come != 4'd0 && (brought & ~(lowest - 4'd1)) == 4'd0));
        standing: assert (!at[5] || (inner_serialiser_together == fits && inner_serialiser_is_last == (inner_serialiser_remaining == 4'd0) && inner_serialiser_reading == (fits ? reads : lowest)
            && inner_serialiser_remaining == (fits ? 4'd0 : to_come & ~lowest) && chosen == (fits ? firsts : {4{own}})));
    end
    always @* begin
        in_one_item: cover (shows && is_last && reads == 4'hf && brings == 4'hf && banks == 16'hffff);
        in_four_items: cover (shows && is_last && brought == 4'h7 && brings == 4'h8);
        clash_of_places: cover (shows && is_last && same_columns && same_rows && brought != 4'd0);
        nothing_to_read: cover (shows && reads == 4'd0 && quad[5:2] != 4'd0);
        an_entry: cover (shows && is_table && quad_entry == 8'd1);
    end
endmodule
`endif
