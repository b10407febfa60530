// The blocking cache, at its real size, against any memory.
//
// One line is watched, chosen freely, and one bit of what memory holds there. The tag RAMs stand in for the emitted ones:
// they keep the set of the watched line and answer anything for the others; so does the line RAM, with one bit a way. The
// replacement's memory answers anything, so that the properties hold whichever way is chosen.
module ram_simple_dual_port_1024x18 (
    input wire clk,
    input wire write_enable,
    input wire [9:0] write_address,
    input wire [17:0] write_data,
    input wire read_enable,
    input wire [9:0] read_address,
    input wire output_enable,
    output wire [17:0] read_data
);
    (* anyconst *) reg [9:0] watched;
    (* anyseq *) reg [17:0] elsewhere;
    reg [17:0] word;
    reg [17:0] read_latch;
    reg [17:0] read_output;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= write_data;
        if (read_enable) read_latch <= read_address == watched ? word : elsewhere;
        if (output_enable) read_output <= read_latch;
    end
    assign read_data = read_output;
endmodule

module ram_simple_dual_port_4096x128 (
    input wire clk,
    input wire write_enable,
    input wire [11:0] write_address,
    input wire [127:0] write_data,
    input wire read_enable,
    input wire [11:0] read_address,
    input wire output_enable,
    output wire [127:0] read_data
);
    (* anyconst *) reg [9:0] watched;
    (* anyseq *) reg [127:0] elsewhere;
    reg [3:0] word;
    reg read_latch;
    reg read_output;
    wire found = read_address[11] ? (read_address[10] ? word[3] : word[2]) : (read_address[10] ? word[1] : word[0]);
    always @(posedge clk) begin
        if (write_enable && write_address[9:0] == watched) begin
            if (write_address[11:10] == 2'd0) word[0] <= write_data[0];
            if (write_address[11:10] == 2'd1) word[1] <= write_data[0];
            if (write_address[11:10] == 2'd2) word[2] <= write_data[0];
            if (write_address[11:10] == 2'd3) word[3] <= write_data[0];
        end
        if (read_enable) read_latch <= read_address[9:0] == watched ? found : elsewhere[0];
        if (output_enable) read_output <= read_latch;
    end
    assign read_data = {elsewhere[127:1], read_output};
endmodule

module distributed_ram_64x16 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [15:0] write_data,
    input wire [5:0] read_address,
    output wire [15:0] read_data
);
    (* anyseq *) reg [15:0] anything;
    assign read_data = anything;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [59:0] input_data,
    input wire invalidate,
    input wire read_ready,
    input wire line_valid,
    input wire [127:0] line_data,
    input wire line_error
);
    wire input_ready, invalidating, read_valid, out_valid, is_fetched, error;
    wire [26:0] read_data;
    wire [31:0] sideband;
    wire [127:0] held_line, fetched_line;
    wire [4:0] events;
    cache dut (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .invalidate(invalidate), .invalidating(invalidating), .read_valid(read_valid), .read_ready(read_ready), .read_data(read_data),
        .line_valid(line_valid), .line_data(line_data), .line_error(line_error),
        .out_valid(out_valid), .sideband(sideband), .is_fetched(is_fetched), .held_line(held_line), .fetched_line(fetched_line),
        .error(error), .events(events)
    );

    // The watched line, and a bit of it.
    (* anyconst *) reg [26:0] watched_line;
    (* anyconst *) reg watched_bit;
    wire [9:0] inner_tags_0_watched, inner_tags_1_watched, inner_tags_2_watched, inner_tags_3_watched;
    wire [17:0] inner_tags_0_word, inner_tags_1_word, inner_tags_2_word, inner_tags_3_word;
    wire [9:0] inner_lines_watched;
    wire [3:0] inner_lines_word;
    wire inner_clearing;
    wire inner_ready;
    wire inner_reading;
    wire inner_compared;
    wire inner_decided;
    wire inner_line_read;
    wire inner_read_wanted;
    wire inner_waiting;
    wire inner_filled;
    wire inner_busy;
    wire inner_answering;
    wire [31:0] inner_answering_sideband;
    wire [26:0] inner_wanted_line;
    wire inner_failed;
    wire inner_last_is_good;
    wire [127:0] inner_fetched;
    wire inner_invalidate_pending;
    wire [9:0] inner_clear_set;
    wire [17:0] inner_tags_0_read_latch, inner_tags_0_read_output;
    wire [4*4-1:0] inner_same_parts;
    wire [17:0] inner_tags_1_read_latch, inner_tags_1_read_output;
    wire [17:0] inner_tags_2_read_latch, inner_tags_2_read_output;
    wire [17:0] inner_tags_3_read_latch, inner_tags_3_read_output;
    wire inner_lines_read_latch, inner_lines_read_output;
    wire [9:0] set = watched_line[9:0];
    always @* begin
        assume (inner_tags_0_watched == set && inner_tags_1_watched == set);
        assume (inner_tags_2_watched == set && inner_tags_3_watched == set);
        assume (inner_lines_watched == set);
    end
    wire [17:0] entry = {1'b1, watched_line[26:10]};
    wire [3:0] holds = {inner_tags_3_word == entry, inner_tags_2_word == entry, inner_tags_1_word == entry,
        inner_tags_0_word == entry};

    // The simulator starts in reset.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Look-ups: a repeat is marked only if the line before was the same.
    wire moves = input_valid && input_ready && !rst;
    wire is_end = input_data[7];
    wire [26:0] line = input_data[58:32];
    reg has_last = 1'b0;
    reg [26:0] last_line;
    always @(posedge clk)
        if (rst) has_last <= 1'b0;
        else if (moves && !is_end) begin
            has_last <= 1'b1;
            last_line <= line;
        end
    always @* if (input_valid && input_data[59]) assume (has_last && line == last_line);

    // Memory.
    reg under_way = 1'b0;
    reg reads_watched = 1'b0;
    reg last_failed = 1'b0;
    always @(posedge clk)
        if (rst) under_way <= 1'b0;
        else if (read_valid && read_ready) begin
            under_way <= 1'b1;
            reads_watched <= read_data == watched_line;
        end else if (line_valid) begin
            under_way <= 1'b0;
            last_failed <= line_error;
        end
    always @* if (line_valid) begin
        assume (under_way);
        assume (!reads_watched || line_error || line_data[0] == watched_bit);
    end
    offer_stays #(.WIDTH(27)) read (.clk(clk), .rst(rst), .valid(read_valid), .ready(read_ready), .data(read_data));
    always @* one_read: assert (!(read_valid && under_way));

    // Answers: one for each look-up, in order.
    reg open = 1'b0;
    reg [31:0] open_item;
    reg open_is_watched;
    always @(posedge clk) begin
        if (rst) open <= 1'b0;
        else if (moves) open <= 1'b1;
        else if (out_valid) open <= 1'b0;
        if (moves) begin
            open_item <= input_data[31:0];
            open_is_watched <= line == watched_line && !is_end;
        end
    end
    wire given = is_fetched ? fetched_line[0] : held_line[0];
    always @* begin
        if (out_valid && started && !after_reset) begin
            was_asked: assert (open);
            right_item: assert (sideband == open_item);
            right_line: assert (!open_is_watched || error || given == watched_bit);
            error_is_real: assert (!error || last_failed);
        end
        none_lost: assert (!(moves && open && !out_valid));
    end
    // The pause behind the end of a quad, in which its result is made, stays.
    reg was_end = 1'b0;
    reg left_end = 1'b0;
    always @(posedge clk) begin
        was_end <= moves && is_end;
        left_end <= out_valid && sideband[7] && !rst;
    end
    always @* if (was_end) assume (!input_valid);
    always @* if (left_end) pause_kept: assert (!out_valid);
    reg after_reset = 1'b1;
    always @(posedge clk) after_reset <= rst;

    // Inside: no two ways hold a line, and what they hold is the line.
    wire settled = started && !inner_clearing;
    always @* if (settled) begin
        one_way: assert ((holds & (holds - 4'd1)) == 4'd0);
        holds_the_line: assert ((holds & (inner_lines_word ^ {4{watched_bit}})) == 4'd0);
        reads_only_misses: assert (!(read_valid && read_data == watched_line) || holds == 4'd0);
    end

`ifndef SHORTENED
    // What lies between, for the induction: the steps of a look-up come one at a time, and what each has read is what
    // stands in the memories.
    reg swept = 1'b0;
    always @(posedge clk) if (inner_clearing && inner_clear_set == set) swept <= 1'b1;
    wire [6:0] steps = {inner_reading, inner_compared, inner_decided, inner_line_read, inner_read_wanted, inner_waiting,
        inner_filled};
    wire is_watched = inner_wanted_line == watched_line;
    wire same_set = inner_wanted_line[9:0] == set;
    always @* begin
        one_step: assert ((steps & (steps - 7'd1)) == 7'd0);
        busy_in_steps: assert (inner_busy == (steps != 7'd0));
        ready_is_idle: assert (!inner_ready || !(inner_busy || inner_clearing || inner_invalidate_pending));
        sweeps_when_idle: assert (!inner_clearing || !inner_busy);
        open_is_known: assert (open == (inner_answering || (inner_busy && !inner_filled)));
        filled_leaves: assert (!inner_filled || inner_answering);
        item_kept: assert (!open || inner_answering_sideband == open_item);
        line_kept: assert (!open || open_is_watched == (is_watched && !open_item[7]));
        line_is_last: assert (!inner_busy || (has_last && last_line == inner_wanted_line && !inner_answering_sideband[7]));
        waits_for_memory: assert (under_way == inner_waiting);
        knows_what: assert (!inner_waiting || reads_watched == is_watched);
        fault_kept: assert (!inner_failed || last_failed);
        swept_first: assert (swept || (inner_clearing && inner_clear_set <= set));
        sweep_ends: assert (inner_clearing || inner_clear_set == 10'd0);
        kept_by_resets: assert (!swept || ((holds & (holds - 4'd1)) == 4'd0
            && (holds & (inner_lines_word ^ {4{watched_bit}})) == 4'd0));
        still_missing: assert (!(is_watched && (inner_read_wanted || inner_waiting || inner_filled)) || holds == 4'd0);
        filled_right: assert (!(is_watched && inner_filled && !inner_failed) || inner_fetched[0] == watched_bit);
        tags_read: assert (!(same_set && inner_reading) || (inner_tags_0_read_latch == inner_tags_0_word
            && inner_tags_1_read_latch == inner_tags_1_word && inner_tags_2_read_latch == inner_tags_2_word
            && inner_tags_3_read_latch == inner_tags_3_word));
        tags_out: assert (!(same_set && inner_compared) || (inner_tags_0_read_output == inner_tags_0_word
            && inner_tags_1_read_output == inner_tags_1_word && inner_tags_2_read_output == inner_tags_2_word
            && inner_tags_3_read_output == inner_tags_3_word));
        tags_compared: assert (!(is_watched && inner_decided)
            || {&inner_same_parts[3*4 +: 4], &inner_same_parts[2*4 +: 4], &inner_same_parts[1*4 +: 4], &inner_same_parts[0*4 +: 4]} == holds);
        line_is_read: assert (!(is_watched && inner_line_read) || inner_lines_read_latch == watched_bit);
        line_stands: assert (!(has_last && inner_last_is_good && last_line == watched_line
            && (!inner_busy || inner_filled)) || given == watched_bit);
        good_or_failed: assert (!(has_last && (!inner_busy || inner_filled) && inner_last_is_good) || !inner_failed);
        leaves_good: assert (!(inner_answering && !open_item[7]) || inner_failed || inner_last_is_good);
        leaves_the_last: assert (!(inner_answering && !open_item[7] && open) || (has_last && last_line == inner_wanted_line));
    end
`endif

    reg missed = 1'b0;
    always @(posedge clk) if (out_valid && open_is_watched && is_fetched) missed <= 1'b1;
`ifdef SHORTENED
    // Sweeps begin at the last sets then, among which the watched one lies.
    always @* assume (set >= 10'd1020);
`endif
    always @* begin
        miss: cover (out_valid && open_is_watched && is_fetched && !error);
        hit: cover (out_valid && open_is_watched && !is_fetched && missed);
        failure: cover (out_valid && error);
    end
endmodule
