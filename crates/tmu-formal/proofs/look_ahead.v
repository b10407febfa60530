// Indirect quads in both passes, and what else goes past them.
//
// FIFOs and memories stand in for the emitted ones. The FIFOs, which have their own proofs, count, and keep what the properties
// are about: the queue two marked items, all of one of them; and of all items it gives as many of a kind as it was given.
// The memories keep the four words of one pixel of the quads of one number, pixel and number chosen freely, and answer
// anything for the others. Of places that wait and of numbers that are stored the outermost bits stand for all.
module counted_fifo (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    output wire output_valid,
    input wire output_ready,
    output wire [6:0] items
);
    (* anyseq *) reg shows, takes;
    reg [6:0] count = 7'd0;
    reg unseen = 1'b0, refused = 1'b0, waits = 1'b0;
    assign output_valid = shows && count != 7'd0;
    assign input_ready = takes && count != 7'd64;
    assign items = count;
    always @(posedge clk) begin
        count <= rst ? 7'd0 : count + (input_valid && input_ready) - (output_valid && output_ready);
        waits <= output_valid && !output_ready && !rst;
        unseen <= count != 7'd0 && !shows && !rst;
        refused <= count != 7'd64 && !takes && !rst;
    end
    // Proof `sync_fifo_lut`.
    always @* begin
        if (waits || unseen) assume (shows);
        if (refused) assume (takes);
    end
    always @* fits: assert (count <= 7'd64);
endmodule

// What is looked at of an item that waits.
module kept_of_item (
    input wire [300:0] item,
    output wire [26:0] kept
);
    assign kept = {item[298], item[263], item[262], item[227], item[226], item[191], item[190], item[155], item[154], item[119],
        item[118], item[83], item[82], item[47], item[46], item[11], item[10:0]};
endmodule

// Items that wait.
module sync_fifo_64x301 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [300:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [300:0] output_data,
    output wire [6:0] level
);
    wire [6:0] count;
    counted_fifo fifo (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .output_valid(output_valid),
        .output_ready(output_ready), .items(count)
    );
    assign level = count;
    (* anyseq *) reg [300:0] item;
    assign output_data = item;
    wire taken = input_valid && input_ready && !rst;
    wire given = output_valid && output_ready;
    // Items of both kinds that are told apart, and the marked ones: whether they are there, and how many are in front.
    reg [6:0] indirect = 7'd0, bindings = 7'd0;
    reg [1:0] has = 2'd0;
    reg [6:0] ahead_1, ahead_2;
    reg [26:0] marked;
    reg [300:0] was;
    wire [26:0] in_kept, out_kept;
    kept_of_item of_input (.item(input_data), .kept(in_kept));
    kept_of_item of_output (.item(item), .kept(out_kept));
    reg waits = 1'b0;
    wire [1:0] turn = {has[1] && ahead_2 == 7'd0, has[0] && ahead_1 == 7'd0};
    always @(posedge clk) begin
        indirect <= rst ? 7'd0 : indirect + (taken && input_data[1]) - (given && item[1]);
        bindings <= rst ? 7'd0 : bindings + (taken && input_data[0]) - (given && item[0]);
        has <= rst ? 2'd0 : (has & ~({2{given}} & turn)) | ({2{taken}} & input_data[300:299]);
        ahead_1 <= taken && input_data[299] ? count - given : ahead_1 - given;
        ahead_2 <= taken && input_data[300] ? count - given : ahead_2 - given;
        if (taken && input_data[299]) marked <= in_kept;
        waits <= output_valid && !output_ready && !rst;
        was <= item;
    end
    always @* if (output_valid) begin
        if (waits) assume (item == was);
        assume (item[300:299] == turn);
        if (turn[0]) assume (out_kept == marked);
        assume (!(item[0] && item[1]));
        if (item[1]) assume (indirect != 7'd0);
        else if (item[0]) assume (bindings != 7'd0);
        else assume (indirect + bindings != count);
    end
endmodule

// Quads whose places have all come back.
module sync_fifo_64x3 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [2:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [2:0] output_data,
    output wire [6:0] level
);
    wire [6:0] count;
    counted_fifo fifo (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .output_valid(output_valid),
        .output_ready(output_ready), .items(count)
    );
    assign level = count;
    (* anyseq *) reg [2:0] item;
    assign output_data = item;
    // Nobody waits in front of it.
    always @* if (input_valid) begin
        assume (input_ready || count == 7'd64);
        places_have_room: assert (rst || count != 7'd64);
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
    wire [3:0] own = {write_data[31], write_data[16], write_data[15], write_data[0]};
    reg [3:0] word, latch, read;
    assign read_data = {read[3], anything[29:16], read[2:1], anything[13:0], read[0]};
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= own;
        if (read_enable) latch <= read_address == watched ? word : elsewhere;
        if (output_enable) read <= latch;
    end
endmodule

// The lowest of four bits.
module lowest (
    input wire [3:0] of,
    output wire [1:0] number
);
    assign number = of[0] ? 2'd0 : of[1] ? 2'd1 : of[2] ? 2'd2 : 2'd3;
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
    always @* if (has) begin
        word_kept: assert (word == own);
        if (is_read) word_read: assert (latch == own);
        if (is_offered) word_offered: assert (read == own);
    end
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [335:0] input_data,
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
    wire [306:0] out;
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
    offer_stays #(.WIDTH(307)) offer (.clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(out));

    // What comes stays until it is taken, and has the first row of its quad.
    wire in_is_binding = input_data[0];
    wire in_is_indirect = input_data[1];
    wire [1:0] in_more = input_data[6:5];
    wire [3:0] in_valid = input_data[42:39];
    wire in_is_of_pixel = input_data[43];
    wire [1:0] in_number = input_data[45:44];
    wire [1:0] in_first;
    lowest first_valid (.of(in_valid == 4'd0 ? 4'd1 : in_valid), .number(in_first));
    wire taken = input_valid && input_ready && !rst;
    wire moves = !output_valid || output_ready;
    reg in_waits = 1'b0;
    reg [335:0] in_was, source;
    always @(posedge clk) begin
        in_waits <= input_valid && !input_ready && !rst;
        in_was <= input_data;
        if (moves) source <= input_data;
    end
    always @* begin
        if (in_waits) assume (input_valid && input_data == in_was);
        assume (!(in_is_binding && in_is_indirect));
        assume (in_number == (in_is_of_pixel ? in_first : 2'd0));
    end

    // What leaves.
    wire is_binding = out[0];
    wire is_first = output_valid && out[1];
    wire is_second = output_valid && out[2];
    wire ends = out[3];
    wire is_failed = out[4];
    wire [1:0] more = out[9:8];
    wire is_of_pixel = out[10];
    wire [1:0] number = out[12:11];
    wire [3:0] valid = out[16:13];
    wire in_turn = output_valid && !out[1];
    wire given = output_valid && output_ready && !rst;
    // It comes to be offered in this clock.
    reg fresh = 1'b0, took = 1'b0, took_indirect = 1'b0;
    always @(posedge clk) begin
        fresh <= moves && !rst;
        took <= taken;
        took_indirect <= taken && in_is_indirect;
    end

    // Items in order, each once.
    wire [1:0] sent, seen;
    wire [1:0] out_mark = ends ? out[306:305] : 2'd0;
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(taken), .in_mark(input_data[335:334]), .out_clk(clk), .out_clear(rst),
        .offered(in_turn), .given(given && in_turn), .out_mark(out_mark), .marks_sent(sent), .marks_seen(seen)
    );
    reg [26:0] marked;
    wire [26:0] in_kept, out_kept;
    kept_of_item of_input (.item({input_data[335:46], input_data[42:39], input_data[6:0]}), .kept(in_kept));
    kept_of_item of_output (.item({out[306:13], out[9:5], out[2], out[0]}), .kept(out_kept));
    always @(posedge clk) if (taken && input_data[334]) marked <= in_kept;
    always @* begin
        one_kind: assert (!output_valid || (out[0] + out[1] + out[2] <= 2'd1));
        if (in_turn && out[306:305] == 2'd1) as_it_came: assert (out_kept[10:0] == marked[10:0] && (is_second || (out_kept == marked && !is_failed)));
    end

    // First passes: rows of the item that comes, one after the other, and no item without all of them.
    reg has_rows = 1'b0;
    reg [1:0] next_row;
    wire [1:0] row = has_rows ? next_row : source[45:44];
    wire [3:0] of_source = source[42:39];
    wire [3:0] above = of_source & ~((4'd2 << row) - 4'd1);
    wire [1:0] above_lowest;
    lowest next_pixel (.of(above), .number(above_lowest));
    wire [1:0] following = source[43] ? above_lowest : row + 2'd1;
    wire is_last_row = source[43] ? above == 4'd0 : row == source[6:5];
    wire [3:0] values = {source[6:5] == 2'd3, source[6], source[6:5] != 2'd0, 1'b1};
    reg [6:0] bindings = 7'd0;
    always @(posedge clk) begin
        if (rst) has_rows <= 1'b0;
        else if (given && is_first) begin
            has_rows <= !ends;
            next_row <= following;
        end
        bindings <= rst ? 7'd0 : bindings + (taken && in_is_binding) - (given && is_binding);
    end
    always @* begin
        if (is_first) begin
            of_indirect: assert (source[1]);
            right_row: assert (is_of_pixel == source[43] && number == row && more == source[6:5] && out[306:305] == source[335:334]);
            right_lanes: assert (valid == (!source[43] ? of_source : (of_source & (4'd1 << row)) != 4'd0 ? values : 4'd0));
            ends_with_the_last: assert (ends == is_last_row);
            if (fresh) behind_its_binding: assert (bindings == 7'd0);
        end
        if (fresh) taken_with_the_last: assert (took_indirect == (is_first && ends));
    end

    // Quads, counted: the last row of the first pass has left, the places have come back, the last value has left.
    reg [6:0] passed = 7'd0, returned = 7'd0, finished = 7'd0;
    wire [6:0] out_there = passed - returned;
    always @(posedge clk)
        if (rst) begin
            passed <= 7'd0;
            returned <= 7'd0;
            finished <= 7'd0;
        end else begin
            passed <= passed + (given && is_first && ends);
            returned <= returned + (back_valid && back_ends);
            finished <= finished + (given && is_second && ends);
        end
    // Values less one of the quads that wait, by their numbers.
    reg [127:0] more_of;
    wire [1:0] more_returned = more_of >> {returned[5:0], 1'b0};
    wire [1:0] more_finished = more_of >> {finished[5:0], 1'b0};
    // Rows on their way of the quad whose first pass has begun; of those before it the last ones at least, as long as they are counted.
    reg [1:0] begun_away = 2'd0;
    always @(posedge clk)
        if (rst || (given && is_first && ends)) begun_away <= 2'd0;
        else begun_away <= begun_away + (given && is_first) - (back_valid && out_there == 7'd0);
    // No row comes back that has not left, and the last one not before the others.
    always @* if (back_valid) begin
        assume (out_there != 7'd0 || (begun_away != 2'd0 && !back_ends));
        if (back_ends) assume (back_more == more_returned);
    end
    wire enters = taken && in_is_indirect;
    wire [6:0] entered = passed + (is_first && ends);
    always @(posedge clk) if (enters) more_of <= (more_of & ~(128'd3 << {entered[5:0], 1'b0})) | ({126'd0, in_more} << {entered[5:0], 1'b0});
    reg [1:0] value = 2'd0;
    always @(posedge clk)
        if (rst) value <= 2'd0;
        else if (given && is_second) value <= ends ? 2'd0 : value + 2'd1;
    wire [6:0] held = entered - finished;
    always @* begin
        room_for_places: assert (held <= 7'd64 && (!(fresh && is_first) || ends || held != 7'd64));
        if (in_turn) value_by_value: assert (is_second || (value == 2'd0 && ends));
        if (is_second) begin
            in_sequence: assert (number == value && !is_of_pixel);
            all_values: assert (more == more_finished && ends == (value == more));
            places_are_back: assert (returned != finished);
        end
    end

    // The watched pixel of the quads of the watched number.
    (* anyconst *) reg [5:0] quad;
    (* anyconst *) reg [1:0] pixel;
    wire [7:0] inner_kept_rams_0_watched, inner_kept_rams_1_watched, inner_kept_rams_2_watched, inner_kept_rams_3_watched;
    always @* assume (inner_kept_rams_0_watched == {quad, pixel} && inner_kept_rams_1_watched == {quad, pixel}
        && inner_kept_rams_2_watched == {quad, pixel} && inner_kept_rams_3_watched == {quad, pixel});
    // Its rows: on their way, and back.
    wire first_is_own = is_first && passed[5:0] == quad;
    wire second_is_own = is_second && finished[5:0] == quad;
    wire back_is_own = back_valid && returned[5:0] == quad;
    reg [3:0] away = 4'd0, back = 4'd0;
    reg own_is_of_pixel;
    reg [3:0] own_valid;
    reg has_failed = 1'b0, own_fails;
    reg [15:0] places;
    wire [15:0] fields = {back_fields[127], back_fields[112], back_fields[111], back_fields[96], back_fields[95], back_fields[80],
        back_fields[79], back_fields[64], back_fields[63], back_fields[48], back_fields[47], back_fields[32], back_fields[31],
        back_fields[16], back_fields[15], back_fields[0]};
    wire [3:0] field_of_pixel = fields >> {pixel, 2'd0};
    wire [3:0] leaving = first_is_own ? 4'd1 << number : 4'd0;
    wire [1:0] away_lowest;
    lowest next_back (.of(away), .number(away_lowest));
    wire [3:0] coming = back_is_own ? 4'd1 << back_number : 4'd0;
    always @(posedge clk) begin
        if (rst) begin
            away <= 4'd0;
            back <= 4'd0;
            has_failed <= 1'b0;
        end else begin
            away <= (away & ~coming) | (given ? leaving : 4'd0);
            back <= given && second_is_own && ends ? 4'd0 : back | coming;
            if (back_valid) has_failed <= !back_ends && (back_fails || has_failed);
        end
        if (first_is_own) own_is_of_pixel <= is_of_pixel;
        if (enters && entered[5:0] == quad) own_valid <= in_valid;
        if (back_is_own) begin
            own_fails <= back_fails || has_failed;
            if (back_is_of_pixel && back_number == pixel) places <= fields;
            if (!back_is_of_pixel) places <= (places & ~(16'hf << {back_number, 2'd0}))
                | ({12'd0, field_of_pixel} << {back_number, 2'd0});
        end
    end
    // Its rows come back as they left.
    always @* if (back_is_own)
        assume (away != 4'd0 && back_number == away_lowest && back_is_of_pixel == own_is_of_pixel
            && back_ends == (out_there != 7'd0 && coming == away));
    wire [71:0] own_place = out[304:17] >> (9'd72 * pixel);
    wire [3:0] own_field = places >> {number, 2'd0};
    always @* if (second_is_own) begin
        all_are_back: assert (away == 4'd0);
        own_pixels: assert (valid == own_valid);
        failure_told: assert (is_failed == own_fails);
        if (|(valid & (4'd1 << pixel))) own_places: assert ({own_place[51], own_place[36], own_place[15], own_place[0]} == own_field
            && own_place[71:52] == 20'd0 && own_place[35:16] == 20'd0);
    end

    // What the FIFOs are given, and what they give: quads in the order in which they came.
    wire inner_waiting_input_valid, inner_kept_verdicts_input_valid;
    wire [300:0] inner_waiting_input_data;
    wire [2:0] inner_kept_verdicts_input_data;
    wire [26:0] put_kept;
    kept_of_item of_put (.item(inner_waiting_input_data), .kept(put_kept));
    wire inner_waiting_input_ready, inner_waiting_output_valid, inner_waiting_output_ready, inner_kept_verdicts_output_valid, inner_kept_verdicts_output_ready;
    wire [300:0] inner_waiting_output_data;
    wire [2:0] inner_kept_verdicts_output_data;
    // Quads whose last value has gone towards the output, and whose last places are read.
    wire [6:0] left = finished + (is_second && ends);
    reg [6:0] read = 7'd0;
    always @(posedge clk) read <= rst ? 7'd0 : read + (inner_kept_verdicts_output_valid && inner_kept_verdicts_output_ready);
    wire [1:0] more_left = more_of >> {left[5:0], 1'b0};
    wire [1:0] more_read = more_of >> {read[5:0], 1'b0};
    wire head_is_indirect = inner_waiting_output_valid && inner_waiting_output_data[1];
    always @* begin
        item_is_own: assert ((inner_waiting_input_valid && inner_waiting_input_ready) == (input_valid && input_ready)
            && (!taken || (put_kept == in_kept && inner_waiting_input_data[300:299] == input_data[335:334])));
        verdict_is_own: assert (inner_kept_verdicts_input_valid == (back_valid && back_ends)
            && (!inner_kept_verdicts_input_valid || inner_kept_verdicts_input_data == {back_fails || has_failed, more_returned}));
        if (head_is_indirect) begin
            assume (inner_waiting_output_data[6:5] == more_left);
            if (left[5:0] == quad) assume (inner_waiting_output_data[10:7] == own_valid);
        end
        if (inner_kept_verdicts_output_valid) begin
            assume (inner_kept_verdicts_output_data[1:0] == more_read);
            if (read[5:0] == quad) assume (inner_kept_verdicts_output_data[2] == own_fails);
        end
    end

    // Whoever may go does, within four clocks: if there is something, and no row of places is on its way, or
    // those of the next quad in order are back.
    wire [6:0] inner_waiting_fifo_count, inner_waiting_indirect, inner_waiting_bindings, inner_kept_verdicts_fifo_count;
    wire next_may_go = inner_waiting_output_valid && (!head_is_indirect || returned != left);
    wire is_quiet = out_there == 7'd0 && begun_away == 2'd0;
    wire may_go = next_may_go || (is_quiet && (input_valid || inner_waiting_fifo_count != 7'd0));
    reg [2:0] pause = 3'd0;
    always @(posedge clk) pause <= rst || output_valid || !may_go ? 3'd0 : pause + 3'd1;
    always @* goes_on: assert (pause <= 3'd4);

    // For the induction: items in the queue, and where rows stand.
    wire [5:0] inner_kept_coming, inner_kept_quad;
    wire [6:0] inner_bindings;
    wire [1:0] inner_next_number, inner_second_number, inner_kept_value, inner_kept_read_value, inner_kept_offered_value;
    wire inner_has_begun, inner_waits, inner_kept_has_failed, inner_kept_is_read, inner_kept_read_fails, inner_kept_is_offered;
    wire inner_kept_offered_fails;
    wire [1:0] inner_waiting_has;
    wire [6:0] inner_waiting_ahead_1, inner_waiting_ahead_2;
    wire [26:0] inner_waiting_marked;
    wire [6:0] waiting_quads = entered - left, back_quads = returned - left, read_quads = read - left;
    wire [1:0] head_value = is_second && !ends ? value + 2'd1 : is_second ? 2'd0 : value;
    wire first_stays = is_first && !ends;
    wire [1:0] out_turn = in_turn && ends ? out[306:305] : 2'd0;
    always @* begin
        counted: assert (inner_waiting_indirect == waiting_quads && inner_waiting_bindings == inner_bindings
            && {1'b0, inner_waiting_indirect} + inner_waiting_bindings <= {1'b0, inner_waiting_fifo_count}
            && bindings == inner_bindings + (output_valid && is_binding));
        bindings_are_waited_for: assert (inner_bindings == 7'd0 || inner_waits);
        begun_right: assert (inner_has_begun == (first_stays || (has_rows && !is_first))
            && (!inner_has_begun || (inner_next_number == (is_first ? following : next_row) && in_waits && in_was[45:0] == source[45:0]
            && in_was[335:334] == source[335:334] && source[1] && inner_next_number != 2'd0
            && (source[43] ? (of_source & (4'd1 << inner_next_number)) != 4'd0 : inner_next_number <= source[6:5]))));
        marks_kept: assert ((inner_waiting_has[0] == (sent != 2'd0 && seen == 2'd0 && out_turn != 2'd1))
            && (inner_waiting_has[1] == (sent == 2'd2 && seen != 2'd2 && out_turn != 2'd2))
            && (!inner_waiting_has[0] || inner_waiting_ahead_1 < inner_waiting_fifo_count)
            && (!inner_waiting_has[1] || inner_waiting_ahead_2 < inner_waiting_fifo_count)
            && (inner_waiting_has != 2'd3 || inner_waiting_ahead_1 < inner_waiting_ahead_2)
            && (out_turn != 2'd2 || seen == 2'd1) && sent <= 2'd2 && seen <= sent && out_turn <= sent);
        begun_is_at_the_head: assert (!in_turn || ends || out[306:305] == {inner_waiting_has[1] && inner_waiting_ahead_2 == 7'd0,
            inner_waiting_has[0] && inner_waiting_ahead_1 == 7'd0});
        marked_kept: assert (sent == 2'd0 || inner_waiting_marked == marked);
        away_counted: assert (begun_away == 2'd0 || (has_rows && begun_away <= next_row));
        in_line: assert (waiting_quads <= 7'd64 && back_quads <= waiting_quads && read_quads <= back_quads && out_there <= 7'd64
            && waiting_quads + (is_second && ends) + inner_has_begun <= 7'd64 && inner_kept_verdicts_fifo_count == returned - read);
        same_numbers: assert (inner_kept_coming == returned[5:0] && inner_kept_quad == read[5:0]
            && inner_second_number == head_value && inner_kept_has_failed == has_failed);
    end
    // Rows that are read: the one whose turn it is, the one behind it, and the next one to be read.
    wire ends_0 = head_value == more_left;
    wire [6:0] quad_1 = left + (inner_kept_is_offered && ends_0);
    wire [1:0] value_1 = inner_kept_is_offered ? (ends_0 ? 2'd0 : head_value + 2'd1) : head_value;
    wire [1:0] more_1 = more_of >> {quad_1[5:0], 1'b0};
    wire ends_1 = value_1 == more_1;
    wire [6:0] quad_2 = quad_1 + (inner_kept_is_read && ends_1);
    wire [1:0] value_2 = inner_kept_is_read ? (ends_1 ? 2'd0 : value_1 + 2'd1) : value_1;
    always @* begin
        rows_follow: assert (read == quad_2 && inner_kept_value == value_2
            && (!inner_kept_is_offered || inner_kept_offered_value == head_value)
            && (!inner_kept_is_read || inner_kept_read_value == value_1));
        values_there: assert ((head_value == 2'd0 || (head_is_indirect && back_quads != 7'd0 && head_value <= more_left))
            && (inner_kept_value == 2'd0 || (inner_kept_verdicts_fifo_count != 7'd0 && inner_kept_value <= more_read)));
    end
    // The watched quad.
    wire [5:0] place_of_own = quad - finished[5:0];
    wire is_there = {1'b0, place_of_own} < held;
    wire is_back = {1'b0, place_of_own} < returned - finished;
    wire is_begun = !is_there && quad == entered[5:0] && inner_has_begun;
    wire by_pixel = first_is_own ? is_of_pixel : own_is_of_pixel;
    wire [3:0] known = away | back | leaving;
    wire [1:0] own_more = more_of >> {quad, 1'b0};
    wire [3:0] all_rows = !by_pixel ? (4'd2 << own_more) - 4'd1 : own_valid == 4'd0 ? 4'd1 : own_valid;
    wire [3:0] some_rows = (!by_pixel ? 4'd15 : of_source == 4'd0 ? 4'd1 : of_source) & ((4'd1 << inner_next_number) - 4'd1);
    always @* begin
        apart: assert ((away & back) == 4'd0 && ((away | back) & leaving) == 4'd0);
        rows_known: assert (known == (is_there ? all_rows : is_begun ? some_rows : 4'd0));
        by_one_manner: assert ((!is_begun || (by_pixel == source[43] && known != 4'd0))
            && ((away | back) == 4'd0 || own_is_of_pixel == by_pixel));
        all_back: assert (!is_there || is_back == ((away | leaving) == 4'd0));
    end
    wire [3:0] inner_kept_rams_0_word, inner_kept_rams_1_word, inner_kept_rams_2_word, inner_kept_rams_3_word;
    wire [3:0] inner_kept_rams_0_latch, inner_kept_rams_1_latch, inner_kept_rams_2_latch, inner_kept_rams_3_latch;
    wire [3:0] inner_kept_rams_0_read, inner_kept_rams_1_read, inner_kept_rams_2_read, inner_kept_rams_3_read;
    wire [15:0] words = {inner_kept_rams_3_word, inner_kept_rams_2_word, inner_kept_rams_1_word, inner_kept_rams_0_word};
    wire [15:0] latches = {inner_kept_rams_3_latch, inner_kept_rams_2_latch, inner_kept_rams_1_latch, inner_kept_rams_0_latch};
    wire [15:0] reads = {inner_kept_rams_3_read, inner_kept_rams_2_read, inner_kept_rams_1_read, inner_kept_rams_0_read};
    wire [3:0] has_value = by_pixel ? {4{|(back & (4'd1 << pixel))}} : back;
    wire own_is_read = inner_kept_is_read && quad_1[5:0] == quad;
    wire own_is_offered = inner_kept_is_offered && left[5:0] == quad;
    kept_value #(.NUMBER(0)) kept_0 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[0]),
        .is_read(own_is_read && value_1 == 2'd0), .is_offered(own_is_offered && head_value == 2'd0)
    );
    kept_value #(.NUMBER(1)) kept_1 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[1]),
        .is_read(own_is_read && value_1 == 2'd1), .is_offered(own_is_offered && head_value == 2'd1)
    );
    kept_value #(.NUMBER(2)) kept_2 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[2]),
        .is_read(own_is_read && value_1 == 2'd2), .is_offered(own_is_offered && head_value == 2'd2)
    );
    kept_value #(.NUMBER(3)) kept_3 (
        .pixel(pixel), .places(places), .words(words), .latches(latches), .reads(reads), .has(has_value[3]),
        .is_read(own_is_read && value_1 == 2'd3), .is_offered(own_is_offered && head_value == 2'd3)
    );
    always @* begin
        if (own_is_read) fails_read: assert (inner_kept_read_fails == own_fails);
        if (own_is_offered) fails_offered: assert (inner_kept_offered_fails == own_fails);
    end
    // Clocks until something is offered, at most.
    wire [2:0] until_found = inner_kept_is_offered ? 3'd1 : inner_kept_is_read ? 3'd2 : inner_kept_verdicts_output_valid ? 3'd3 : 3'd4;
    wire [2:0] until_head = head_is_indirect ? until_found : 3'd1;
    wire [2:0] until_shown = inner_waiting_indirect != 7'd0 && until_found > 3'd2 ? until_found : 3'd2;
    wire [2:0] until_first = inner_waits ? 3'd3 : inner_waiting_input_ready ? 3'd1 : 3'd2;
    wire [2:0] until_entered = inner_waiting_input_ready ? 3'd3 : 3'd4;
    wire [2:0] clocks = inner_waiting_output_valid ? until_head : inner_waiting_fifo_count != 7'd0 ? until_shown
        : in_is_indirect ? until_first : until_entered;
    always @* comes_closer: assert (output_valid || !may_go || pause + clocks <= 3'd4);
    always @* begin
        two_values: cover (given && second_is_own && ends && more == 2'd1 && own_is_of_pixel && valid == 4'd5);
        failed: cover (given && second_is_own && is_failed && ends && more == 2'd1);
        looked_ahead: cover (held == 7'd3 && is_first && fresh);
        held_up: cover (took && is_second && back_quads == 7'd2 && fresh);
        behind_binding: cover (is_first && fresh && finished == 7'd1 && marked[0] && seen == 2'd1);
    end
endmodule
