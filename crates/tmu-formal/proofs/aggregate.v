// Values of indirect look-ups, complete and in order.
//
// The FIFOs stand in for the emitted ones, which have their own proofs: they show an item as many clocks after it came as those do,
// count, and keep what the properties are about: two marked quads, and of all others how many end, and that a quad's values
// are alike. So does the arithmetic of what takes a channel a clock: only when it is done counts. The valid bits of a quad go
// past everything. They stand for a tag here: below the mark of a quad, above the number of a value of it.
module tagged_fifo #(parameter AGE = 1, parameter MOST = 127) (
    input wire clk,
    input wire rst,
    input wire taken,
    input wire given,
    output wire valid,
    output wire [7:0] items,
    output wire [7:0] level
);
    reg [7:0] count = 8'd0;
    reg [2:1] came = 2'd0;
    reg gave = 1'b0;
    always @(posedge clk) begin
        count <= rst ? 8'd0 : count + taken - given;
        came <= rst ? 2'd0 : {came[1], taken};
        gave <= given && !rst;
    end
    wire [1:0] young = came[1] + (AGE == 2 && came[2]);
    // Proofs `sync_fifo_late` and `sync_fifo_lut_late`.
    assign valid = count > {6'd0, young};
    assign items = count;
    assign level = count + gave;
    always @* fits: assert (count <= MOST);
endmodule

// Whole quads.
module sync_fifo_128x1_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire input_data,
    output wire output_valid,
    input wire output_ready,
    output wire output_data,
    output wire [7:0] level
);
    (* anyseq *) reg item;
    wire [7:0] count;
    tagged_fifo #(.AGE(1), .MOST(128)) fifo (
        .clk(clk), .rst(rst), .taken(input_valid), .given(output_valid && output_ready), .valid(output_valid), .items(count),
        .level(level)
    );
    assign input_ready = 1'b1;
    assign output_data = item;
endmodule

// Values.
module sync_fifo_128x533_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [532:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [532:0] output_data,
    output wire [7:0] level
);
    (* anyseq *) reg [532:0] item;
    wire [7:0] count;
    wire given = output_valid && output_ready;
    tagged_fifo #(.AGE(2)) fifo (
        .clk(clk), .rst(rst), .taken(input_valid), .given(given), .valid(output_valid), .items(count), .level(level)
    );
    assign input_ready = 1'b1;
    assign output_data = item;
    // What all values of a quad have, and whether it is the last one: the mark of its tag, what becomes of it.
    wire [5:0] in_alike = {input_data[17:16], input_data[11:10], input_data[5], 1'b0};
    wire [5:0] alike = {item[17:16], item[11:10], item[5], 1'b0};
    wire in_ends = input_data[15], is_end = item[15];
    // Values that end their quads, and those behind the last of them; whether the last one that was given ended its quad, and what
    // it had.
    reg [7:0] ends = 8'd0, behind = 8'd0;
    reg inside = 1'b0, waits = 1'b0;
    reg [5:0] had;
    reg [532:0] was;
    // Of each marked quad: values in front of it, those of it, the number of the first of these, and whether its last one is there.
    reg [7:0] ahead_1 = 8'd0, ahead_2 = 8'd0;
    reg [2:0] own_1 = 3'd0, own_2 = 3'd0;
    reg [1:0] first_1 = 2'd0, first_2 = 2'd0;
    reg whole_1 = 1'b0, whole_2 = 1'b0;
    reg [5:0] kind_1;
    wire at_1 = own_1 != 3'd0 && ahead_1 == 8'd0, at_2 = own_2 != 3'd0 && ahead_2 == 8'd0;
    wire in_1 = input_valid && input_data[17:16] == 2'd1, in_2 = input_valid && input_data[17:16] == 2'd2;
    always @(posedge clk) begin
        waits <= output_valid && !output_ready && !rst;
        was <= item;
        if (rst) begin
            ends <= 8'd0;
            behind <= 8'd0;
            inside <= 1'b0;
            own_1 <= 3'd0;
            own_2 <= 3'd0;
            first_1 <= 2'd0;
            first_2 <= 2'd0;
            whole_1 <= 1'b0;
            whole_2 <= 1'b0;
        end else begin
            ends <= ends + (input_valid && in_ends) - (given && is_end);
            if (input_valid && in_ends) behind <= 8'd0;
            else behind <= behind + input_valid - (given && ends == 8'd0);
            if (given) begin
                inside <= !is_end;
                had <= alike;
            end
            own_1 <= own_1 + in_1 - (given && at_1);
            own_2 <= own_2 + in_2 - (given && at_2);
            if (given && at_1) first_1 <= first_1 + 2'd1;
            if (given && at_2) first_2 <= first_2 + 2'd1;
            if (in_1) whole_1 <= in_ends;
            if (in_2) whole_2 <= in_ends;
        end
        ahead_1 <= in_1 && own_1 == 3'd0 ? count - given : ahead_1 - (given && ahead_1 != 8'd0);
        ahead_2 <= in_2 && own_2 == 3'd0 ? count - given : ahead_2 - (given && ahead_2 != 8'd0);
        if (in_1) kind_1 <= in_alike;
    end
    always @* if (output_valid) begin
        if (waits) assume (item == was);
        assume (item[17:16] == {at_2, at_1});
        if (inside) assume (alike == had);
        // What is put together has two values or more.
        if (!inside && item[5]) assume (!is_end);
        if (at_1) assume (alike == kind_1 && item[19:18] == first_1 && is_end == (own_1 == 3'd1 && whole_1));
        if (at_2) assume (is_end == (own_2 == 3'd1 && whole_2));
        if (is_end) assume (ends > 8'd1 || (ends == 8'd1 && count == behind + 8'd1));
        else assume (ends == 8'd0 || count > behind + ends);
    end
endmodule

// Channels on their way: the last one of a quad comes out as many clocks later as the stage has.
module aggregate_walk (
    input wire clk,
    input wire rst,
    input wire in_valid,
    input wire [3:0] factors_number,
    input wire [2:0] factors_marks_operation,
    input wire [1:0] factors_marks_more,
    input wire factors_are_floats,
    input wire factors_divides,
    input wire [31:0] factors_held,
    input wire [31:0] factors_value,
    output wire out_valid,
    output wire [3:0] out_number,
    output wire [31:0] put,
    output wire ends
);
    (* anyseq *) reg valid;
    (* anyseq *) reg [3:0] number;
    (* anyseq *) reg [31:0] anything;
    reg [13:1] last = 13'd0;
    always @(posedge clk) last <= rst ? 13'd0 : {last[12:1], in_valid && (&factors_number)};
    assign out_valid = valid;
    assign out_number = number;
    assign put = anything;
    assign ends = last[13];
endmodule

// Where a marked quad is: its values come, wait, and go, and its end is in one place.
module group_of #(parameter [1:0] MARK = 1) (
    input wire [2:0] own,
    input wire [7:0] ahead,
    input wire [1:0] first,
    input wire whole,
    input wire [7:0] count,
    input wire [7:0] behind,
    input wire [1:0] more,
    input wire [7:1] came_1,
    input wire [7:1] came_2,
    input wire coming,
    input wire [1:0] coming_more,
    input wire [1:0] number,
    input wire is_sent,
    input wire is_seen,
    input wire is_inside,
    input wire holds,
    input wire leaves
);
    wire is_1 = came_1[1] && came_1[3:2] == MARK, is_2 = came_2[1] && came_2[3:2] == MARK;
    wire ends_on_way = (is_1 && came_1[4]) || (is_2 && came_2[4]);
    wire [2:0] on_way = is_1 + is_2;
    wire [2:0] places = (is_1 && came_1[4]) + (is_2 && came_2[4]) + (own != 3'd0 && whole) + holds + leaves;
    always @* begin
        one_place: assert (places == (is_sent && !is_seen));
        fits_in: assert (own <= 3'd4 && (own == 3'd0 || ahead <= count));
        waits_for_its_end: assert (own == 3'd0 || whole || (ahead + own == count && behind == own && first == 2'd0));
        waits_as_a_whole: assert (own == 3'd0 || !whole || (ahead + own <= count - behind && first + own == more + 3'd1));
        all_that_came: assert (is_sent ? (ends_on_way ? !whole && own + on_way == more + 3'd1 : on_way == 3'd0 && (own == 3'd0 || whole))
            : !whole && own + on_way == (coming ? {1'b0, number} : 3'd0));
        numbered: assert ((!is_2 || {1'b0, came_2[7:6]} == own) && (!is_1 || {1'b0, came_1[7:6]} == own + is_2));
        ends_right: assert ((!is_1 || came_1[4] == (came_1[7:6] == more)) && (!is_2 || came_2[4] == (came_2[7:6] == more)));
        begun_at_the_head: assert (is_inside == (own != 3'd0 && first != 2'd0) && (!is_inside || ahead == 8'd0));
        not_coming: assert (!coming || (!is_sent && coming_more == more && number <= more));
        nothing_yet: assert (is_sent || first == 2'd0);
    end
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire in_valid,
    input wire [582:0] sample,
    input wire [2:0] operation,
    input wire [1:0] more,
    input wire ends_quad,
    input wire out_ready
);
    wire has_room, done;
    wire [582:0] out;
    aggregate dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .sample(sample), .marks_operation(operation), .marks_more(more),
        .ends_quad(ends_quad), .has_room(has_room), .out_ready(out_ready), .done(done), .out_sample(out)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Values of a quad come behind each other and are alike. So many come at most when there is no more room.
    wire [1:0] mark = sample[1:0];
    reg [1:0] number = 2'd0;
    reg [7:0] quad;
    reg [7:0] late = 8'd0;
    wire [7:0] own = {sample[5], sample[1:0], operation, more};
    always @(posedge clk)
        if (rst) begin
            number <= 2'd0;
            late <= 8'd0;
        end else begin
            if (in_valid) begin
                number <= ends_quad ? 2'd0 : number + 2'd1;
                quad <= own;
            end
            late <= has_room ? 8'd0 : late + in_valid;
        end

    // Quads in order, each once.
    wire [1:0] sent, seen;
    wire [1:0] out_mark = out[1:0];
    wire is_last = out[6];
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(in_valid && ends_quad && !rst), .in_mark(mark), .out_clk(clk), .out_clear(rst),
        .offered(done && is_last), .given(done && is_last), .out_mark(out_mark), .marks_sent(sent), .marks_seen(seen)
    );
    always @* if (in_valid) begin
        assume (ends_quad == (number == more) && sample[3:2] == number && (number == 2'd0 || own == quad));
        assume (mark == 2'd0 || (mark != 2'd3 && mark == sent + 2'd1));
        assume (has_room || late < `MARGIN - 4);
    end
    // What was asked of the first marked quad, and its results.
    reg [1:0] own_more, other_more, result = 2'd0;
    reg own_is_alone, own_fails;
    reg [7:0] whole = 8'd0;
    reg was_ready = 1'b0;
    // What came one, two and three clocks before: of a value the mark, whether it ends its quad, its failure and its number.
    reg [7:1] came_1 = 7'd0, came_2 = 7'd0, came_3 = 7'd0, came_4 = 7'd0;
    wire is_first_of_own = came_2[1] && came_2[3:2] == 2'd1;
    always @(posedge clk) begin
        came_1 <= rst || !in_valid ? 7'd0 : {number, sample[4], ends_quad, mark, 1'b1};
        came_2 <= rst ? 7'd0 : came_1;
        came_3 <= rst ? 7'd0 : came_2;
        came_4 <= rst ? 7'd0 : came_3;
        if (in_valid && mark == 2'd2) other_more <= more;
        if (in_valid && mark == 2'd1) begin
            own_more <= more;
            own_is_alone <= operation == 3'd0 || more == 2'd0;
        end
        if (is_first_of_own) own_fails <= came_2[5] || (came_2[7:6] != 2'd0 && own_fails);
        was_ready <= out_ready;
        if (rst) begin
            result <= 2'd0;
            whole <= 8'd0;
        end else begin
            if (done) result <= is_last ? 2'd0 : result + 2'd1;
            whole <= whole + (in_valid && ends_quad) - (done && is_last);
        end
    end
    // Where no more may come, there is a quad that can leave.
    reg was_reset = 1'b1;
    always @(posedge clk) was_reset <= rst;
    always @* waits_for_results_only: assert (has_room || was_reset || whole != 8'd0);
    always @* if (done) begin
        behind_the_last_value: assert (whole != 8'd0);
        has_room_for_result: assert (was_ready);
        if (out_mark == 2'd1) begin
            value_by_value: assert (out[3:2] == result);
            last_at_the_end: assert (is_last == (!own_is_alone || result == own_more));
            failure_told: assert (out[4] == own_fails);
        end
    end

    // What goes into the FIFOs, and what comes out of the one of whole quads.
    wire inner_values_input_valid, inner_values_output_valid, inner_values_output_ready, inner_verdicts_input_valid;
    wire inner_verdicts_input_data, inner_verdicts_output_valid, inner_verdicts_output_ready, inner_verdicts_output_data;
    wire [532:0] inner_values_input_data, inner_values_output_data;
    wire inner_values_at_1, inner_values_whole_1, inner_values_whole_2, inner_values_inside, inner_has_failed, inner_ends;
    wire [7:0] inner_values_fifo_count, inner_values_ends, inner_values_behind, inner_verdicts_fifo_count;
    wire [7:0] inner_values_ahead_1, inner_values_ahead_2;
    wire [2:0] inner_values_own_1, inner_values_own_2;
    wire [1:0] inner_values_first_1, inner_values_first_2;
    wire [5:0] inner_values_had, inner_values_kind_1;
    wire inner_turn_is_busy, inner_turn_is_first, inner_turn_may_put, inner_turn_walks, inner_turn_divides, inner_turn_settles;
    wire inner_turn_gives, inner_turn_is_last;
    wire [3:0] inner_turn_valid, inner_turn_number;
    // A quad's values have gone, its result not yet.
    wire is_held = inner_turn_divides || inner_turn_settles || inner_turn_gives;
    wire holds_1 = is_held && inner_turn_valid[1:0] == 2'd1, holds_2 = is_held && inner_turn_valid[1:0] == 2'd2;
    always @* begin
        value_is_own: assert (inner_values_input_valid == came_2[1]
            && (!came_2[1] || ({inner_values_input_data[19:18], inner_values_input_data[15], inner_values_input_data[17:16]}
                == {came_2[7:6], came_2[4], came_2[3:2]} && (came_2[3:2] != 2'd1 || inner_values_input_data[5] != own_is_alone))));
        verdict_is_own: assert (inner_verdicts_input_valid == (came_3[1] && came_3[4])
            && (!inner_verdicts_input_valid || came_3[3:2] != 2'd1 || inner_verdicts_input_data == own_fails));
        if (inner_verdicts_output_valid && ((inner_values_at_1 && !is_held) || holds_1)) assume (inner_verdicts_output_data == own_fails);
        whole_when_taken: assert (!inner_values_output_ready || inner_values_output_valid);
    end

    reg has_failed = 1'b0, is_own_open = 1'b0;
    always @(posedge clk)
        if (rst) begin
            has_failed <= 1'b0;
            is_own_open <= 1'b0;
        end else if (came_2[1]) begin
            has_failed <= !came_2[4] && (has_failed || came_2[5]);
            is_own_open <= came_2[4:2] == 3'b001;
        end
    // While results find room, a quad that is there goes on: a value of it or its result goes within 45 clocks.
    reg [5:0] still = 6'd0;
    wire goes = (inner_values_output_valid && inner_values_output_ready) || done;
    always @(posedge clk) still <= rst || goes || !out_ready || !inner_verdicts_output_valid ? 6'd0 : still + 6'd1;
    always @* goes_on: assert (still <= 6'd45);

    // For the induction: what is where.
    wire puts = inner_values_had[1], walks = inner_values_had[2];
    wire [1:0] mark_inside = inner_values_had[5:4];
    wire [1:0] so_far = done ? (is_last ? 2'd0 : result + 2'd1) : result;
    wire [7:0] on_way = inner_values_fifo_count + came_1[1] + came_2[1];
    wire ended_3 = came_3[1] && came_3[4], ended_4 = came_4[1] && came_4[4];
    wire went_on_3 = came_3[1] && !came_3[4], went_on_4 = came_4[1] && !came_4[4];
    wire [2:1] inner_values_fifo_came, inner_verdicts_fifo_came;
    wire leaves_1 = done && is_last && out_mark == 2'd1, leaves_2 = done && is_last && out_mark == 2'd2;
    wire [1:0] number_1 = !came_2[1] ? inner_values_behind[1:0] : came_2[4] ? 2'd0 : inner_values_behind[1:0] + 2'd1;
    wire number_kept = inner_turn_walks || inner_turn_divides;
    always @* begin
        ends_counted: assert (inner_verdicts_fifo_count + inner_ends == inner_values_ends + is_held);
        whole_counted: assert (whole == inner_values_ends + is_held + (done && is_last) + (came_1[1] && came_1[4]) + (came_2[1] && came_2[4]));
        limited: assert (late <= `MARGIN - 4 && on_way <= 8'd127 - `MARGIN + (has_room ? 8'd3 : 8'd4 + late));
        tail_counted: assert (inner_values_behind <= inner_values_fifo_count && whole <= 8'd136
            && inner_values_ends <= inner_values_fifo_count - inner_values_behind
            && (inner_values_ends != 8'd0 || inner_values_fifo_count == inner_values_behind));
        tail_is_open: assert (inner_values_behind <= 8'd3 && (!came_2[1] || came_2[7:6] == inner_values_behind[1:0])
            && (!came_1[1] || came_1[7:6] == number_1) && number == (!came_1[1] ? number_1 : came_1[4] ? 2'd0 : number_1 + 2'd1));
        four_at_most: assert ((number == 2'd0 || number <= quad[1:0]) && (came_1[7:6] != 2'd3 || came_1[4]) && (came_2[7:6] != 2'd3 || came_2[4]));
        young_ones: assert (inner_values_fifo_came == {came_4[1], came_3[1]} && inner_verdicts_fifo_came[1] == ended_4
            && inner_values_behind >= went_on_3 + (went_on_4 && !ended_3)
            && inner_values_fifo_count - inner_values_behind >= inner_values_ends + (went_on_4 && ended_3)
            && inner_values_ends >= ended_3 + ended_4 && inner_verdicts_fifo_count >= ended_4);
        one_at_a_time: assert (inner_turn_is_busy == (inner_turn_walks || is_held)
            && inner_turn_walks + inner_turn_divides + inner_turn_settles + inner_turn_gives <= 3'd1
            && inner_turn_is_last == (inner_turn_number == 4'd15) && (number_kept || inner_turn_number == 4'd0));
        begun: assert (inner_turn_is_first == !((inner_values_inside && puts) || is_held) && (!inner_turn_is_first || inner_turn_may_put)
            && (!is_held || !inner_values_inside) && (!inner_values_inside || !puts || inner_turn_may_put != walks)
            && (!inner_turn_walks || (inner_values_inside && puts && walks)));
        verdict_stands: assert (!(inner_values_inside || is_held) || inner_verdicts_output_valid);
        results_told: assert ((so_far == 2'd0 || (inner_values_inside && !puts))
            && (!done || is_last || (inner_values_inside && !puts && mark_inside == out_mark)));
        first_kept: assert ((!(inner_values_inside && puts) || inner_turn_valid[1:0] == mark_inside)
            && (!((inner_values_inside && puts && mark_inside == 2'd1) || holds_1) || inner_turn_valid[3:2] == 2'd0));
        marks_counted: assert (seen <= sent && sent <= 2'd2 && (inner_turn_is_first || inner_turn_valid[1:0] != 2'd3)
            && (!inner_values_inside || mark_inside != 2'd3));
        one_after_the_other: assert (inner_values_own_1 == 3'd0 || inner_values_own_2 == 3'd0
            || inner_values_ahead_1 + inner_values_own_1 <= inner_values_ahead_2);
        none_in_front: assert (!(holds_2 || inner_values_own_2 != 3'd0 || came_2[3:1] == 3'b101)
            || (came_1[3:1] != 3'b011 && (!holds_2 || inner_values_own_1 == 3'd0) && (came_2[3:1] != 3'b011)));
        own_kind: assert ((inner_values_own_1 == 3'd0 || inner_values_kind_1[1] != own_is_alone) && !(holds_1 && own_is_alone)
            && (!inner_values_inside || mark_inside != 2'd1 || puts != own_is_alone)
            && (number == 2'd0 || quad[6:5] != 2'd1 || own_is_alone == (quad[4:2] == 3'd0 || quad[1:0] == 2'd0)));
        failures_kept: assert (inner_has_failed == has_failed && (!has_failed || inner_values_behind != 8'd0));
        own_failures: assert ((!is_own_open || own_fails == has_failed) && is_own_open == (inner_values_own_1 != 3'd0 && !inner_values_whole_1));
    end
    group_of #(.MARK(1)) first_quad (
        .own(inner_values_own_1), .ahead(inner_values_ahead_1), .first(inner_values_first_1), .whole(inner_values_whole_1),
        .count(inner_values_fifo_count), .behind(inner_values_behind), .more(own_more), .came_1(came_1), .came_2(came_2),
        .coming(number != 2'd0 && quad[6:5] == 2'd1), .coming_more(quad[1:0]), .number(number), .is_sent(sent != 2'd0), .is_seen(seen != 2'd0),
        .is_inside(inner_values_inside && mark_inside == 2'd1), .holds(holds_1), .leaves(leaves_1)
    );
    group_of #(.MARK(2)) second_quad (
        .own(inner_values_own_2), .ahead(inner_values_ahead_2), .first(inner_values_first_2), .whole(inner_values_whole_2),
        .count(inner_values_fifo_count), .behind(inner_values_behind), .more(other_more), .came_1(came_1), .came_2(came_2),
        .coming(number != 2'd0 && quad[6:5] == 2'd2), .coming_more(quad[1:0]), .number(number), .is_sent(sent == 2'd2), .is_seen(seen == 2'd2),
        .is_inside(inner_values_inside && mark_inside == 2'd2), .holds(holds_2), .leaves(leaves_2)
    );
    // Clocks until that, at most. The last channel of a value is on its way through the arithmetic, if one is.
    wire [13:1] inner_walk_last;
    wire inner_turn_is_divided, inner_turn_manner_divides;
    wire [3:0] clocks_there = inner_walk_last[1] ? 4'd12 : inner_walk_last[2] ? 4'd11 : inner_walk_last[3] ? 4'd10 : inner_walk_last[4] ? 4'd9
        : inner_walk_last[5] ? 4'd8 : inner_walk_last[6] ? 4'd7 : inner_walk_last[7] ? 4'd6 : inner_walk_last[8] ? 4'd5
        : inner_walk_last[9] ? 4'd4 : inner_walk_last[10] ? 4'd3 : inner_walk_last[11] ? 4'd2 : inner_walk_last[12] ? 4'd1 : 4'd0;
    wire [5:0] clocks = inner_turn_gives ? 6'd1
        : inner_turn_settles ? clocks_there + (inner_turn_manner_divides && !inner_turn_is_divided ? 6'd31 : 6'd2)
        : inner_turn_divides ? 6'd30 - inner_turn_number : inner_turn_walks ? 6'd15 - inner_turn_number
        : inner_turn_may_put ? 6'd0 : 6'd16;
    wire is_between = !inner_turn_is_busy && inner_values_inside && puts && walks;
    always @* begin
        one_on_its_way: assert ((inner_walk_last & (inner_walk_last - 13'd1)) == 13'd0
            && (inner_walk_last == 13'd0 || inner_turn_walks || inner_turn_settles || is_between)
            && (!inner_turn_settles || inner_walk_last != 13'd0)
            && (!inner_turn_walks || inner_walk_last == 13'd0 || {1'b0, clocks_there} + inner_turn_number <= 5'd11));
        comes_closer: assert (goes || !out_ready || !inner_verdicts_output_valid || {1'b0, still} + clocks <= 7'd45);
        divides_once: assert (!inner_turn_divides || !inner_turn_is_divided);
    end
    always @* begin
        own_so_far: assert (!inner_values_inside || mark_inside != 2'd1 || puts || so_far == inner_values_first_1);
        put_together: cover (done && out_mark == 2'd2 && !own_is_alone && is_last);
        by_the_walk: cover (inner_turn_walks && inner_turn_number == 4'd3);
        alone: cover (done && out_mark == 2'd1 && !is_last && own_fails && result == 2'd1);
    end
endmodule
