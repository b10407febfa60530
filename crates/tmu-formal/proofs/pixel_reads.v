// Reads of records. The FIFO of reads stands aside: it takes one whenever it likes, and its oldest one is any, until it goes.
module sync_fifo_4x32 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [31:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [31:0] output_data,
    output wire [2:0] level
);
    (* anyseq *) reg has_room;
    (* anyseq *) reg [31:0] oldest;
    reg stays = 1'b0, had_room = 1'b0;
    reg [31:0] oldest_was;
    always @(posedge clk) begin
        had_room <= has_room && !input_valid && !rst;
        stays <= !output_ready && !rst;
        oldest_was <= oldest;
    end
    always @* begin
        assume (has_room || !had_room);
        assume (!stays || oldest == oldest_was);
    end
    assign input_ready = has_room;
    assign output_valid = 1'b1;
    assign output_data = oldest;
    assign level = 3'd0;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire stops,
    input wire asked_valid,
    input wire [30:0] asked_data,
    input wire memory_read_ready,
    input wire memory_line_valid,
    input wire [127:0] memory_line_data,
    input wire [1:0] memory_line_response,
    input wire memory_line_last,
    input wire memory_unexpected,
    input wire memory_outstanding
);
    wire asked_ready, memory_read_valid, came_valid, came_ends, fails, breaks, is_quiet;
    wire [30:0] memory_read_data;
    wire [2:0] memory_fault;
    wire [27:0] memory_fault_line, failed_line;
    wire [127:0] came_line;
    pixel_reads dut (
        .clk(clk), .rst(rst), .stops(stops), .asked_valid(asked_valid), .asked_ready(asked_ready), .asked_data(asked_data),
        .memory_read_valid(memory_read_valid), .memory_read_ready(memory_read_ready), .memory_read_data(memory_read_data),
        .memory_line_valid(memory_line_valid), .memory_line_data(memory_line_data),
        .memory_line_response(memory_line_response), .memory_line_last(memory_line_last),
        .memory_unexpected(memory_unexpected), .memory_outstanding(memory_outstanding), .memory_fault(memory_fault),
        .memory_fault_line(memory_fault_line), .came_valid(came_valid), .came_line(came_line), .came_ends(came_ends),
        .fails(fails), .failed_line(failed_line), .breaks(breaks), .is_quiet(is_quiet)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Of what was asked for: the line that is next, how many are left, and how many reads were made of it.
    wire asks = asked_valid && asked_ready && !rst;
    wire reads = memory_read_valid && memory_read_ready && !rst;
    wire [27:0] read_line = memory_read_data[27:0];
    wire [3:0] read_lines = {1'b0, memory_read_data[30:28]} + 4'd1;
    wire [31:0] inner_reads_input_data, inner_reads_output_data;
    wire inner_reads_input_valid, inner_reads_input_ready, inner_reads_output_ready;
    reg [27:0] line;
    reg [3:0] left = 4'd0;
    reg is_second = 1'b0;
    always @(posedge clk) begin
        left <= rst ? 4'd0 : asks ? {1'b0, asked_data[30:28]} + 4'd1 : reads ? left - read_lines : stops ? 4'd0 : left;
        line <= asks ? asked_data[27:0] : reads ? line + {24'd0, read_lines} : line;
        is_second <= !asks && (is_second || reads);
    end
    reg offers = 1'b0;
    reg [30:0] offered;
    always @(posedge clk) begin
        offers <= memory_read_valid && !memory_read_ready && !rst;
        offered <= memory_read_data;
    end
    always @* begin
        if (memory_read_valid && !rst) begin
            of_what_is_asked: assert (left != 4'd0 && read_line == line && read_lines <= left);
            within_a_page: assert ({1'b0, read_line[7:0]} + {5'd0, read_lines} <= 9'd256);
            in_two_at_most: assert (!is_second || read_lines == left);
            not_when_it_stops: assert (!stops);
        end
        is_kept: assert (rst || reads == (inner_reads_input_valid && inner_reads_input_ready));
        kept_as_asked: assert (!reads || inner_reads_input_data == {read_lines != left, memory_read_data});
        read_stays: assert (!offers || stops || (memory_read_valid && memory_read_data == offered));
        next_behind_the_last: assert (!asked_ready || left == 4'd0);
    end

    // Lines, a clock after they have come: the place of each in the oldest read.
    reg comes = 1'b0, is_unexpected = 1'b0, comes_last;
    reg [127:0] coming;
    reg [1:0] response;
    reg [2:0] place = 3'd0;
    wire [27:0] oldest_line = inner_reads_output_data[27:0];
    wire is_last = place == inner_reads_output_data[30:28];
    always @(posedge clk) begin
        comes <= memory_line_valid && !rst;
        is_unexpected <= memory_unexpected && !rst;
        coming <= memory_line_data;
        comes_last <= memory_line_last;
        response <= memory_line_response;
        place <= rst ? 3'd0 : !comes ? place : is_last ? 3'd0 : place + 3'd1;
    end
    // And one later, as they are told.
    reg came = 1'b0, ends, was_unexpected = 1'b0, came_last, was_last;
    reg [127:0] data;
    reg [1:0] answer;
    reg [27:0] number;
    always @(posedge clk) begin
        came <= comes && !rst;
        was_unexpected <= is_unexpected && !rst;
        data <= coming;
        answer <= response;
        ends <= is_last && !inner_reads_output_data[31];
        {came_last, was_last} <= {comes_last, is_last};
        number <= oldest_line + {25'd0, place};
    end
    always @* begin
        goes_with_its_last: assert (inner_reads_output_ready == (comes && is_last));
        as_it_came: assert (came_valid == came && (!came || (came_line == data && came_ends == ends)));
        wrong_length_told: assert (breaks == (was_unexpected || (came && came_last != was_last)));
        failure_told: assert (fails == (breaks || (came && answer[1])));
        its_line: assert (!(fails && came) || failed_line == number);
        told_to_memory: assert (memory_fault_line == failed_line && (memory_fault != 3'd0) == fails);
    end

    // Quiet: for 255 clocks it was to stop, nothing came, nothing was under way and nothing was asked.
    reg [7:0] calm = 8'd0;
    wire disturbs = !stops || memory_line_valid || memory_unexpected || memory_outstanding || left != 4'd0;
    always @(posedge clk) calm <= rst || disturbs ? 8'd0 : calm == 8'd255 ? calm : calm + 8'd1;
    always @* quiet_for_long: assert (!is_quiet || calm == 8'd255);
    always @* begin
        two_reads: cover (reads && is_second && read_lines == left);
        length_and_response: cover (breaks && came && answer == 2'd3 && came_ends);
    end

    // What an induction needs to know of the inside.
    wire inner_has_ask, inner_taken, inner_taken_last, inner_taken_unexpected, inner_kept, inner_kept_ends;
    wire [27:0] inner_ask_line, inner_fault_line;
    wire [2:0] inner_ask_more, inner_in_read, inner_faults;
    wire [127:0] inner_taken_line, inner_kept_line;
    wire [1:0] inner_taken_response;
    wire [7:0] inner_quiet;
    always @* begin
        has_ask: assert (inner_has_ask == (left != 4'd0) && left <= 4'd8);
        ask_as_it_is: assert (left == 4'd0 || (inner_ask_line == line && {1'b0, inner_ask_more} + 4'd1 == left));
        second_at_a_page: assert (!(is_second && left != 4'd0) || line[7:0] == 8'd0);
        taken_as_it_came: assert (inner_taken == comes && inner_taken_unexpected == is_unexpected && inner_in_read == place
                                  && (!comes || (inner_taken_line == coming && inner_taken_last == comes_last
                                                 && inner_taken_response == response)));
        kept_as_it_came: assert (inner_kept == came && (!came || (inner_kept_line == data && inner_kept_ends == ends
                                                                  && inner_fault_line == number)));
        faults: assert (!came || inner_faults[1:0] == {answer == 2'd3, answer == 2'd2});
        faults_of_length: assert (inner_faults[2] == (was_unexpected || (came && came_last != was_last)));
        quiet_counts_calm: assert (inner_quiet <= calm);
    end
endmodule
