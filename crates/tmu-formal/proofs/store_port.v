// Entries of parameter stores written by registers. The memories stand in for the emitted ones: each keeps a byte of any one word, the same
// in all of them, and gives anything of the others.
module distributed_ram_8x8 (
    input wire clk,
    input wire write_enable,
    input wire [2:0] write_address,
    input wire [7:0] write_data,
    input wire [2:0] read_address,
    output wire [7:0] read_data
);
    (* anyconst *) reg [2:0] watched;
    (* anyseq *) reg [7:0] other;
    // What is read does not change by itself.
    reg [7:0] word, other_was;
    reg [2:0] address_was;
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
    input wire valid,
    input wire is_write,
    input wire [5:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobes,
    input wire [1:0] ready
);
    wire done, failed, first_valid, second_valid;
    wire [31:0] read_data;
    wire [128:0] first_beat, second_beat;
    store_port dut (
        .clk(clk), .rst(rst), .registers_valid(valid), .registers_is_write(is_write), .registers_address(address),
        .registers_write_data(write_data), .registers_strobes(strobes), .registers_done(done), .registers_failed(failed),
        .registers_read_data(read_data), .units_0_valid(first_valid), .units_0_ready(ready[0]), .units_0_data(first_beat),
        .units_1_valid(second_valid), .units_1_ready(ready[1]), .units_1_data(second_beat)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // A request stays until it is done.
    reg waits = 1'b0;
    reg [42:0] request;
    always @(posedge clk) begin
        waits <= valid && !done && !rst;
        request <= {is_write, address, write_data, strobes};
    end
    always @* if (waits) assume (valid && request == {is_write, address, write_data, strobes});
    wire is_word = address[5];
    wire is_there = is_word ? address[4:2] < 3'd5 : address < 6'd4;
    wire writes = done && !failed && is_write;

    // What the registers hold, by what was written: the units and the entry.
    reg [1:0] units = 2'd3;
    reg [5:0] entry = 6'd0;
    wire inner_is_ready;
    always @(posedge clk) begin
        if (rst) begin
            units <= 2'd3;
            entry <= 6'd0;
        end else begin
            if (writes && address == 6'd2 && strobes[0]) units <= write_data[1:0];
            if (writes && address == 6'd3 && strobes[0]) entry <= write_data[5:0];
        end
    end

    // Packets that are owed, and how far the one under way is.
    wire [1:0] offered = {second_valid, first_valid};
    wire takes = (offered & ready) != 2'd0;
    wire [128:0] beat = second_valid ? second_beat : first_beat;
    wire commands = writes && address == 6'd0 && write_data[0] && strobes[0];
    reg [1:0] owed = 2'd0;
    reg [2:0] number = 3'd0;
    reg inside = 1'b0;
    reg [1:0] target;
    reg [1:0] idle = 2'd0;
    always @(posedge clk) begin
        if (rst) begin
            owed <= 2'd0;
            number <= 3'd0;
            inside <= 1'b0;
            idle <= 2'd0;
        end else begin
            if (commands) owed <= units;
            else if (takes && beat[128]) owed <= owed & ~offered;
            if (takes) number <= beat[128] ? 3'd0 : number + 3'd1;
            inside <= (inside || offered != 2'd0) && !(takes && beat[128]);
            idle <= owed == 2'd0 || offered != 2'd0 ? 2'd0 : idle + 2'd1;
        end
        target <= offered;
    end
    offer_stays #(.WIDTH(129)) first (.clk(clk), .rst(rst), .valid(first_valid), .ready(ready[0]), .data(first_beat));
    offer_stays #(.WIDTH(129)) second (.clk(clk), .rst(rst), .valid(second_valid), .ready(ready[1]), .data(second_beat));

    // How long an access takes, and whether a command was at work as it began or a little before it ends.
    reg [3:0] clocks = 4'd0;
    reg was_owed = 1'b0;
    reg [2:0] lately = 3'd0;
    always @(posedge clk) begin
        clocks <= rst || !valid || done ? 4'd0 : clocks + 4'd1;
        if (rst) was_owed <= 1'b0;
        else if (clocks == 4'd0) was_owed <= owed != 2'd0;
        lately <= rst ? 3'd0 : {lately[1:0], owed != 2'd0 || commands};
    end
`ifdef BYTES
    // The byte that is followed: of which word, and which one of it.
    wire [2:0] watched = inner_words_0_watched;
    (* anyconst *) reg [3:0] lane;
    wire [2:0] inner_words_0_watched, inner_words_1_watched, inner_words_2_watched, inner_words_3_watched, inner_words_4_watched;
    wire [2:0] inner_words_5_watched, inner_words_6_watched, inner_words_7_watched, inner_words_8_watched, inner_words_9_watched;
    wire [2:0] inner_words_10_watched, inner_words_11_watched, inner_words_12_watched, inner_words_13_watched;
    wire [2:0] inner_words_14_watched, inner_words_15_watched;
    always @* assume ({inner_words_1_watched, inner_words_2_watched, inner_words_3_watched, inner_words_4_watched, inner_words_5_watched,
        inner_words_6_watched, inner_words_7_watched, inner_words_8_watched, inner_words_9_watched, inner_words_10_watched,
        inner_words_11_watched, inner_words_12_watched, inner_words_13_watched, inner_words_14_watched, inner_words_15_watched}
        == {15{watched}} && watched < 3'd5);
    // What it holds, by what was written.
    reg [7:0] byte_held;
    wire is_byte = is_word && address[4:2] == watched && address[1:0] == lane[3:2];
    wire [7:0] sent_byte = beat[{lane, 3'd0} +: 8];
    always @(posedge clk)
        if (rst || !inner_is_ready) byte_held <= 8'd0;
        else if (writes && is_byte && strobes[lane[1:0]]) byte_held <= write_data[{lane[1:0], 3'd0} +: 8];
    always @* begin
        as_written: assert (offered == 2'd0 || number != watched
            || sent_byte == (watched == 3'd0 && lane == 4'd4 ? {2'b10, entry} : byte_held));
        reads_what_it_holds: assert (!done || failed || is_write || !is_byte || read_data[{lane[1:0], 3'd0} +: 8] == byte_held);
    end
`else
    always @* begin
        one_unit: assert (offered != 2'd3);
        only_owed: assert ((offered & ~owed) == 2'd0);
        lowest_first: assert (!offered[1] || !owed[0]);
        never_split: assert (!inside || offered == target);
        all_come: assert (idle != 2'd3);
        five_beats: assert (offered == 2'd0 || beat[128] == (number == 3'd4));
        done_in_time: assert (clocks < (inner_is_ready ? 4'd12 : 4'd11));
        done_when_asked: assert (!done || (valid && clocks != 4'd0));
        tells_when_done: assert (!done || failed || is_write || address != 6'd1 || read_data[0] || owed == 2'd0);
        refused_while_at_work: assert (!done || failed || !(is_write || is_word) || !was_owed);
        no_failure_else: assert (!done || !failed || !is_there || ((is_write || is_word) && lately != 3'd0));
        fails_without_a_register: assert (!done || is_there || failed);
    end
`endif
    always @* begin
        both_units: cover (takes && offered == 2'd2 && number == 3'd4 && units == 2'd3);
        a_byte: cover (takes && number == 3'd2 && beat[7:0] == 8'ha5);
        an_entry: cover (takes && number == 3'd0 && entry == 6'd5);
        refused: cover (done && failed && is_word && is_there);
    end
endmodule
