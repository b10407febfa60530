// Jobs of the loader that come as packets. The memory stands in for the emitted one: it keeps any one word, and gives anything at other
// addresses.
module distributed_ram_16x32 (
    input wire clk,
    input wire write_enable,
    input wire [3:0] write_address,
    input wire [31:0] write_data,
    input wire [3:0] read_address,
    output wire [31:0] read_data
);
    (* anyconst *) reg [3:0] watched;
    (* anyseq *) reg [31:0] other;
    // What is read does not change by itself.
    reg [31:0] word, other_was;
    reg [3:0] address_was;
    reg is_kept = 1'b0;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= write_data;
        address_was <= read_address;
        is_kept <= !write_enable;
        other_was <= other;
    end
    always @* if (is_kept && address_was == read_address) assume (other == other_was);
    assign read_data = read_address == watched ? word : other;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire packet_valid,
    input wire [32:0] packet_data,
    input wire end_ready,
    input wire registers_valid,
    input wire registers_is_write,
    input wire [6:0] registers_address,
    input wire [31:0] registers_write_data,
    input wire [3:0] registers_strobes,
    input wire written_done,
    input wire written_failed,
    input wire [31:0] written_read_data,
    input wire is_busy,
    input wire ends,
    input wire [3:0] ended_code,
    input wire [1:0] ended_response,
    input wire [27:0] ended_line
);
    wire packet_ready, end_valid, registers_done, registers_failed, written_valid, written_is_write;
    wire [33:0] end_data;
    wire [31:0] registers_read_data, written_write_data;
    wire [6:0] written_address;
    wire [3:0] written_strobes;
    loader_job_port dut (
        .clk(clk), .rst(rst), .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_data(packet_data),
        .end_valid(end_valid), .end_ready(end_ready), .end_data(end_data), .registers_valid(registers_valid),
        .registers_is_write(registers_is_write), .registers_address(registers_address),
        .registers_write_data(registers_write_data), .registers_strobes(registers_strobes),
        .registers_done(registers_done), .registers_failed(registers_failed), .registers_read_data(registers_read_data),
        .written_valid(written_valid), .written_is_write(written_is_write), .written_address(written_address),
        .written_write_data(written_write_data), .written_strobes(written_strobes), .written_done(written_done),
        .written_failed(written_failed), .written_read_data(written_read_data), .is_busy(is_busy), .ends(ends),
        .ended_code(ended_code), .ended_response(ended_response), .ended_line(ended_line)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // An access of the processor stays until it is done. The registers answer what they are asked, while they are, within three clocks.
    wire [43:0] access = {registers_is_write, registers_address, registers_write_data, registers_strobes};
    wire [43:0] request = {written_is_write, written_address, written_write_data, written_strobes};
    reg waits = 1'b0, asks = 1'b0;
    reg [1:0] asked = 2'd0;
    reg [43:0] access_was, request_was;
    always @(posedge clk) begin
        waits <= registers_valid && !registers_done && !rst;
        access_was <= access;
        asks <= written_valid && !written_done && !rst;
        request_was <= request;
        asked <= rst || !written_valid || written_done ? 2'd0 : asked + 2'd1;
    end
    always @* begin
        if (waits) assume (registers_valid && access == access_was);
        assume (!written_done || (written_valid && asked != 2'd0));
        assume (asked != 2'd2 || written_done);
    end

    // A job is started by what is written to the register 0. Three clocks later it shows at the latest, and ends at the earliest.
    wire starts = written_valid && written_done && written_is_write && written_address == 7'd0 && written_write_data[0]
        && written_strobes[0];
    reg job = 1'b0;
    reg [1:0] since = 2'd0;
    always @(posedge clk) begin
        if (rst) job <= 1'b0;
        else if (starts) job <= 1'b1;
        else if (ends) job <= 1'b0;
        since <= starts && !job ? 2'd0 : since == 2'd2 ? 2'd2 : since + 2'd1;
    end
    always @* begin
        assume (!is_busy || job);
        assume (is_busy || !job || since != 2'd2);
        assume (!ends || (is_busy && since == 2'd2));
    end

    // Packets: how many words of one have come, and whether it came whole and waits for its answer.
    wire takes = packet_valid && packet_ready && !rst;
    reg [3:0] words = 4'd0;
    reg is_whole = 1'b0, is_answered = 1'b1;
    always @(posedge clk)
        if (rst) begin
            words <= 4'd0;
            is_whole <= 1'b0;
            is_answered <= 1'b1;
        end else if (takes) begin
            words <= packet_data[32] ? 4'd0 : words == 4'd15 ? 4'd15 : words + 4'd1;
            is_whole <= packet_data[32] && words == 4'd8;
            is_answered <= !packet_data[32];
        end else if (end_valid && end_ready) begin
            is_whole <= 1'b0;
            is_answered <= 1'b1;
        end
    wire inner_owns;
    wire [3:0] inner_words_watched;
    reg [31:0] word;
    always @(posedge clk) if (takes && words == inner_words_watched) word <= packet_data[31:0];

    // Its writes: the word of each register in order, then the command that starts the job; none of a packet of another length.
    wire writes = written_valid && inner_owns;
    reg [3:0] written = 4'd0;
    always @(posedge clk)
        if (rst || takes) written <= 4'd0;
        else if (writes && written_done) written <= written + 4'd1;
    always @* if (writes) begin
        of_a_whole_packet: assert (is_whole && !is_answered && written <= 4'd9);
        while_no_job_works: assert (!job);
        in_order: assert (written_is_write && written_strobes == 4'hf
                          && written_address == (written == 4'd9 ? 7'd0 : {3'd0, written} + 7'd1));
        as_it_came: assert (written == 4'd9 ? written_write_data == 32'd1
                            : written != inner_words_watched || written_write_data == word);
    end

    // Each packet is answered once, before the next one comes: with the end of its job, or with its length.
    reg has_ended = 1'b0;
    reg [33:0] ended;
    always @(posedge clk) begin
        if (rst || takes) has_ended <= 1'b0;
        else if (written == 4'd10 && ends) has_ended <= 1'b1;
        if (written == 4'd10 && ends && !has_ended) ended <= {ended_line, ended_response, ended_code};
    end
    offer_stays #(.WIDTH(34)) offer (.clk(clk), .rst(rst), .valid(end_valid), .ready(end_ready), .data(end_data));
    always @* begin
        answers_a_packet: assert (!end_valid || !is_answered);
        next_behind_the_answer: assert (!packet_ready || is_answered);
        end_of_its_job: assert (!(end_valid && is_whole) || (has_ended && end_data == ended));
        length_told: assert (!(end_valid && !is_whole) || end_data == 34'd11);
    end

    // What the processor accesses passes as it is, and its answer back; it waits for the writes of one packet at most.
    reg [5:0] kept = 6'd0;
    always @(posedge clk) kept <= rst || !(registers_valid && inner_owns) ? 6'd0 : kept + 6'd1;
    always @* begin
        request_stays: assert (!asks || (written_valid && request == request_was));
        passes: assert (!(waits && !inner_owns) || (written_valid && request == access));
        answer_passes: assert (registers_done == (written_done && !inner_owns)
                               && (!registers_done || (registers_failed == written_failed
                                                       && registers_read_data == written_read_data)));
        waits_for_one_packet: assert (kept <= 6'd40);
    end
    always @* begin
        whole: cover (end_valid && is_whole && end_ready);
        short: cover (end_valid && !is_whole);
        access_kept: cover (registers_done && kept == 6'd0 && waits && is_whole && job);
    end
endmodule
