// Values of indirect look-ups, complete and in order.
//
// The FIFOs stand in for the emitted ones, which have their own proofs: they show an item as many clocks after it came as those do,
// count, and know of all items how many values and results they stand for, so that those in front of any one are known. The memories of
// values answer anything: which place is read is what counts. So does the arithmetic. The valid bits of a quad go past everything, and
// stand for its number here.

// Proof `aggregate` shows all of this, on which `aggregate_goes_on` relies.
`ifdef GOES_ON
`define HOLDS assume
`else
`define HOLDS assert
`endif

module counted_fifo #(parameter AGE = 1, parameter MOST = 128) (
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
    // Proofs `sync_fifo_block`, `sync_fifo_lut` and `sync_fifo_late`.
    assign valid = count > {6'd0, young};
    assign items = count;
    assign level = count + gave;
    always @* fits: `HOLDS (count <= MOST);
endmodule

// Quads that are whole.
module sync_fifo_128x11 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [10:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [10:0] output_data,
    output wire [7:0] level
);
    (* anyseq *) reg [10:0] item;
    wire [7:0] count;
    wire given = output_valid && output_ready;
    counted_fifo #(.AGE(2)) fifo (
        .clk(clk), .rst(rst), .taken(input_valid), .given(given), .valid(output_valid), .items(count), .level(level)
    );
    assign input_ready = 1'b1;
    assign output_data = item;
    reg waits = 1'b0;
    reg [10:0] was;
    reg [8:0] all = 9'd0;
    always @(posedge clk) begin
        waits <= output_valid && !output_ready && !rst;
        was <= item;
        all <= rst ? 9'd0 : all + (input_valid ? input_data[4:3] + 9'd1 : 9'd0) - (given ? item[4:3] + 9'd1 : 9'd0);
    end
    values_of_quads values (.valid(output_valid), .more(item[4:3]), .quads(count), .all(all));
    always @* if (waits) assume (item == was);
endmodule

// Quads in line to leave.
module sync_fifo_32x9_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [8:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [8:0] output_data,
    output wire [5:0] level
);
    (* anyseq *) reg [8:0] item;
    wire [7:0] count, held;
    wire given = output_valid && output_ready;
    counted_fifo #(.AGE(1), .MOST(31)) fifo (
        .clk(clk), .rst(rst), .taken(input_valid), .given(given), .valid(output_valid), .items(count), .level(held)
    );
    assign level = held[5:0];
    assign input_ready = 1'b1;
    assign output_data = item;
    reg waits = 1'b0;
    reg [8:0] was;
    // Their values, and those of them whose values are put together.
    reg [8:0] all = 9'd0;
    reg [7:0] ones = 8'd0;
    always @(posedge clk) begin
        waits <= output_valid && !output_ready && !rst;
        was <= item;
        all <= rst ? 9'd0 : all + (input_valid ? input_data[2:1] + 9'd1 : 9'd0) - (given ? item[2:1] + 9'd1 : 9'd0);
        ones <= rst ? 8'd0 : ones + (input_valid && input_data[0]) - (given && item[0]);
    end
    values_of_quads values (.valid(output_valid), .more(item[2:1]), .quads(count), .all(all));
    always @* begin
        if (waits) assume (item == was);
        if (output_valid) assume (item[0] ? ones != 8'd0 && item[2:1] != 2'd0 : ones != count);
    end
endmodule

// Results of channels, of which each quad has sixteen in order: the number of one is known by how many came before.
module sync_fifo_32x43 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [42:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [42:0] output_data,
    output wire [5:0] level
);
    (* anyseq *) reg [42:0] item;
    wire [7:0] count, held;
    wire given = output_valid && output_ready;
    counted_fifo #(.AGE(1), .MOST(32)) fifo (
        .clk(clk), .rst(rst), .taken(input_valid), .given(given), .valid(output_valid), .items(count), .level(held)
    );
    assign level = held[5:0];
    assign input_ready = 1'b1;
    assign output_data = item;
    // The numbers of those that come next and leave next, and the quad's parity above; places by that.
    reg [4:0] next_in = 5'd0, next_out = 5'd0;
    reg [6:0] even, odd;
    wire [6:0] place = next_out[4] ? odd : even;
    always @(posedge clk) begin
        next_in <= rst ? 5'd0 : next_in + input_valid;
        next_out <= rst ? 5'd0 : next_out + given;
        if (input_valid && !next_in[4]) even <= input_data[6:0];
        if (input_valid && next_in[4]) odd <= input_data[6:0];
    end
    always @* begin
        if (input_valid && !rst) results_in_order: `HOLDS (input_data[10:7] == next_in[3:0]);
        if (output_valid) assume (item[10:7] == next_out[3:0] && item[6:0] == place);
    end
endmodule

// Values.
module ram_simple_dual_port_128x32 (
    input wire clk,
    input wire write_enable,
    input wire [6:0] write_address,
    input wire [31:0] write_data,
    input wire read_enable,
    input wire [6:0] read_address,
    input wire output_enable,
    output wire [31:0] read_data
);
    (* anyseq *) reg [31:0] anything;
    assign read_data = anything;
endmodule

module distributed_ram_16x32 (
    input wire clk,
    input wire write_enable,
    input wire [3:0] write_address,
    input wire [31:0] write_data,
    input wire [3:0] read_address,
    output wire [31:0] read_data
);
    (* anyseq *) reg [31:0] anything;
    assign read_data = anything;
endmodule

module float_add (
    input wire clk,
    input wire enable,
    input wire [31:0] a,
    input wire [31:0] b,
    input wire subtract,
    output wire [31:0] result
);
    (* anyseq *) reg [31:0] anything;
    assign result = anything;
endmodule

module float_multiply (
    input wire clk,
    input wire enable,
    input wire [31:0] a,
    input wire [31:0] b,
    output wire [31:0] result
);
    (* anyseq *) reg [31:0] anything;
    assign result = anything;
endmodule

// What leaves, at one place on its way: the quad and the value that are due there, and those that are due behind.
module leaving_stage (
    input wire is_there,
    input wire is_last,
    input wire [3:0] tag,
    input wire fails,
    input wire [6:0] place,
    input wire [7:0] quad,
    input wire [1:0] value,
    input wire is_own,
    input wire own_is_one,
    input wire [1:0] own_more,
    input wire own_fails,
    input wire [6:0] own_first,
    output wire [7:0] next_quad,
    output wire [1:0] next_value
);
    assign next_quad = quad + (is_there && is_last);
    assign next_value = !is_there ? value : is_last ? 2'd0 : value + 2'd1;
    always @* if (is_there) begin
        own_turn: `HOLDS (tag == quad[3:0] && (value != 2'd3 || is_last));
        if (is_own) begin
            own_end: `HOLDS (is_last == (own_is_one || value == own_more) && value <= own_more && (!own_is_one || value == 2'd0));
            own_failure: `HOLDS (fails == own_fails);
            own_place: `HOLDS (place == own_first + (own_is_one ? own_more : value));
        end
    end
endmodule

// A task at one place on its way: tasks of a quad follow each other, none of another one between them. `open`: the one in front was not the
// last one of its quad, and whether it walks. No other one comes behind one that walks before all of that is written.
module task_stage (
    input wire is_there,
    input wire walks,
    input wire is_first,
    input wire is_last,
    input wire ends,
    input wire [1:0] open,
    input wire walk_ahead,
    output wire [1:0] next_open,
    output wire next_walk_ahead
);
    assign next_open = is_there ? {walks, !is_last} : open;
    assign next_walk_ahead = walk_ahead || (is_there && walks);
    always @* if (is_there) begin
        one_by_one: `HOLDS (is_first == !open[0] && (!open[0] || walks == open[1]) && !(is_first && is_last));
        straight_end: `HOLDS (ends == (is_last && !walks));
        walks_alone: `HOLDS (walks || !walk_ahead);
    end
endmodule

// A channel's last task on its way: its number follows from those in front.
module channel_stage (
    input wire is_there,
    input wire [3:0] number,
    input wire [3:0] due,
    output wire [3:0] next_due
);
    assign next_due = due + is_there;
    always @* if (is_there) numbered: `HOLDS (number == due);
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

    // Values of a quad come behind each other and are alike. So many come at most when there is no more room. The quad's number goes
    // along.
    reg [1:0] number = 2'd0;
    reg [7:0] late = 8'd0, quad = 8'd0;
    reg [5:0] quad_was;
    wire [5:0] alike = {sample[5], operation, more};
    always @(posedge clk)
        if (rst) begin
            number <= 2'd0;
            late <= 8'd0;
            quad <= 8'd0;
        end else begin
            if (in_valid) begin
                number <= ends_quad ? 2'd0 : number + 2'd1;
                quad_was <= alike;
                quad <= quad + ends_quad;
            end
            late <= has_room ? 8'd0 : late + in_valid;
        end
    always @* if (in_valid) begin
        assume (ends_quad == (number == more) && sample[3:0] == quad[3:0] && (number == 2'd0 || alike == quad_was));
        assume (has_room || late < `MARGIN - 4);
    end

    // The watched quad: what becomes of it, and whether a value of it failed, as soon as its values are in the memories.
    (* anyconst *) reg [7:0] own;
    reg own_fails, own_is_one;
    reg [1:0] own_more;

    // Results: the quad whose turn it is, and the value.
    reg [7:0] gone = 8'd0;
    reg [1:0] result = 2'd0;
    reg [2:0] overdue = 3'd0;
    wire is_last = out[6];
    always @(posedge clk)
        if (rst) begin
            gone <= 8'd0;
            result <= 2'd0;
            overdue <= 3'd0;
        end else begin
            if (done) begin
                gone <= gone + is_last;
                result <= is_last ? 2'd0 : result + 2'd1;
            end
            overdue <= out_ready ? 3'd0 : overdue + done;
        end
    // Where no more may come, there is a quad that can leave.
    reg was_reset = 1'b1;
    always @(posedge clk) was_reset <= rst;
    always @* waits_for_results_only: `HOLDS (has_room || was_reset || quad != gone);
    always @* if (done) begin
        behind_the_last_value: `HOLDS (quad != gone);
        in_turn: `HOLDS (out[3:0] == gone[3:0]);
        has_room_for_result: `HOLDS (out_ready || overdue < 3'd4);
        if (gone == own) begin
            last_at_the_end: `HOLDS (is_last == (own_is_one || result == own_more));
            failure_told: `HOLDS (out[4] == own_fails);
        end
    end

    // What came one and two clocks before: the quad, of a value its number, whether it failed, what is alike, whether it ends its quad.
    reg [18:0] came_1 = 19'd0, came_2 = 19'd0;
    always @(posedge clk) begin
        came_1 <= rst || !in_valid ? 19'd0 : {sample[4], alike, quad, number, ends_quad, 1'b1};
        came_2 <= rst ? 19'd0 : came_1;
        if (came_2[0] && came_2[11:4] == own) begin
            own_fails <= came_2[18] || (came_2[3:2] != 2'd0 && own_fails);
            own_more <= came_2[13:12];
            own_is_one <= came_2[16:14] != 3'd0 && came_2[13:12] != 2'd0;
        end
    end
    wire comes = came_2[0], comes_last = came_2[1] && comes;
    wire [7:0] came_quad = came_2[11:4];

    // Quads counted: those that are whole, are looked at, came into the line, have left it; of those whose values are put together those of
    // which all are read, the result is written, it leaves.
    wire inner_order_quads_output_valid, inner_order_line_output_valid, inner_order_line_output_ready, inner_order_has_quad, inner_order_joins;
    wire inner_order_quads_output_ready, inner_order_is_last, inner_order_asked_input_valid, inner_order_asked_ready;
    wire inner_shown_is_put_exit, inner_shown_put_head_is_whole_exit;
    wire [3:0] inner_shown_put_head_number_exit;
    wire [28:0] inner_order_asked_input_data;
    wire [10:0] inner_order_quads_output_data, inner_order_quads_input_data;
    wire [8:0] inner_order_line_output_data;
    wire inner_order_quads_input_valid;
    reg [7:0] whole = 8'd0, looked = 8'd0, lined = 8'd0, left = 8'd0, ended = 8'd0, written = 8'd0, taken_out = 8'd0;
    wire looks = inner_order_quads_output_valid && inner_order_quads_output_ready;
    wire line_gives = inner_order_line_output_valid && inner_order_line_output_ready;
    wire leaves_one = line_gives && inner_order_line_output_data[0];
    wire reads_last = inner_order_asked_input_valid && inner_order_asked_ready && inner_order_asked_input_data[0] && inner_order_asked_input_data[15];
    always @(posedge clk)
        if (rst) begin
            whole <= 8'd0;
            looked <= 8'd0;
            lined <= 8'd0;
            left <= 8'd0;
            ended <= 8'd0;
            written <= 8'd0;
            taken_out <= 8'd0;
        end else begin
            whole <= whole + inner_order_quads_input_valid;
            looked <= looked + looks;
            lined <= lined + inner_order_joins;
            left <= left + line_gives;
            ended <= ended + reads_last;
            written <= written + (inner_shown_is_put_exit && (inner_shown_put_head_is_whole_exit || inner_shown_put_head_number_exit == 4'd15));
            taken_out <= taken_out + leaves_one;
        end
    always @* own_result_is_written: `HOLDS (!leaves_one || written != taken_out);

    // What the FIFOs show of quads.
    reg [10:0] own_quad;
    always @(posedge clk) if (inner_order_quads_input_valid && whole == own) own_quad <= inner_order_quads_input_data;
    wire [8:0] own_in_line = {own_quad[10], own_quad[9], own_quad[8:5], own_quad[4:3], own_quad[2:0] != 3'd0 && own_quad[4:3] != 2'd0};
    always @* begin
        if (inner_order_quads_output_valid) begin
            assume (inner_order_quads_output_data[8:5] == looked[3:0]);
            if (looked == own) assume (inner_order_quads_output_data == own_quad);
        end
        if (inner_order_line_output_valid) begin
            assume (inner_order_line_output_data[6:3] == left[3:0]);
            if (left == own) assume (inner_order_line_output_data == own_in_line);
        end
    end

    // The watched quad's first place, and how many values wait in front of it in the FIFOs.
    wire [6:0] inner_next_place;
    reg [6:0] own_first;
    reg [8:0] ahead_whole = 9'd0, ahead_line = 9'd0;
    wire [8:0] inner_order_quads_all, inner_order_line_all;
    wire [7:0] inner_order_quads_fifo_count, inner_order_line_fifo_count, inner_order_line_ones;
    wire [8:0] whole_gives = looks ? inner_order_quads_output_data[4:3] + 9'd1 : 9'd0;
    wire [8:0] line_gives_values = line_gives ? inner_order_line_output_data[2:1] + 9'd1 : 9'd0;
    always @(posedge clk) begin
        if (comes && came_quad == own && came_2[3:2] == 2'd0) own_first <= inner_next_place;
        ahead_whole <= inner_order_quads_input_valid && whole == own ? inner_order_quads_all - whole_gives : ahead_whole - whole_gives;
        ahead_line <= inner_order_joins && lined == own ? inner_order_line_all - line_gives_values : ahead_line - line_gives_values;
    end
    wire [7:0] before_whole = own - looked, before_line = own - left;
    wire waits_whole = before_whole < inner_order_quads_fifo_count, waits_line = before_line < inner_order_line_fifo_count;
    values_of_quads ahead_of_whole (
        .valid(inner_order_quads_output_valid && waits_whole && before_whole != 8'd0), .more(inner_order_quads_output_data[4:3]),
        .quads(before_whole), .all(ahead_whole)
    );
    values_of_quads ahead_in_line (
        .valid(inner_order_line_output_valid && waits_line && before_line != 8'd0), .more(inner_order_line_output_data[2:1]),
        .quads(before_line), .all(ahead_line)
    );

    // For the induction: what is where.
    wire inner_shown_valid_chosen, inner_shown_valid_exit, inner_shown_value_ends_quad_exit, inner_shown_value_ends_quad_chosen;
    wire [3:0] inner_shown_value_valid_exit, inner_shown_value_valid_chosen;
    wire [1:0] inner_shown_value_marks_more_exit, inner_shown_value_marks_more_chosen;
    wire [2:0] inner_shown_value_marks_operation_exit, inner_shown_value_marks_operation_chosen;
    wire inner_shown_value_fails_exit, inner_shown_value_fails_chosen, inner_order_has_failed;
    wire inner_shown_are_floats_chosen, inner_shown_are_floats_exit;
    wire inner_order_looked_is_one, inner_order_looked_walks, inner_order_looked_is_divided, inner_order_looked_quad_fails;
    wire inner_order_looked_quad_are_floats, inner_order_begins, inner_order_line_has_room, inner_room;
    wire [3:0] inner_order_looked_quad_valid, inner_order_joiner_valid;
    wire [2:0] inner_order_looked_quad_marks_operation;
    wire [1:0] inner_order_looked_quad_marks_more, inner_order_task_number, inner_order_left, inner_order_joiner_more;
    wire [6:0] inner_order_task_place, inner_order_leave_place, inner_order_made;
    wire [1:0] inner_order_leave_number;
    wire inner_order_joiner_is_one, inner_order_joiner_fails, inner_order_joiner_are_floats, inner_order_has_made, inner_order_is_made, inner_order_has_left;
    wire inner_order_line_waits;
    wire [8:0] inner_order_line_was;

    // Values of the quad that comes.
    reg [1:0] open_values = 2'd0;
    reg [5:0] open_alike;
    always @(posedge clk) if (comes) open_alike <= came_2[17:12];
    always @(posedge clk) if (rst) open_values <= 2'd0; else if (comes) open_values <= comes_last ? 2'd0 : open_values + 2'd1;
    wire has_quad = inner_order_has_quad, is_one = inner_order_looked_is_one;
    wire [1:0] quad_more = inner_order_looked_quad_marks_more;
    wire [8:0] of_looked = has_quad ? quad_more + 9'd1 : 9'd0;
    wire [8:0] of_joiner = inner_order_joins ? inner_order_joiner_more + 9'd1 : 9'd0;
    wire [8:0] values_there = open_values + inner_order_quads_all + of_looked + of_joiner + inner_order_line_all - inner_order_leave_number;
    wire [8:0] on_way = values_there + came_1[0] + came_2[0];
    // Values of the quad that is looked at which are read, and its first place.
    wire [1:0] passed = inner_order_is_last && inner_order_looked_is_divided ? quad_more : inner_order_task_number;
    wire [6:0] looked_first = has_quad ? inner_order_task_place - passed : inner_order_task_place;
    wire [6:0] line_first = inner_order_leave_place - inner_order_leave_number;
    wire [1:0] number_1 = !came_2[0] ? open_values : came_2[1] ? 2'd0 : open_values + 2'd1;
    wire [7:0] quad_2 = whole, quad_1 = whole + comes_last;
    always @* begin
        all_came: `HOLDS (inner_shown_valid_chosen == came_1[0] && inner_shown_valid_exit == came_2[0]);
        if (came_1[0]) first_stage: `HOLDS ({inner_shown_value_fails_chosen, inner_shown_are_floats_chosen, inner_shown_value_marks_operation_chosen,
            inner_shown_value_marks_more_chosen, inner_shown_value_valid_chosen, inner_shown_value_ends_quad_chosen} == {came_1[18:12], came_1[7:4], came_1[1]});
        if (came_2[0]) second_stage: `HOLDS ({inner_shown_value_fails_exit, inner_shown_are_floats_exit, inner_shown_value_marks_operation_exit,
            inner_shown_value_marks_more_exit, inner_shown_value_valid_exit, inner_shown_value_ends_quad_exit} == {came_2[18:12], came_2[7:4], came_2[1]});
        in_sequence: `HOLDS ((!came_2[0] || (came_2[3:2] == open_values && came_2[11:4] == quad_2))
            && (!came_1[0] || (came_1[3:2] == number_1 && came_1[11:4] == quad_1))
            && number == (!came_1[0] ? number_1 : came_1[1] ? 2'd0 : number_1 + 2'd1) && quad == quad_1 + (came_1[0] && came_1[1]));
        open_ones: `HOLDS ((number == 2'd0 || number <= quad_was[1:0])
            && (!came_2[0] || (came_2[3:2] <= came_2[13:12] && came_2[1] == (came_2[3:2] == came_2[13:12])))
            && (!came_1[0] || (came_1[3:2] <= came_1[13:12] && came_1[1] == (came_1[3:2] == came_1[13:12])))
            && (!came_2[0] || !came_1[0] || came_2[1] || came_1[17:12] == came_2[17:12])
            && (number == 2'd0 || (came_1[0] ? came_1[17:12] : came_2[0] ? came_2[17:12] : open_alike) == quad_was)
            && (open_values == 2'd0 || ((!came_2[0] || came_2[17:12] == open_alike) && (came_2[0] || !came_1[0] || came_1[17:12] == open_alike)))
            && (open_values != 2'd0 || !inner_order_has_failed));
        if (open_values != 2'd0 && whole == own) own_opens: `HOLDS (own_fails == inner_order_has_failed && own_first + open_values == inner_next_place
            && own_more == open_alike[1:0] && own_is_one == (open_alike[4:2] != 3'd0 && own_more != 2'd0));
        quads_counted: `HOLDS (whole - looked == inner_order_quads_fifo_count && looked - lined == has_quad + inner_order_joins
            && lined - left == inner_order_line_fifo_count && inner_order_quads_all >= {1'b0, inner_order_quads_fifo_count}
            && inner_order_line_all >= {1'b0, inner_order_line_fifo_count} && inner_order_line_ones <= inner_order_line_fifo_count
            && inner_order_quads_all <= {inner_order_quads_fifo_count[6:0], 2'd0} && inner_order_line_all <= {inner_order_line_fifo_count[6:0], 2'd0}
            && inner_order_quads_fifo_count <= 8'd120 && inner_order_line_fifo_count <= 8'd31);
        limited: `HOLDS (on_way <= (has_room ? 9'd58 : 9'd59 + late) && late <= `MARGIN - 4 && inner_room == has_room
            && inner_order_leave_number <= inner_order_line_all && values_there <= 9'd120
            && inner_order_quads_all <= 9'd123 && inner_order_line_all <= 9'd123);
        places_follow: `HOLDS (looked_first + of_looked[6:0] + inner_order_quads_all[6:0] + open_values == inner_next_place
            && line_first + inner_order_line_all[6:0] + of_joiner[6:0] == looked_first);
        leaves_value_by_value: `HOLDS (inner_order_leave_number == 2'd0 || (inner_order_line_waits && inner_order_line_output_valid
            && !inner_order_line_was[0] && inner_order_leave_number <= inner_order_line_was[2:1]));
    end
    // The quad that is looked at.
    wire is_div = inner_order_looked_is_divided;
    always @* begin
        if (has_quad) begin
            looked_tag: `HOLDS (inner_order_looked_quad_valid == looked[3:0] - 4'd1);
            if (is_one) parts: `HOLDS (quad_more != 2'd0 && (is_div
                ? (inner_order_is_last ? inner_order_left == 2'd3 && inner_order_task_number == quad_more + 2'd1
                    : {1'b0, inner_order_task_number} + inner_order_left == {1'b0, quad_more})
                : {1'b0, inner_order_task_number} + inner_order_left == {1'b0, quad_more} && inner_order_is_last == (inner_order_left == 2'd0))
                && inner_order_begins == (inner_order_task_number == 2'd0 && !inner_order_is_last)
                && (!is_div || inner_order_looked_walks));
            if (!is_one) no_parts: `HOLDS (inner_order_begins && inner_order_task_number == 2'd0 && !inner_order_is_last);
            if (looked - 8'd1 == own) own_looked: `HOLDS ({inner_order_looked_quad_are_floats, inner_order_looked_quad_fails,
                inner_order_looked_quad_valid, quad_more, inner_order_looked_quad_marks_operation} == own_quad && is_one == own_in_line[0]);
        end
        if (inner_order_joins) begin
            joiner_tag: `HOLDS (inner_order_joiner_valid == lined[3:0] && (!inner_order_joiner_is_one || inner_order_joiner_more != 2'd0));
            if (lined == own) own_joins: `HOLDS ({inner_order_joiner_are_floats, inner_order_joiner_fails, inner_order_joiner_valid,
                inner_order_joiner_more, inner_order_joiner_is_one} == own_in_line);
        end
        line_counted: `HOLDS (inner_order_line_fifo_count + inner_order_joins <= (inner_order_line_has_room ? 8'd29 : 8'd30));
    end
    // The watched quad on its way.
    wire [7:0] since_gone = own - gone;
    wire own_there = since_gone < whole - gone;
    always @* begin
        if (own_there) own_known: `HOLDS (own_quad[9] == own_fails && own_quad[4:3] == own_more && own_in_line[0] == own_is_one
            && own_quad[8:5] == own[3:0]);
        if (waits_whole) own_whole_place: `HOLDS (own_first == looked_first + of_looked[6:0] + ahead_whole[6:0]
            && ahead_whole >= {1'b0, before_whole} && ahead_whole <= {before_whole[6:0], 2'd0} && ahead_whole < inner_order_quads_all);
        if (waits_line) own_line_place: `HOLDS (own_first == line_first + ahead_line[6:0]
            && ahead_line >= {1'b0, before_line} && ahead_line <= {before_line[6:0], 2'd0} && ahead_line < inner_order_line_all);
        if (has_quad && looked - 8'd1 == own) own_looked_place: `HOLDS (own_first == looked_first);
        if (inner_order_joins && lined == own) own_joins_place: `HOLDS (own_first == line_first + inner_order_line_all[6:0]);
        all_quads: `HOLDS (whole - gone <= 8'd170 && left - gone <= 8'd4);
    end

    // What is asked of the memories: in the skid buffer, in the latches, offered.
    wire inner_order_asked_valid, inner_order_asked_skid_valid, inner_order_read_is_task, inner_order_read_leaves;
    wire inner_order_offered_is_task, inner_order_offered_leaves, inner_order_are_both;
    wire [28:0] inner_order_asked_data, inner_order_asked_skid_data;
    wire [3:0] inner_order_read_leaving_valid, inner_order_offered_leaving_valid;
    wire [6:0] inner_order_read_place, inner_order_offered_place;
    wire inner_order_read_leaving_fails, inner_order_read_leaving_is_last, inner_order_offered_leaving_fails, inner_order_offered_leaving_is_last;
    wire inner_order_read_task_walks, inner_order_read_task_is_first, inner_order_read_task_is_last, inner_order_read_task_ends;
    wire inner_order_offered_task_walks, inner_order_offered_task_is_first, inner_order_offered_task_is_last, inner_order_offered_task_ends;
    wire skid_leaves = inner_order_asked_valid && !inner_order_asked_data[0], aside_leaves = inner_order_asked_skid_valid && !inner_order_asked_skid_data[0];
    wire [7:0] quad_read, quad_asked, quad_aside, quad_left;
    wire [1:0] value_read, value_asked, value_aside, value_left;
    leaving_stage leaves_offered (
        .is_there(done), .is_last(inner_order_offered_leaving_is_last), .tag(inner_order_offered_leaving_valid),
        .fails(inner_order_offered_leaving_fails), .place(inner_order_offered_place), .quad(gone), .value(result), .is_own(gone == own),
        .own_is_one(own_is_one), .own_more(own_more), .own_fails(own_fails), .own_first(own_first), .next_quad(quad_read), .next_value(value_read)
    );
    leaving_stage leaves_read (
        .is_there(inner_order_read_leaves), .is_last(inner_order_read_leaving_is_last), .tag(inner_order_read_leaving_valid),
        .fails(inner_order_read_leaving_fails), .place(inner_order_read_place), .quad(quad_read), .value(value_read), .is_own(quad_read == own),
        .own_is_one(own_is_one), .own_more(own_more), .own_fails(own_fails), .own_first(own_first), .next_quad(quad_asked), .next_value(value_asked)
    );
    leaving_stage leaves_asked (
        .is_there(skid_leaves), .is_last(inner_order_asked_data[28]), .tag(inner_order_asked_data[25:22]),
        .fails(inner_order_asked_data[26]), .place(inner_order_asked_data[7:1]), .quad(quad_asked), .value(value_asked), .is_own(quad_asked == own),
        .own_is_one(own_is_one), .own_more(own_more), .own_fails(own_fails), .own_first(own_first), .next_quad(quad_aside), .next_value(value_aside)
    );
    leaving_stage leaves_aside (
        .is_there(aside_leaves), .is_last(inner_order_asked_skid_data[28]), .tag(inner_order_asked_skid_data[25:22]),
        .fails(inner_order_asked_skid_data[26]), .place(inner_order_asked_skid_data[7:1]), .quad(quad_aside), .value(value_aside), .is_own(quad_aside == own),
        .own_is_one(own_is_one), .own_more(own_more), .own_fails(own_fails), .own_first(own_first), .next_quad(quad_left), .next_value(value_left)
    );
    always @* begin
        one_sort: `HOLDS (!(inner_order_read_is_task && inner_order_read_leaves) && !(inner_order_offered_is_task && inner_order_offered_leaves)
            && inner_order_offered_leaves == done
            && inner_order_are_both == ((inner_order_read_is_task || inner_order_read_leaves) && (inner_order_offered_is_task || done)));
        aside_behind: `HOLDS (!inner_order_asked_skid_valid || (inner_order_asked_valid && !inner_order_asked_ready));
        left_in_turn: `HOLDS (quad_left == left && value_left == inner_order_leave_number);
        few_are_late: `HOLDS (overdue + done + inner_order_read_leaves + skid_leaves + aside_leaves <= 4'd4);
    end

    // Tasks. Of the value that was taken last: it is not the last one of its quad, and whether it walks.
    wire inner_takes_put_together_takes, inner_taken_is_there, inner_taken_is_free, inner_taken_task_walks, inner_taken_task_is_last, inner_taken_task_compares;
    wire inner_straight_is_compared, inner_straight_finishes, inner_straight_may_end, inner_straight_has_put, inner_straight_put_head_is_whole;
    wire [3:0] inner_straight_put_head_number, inner_walk_number;
    wire [1:0] inner_order_walks;
    wire inner_order_has_walks, inner_order_is_full;
    reg [1:0] open = 2'd0;
    always @(posedge clk) if (rst) open <= 2'd0; else if (inner_takes_put_together_takes) open <= {inner_order_offered_task_walks, !inner_order_offered_task_is_last};
    wire skid_task = inner_order_asked_valid && inner_order_asked_data[0], aside_task = inner_order_asked_skid_valid && inner_order_asked_skid_data[0];
    // Channels of last tasks, counted: those that went into the walk, and those of which the result is written.
    reg [5:0] channels_in = 6'd0, channels_written = 6'd0;
    wire walking = inner_taken_is_there && inner_taken_task_walks, walking_last = walking && inner_taken_task_is_last;
    wire put_walks = inner_straight_has_put && !inner_straight_put_head_is_whole, exit_walks = inner_shown_is_put_exit && !inner_shown_put_head_is_whole_exit;
    always @(posedge clk) begin
        channels_in <= rst ? 6'd0 : channels_in + walking_last;
        channels_written <= rst ? 6'd0 : channels_written + exit_walks;
    end
    wire [5:0] channels_there = channels_in - channels_written;
    wire [1:0] quads_walked = channels_in[5:4] - channels_written[5:4];
    wire [1:0] open_read, open_asked, open_aside, open_looked;
    wire walk_read, walk_asked, walk_aside, walk_looked;
    task_stage task_offered (
        .is_there(inner_order_offered_is_task), .walks(inner_order_offered_task_walks), .is_first(inner_order_offered_task_is_first),
        .is_last(inner_order_offered_task_is_last), .ends(inner_order_offered_task_ends), .open(open),
        .walk_ahead(channels_there != 6'd0 || walking), .next_open(open_read), .next_walk_ahead(walk_read)
    );
    task_stage task_read (
        .is_there(inner_order_read_is_task), .walks(inner_order_read_task_walks), .is_first(inner_order_read_task_is_first),
        .is_last(inner_order_read_task_is_last), .ends(inner_order_read_task_ends), .open(open_read),
        .walk_ahead(walk_read), .next_open(open_asked), .next_walk_ahead(walk_asked)
    );
    task_stage task_asked (
        .is_there(skid_task), .walks(inner_order_asked_data[8]), .is_first(inner_order_asked_data[13]), .is_last(inner_order_asked_data[15]),
        .ends(inner_order_asked_data[14]), .open(open_asked), .walk_ahead(walk_asked), .next_open(open_aside), .next_walk_ahead(walk_aside)
    );
    task_stage task_aside (
        .is_there(aside_task), .walks(inner_order_asked_skid_data[8]), .is_first(inner_order_asked_skid_data[13]),
        .is_last(inner_order_asked_skid_data[15]), .ends(inner_order_asked_skid_data[14]), .open(open_aside), .walk_ahead(walk_aside),
        .next_open(open_looked), .next_walk_ahead(walk_looked)
    );
    wire begun = has_quad && is_one && !inner_order_begins;
    wire [4:0] lasts = {skid_task && inner_order_asked_data[15], aside_task && inner_order_asked_skid_data[15],
        inner_order_read_is_task && inner_order_read_task_is_last, inner_order_offered_is_task && inner_order_offered_task_is_last,
        inner_taken_is_there && inner_taken_task_is_last};
    wire [4:0] last_walks = lasts & {inner_order_asked_data[8], inner_order_asked_skid_data[8], inner_order_read_task_walks,
        inner_order_offered_task_walks, inner_taken_task_walks};
    wire straight_last = lasts[0] && !inner_taken_task_walks;
    always @* begin
        looked_goes_on: assert (open_looked[0] == begun && (!begun || open_looked[1] == inner_order_looked_walks)
            && (!begun || inner_order_looked_walks || !walk_looked));
        taken_is_last_one: `HOLDS (!inner_taken_is_there || (inner_taken_task_is_last == !open[0] && inner_taken_task_walks == open[1]));
        taken_until_over: `HOLDS (inner_taken_is_free == (!inner_taken_is_there || (inner_taken_task_walks ? inner_walk_number == 4'd15
            : !inner_taken_task_compares || inner_straight_is_compared)) && (walking || inner_walk_number == 4'd0)
            && (!inner_straight_is_compared || (inner_taken_is_there && !inner_taken_task_walks && inner_taken_task_compares)));
        straight_alone: `HOLDS ((!inner_taken_is_there || inner_taken_task_walks || channels_there == 6'd0)
            && (!straight_last || (!inner_straight_has_put && !inner_straight_finishes)) && (!inner_straight_finishes || !inner_straight_has_put)
            && (!inner_straight_may_end || (!inner_straight_finishes && (!inner_straight_has_put || !inner_shown_valid_chosen)))
            && !(inner_shown_valid_exit && inner_shown_is_put_exit));
        walks_counted: `HOLDS (inner_order_walks <= 2'd2 && {2'd0, inner_order_walks} == (begun && inner_order_looked_walks) + last_walks[0] + last_walks[1]
            + last_walks[2] + last_walks[3] + last_walks[4] + {2'd0, quads_walked}
            && (inner_order_walks == 2'd0 || inner_order_has_walks || (begun && inner_order_looked_walks))
            && (inner_order_walks != 2'd2 || inner_order_is_full || (begun && inner_order_looked_walks)));
        results_counted: `HOLDS (ended - written == lasts[0] + lasts[1] + lasts[2] + lasts[3] + lasts[4] + inner_straight_finishes
            + (inner_straight_has_put && !put_walks) + (inner_shown_is_put_exit && !exit_walks) + {6'd0, quads_walked}
            && ended - taken_out == inner_order_line_ones + (inner_order_joins && inner_order_joiner_is_one));
        made_counted: `HOLDS ({1'b0, inner_order_made} + inner_order_is_made - inner_order_has_left == written - taken_out
            && (!inner_order_has_left || inner_order_made != 7'd0)
            && (!inner_order_has_made || (!inner_order_has_left && inner_order_made != 7'd0)));
    end

    // Channels in the walk.
    wire inner_walk_valid_prepare, inner_walk_is_last_prepare;
    wire [3:0] inner_walk_number_prepare;
    wire inner_walk_valid_factors, inner_walk_is_last_factors;
    wire [3:0] inner_walk_number_factors;
    wire inner_walk_valid_order, inner_walk_is_last_order;
    wire [3:0] inner_walk_number_order;
    wire inner_walk_valid_choose, inner_walk_is_last_choose;
    wire [3:0] inner_walk_number_choose;
    wire inner_walk_valid_product, inner_walk_is_last_product;
    wire [3:0] inner_walk_number_product;
    wire inner_walk_valid_round, inner_walk_is_last_round;
    wire [3:0] inner_walk_number_round;
    wire inner_walk_valid_fifth, inner_walk_is_last_fifth;
    wire [3:0] inner_walk_number_fifth;
    wire inner_walk_valid_sixth, inner_walk_is_last_sixth;
    wire [3:0] inner_walk_number_sixth;
    wire inner_walk_valid_seventh, inner_walk_is_last_seventh;
    wire [3:0] inner_walk_number_seventh;
    wire inner_walk_valid_eighth, inner_walk_is_last_eighth;
    wire [3:0] inner_walk_number_eighth;
    wire inner_walk_valid_select, inner_walk_is_last_select;
    wire [3:0] inner_walk_number_select;
    wire inner_walk_valid_exit, inner_walk_is_last_exit;
    wire [3:0] inner_walk_number_exit;
    wire [4:0] inner_walk_puts_next_in, inner_walk_puts_next_out;
    wire [7:0] inner_walk_puts_fifo_count;
    wire [12:1] there = {inner_walk_valid_exit && inner_walk_is_last_exit, inner_walk_valid_select && inner_walk_is_last_select, inner_walk_valid_eighth && inner_walk_is_last_eighth, inner_walk_valid_seventh && inner_walk_is_last_seventh, inner_walk_valid_sixth && inner_walk_is_last_sixth, inner_walk_valid_fifth && inner_walk_is_last_fifth, inner_walk_valid_round && inner_walk_is_last_round, inner_walk_valid_product && inner_walk_is_last_product, inner_walk_valid_choose && inner_walk_is_last_choose, inner_walk_valid_order && inner_walk_is_last_order, inner_walk_valid_factors && inner_walk_is_last_factors, inner_walk_valid_prepare && inner_walk_is_last_prepare};
    wire [47:0] numbers = {inner_walk_number_exit, inner_walk_number_select, inner_walk_number_eighth, inner_walk_number_seventh, inner_walk_number_sixth, inner_walk_number_fifth, inner_walk_number_round, inner_walk_number_product, inner_walk_number_choose, inner_walk_number_order, inner_walk_number_factors, inner_walk_number_prepare};
    wire [51:0] due;
    assign due[51:48] = inner_walk_puts_next_in[3:0];
    wire [3:0] in_walk = there[1] + there[2] + there[3] + there[4] + there[5] + there[6] + there[7] + there[8] + there[9] + there[10]
        + there[11] + there[12];
    genvar stage;
    generate
        for (stage = 1; stage <= 12; stage = stage + 1) begin : channels
            channel_stage channel (
                .is_there(there[stage]), .number(numbers[4*stage-1 -: 4]), .due(due[4*stage+3 -: 4]), .next_due(due[4*stage-1 -: 4])
            );
        end
    endgenerate
    always @* begin
        channels_follow: `HOLDS (due[3:0] == channels_in[3:0] && channels_in[3:0] == (walking_last ? inner_walk_number : 4'd0)
            && channels_there == {2'd0, in_walk} + inner_walk_puts_fifo_count[5:0] + put_walks + exit_walks && channels_there <= 6'd32
            && inner_walk_puts_next_in - inner_walk_puts_next_out == inner_walk_puts_fifo_count[4:0] && inner_walk_puts_fifo_count <= 8'd32
            && inner_walk_puts_next_out == channels_written[4:0] + put_walks + exit_walks
            && (!put_walks || inner_straight_put_head_number == channels_written[3:0] + exit_walks)
            && (!exit_walks || inner_shown_put_head_number_exit == channels_written[3:0]));
    end
`ifdef GOES_ON
    // While results find room, a quad that is there goes on: a value is taken to be put to others, a result is written or leaves, or one
    // more value comes.
    wire goes = in_valid || inner_takes_put_together_takes || inner_shown_is_put_exit || done;
    reg [5:0] still = 6'd0;
    always @(posedge clk) still <= rst || goes || !out_ready || whole == gone ? 6'd0 : still + 6'd1;
    always @* goes_on: assert (still <= `CLOCKS);
`endif
    always @* begin
        put_together: cover (done && gone == 8'd2 && own == 8'd2 && own_is_one);
        by_the_walk: cover (exit_walks && inner_shown_put_head_number_exit == 4'd3);
        alone: cover (done && gone == own && own == 8'd1 && !is_last && own_fails && result == 2'd1);
    end
endmodule
