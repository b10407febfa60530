// The stage that makes a probe items that the cache can serve.
//
// Beside it move the footprints that came in: three moves with those in front, one with those behind. What an item brings is
// compared with what its probe needs, worked out here from its texels: tap by tap, by the place of a tap, its row above its
// column.

// One axis of a probe.
module seen_axis (
    input wire [33:0] taps,
    output wire [11:0] first,
    output wire [11:0] second,
    output wire has_second,
    // Texels that lie outside, of those that have weight.
    output wire [1:0] outside,
    // Both texels can come in one item.
    output wire goes_together,
    // The second texel is the one behind the first, or the first.
    output wire is_plain,
    output wire has_two_tiles,
    // As `axis` gives them.
    output wire is_known
);
    assign first = taps[11:0];
    assign second = taps[23:12];
    assign has_second = taps[31:24] != 8'd0;
    assign outside = {taps[33] && has_second, taps[32]};
    // Two texels lie in different banks, and two tiles in different sets, by parity.
    assign goes_together = !has_second || first == second
        || (first[0] != second[0] && (first[11:2] == second[11:2] || first[2] != second[2]));
    wire is_next = second == first || second == first + 12'd1;
    assign is_plain = outside == 2'd0 && (!has_second || is_next);
    assign has_two_tiles = has_second && first[11:2] != second[11:2];
    // A level begins again behind its last texel. Where one texel lies outside, the other one has weight and does not.
    assign is_known = outside == 2'd0 ? is_next || second == 12'd0 : outside != 2'd3 && has_second;
endmodule

// Both axes of a probe that reads texels.
module known_texels (
    input wire [193:0] texels,
    output wire reads,
    output wire is_known
);
    wire x_known, y_known;
    seen_axis x_axis (.taps(texels[61:28]), .is_known(x_known));
    seen_axis y_axis (.taps(texels[95:62]), .is_known(y_known));
    assign reads = texels[3] && !texels[0];
    assign is_known = !reads || (x_known && y_known);
endmodule

// What becomes of a probe in the stage, for the proof that it goes on as it began.
module plan_of (
    input wire [193:0] texels,
    // What is seen of both axes, x above y: weight, texels that do not go together, tiles, outside, the second one outside.
    output wire [9:0] seen,
    output wire reads,
    output wire is_single,
    output wire is_by_row,
    // Over an edge: an item for each column, or for each row.
    output wire by_columns,
    output wire by_rows,
    output wire has_corner,
    output wire [1:0] corner,
    // Its items, by the place of their first tap, and the taps of all.
    output wire [3:0] items,
    output wire [3:0] needed
);
    wire [11:0] x_first, x_second, y_first, y_second;
    wire has_second_x, has_second_y, x_two, y_two;
    wire [1:0] x_outside, y_outside;
    seen_axis x_axis (
        .taps(texels[61:28]), .first(x_first), .second(x_second), .has_second(has_second_x), .outside(x_outside),
        .has_two_tiles(x_two)
    );
    seen_axis y_axis (
        .taps(texels[95:62]), .first(y_first), .second(y_second), .has_second(has_second_y), .outside(y_outside),
        .has_two_tiles(y_two)
    );
    wire x_wraps = has_second_x && x_second == 12'd0 && x_first != 12'd0;
    wire y_wraps = has_second_y && y_second == 12'd0 && y_first != 12'd0;
    wire x_clashes = x_wraps && !(x_first[0] && (x_first[11:3] == 9'd0 || x_first[3:2] == 2'd3));
    wire y_clashes = y_wraps && !(y_first[0] && (y_first[11:2] == 10'd0 || y_first[2]));
    assign seen = {has_second_x, x_clashes, x_two, x_outside != 2'd0, x_outside[1],
        has_second_y, y_clashes, y_two, y_outside != 2'd0, y_outside[1]};
    assign reads = texels[3] && !texels[0];
    wire is_apart = reads && (x_clashes || y_clashes || x_outside != 2'd0 || y_outside != 2'd0);
    assign by_columns = is_apart && x_outside != 2'd0 && y_outside == 2'd0 && !y_clashes;
    assign by_rows = is_apart && y_outside != 2'd0 && x_outside == 2'd0 && !x_clashes;
    assign is_single = is_apart && !by_columns && !by_rows;
    assign is_by_row = reads && !is_apart && texels[188] && x_two && y_two;
    assign has_corner = reads && x_outside != 2'd0 && y_outside != 2'd0;
    assign corner = {y_outside[1], x_outside[1]};
    assign needed = {has_second_x && has_second_y, has_second_y, has_second_x, 1'b1} & ~(has_corner ? 4'd1 << corner : 4'd0);
    assign items = by_columns ? needed & 4'd3 : by_rows ? needed & 4'd5 : is_single ? needed : is_by_row ? 4'd5 : 4'd1;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire advance,
    input wire in_valid,
    input wire [193:0] texels
);
    wire upstream_advance, out_valid;
    wire [204:0] item;
    footprint dut (
        .clk(clk), .rst(rst), .advance(advance), .upstream_advance(upstream_advance), .in_valid(in_valid), .texels(texels),
        .out_valid(out_valid), .item(item)
    );
    offer_stays #(.WIDTH(205)) offer (.clk(clk), .rst(rst), .valid(out_valid), .ready(advance), .data(item));
    wire is_known;
    known_texels comes (.texels(texels), .is_known(is_known));
    always @* if (in_valid) assume (is_known);

    // The probes in the stage: the one that is looked at, the one whose first item is chosen, the one that is dealt out, and the one
    // whose item leaves.
    reg looks = 1'b0;
    reg plans = 1'b0;
    reg stands = 1'b0;
    reg leaves = 1'b0;
    reg [193:0] looked_at, planned, standing, probe;
    always @(posedge clk) begin
        if (rst) begin
            looks <= 1'b0;
            plans <= 1'b0;
            stands <= 1'b0;
            leaves <= 1'b0;
        end else begin
            if (upstream_advance) begin
                looks <= in_valid;
                plans <= looks;
                stands <= plans;
            end
            if (advance) leaves <= stands;
        end
        if (upstream_advance) begin
            looked_at <= texels;
            planned <= looked_at;
            standing <= planned;
        end
        if (advance) probe <= standing;
    end
    always @* in_time: assert (out_valid == leaves);
`ifdef KEEPS
    // What an item has of its probe, whichever of its items it is: all but its texels.
    always @* begin
        if (out_valid) same_probe: assert (item[27:0] == probe[27:0] && item[204:107] == probe[193:96]
            && item[95:88] == probe[59:52] && item[103:96] == probe[93:86]);
        of_four: cover (leaves && stands && plans && looks && !advance);
    end
`else

    // The probe of the item.
    wire [11:0] x_first, x_second, y_first, y_second;
    wire has_second_x, has_second_y, x_together, y_together, x_plain, y_plain, x_two, y_two;
    wire [1:0] x_outside, y_outside;
    seen_axis x_axis (
        .taps(probe[61:28]), .first(x_first), .second(x_second), .has_second(has_second_x), .outside(x_outside),
        .goes_together(x_together), .is_plain(x_plain), .has_two_tiles(x_two)
    );
    seen_axis y_axis (
        .taps(probe[95:62]), .first(y_first), .second(y_second), .has_second(has_second_y), .outside(y_outside),
        .goes_together(y_together), .is_plain(y_plain), .has_two_tiles(y_two)
    );
    wire reads = probe[3] && !probe[0];
    wire has_four_blocks = probe[188] && x_two && y_two;
    // Where a tap is one that lies outside along both axes, it lies over the corner of a cube.
    wire [3:0] over_corner = {x_outside[1] && y_outside[1], x_outside[0] && y_outside[1], x_outside[1] && y_outside[0],
        x_outside[0] && y_outside[0]};
    wire [3:0] with_weight = {has_second_x && has_second_y, has_second_y, has_second_x, 1'b1};
    wire [3:0] needed = with_weight & ~over_corner;

    // What the item says.
    wire starts = item[28];
    wire ends = item[29];
    wire [11:0] x0 = item[41:30];
    wire [11:0] x1 = item[53:42];
    wire [11:0] y0 = item[65:54];
    wire [11:0] y1 = item[77:66];
    wire uses_x1 = item[78];
    wire uses_y1 = item[79];
    wire is_by_place = item[80];
    wire in_column = item[81];
    wire is_by_row = item[82];
    wire [1:0] place = item[84:83];
    wire is_crossed = item[85];
    wire over_row = item[86];
    wire is_behind = item[87];
    wire has_corner = item[104];
    wire [1:0] corner = item[106:105];

    // The taps that it brings, and those that the items of its probe before it brought.
    wire [1:0] beside = place ^ (in_column ? 2'd2 : 2'd1);
    wire [3:0] brings = is_by_place ? 4'd1 << place | (uses_x1 || uses_y1 ? 4'd1 << beside : 4'd0)
        : is_by_row ? {2'd0, uses_x1, 1'b1} << {place[1], 1'b0} : {uses_x1 && uses_y1, uses_y1, uses_x1, 1'b1};
    reg [3:0] brought = 4'd0;
    always @(posedge clk)
        if (rst) brought <= 4'd0;
        else if (advance) brought <= out_valid && !ends ? brought | brings : 4'd0;
    wire tap_outside_x = place[0] ? x_outside[1] : x_outside[0];
    wire tap_outside_y = place[1] ? y_outside[1] : y_outside[0];

    // The probes in front move when the last item of one has gone on.
    reg moved = 1'b0;
    reg moved_all = 1'b0;
    always @(posedge clk) begin
        moved <= advance && !rst;
        moved_all <= upstream_advance && !rst;
    end
    always @* begin
        waits_for_those_behind: assert (!upstream_advance || advance);
        moves_with_the_last: assert (!moved || moved_all == (!out_valid || ends));
        if (out_valid) begins_once: assert (starts == (brought == 4'd0));
        if (out_valid && !reads) one_without_taps: assert (starts && ends && !is_by_place && !is_by_row && !is_crossed);
        if (out_valid && reads) begin
            not_doubled: assert ((brings & brought) == 4'd0);
            only_needed: assert ((brings & ~needed) == 4'd0);
            all_brought: assert (ends == ((brings | brought) == needed));
            whole_if_it_fits: assert (!(x_plain && y_plain && !has_four_blocks) || (starts && ends));
            rows_if_they_fit: assert (!(x_plain && y_plain && has_four_blocks) || is_by_row);
            pair_if_it_fits: assert ((x_outside == 2'd0 || !y_plain || (is_by_place && in_column && uses_y1 == has_second_y))
                && (y_outside == 2'd0 || !x_plain || (is_by_place && !in_column && uses_x1 == has_second_x)));
            one_kind: assert (!(is_by_place && is_by_row) && (!is_by_place || !(in_column ? uses_x1 : uses_y1)) && (!is_by_row || !uses_y1));
            right_texels: assert (x0 == (is_by_place && place[0] ? x_second : x_first)
                && y0 == ((is_by_place || is_by_row) && place[1] ? y_second : y_first)
                && (!uses_x1 || x1 == x_second) && (!uses_y1 || y1 == y_second));
            can_be_served: assert ((!uses_x1 || (x_together && x_outside == 2'd0)) && (!uses_y1 || (y_together && y_outside == 2'd0))
                && (is_by_place || (x_outside == 2'd0 && y_outside == 2'd0 && !(has_four_blocks && uses_y1))));
            right_edge: assert (is_crossed == (is_by_place && (tap_outside_x || tap_outside_y))
                && (!is_crossed || (over_row == tap_outside_y && is_behind == (over_row ? place[1] : place[0]))));
            right_corner: assert (has_corner == (over_corner != 4'd0) && (!has_corner || (4'd1 << corner) == over_corner));
        end
    end

    // For the invariant: what the stage has seen of the probe that is looked at, what it makes of the one that is dealt out, and
    // which of its items have gone.
    wire inner_x_uses_second_look, inner_x_clashes_look, inner_x_straddles_look, inner_x_is_outside_look;
    wire inner_x_second_is_outside_look, inner_y_uses_second_look, inner_y_clashes_look, inner_y_straddles_look;
    wire inner_y_is_outside_look, inner_y_second_is_outside_look, inner_is_valid_look, inner_is_block_look;
    wire inner_parts_is_single_plan, inner_parts_is_by_row_plan, inner_parts_has_corner_plan;
    wire inner_parts_over_edge_0_plan, inner_parts_over_edge_1_plan, inner_parts_over_edge_0_stand, inner_parts_over_edge_1_stand;
    wire inner_parts_is_single_stand, inner_parts_is_by_row_stand, inner_parts_has_corner_stand, inner_is_first, inner_is_last;
    wire [1:0] inner_parts_corner_plan, inner_parts_corner_stand, inner_chosen;
    wire [3:0] inner_parts_items_plan, inner_remaining;
    wire [11:0] inner_footprint_x_first_plan, inner_footprint_x_second_plan, inner_footprint_y_first_plan, inner_footprint_y_second_plan;
    wire [7:0] inner_footprint_x_weight_plan, inner_footprint_y_weight_plan;
    wire inner_footprint_x_first_is_outside_plan, inner_footprint_x_second_is_outside_plan;
    wire inner_footprint_y_first_is_outside_plan, inner_footprint_y_second_is_outside_plan;
    wire [11:0] inner_footprint_x_first_look, inner_footprint_x_second_look, inner_footprint_y_first_look, inner_footprint_y_second_look;
    wire [11:0] inner_footprint_x_first_stand, inner_footprint_x_second_stand, inner_footprint_y_first_stand, inner_footprint_y_second_stand;
    wire [7:0] inner_footprint_x_weight_look, inner_footprint_y_weight_look, inner_footprint_x_weight_stand, inner_footprint_y_weight_stand;
    wire inner_footprint_x_first_is_outside_look, inner_footprint_x_second_is_outside_look;
    wire inner_footprint_y_first_is_outside_look, inner_footprint_y_second_is_outside_look;
    wire inner_footprint_x_first_is_outside_stand, inner_footprint_x_second_is_outside_stand;
    wire inner_footprint_y_first_is_outside_stand, inner_footprint_y_second_is_outside_stand;
    wire [67:0] look_taps = {inner_footprint_y_second_is_outside_look, inner_footprint_y_first_is_outside_look,
        inner_footprint_y_weight_look, inner_footprint_y_second_look, inner_footprint_y_first_look,
        inner_footprint_x_second_is_outside_look, inner_footprint_x_first_is_outside_look, inner_footprint_x_weight_look,
        inner_footprint_x_second_look, inner_footprint_x_first_look};
    wire [67:0] plan_taps = {inner_footprint_y_second_is_outside_plan, inner_footprint_y_first_is_outside_plan,
        inner_footprint_y_weight_plan, inner_footprint_y_second_plan, inner_footprint_y_first_plan,
        inner_footprint_x_second_is_outside_plan, inner_footprint_x_first_is_outside_plan, inner_footprint_x_weight_plan,
        inner_footprint_x_second_plan, inner_footprint_x_first_plan};
    wire [67:0] stand_taps = {inner_footprint_y_second_is_outside_stand, inner_footprint_y_first_is_outside_stand,
        inner_footprint_y_weight_stand, inner_footprint_y_second_stand, inner_footprint_y_first_stand,
        inner_footprint_x_second_is_outside_stand, inner_footprint_x_first_is_outside_stand, inner_footprint_x_weight_stand,
        inner_footprint_x_second_stand, inner_footprint_x_first_stand};
    wire inner_in_valid_look, inner_in_valid_plan, inner_in_valid_stand;
    wire [9:0] seen_now = {inner_x_uses_second_look, inner_x_clashes_look, inner_x_straddles_look, inner_x_is_outside_look,
        inner_x_second_is_outside_look, inner_y_uses_second_look, inner_y_clashes_look, inner_y_straddles_look,
        inner_y_is_outside_look, inner_y_second_is_outside_look};
    wire [9:0] seen;
    wire look_reads, looks_known, plans_known, stands_known, leaves_known, plan_single, plan_by_row, plan_corner, stand_single;
    wire stand_by_row, stand_corner, own_single, own_by_row, plan_columns, plan_rows, stand_columns, stand_rows, own_columns, own_rows;
    wire [1:0] plan_corner_place, stand_corner_place;
    wire [3:0] plan_items, stand_items, own_items, own_needed;
    plan_of looked (.texels(looked_at), .seen(seen), .reads(look_reads));
    plan_of was_planned (
        .texels(planned), .is_single(plan_single), .is_by_row(plan_by_row), .has_corner(plan_corner),
        .corner(plan_corner_place), .items(plan_items), .by_columns(plan_columns), .by_rows(plan_rows)
    );
    plan_of stood (
        .texels(standing), .is_single(stand_single), .is_by_row(stand_by_row), .has_corner(stand_corner),
        .corner(stand_corner_place), .items(stand_items), .by_columns(stand_columns), .by_rows(stand_rows)
    );
    plan_of left (
        .texels(probe), .is_single(own_single), .is_by_row(own_by_row), .items(own_items), .needed(own_needed),
        .by_columns(own_columns), .by_rows(own_rows)
    );
    known_texels known_looked (.texels(looked_at), .is_known(looks_known));
    known_texels known_planned (.texels(planned), .is_known(plans_known));
    known_texels known_stood (.texels(standing), .is_known(stands_known));
    known_texels known_left (.texels(probe), .is_known(leaves_known));
    wire [3:0] turn = 4'd1 << inner_chosen;
    wire [3:0] own_turn = 4'd1 << place;
    wire [3:0] before = own_items & (own_turn - 4'd1);
    always @* begin
        moves_along: assert (inner_in_valid_look == looks && inner_in_valid_plan == plans && inner_in_valid_stand == stands
            && (!looks || look_taps == looked_at[95:28]) && (!plans || plan_taps == planned[95:28])
            && (!stands || stand_taps == standing[95:28]));
        stay_known: assert ((!looks || looks_known) && (!plans || plans_known) && (!stands || stands_known)
            && (!leaves || leaves_known));
        seen_right: assert (!looks || (inner_is_valid_look == look_reads && inner_is_block_look == looked_at[188]
            && seen_now == seen));
        planned_right: assert (!plans || (inner_parts_is_single_plan == plan_single && inner_parts_is_by_row_plan == plan_by_row
            && inner_parts_has_corner_plan == plan_corner && (!plan_corner || inner_parts_corner_plan == plan_corner_place)
            && inner_parts_items_plan == plan_items && inner_parts_over_edge_0_plan == plan_columns
            && inner_parts_over_edge_1_plan == plan_rows));
        made_right: assert (!stands || (inner_parts_is_single_stand == stand_single && inner_parts_is_by_row_stand == stand_by_row
            && inner_parts_has_corner_stand == stand_corner && (!stand_corner || inner_parts_corner_stand == stand_corner_place)
            && inner_parts_over_edge_0_stand == stand_columns && inner_parts_over_edge_1_stand == stand_rows));
        in_turn: assert (!stands || ((turn & stand_items) != 4'd0 && inner_remaining == (stand_items & ~(turn - 4'd1) & ~turn)
            && inner_is_first == ((stand_items & (turn - 4'd1)) == 4'd0)));
        last_told: assert (inner_is_last == (!stands || inner_remaining == 4'd0));
        left_in_turn: assert (!leaves || ((own_turn & own_items) != 4'd0 && is_by_place == (own_single || own_columns || own_rows)
            && in_column == own_columns && is_by_row == own_by_row
            && starts == (before == 4'd0) && ends == ((own_items & ~(own_turn - 4'd1)) == own_turn)));
        uses_right: assert (!leaves || (uses_x1 == (has_second_x && !own_single && !own_columns)
            && uses_y1 == (has_second_y && !own_single && !own_rows && !own_by_row)));
        same_follows: assert (!leaves || ends || (stands && standing == probe && !inner_is_first
            && (stand_items & (turn - 4'd1)) == (before | own_turn)));
        next_begins: assert (!(stands && (!leaves || ends)) || inner_is_first);
        brought_before: assert (brought == (!leaves ? 4'd0 : own_single ? before
            : own_columns ? (place[0] ? own_needed & 4'd5 : 4'd0) : own_rows ? (place[1] ? own_needed & 4'd3 : 4'd0)
            : own_by_row && place[1] ? {2'd0, own_needed[1:0]} : 4'd0));
    end
    always @* begin
        four_taps: cover (leaves && advance && ends && brought == 4'h7 && x_outside == 2'd0);
        three_taps: cover (leaves && advance && ends && has_corner && brought == 4'h6 && with_weight == 4'hf);
        two_columns: cover (leaves && advance && ends && in_column && brought == 4'h5 && uses_y1);
        one_of_two: cover (leaves && advance && ends && is_by_place && !in_column && brought == 4'h1 && y_outside != 2'd0);
        two_rows: cover (leaves && advance && ends && is_by_row && brought == 4'h3);
        one_after_the_other: cover (leaves && stands && looks && starts && ends && upstream_advance);
        empties: cover (leaves && probe[0]);
    end
`endif
endmodule
