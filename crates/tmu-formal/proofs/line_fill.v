// Lines from memory to their places. FIFOs stand in for the emitted ones, which have their own proofs: they count, and give
// anything, each item until it is taken.
module counting_fifo #(parameter WIDTH = 1) (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire output_valid,
    input wire output_ready,
    output wire [WIDTH-1:0] output_data
);
    (* anyseq *) reg offered;
    (* anyseq *) reg [WIDTH-1:0] item;
    reg [7:0] count = 8'd0;
    reg waits = 1'b0;
    reg [WIDTH-1:0] was;
    assign output_valid = offered && count != 8'd0;
    assign output_data = item;
    always @(posedge clk) begin
        count <= rst ? 8'd0 : count + input_valid - (output_valid && output_ready);
        waits <= output_valid && !output_ready && !rst;
        was <= item;
    end
    always @* if (waits) assume (offered && item == was);
endmodule

// Places.
module sync_fifo_128x66_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [65:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [65:0] output_data,
    output wire [7:0] level
);
    counting_fifo #(.WIDTH(66)) fifo (
        .clk(clk), .rst(rst), .input_valid(input_valid), .output_valid(output_valid), .output_ready(output_ready),
        .output_data(output_data)
    );
    assign input_ready = 1'b1;
    assign level = 8'd0;
endmodule

// Lines. Each one is the last of its answer.
module sync_fifo_128x131_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [130:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [130:0] output_data,
    output wire [7:0] level
);
    wire [129:0] kept;
    counting_fifo #(.WIDTH(130)) fifo (
        .clk(clk), .rst(rst), .input_valid(input_valid), .output_valid(output_valid), .output_ready(output_ready),
        .output_data(kept)
    );
    assign output_data = {1'b1, kept};
    assign input_ready = 1'b1;
    assign level = 8'd0;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire asks,
    input wire line_valid,
    input wire [8:0] next_read,
    input wire [17:0] last_read
);
    wire may_fetch;
    wire [1:0] writes;
    wire [9:0] write_address;
    wire [127:0] write_data;
    wire [11:0] fills;
    wire [2:0] port_fault;
    wire [27:0] port_fault_line;
    line_fill dut (
        .clk(clk), .rst(rst), .asks(asks), .may_fetch(may_fetch), .line_valid(line_valid), .unexpected(1'b0),
        .next_read(next_read), .last_read(last_read), .writes(writes), .write_address(write_address), .write_data(write_data),
        .fills(fills), .port_fault(port_fault), .port_fault_line(port_fault_line)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Lines that are asked for, and of these what has not come and what is not written yet.
    wire written = |writes;
    reg allowed = 1'b0, had_room = 1'b0;
    reg [7:0] owed = 8'd0, pending = 8'd0;
    always @(posedge clk) begin
        allowed <= may_fetch && !rst;
        had_room <= pending < 8'd124 && !rst;
        owed <= rst ? 8'd0 : owed + asks - line_valid;
        pending <= rst ? 8'd0 : pending + asks - written;
    end
    always @* begin
        // Proof `line_misses`.
        assume (!asks || allowed);
        assume (!line_valid || owed != 8'd0);
        leave_returns: assert (may_fetch == had_room);
    end

    // The place whose turn it is; and what both queues gave in the clock before.
    wire inner_places_output_valid, inner_places_output_ready, inner_lines_output_valid, inner_lines_output_ready;
    wire [65:0] inner_places_output_data;
    wire [130:0] inner_lines_output_data;
    wire takes = inner_lines_output_valid && inner_lines_output_ready;
    reg has = 1'b0, taken = 1'b0, waited = 1'b0, failed = 1'b0, seen = 1'b0;
    reg [65:0] place, taken_place;
    reg [127:0] taken_line;
    reg [1:0] response;
    reg [27:0] failed_line;
    reg [8:0] could_read;
    reg [17:0] was_read;
    reg [11:0] count = 12'd0;
    wire [17:0] since = was_read - place[56:39];
    always @(posedge clk) begin
        has <= !rst && (inner_places_output_ready ? inner_places_output_valid : has);
        if (inner_places_output_ready) place <= inner_places_output_data;
        taken <= takes && !rst;
        taken_place <= place;
        taken_line <= inner_lines_output_data[127:0];
        response <= inner_lines_output_data[129:128];
        failed <= taken && response[1] && !rst;
        seen <= response[0];
        failed_line <= taken_place[38:11];
        could_read <= next_read;
        was_read <= last_read;
        count <= rst ? 12'd0 : count + taken;
        waited <= has && inner_lines_output_valid && !takes && place[65:57] == next_read && !rst;
    end
    always @* begin
        has_a_place: assert (!takes || has);
        place_with_line: assert (inner_places_output_ready == (!has || takes));
        if (takes) not_needed: assert (place[65:57] == could_read || !(&since[17:9]));
        goes_on: assert (!waited || takes);
        written_once: assert (written == taken);
        if (taken) right_place: assert (writes == {taken_place[0], !taken_place[0]} && write_address == {taken_place[1], taken_place[10:2]}
            && write_data == taken_line);
        counted: assert (fills == count);
        failure_told: assert (port_fault == {1'b0, failed && seen, failed && !seen} && (!failed || port_fault_line == failed_line));
    end

    // For the induction: both queues have what is asked for, and room for it.
    wire inner_current_full, inner_current_row_is_odd, inner_current_line_is_odd, inner_changed, inner_failing;
    wire [8:0] inner_current_set, inner_current_sequence;
    wire [27:0] inner_current_line;
    wire [17:0] inner_current_last_reader;
    wire [1:0] inner_next_safe, inner_same_safe, inner_taken_response;
    wire inner_taken_ends;
    wire [27:0] inner_taken_place_line;
    wire [7:0] inner_pending, inner_places_fifo_count, inner_lines_fifo_count;
    always @* begin
        place_kept: assert (inner_current_full == has && (!has || place == {inner_current_sequence, inner_current_last_reader,
            inner_current_line, inner_current_set, inner_current_line_is_odd, inner_current_row_is_odd}));
        none_is_safe: assert (has || (inner_changed ? inner_next_safe : inner_same_safe) == 2'd0);
        never_fails: assert (!inner_failing && (!taken || inner_taken_ends));
        if (taken) taken_kept: assert (inner_taken_response == response && inner_taken_place_line == taken_place[38:11]);
        pending_kept: assert (inner_pending == pending && pending == inner_places_fifo_count + has + taken
            && pending == owed + inner_lines_fifo_count + taken);
        queues_have_room: assert (pending <= 8'd126 && (!allowed || pending <= 8'd125) && (!may_fetch || pending <= 8'd124)
            && owed <= pending && inner_lines_fifo_count <= pending && inner_places_fifo_count <= pending);
    end
    always @* begin
        own_turn: cover (takes && place[65:57] == could_read && (&since[17:9]));
        waits_for_items: cover (takes && waited);
        told: cover (failed && !seen);
    end
endmodule
