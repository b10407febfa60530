// Indirect quads in both passes, and what else goes past them.
//
// The FIFO and the memories stand in for the emitted ones. The FIFO, which has its own proofs, shows an item as many clocks after it came
// as that does, counts, and gives as many items of a kind as it was given. Each memory keeps the word at one place, chosen freely, and
// answers anything for the others. What else belongs to an item goes past everything, and stands for its number here. Of places that
// wait and of numbers that are stored the outermost bits stand for all.

// Proof `look_ahead` shows all of this, on which `look_ahead_goes_on` relies.
`ifdef GOES_ON
`define HOLDS assume
`else
`define HOLDS assert
`endif

// What is looked at of an item that waits.
module kept_of_item (
    input wire [306:0] item,
    output wire [26:0] kept
);
    assign kept = {item[298], item[263], item[262], item[227], item[226], item[191], item[190], item[155], item[154], item[119],
        item[118], item[83], item[82], item[47], item[46], item[11], item[10:0]};
endmodule

// Items that wait.
module sync_fifo_64x307 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [306:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [306:0] output_data,
    output wire [6:0] level
);
    (* anyseq *) reg takes;
    (* anyseq *) reg [306:0] item;
    reg [6:0] count = 7'd0;
    reg [2:1] came = 2'd0;
    reg refused = 1'b0, waits = 1'b0;
    reg [10:0] was;
    // Items of both kinds that are told apart, and the kind of the newest item.
    reg [6:0] indirect = 7'd0, bindings = 7'd0;
    reg [1:0] newest;
    wire has_others = count != 7'd1;
    wire [1:0] young = came[1] + came[2];
    // Proof `sync_fifo_block`.
    assign output_valid = count > {5'd0, young};
    assign input_ready = takes && count != 7'd64;
    assign level = count;
    assign output_data = item;
    wire taken = input_valid && input_ready && !rst;
    wire given = output_valid && output_ready;
    always @(posedge clk) begin
        count <= rst ? 7'd0 : count + taken - given;
        came <= rst ? 2'd0 : {came[1], taken};
        refused <= count != 7'd64 && !takes && !rst;
        indirect <= rst ? 7'd0 : indirect + (taken && input_data[1]) - (given && item[1]);
        bindings <= rst ? 7'd0 : bindings + (taken && input_data[0]) - (given && item[0]);
        if (taken) newest <= input_data[1:0];
        waits <= output_valid && !output_ready && !rst;
        was <= item[10:0];
    end
    always @* begin
        fits: `HOLDS (count <= 7'd64);
        if (refused) assume (takes);
        if (output_valid) begin
            if (waits) assume (item[10:0] == was);
            assume (!(item[0] && item[1]));
            if (item[1]) assume (indirect > (has_others && newest[1]));
            else if (item[0]) assume (bindings > (has_others && newest[0]));
            else assume (indirect + bindings + (has_others && newest == 2'd0) < count);
            if (!has_others) assume (item[1:0] == newest);
        end
    end
endmodule

// Places.
module ram_simple_dual_port_256x32 (
    input wire clk,
    input wire write_enable,
    input wire [7:0] write_address,
    input wire [31:0] write_data,
    input wire read_enable,
    input wire [7:0] read_address,
    input wire output_enable,
    output wire [31:0] read_data
);
    (* anyconst *) reg [7:0] watched;
    (* anyseq *) reg [3:0] elsewhere;
    (* anyseq *) reg [31:0] anything;
    reg [3:0] word, latch, read;
    assign read_data = {read[3], anything[29:16], read[2:1], anything[13:0], read[0]};
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= {write_data[31], write_data[16], write_data[15], write_data[0]};
        if (read_enable) latch <= read_address == watched ? word : elsewhere;
        if (output_enable) read <= latch;
    end
endmodule

// Which quads failed.
module distributed_ram_64x1 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire write_data,
    input wire [5:0] read_address,
    output wire read_data
);
    (* anyconst *) reg [5:0] watched;
    (* anyseq *) reg elsewhere;
    reg word;
    assign read_data = read_address == watched ? word : elsewhere;
    always @(posedge clk) if (write_enable && write_address == watched) word <= write_data;
endmodule

// The lowest of four bits.
module lowest (
    input wire [3:0] of,
    output wire [1:0] number,
    output wire [3:0] others
);
    assign number = of[0] ? 2'd0 : of[1] ? 2'd1 : of[2] ? 2'd2 : 2'd3;
    assign others = of & ~(4'd1 << number);
endmodule

// A value of the watched pixel on its way through the memory that has it.
module kept_value #(parameter [1:0] NUMBER = 0) (
    input wire [1:0] pixel,
    input wire [15:0] places,
    input wire [15:0] words,
    input wire [15:0] latches,
    input wire [15:0] reads,
    input wire has,
    input wire is_read,
    input wire is_offered
);
    wire [1:0] bank = pixel + NUMBER;
    wire [3:0] own = places[4*NUMBER +: 4];
    wire [3:0] word = words >> {bank, 2'd0};
    wire [3:0] latch = latches >> {bank, 2'd0};
    wire [3:0] read = reads >> {bank, 2'd0};
    always @* begin
        if (has) word_kept: `HOLDS (word == own);
        if (is_read) word_read: `HOLDS (latch == own);
        if (is_offered) word_offered: `HOLDS (read == own);
    end
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [346:0] input_data,
    input wire output_ready,
    input wire back_valid,
    input wire [127:0] back_fields,
    input wire back_is_of_pixel,
    input wire [1:0] back_number,
    input wire [1:0] back_more,
    input wire back_fails,
    input wire back_ends
);
    wire input_ready, output_valid;
    wire [317:0] out;
    look_ahead dut (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(out), .back_valid(back_valid),
        .back_fields_0_0(back_fields[15:0]), .back_fields_0_1(back_fields[31:16]),
        .back_fields_1_0(back_fields[47:32]), .back_fields_1_1(back_fields[63:48]),
        .back_fields_2_0(back_fields[79:64]), .back_fields_2_1(back_fields[95:80]),
        .back_fields_3_0(back_fields[111:96]), .back_fields_3_1(back_fields[127:112]),
        .back_row_is_of_pixel(back_is_of_pixel), .back_row_number(back_number), .back_more(back_more),
        .back_fails(back_fails), .back_ends_pass(back_ends)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);
`ifndef GOES_ON
    offer_stays #(.WIDTH(318)) offer (.clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(out));
`endif

    // What comes has the first row of its quad, and its number.
    wire in_is_binding = input_data[0];
    wire in_is_indirect = input_data[1];
    wire [1:0] in_more = input_data[6:5];
    wire [3:0] in_valid = input_data[42:39];
    wire in_is_of_pixel = input_data[43];
    wire [3:0] in_rows = !in_is_of_pixel ? (4'd2 << in_more) - 4'd1 : in_valid == 4'd0 ? 4'd1 : in_valid;
    wire [1:0] in_first;
    wire [3:0] in_others;
    lowest first_row (.of(in_rows), .number(in_first), .others(in_others));
    wire taken = input_valid && input_ready && !rst;
    wire enters = taken && in_is_indirect;
    reg [7:0] came = 8'd0, entered = 8'd0;
    reg in_waits = 1'b0;
    reg [346:0] in_was;
    always @(posedge clk) begin
        in_waits <= input_valid && !input_ready && !rst;
        in_was <= input_data;
        came <= rst ? 8'd0 : came + taken;
        entered <= rst ? 8'd0 : entered + enters;
    end
    always @* if (input_valid) begin
        assume (!(in_is_binding && in_is_indirect) && input_data[345:338] == came && input_data[45:44] == in_first);
    end
    always @* if (in_waits) assume (input_valid && input_data == in_was);

    // What leaves.
    wire is_binding = out[0];
    wire is_first = output_valid && out[1];
    wire is_second = output_valid && out[2];
    wire ends = out[3];
    wire is_failed = out[4];
    wire [3:0] valid = out[21:18];
    wire [1:0] number = out[12:11];
    wire in_turn = output_valid && !out[1];
    wire given = output_valid && output_ready && !rst;
    wire moves = !output_valid || output_ready;
    reg fresh = 1'b0;
    // Items in turn, and registers of bindings among them.
    reg [7:0] gone = 8'd0, bindings = 8'd0;
    // Quads, counted: the last row of the first pass has left, the places have come back, the last value has left.
    reg [7:0] passed = 8'd0, returned = 8'd0, finished = 8'd0;
    reg [1:0] value = 2'd0;
    always @(posedge clk) begin
        fresh <= moves && !rst;
        if (rst) begin
            gone <= 8'd0;
            bindings <= 8'd0;
            passed <= 8'd0;
            returned <= 8'd0;
            finished <= 8'd0;
            value <= 2'd0;
        end else begin
            gone <= gone + (given && in_turn && ends);
            bindings <= bindings + (taken && in_is_binding) - (given && is_binding);
            passed <= passed + (given && is_first && ends);
            returned <= returned + (back_valid && back_ends);
            finished <= finished + (given && is_second && ends);
            if (given && is_second) value <= ends ? 2'd0 : value + 2'd1;
        end
    end

    // Items in order, each once and as it came.
    (* anyconst *) reg [7:0] item;
    reg [26:0] marked;
    wire [26:0] in_kept, out_kept;
    kept_of_item of_input (.item({input_data[346:51], input_data[42:39], input_data[6:0]}), .kept(in_kept));
    kept_of_item of_output (.item({out[317:22], out[21:18], out[9:5], out[2], out[0]}), .kept(out_kept));
    always @(posedge clk) if (taken && came == item) marked <= in_kept;
    always @* begin
        if (output_valid) one_kind: `HOLDS (out[0] + out[1] + out[2] <= 2'd1);
        if (in_turn) begin
            in_order: `HOLDS (out[317:310] == gone && came != gone);
            value_by_value: `HOLDS (is_second || (value == 2'd0 && ends));
            if (gone == item) as_it_came: `HOLDS (out_kept[10:0] == marked[10:0] && (is_second || (out_kept == marked && !is_failed)));
        end
        if (is_first && fresh) behind_its_binding: `HOLDS (bindings == 8'd0);
        if (is_first) of_indirect: `HOLDS (entered != passed);
        if (is_second) places_are_back: `HOLDS (returned != finished);
    end

    // Rows on their way of the quad whose first pass has begun; of those before it the last ones at least, as long as they are counted.
    wire [7:0] out_there = passed - returned;
    reg [1:0] begun_away = 2'd0;
    always @(posedge clk)
        if (rst || (given && is_first && ends)) begun_away <= 2'd0;
        else begun_away <= begun_away + (given && is_first) - (back_valid && out_there == 8'd0);
    // No row comes back that has not left, and the last one not before the others.
    always @* if (back_valid) assume (out_there != 8'd0 || (begun_away != 2'd0 && !back_ends));

    // The watched quad, one time that its number comes: what it asks for, its rows that have not left and those on their way.
    (* anyconst *) reg [7:0] quad;
    (* anyconst *) reg [1:0] pixel;
    (* anyconst *) reg [8:0] first_of_own;
    (* anyseq *) reg picks;
    reg watched = 1'b0;
    reg own_is_of_pixel, own_fails;
    reg [3:0] own_valid, own_rows, rows_left = 4'd0, away = 4'd0;
    reg [2:0] own_operation;
    reg [1:0] own_more;
    reg [4:0] own_choice;
    wire enters_own = enters && entered == quad;
    wire first_is_own = watched && is_first && passed == quad;
    wire second_is_own = watched && is_second && finished == quad;
    wire back_is_own = watched && back_valid && returned == quad;
    wire [1:0] next_row, next_away;
    wire [3:0] after_row, after_away;
    lowest row (.of(rows_left), .number(next_row), .others(after_row));
    lowest row_away (.of(away), .number(next_away), .others(after_away));
    always @(posedge clk) begin
        if (rst) begin
            watched <= 1'b0;
            rows_left <= 4'd0;
            away <= 4'd0;
        end else begin
            if (enters && entered == quad) watched <= picks;
            if (enters_own) begin
                rows_left <= in_rows;
                away <= 4'd0;
            end else begin
                if (given && first_is_own) rows_left <= after_row;
                away <= (back_is_own ? after_away : away) | (given && first_is_own ? 4'd1 << next_row : 4'd0);
            end
        end
        if (enters_own) begin
            own_valid <= in_valid;
            own_more <= in_more;
            own_rows <= in_rows;
            own_is_of_pixel <= in_is_of_pixel;
            own_choice <= input_data[50:46];
            own_operation <= input_data[4:2];
        end
    end
    wire is_passed = rows_left == 4'd0;
    // Its lanes that count: row n begins in lane n.
    wire [7:0] turned_valid = {own_valid, own_valid} << number;
    wire [3:0] own_values = (4'd2 << own_more) - 4'd1;
    wire [7:0] turned_values = {own_values, own_values} << number;
    wire pixel_counts = |(own_valid & (4'd1 << number));
    wire [3:0] own_lanes = !own_is_of_pixel ? turned_valid[7:4] : pixel_counts ? turned_values[7:4] : 4'd0;
    always @* if (first_is_own) begin
        right_row: `HOLDS (rows_left != 4'd0 && number == next_row && out[10] == own_is_of_pixel);
        right_lanes: `HOLDS (valid == own_lanes);
        right_choice: `HOLDS (out[17:13] == own_choice && out[9:8] == own_more);
        ends_with_the_last: `HOLDS (ends == (after_row == 4'd0));
    end
    // Its rows come back as they left, in that order.
    always @* if (back_is_own)
        assume (away != 4'd0 && back_number == next_away && back_is_of_pixel == own_is_of_pixel && back_more == own_more
            && back_ends == (is_passed && after_away == 4'd0));

    // Where its places are kept, and of one of its pixels what comes back.
    wire [8:0] inner_kept_first_row, inner_kept_row;
    wire [7:0] inner_kept_rams_0_watched, inner_kept_rams_1_watched, inner_kept_rams_2_watched, inner_kept_rams_3_watched;
    wire [5:0] inner_kept_fails_watched;
    wire [7:0] watched_row = first_of_own[7:0];
    wire [1:0] value_0 = 2'd0 - pixel, value_1 = 2'd1 - pixel, value_2 = 2'd2 - pixel, value_3 = 2'd3 - pixel;
    always @* begin
        assume (inner_kept_rams_0_watched == watched_row + value_0 && inner_kept_rams_1_watched == watched_row + value_1
            && inner_kept_rams_2_watched == watched_row + value_2 && inner_kept_rams_3_watched == watched_row + value_3
            && inner_kept_fails_watched == quad[5:0]);
        // It is watched when it comes to be kept there.
        if (watched && returned == quad && entered != quad) assume (inner_kept_first_row == first_of_own);
    end
    reg [3:0] back = 4'd0;
    reg has_failed = 1'b0;
    reg [15:0] places;
    wire [15:0] fields = {back_fields[127], back_fields[112], back_fields[111], back_fields[96], back_fields[95], back_fields[80],
        back_fields[79], back_fields[64], back_fields[63], back_fields[48], back_fields[47], back_fields[32], back_fields[31],
        back_fields[16], back_fields[15], back_fields[0]};
    // Those of its values: of value v in the lane of that behind its own.
    wire [31:0] twice = {fields, fields};
    wire [15:0] of_values = twice >> {pixel, 2'd0};
    wire [3:0] of_value = of_values >> {back_number, 2'd0};
    always @(posedge clk) begin
        if (rst || enters_own) back <= 4'd0;
        else if (back_is_own) back <= back | (4'd1 << back_number);
        if (rst) has_failed <= 1'b0;
        else if (back_valid) has_failed <= !back_ends && (back_fails || has_failed);
        if (back_is_own) begin
            own_fails <= back_fails || has_failed;
            if (back_is_of_pixel && back_number == pixel) places <= of_values;
            if (!back_is_of_pixel) places <= (places & ~(16'hf << {back_number, 2'd0})) | ({12'd0, of_value} << {back_number, 2'd0});
        end
    end
    wire [71:0] own_place = out[309:22] >> (9'd72 * pixel);
    wire [3:0] own_field = places >> {value, 2'd0};
    always @* if (second_is_own) begin
        all_are_back: `HOLDS (is_passed && away == 4'd0 && returned != quad);
        own_pixels: `HOLDS (valid == own_valid && out[9:8] == own_more && out[7:5] == own_operation);
        all_values: `HOLDS (value <= own_more && ends == (value == own_more));
        failure_told: `HOLDS (is_failed == own_fails);
        if (|(valid & (4'd1 << pixel))) own_places: `HOLDS ({own_place[51], own_place[36], own_place[15], own_place[0]} == own_field
            && own_place[71:52] == 20'd0 && own_place[35:16] == 20'd0);
    end

    // What the FIFO gives: items in the order in which they came.
    wire inner_waiting_output_valid, inner_waiting_output_ready, inner_waiting_waits;
    wire [306:0] inner_waiting_output_data;
    wire [10:0] inner_waiting_was;
    wire [1:0] inner_waiting_newest;
    wire [6:0] inner_waiting_count, inner_waiting_indirect, inner_waiting_bindings;
    wire head_is_indirect = inner_waiting_output_valid && inner_waiting_output_data[1];
    wire [1:0] head_more = inner_waiting_output_data[6:5];
    wire pops = inner_waiting_output_valid && inner_waiting_output_ready;
    reg [7:0] popped = 8'd0;
    always @(posedge clk) popped <= rst ? 8'd0 : popped + pops;
    wire [26:0] head_kept;
    kept_of_item of_head (.item(inner_waiting_output_data), .kept(head_kept));
    // Quads whose last value has gone towards the output.
    wire [7:0] left = finished + (is_second && ends);
    always @* if (inner_waiting_output_valid) begin
        assume (inner_waiting_output_data[306:299] == popped);
        if (popped == item) assume (head_kept == marked);
        if (head_is_indirect && watched && left == quad)
            assume (head_more == own_more && inner_waiting_output_data[10:7] == own_valid && inner_waiting_output_data[4:2] == own_operation);
    end

    // For the induction: what is where.
    wire inner_kept_is_read, inner_kept_is_offered, inner_kept_are_both, inner_kept_has_failed, inner_waits, inner_binding_leaves;
    wire [5:0] inner_kept_coming, inner_kept_quad;
    wire [6:0] inner_bindings;
    wire [1:0] inner_second_number, inner_asks_number, inner_asks_asked_more, inner_asks_row_more, inner_asks_row_row_number;
    wire inner_asks_is_busy, inner_asks_begins, inner_asks_has_row, inner_asks_row_is_last, inner_asks_asked_is_of_pixel;
    wire inner_asks_row_row_is_of_pixel, inner_asks_asked_choice_are_bytes, inner_asks_row_choice_are_bytes;
    wire [3:0] inner_asks_asked_choice_components, inner_asks_row_choice_components, inner_asks_asked_valid, inner_asks_row_valid;
    // The first row of the quad that is next in turn, how many values are kept, and how many in front of the watched quad's.
    wire [8:0] next_taken = inner_kept_row - inner_kept_is_read - inner_kept_is_offered;
    wire [8:0] first_taken = next_taken - inner_second_number;
    wire [8:0] values_kept = inner_kept_first_row - first_taken;
    wire [7:0] quads_kept = returned - left, quads_ahead = quad - left;
    wire own_waits = watched && quad - left < entered - left;
    wire own_is_back = own_waits && quad - left < quads_kept;
    wire [8:0] values_ahead = first_of_own - first_taken;
    wire [8:0] values_since = inner_kept_first_row - first_of_own;
    values_of_quads kept_quads (
        .valid(head_is_indirect && quads_kept != 8'd0), .more(head_more), .quads(quads_kept), .all(values_kept)
    );
    values_of_quads quads_in_front (
        .valid(head_is_indirect && own_is_back && quads_ahead != 8'd0), .more(head_more), .quads(quads_ahead), .all(values_ahead)
    );
    always @* begin
        counted: `HOLDS (came - popped == inner_waiting_count && popped - gone == (in_turn && ends)
            && inner_waiting_indirect == entered - left && {1'b0, inner_waiting_indirect} + inner_waiting_bindings <= {1'b0, inner_waiting_count}
            && bindings == inner_waiting_bindings + (output_valid && is_binding) && inner_waiting_count <= 7'd64);
        bindings_are_waited_for: `HOLDS (inner_bindings == inner_waiting_bindings + inner_binding_leaves && (inner_bindings == 7'd0 || inner_waits)
            && (!inner_asks_has_row || inner_waiting_bindings == 7'd0) && inner_bindings <= 7'd65);
        newest_asks: `HOLDS (!inner_asks_is_busy || (inner_waiting_newest == 2'd2 && inner_waiting_indirect != 7'd0));
        in_line: `HOLDS (entered - left <= 8'd64 && quads_kept <= entered - left && out_there <= entered - left - quads_kept
            && passed - returned <= 8'd64 && left - finished <= 8'd1);
        begun_is_there: `HOLDS (begun_away == 2'd0 || entered != passed);
        rows_made: `HOLDS (passed + (is_first && ends) + (inner_asks_has_row && inner_asks_row_is_last) + inner_asks_is_busy == entered
            && (!inner_asks_has_row || inner_asks_row_is_last || inner_asks_is_busy)
            && (!is_first || ends || (inner_asks_has_row || inner_asks_is_busy)));
        values_follow: `HOLDS (quads_kept[7:0] <= values_kept && values_kept <= {quads_kept[6:0], 2'd0}
            && {7'd0, inner_second_number} + inner_kept_is_read + inner_kept_is_offered <= values_kept
            && inner_kept_are_both == (inner_kept_is_read && inner_kept_is_offered)
            && inner_kept_coming == returned[5:0] && inner_kept_quad == left[5:0] && inner_kept_has_failed == has_failed);
        value_stands: `HOLDS ((inner_second_number == 2'd0 || (inner_waiting_waits && inner_waiting_output_valid && inner_waiting_was[1]
            && inner_second_number <= inner_waiting_was[6:5])) && inner_second_number == (is_second ? (ends ? 2'd0 : value + 2'd1) : value)
            && (!is_second || ends || (inner_waiting_output_valid && head_is_indirect)));
    end
    // Rows of the watched quad: in the output, made, still to be made.
    wire row_is_own = watched && inner_asks_has_row && quad == (inner_asks_row_is_last ? entered - inner_asks_is_busy - 8'd1 : entered - 8'd1);
    wire busy_is_own = watched && inner_asks_is_busy && quad == entered - 8'd1;
    wire [3:0] to_make = first_is_own ? after_row : rows_left;
    wire [1:0] made_number, asked_number;
    wire [3:0] after_made, after_asked;
    lowest made (.of(to_make), .number(made_number), .others(after_made));
    wire [3:0] to_ask = row_is_own ? after_made : to_make;
    lowest asked (.of(to_ask), .number(asked_number), .others(after_asked));
    wire [7:0] made_valid = {own_valid, own_valid} << inner_asks_row_row_number;
    wire [7:0] made_values = {own_values, own_values} << inner_asks_row_row_number;
    wire made_counts = |(own_valid & (4'd1 << inner_asks_row_row_number));
    wire [1:0] before = inner_asks_number - 2'd1;
    wire [7:0] valid_before = {own_valid, own_valid} << before;
    always @* begin
        if (row_is_own) made_right: `HOLDS (to_make != 4'd0 && inner_asks_row_row_number == made_number && inner_asks_row_is_last == (after_made == 4'd0)
            && inner_asks_row_row_is_of_pixel == own_is_of_pixel && inner_asks_row_more == own_more
            && {inner_asks_row_choice_are_bytes, inner_asks_row_choice_components} == own_choice
            && inner_asks_row_valid == (!own_is_of_pixel ? made_valid[7:4] : made_counts ? made_values[7:4] : 4'd0));
        if (busy_is_own) asked_right: `HOLDS (to_ask != 4'd0 && inner_asks_number == asked_number && inner_asks_begins == (to_ask == own_rows)
            && inner_asks_asked_is_of_pixel == own_is_of_pixel && inner_asks_asked_more == own_more && inner_asks_asked_valid == own_valid
            && {inner_asks_asked_choice_are_bytes, inner_asks_asked_choice_components} == own_choice
            && (inner_asks_begins || own_is_of_pixel || inner_asks_row_valid == valid_before[7:4]));
        if (watched) rows_counted: `HOLDS ((busy_is_own || to_ask == 4'd0) && (rows_left & ~own_rows) == 4'd0
            && own_rows == (!own_is_of_pixel ? own_values : own_valid == 4'd0 ? 4'd1 : own_valid));
        // Of the rows of the watched quad, those that left are on their way or back.
        if (own_waits) rows_accounted: `HOLDS ((own_rows & ~rows_left) == (away | back) && (away & back) == 4'd0
            && (back == 4'd0 || away == 4'd0 || (back < (away & (~away + 4'd1)))) && (is_passed == (quad - left < passed - left))
            && own_is_back == (is_passed && away == 4'd0)
            && (quad - left <= passed - left || rows_left == own_rows)
            && (is_passed || (own_rows & ~rows_left) < (rows_left & (~rows_left + 4'd1))));
    end
    // Its places.
    wire [8:0] row_read = inner_kept_row - 9'd1, row_offered = inner_kept_row - 9'd1 - inner_kept_is_read;
    wire [8:0] place_read = row_read - first_of_own, place_offered = row_offered - first_of_own;
    wire own_is_read = own_is_back && inner_kept_is_read && place_read <= {7'd0, own_more};
    wire own_is_offered = own_is_back && inner_kept_is_offered && place_offered <= {7'd0, own_more};
    wire [3:0] has_value = (own_is_of_pixel ? {4{|(back & (4'd1 << pixel))}} : back) & own_values & {4{own_waits}};
    wire inner_kept_fails_word;
    always @* begin
        if (own_is_back) own_kept: `HOLDS ({1'b0, quads_ahead} <= values_ahead && values_ahead <= {quads_ahead[6:0], 2'd0}
            && values_since > {7'd0, own_more} && values_since <= {quads_kept[6:0] - quads_ahead[6:0], 2'd0}
            && values_ahead + values_since == values_kept && inner_kept_fails_word == own_fails);
        if (own_waits && !own_is_back && returned == quad && back != 4'd0) own_comes: `HOLDS (own_fails == has_failed);
        if (own_waits && !own_is_back) comes_in_turn: `HOLDS (back == 4'd0 || returned == quad);
    end
    wire [3:0] inner_kept_rams_0_word, inner_kept_rams_1_word, inner_kept_rams_2_word, inner_kept_rams_3_word;
    wire [3:0] inner_kept_rams_0_latch, inner_kept_rams_1_latch, inner_kept_rams_2_latch, inner_kept_rams_3_latch;
    wire [3:0] inner_kept_rams_0_read, inner_kept_rams_1_read, inner_kept_rams_2_read, inner_kept_rams_3_read;
    wire [15:0] words = {inner_kept_rams_3_word, inner_kept_rams_2_word, inner_kept_rams_1_word, inner_kept_rams_0_word};
    wire [15:0] latches = {inner_kept_rams_3_latch, inner_kept_rams_2_latch, inner_kept_rams_1_latch, inner_kept_rams_0_latch};
    wire [15:0] reads = {inner_kept_rams_3_read, inner_kept_rams_2_read, inner_kept_rams_1_read, inner_kept_rams_0_read};
    kept_value #(.NUMBER(0)) kept_0 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[0]),
        .is_read(own_is_read && has_value[0] && place_read[1:0] == 2'd0), .is_offered(own_is_offered && has_value[0] && place_offered[1:0] == 2'd0)
    );
    kept_value #(.NUMBER(1)) kept_1 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[1]),
        .is_read(own_is_read && has_value[1] && place_read[1:0] == 2'd1), .is_offered(own_is_offered && has_value[1] && place_offered[1:0] == 2'd1)
    );
    kept_value #(.NUMBER(2)) kept_2 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[2]),
        .is_read(own_is_read && has_value[2] && place_read[1:0] == 2'd2), .is_offered(own_is_offered && has_value[2] && place_offered[1:0] == 2'd2)
    );
    kept_value #(.NUMBER(3)) kept_3 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[3]),
        .is_read(own_is_read && has_value[3] && place_read[1:0] == 2'd3), .is_offered(own_is_offered && has_value[3] && place_offered[1:0] == 2'd3)
    );

`ifdef GOES_ON
    // Whoever may go does: if there is something, and no row of places is on its way, or those of the next item in order are back.
    wire next_may_go = inner_waiting_output_valid && (!head_is_indirect || returned != left);
    wire is_quiet = out_there == 8'd0 && begun_away == 2'd0;
    wire may_go = next_may_go || (is_quiet && (input_valid || inner_waiting_count != 7'd0));
    reg [3:0] pause = 4'd0;
    always @(posedge clk) pause <= rst || output_valid || !may_go ? 4'd0 : pause + 4'd1;
    always @* goes_on: assert (pause <= `CLOCKS);
`endif
    always @* begin
        two_values: cover (given && second_is_own && ends && own_more == 2'd1 && own_is_of_pixel && own_valid == 4'd5);
        failed: cover (given && second_is_own && is_failed && ends && own_more == 2'd1);
        looked_ahead: cover (entered - finished == 8'd3 && is_first && fresh);
        held_up: cover (given && is_second && quads_kept == 8'd2 && fresh);
        behind_binding: cover (is_first && fresh && came == 8'd2 && item == 8'd0 && marked[0]);
    end
endmodule
