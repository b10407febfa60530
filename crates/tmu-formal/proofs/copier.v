// The engine copy and its jobs, one behind the other: what it reads and writes, and how a job ends.
//
// Memory answers a read with as many lines as were asked for, after any time, with failures, with marks of the last line in
// wrong places, and with lines besides that nobody asked for. It answers writes that are whole. Jobs are any.

// The registers: anything, as long as no job is at work.
module register_bank_12 (
    input wire clk,
    input wire rst,
    input wire port_valid,
    input wire port_is_write,
    input wire [6:0] port_address,
    input wire [31:0] port_write_data,
    input wire [3:0] port_strobes,
    output wire port_done,
    output wire port_failed,
    output wire [31:0] port_read_data,
    input wire input_status_busy,
    input wire [3:0] input_status_code,
    input wire input_interrupt_done,
    input wire [31:0] input_lines_read_count,
    input wire [31:0] input_lines_written_count,
    input wire [31:0] input_busy_clocks_count,
    output wire output_control_start,
    output wire output_interrupt_enable_done,
    output wire output_interrupt_done,
    output wire [31:0] output_source_low_address,
    output wire [31:0] output_source_high_address,
    output wire [31:0] output_destination_low_address,
    output wire [31:0] output_destination_high_address,
    output wire [23:0] output_length_bytes
);
    (* anyseq *) reg [104:0] anything;
    reg [103:0] values;
    wire start = anything[104] && !input_status_busy && !rst;
    always @(posedge clk) if (!input_status_busy && !start) values <= anything[103:0];
    wire [39:0] source = values[39:0], destination = values[79:40];
    wire [23:0] length = values[103:80];
    assign output_control_start = start;
    assign output_source_low_address = source[31:0];
    assign output_source_high_address = {24'd0, source[39:32]};
    assign output_destination_low_address = destination[31:0];
    assign output_destination_high_address = {24'd0, destination[39:32]};
    assign output_length_bytes = length;
endmodule

// Lines: the bits that say which one it is.
module ram_simple_dual_port_4x128 (
    input wire clk,
    input wire write_enable,
    input wire [1:0] write_address,
    input wire [127:0] write_data,
    input wire read_enable,
    input wire [1:0] read_address,
    output wire [127:0] read_data
);
    reg [19:0] words;
    reg [4:0] read_latch;
    always @(posedge clk) begin
        if (write_enable) words[5*write_address +: 5] <= write_data[4:0];
        if (read_enable) read_latch <= words[5*read_address +: 5];
    end
    assign read_data = {123'd0, read_latch};
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire read_ready,
    input wire line_valid,
    input wire [127:0] line_data,
    input wire [1:0] line_response,
    input wire line_last,
    input wire unexpected,
    input wire outstanding,
    input wire write_ready,
    input wire line_ready,
    input wire write_done,
    input wire [1:0] write_response
);
    wire read_valid, write_valid, given_valid, interrupt;
    wire [37:0] read_data, write_data;
    wire [143:0] given_data;
    wire [2:0] fault;
    wire [35:0] fault_line;
    copier dut (
        .clk(clk), .rst(rst), .registers_valid(1'b0), .registers_is_write(1'b0), .registers_address(7'd0),
        .registers_write_data(32'd0), .registers_strobes(4'd0), .read_valid(read_valid), .read_ready(read_ready),
        .read_data(read_data), .line_valid(line_valid), .line_data(line_data), .line_response(line_response),
        .line_last(line_last), .unexpected(unexpected), .outstanding(outstanding), .fault(fault),
        .fault_line(fault_line), .write_valid(write_valid), .write_ready(write_ready), .write_data(write_data),
        .line_valid_2(given_valid), .line_ready(line_ready), .line_data_2(given_data), .write_done(write_done),
        .write_response(write_response), .interrupt(interrupt)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    // The job, as the registers say it.
    wire inner_busy, inner_bank_start, inner_bank_input_interrupt_done;
    wire [3:0] inner_code;
    wire [39:0] inner_bank_source, inner_bank_destination;
    wire [23:0] inner_bank_length;
    wire busy = inner_busy;
    wire [39:0] source = inner_bank_source, destination = inner_bank_destination;
    wire [24:0] bytes = {1'b0, inner_bank_length};
    wire [24:0] ends_at = source[3:0] + bytes;
    wire [24:0] rounded = ends_at + 25'd15;
    wire [20:0] lines = rounded[24:4];
    // The last byte lies below the first one only where the address space has ended between them.
    wire [39:0] last_source = source + bytes - 40'd1, last_destination = destination + bytes - 40'd1;
    wire is_past = last_source < source || last_destination < destination;
    wire is_same = source[3:0] == destination[3:0];
    wire [3:0] refusal = bytes == 25'd0 ? 4'd1 : !is_same ? 4'd2 : is_past ? 4'd3 : 4'd0;

    // The burst that is to come: what is left, four lines, or what both sides have up to the next boundary.
    reg [20:0] lines_done = 21'd0;
    wire [35:0] read_line = source[39:4] + lines_done, write_line = destination[39:4] + lines_done;
    wire [20:0] left = lines - lines_done;
    wire [8:0] read_room = 9'd256 - read_line[7:0], write_room = 9'd256 - write_line[7:0];
    wire [8:0] room = read_room < write_room ? read_room : write_room;
    wire [2:0] most = left < 21'd4 ? left[2:0] : 3'd4;
    wire [2:0] count = room < most ? room[2:0] : most;

    // A burst is asked for, comes, is whole, is offered, and its lines are given.
    reg [1:0] age = 2'd0;
    // What a line that nobody asked for breaks is read no more.
    reg is_broken = 1'b0;
    reg reading = 1'b0, is_sound = 1'b0, is_whole = 1'b0, writing = 1'b0;
    reg [2:0] length = 3'd0, come = 3'd0, given = 3'd0;
    wire asks = read_valid && read_ready && !rst;
    wire comes = line_valid && reading && !rst;
    wire is_end = come + 3'd1 == length;
    wire is_wrong = comes && line_last != is_end;
    wire is_failed = comes && line_response[1];
    wire offers = write_valid && write_ready && !rst;
    wire gives = given_valid && line_ready && !rst;
    wire gives_end = gives && given + 3'd1 == length;
    always @(posedge clk)
        if (rst || !busy) begin
            lines_done <= 21'd0;
            reading <= 1'b0;
            is_whole <= 1'b0;
            writing <= 1'b0;
            is_broken <= 1'b0;
        end else begin
            lines_done <= lines_done + gives;
            is_broken <= is_broken || (age == 2'd2 && (is_wrong || unexpected));
            reading <= asks || (reading && !(comes && is_end));
            is_whole <= (comes && is_end && is_sound && !is_broken && !is_wrong && !is_failed) || (is_whole && !offers);
            writing <= offers || (writing && !gives_end);
            if (asks) begin
                length <= {1'b0, read_data[37:36]} + 3'd1;
                come <= 3'd0;
                given <= 3'd0;
                is_sound <= 1'b1;
            end else begin
                come <= come + comes;
                given <= given + gives;
                if (is_failed) is_sound <= 1'b0;
            end
        end
    // Lines come for what was asked, and say which ones they are.
    always @* begin
        assume (!line_valid || reading);
        if (line_valid) assume (line_data[4:0] == lines_done[4:0] + come);
    end
    offer_stays #(.WIDTH(38)) read (
        .clk(clk), .rst(rst), .valid(read_valid), .ready(read_ready), .data(read_data)
    );
    offer_stays #(.WIDTH(38)) write (
        .clk(clk), .rst(rst), .valid(write_valid), .ready(write_ready), .data(write_data)
    );
    wire [15:0] head = lines_done == 21'd0 ? 16'hffff << source[3:0] : 16'hffff;
    wire [15:0] tail = lines_done + 21'd1 == lines && ends_at[3:0] != 4'd0 ? ~(16'hffff << ends_at[3:0]) : 16'hffff;
    always @* begin
        if (read_valid || write_valid || given_valid) within_job: assert (busy && refusal == 4'd0);
        if (read_valid) begin
            one_at_a_time: assert (!reading && !is_whole && !writing);
            reads_on: assert (read_data[35:0] == read_line);
            as_long_as_it_may: assert ({1'b0, read_data[37:36]} + 3'd1 == count);
        end
        if (write_valid) begin
            came_whole: assert (is_whole);
            writes_on: assert (write_data[35:0] == write_line);
            as_it_was_read: assert ({1'b0, write_data[37:36]} + 3'd1 == length);
        end
        if (given_valid) begin
            was_offered: assert (writing);
            own_line: assert (given_data[4:0] == lines_done[4:0]);
            own_bytes: assert (given_data[143:128] == (head & tail));
        end
    end

    // Writes without an answer, and those of them that are whole.
    reg [2:0] owed = 3'd0, owed_whole = 3'd0;
    always @(posedge clk) begin
        owed <= rst ? 3'd0 : owed + offers - write_done;
        owed_whole <= rst ? 3'd0 : owed_whole + gives_end - write_done;
    end
    always @* begin
        assume (!write_done || owed_whole != 3'd0);
        assume (!write_ready || owed != 3'd5);
    end

    // How the job ends: as it was refused, or as what failed first.
    reg [3:0] code = 4'd0;
    reg was_busy = 1'b0, was_started = 1'b0, was_done = 1'b0;
    always @(posedge clk) begin
        was_busy <= busy && !rst;
        was_started <= inner_bank_start && !rst;
        was_done <= inner_bank_input_interrupt_done && !rst;
        age <= rst || !busy ? 2'd0 : age == 2'd2 ? age : age + 2'd1;
        if (busy && age == 2'd1) code <= refusal;
        else if (busy && code == 4'd0 && age == 2'd2)
            code <= unexpected || is_wrong ? 4'd6 : is_failed ? 4'd4 : write_done && write_response[1] ? 4'd5 : 4'd0;
    end
    wire ended = was_busy && !busy;
    reg [20:0] was_lines = 21'd0, was_done_lines = 21'd0;
    always @(posedge clk) begin
        was_lines <= lines;
        was_done_lines <= lines_done;
    end
    always @* if (started) begin
        begins_when_told: assert (!(busy && !was_busy) || was_started);
        told_as_it_ends: assert (ended == was_done);
        if (ended) begin
            all_answered: assert (owed == 3'd0);
            right_code: assert (inner_code == code);
        end
        if (ended && inner_code == 4'd0) all_written: assert (was_lines == was_done_lines);
    end

    // Failures of reads, with the line.
    reg [1:0] failed = 2'd0;
    reg [35:0] failed_line;
    always @(posedge clk) begin
        failed <= {2{!rst && is_failed && !is_broken && busy}} & {line_response[0], !line_response[0]};
        failed_line <= read_line + come;
    end
    always @* if (failed != 2'd0) failure_told: assert (fault[1:0] == failed && fault_line == failed_line);

    // Where nobody holds it up and nothing fails, a job goes on.
    reg [2:0] pause = 3'd0;
    always @(posedge clk)
        pause <= rst || !busy || code != 4'd0 || read_valid || write_valid || reading || given_valid || owed != 3'd0
            ? 3'd0 : pause + 3'd1;
    always @* goes_on: assert (pause <= 3'd5);

    // What an induction needs: the engine's registers say the same, state by state.
    localparam [3:0] IDLE = 4'd0, MEASURE = 4'd1, CHECK = 4'd2, LIMIT = 4'd3, PLAN = 4'd4, ASK = 4'd5, FILL = 4'd6,
        OFFER = 4'd7, GIVE = 4'd8, DRAIN = 4'd9, AWAIT = 4'd10, FINISH = 4'd11;
    wire [3:0] inner_state;
    wire [3:0] state = inner_state;
    wire [35:0] inner_source, inner_destination;
    wire [20:0] inner_left;
    wire [24:0] inner_end;
    wire [15:0] inner_head, inner_tail;
    wire [7:0] inner_in_page, inner_quiet;
    wire [1:0] inner_longest, inner_burst, inner_place;
    wire [3:0] inner_unanswered;
    wire inner_is_first, inner_is_broken, inner_source_past, inner_destination_past;
    wire in_burst = state >= LIMIT && state <= GIVE;
    wire [20:0] before = lines_done - (writing ? {18'd0, given} : 21'd0);
    wire [7:0] read_space = ~read_line[7:0], write_space = ~write_line[7:0];
    wire [1:0] longest = most - 3'd1;
    always @* if (started) begin
        by_state: assert (state <= FINISH && busy == (state != IDLE));
        age_by_state: assert (!busy || age == (state == MEASURE ? 2'd0 : state == CHECK ? 2'd1 : 2'd2));
        measured: assert (!busy || (inner_source_past == (last_source < source && bytes != 25'd0)
            && inner_destination_past == (last_destination < destination && bytes != 25'd0) && inner_end == ends_at));
        not_refused: assert (state < LIMIT || state > AWAIT || refusal == 4'd0);
        code_follows: assert (age != 2'd2 || !busy || inner_code == code);
        flags_by_state: assert (writing == (state == GIVE) && (state != FILL || reading) && (state != OFFER || is_whole)
            && (!busy || !reading || state == FILL || (is_broken && state >= DRAIN))
            && (!busy || !is_whole || state == OFFER || state == AWAIT || state == FINISH));
        if (in_burst) begin
            where_it_is: assert (inner_source == source[39:4] + before && inner_destination == destination[39:4] + before);
            what_is_left: assert (before < lines && inner_left == lines - before && inner_is_first == (before == 21'd0));
            ends_of_job: assert (inner_head == 16'hffff << source[3:0]
                && inner_tail == (ends_at[3:0] != 4'd0 ? ~(16'hffff << ends_at[3:0]) : 16'hffff));
            is_broken_too: assert (is_broken == inner_is_broken);
        end else none_done: assert (state == IDLE || state >= DRAIN || lines_done == 21'd0);
        if (state == PLAN) planned: assert (inner_longest == longest
            && inner_in_page == (read_space < write_space ? read_space : write_space));
        if (state == ASK) limited: assert ({1'b0, inner_burst} + 3'd1 == count);
        if (state >= FILL && state <= GIVE) same_length: assert ({1'b0, inner_burst} + 3'd1 == length && length <= inner_left);
        same_place: assert (state == FILL ? inner_place == come && come < length
            : state == GIVE ? inner_place == given && given < length : inner_place == 2'd0 || (state == DRAIN && inner_quiet == 8'd0));
        none_given: assert ((state != FILL && state != OFFER) || given == 3'd0);
        quiet_in_drain: assert (inner_quiet == 8'd0 || state == DRAIN || state == AWAIT);
        broken_fails: assert (!is_broken || !busy || code != 4'd0);
        whole_at_start: assert ((state != MEASURE && state != CHECK) || !is_broken);
        broken_drains: assert (state != DRAIN || is_broken);
        failed_fails: assert (state != FILL || is_sound || code != 4'd0);
        last_is_written: assert ((state != AWAIT && state != FINISH) || code != 4'd0 || lines_done == lines);
        counts_writes: assert (inner_unanswered == owed && owed <= 3'd5 && owed_whole <= owed && owed == owed_whole + writing);
        no_write_at_ends: assert (owed == 3'd0 || (state >= LIMIT && state <= AWAIT));
        pauses: assert (pause <= (state == CHECK ? 3'd1 : state == LIMIT || state == FINISH ? 3'd2
            : state == PLAN || state == IDLE ? 3'd3 : state == ASK ? 3'd4 : 3'd0));
        at_start: assert (!was_started || state == MEASURE);
        was_as_it_is: assert (was_busy || state == IDLE || state == MEASURE);
        ends_once: assert (!was_done || state == IDLE);
    end
    // The FIFO has what has come, in order.
    reg was_on = 1'b0;
    always @(posedge clk) was_on <= started;
    wire [2:0] inner_lines_held;
    wire [1:0] inner_lines_write_address, inner_lines_read_address;
    wire [19:0] inner_lines_ram_words;
    wire [4:0] inner_lines_ram_read_latch;
    wire inner_lines_output_valid, inner_lines_input_ready;
    wire [2:0] in_memory = inner_lines_held - inner_lines_output_valid;
    wire [4:0] next_line = lines_done + inner_lines_output_valid;
    wire [1:0] read_at = inner_lines_read_address;
    wire [1:0] read_at_1 = read_at + 2'd1, read_at_2 = read_at + 2'd2;
    always @* if (started) begin
        on_while_busy: assert (was_on || !busy);
        holds: assert (inner_lines_held <= 3'd4 && in_memory <= 3'd3
            && in_memory[1:0] == inner_lines_write_address - inner_lines_read_address
            && inner_lines_input_ready == (was_on && !inner_lines_held[2]));
        holds_what_came: assert (state == FILL ? inner_lines_held == come : state == OFFER ? inner_lines_held == length
            : state == GIVE ? inner_lines_held == length - given
            : state == DRAIN || (state == AWAIT && code != 4'd0) || inner_lines_held == 3'd0);
        if (state >= FILL && state <= GIVE) begin
            next_is_out: assert (!inner_lines_output_valid || inner_lines_ram_read_latch == lines_done[4:0]);
            first_word: assert (in_memory == 3'd0 || inner_lines_ram_words[5*read_at +: 5] == next_line);
            second_word: assert (in_memory <= 3'd1 || inner_lines_ram_words[5*read_at_1 +: 5] == next_line + 5'd1);
            third_word: assert (in_memory <= 3'd2 || inner_lines_ram_words[5*read_at_2 +: 5] == next_line + 5'd2);
        end
    end

    wire ended_well = ended && inner_code == 4'd0;
    reg was_split = 1'b0, has_ended = 1'b0;
    always @(posedge clk) begin
        if (busy && asks && left == 21'd2) was_split <= read_data[37:36] == 2'd0;
        if (ended_well) has_ended <= 1'b1;
    end
    always @* begin
        two_lines: cover (ended_well && was_lines == 21'd2);
        two_bursts: cover (ended_well && was_lines == 21'd2 && was_split);
        refused: cover (ended && inner_code == 4'd3);
        read_failed: cover (ended && inner_code == 4'd4);
        write_failed: cover (ended && inner_code == 4'd5 && was_done_lines != 21'd0);
        part_of_a_line: cover (gives && given_data[143:128] == 16'h0ff0);
        starts_again: cover (read_valid && has_ended);
    end
endmodule
