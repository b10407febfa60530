// One coordinate to the texels on either side: nothing but the coordinate itself, its size, mode and filter count, and it
// comes out after six moves.
//
// Two copies move together. At one move, chosen freely, both are given the same; at all others anything. The multiplier stands
// in for the emitted one: a product of a power of two, as the sizes are, and anything of other numbers.
module multiplier_u17_u12 (
    input wire clk,
    input wire enable,
    input wire [16:0] a,
    input wire [11:0] b,
    output wire [28:0] product
);
    (* anyseq *) reg [28:0] anything;
    reg [16:0] a_register;
    reg [11:0] b_register;
    reg [28:0] m_register, p_register;
    wire [28:0] wide = {12'd0, a_register};
    reg [28:0] shifted;
    integer i;
    always @* begin
        shifted = 29'd0;
        for (i = 0; i < 12; i = i + 1) shifted = shifted | ((wide << i) & {29{b_register[i]}});
    end
    wire is_power = b_register != 12'd0 && (b_register & (b_register - 12'd1)) == 12'd0;
    always @(posedge clk) if (enable) begin
        a_register <= a;
        b_register <= b;
        m_register <= is_power ? shifted : anything;
        p_register <= m_register;
    end
    assign product = p_register;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire advance,
    input wire marks,
    input wire [38:0] one,
    input wire [38:0] other
);
    wire [3:0] one_size, other_size;
    wire [29:0] one_texels, other_texels;
    axis dut (
        .clk(clk), .rst(rst), .advance(advance), .coordinate(one[31:0]), .size_log2(one[35:32]), .mode(one[37:36]),
        .is_bilinear(one[38]), .level_size_log2(one_size), .low(one_texels[10:0]), .high(one_texels[21:11]),
        .weight(one_texels[29:22])
    );
    axis copy (
        .clk(clk), .rst(rst), .advance(advance), .coordinate(other[31:0]), .size_log2(other[35:32]), .mode(other[37:36]),
        .is_bilinear(other[38]), .level_size_log2(other_size), .low(other_texels[10:0]), .high(other_texels[21:11]),
        .weight(other_texels[29:22])
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* begin
        assume (rst || started);
        // A level has at most 2^11 texels.
        assume (one[35:32] <= 4'd11 && other[35:32] <= 4'd11);
        if (marks) assume (one == other);
    end
    reg [5:0] places = 6'd0;
    reg [3:0] size;
    reg is_bilinear;
    always @(posedge clk) begin
        if (rst) places <= 6'd0;
        else if (advance) places <= {places[4:0], marks};
        if (advance) size <= one[35:32];
    end
    // They stand still while those behind do not move.
    reg waits = 1'b0;
    reg [29:0] texels_before;
    always @(posedge clk) begin
        waits <= !advance && !rst;
        texels_before <= one_texels;
    end
    always @* begin
        alone: assert (!places[5] || one_texels == other_texels);
        size_beside: assert (!places[0] || (one_size == other_size && one_size == size));
        if (waits) data_holds: assert (one_texels == texels_before);
        other_than_before: cover (places[5] && advance && one_texels[10:0] == 11'd1023 && one_texels[29:22] == 8'd8);
    end
endmodule
