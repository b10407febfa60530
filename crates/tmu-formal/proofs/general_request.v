// The stage that puts packets together and hands them on, a quad at once and a binding register by register.
//
// Beside it the beats of a packet are counted and kept. One packet stands in the stage at a time, and no beat is let in meanwhile:
// what comes out is compared with the packet that stands. The block that looks at rules is stood in for by one with any answer,
// which stays once it is done; the memory by one that keeps one word, any of them.
module rules (
    input wire clk,
    input wire rst,
    input wire clears,
    input wire in_valid,
    input wire [4:0] register,
    input wire [31:0] data,
    input wire is_reserved_above,
    output wire is_done,
    output wire is_good,
    output wire [7:0] broken_rules
);
    (* anyseq *) reg done;
    (* anyseq *) reg good;
    (* anyseq *) reg [7:0] broken;
    assign is_done = done;
    assign is_good = good;
    assign broken_rules = broken;
    reg was_done = 1'b0;
    reg was_good;
    always @(posedge clk) begin
        was_done <= done && !in_valid && !clears && !rst;
        was_good <= good;
    end
    always @* if (was_done) assume (done && good == was_good);
endmodule

module distributed_ram_8x128 (
    input wire clk,
    input wire write_enable,
    input wire [2:0] write_address,
    input wire [127:0] write_data,
    input wire [2:0] read_address,
    output wire [127:0] read_data
);
    (* anyconst *) reg [2:0] watched;
    (* anyseq *) reg [127:0] anything;
    reg [127:0] word;
    always @(posedge clk) if (write_enable && write_address == watched) word <= write_data;
    assign read_data = read_address == watched ? word : anything;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire beat_valid,
    input wire [137:0] beat,
    input wire item_ready
);
    localparam [4:0] VERDICT = 5'd20;
    // A binding takes two clocks a register: for mutants and covers the first one begins late.
`ifdef SHORTENED
    localparam [4:0] FIRST = 5'd17;
`else
    localparam [4:0] FIRST = 5'd0;
`endif
    wire beat_ready, item_valid, packet_dropped, quad_enters;
    wire [429:0] item;
    wire [7:0] broken_rules;
    wire [2:0] pixels_leave;
    request dut (
        .clk(clk), .rst(rst), .beat_valid(beat_valid), .beat_ready(beat_ready), .beat_data(beat), .item_valid(item_valid),
        .item_ready(item_ready), .item_data(item), .broken_rules(broken_rules), .packet_dropped(packet_dropped),
        .quad_enters(quad_enters), .pixels_leave(pixels_leave)
    );
    wire moves = beat_valid && beat_ready && !rst;
    wire given = item_valid && item_ready && !rst;
    offer_stays #(.WIDTH(430)) offer (.clk(clk), .rst(rst), .valid(item_valid), .ready(item_ready), .data(item));

    // The packet that comes: its beats so far, not counted beyond six, and of which kinds they are.
    wire beat_is_binding = beat[136];
    wire is_last = beat[137];
    reg [2:0] beats = 3'd0;
    reg has_quad = 1'b0;
    reg has_binding = 1'b0;
    wire with_quad = has_quad || !beat_is_binding;
    wire with_binding = has_binding || beat_is_binding;
    wire [2:0] with_beats = beats + (beats != 3'd6);
    wire is_quad = !with_binding && with_beats >= 3'd2 && with_beats <= 3'd4;
    wire is_binding = !with_quad && with_beats == 3'd5;
    wire takes_quad = moves && is_last && is_quad;
    wire takes_binding = moves && is_last && is_binding;
    wire is_wrong = moves && is_last && !is_quad && !is_binding;

    // What stands in the stage: a quad, or a binding of which this item is the next one to leave.
    reg stands_quad = 1'b0;
    reg stands_binding = 1'b0;
    reg [4:0] due = FIRST;
    wire stands = stands_quad || stands_binding;
    always @(posedge clk) begin
        if (rst || (moves && is_last)) begin
            beats <= 3'd0;
            has_quad <= 1'b0;
            has_binding <= 1'b0;
        end else if (moves) begin
            beats <= with_beats;
            has_quad <= with_quad;
            has_binding <= with_binding;
        end
        if (rst) begin
            stands_quad <= 1'b0;
            stands_binding <= 1'b0;
            due <= FIRST;
        end else begin
            stands_quad <= takes_quad || (stands_quad && !given);
            stands_binding <= takes_binding || (stands_binding && !(given && due == VERDICT));
            if (stands_binding && given) due <= due == VERDICT ? 5'd0 : due + 5'd1;
        end
    end

    // Its beats, those of a quad each by itself, of a binding the one that the memory keeps.
    wire [2:0] inner_words_watched;
    wire [127:0] inner_words_word;
    reg [127:0] first, second, third, fourth, word;
    reg [3:0] pixels;
    reg [2:0] length;
    reg above;
    always @(posedge clk) if (moves) begin
        if (beats == 3'd0) first <= beat[127:0];
        if (beats == 3'd1) second <= beat[127:0];
        if (beats == 3'd2) third <= beat[127:0];
        if (beats == 3'd3) fourth <= beat[127:0];
        if (beats == inner_words_watched) word <= beat[127:0];
        pixels <= beat[131:128];
        length <= with_beats;
        above <= (beats != 3'd0 && above) || beat[135:128] != 8'd0;
    end

    // The item of a quad. What is left out is 0.
    wire [127:0] thirds = length >= 3'd3 ? third : 128'd0;
    wire [2:0] operation = length == 3'd4 ? fourth[34:32] : 3'd0;
    wire [383:0] numbers = {
        thirds[127:96], second[127:64], thirds[95:64], second[63:0], thirds[63:32], first[127:64], thirds[31:0], first[63:0]
    };
    // The verdict that goes for quads, and what a binding asks for: that the cache is emptied.
    wire inner_rules_is_good, inner_rules_is_done, inner_rules_in_valid, inner_rules_clears, inner_rules_is_reserved_above;
    wire [7:0] inner_rules_broken_rules;
    reg is_good = 1'b0;
    reg drops = 1'b0;
    always @(posedge clk) begin
        if (rst) is_good <= 1'b0;
        else if (given && stands_binding && due == VERDICT) is_good <= inner_rules_is_good;
        if (given && stands_binding && due == 5'd1) drops <= item[76];
    end
    wire [31:0] data = item[77:46];
    wire [31:0] own = word >> {due[1:0], 5'd0};

    // What is told in the clock behind.
    reg was_wrong = 1'b0;
    reg was_quad = 1'b0;
    reg [2:0] waits = 3'd0;
    reg [2:0] left_pixels;
    always @(posedge clk) begin
        was_wrong <= is_wrong;
        was_quad <= given && stands_quad;
        left_pixels <= {2'd0, item[6]} + {2'd0, item[7]} + {2'd0, item[8]} + {2'd0, item[9]};
        waits <= rst || item_valid || !stands_binding || (due == VERDICT && !inner_rules_is_done) ? 3'd0 : waits + 3'd1;
    end
    always @* begin
        dropped_once: assert (packet_dropped == was_wrong);
        one_at_a_time: assert (beat_ready == !stands && !(stands_quad && stands_binding));
        not_made_up: assert (!item_valid || (stands && item[0] == stands_binding));
        comes_out: assert ((!stands_quad || item_valid) && waits <= 3'd1);
        if (item_valid && stands_quad) begin
            right_pixels: assert (item[429:46] == numbers && item[9:6] == pixels);
            right_operation: assert (item[13:11] == operation && (length != 3'd4 || item[45:14] == fourth[31:0]));
            told_if_it_failed: assert (item[10] == (!is_good || operation > 3'd2));
        end
        if (item_valid && stands_binding) begin
            in_turn: assert (item[5:1] == due && due <= VERDICT);
            right_register: assert (due == VERDICT || due[4:2] != inner_words_watched || data == own);
            right_verdict: assert (due != VERDICT || data == {30'd0, drops && inner_rules_is_good, inner_rules_is_good});
        end
        each_is_looked_at: assert (rst || inner_rules_in_valid == (given && stands_binding && due != VERDICT));
        rest_is_looked_at: assert (inner_rules_clears == !stands_binding && inner_rules_is_reserved_above == (stands_binding && above));
        told_once: assert (rst || broken_rules == (given && stands_binding && due == VERDICT ? inner_rules_broken_rules : 8'd0));
        counted_once: assert (quad_enters == was_quad && pixels_leave == (was_quad ? left_pixels : 3'd0));
        short_quad: cover (given && stands_quad && length == 3'd2 && item[9:6] == 4'ha);
        long_quad: cover (given && stands_quad && length == 3'd4 && beats == 3'd0);
        good_quad: cover (given && stands_quad && !item[10]);
        dropped_binding: cover (packet_dropped && moves && beat_is_binding);
        good_binding: cover (given && stands_binding && due == VERDICT && data[0]);
    end

    // For the induction: how the stage has the packet that comes, and the one that stands.
    wire [2:0] inner_number;
    wire [4:0] inner_register;
    wire inner_is_binding, inner_skipping, inner_is_end, inner_at_verdict, inner_is_good, inner_drops_cache, inner_has_above;
    wire comes_quad = has_quad && !has_binding && beats <= 3'd3;
    wire comes_binding = has_binding && !has_quad && beats <= 3'd4;
    wire comes = comes_quad || comes_binding;
    always @* begin
        nothing_beside: assert (!stands || beats == 3'd0);
        counted_right: assert (beats <= 3'd6 && (has_quad || has_binding) == (beats != 3'd0)
            && (beats >= 3'd2 || !(has_quad && has_binding)));
        packet_known: assert (inner_skipping == (beats != 3'd0 && !comes)
            && (inner_skipping || (inner_number == beats && (beats == 3'd0 || inner_is_binding == has_binding))));
        kept_so_far: assert (!comes_quad || (item[109:46] == first[63:0] && item[205:142] == first[127:64]
            && (beats < 3'd2 || (item[301:238] == second[63:0] && item[397:334] == second[127:64]))
            && {item[429:398], item[333:302], item[237:206], item[141:110]} == (beats < 3'd3 ? 128'd0 : third)
            && item[13:11] == 3'd0));
        word_so_far: assert (!(comes_binding && beats > inner_words_watched) || inner_words_word == word);
        word_stands: assert (!(stands_binding && inner_words_watched <= 3'd4) || inner_words_word == word);
        pixels_so_far: assert (!(comes_quad || stands_quad) || item[9:6] == pixels);
        above_so_far: assert (!(comes_binding || stands_binding) || inner_has_above == above);
        length_stands: assert (stands_quad ? length >= 3'd2 && length <= 3'd4 : 1'b1);
        place_known: assert (inner_register == due && due <= VERDICT && (stands_binding || due == 5'd0 || due == FIRST)
            && inner_at_verdict == (due == VERDICT) && (!(item_valid && stands_binding) || inner_is_end == (due == VERDICT)));
        verdict_known: assert (inner_is_good == is_good && (!(stands_binding && due > 5'd1) || inner_drops_cache == drops));
        verdict_stays: assert (!(item_valid && stands_binding && due == VERDICT) || inner_rules_is_done);
    end
endmodule
