`default_nettype none

// Which way of a set holds the tag.
module tag_compare (
    input  wire [16:0] wanted,
    input  wire [16:0] tags_0,
    input  wire [16:0] tags_1,
    input  wire [16:0] tags_2,
    input  wire [16:0] tags_3,
    input  wire [3:0] valid,
    output wire hit,
    output wire [1:0] way,
    output reg  conflict
);
    // A way hits when it is valid and its tag is the one wanted.
    wire hits_0 = valid[0] && tags_0 == wanted;
    wire hits_1 = valid[1] && tags_1 == wanted;
    wire hits_2 = valid[2] && tags_2 == wanted;
    wire hits_3 = valid[3] && tags_3 == wanted;
    assign hit = hits_0 || hits_1 || hits_2 || hits_3;
    wire [1:0] way_2 = hits_1 ? 2'd1 : 2'd0;
    wire [1:0] way_3 = way_2 | (hits_2 ? 2'd2 : 2'd0);
    wire [1:0] way_4 = way_3 | (hits_3 ? 2'd3 : 2'd0);
    assign way = way_4;
    always @(*) begin
        conflict = 1'b0;
        if (hits_0 && hits_1) begin
            conflict = 1'b1;
        end
    end
endmodule

`default_nettype wire
