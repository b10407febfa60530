// Lines of tiles to writes of memory. The FIFOs stand aside: that of lines takes one whenever it likes, that of writes passes them on at
// once, and that of writes without an answer keeps one of them, any, and answers anything for the others.
module sync_fifo_64x144 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [143:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [143:0] output_data,
    output wire [6:0] level
);
    (* anyseq *) reg has_room;
    assign input_ready = has_room;
    assign output_valid = 1'b0;
    assign output_data = 144'd0;
    assign level = 7'd0;
endmodule

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
    assign input_ready = output_ready;
    assign output_valid = input_valid;
    assign output_data = input_data;
    assign level = 5'd0;
endmodule

module sync_fifo_16x28 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [27:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [27:0] output_data,
    output wire [4:0] level
);
    (* anyseq *) reg mark;
    (* anyseq *) reg [27:0] other;
    reg [4:0] held = 5'd0, ahead;
    reg is_kept = 1'b0;
    reg [27:0] word;
    assign level = held;
    assign input_ready = held != 5'd16;
    assign output_valid = held != 5'd0;
    assign output_data = is_kept && ahead == 5'd0 ? word : other;
    wire comes = input_valid && input_ready;
    wire goes = output_valid && output_ready;
    always @(posedge clk) begin
        held <= rst ? 5'd0 : held + {4'd0, comes} - {4'd0, goes};
        if (rst) is_kept <= 1'b0;
        else if (comes && mark && !is_kept) is_kept <= 1'b1;
        else if (goes && ahead == 5'd0) is_kept <= 1'b0;
        if (!is_kept) begin
            word <= input_data;
            ahead <= held - {4'd0, goes};
        end else if (goes) ahead <= ahead - 5'd1;
    end
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire lines_valid,
    input wire [171:0] lines_data,
    input wire write_ready,
    input wire line_ready,
    input wire write_done,
    input wire [1:0] write_response
);
    wire lines_ready, write_valid, line_valid, is_written, has_failed;
    wire [30:0] write_data;
    wire [143:0] line_data;
    wire [3:0] fault_code;
    wire [31:0] fault_address;
    writes dut (
        .clk(clk), .rst(rst), .lines_valid(lines_valid), .lines_ready(lines_ready), .lines_data(lines_data),
        .write_valid(write_valid), .write_ready(write_ready), .write_data(write_data), .line_valid(line_valid),
        .line_ready(line_ready), .line_data(line_data), .write_done(write_done), .write_response(write_response),
        .is_written(is_written), .has_failed(has_failed), .fault_code(fault_code), .fault_address(fault_address)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    wire takes = lines_valid && lines_ready && !rst;
    wire asks = write_valid && write_ready && !rst;
    wire [27:0] first = write_data[27:0];
    wire [2:0] more = write_data[30:28];

    // Lines that were taken and are in no write yet, and any of them: how many of those are before it.
    (* anyseq *) reg marks;
    reg is_watched = 1'b0;
    reg [27:0] line;
    reg [3:0] waiting = 4'd0, before;
    wire [3:0] asked_lines = asks ? {1'b0, more} + 4'd1 : 4'd0;
    always @(posedge clk) begin
        waiting <= rst ? 4'd0 : waiting + {3'd0, takes} - asked_lines;
        if (rst) is_watched <= 1'b0;
        else if (!is_watched) is_watched <= takes && marks;
        else if (asks && before <= {1'b0, more}) is_watched <= 1'b0;
        if (!is_watched) begin
            line <= lines_data[27:0];
            before <= waiting - asked_lines;
        end else before <= before - asked_lines;
    end

    // Writes without an answer. Memory answers those that were asked for.
    reg [4:0] open = 5'd0;
    always @(posedge clk) open <= rst ? 5'd0 : open + {4'd0, asks} - {4'd0, write_done};
    always @* assume (!write_done || (open != 5'd0 && !rst));

    // Any write is watched from its request to its answer. The first one that fails is told.
    wire inner_under_way_mark;
    reg is_watched_write = 1'b0, fails = 1'b0, is_told = 1'b0;
    reg [27:0] write_first, told;
    reg [4:0] ahead;
    wire is_answered = is_watched_write && write_done && ahead == 5'd0;
    wire fails_first = write_done && write_response[1] && !fails;
    always @(posedge clk) begin
        if (rst) is_watched_write <= 1'b0;
        else if (asks && inner_under_way_mark && !is_watched_write) is_watched_write <= 1'b1;
        else if (is_answered) is_watched_write <= 1'b0;
        if (!is_watched_write) begin
            write_first <= first;
            ahead <= open - {4'd0, write_done};
        end else if (write_done) ahead <= ahead - 5'd1;
        fails <= !rst && (fails || (write_done && write_response[1]));
        is_told <= !rst && (is_told || (is_answered && fails_first));
        if (is_answered && fails_first) told <= write_first;
    end

    always @* begin
        if (asks) begin
            within_a_page: assert ({1'b0, first[7:0]} + {6'd0, more} <= 9'd255);
            lines_are_there: assert (waiting > {1'b0, more});
            each_line_once: assert (!(is_watched && before <= {1'b0, more}) || first + {24'd0, before} == line);
        end
        all_written: assert (!is_written || (waiting == 4'd0 && open == 5'd0 && !lines_valid));
        is_failed: assert (has_failed == fails);
        first_told: assert (!is_told || (fault_code == 4'd2 && fault_address == {told, 4'd0}));
    end
    always @* begin
        longest: cover (asks && more == 3'd7);
        page_ends: cover (asks && more != 3'd7 && first[7:0] + {5'd0, more} == 8'd255 && waiting > {1'b0, more} + 4'd1);
        second_fails: cover (is_told && write_done && write_response[1]);
        written: cover (is_written && has_failed);
    end

    // What an induction needs to know of the inside.
    wire inner_has_come, inner_is_behind, inner_has_first, inner_under_way_is_kept, inner_failed;
    wire [27:0] inner_next, inner_came, inner_first, inner_under_way_word, inner_failed_line;
    wire [2:0] inner_more;
    wire [5:0] inner_open;
    wire [4:0] inner_under_way_held, inner_under_way_ahead;
    wire [3:0] gathered = inner_has_first ? {1'b0, inner_more} + 4'd1 : 4'd0;
    wire [27:0] last = inner_first + {25'd0, inner_more};
    always @* begin
        counts_lines: assert (waiting == gathered + {3'd0, inner_has_come});
        gathered_in_a_page: assert (!inner_has_first || {1'b0, inner_first[7:0]} + {6'd0, inner_more} <= 9'd255);
        next_is_behind: assert (inner_has_come ? inner_next == inner_came + 28'd1
                                : !inner_has_first || inner_next == last + 28'd1);
        came_is_behind: assert (!(inner_has_come && inner_has_first && inner_is_behind)
                                || (inner_came == last + 28'd1 && inner_came[7:0] != 8'd0));
        watched_line: assert (!is_watched || (before < waiting
                                              && line == (before < gathered ? inner_first + {24'd0, before} : inner_came)));
        counts_writes: assert (inner_open == {1'b0, open} && inner_under_way_held == open && open <= 5'd16);
        watched_write: assert (is_watched_write == inner_under_way_is_kept
                               && (!is_watched_write || (ahead == inner_under_way_ahead && write_first == inner_under_way_word
                                                         && ahead < open)));
        keeps_failed: assert (inner_failed == fails && (!is_told || (fails && inner_failed_line == told)));
    end
endmodule
