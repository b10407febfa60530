// What the properties files share. Properties have names; a report shows them.

// What is offered stays, with its data, until it is taken.
module offer_stays #(parameter WIDTH = 1) (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire ready,
    input wire [WIDTH-1:0] data
);
    reg waits = 1'b0;
    reg [WIDTH-1:0] offered;
    always @(posedge clk) begin
        waits <= valid && !ready && !rst;
        offered <= data;
    end
    always @* if (waits) begin
        valid_stays: assert (valid);
        data_holds: assert (data == offered);
    end
endmodule

// Any two items, marked at any time: each comes out once, the first before the second. An item that was lost shows when
// the second comes out without the first. Both marks are free, so this holds for all items and all pairs.
module in_order #(parameter MAY_LOSE = 0) (
    input wire in_clk,
    input wire in_clear,
    input wire taken,
    input wire [1:0] in_mark,
    input wire out_clk,
    input wire out_clear,
    input wire offered,
    input wire given,
    input wire [1:0] out_mark,
    output wire [1:0] marks_sent,
    output wire [1:0] marks_seen
);
    reg [1:0] sent = 2'd0;
    reg [1:0] seen = 2'd0;
    always @(posedge in_clk)
        if (in_clear) sent <= 2'd0;
        else if (taken && in_mark != 2'd0) sent <= in_mark;
    always @(posedge out_clk)
        if (out_clear) seen <= 2'd0;
        else if (given && out_mark != 2'd0) seen <= out_mark;
    always @* if (taken) assume (in_mark == 2'd0 || (in_mark != 2'd3 && in_mark == sent + 2'd1));
    always @* if (offered && out_mark != 2'd0) begin
        not_made_up: assert (out_mark <= sent);
        not_doubled: assert (out_mark > seen);
        if (!MAY_LOSE) not_lost: assert (out_mark <= seen + 2'd1);
    end
    always @* both_marks: cover (given && out_mark == 2'd2);
    assign marks_sent = sent;
    assign marks_seen = seen;
endmodule

// Items on one clock: never more than there is room for, and neither side waits when it need not. An item is offered so many clocks
// after it was taken, or when the one before it has gone; never sooner.
module occupancy #(parameter DEPTH = 1, parameter LATENCY = 1, parameter SLACK = 0) (
    input wire clk,
    input wire rst,
    input wire taken,
    input wire given,
    input wire ready,
    input wire valid,
    output wire [15:0] items
);
    reg [15:0] count = 16'd0;
    reg [3:0] unseen = 4'd0;
    reg [3:0] refused = 4'd0;
    reg [2:1] came = 2'd0;
    wire [1:0] young = (LATENCY > 1 && came[1]) + (LATENCY > 2 && came[2]);
    always @(posedge clk)
        if (rst) begin
            count <= 16'd0;
            unseen <= 4'd0;
            refused <= 4'd0;
            came <= 2'd0;
        end else begin
            came <= {came[1], taken};
            count <= count + taken - given;
            unseen <= (count != 16'd0 && !valid) ? unseen + 4'd1 : 4'd0;
            refused <= (count < DEPTH - SLACK && !ready) ? refused + 4'd1 : 4'd0;
        end
    always @* begin
        has_room: assert (count <= DEPTH);
        not_empty: assert (!valid || count != 16'd0);
        comes_out: assert (unseen < LATENCY);
        comes_in_its_clock: assert (valid == (count > young));
        lets_in: assert (refused < 4'd2);
        full: cover (count == DEPTH);
    end
    assign items = count;
endmodule

// Of indirect look-ups, where a quad has one to four values: what is known of those of the first of so many quads that have so many together.
module values_of_quads (
    input wire valid,
    input wire [1:0] more,
    input wire [7:0] quads,
    input wire [8:0] all
);
    wire [8:0] own = {7'd0, more} + 9'd1, others = {1'b0, quads} - 9'd1;
    always @* if (valid) assume (own + others <= all && all <= own + {others[6:0], 2'd0});
endmodule

// What an address channel of an AXI4 master has to do with its commands: the bursts of each one follow each other, end with
// its last transfer, and keep the rules. Transfers are bytes, a burst has at most four, and at most four wait for their
// answer, which comes in order. Read and write masters alike.
module bursts_of_commands (
    input wire clk,
    input wire rst,
    input wire command_taken,
    input wire [15:0] command,
    input wire valid,
    input wire ready,
    input wire [12:0] address,
    input wire [7:0] length,
    // Burst type, size and ID.
    input wire [5:0] attributes,
    // What the master itself says of the bursts that are not answered.
    input wire [2:0] outstanding,
    // The oldest burst is answered.
    input wire answered,
    // Bursts that were taken and are not answered: the oldest, their number, each one's length, and whether it is the last of
    // its command.
    output reg [1:0] first,
    output reg [2:0] open,
    output reg [7:0] lengths,
    output reg [3:0] finals,
    // Commands that have bursts to come: where the next burst begins, with how many transfers left, and the command behind.
    // The burst that is offered is the last one of its command.
    output reg [1:0] commands,
    output reg [12:0] at,
    output reg [2:0] to_come,
    output reg [15:0] waiting,
    output wire ends
);
    offer_stays #(.WIDTH(21)) offer (
        .clk(clk), .rst(rst), .valid(valid), .ready(ready), .data({address, length})
    );
    initial begin
        commands = 2'd0;
        first = 2'd0;
        open = 3'd0;
    end
    assign ends = length == {5'd0, to_come};
    wire taken = valid && ready;
    wire finishes = taken && ends;
    always @(posedge clk)
        if (rst) commands <= 2'd0;
        else begin
            commands <= commands + command_taken - finishes;
            if (command_taken) waiting <= command;
            if (command_taken && (commands == 2'd0 || (commands == 2'd1 && finishes))) begin
                at <= command[15:3];
                to_come <= command[2:0];
            end else if (finishes) begin
                at <= waiting[15:3];
                to_come <= waiting[2:0];
            end else if (taken) begin
                at <= at + length[2:0] + 13'd1;
                to_come <= to_come - length[2:0] - 3'd1;
            end
        end
    wire [1:0] behind = first + open[1:0];
    always @(posedge clk)
        if (rst) begin
            first <= 2'd0;
            open <= 3'd0;
        end else begin
            first <= first + answered;
            open <= open + taken - answered;
            if (taken) begin
                lengths[2*behind +: 2] <= length[1:0];
                finals[behind] <= ends;
            end
        end
    // A burst that may go waits a clock at most until it is offered.
    reg [1:0] waits = 2'd0;
    always @(posedge clk) waits <= rst || valid || commands == 2'd0 || open == 3'd4 ? 2'd0 : waits + 2'd1;
    always @* begin
        is_offered: assert (waits <= 2'd1);
        at_most_two: assert (commands <= 2'd2);
        within_limit: assert (open <= 3'd4);
        counts_all: assert (outstanding == open + (valid && !rst));
        if (valid) begin
            of_a_command: assert (commands != 2'd0);
            in_sequence: assert (address == at);
            not_too_long: assert (length <= 8'd3 && length <= {5'd0, to_come});
            within_4_kib: assert ({1'b0, address[11:0]} + {5'd0, length} <= 13'd4095);
            has_room: assert (open <= 3'd3);
            burst_is_plain: assert (attributes == {2'd1, 3'd0, 1'd1});
        end
        all_wait: cover (open == 3'd4);
        at_the_boundary: cover (taken && address[11:0] == 12'hfff && !ends);
        of_three: cover (finishes && to_come == 3'd2 && commands == 2'd2);
    end
endmodule

// What `address` tells `lookup` of an item, for one bank of tags: that it wants the tile that the bank was asked for last, and
// that otherwise no item of the four clocks before looks into its set. Taken for granted of what `tag_stage` is given, proved
// of what `address` gives.
module item_marks #(parameter KEY = 1, parameter SET = 1, parameter PROVED = 0) (
    input wire clk,
    input wire rst,
    // An item that uses the bank is accepted.
    input wire accepted,
    input wire same_tile,
    input wire [KEY-1:0] key,
    input wire [SET-1:0] set,
    // The items of the four clocks before, and the last one of all.
    output wire [4:1] used_before,
    output wire [4*SET-1:0] sets_before,
    output wire has_last,
    output wire [KEY-1:0] last_key,
    output wire [SET-1:0] last_set
);
    reg [4:1] used_at = 4'd0;
    reg [4*SET-1:0] sets;
    reg known = 1'b0;
    reg [KEY-1:0] known_key;
    reg [SET-1:0] known_set;
    always @(posedge clk) begin
        used_at <= rst ? 4'd0 : {used_at[3:1], accepted};
        sets <= {sets[3*SET-1:0], set};
        if (rst) known <= 1'b0;
        else if (accepted) begin
            known <= 1'b1;
            known_key <= key;
            known_set <= set;
        end
    end
    wire [4:1] meets = {used_at[4] && sets[3*SET +: SET] == set, used_at[3] && sets[2*SET +: SET] == set,
        used_at[2] && sets[SET +: SET] == set, used_at[1] && sets[0 +: SET] == set};
    wire is_repeat = known && key == known_key && set == known_set;
    generate
        if (PROVED) begin
            always @* if (accepted) begin
                repeats_the_last: assert (!same_tile || is_repeat);
                apart_if_it_meets: assert (same_tile || meets == 4'd0);
            end
        end else begin
            always @* if (accepted) begin
                assume (!same_tile || is_repeat);
                assume (same_tile || meets == 4'd0);
            end
        end
    endgenerate
    assign used_before = used_at;
    assign sets_before = sets;
    assign has_last = known;
    assign last_key = known_key;
    assign last_set = known_set;
endmodule
