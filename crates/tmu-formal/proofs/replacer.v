// Which way of a set gives up its line: of any set, watched, in a row of the RAM with others.
module distributed_ram_64x16 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [15:0] write_data,
    input wire [5:0] read_address,
    output wire [15:0] read_data
);
    (* anyconst *) reg [5:0] watched;
    (* anyseq *) reg [15:0] elsewhere;
    reg [15:0] word;
    always @(posedge clk) if (write_enable && write_address == watched) word <= write_data;
    assign read_data = read_address == watched ? word : elsewhere;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire [9:0] set,
    input wire clear,
    input wire look,
    input wire [3:0] valids,
    input wire hit,
    input wire fill,
    input wire [1:0] way
);
    wire [1:0] victim;
    replacer dut (
        .clk(clk), .rst(rst), .set(set), .clear(clear), .look(look), .valids(valids), .hit(hit), .fill(fill), .way(way),
        .victim(victim)
    );
    // The set that is watched.
    (* anyconst *) reg [9:0] watched;
    wire [5:0] inner_order_ram_watched;
    always @* assume (inner_order_ram_watched == watched[5:0]);
    // The cache tells of a use every other clock at most, and looks into no set of the same word just behind it.
    wire uses = hit || fill;
    reg used_before = 1'b0;
    reg [9:0] set_before;
    always @(posedge clk) begin
        used_before <= (uses || clear) && !rst;
        set_before <= set;
    end
    always @* if (used_before) assume (!uses && !(look && set[5:0] == set_before[5:0]));
    always @* assume (!(clear && uses));

    // The half used last, since the row was cleared; and what was known of it at the look-up.
    reg is_known = 1'b0;
    reg half;
    reg looked = 1'b0;
    reg half_before;
    always @(posedge clk) begin
        if (rst) is_known <= 1'b0;
        else if (clear && set[5:0] == watched[5:0]) is_known <= 1'b1;
        if (clear && set[5:0] == watched[5:0]) half <= 1'b1;
        else if (uses && set == watched) half <= way[1];
        if (rst) looked <= 1'b0;
        else if (look) looked <= is_known && set == watched;
        if (look) half_before <= half;
    end
    // For the induction: what is written a clock late counts.
    wire inner_update_enable, inner_order;
    wire [5:0] inner_update_row;
    wire [15:0] inner_update_orders, inner_order_ram_word;
    wire [15:0] orders = inner_update_enable && inner_update_row == watched[5:0] ? inner_update_orders : inner_order_ram_word;
    wire [15:0] from_own = orders >> watched[9:6];
    always @* begin
        order_kept: assert (!is_known || from_own[0] == !half);
        order_found: assert (!looked || inner_order == !half_before);
        written_late: assert (inner_update_enable == used_before
            && (!used_before || inner_update_row == set_before[5:0]));
    end
    always @* begin
        empty_first: assert ((valids[0] || victim == 2'd0) && (!valids[0] || valids[1] || victim == 2'd1)
            && (valids[1:0] != 2'd3 || valids[2] || victim == 2'd2) && (valids[2:0] != 3'd7 || valids[3] || victim == 2'd3));
        other_half: assert (!looked || valids != 4'hf || victim[1] != half_before);
        chosen: cover (looked && valids == 4'hf && victim == 2'd3);
    end
endmodule
