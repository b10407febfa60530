// Pixels to lines, lines to bursts, and the end of a job, for any pixels.
//
// One pixel of memory, any, is watched: it is in a line that is given exactly when it was drawn since the last time, with the last
// colour drawn. FIFOs stand in for the emitted ones, which have their own proofs: they count, and give anything.
module counting_fifo #(parameter WIDTH = 1, parameter DEPTH = 4, parameter LEVEL = 3) (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [WIDTH-1:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [WIDTH-1:0] output_data,
    output wire [LEVEL-1:0] level
);
    (* anyseq *) reg offered;
    (* anyseq *) reg [WIDTH-1:0] item;
    reg [LEVEL-1:0] count = 0;
    reg waits = 1'b0;
    reg [WIDTH-1:0] was;
    assign output_valid = offered && count != 0;
    assign output_data = item;
    assign input_ready = count != DEPTH;
    assign level = count;
    always @(posedge clk) begin
        count <= rst ? 0 : count + (input_valid && input_ready) - (output_valid && output_ready);
        waits <= output_valid && !output_ready && !rst;
        was <= item;
    end
    always @* if (waits) assume (offered && item == was);
endmodule

// Lines.
module sync_fifo_32x136 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [135:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [135:0] output_data,
    output wire [5:0] level
);
    counting_fifo #(.WIDTH(136), .DEPTH(32), .LEVEL(6)) fifo (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(output_data), .level(level)
    );
endmodule

// Bursts to be asked for.
module sync_fifo_16x31 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [30:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [30:0] output_data,
    output wire [4:0] level
);
    counting_fifo #(.WIDTH(31), .DEPTH(16), .LEVEL(5)) fifo (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(output_data), .level(level)
    );
endmodule

// Those without an answer.
module sync_fifo_32x28 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [27:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [27:0] output_data,
    output wire [5:0] level
);
    (* anyseq *) reg [27:0] item;
    reg [5:0] count = 6'd0;
    assign output_valid = count != 6'd0;
    assign output_data = item;
    assign input_ready = count != 6'd32;
    assign level = count;
    always @(posedge clk)
        count <= rst ? 6'd0 : count + (input_valid && input_ready) - (output_valid && output_ready);
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire cancelled,
    input wire in_valid,
    input wire [49:0] in_data,
    input wire write_ready,
    input wire line_ready,
    input wire write_done,
    input wire [1:0] write_response
);
    wire in_ready, write_valid, line_valid, finished, fault_happened, draws_told, leaves_out_told;
    wire [30:0] write_data;
    wire [143:0] line_data;
    wire [1:0] fault_response;
    wire [27:0] fault_line;
    write_combiner dut (
        .clk(clk), .rst(rst), .cancelled(cancelled), .input_valid(in_valid), .input_ready(in_ready), .input_data(in_data),
        .write_valid(write_valid), .write_ready(write_ready), .write_data(write_data), .line_valid(line_valid),
        .line_ready(line_ready), .line_data(line_data), .write_done(write_done), .write_response(write_response),
        .finished(finished), .fault_happened(fault_happened), .fault_response(fault_response), .fault_line(fault_line),
        .draws(draws_told), .leaves_out(leaves_out_told)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);
    wire inner_ready, inner_whole_valid, inner_ends, inner_ends_line, inner_ends_burst, inner_counted_valid, inner_is_next;
    wire inner_burst_valid, inner_has_ended, inner_finished_seen, inner_lines_input_valid, inner_bursts_input_valid;
    wire [27:0] inner_gathered_line, inner_whole_line, inner_counted_line, inner_first;
    wire [7:0] inner_gathered_drawn, inner_following;
    wire [127:0] inner_gathered;
    wire [2:0] inner_length;
    wire [6:0] inner_open;
    wire [135:0] inner_lines_input_data, inner_lines_output_data;
    wire [30:0] inner_bursts_input_data, inner_bursts_output_data;
    wire [5:0] inner_lines_fifo_count, inner_asked_count;
    wire [4:0] inner_bursts_fifo_count;

    // Items: a pixel that opens no line lies in that of the one before, and behind the end none comes until it is answered.
    wire [15:0] color = in_data[15:0];
    wire [30:0] place = in_data[46:16];
    wire opens = in_data[47], drawn = in_data[48], is_end = in_data[49];
    wire moves = in_valid && in_ready && !rst;
    wire is_new = opens || is_end;
    reg in_line = 1'b0, ended = 1'b0;
    reg [27:0] line;
    always @(posedge clk) begin
        in_line <= !rst && (moves ? !is_end : in_line);
        ended <= !rst && ((moves && is_end) || (ended && !finished));
        if (moves) line <= place[30:3];
    end
    always @* begin
        assume (!in_valid || !is_end || !drawn);
        assume (!in_valid || is_new || (in_line && line == place[30:3]));
        assume (!in_valid || !ended);
    end

    // The watched pixel.
    (* anyconst *) reg [30:0] watched;
    wire at_watched = moves && drawn && !cancelled && place == watched;
    reg in_gathered = 1'b0, in_whole = 1'b0;
    reg [15:0] gathered_color, whole_color;
    always @(posedge clk) begin
        in_gathered <= !rst && (at_watched || (in_gathered && !(moves && is_new)));
        in_whole <= !rst && in_gathered && moves && is_new;
        whole_color <= gathered_color;
        if (at_watched) gathered_color <= color;
    end
    // A line goes into the FIFO with its strobes; its number goes on to the bursts.
    wire [7:0] given_drawn = inner_lines_input_data[135:128];
    wire is_given = inner_lines_input_valid && inner_whole_line == watched[30:3] && given_drawn[watched[2:0]];
    wire [127:0] of_given = inner_lines_input_data[127:0] >> {watched[2:0], 4'd0};
    wire [127:0] of_gathered = inner_gathered >> {watched[2:0], 4'd0};
    wire [7:0] pixels = inner_lines_output_data[135:128];
    wire [15:0] strobes = {{2{pixels[7]}}, {2{pixels[6]}}, {2{pixels[5]}}, {2{pixels[4]}}, {2{pixels[3]}}, {2{pixels[2]}},
        {2{pixels[1]}}, {2{pixels[0]}}};
    always @* if (started) begin
        nothing_else_none_lost: assert (is_given == in_whole);
        if (in_whole) as_drawn: assert (of_given[15:0] == whole_color);
        asks_as_closed: assert (write_data == inner_bursts_output_data);
        both_bytes: assert (line_data == {strobes, inner_lines_output_data[127:0]});
    end

    // Lines are counted a clock after they are given; those of the burst that is open.
    wire gives = inner_counted_valid, closes = inner_bursts_input_valid;
    reg was_given = 1'b0;
    reg [27:0] line_given;
    reg [3:0] lines = 4'd0;
    reg [27:0] first;
    wire [3:0] less_one = lines - 4'd1;
    always @(posedge clk) begin
        was_given <= inner_lines_input_valid && !rst;
        line_given <= inner_whole_line;
    end
    always @(posedge clk)
        if (rst) lines <= 4'd0;
        else if (gives && (closes || lines == 4'd0)) begin
            lines <= 4'd1;
            first <= inner_counted_line;
        end else if (gives) lines <= lines + 4'd1;
        else if (closes) lines <= 4'd0;
    wire [8:0] last_in_page = {1'b0, first[7:0]} + less_one;
    always @* if (started) begin
        each_given_counts: assert (gives == was_given && (!gives || inner_counted_line == line_given));
        if (closes) begin
            all_its_lines: assert (lines != 4'd0 && inner_bursts_input_data == {less_one[2:0], first});
            within_4_kib: assert (!last_in_page[8]);
        end
        if (gives && !closes && lines != 4'd0) line_follows: assert (inner_counted_line == first + lines && lines < 4'd8);
        lines_fit: assert (inner_lines_fifo_count <= 6'd28);
        bursts_fit: assert (inner_bursts_fifo_count <= 5'd14);
    end
    offer_stays #(.WIDTH(31)) write (.clk(clk), .rst(rst), .valid(write_valid), .ready(write_ready), .data(write_data));
    offer_stays #(.WIDTH(144)) given (.clk(clk), .rst(rst), .valid(line_valid), .ready(line_ready), .data(line_data));

    // Writes without an answer, and the end.
    always @* assume (!write_done || inner_asked_count != 6'd0);
    reg [6:0] unanswered = 7'd0;
    reg [2:0] pause = 3'd0;
    always @(posedge clk) begin
        unanswered <= rst ? 7'd0 : unanswered + closes - write_done;
        pause <= rst || !ended || finished || unanswered != 7'd0 || lines != 4'd0 ? 3'd0 : pause + 3'd1;
    end
    always @* if (started) begin
        if (finished) all_answered: assert (ended && unanswered == 7'd0 && lines == 4'd0 && !in_gathered && !in_whole);
        end_comes: assert (pause <= 3'd4);
    end

    // What an induction needs.
    wire [2:0] steps = inner_ends + inner_ends_line + inner_ends_burst + inner_has_ended + inner_finished_seen;
    always @* if (started) begin
        gathered_kept: assert (in_gathered == (inner_gathered_line == watched[30:3] && inner_gathered_drawn[watched[2:0]]));
        if (in_gathered) color_kept: assert (of_gathered[15:0] == gathered_color);
        line_kept: assert (in_line ? inner_gathered_line == line : inner_gathered_drawn == 8'd0);
        ended_outside: assert (!ended || !in_line);
        burst_kept: assert (inner_burst_valid == (lines != 4'd0) && lines <= 4'd8);
        if (lines != 4'd0) in_burst: assert (inner_first == first && inner_length == less_one[2:0] && !last_in_page[8]);
        if (lines != 4'd0 || gives) place_of_next: assert (inner_following == inner_counted_line[7:0] + 8'd1);
        if (lines != 4'd0 && !gives) last_counted: assert (inner_counted_line == first + less_one);
        if (lines != 4'd0 && gives && inner_is_next) next_counted: assert (inner_counted_line == first + lines
            && inner_counted_line[7:0] != 8'd0);
        counts: assert (inner_open == unanswered && unanswered == inner_bursts_fifo_count + inner_asked_count
            && inner_asked_count <= 6'd32);
        end_moves_on: assert (ended ? steps == 3'd1 : steps == 3'd0);
        end_is_last: assert (!(inner_ends_line || inner_ends_burst || inner_has_ended || inner_finished_seen) || !inner_whole_valid);
        end_counts_last: assert (!(inner_ends_burst || inner_has_ended || inner_finished_seen) || !gives);
        end_closes: assert (!(inner_has_ended || inner_finished_seen) || lines == 4'd0);
        none_open: assert (!inner_finished_seen || unanswered == 7'd0);
        room_of_lines: assert ((!inner_ready || inner_lines_fifo_count <= 6'd26) && (!inner_whole_valid || inner_lines_fifo_count <= 6'd27));
        room_of_bursts: assert ((!inner_ready || inner_bursts_fifo_count <= 5'd10)
            && (!(inner_whole_valid || inner_ends) || inner_bursts_fifo_count <= 5'd11)
            && (!(gives || inner_ends_line) || inner_bursts_fifo_count <= 5'd12)
            && (!inner_ends_burst || inner_bursts_fifo_count <= 5'd13));
        pauses: assert (pause <= (inner_ends ? 3'd0 : inner_ends_line ? 3'd1 : inner_ends_burst ? 3'd2 : inner_has_ended ? 3'd3 : 3'd4));
    end
    always @* begin
        burst_of_three: cover (closes && lines == 4'd3);
        ends: cover (finished && started);
        watched_given: cover (in_whole);
    end
endmodule
