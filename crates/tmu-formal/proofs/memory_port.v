// The AXI4 read port that four units share, one line a read.
//
// Memory answers each read once, in any order between IDs, after any time, with a failure or without. The lowest bit of
// a line's number, which no sum changes, comes back as the lowest bit of its data: a line that reaches the wrong unit, or
// belongs to another read, shows. With ADDRESS the whole number is compared instead. With LENGTHS memory's answers may have any
// number of transfers, with RLAST or without; those too many follow each other within 256 clocks, to any unit.
module proof (
    input wire clk,
    input wire rst,
    input wire flush,
    input wire [3:0] reads_valid,
    input wire [26:0] reads_data_0,
    input wire [26:0] reads_data_1,
    input wire [26:0] reads_data_2,
    input wire [26:0] reads_data_3,
    input wire arready,
    input wire [3:0] rid,
    input wire [127:0] rdata,
    input wire [1:0] rresp,
    input wire rlast,
    input wire rvalid
);
    (* anyconst *) reg [35:0] window_line;
    wire [3:0] reads_ready, line_valid;
    wire [127:0] line_data;
    wire line_response, stopped, arvalid, rready;
    wire [2:0] fault;
    wire [35:0] fault_line;
    wire [3:0] arid, arcache, arqos;
    wire [39:0] araddr;
    wire [7:0] arlen;
    wire [2:0] arsize, arprot;
    wire [1:0] arburst;
    memory_port dut (
        .clk(clk), .rst(rst), .flush(flush), .stopped(stopped),
        .reads_0_valid(reads_valid[0]), .reads_0_ready(reads_ready[0]), .reads_0_data(reads_data_0),
        .reads_1_valid(reads_valid[1]), .reads_1_ready(reads_ready[1]), .reads_1_data(reads_data_1),
        .reads_2_valid(reads_valid[2]), .reads_2_ready(reads_ready[2]), .reads_2_data(reads_data_2),
        .reads_3_valid(reads_valid[3]), .reads_3_ready(reads_ready[3]), .reads_3_data(reads_data_3),
        .line_valid(line_valid), .line_data(line_data), .line_response(line_response),
        .window_line(window_line), .fault(fault), .fault_line(fault_line),
        .axi_arid(arid), .axi_araddr(araddr), .axi_arlen(arlen), .axi_arsize(arsize), .axi_arburst(arburst),
        .axi_arcache(arcache), .axi_arprot(arprot), .axi_arqos(arqos), .axi_arvalid(arvalid), .axi_arready(arready),
        .axi_rid(rid), .axi_rdata(rdata), .axi_rresp(rresp), .axi_rlast(rlast), .axi_rvalid(rvalid), .axi_rready(rready)
    );

    // The reset reaches memory too, and comes once, at the start.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    // The window begins at 4 KiB.
    always @* assume (window_line[7:0] == 8'd0);

    // Address channel.
    offer_stays #(.WIDTH(48)) address (
        .clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arid, araddr, arlen[3:0]})
    );
    always @* if (arvalid) begin
        quiet_in_reset: assert (started);
        full_width: assert (arsize == 3'd4);
        incrementing: assert (arburst == 2'd1);
        aligned: assert (araddr[3:0] == 4'd0);
        within_4_kib: assert (araddr[11:4] + {1'b0, arlen} <= 9'd255);
        known_id: assert (arid < 4'd4);
        as_configured: assert (arcache == 4'd3 && arprot == 3'd0 && arqos == 4'd0);
    end

    // Memory.
    reg [3:0] under_way = 4'd0;
    reg [3:0] is_marked = 4'd0;
    wire asked = arvalid && arready && !rst;
    wire came = rvalid && rready;
    always @(posedge clk) begin
        if (asked) begin
            under_way[arid[1:0]] <= 1'b1;
            is_marked[arid[1:0]] <= araddr[4];
        end
        if (came) under_way[rid[1:0]] <= 1'b0;
    end
`ifdef LENGTHS
`ifdef SHORTENED
    localparam [8:0] LOUD = 9'd250;
`else
    localparam [8:0] LOUD = 9'd0;
`endif
    // Units that memory may give more than was asked for, and the clocks since it has given anything wrong.
    reg [3:0] is_broken = 4'd0;
    reg [8:0] silence = 9'd256;
    wire is_wrong = came && !(rlast && under_way[rid[1:0]]);
    reg [1:0] wrong_before = 2'd0;
    always @(posedge clk) begin
        if (is_wrong) silence <= LOUD;
        else if (!silence[8]) silence <= silence + 9'd1;
        if (silence == 9'd255) is_broken <= 4'd0;
        if (is_wrong) is_broken[rid[1:0]] <= 1'b1;
        wrong_before <= {wrong_before[0], is_wrong};
    end
    always @* if (rvalid) begin
        assume (started && rid < 4'd4 && (under_way[rid[1:0]] || is_broken[rid[1:0]]));
        assume (!under_way[rid[1:0]] || rdata[0] == is_marked[rid[1:0]]);
    end
    wire [3:0] inner_lost;
    wire [7:0] inner_quiet;
    wire [3:0] lost = inner_lost;
    wire is_lost = |lost;
    always @* begin
        wrong_length_told: assert (fault[2] == wrong_before[1]);
        asks_nothing_while_more_may_come: assert (!(arvalid && is_broken[arid[1:0]]));
        waits_while_more_may_come: assert ((is_broken & ~lost) == 4'd0);
        silence_ends_it: assert (!is_lost || silence == {1'b0, inner_quiet});
    end
    reg was_lost = 1'b0;
    always @(posedge clk) if (lost[who]) was_lost <= 1'b1;
    always @* begin
        one_too_many: cover (came && !under_way[rid[1:0]]);
        right_again: cover (answered && !flushed && was_lost && !line_response && line_data[0]);
    end
`else
    wire is_lost = 1'b0;
    always @* if (rvalid) begin
        assume (rid < 4'd4 && under_way[rid[1:0]] && rlast);
        assume (rdata[0] == is_marked[rid[1:0]]);
    end
`endif
    always @* begin
        one_read_an_id: assert (!(asked && under_way[arid[1:0]]));
        always_ready: assert (rready);
    end

    // Units: any one of them.
    (* anyconst *) reg [1:0] who;
    wire [26:0] upper = who[0] ? reads_data_3 : reads_data_2;
    wire [26:0] lower = who[0] ? reads_data_1 : reads_data_0;
    wire [26:0] read = who[1] ? upper : lower;
    wire taken = reads_valid[who] && reads_ready[who];
    wire answered = line_valid[who];
    reg waits = 1'b0;
    reg wants_marked = 1'b0;
    always @(posedge clk)
        if (rst || flush) waits <= 1'b0;
        else if (taken) begin
            waits <= 1'b1;
            wants_marked <= read[0];
        end else if (answered) waits <= 1'b0;
    // A unit waits for its line before it asks for another one.
    always @* assume (!(reads_valid[who] && waits));
    reg failed_before = 1'b0;
    reg came_before = 1'b0;
    always @(posedge clk) begin
        failed_before <= rresp[1] || !rlast;
        came_before <= came && rid[1:0] == who;
    end
    // An answer on its way when the flush comes is one that the units, in reset, do not see.
    reg flushed = 1'b1;
    always @(posedge clk) flushed <= flush || rst;
    always @* if (answered && !flushed) begin
        not_made_up: assert (waits && came_before);
        right_line: assert (line_data[0] == wants_marked);
        failure_told: assert (line_response == failed_before);
    end

`ifdef ADDRESS
    reg [35:0] line;
    always @(posedge clk) if (taken) line <= window_line + {9'd0, read};
    // An address from before a flush is still offered after it.
    reg is_old = 1'b0;
    always @(posedge clk)
        if (rst || arready) is_old <= 1'b0;
        else if (flush) is_old <= arvalid;
    always @* if (arvalid && arid == who && waits && !is_old) right_address: assert (araddr[39:4] == line);
`endif

    // Where memory takes and answers at once, and no flush comes, nobody waits for more than three others.
    reg [4:0] clocks = 5'd0;
    reg memory_waits = 1'b0;
    always @(posedge clk) begin
        memory_waits <= (|under_way || asked) && !came;
        clocks <= (!waits || answered || flush || !arready || is_lost || (|under_way && !rvalid)) ? 5'd0 : clocks + 5'd1;
    end
    always @* answered_in_time: assert (clocks <= 5'd12);

    reg flushed_while_waiting = 1'b0;
    always @(posedge clk) if (flush && under_way[who]) flushed_while_waiting <= 1'b1;
    always @* begin
        answer: cover (answered && !flushed && line_data[0]);
        answer_after_flush: cover (answered && !flushed && flushed_while_waiting);
        four_under_way: cover (&under_way);
        failure: cover (answered && line_response);
    end
endmodule
