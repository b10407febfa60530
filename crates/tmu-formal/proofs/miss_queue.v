// Tiles that are missing to reads of memory. The queue stands in for the emitted one, which has its own proofs: it offers any
// items, each until it is taken.
module sync_fifo_32x208_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [207:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [207:0] output_data,
    output wire [5:0] level
);
    (* anyseq *) reg offered;
    (* anyseq *) reg [207:0] item;
    (* anyseq *) reg [5:0] anything;
    reg waits = 1'b0;
    reg [207:0] was;
    always @(posedge clk) begin
        waits <= offered && !output_ready && !rst;
        was <= item;
    end
    always @* begin
        if (waits) assume (offered && item == was);
        // `lookup` tells of items only that miss.
        assume (item[3:0] != 4'd0);
    end
    assign output_valid = offered;
    assign output_data = item;
    assign level = anything;
    assign input_ready = 1'b1;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire may_fetch,
    input wire read_ready
);
    wire asks, splits, read_valid;
    wire [61:0] fill;
    wire [28:0] read_data;
    miss_queue dut (
        .clk(clk), .rst(rst), .may_fetch(may_fetch), .asks(asks), .fill(fill), .splits(splits), .read_valid(read_valid),
        .read_ready(read_ready), .read_data(read_data)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);
    offer_stays #(.WIDTH(29)) read (.clk(clk), .rst(rst), .valid(read_valid), .ready(read_ready), .data(read_data));

    // The item of the clock before, from which a tile was asked for, and those of its tiles that were asked for before.
    wire inner_queue_output_valid, inner_queue_output_ready;
    wire [207:0] inner_queue_output_data;
    reg offered = 1'b0;
    reg taken = 1'b0;
    reg allowed = 1'b0;
    reg [207:0] item;
    reg [3:0] asked = 4'd0;
    wire [1:0] bank = fill[1:0];
    wire [3:0] own = 4'd1 << bank;
    wire [3:0] left = item[3:0] & ~asked;
    wire [3:0] asked_now = !asks ? asked : taken ? 4'd0 : asked | own;
    always @(posedge clk) begin
        offered <= inner_queue_output_valid && !rst;
        taken <= inner_queue_output_valid && inner_queue_output_ready && !rst;
        allowed <= may_fetch;
        item <= inner_queue_output_data;
        asked <= rst ? 4'd0 : asked_now;
    end
    wire [207:0] of_line = item >> (8'd16 + 8'd27 * bank);
    wire [207:0] of_place = item >> (8'd124 + 8'd7 * bank);
    wire [207:0] of_user = item >> (8'd152 + 8'd14 * bank);
    always @* begin
        if (asks) begin
            of_a_item: assert (offered && allowed);
            each_tile_once: assert (own == (left & (~left + 4'd1)) && left != 4'd0);
            right_tile: assert (fill == {of_user[13:0], item[15:6], of_line[26:0], of_place[6:0], item[5], item[4], bank});
        end
        till_the_last: assert (taken == (asks && left == own));
    end

    // Tiles that were asked for and are not read yet, the oldest first. A tile that lies across 4 KiB is read in two.
    reg [1:0] count = 2'd0;
    reg [29:0] oldest, newer;
    reg is_rest = 1'b0;
    wire [2:0] lines = fill[3] ? 3'd1 : fill[2] ? 3'd3 : 3'd4;
    wire [26:0] line = oldest[26:0];
    wire [8:0] end_ = {1'b0, line[7:0]} + oldest[29:27];
    wire crosses = end_ > 9'd256;
    wire [2:0] first_part = 3'd4 - {1'b0, line[1:0]};
    wire [2:0] now = !crosses ? oldest[29:27] : is_rest ? oldest[29:27] - first_part : first_part;
    wire [26:0] begin_ = is_rest ? {line[26:2] + 25'd1, 2'd0} : line;
    wire [2:0] less_one = now - 3'd1;
    wire given = read_valid && read_ready;
    wire ends = given && (is_rest || !crosses);
    wire [1:0] after = count - ends;
    wire [29:0] moved = ends ? newer : oldest;
    always @(posedge clk) begin
        count <= rst ? 2'd0 : after + asks;
        oldest <= asks && after == 2'd0 ? {lines, fill[37:11]} : moved;
        newer <= asks && after == 2'd1 ? {lines, fill[37:11]} : newer;
        is_rest <= !rst && given ? crosses && !is_rest : is_rest && !rst;
    end
    always @* begin
        few_wait: assert (count <= 2'd2 && !(asks && after == 2'd2));
        if (read_valid) begin
            was_asked: assert (count != 2'd0);
            right_read: assert (read_data == {less_one[1:0], begin_});
            within_4_kib: assert ({1'b0, read_data[7:0]} + read_data[28:27] < 9'd256);
        end
        split_told: assert (splits == (given && crosses && !is_rest));
    end

    // For the induction: where they wait.
    wire [3:0] inner_asked;
    wire inner_queue_waits, inner_picked, inner_wanted, inner_wanted_splits;
    wire [26:0] inner_picked_line, inner_wanted_line;
    wire [2:0] inner_picked_lines, inner_wanted_lines;
    // What is asked for in this clock is picked in it.
    wire picked_before = inner_picked && !asks;
    wire [29:0] picked = {inner_picked_lines, inner_picked_line};
    always @* begin
        item_stands: assert ((asked_now == 4'd0 || inner_queue_waits)
            && (!inner_queue_output_valid || (inner_queue_output_data[3:0] & ~asked_now) != 4'd0));
        asked_kept: assert (inner_asked == asked_now);
        picked_first: assert (!asks || inner_picked);
        all_counted: assert (count == inner_wanted + picked_before);
        picked_kept: assert (!inner_picked || picked == (asks ? {lines, fill[37:11]} : inner_wanted ? newer : oldest));
        wanted_kept: assert (!inner_wanted || (inner_wanted_line == begin_ && inner_wanted_splits == (crosses && !is_rest)
            && inner_wanted_lines == (is_rest ? now : oldest[29:27])));
        rest_is_wanted: assert (!is_rest || (inner_wanted && crosses));
        lines_known: assert ((count == 2'd0 || oldest[29:27] == 3'd1 || oldest[29:27] == 3'd3 || oldest[29:27] == 3'd4)
            && (count != 2'd2 || newer[29:27] == 3'd1 || newer[29:27] == 3'd3 || newer[29:27] == 3'd4));
    end
    always @* begin
        split: cover (given && is_rest);
        four_tiles: cover (asks && item[3:0] == 4'hf && taken);
        two_wait: cover (count == 2'd2);
    end
endmodule
