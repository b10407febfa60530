// The memory of a FIFO as it is emitted, but with all its words in view of the induction.
module memory_in_view #(parameter WIDTH = 1) (
    input wire clk,
    input wire write_enable,
    input wire [1:0] write_address,
    input wire [WIDTH-1:0] write_data,
    input wire read_enable,
    input wire [1:0] read_address,
    output reg [WIDTH-1:0] read_data
);
    reg [4*WIDTH-1:0] words;
    always @(posedge clk) begin
        if (write_enable) words[WIDTH*write_address +: WIDTH] <= write_data;
        if (read_enable) read_data <= words[WIDTH*read_address +: WIDTH];
    end
endmodule

module ram_simple_dual_port_4x8 (
    input wire clk,
    input wire write_enable,
    input wire [1:0] write_address,
    input wire [7:0] write_data,
    input wire read_enable,
    input wire [1:0] read_address,
    output wire [7:0] read_data
);
    memory_in_view #(.WIDTH(8)) memory (
        .clk(clk), .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .read_enable(read_enable), .read_address(read_address), .read_data(read_data)
    );
endmodule

module ram_simple_dual_port_4x1 (
    input wire clk,
    input wire write_enable,
    input wire [1:0] write_address,
    input wire write_data,
    input wire read_enable,
    input wire [1:0] read_address,
    output wire read_data
);
    memory_in_view #(.WIDTH(1)) memory (
        .clk(clk), .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .read_enable(read_enable), .read_address(read_address), .read_data(read_data)
    );
endmodule

// A FIFO of bursts: it holds so many of them from the oldest one on, each in the word of its number. Words stand as long as
// their burst is not answered.
module bursts_in_fifo #(parameter WIDTH = 1) (
    input wire started,
    input wire [2:0] count,
    input wire [1:0] oldest,
    input wire [2:0] held,
    input wire ready,
    input wire valid,
    input wire [WIDTH-1:0] data,
    input wire [1:0] write_address,
    input wire [1:0] read_address,
    input wire [4*WIDTH-1:0] words,
    input wire [3:0] unanswered,
    input wire [4*WIDTH-1:0] bursts
);
    wire [4*WIDTH-1:0] differs = words ^ bursts;
    wire [3:0] is_other = {|differs[3*WIDTH +: WIDTH], |differs[2*WIDTH +: WIDTH], |differs[WIDTH +: WIDTH], |differs[0 +: WIDTH]};
    always @* if (started) begin
        fifo_words: assert ((unanswered & is_other) == 4'd0);
        fifo_counts: assert (held == count && count <= 3'd4 && !(ready && held[2]));
        fifo_places: assert (write_address == oldest + count[1:0] && read_address == oldest + valid);
        fifo_offers: assert (valid ? count != 3'd0 && data == words[WIDTH*oldest +: WIDTH] : count != 3'd4);
    end
endmodule

// A write master of bytes, with bursts of four and four of them at a time, before any memory.
module proof (
    input wire clk,
    input wire rst,
    input wire command_valid,
    input wire [15:0] command_data,
    input wire data_valid,
    input wire [8:0] data_data,
    input wire response_ready,
    input wire awready,
    input wire wready,
    input wire bvalid,
    input wire [1:0] bresp
);
    wire command_ready, data_ready, response_valid, awvalid, wvalid, wlast, bready;
    wire [1:0] response_data;
    wire [2:0] outstanding;
    wire [0:0] awid, wstrb;
    wire [12:0] awaddr;
    wire [7:0] awlen, wdata;
    wire [2:0] awsize, awprot;
    wire [1:0] awburst;
    wire [3:0] awcache, awqos;
    block dut (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready),
        .command_data(command_data), .data_valid(data_valid), .data_ready(data_ready), .data_data(data_data),
        .response_valid(response_valid), .response_ready(response_ready), .response_data(response_data),
        .outstanding(outstanding), .axi_awid(awid), .axi_awaddr(awaddr), .axi_awlen(awlen), .axi_awsize(awsize),
        .axi_awburst(awburst), .axi_awcache(awcache), .axi_awprot(awprot), .axi_awqos(awqos), .axi_awvalid(awvalid),
        .axi_awready(awready), .axi_wdata(wdata), .axi_wstrb(wstrb), .axi_wlast(wlast), .axi_wvalid(wvalid),
        .axi_wready(wready), .axi_bid(1'b0), .axi_bresp(bresp), .axi_bvalid(bvalid), .axi_bready(bready)
    );
    // The reset reaches memory too, and comes once, at the start.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    wire [1:0] first, commands;
    wire [2:0] open, to_come;
    wire [7:0] lengths;
    wire [3:0] finals;
    wire [12:0] at;
    wire [15:0] waiting;
    wire offer_is_final;
    wire answers = bvalid && bready && !rst;
    bursts_of_commands bursts (
        .clk(clk), .rst(rst), .command_taken(command_valid && command_ready), .command(command_data),
        .valid(awvalid), .ready(awready), .address(awaddr), .length(awlen), .attributes({awburst, awsize, awid}),
        .outstanding(outstanding), .answered(answers), .first(first), .open(open), .lengths(lengths),
        .finals(finals), .commands(commands), .at(at), .to_come(to_come), .waiting(waiting), .ends(offer_is_final)
    );

    // So many of the bursts that are not answered have all their transfers; one more than were taken where the burst that
    // is offered has its own already.
    reg [2:0] whole = 3'd0;
    reg [1:0] place = 2'd0;
    wire is_ahead = whole > open;
    wire of_offer = whole == open;
    wire [1:0] current = first + whole[1:0];
    wire [1:0] length = of_offer ? awlen[1:0] : lengths[2*current +: 2];
    wire moves = wvalid && wready && !rst;
    always @(posedge clk)
        if (rst) begin
            place <= 2'd0;
            whole <= 3'd0;
        end else begin
            if (moves) place <= wlast ? 2'd0 : place + 2'd1;
            whole <= whole + (moves && wlast) - answers;
        end
    offer_stays #(.WIDTH(10)) transfer (
        .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wlast, wstrb, wdata})
    );
    wire [1:0] marks_sent, marks_seen;
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(data_valid && data_ready && !rst), .in_mark(data_data[1:0]),
        .out_clk(clk), .out_clear(rst), .offered(wvalid), .given(moves), .out_mark(wdata[1:0]),
        .marks_sent(marks_sent), .marks_seen(marks_seen)
    );
    always @* assume (!data_valid || data_data[8] == data_data[2]);
    always @* if (wvalid) begin
        of_a_burst: assert (!is_ahead && (!of_offer || awvalid));
        last_of_burst: assert (wlast == (place == length));
        own_strobe: assert (wstrb == wdata[2]);
    end
    always @* data_ahead: cover (is_ahead);

    // Memory answers what it has whole. Each command has one answer, the worst.
    always @* assume (!bvalid || (whole != 3'd0 && open != 3'd0));
    always @* assume (bresp != 2'd1);
    reg [1:0] worst = 2'd0, older, newer;
    reg [1:0] due = 2'd0;
    wire [1:0] now = bresp > worst ? bresp : worst;
    wire ends = answers && finals[first];
    wire told = response_valid && response_ready && !rst;
    always @(posedge clk)
        if (rst) begin
            worst <= 2'd0;
            due <= 2'd0;
        end else begin
            if (answers) worst <= finals[first] ? 2'd0 : now;
            due <= due + ends - told;
            if (ends && (due == 2'd0 || (due == 2'd1 && told))) older <= now;
            else if (told) older <= newer;
            if (ends) newer <= now;
        end
    always @* begin
        one_answer: assert (due <= 2'd2 && response_valid == (due != 2'd0));
        if (response_valid) worst_response: assert (response_data == older);
        failed: cover (told && response_data == 2'd3);
    end
    offer_stays #(.WIDTH(2)) response (
        .clk(clk), .rst(rst), .valid(response_valid), .ready(response_ready), .data(response_data)
    );

    // Transfers of a burst that is on its way wait three clocks at most, where the bus takes them, and answers wait one, where
    // the response is taken.
    reg [2:0] data_waits = 3'd0;
    reg [1:0] answer_waits = 2'd0;
    always @(posedge clk) begin
        data_waits <= rst || !data_valid || data_ready || !wready || whole >= outstanding ? 3'd0 : data_waits + 3'd1;
        answer_waits <= rst || !bvalid || bready || !response_ready ? 2'd0 : answer_waits + 2'd1;
    end
    always @* data_is_taken: assert (data_waits <= 3'd3);
    always @* is_heard: assert (answer_waits <= 2'd1);

    // What the block holds, for the induction. Its FIFOs know the bursts that wait for data, and for their answer.
    wire [2:0] inner_lengths_held, inner_ends_held;
    wire inner_lengths_input_ready, inner_ends_input_ready, inner_lengths_output_valid, inner_ends_output_valid;
    wire [7:0] inner_lengths_output_data;
    wire inner_ends_output_data;
    wire [1:0] inner_lengths_write_address, inner_ends_write_address;
    wire [1:0] inner_lengths_read_address, inner_ends_read_address;
    wire [31:0] inner_lengths_ram_memory_words;
    wire [3:0] inner_ends_ram_memory_words;
    // Two transfers at most have left the first FIFO and not the block.
    wire inner_data_skid_skid_valid, inner_data_skid_input_ready;
    wire [9:0] inner_data_skid_skid_data;
    wire skid_last = inner_data_skid_skid_data[9];
    wire [2:0] whole_next = whole + (wvalid && wlast);
    wire [2:0] whole_skid = whole_next + (inner_data_skid_skid_valid && skid_last);
    wire [1:0] place_next = !wvalid ? place : wlast ? 2'd0 : place + 2'd1;
    wire [1:0] place_skid = !inner_data_skid_skid_valid ? place_next : skid_last ? 2'd0 : place_next + 2'd1;
    wire [1:0] number_next = first + whole_next[1:0];
    wire [1:0] number_skid = first + whole_skid[1:0];
    wire [2:0] without_data = outstanding - whole_skid;
    // By number: which bursts are not answered, with the one that is offered, how long they are and which are the last ones.
    wire [3:0] offer = awvalid ? 4'd1 << (first + open[1:0]) : 4'd0;
    wire [3:0] from_first = 4'd15 >> (3'd4 - open);
    wire [3:0] taken = from_first << first | from_first >> (3'd4 - first);
    wire [3:0] known_ends = offer & {4{offer_is_final}} | ~offer & finals;
    wire [31:0] known_lengths = {
        offer[3] ? awlen : {6'd0, lengths[7:6]}, offer[2] ? awlen : {6'd0, lengths[5:4]},
        offer[1] ? awlen : {6'd0, lengths[3:2]}, offer[0] ? awlen : {6'd0, lengths[1:0]}};
    bursts_in_fifo #(.WIDTH(8)) in_lengths (
        .started(started), .count(without_data), .oldest(number_skid), .held(inner_lengths_held),
        .ready(inner_lengths_input_ready), .valid(inner_lengths_output_valid), .data(inner_lengths_output_data),
        .write_address(inner_lengths_write_address), .read_address(inner_lengths_read_address),
        .words(inner_lengths_ram_memory_words), .unanswered(taken | offer), .bursts(known_lengths)
    );
    bursts_in_fifo #(.WIDTH(1)) in_ends (
        .started(started), .count(outstanding), .oldest(first), .held(inner_ends_held), .ready(inner_ends_input_ready),
        .valid(inner_ends_output_valid), .data(inner_ends_output_data), .write_address(inner_ends_write_address),
        .read_address(inner_ends_read_address), .words(inner_ends_ram_memory_words),
        .unanswered(taken | offer), .bursts(known_ends)
    );
    wire [7:0] length_next = inner_lengths_ram_memory_words[8*number_next +: 8];
    wire [7:0] length_skid = inner_lengths_ram_memory_words[8*number_skid +: 8];
    wire [7:0] inner_place;
    wire [1:0] marks_next = wvalid && wdata[1:0] != 2'd0 ? wdata[1:0] : marks_seen;
    wire [1:0] skid_mark = inner_data_skid_skid_valid ? inner_data_skid_skid_data[1:0] : 2'd0;
    always @* if (started) begin
        skid_follows: assert (!inner_data_skid_skid_valid || (wvalid && !inner_data_skid_input_ready));
        skid_ends_burst: assert (!inner_data_skid_skid_valid
            || (whole_next < outstanding && skid_last == (place_next == length_next)));
        skid_strobe: assert (!inner_data_skid_skid_valid || inner_data_skid_skid_data[8] == inner_data_skid_skid_data[2]);
        skid_marks: assert (skid_mark == 2'd0 ? marks_sent == marks_next
            : skid_mark == marks_sent && marks_sent == marks_next + 2'd1);
        two_marks: assert (marks_sent <= 2'd2);
        data_fit: assert (whole_skid <= outstanding);
        place_fits: assert (inner_place == {6'd0, place_skid}
            && (whole_skid == outstanding ? place_skid == 2'd0 : inner_place <= length_skid));
    end

    // Answers, and bursts that are still to be offered.
    wire inner_response_skid_skid_valid, inner_response_skid_input_ready;
    wire [1:0] inner_response_skid_skid_data, inner_worst;
    wire inner_splitter_busy;
    wire [12:0] inner_splitter_address;
    wire [2:0] inner_splitter_left;
    wire [15:0] behind_offer = {at + {11'd0, awlen[1:0]} + 13'd1, to_come - {1'b0, awlen[1:0]} - 3'd1};
    always @* if (started) begin
        worst_kept: assert (inner_worst == worst);
        answers_kept: assert (due == response_valid + inner_response_skid_skid_valid);
        answer_follows: assert (!inner_response_skid_skid_valid
            || (!inner_response_skid_input_ready && inner_response_skid_skid_data == newer));
        command_kept: assert (commands == inner_splitter_busy + (awvalid && offer_is_final)
            && (inner_splitter_busy || !awvalid || offer_is_final));
        rest_kept: assert (!inner_splitter_busy || {inner_splitter_address, inner_splitter_left}
            == (!awvalid ? {at, to_come} : offer_is_final ? waiting : behind_offer));
    end
endmodule
