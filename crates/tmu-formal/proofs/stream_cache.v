// The streaming cache from its tags to its texels, against a memory that answers in order after any time.
//
// It is the smallest one that a configuration can ask for, and one bank of tags is in use. The queues stand in for the
// emitted ones: they are shorter, and give an item a clock after it was put in. The texels' RAM keeps a word, chosen freely, and of
// it the lowest bits of a texel and whether it could not be read. What memory holds in a line is the line's number; an item
// carries along which tile it wants, so that a texel of another tile, or of none yet, shows.
module short_fifo #(parameter WIDTH = 1) (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [WIDTH-1:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [WIDTH-1:0] output_data
);
    reg [WIDTH-1:0] item_0, item_1, item_2, item_3;
    reg [2:0] count = 3'd0;
    assign output_valid = count != 3'd0;
    assign output_data = item_0;
    wire gives = output_valid && output_ready;
    wire [2:0] place = count - gives;
    // Runs in which more would wait are left out.
    always @* if (input_valid) assume (place != 3'd4);
    always @(posedge clk) begin
        count <= rst ? 3'd0 : place + input_valid;
        item_0 <= input_valid && place == 3'd0 ? input_data : gives ? item_1 : item_0;
        item_1 <= input_valid && place == 3'd1 ? input_data : gives ? item_2 : item_1;
        item_2 <= input_valid && place == 3'd2 ? input_data : gives ? item_3 : item_2;
        item_3 <= input_valid ? input_data : item_3;
    end
endmodule

module sync_fifo_32x189_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [188:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [188:0] output_data,
    output wire [5:0] level
);
    short_fifo #(.WIDTH(189)) short (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_data(input_data), .output_valid(output_valid),
        .output_ready(output_ready), .output_data(output_data)
    );
    assign input_ready = 1'b1;
    assign level = 6'd0;
endmodule

module sync_fifo_32x131_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [130:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [130:0] output_data,
    output wire [5:0] level
);
    // Of a line the bits that are watched, its response, and whether it ends a read.
    wire [8:0] kept;
    short_fifo #(.WIDTH(9)) short (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_data({input_data[130:128], input_data[5:0]}),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(kept)
    );
    assign output_data = {kept[8:6], 122'd0, kept[5:0]};
    assign input_ready = 1'b1;
    assign level = 6'd0;
endmodule

module sync_fifo_8x55_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [54:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [54:0] output_data,
    output wire [3:0] level
);
    short_fifo #(.WIDTH(55)) short (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_data(input_data), .output_valid(output_valid),
        .output_ready(output_ready), .output_data(output_data)
    );
    assign input_ready = 1'b1;
    assign level = 4'd0;
endmodule

module sync_fifo_64x63_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [62:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [62:0] output_data,
    output wire [6:0] level
);
    short_fifo #(.WIDTH(63)) short (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_data(input_data), .output_valid(output_valid),
        .output_ready(output_ready), .output_data(output_data)
    );
    assign input_ready = 1'b1;
    assign level = 7'd0;
endmodule

module ram_simple_dual_port_64x66 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [65:0] write_data,
    input wire read_enable,
    input wire [5:0] read_address,
    input wire output_enable,
    output wire [65:0] read_data
);
    (* anyconst *) reg [5:0] watched;
    reg [6:0] word = 7'd0;
    reg [7:0] read_latch;
    reg [7:0] read_output;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= {write_data[32], write_data[5:0]};
        if (read_enable) read_latch <= {read_address == watched, word};
        if (output_enable) read_output <= read_latch;
    end
    // The highest bit says whether it is the word that is watched.
    assign read_data = {read_output[7], 32'd0, read_output[6], 26'd0, read_output[5:0]};
endmodule

module victim (
    input wire clk,
    input wire [1:0] read_set,
    input wire [1:0] valids,
    output wire way,
    input wire [1:0] write_set,
    input wire clear,
    input wire hit,
    input wire fill,
    input wire used_way
);
    (* anyseq *) reg anything;
    assign way = anything;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire active,
    input wire used,
    input wire repeats,
    input wire waits,
    input wire [5:0] line,
    input wire set,
    input wire is_indexed,
    input wire upper,
    input wire out_ready,
    input wire read_ready,
    input wire line_comes,
    input wire line_fails
);
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    // An item looks into one bank. With it goes what it wants: the tile's line, its kind, which of its rows.
    wire [28:0] tap = {19'd0, used, upper && !is_indexed, is_indexed, 1'b0, line};
    wire advance, invalidating, misses, item_leaves, out_valid, fetch_has_room, texels_has_room, asks, splits, may_fetch, stalls;
    wire [188:0] miss;
    wire [62:0] queue_entry;
    wire [54:0] tile;
    wire read_valid, line_valid;
    wire [28:0] read_data;
    wire [1:0] writes;
    wire [2:0] fault;
    wire [5:0] write_address;
    wire [131:0] even, odd;
    wire [9:0] fills;
    wire [6:0] next_read;
    wire [13:0] last_read;
    wire [28:0] tap_left;
    wire [4*66-1:0] read_words;
    wire [1:0] line_response;
    wire sends, ends, is_owed;
    wire [5:0] line_number;
    reg invalidate = 1'b0;
    always @(posedge clk) invalidate <= !rst && fault != 3'd0;
    tag_stage tags (
        .clk(clk), .rst(rst), .tiles_valid(active), .tiles_invalidates(1'b0), .tiles_needed({3'd0, used}),
        .tiles_same_tile({3'd0, repeats}), .tiles_waits({3'd0, waits}), .tiles_line({102'd0, line}), .tiles_set({7'd0, set}),
        .tiles_kind({1'b0, is_indexed}), .tiles_word_selects({1'b0, upper, 4'd0}), .tiles_tap(tap),
        .advance(advance), .invalidate(invalidate), .invalidating(invalidating), .has_room(fetch_has_room && texels_has_room), .misses(misses),
        .miss(miss), .out_valid(item_leaves), .queue_entry(queue_entry)
    );
    miss_queue reads (
        .clk(clk), .rst(rst), .misses(misses), .miss(miss), .has_room(fetch_has_room), .may_fetch(may_fetch), .asks(asks),
        .fill(tile), .splits(splits), .sends(sends), .read_valid(read_valid), .read_ready(read_ready), .read_data(read_data)
    );
    fill dut (
        .clk(clk), .rst(rst), .asks(asks), .tile(tile), .splits(splits), .may_fetch(may_fetch), .line_valid(line_valid),
        .line_data({122'd0, line_number}), .line_response(line_response), .line_last(ends), .unexpected(1'b0), .outstanding(is_owed),
        .sends(sends), .next_read(next_read), .last_read(last_read),
        .writes(writes), .write_address(write_address), .even(even), .odd(odd), .fills(fills), .fault(fault)
    );
    data_stage words (
        .clk(clk), .rst(rst), .in_valid(item_leaves), .queue_entry(queue_entry), .has_room(texels_has_room), .out_ready(out_ready),
        .writes(writes), .write_address(write_address), .even(even), .odd(odd), .fills(fills), .next_read(next_read),
        .last_read(last_read), .stalls(stalls), .out_valid(out_valid), .tap(tap_left), .words(read_words)
    );

    // What `address` says of an item, as in the proof of the tags.
    wire accepted = active && advance && !rst;
    reg [3:0] used_at = 4'd0;
    reg [3:0] sets;
    reg has_last = 1'b0;
    reg [7:0] last;
    wire [7:0] key = {is_indexed, line, set};
    wire [3:0] meets = used_at & ~(sets ^ {4{set}});
    always @(posedge clk) begin
        used_at <= rst ? 4'd0 : {used_at[2:0], accepted && used};
        sets <= {sets[2:0], set};
        if (accepted && used) begin
            has_last <= 1'b1;
            last <= key;
        end
    end
    always @* if (accepted && used) begin
        if (repeats) assume (has_last && key == last);
        else assume (meets == 4'd0);
        // Tiles of four lines begin at a multiple of four.
        if (!is_indexed) assume (line[1:0] == 2'd0);
    end

    // Memory: reads in order, of one line or four.
    reg [7:0] read_0, read_1, read_2, read_3;
    reg [2:0] read_count = 3'd0;
    assign line_valid = line_comes && read_count != 3'd0;
    assign line_number = read_0[5:0];
    // Only lines with a certain bit fail.
    assign line_response = {line_fails && read_0[5], 1'b0};
    assign is_owed = read_count != 3'd0;
    assign ends = line_valid && read_0[7:6] == 2'd0;
    wire asked = read_valid && read_ready;
    wire [2:0] place = read_count - ends;
    wire [7:0] read = {read_data[28:27], read_data[5:0]};
    wire [7:0] next_line = {read_0[7:6] - 2'd1, read_0[5:0] + 6'd1};
    always @(posedge clk) begin
        read_count <= rst ? 3'd0 : place + asked;
        read_0 <= asked && place == 3'd0 ? read : ends ? read_1 : line_valid ? next_line : read_0;
        read_1 <= asked && place == 3'd1 ? read : ends ? read_2 : read_1;
        read_2 <= asked && place == 3'd2 ? read : ends ? read_3 : read_2;
        read_3 <= asked ? read : read_3;
    end
    always @* if (asked) assume (place != 3'd4);
    offer_stays #(.WIDTH(29)) offer (.clk(clk), .rst(rst), .valid(read_valid), .ready(read_ready), .data(read_data));

    // What an item gets is what memory holds there.
    wire [5:0] wanted = tap_left[5:0] + {4'd0, tap_left[8], 1'b0};
    wire is_watched = out_valid && tap_left[9] && read_words[65];
    wire fails = read_words[32];
    always @* if (is_watched) begin
        right_texel: assert (read_words[5:0] == wanted);
        failure_is_real: assert (!fails || wanted[5]);
    end

    // Slots come out in order, and nothing is left under way when all have.
    reg [4:0] items = 5'd0;
    always @(posedge clk) items <= rst ? 5'd0 : items + accepted - out_valid;
    reg [3:0] idle = 4'd0;
    always @(posedge clk) idle <= items == 5'd0 && !accepted ? {idle[2:0], 1'b1} : 4'd0;
    wire [3:0] inner_pending;
    always @* begin
        none_made_up: assert (!out_valid || items != 5'd0);
        counts_return: assert (!idle[3] || (inner_pending == 4'd0 && read_count == 3'd0));
        few_reads: assert (inner_pending <= 4'd8);
        right_lengths: assert (!fault[2]);
    end
    reg replaced = 1'b0;
    always @(posedge clk) if (misses && items >= 5'd2 && out_valid) replaced <= 1'b1;
    always @* begin
        a_texel: cover (is_watched && !fails && wanted == 6'd9);
        a_failure: cover (is_watched && fails);
        all_done: cover (idle[3] && has_last);
        a_row_of_four: cover (is_watched && !tap_left[7] && tap_left[8]);
    end
endmodule
