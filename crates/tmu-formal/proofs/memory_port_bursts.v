// The AXI4 read port of a unit that keeps many bursts in flight, all with one ID and so answered in order. With ANYTHING
// memory gives what it likes: transfers at any time, asked for or not, last ones of their reads or not.
module proof (
    input wire clk,
    input wire rst,
    input wire flush,
    input wire reads_valid,
    input wire [28:0] reads_data,
    input wire arready,
    input wire [127:0] rdata,
    input wire [1:0] rresp,
    input wire rvalid,
    input wire rlast,
    input wire [2:0] unit_faults,
    input wire [26:0] unit_fault_lines
);
    (* anyconst *) reg [35:0] window_line;
    wire reads_ready, line_valid, stopped, arvalid, rready;
    wire [127:0] line_data;
    wire [1:0] line_response, arburst;
    wire [2:0] fault;
    wire line_last, unexpected, is_outstanding;
    wire [35:0] fault_line;
    wire [3:0] arid, arcache, arqos;
    wire [39:0] araddr;
    wire [7:0] arlen;
    wire [2:0] arsize, arprot;
    memory_port dut (
        .clk(clk), .rst(rst), .flush(flush), .stopped(stopped),
        .reads_0_valid(reads_valid), .reads_0_ready(reads_ready), .reads_0_data(reads_data),
        .line_valid(line_valid), .line_data(line_data), .line_response(line_response),
        .line_last(line_last), .unexpected(unexpected), .outstanding(is_outstanding),
        .unit_faults(unit_faults), .unit_fault_lines(unit_fault_lines),
        .window_line(window_line), .fault(fault), .fault_line(fault_line),
        .axi_arid(arid), .axi_araddr(araddr), .axi_arlen(arlen), .axi_arsize(arsize), .axi_arburst(arburst),
        .axi_arcache(arcache), .axi_arprot(arprot), .axi_arqos(arqos), .axi_arvalid(arvalid), .axi_arready(arready),
        .axi_rid(4'd0), .axi_rdata(rdata), .axi_rresp(rresp), .axi_rlast(rlast), .axi_rvalid(rvalid), .axi_rready(rready)
    );

    // The reset reaches memory too, and comes once, at the start.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);
    // The window begins at 4 KiB, and the unit splits a tile that lies across them.
    always @* assume (window_line[7:0] == 8'd0);
    wire [1:0] length = reads_data[28:27];
    always @* if (reads_valid) assume (reads_data[7:0] + {7'd0, length} <= 9'd255);
    offer_stays #(.WIDTH(48)) address (
        .clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arid, araddr, arlen[3:0]})
    );
    always @* if (arvalid) begin
        quiet_in_reset: assert (started);
        full_width: assert (arsize == 3'd4);
        incrementing: assert (arburst == 2'd1);
        aligned: assert (araddr[3:0] == 4'd0);
        short_bursts: assert (arlen < 8'd4);
        within_4_kib: assert (araddr[11:4] + {1'b0, arlen} <= 9'd255);
        known_id: assert (arid == 4'd0);
        as_configured: assert (arcache == 4'd3 && arprot == 3'd0 && arqos == 4'd0);
    end
    always @* always_ready: assert (rready);
    wire came = rvalid && rready;

    // What the port counts: transfers and last ones that are to come. Nothing is to come where one of them is zero.
    wire [8:0] inner_in_flight;
    wire [7:0] inner_bursts;
    wire inner_none_outstanding, inner_stale, inner_pending;
    wire [28:0] inner_pending_read;

`ifdef ANYTHING
    wire inner_asks;
    wire owes = inner_in_flight != 9'd0 && inner_bursts != 8'd0;
    // The unit asks for no more than it has room for.
    wire has_room = inner_none_outstanding || (inner_in_flight <= 9'd240 && inner_bursts <= 8'd120);
    always @* if (reads_valid) assume (has_room);

    // Each transfer is passed on as a line, or told as one that nobody asked for, or dropped behind a flush.
    wire is_told = came && !inner_stale && !flush && !rst;
    reg is_line = 1'b0;
    reg is_surplus = 1'b0;
    reg [130:0] answer = 131'd0;
    always @(posedge clk) begin
        is_line <= is_told && owes;
        is_surplus <= is_told && !owes;
        answer <= {rlast, rresp, rdata};
    end
    always @* begin
        each_line_once: assert (line_valid == is_line);
        surplus_told: assert (unexpected == is_surplus);
        if (line_valid) as_it_came: assert ({line_last, line_response, line_data} == answer);
        knows_what_is_owed: assert (is_outstanding == (owes || inner_pending));
    end

    // No count stays behind: two clocks after the last transfer or the last end of a read nothing is waited for, and reads go on.
    wire is_over = !owes && !inner_asks && !came && !flush && !rst;
    reg [1:0] over_clocks = 2'd0;
    always @(posedge clk) over_clocks <= !is_over ? 2'd0 : over_clocks + !over_clocks[1];
    always @* begin
        if (over_clocks[1]) nothing_stays: assert (inner_in_flight == 9'd0 && inner_bursts == 8'd0 && !inner_stale);
        // A count that falls below zero is forgotten in the next clock.
        below_zero: assert ((inner_in_flight <= 9'd256 && inner_bursts <= 8'd128) || inner_none_outstanding);
        empty_at_start: assert (started || (inner_in_flight == 9'd0 && inner_bursts == 8'd0 && !inner_pending
            && !inner_stale && !inner_none_outstanding && !line_valid && !unexpected && !is_line && !is_surplus && over_clocks == 2'd0));
        pending_has_room: assert (!inner_pending || has_room);
        pending_within_4_kib: assert (!inner_pending
            || inner_pending_read[7:0] + {6'd0, inner_pending_read[28:27]} <= 9'd255);
    end
    // A read that waits is asked for at once when memory takes it and no answer is to be dropped.
    reg [1:0] waiting = 2'd0;
    always @(posedge clk)
        waiting <= !inner_pending || inner_stale || !arready || flush || rst ? 2'd0 : waiting + !waiting[1];
    always @* asked_in_time: assert (!waiting[1]);

    reg early = 1'b0;
    always @(posedge clk) if (came && rlast && owes && inner_in_flight > 9'd1 && inner_bursts == 8'd1) early <= 1'b1;
    always @* begin
        surplus: cover (unexpected);
        ends_early: cover (early && over_clocks[1]);
        line_behind_early_end: cover (early && line_valid && line_last);
        below: cover (inner_in_flight > 9'd256);
    end
`else
    // The unit keeps no more lines under way than its FIFO has room for.
    reg [8:0] asked_lines = 9'd0;
    always @* if (reads_valid) assume (asked_lines <= 9'd252);
    // Nor more reads than it may, each of two bursts. Where it has forgotten some, the port waits for them.
    wire [8:0] asked_bursts = owed_bursts + arvalid + inner_pending;
    always @* if (reads_valid) assume (inner_stale || asked_bursts < 9'd128);

    // Memory: transfers that it owes, over all bursts.
    reg [9:0] outstanding = 10'd0;
    wire asked = arvalid && arready && !rst;
    always @(posedge clk) outstanding <= outstanding + (asked ? arlen + 10'd1 : 10'd0) - {9'd0, came};
    always @* if (rvalid) assume (outstanding != 10'd0);
    // Bursts that it owes; the last line of the last one ends it.
    reg [8:0] owed_bursts = 9'd0;
    wire [9:0] lines_left = outstanding - 10'd1;
    wire [8:0] bursts_left = owed_bursts - rlast;
    always @(posedge clk) owed_bursts <= owed_bursts + asked - (came && rlast);
    always @* if (rvalid) assume (lines_left >= {1'd0, bursts_left} && lines_left <= {bursts_left[7:0], 2'd0});

    // What a flush leaves to be dropped: all that is owed then, with an address that is offered but not yet taken.
    wire [9:0] offered = arvalid ? arlen + 10'd1 : 10'd0;
    reg [9:0] to_drop = 10'd0;
    wire [9:0] left = outstanding + offered - {9'd0, came};
    always @(posedge clk)
        if (rst) to_drop <= 10'd0;
        else if (flush) to_drop <= left;
        else if (came && to_drop != 10'd0) to_drop <= to_drop - 10'd1;
    reg expected = 1'b0;
    reg [129:0] answer = 130'd0;
    always @(posedge clk) begin
        expected <= came && to_drop == 10'd0 && !flush && !rst;
        answer <= {rlast, rresp[1], rdata};
    end
    always @* begin
        each_line_once: assert (line_valid == expected);
        if (line_valid) data_and_failure: assert ({line_last, line_response[1], line_data} == answer);
    end

    // What the unit has asked for and not yet been given, since the last flush.
    wire [8:0] begins = reads_valid && reads_ready ? {7'd0, length} + 9'd1 : 9'd0;
    always @(posedge clk)
        if (rst || flush) asked_lines <= 9'd0;
        else asked_lines <= asked_lines + begins - {8'd0, line_valid};
    always @* not_made_up: assert (!line_valid || asked_lines != 9'd0);

    // What the block itself counts, for the induction.
    wire [2:0] pending_lines = {1'b0, inner_pending_read[28:27]} + 3'd1;
    always @* begin
        empty_at_start: assert (started || (outstanding == 10'd0 && to_drop == 10'd0 && asked_lines == 9'd0 && !line_valid
            && owed_bursts == 9'd0 && inner_in_flight == 9'd0 && inner_bursts == 8'd0 && !inner_pending && !inner_stale && !expected && flushed_now));
        counts_in_flight: assert ({1'b0, inner_in_flight} == outstanding + offered);
        counts_bursts: assert ({1'b0, inner_bursts} == owed_bursts + arvalid);
        bursts_have_lines: assert (outstanding >= {1'b0, owed_bursts} && outstanding <= {owed_bursts[7:0], 2'd0});
        forgets_nothing: assert (!inner_none_outstanding || (inner_in_flight == 9'd0 && inner_bursts == 8'd0));
        none_unasked: assert (!unexpected);
        knows_what_is_owed: assert (is_outstanding == (outstanding + offered != 10'd0 || inner_pending));
        drops_what_is_stale: assert (to_drop == (inner_stale ? {1'b0, inner_in_flight} : 10'd0));
        counts_for_the_unit: assert (started && !flushed_now ? asked_lines == (inner_pending ? pending_lines : 9'd0)
            + (inner_stale ? 9'd0 : inner_in_flight) + {8'd0, line_valid} : 1'b1);
        fits: assert (outstanding <= 10'd256 && outstanding + offered <= 10'd256 && asked_lines <= 9'd256);
        few_bursts: assert (asked_bursts <= 9'd128 + inner_stale && owed_bursts + arvalid <= 9'd128);
        pending_within_4_kib: assert (!inner_pending || inner_pending_read[7:0] + {6'd0, pending_lines} <= 9'd256);
    end
    reg flushed_now = 1'b1;
    always @(posedge clk) flushed_now <= flush || rst;

    reg flushed = 1'b0;
    always @(posedge clk) if (flush && outstanding != 10'd0) flushed <= 1'b1;
    always @* begin
        four_lines: cover (arvalid && arlen == 8'd3);
        two_bursts: cover (outstanding == 10'd8);
        answer_after_flush: cover (line_valid && flushed);
        failure: cover (line_valid && line_response[1]);
    end
`endif
endmodule
