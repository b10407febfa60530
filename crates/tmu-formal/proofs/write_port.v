// The AXI4 write channels for one engine: its requests, lines and answers.
//
// Memory answers what it has whole, after any time, with a failure or without. The engine asks and gives lines at any time,
// with a flush at any time. One write, any, is watched from its address to its answer: how many are ahead of it says which
// transfers and which answer are its own. The memories of the FIFOs keep one word, chosen freely, that of the watched write,
// and answer anything for the others. The two lowest bits of a line's number stand for all of it where a fault is told.
module watched_word #(parameter WIDTH = 1) (
    input wire clk,
    input wire write_enable,
    input wire [1:0] write_address,
    input wire [WIDTH-1:0] write_data,
    input wire read_enable,
    input wire [1:0] read_address,
    output reg [WIDTH-1:0] read_data,
    output wire [1:0] place
);
    (* anyconst *) reg [1:0] watched;
    (* anyseq *) reg [WIDTH-1:0] elsewhere;
    reg [WIDTH-1:0] word;
    assign place = watched;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= write_data;
        if (read_enable) read_data <= read_address == watched ? word : elsewhere;
    end
endmodule

// First lines.
module ram_simple_dual_port_4x36 (
    input wire clk,
    input wire write_enable,
    input wire [1:0] write_address,
    input wire [35:0] write_data,
    input wire read_enable,
    input wire [1:0] read_address,
    output wire [35:0] read_data
);
    wire [1:0] watched;
    watched_word #(.WIDTH(36)) memory (
        .clk(clk), .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .read_enable(read_enable), .read_address(read_address), .read_data(read_data), .place(watched)
    );
endmodule

// Lengths, below the channel's number, which is 0 where there is one only.
module ram_simple_dual_port_4x3 (
    input wire clk,
    input wire write_enable,
    input wire [1:0] write_address,
    input wire [2:0] write_data,
    input wire read_enable,
    input wire [1:0] read_address,
    output wire [2:0] read_data
);
    wire [1:0] watched;
    assign read_data[2] = 1'b0;
    always @* if (write_enable) one_channel: assert (!write_data[2]);
    watched_word #(.WIDTH(2)) memory (
        .clk(clk), .write_enable(write_enable), .write_address(write_address), .write_data(write_data[1:0]),
        .read_enable(read_enable), .read_address(read_address), .read_data(read_data[1:0]), .place(watched)
    );
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire flush,
    input wire write_valid,
    input wire [37:0] write_data,
    input wire line_valid,
    input wire [143:0] line_data,
    input wire [2:0] read_fault,
    input wire [35:0] read_fault_line,
    input wire awready,
    input wire wready,
    input wire [1:0] bresp,
    input wire bvalid,
    input wire watch
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
    offer_stays #(.WIDTH(19)) transfer (
        .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wlast, wstrb, wdata[1:0]})
    );
    always @* if (awvalid) begin
        full_width: assert (awsize == 3'd4);
        incrementing: assert (awburst == 2'd1);
        aligned: assert (awaddr[3:0] == 4'd0);
        one_id: assert (awid == 4'd0);
        as_configured: assert (awcache == 4'd3 && awprot == 3'd0 && awqos == 4'd0);
    end

    // Requests: each goes out once, as it came, unless a flush takes it back.
    wire taken = write_valid && write_ready;
    reg awvalid_before = 1'b0, awready_before = 1'b0;
    wire aw_new = awvalid && (!awvalid_before || awready_before);
    reg waits = 1'b0;
    reg [37:0] request;
    always @(posedge clk) begin
        awvalid_before <= awvalid && !rst;
        awready_before <= awready;
        waits <= !rst && !flush && (taken || (waits && !aw_new));
        if (taken) request <= write_data;
    end
    always @* if (aw_new) begin
        was_asked: assert (waits);
        as_asked: assert ({awlen[1:0], awaddr[39:4]} == request && awlen[7:2] == 6'd0);
    end

    // A flush makes all writes without an answer stale, until the last has been answered; until then nothing new goes out.
    wire moves = wvalid && wready && !rst;
    wire ends = moves && wlast;
    wire answers = bvalid && bready && !rst;
    // Counted since the reset: writes whose address was offered, was taken, whose transfers are out, and that were answered.
    reg [2:0] asked = 3'd0, sent_addresses = 3'd0, sent_transfers = 3'd0, answered = 3'd0;
    wire [2:0] asked_now = asked + aw_new;
    wire [2:0] owed = asked_now - answered, parts = asked_now - sent_transfers;
    reg stale = 1'b0;
    reg [1:0] place = 2'd0;
    always @(posedge clk)
        if (rst) begin
            asked <= 3'd0;
            sent_addresses <= 3'd0;
            sent_transfers <= 3'd0;
            answered <= 3'd0;
            stale <= 1'b0;
            place <= 2'd0;
        end else begin
            asked <= asked_now;
            sent_addresses <= sent_addresses + (awvalid && awready);
            sent_transfers <= sent_transfers + ends;
            answered <= answered + answers;
            stale <= owed != 3'd0 && (flush || stale);
            if (moves) place <= wlast ? 2'd0 : place + 2'd1;
        end
    // Memory answers what it has whole, in order.
    always @* assume (!bvalid || (answered != sent_addresses && answered != sent_transfers));
    always @* begin
        four_at_most: assert (owed <= 3'd4);
        always_heard: assert (bready);
        nothing_beside_stale: assert (!(aw_new && stale));
        no_line_for_stale: assert (!(line_ready && stale));
        if (wvalid) behind_its_address: assert (parts != 3'd0);
    end

    // The write that is watched: its length and the end of its first line.
    wire [1:0] inner_turns_ram_watched, inner_asked_0_ram_watched;
    reg watched = 1'b0, is_whole = 1'b0;
    reg [1:0] length, where;
    wire starts = aw_new && watch && !watched && !rst && asked[1:0] == inner_turns_ram_watched;
    wire watched_now = watched || starts;
    wire [1:0] length_now = starts ? awlen[1:0] : length;
    wire [1:0] where_now = starts ? awaddr[5:4] : where;
    wire is_own = watched_now && !is_whole && sent_transfers[1:0] == inner_turns_ram_watched;
    wire own_answer = answers && watched_now && answered[1:0] == inner_turns_ram_watched;
    always @* assume (inner_asked_0_ram_watched == inner_turns_ram_watched);
    always @(posedge clk) begin
        watched <= !rst && watched_now && !own_answer;
        is_whole <= !rst && watched_now && !own_answer && (is_whole || (is_own && ends));
        length <= length_now;
        where <= where_now;
    end
    // The FIFOs hold what is owed; this also spares the prover finding it out.
    wire [1:0] inner_turns_write_address, inner_asked_0_write_address;
    wire [2:0] inner_asked_0_held, inner_unanswered;
    wire [1:0] inner_turns_ram_memory_word;
    wire [35:0] inner_asked_0_ram_memory_word;
    always @* if (started) begin
        turn_for_each: assert (inner_turns_write_address == asked_now[1:0]);
        place_for_each: assert (inner_asked_0_write_address == asked_now[1:0]);
        counts_owed: assert (inner_asked_0_held == owed && inner_unanswered == owed);
        keeps_turn: assert (!watched_now || inner_turns_ram_memory_word == length_now);
        keeps_place: assert (!watched_now || inner_asked_0_ram_memory_word[1:0] == where_now);
    end
    always @* if (wvalid && is_own) last_of_write: assert (wlast == (place == length_now));

    // Lines come out as they went in, once and in order; what fills stale writes has no strobe.
    wire line_taken = line_valid && line_ready && !rst;
    always @* assume (!line_valid || (line_data[143:128] != 16'd0 && line_data[15:0] == line_data[143:128]));
    wire [1:0] sent, seen;
    wire is_line = wstrb != 16'd0;
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(line_taken), .in_mark(line_data[17:16]), .out_clk(clk), .out_clear(rst),
        .offered(wvalid), .given(moves), .out_mark(is_line ? wdata[17:16] : 2'd0), .marks_sent(sent), .marks_seen(seen)
    );
    always @* if (wvalid && is_line) own_strobes: assert (wdata[15:0] == wstrb);
    // Lines that were taken and not sent on.
    reg [1:0] held = 2'd0;
    always @(posedge clk) held <= rst ? 2'd0 : held + line_taken - (moves && is_line);
    always @* begin
        none_made_up: assert (!(wvalid && is_line) || held != 2'd0);
        two_at_most: assert (held <= 2'd2);
    end

    // Answers reach the engine a clock later, those of stale writes nobody.
    reg told = 1'b0, fails = 1'b0, is_where = 1'b0;
    reg [1:0] response_before, where_before;
    always @(posedge clk) begin
        told <= answers && !stale && !flush;
        fails <= answers && !stale && bresp[1];
        response_before <= bresp;
        is_where <= own_answer;
        where_before <= where_now;
    end
    always @* if (started) begin
        told_once: assert (done == told);
        if (done) response_told: assert (response == response_before);
        failure_told: assert (fault == (read_fault | {1'b0, fails && response_before[0], fails && !response_before[0]}));
        if (fails && is_where && read_fault == 3'd0) where_told: assert (fault_line[1:0] == where_before);
        if (read_fault != 3'd0) read_first: assert (fault_line == read_fault_line);
    end

    // Where nobody holds them up, a request waits three clocks at most, and a line or what stands for it as many.
    reg [2:0] clocks = 3'd0, pause = 3'd0;
    always @(posedge clk) begin
        clocks <= rst || flush || !waits || aw_new || !awready || stale || owed == 3'd4 || parts == 3'd4
            ? 3'd0 : clocks + 3'd1;
        pause <= rst || wvalid || parts == 3'd0 || !(line_valid || stale) ? 3'd0 : pause + 3'd1;
    end
    always @* begin
        goes_out: assert (clocks <= 3'd3);
        goes_on: assert (pause <= 3'd3);
    end

    reg was_stale = 1'b0;
    always @(posedge clk) if (stale) was_stale <= 1'b1;
    always @* begin
        written: cover (done && response == 2'd0 && place == 2'd0);
        two_lines: cover (ends && is_own && place == 2'd1);
        again_behind_flush: cover (done && was_stale);
        four_open: cover (owed == 3'd4);
        third_fails: cover (fails && is_where && where_before == 2'd3 && was_stale);
    end
endmodule
