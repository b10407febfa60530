// Which way of a set gives up its tile: of any set, watched.
module distributed_ram_64x1 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire write_data,
    input wire [5:0] read_address,
    output wire read_data
);
    (* anyconst *) reg [5:0] watched;
    (* anyseq *) reg elsewhere;
    reg word;
    always @(posedge clk) if (write_enable && write_address == watched) word <= write_data;
    assign read_data = read_address == watched ? word : elsewhere;
endmodule

module proof (
    input wire clk,
    input wire [5:0] read_set,
    input wire [1:0] valids,
    input wire [5:0] write_set,
    input wire clear,
    input wire hit,
    input wire fill,
    input wire used_way
);
    wire way;
    victim dut (
        .clk(clk), .read_set(read_set), .valids(valids), .way(way), .write_set(write_set), .clear(clear), .hit(hit),
        .fill(fill), .used_way(used_way)
    );
    // The way filled last in the watched set, since it was cleared, as far as it can be known by the clock of the read.
    wire [5:0] inner_orders_ram_watched;
    reg is_known = 1'b0;
    reg filled;
    reg read = 1'b0;
    reg filled_before;
    always @(posedge clk) begin
        if ((clear || fill) && write_set == inner_orders_ram_watched) begin
            is_known <= 1'b1;
            filled <= clear || used_way;
        end
        read <= read_set == inner_orders_ram_watched && is_known;
        filled_before <= filled;
    end
    always @* begin
        empty_first: assert ((valids[0] || way == 1'b0) && (!valids[0] || valids[1] || way == 1'b1));
        // A set that was cleared begins with the first way.
        not_the_last: assert (!read || valids != 2'd3 || way != filled_before);
        chosen: cover (read && valids == 2'd3 && way);
    end
endmodule
