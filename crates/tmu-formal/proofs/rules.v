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

// Items on one clock: never more than there is room for, and neither side waits when it need not.
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
    always @(posedge clk)
        if (rst) begin
            count <= 16'd0;
            unseen <= 4'd0;
            refused <= 4'd0;
        end else begin
            count <= count + taken - given;
            unseen <= (count != 16'd0 && !valid) ? unseen + 4'd1 : 4'd0;
            refused <= (count < DEPTH - SLACK && !ready) ? refused + 4'd1 : 4'd0;
        end
    always @* begin
        has_room: assert (count <= DEPTH);
        not_empty: assert (!valid || count != 16'd0);
        comes_out: assert (unseen < LATENCY);
        lets_in: assert (refused < 4'd2);
        full: cover (count == DEPTH);
    end
    assign items = count;
endmodule
