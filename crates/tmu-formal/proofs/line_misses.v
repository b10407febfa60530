// Lines that are missing to reads of memory. The queue stands in for the emitted one, which has its own proofs: it offers any
// items, each until it is taken.
module sync_fifo_32x180_late (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [179:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [179:0] output_data,
    output wire [5:0] level
);
    (* anyseq *) reg offered;
    (* anyseq *) reg [179:0] item;
    (* anyseq *) reg [5:0] anything;
    reg waits = 1'b0;
    reg [179:0] was;
    always @(posedge clk) begin
        waits <= offered && !output_ready && !rst;
        was <= item;
    end
    always @* begin
        if (waits) assume (offered && item == was);
        // `line_tags` tells of items only that miss.
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
    wire asks, sends, read_valid;
    wire [65:0] fill;
    wire [28:0] read_data;
    line_misses dut (
        .clk(clk), .rst(rst), .may_fetch(may_fetch), .asks(asks), .fill(fill), .sends(sends), .read_valid(read_valid),
        .read_ready(read_ready), .read_data(read_data)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);
    offer_stays #(.WIDTH(29)) read (.clk(clk), .rst(rst), .valid(read_valid), .ready(read_ready), .data(read_data));

    // The item whose turn it is; and that of the clock before, from which a line is asked for, with those of its lines that were
    // asked for earlier.
    wire inner_queue_output_valid, inner_queue_output_ready;
    wire [179:0] inner_queue_output_data;
    reg has = 1'b0, had = 1'b0, left_it = 1'b0, allowed = 1'b0;
    reg [179:0] head, item;
    reg [3:0] asked = 4'd0;
    wire [1:0] bank = {fill[0], fill[1]};
    wire [3:0] own = 4'd1 << bank;
    wire [3:0] left = item[3:0] & ~asked;
    wire [3:0] asked_now = !asks ? asked : left_it ? 4'd0 : asked | own;
    always @(posedge clk) begin
        has <= !rst && (inner_queue_output_ready ? inner_queue_output_valid : has);
        if (inner_queue_output_ready) head <= inner_queue_output_data;
        had <= has && !rst;
        left_it <= has && inner_queue_output_ready && !rst;
        allowed <= may_fetch;
        item <= head;
        asked <= rst ? 4'd0 : asked_now;
    end
    wire is_lower = fill[0] ^ item[62];
    wire [27:0] of_left_tap = is_lower ? item[59:32] : item[31:4];
    wire is_next = fill[1] ^ (is_lower ? item[61] : item[60]);
    wire [27:0] line = of_left_tap + is_next;
    wire [179:0] of_set = item >> (8'd63 + 8'd9 * bank);
    wire [179:0] of_reader = item >> (8'd99 + 8'd18 * bank);
    always @* begin
        if (asks) begin
            of_an_item: assert (had && allowed);
            each_line_once: assert (own == (left & (~left + 4'd1)) && left != 4'd0);
            right_line: assert (fill == {item[179:171], of_reader[17:0], line, of_set[8:0], fill[1], fill[0]});
        end
        till_the_last: assert (left_it == (asks && left == own));
    end

    // The line that was asked for is read, and stays until memory takes it.
    reg waits = 1'b0;
    reg [27:0] waiting;
    always @(posedge clk) begin
        waits <= read_valid && !read_ready && !rst;
        waiting <= read_data[27:0];
    end
    always @* begin
        each_read_once: assert (read_valid == (asks || waits) && !(asks && waits));
        if (asks) as_asked: assert (read_data == {1'b0, fill[38:11]});
        told: assert (sends == read_valid);
    end

    // Where memory takes reads and there is leave, an item waits for two clocks at most.
    reg [1:0] pause = 2'd0;
    wire may_go = may_fetch && read_ready && (has || inner_queue_output_valid);
    always @(posedge clk) pause <= rst || asks || !may_go ? 2'd0 : pause + 2'd1;
    always @* goes_on: assert (pause <= 2'd2 && (pause != 2'd2 || asks));

    // For the induction: where the item stands.
    wire inner_head_full, inner_is_last, inner_head_row_is_odd;
    wire [55:0] inner_head_lines;
    wire [1:0] inner_head_line_is_odd;
    wire [35:0] inner_head_sets;
    wire [71:0] inner_head_last_readers;
    wire [8:0] inner_head_sequence;
    wire [3:0] inner_left;
    wire [3:0] others = inner_left & (inner_left - 4'd1);
    always @* begin
        head_kept: assert (inner_head_full == has && (!has || head[179:4] == {inner_head_sequence, inner_head_last_readers,
            inner_head_sets, inner_head_row_is_odd, inner_head_line_is_odd, inner_head_lines}));
        left_kept: assert (has ? inner_left == (head[3:0] & ~asked_now) && inner_left != 4'd0 && inner_is_last == (others == 4'd0)
            : asked_now == 4'd0);
        head_first: assert (pause != 2'd1 || has || asks);
    end
    always @* begin
        four_lines: cover (asks && item[3:0] == 4'hf && left_it);
        next_line: cover (asks && is_next && is_lower);
        read_waits: cover (waits && read_ready);
    end
endmodule
