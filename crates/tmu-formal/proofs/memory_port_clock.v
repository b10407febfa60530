// The AXI4 read port with a clock of its own.
//
// The FIFOs of the crossings stand in for the emitted ones. They give whatever was put in, after any time, and stop at any
// time for any time, on either side: what `async_fifo` and `async_fifo_resets` prove of the real ones is more. With COUNTS
// they never stop, and keep how many bursts and lines are in them, so that none is lost or doubled.
module async_fifo_16x42 (
    input wire write_clk,
    input wire write_rst,
    input wire read_clk,
    input wire read_rst,
    input wire input_valid,
    output wire input_ready,
    input wire [41:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [41:0] output_data,
    output wire write_stopped,
    output wire read_stopped
);
    (* anyseq *) reg ready;
    (* anyseq *) reg valid;
    (* anyseq *) reg [41:0] data;
    (* anyseq *) reg write_stops;
    (* anyseq *) reg read_stops;
    assign input_ready = ready;
    assign output_valid = valid;
    assign output_data = data;
    assign write_stopped = write_stops;
    assign read_stopped = read_stops;
    // Bursts that go in are legal; so are those that come out.
    always @* begin
        if (input_valid) begin
            within_4_kib: assert (input_data[7:0] + {7'd0, input_data[37:36]} <= 9'd255);
            known_id: assert (input_data[41:38] == 4'd0);
        end
        if (valid) assume (data[7:0] + {7'd0, data[37:36]} <= 9'd255 && data[41:38] == 4'd0);
    end
`ifdef COUNTS
    reg [4:0] bursts_in = 5'd0;
    reg [4:0] bursts_out = 5'd0;
    reg [7:0] lines_in = 8'd0;
    reg [7:0] lines_out = 8'd0;
    always @(posedge write_clk) if (input_valid && ready && !write_rst) begin
        bursts_in <= bursts_in + 5'd1;
        lines_in <= lines_in + input_data[37:36] + 8'd1;
    end
    always @(posedge read_clk) if (valid && output_ready && !read_rst) begin
        bursts_out <= bursts_out + 5'd1;
        lines_out <= lines_out + data[37:36] + 8'd1;
    end
    wire [4:0] bursts = bursts_in - bursts_out;
    wire [7:0] lines = lines_in - lines_out;
    wire [7:0] others = lines - data[37:36] - 8'd1;
    always @* begin
        assume (!write_stops && !read_stops);
        // The others have one to four lines each.
        if (valid) assume (bursts != 5'd0 && others >= {3'd0, bursts} - 8'd1 && others <= {1'b0, bursts - 5'd1, 2'd0});
        if (ready) assume (bursts < 5'd18);
    end
`endif
endmodule

module async_fifo_16x135 (
    input wire write_clk,
    input wire write_rst,
    input wire read_clk,
    input wire read_rst,
    input wire input_valid,
    output wire input_ready,
    input wire [134:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [134:0] output_data,
    output wire write_stopped,
    output wire read_stopped
);
    (* anyseq *) reg ready;
    (* anyseq *) reg valid;
    (* anyseq *) reg [134:0] data;
    (* anyseq *) reg write_stops;
    (* anyseq *) reg read_stops;
    assign input_ready = ready;
    assign output_valid = valid;
    assign output_data = data;
    assign write_stopped = write_stops;
    assign read_stopped = read_stops;
`ifdef COUNTS
    reg [7:0] lines_in = 8'd0;
    reg [7:0] lines_out = 8'd0;
    // Last lines of their bursts among them, and whether the line that came last is one.
    reg [7:0] bursts_in = 8'd0;
    reg [7:0] bursts_out = 8'd0;
    reg ends = 1'b1;
    always @(posedge write_clk) if (input_valid && ready && !write_rst) begin
        lines_in <= lines_in + 8'd1;
        bursts_in <= bursts_in + input_data[134];
        ends <= input_data[134];
    end
    always @(posedge read_clk) if (valid && output_ready && !read_rst) begin
        lines_out <= lines_out + 8'd1;
        bursts_out <= bursts_out + data[134];
    end
    wire [7:0] lines = lines_in - lines_out;
    wire [7:0] bursts = bursts_in - bursts_out;
    wire [7:0] lines_left = lines - 8'd1;
    wire [7:0] bursts_left = bursts - data[134];
    always @* begin
        assume (!write_stops && !read_stops);
        // The line that came last leaves last.
        if (valid) begin
            assume (lines != 8'd0 && (!data[134] || bursts != 8'd0) && (lines_left != 8'd0 || bursts_left == 8'd0));
            if (lines_left != 8'd0)
                assume (ends ? bursts_left != 8'd0 && bursts_left <= lines_left : bursts_left < lines_left);
        end
        last_line_known: assert (lines == 8'd0 ? bursts == 8'd0
            : ends ? bursts != 8'd0 && bursts <= lines : bursts < lines);
    end
`endif
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire axi_clk,
    input wire axi_rst,
    input wire flush,
    input wire reads_valid,
    input wire [28:0] reads_data,
    input wire arready,
    input wire [127:0] rdata,
    input wire [1:0] rresp,
    input wire rlast,
    input wire rvalid
);
    (* anyconst *) reg [35:0] window_line;
    wire reads_ready, line_valid, stopped, arvalid, rready;
    wire [127:0] line_data;
    wire [1:0] line_response, arburst;
    wire [2:0] fault;
    wire [35:0] fault_line;
    wire [3:0] arid, arcache, arqos;
    wire [39:0] araddr;
    wire [7:0] arlen;
    wire [2:0] arsize, arprot;
    memory_port dut (
        .clk(clk), .rst(rst), .axi_clk(axi_clk), .axi_rst(axi_rst), .flush(flush), .stopped(stopped),
        .reads_0_valid(reads_valid), .reads_0_ready(reads_ready), .reads_0_data(reads_data),
        .line_valid(line_valid), .line_data(line_data), .line_response(line_response),
        .window_line(window_line), .fault(fault), .fault_line(fault_line),
        .axi_arid(arid), .axi_araddr(araddr), .axi_arlen(arlen), .axi_arsize(arsize), .axi_arburst(arburst),
        .axi_arcache(arcache), .axi_arprot(arprot), .axi_arqos(arqos), .axi_arvalid(arvalid), .axi_arready(arready),
        .axi_rid(4'd0), .axi_rdata(rdata), .axi_rresp(rresp), .axi_rlast(rlast), .axi_rvalid(rvalid), .axi_rready(rready)
    );
    // The window begins at 4 KiB, and the unit splits a tile that lies across them.
    wire [1:0] length = reads_data[28:27];
    always @* begin
        assume (window_line[7:0] == 8'd0);
        if (reads_valid) assume (reads_data[7:0] + {7'd0, length} <= 9'd255);
    end
    reg axi_started = 1'b0;
    reg after_axi_reset = 1'b0;
    always @(posedge axi_clk) begin
        axi_started <= 1'b1;
        after_axi_reset <= axi_rst;
    end
    always @* assume (axi_rst || axi_started);

    // The port, on its own clock.
    offer_stays #(.WIDTH(48)) address (
        .clk(axi_clk), .rst(axi_rst), .valid(arvalid), .ready(arready), .data({arid, araddr, arlen[3:0]})
    );
    always @* if (arvalid) begin
        low_after_reset: assert (!after_axi_reset);
        full_width: assert (arsize == 3'd4);
        incrementing: assert (arburst == 2'd1);
        aligned: assert (araddr[3:0] == 4'd0);
        short_bursts: assert (arlen < 8'd4);
        legal_burst: assert (araddr[11:4] + {1'b0, arlen} <= 9'd255 && arid == 4'd0);
        as_configured: assert (arcache == 4'd3 && arprot == 3'd0 && arqos == 4'd0);
    end

    // Memory: bursts that it owes. A reset of the port's clock reaches it too.
    reg [5:0] outstanding = 6'd0;
    wire asked = arvalid && arready;
    wire came = rvalid && rready;
    wire [5:0] owed_then = outstanding + asked - (came && rlast);
    always @(posedge axi_clk) outstanding <= axi_rst ? 6'd0 : owed_then;
    // And lines of them; the last line of the last burst ends it.
    reg [7:0] owed_lines = 8'd0;
    always @(posedge axi_clk) owed_lines <= axi_rst ? 8'd0 : owed_lines + (asked ? arlen[1:0] + 8'd1 : 8'd0) - came;
    wire [7:0] lines_left = owed_lines - 8'd1;
    wire [5:0] bursts_left = outstanding - rlast;
    always @* begin
        if (rvalid) assume (outstanding != 6'd0 && lines_left >= {2'd0, bursts_left} && lines_left <= {bursts_left, 2'd0});
        // The unit has no more reads than it may, each of two bursts and of four lines.
        if (asked) assume (outstanding < 6'd16 && owed_lines + arlen[1:0] + 8'd1 <= 8'd32);
    end

    // What was asked for before the crossings were emptied is never passed on; anything else is.
    wire inner_answer_fifo_input_valid, inner_answer_fifo_input_ready;
    wire inner_address_fifo_read_stopped, inner_answer_fifo_write_stopped;
    wire [4:0] inner_offer_in_flight;
    wire [5:0] inner_offer_lines;
    wire inner_offer_draining, inner_offer_none_outstanding;
    wire empties = inner_address_fifo_read_stopped || inner_answer_fifo_write_stopped;
    reg [5:0] to_drop = 6'd0;
    always @(posedge axi_clk)
        if (axi_rst) to_drop <= 6'd0;
        else if (empties) to_drop <= owed_then + (arvalid && !arready);
        else if (came && rlast && to_drop != 6'd0) to_drop <= to_drop - 6'd1;
    always @* begin
        counts_under_way: assert (inner_offer_in_flight == outstanding);
        counts_lines_under_way: assert (inner_offer_lines == owed_lines);
        bursts_have_lines: assert (owed_lines >= {2'd0, outstanding} && owed_lines <= {outstanding, 2'd0});
        forgets_nothing: assert (!inner_offer_none_outstanding || outstanding == 6'd0);
        drops_what_is_stale: assert (!(inner_answer_fifo_input_valid && (to_drop != 6'd0 || empties)));
        passes_the_rest: assert (!(came && to_drop == 6'd0 && !empties)
            || (inner_answer_fifo_input_valid && inner_answer_fifo_input_ready));
        drains_what_is_stale: assert (to_drop == (inner_offer_draining ? outstanding + arvalid : 6'd0));
    end

    // The unit's side, on its clock: lines asked for, and those that come when they are not wanted any more.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);
`ifdef COUNTS
    // Resets come at the start only, and reach both sides.
    always @* assume (rst == !started && axi_rst == !axi_started);
    always @* if (rvalid) assume (started && axi_started);
    // The unit keeps no more lines under way than its FIFO has room for.
    reg [7:0] asked_lines = 8'd0;
    wire [7:0] begins = reads_valid && reads_ready ? {6'd0, length} + 8'd1 : 8'd0;
    always @(posedge clk)
        if (rst || flush) asked_lines <= 8'd0;
        else asked_lines <= asked_lines + begins - {7'd0, line_valid};
    always @* if (reads_valid) assume (asked_lines <= 8'd28);
    // Lines on their way, wherever they are.
    wire [7:0] inner_address_fifo_lines, inner_answer_fifo_lines;
    wire [4:0] inner_address_fifo_bursts;
    wire [7:0] inner_answer_fifo_bursts;
    wire [5:0] inner_in_flight;
    wire [4:0] inner_bursts;
    wire inner_none_outstanding;
    wire inner_pending, inner_stale, inner_address_valid, inner_offer_dropped;
    wire [28:0] inner_pending_read;
    wire [1:0] inner_address_length;
    wire [7:0] waiting = inner_address_valid ? {6'd0, inner_address_length} + 8'd1 : 8'd0;
    wire [7:0] offered = arvalid ? {6'd0, arlen[1:0]} + 8'd1 : 8'd0;
    wire [7:0] bursts_under_way = inner_address_valid + inner_address_fifo_bursts + arvalid + outstanding + inner_answer_fifo_bursts;
    wire inner_answer_fifo_ends;
    // Nor more reads than it may, each of two bursts. Where it has forgotten some, the port waits for them.
    always @* if (reads_valid) assume (inner_stale || bursts_under_way + inner_pending < 8'd16);
    wire [7:0] under_way = waiting + inner_address_fifo_lines + offered + owed_lines + inner_answer_fifo_lines;
    wire [7:0] pending = inner_pending ? {6'd0, inner_pending_read[28:27]} + 8'd1 : 8'd0;
    wire inner_answer_fifo_output_valid;
    reg [7:0] stale_lines = 8'd0;
    reg expected = 1'b0;
    reg flushed = 1'b1;
    always @(posedge clk) begin
        flushed <= flush || rst;
        if (rst) stale_lines <= 8'd0;
        else if (flush) stale_lines <= under_way - inner_answer_fifo_output_valid;
        else if (inner_answer_fifo_output_valid && stale_lines != 8'd0) stale_lines <= stale_lines - 8'd1;
        expected <= inner_answer_fifo_output_valid && stale_lines == 8'd0 && !flush && !rst;
    end
    always @* begin
        each_line_once: assert (line_valid == expected);
        not_made_up: assert (!line_valid || flushed || asked_lines != 8'd0);
        counts_lines: assert (!started || {2'd0, inner_in_flight} == under_way);
        counts_bursts: assert (!started || {3'd0, inner_bursts} == bursts_under_way);
        owes_what_is_under_way: assert (!inner_none_outstanding || under_way == 8'd0);
        ends_when_nothing_is_owed: assert (outstanding != 6'd0 || inner_answer_fifo_ends);
    end
    always @* begin
        few_bursts: assert (bursts_under_way <= 8'd16 && bursts_under_way + inner_pending <= 8'd16 + inner_stale);
        quiet_at_start: assert (started || (under_way == 8'd0 && bursts_under_way == 8'd0 && !inner_pending && !inner_stale && !line_valid
            && stale_lines == 8'd0 && asked_lines == 8'd0));
        counts_for_the_unit: assert (!started || asked_lines == pending
            + (inner_stale ? 8'd0 : under_way) + {7'd0, line_valid});
        stale_is_known: assert (stale_lines == (inner_stale ? under_way : 8'd0));
        pending_within_4_kib: assert (!inner_pending
            || inner_pending_read[7:0] + {7'd0, inner_pending_read[28:27]} <= 9'd255);
        port_quiet_at_start: assert (axi_started || (outstanding == 6'd0 && owed_lines == 8'd0 && offered == 8'd0
            && inner_answer_fifo_lines == 8'd0));
        never_drops: assert (!inner_offer_draining && !inner_offer_dropped);
        queued_bursts_have_lines: assert (inner_address_fifo_lines >= {3'd0, inner_address_fifo_bursts}
            && inner_address_fifo_lines <= {1'b0, inner_address_fifo_bursts, 2'd0});
        fits: assert (under_way <= 8'd32 && asked_lines <= 8'd32 && inner_address_fifo_lines <= 8'd32
            && inner_answer_fifo_lines <= 8'd32 && owed_lines <= 8'd32);
    end
    reg flushed_while_waiting = 1'b0;
    always @(posedge clk) if (flush && inner_in_flight != 6'd0) flushed_while_waiting <= 1'b1;
    always @* begin
        answer: cover (line_valid && !flushed);
        answer_after_flush: cover (line_valid && flushed_while_waiting);
    end
`else
    reg emptied_while_owed = 1'b0;
    always @(posedge axi_clk) if (empties && outstanding != 6'd0) emptied_while_owed <= 1'b1;
    always @* begin
        four_lines: cover (arvalid && arlen == 8'd3);
        two_bursts: cover (outstanding == 6'd2);
        drops: cover (came && emptied_while_owed && !inner_answer_fifo_input_valid);
        passes_again: cover (inner_answer_fifo_input_valid && emptied_while_owed);
        a_line: cover (line_valid);
    end
`endif
endmodule
