// The counts of a unit: of any one of them, that each event is counted once, and that it stops at its end.
//
// The count is compared with one that adds up the events as they come, from the last reset on. The RAM stands in for the
// emitted one: it keeps the count that is watched, whatever it was before the reset, and answers anything for the others.
module distributed_ram_16x33 (
    input wire clk,
    input wire write_enable,
    input wire [3:0] write_address,
    input wire [32:0] write_data,
    input wire [3:0] read_address,
    output wire [32:0] read_data
);
    (* anyconst *) reg [3:0] watched;
    (* anyseq *) reg [32:0] elsewhere;
    reg [32:0] word;
    always @(posedge clk) if (write_enable && write_address == watched) word <= write_data;
    assign read_data = read_address == watched ? word : elsewhere;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire [26:0] events
);
    wire [31:0] count;
    wire [3:0] number;
    counters dut (
        .clk(clk), .rst(rst), .events_quads(events[0]), .events_pixels(events[3 +: `PIXEL_WIDE]), .events_lookups(events[6 +: `WIDE]),
        .events_repeats(events[9 +: `WIDE]), .events_hits(events[12 +: `WIDE]), .events_misses(events[15 +: `WIDE]),
        .events_memory_beats(events[18]), .events_stalls(events[21]), .events_dropped_packets(events[24]), .count(count), .number(number)
    );
    // Bits of what a round adds at most: a count as near to its end is taken to the end by the next round.
    localparam ROUND = `ROUND;
    wire [32:0] limit = {1'b0, {(32 - ROUND){1'b1}}, {ROUND{1'b0}}};
`ifdef SHORTENED
    // A reset leaves a little for the counts to count then.
    localparam START = ROUND == 7 ? 32'hffffff7e : 32'hffffffde;
`else
    localparam START = 32'd0;
`endif
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Events of the watched count.
    wire [3:0] inner_ram_watched;
    wire [32:0] inner_ram_word;
    wire [3:0] watched = inner_ram_watched;
    always @* assume (watched < 4'd9);
    wire [26:0] from_watched = events >> (5'd3 * watched);
    wire [2:0] all = from_watched[2:0];
    wire is_single = watched == 4'd0 || watched >= 4'd6 || (watched == 4'd1 ? `PIXEL_WIDE == 1 : `WIDE == 1);
    wire [2:0] now = is_single ? {2'd0, all[0]} : all;
`ifdef TAPS
    // Quads, with their pixels, come every four clocks at most.
    reg [1:0] since_quad = 2'd0;
    always @(posedge clk) since_quad <= rst ? 2'd0 : events[5:3] != 3'd0 ? 2'd3 : since_quad - (since_quad != 2'd0);
    always @* assume (events[5:3] <= 3'd4 && (since_quad == 2'd0 || events[5:3] == 3'd0));
`endif

    // All events so far; how many that were when the watched count was last taken to be added; and whether it has passed by.
    reg [32:0] total = START;
    reg [32:0] total_1, total_2;
    reg [1:0] age = 2'd0;
    always @(posedge clk) begin
        total <= rst ? START : total[32] ? total : total + now;
        total_1 <= total;
        total_2 <= total_1;
        age <= rst ? 2'd0 : age + (age != 2'd3);
    end
    wire passes = age == 2'd3 && number == watched;
    reg has_passed = 1'b0;
    reg [31:0] passed;
    reg [3:0] clocks = 4'd0;
    always @(posedge clk) begin
        if (rst) has_passed <= 1'b0;
        else if (passes) has_passed <= 1'b1;
        if (passes) passed <= count;
        clocks <= rst || passes ? 4'd0 : clocks + 4'd1;
    end
    wire was_near = passed[31:ROUND] == {(32 - ROUND){1'b1}};
    always @* if (passes) begin
        exact: assert (total_2 >= limit || count == total_2[31:0]);
        not_too_few: assert (total_2 < limit || {1'b0, count} >= limit);
        stops_at_the_end: assert (!(has_passed && was_near) || count == 32'hffffffff);
        never_less: assert (!has_passed || count >= passed);
    end
    always @* passes_each_round: assert (!has_passed || passes || clocks != 4'd15);

    // For the induction: where the count is.
    wire [15:0] inner_turn;
    wire [3:0] inner_place, inner_next_place, inner_before_place;
    wire inner_clearing, inner_before_is_near_end;
    wire [ROUND-1:0] inner_addend;
    wire [31:0] inner_before;
    wire [4:0] inner_gathered_quads, inner_gathered_memory_beats, inner_gathered_stalls, inner_gathered_dropped_packets;
    wire [`PIXELS-1:0] inner_gathered_pixels;
    wire [ROUND-1:0] inner_gathered_lookups, inner_gathered_repeats, inner_gathered_hits, inner_gathered_misses;
    wire [6:0] gathered = watched == 4'd0 ? inner_gathered_quads : watched == 4'd1 ? inner_gathered_pixels
        : watched == 4'd2 ? inner_gathered_lookups : watched == 4'd3 ? inner_gathered_repeats : watched == 4'd4 ? inner_gathered_hits
        : watched == 4'd5 ? inner_gathered_misses : watched == 4'd6 ? inner_gathered_memory_beats : watched == 4'd7 ? inner_gathered_stalls
        : inner_gathered_dropped_packets;
    wire is_turn = inner_turn[watched];
    reg first = 1'b0;
    reg second = 1'b0;
    reg begun = 1'b0;
    always @(posedge clk) begin
        first <= is_turn && !rst;
        second <= first && !rst;
        begun <= !rst && (begun || is_turn);
    end
    wire [31:0] added = inner_before_is_near_end ? 32'hffffffff : inner_before + inner_addend;
    wire [31:0] kept = first ? added : second ? count : begun ? inner_ram_word[31:0] : START;
    wire [32:0] known = {1'b0, kept} + gathered;
    // Clocks in which it gathers, by now, and what it can have in them.
    wire [3:0] gone = inner_place - watched - 4'd1;
    wire [6:0] gathers = begun ? {3'd0, gone} + 7'd1 : age == 2'd0 ? 7'd0 : {3'd0, inner_place} + 7'd1;
`ifdef TAPS
    wire [6:0] most = is_single ? gathers : gathers + since_quad;
`else
    wire [6:0] most = is_single ? gathers : 7'd7 * gathers;
`endif
    always @* begin
        in_turn: assert (age == 2'd0 ? inner_turn == 16'h8000 && inner_place == 4'd0 && inner_next_place == 4'd0
            : inner_turn == 16'd1 << inner_place && inner_next_place == inner_place + 4'd1);
        at_first: assert ((age != 2'd1 || inner_place == 4'd0) && (age != 2'd2 || inner_place == 4'd1)
            && (!inner_clearing || age != 2'd3 || inner_place >= 4'd2) && (inner_clearing || age == 2'd3));
        behind_each_other: assert ((age < 2'd2 || inner_before_place == inner_place - 4'd1)
            && (age != 2'd1 || inner_before_place == 4'd0) && (age != 2'd3 || number == inner_place - 4'd2));
        first_round: assert (inner_clearing ? begun == (age != 2'd0 && inner_place > watched) : begun);
        each_in_turn: assert (first == (begun && inner_place == watched + 4'd1)
            && second == (begun && inner_place == watched + 4'd2));
        near_is_kept: assert (!begun || first || second || inner_ram_word[32] == (&inner_ram_word[31:ROUND]));
        near_is_near: assert (!first || inner_before_is_near_end == (&inner_before[31:ROUND]));
        fits: assert (gathered <= most);
        all_known: assert (total < limit ? total == known : known >= limit);
        taken: assert (!first || (total_1 < limit ? total_1 == {1'b0, added} : {1'b0, added} >= limit));
        given: assert (!second || (total_2 < limit ? total_2 == {1'b0, count} : {1'b0, count} >= limit));
        passed_in_time: assert (has_passed == (begun && !(inner_clearing && (first || second))));
        before_is_passed: assert (!first || inner_before == (has_passed ? passed : START));
        passed_is_kept: assert (!begun || first || second || (has_passed && passed == inner_ram_word[31:0]));
        clocks_are_places: assert (!has_passed || clocks == inner_place - watched - 4'd3);
    end
    always @* begin
        counts_one: cover (passes && count == START + 32'd1 && watched == 4'd8);
        ends: cover (passes && was_near && has_passed && count == 32'hffffffff);
    end
endmodule
