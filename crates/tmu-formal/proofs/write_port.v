// The AXI4 write channels for one engine: its requests, lines and answers.
//
// Memory answers what it has whole, after any time, with a failure or without. The engine asks and gives lines at any time,
// with a flush at any time. The two lowest bits of a line's number stand for all of it where a fault is told.
module proof (
    input wire clk,
    input wire rst,
    input wire flush,
    input wire write_valid,
    input wire [39:0] write_data,
    input wire line_valid,
    input wire [143:0] line_data,
    input wire [2:0] read_fault,
    input wire [35:0] read_fault_line,
    input wire awready,
    input wire wready,
    input wire [1:0] bresp,
    input wire bvalid
);
    wire write_ready, line_ready, done, awvalid, wlast, wvalid, bready;
    wire [1:0] response, awburst;
    wire [2:0] fault, awsize, awprot;
    wire [35:0] fault_line;
    wire [3:0] awid, awcache, awqos;
    wire [39:0] awaddr;
    wire [7:0] awlen;
    wire [127:0] wdata;
    wire [15:0] wstrb;
    write_port dut (
        .clk(clk), .rst(rst), .flush(flush), .writes_0_valid(write_valid), .writes_0_ready(write_ready),
        .writes_0_data(write_data), .lines_0_valid(line_valid), .lines_0_ready(line_ready), .lines_0_data(line_data),
        .done(done), .response(response), .read_fault(read_fault), .read_fault_line(read_fault_line), .fault(fault),
        .fault_line(fault_line), .axi_awid(awid), .axi_awaddr(awaddr), .axi_awlen(awlen), .axi_awsize(awsize),
        .axi_awburst(awburst), .axi_awcache(awcache), .axi_awprot(awprot), .axi_awqos(awqos), .axi_awvalid(awvalid),
        .axi_awready(awready), .axi_wdata(wdata), .axi_wstrb(wstrb), .axi_wlast(wlast), .axi_wvalid(wvalid),
        .axi_wready(wready), .axi_bid(4'd0), .axi_bresp(bresp), .axi_bvalid(bvalid), .axi_bready(bready)
    );
    // The reset reaches memory too, and comes once, at the start.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    // Both channels offer what they offer until it is taken, whatever is flushed.
    offer_stays #(.WIDTH(48)) address (
        .clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data({awaddr, awlen})
    );
    offer_stays #(.WIDTH(20)) transfer (
        .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wlast, wstrb, wdata[2:0]})
    );
    always @* if (awvalid) begin
        full_width: assert (awsize == 3'd4);
        incrementing: assert (awburst == 2'd1);
        aligned: assert (awaddr[3:0] == 4'd0);
        one_id: assert (awid == 4'd0);
        as_configured: assert (awcache == 4'd3 && awprot == 3'd0 && awqos == 4'd0);
    end

    // Requests: each goes out once, as it came, unless a flush takes it back.
    wire taken = write_valid && write_ready && !rst;
    reg awvalid_before = 1'b0, awready_before = 1'b0;
    wire aw_new = awvalid && (!awvalid_before || awready_before);
    reg waits = 1'b0;
    reg [39:0] request;
    always @(posedge clk) begin
        awvalid_before <= awvalid && !rst;
        awready_before <= awready;
        waits <= !rst && !flush && (taken || (waits && !aw_new));
        if (taken) request <= write_data;
    end
    // A flush comes to a request that leaves in the same clock too late.
    reg flushed = 1'b0;
    always @(posedge clk) flushed <= flush;
    always @* if (aw_new) begin
        was_asked: assert (waits);
        as_asked: assert ({awlen[3:0], awaddr[39:4]} == request && awlen[7:4] == 4'd0);
    end

    // Writes without an answer, the oldest first: the ends of their first lines.
    reg [2:0] open = 3'd0;
    reg [7:0] places;
    wire [2:0] owed = open + aw_new;
    wire answers = bvalid && bready && !rst;
    wire [7:0] places_now = aw_new ? (places & ~(8'd3 << 2*open)) | ({6'd0, awaddr[5:4]} << 2*open) : places;
    always @(posedge clk)
        if (rst) open <= 3'd0;
        else begin
            open <= owed - answers;
            places <= answers ? places_now >> 2 : places_now;
        end
    always @* begin
        four_at_most: assert (owed <= 3'd4);
        always_heard: assert (bready);
    end
    // A flush makes all of them stale, until the last has been answered; until then nothing new goes out.
    reg stale = 1'b0;
    always @(posedge clk) stale <= !rst && owed != 3'd0 && (flush || stale);
    always @* begin
        nothing_beside_stale: assert (!(aw_new && stale && !flushed));
        no_line_for_stale: assert (!(line_ready && stale));
    end

    // Transfers: lengths of the writes that are not whole, the oldest first.
    reg [2:0] parts = 3'd0;
    reg [15:0] lengths;
    reg [3:0] place = 4'd0;
    wire [2:0] parts_now = parts + aw_new;
    wire [15:0] lengths_now = aw_new ? (lengths & ~(16'd15 << 4*parts)) | ({12'd0, awlen[3:0]} << 4*parts) : lengths;
    wire moves = wvalid && wready && !rst;
    always @(posedge clk)
        if (rst) begin
            parts <= 3'd0;
            place <= 4'd0;
        end else begin
            parts <= parts_now - (moves && wlast);
            lengths <= moves && wlast ? lengths_now >> 4 : lengths_now;
            if (moves) place <= wlast ? 4'd0 : place + 4'd1;
        end
    always @* if (wvalid) begin
        behind_its_address: assert (parts_now != 3'd0);
        last_of_write: assert (wlast == (place == lengths_now[3:0]));
    end
    // Lines come out as they went in, once and in order; what fills stale writes has no strobe.
    wire line_taken = line_valid && line_ready && !rst;
    always @* begin
        assume (!line_valid || line_data[143:128] != 16'd0);
        assume (line_data[2] == ^line_data[143:128]);
    end
    wire [1:0] sent, seen;
    wire is_line = wstrb != 16'd0;
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(line_taken), .in_mark(line_data[1:0]), .out_clk(clk), .out_clear(rst),
        .offered(wvalid), .given(moves), .out_mark(is_line ? wdata[1:0] : 2'd0), .marks_sent(sent), .marks_seen(seen)
    );
    always @* if (wvalid && is_line) own_strobes: assert (wdata[2] == ^wstrb);
    // Lines that were taken and not sent on.
    reg [1:0] held = 2'd0;
    always @(posedge clk) held <= rst ? 2'd0 : held + line_taken - (moves && is_line);
    always @* begin
        none_made_up: assert (!(wvalid && is_line) || held != 2'd0);
        two_at_most: assert (held <= 2'd2);
    end

    // Memory answers what it has whole, in order.
    reg [2:0] addressed = 3'd0, whole = 3'd0;
    always @(posedge clk)
        if (rst) begin
            addressed <= 3'd0;
            whole <= 3'd0;
        end else begin
            addressed <= addressed + (awvalid && awready) - answers;
            whole <= whole + (moves && wlast) - answers;
        end
    always @* assume (!bvalid || (addressed != 3'd0 && whole != 3'd0));

    // Answers reach the engine a clock later, those of stale writes nobody.
    reg told = 1'b0, fails = 1'b0;
    reg [1:0] response_before, end_before;
    always @(posedge clk) begin
        told <= answers && !stale && !flush;
        fails <= answers && !stale && bresp[1];
        response_before <= bresp;
        end_before <= places_now[1:0];
    end
    always @* if (started) begin
        told_once: assert (done == told);
        if (done) response_told: assert (response == response_before);
        failure_told: assert (fault == (read_fault | {1'b0, fails && response_before[0], fails && !response_before[0]}));
        if (fails && read_fault == 3'd0) where_told: assert (fault_line[1:0] == end_before);
        if (read_fault != 3'd0) read_first: assert (fault_line == read_fault_line);
    end

    // Where memory takes and answers at once and the engine gives its lines, no request waits for long.
    reg [5:0] clocks = 6'd0;
    always @(posedge clk)
        clocks <= rst || flush || !waits || aw_new || !awready || !wready || !line_valid || stale || whole != 3'd0
            ? 6'd0 : clocks + 6'd1;
    always @* goes_out: assert (clocks <= 6'd17);

    reg was_stale = 1'b0;
    always @(posedge clk) if (stale) was_stale <= 1'b1;
    always @* begin
        written: cover (done && response == 2'd0 && place == 4'd0);
        two_lines: cover (moves && wlast && place == 4'd1);
        again_behind_flush: cover (done && was_stale);
        three_open: cover (owed == 3'd3);
    end
endmodule
