// Stages whose slots move on together: what goes in comes out, in order, each once, after so many moves, and stands still
// while those behind do not move. Products and tables are taken to be anything, at any time: nothing of this depends on them.
// Behind the queue of texels every clock is a move.
module multiplier_u17_u17 (
    input wire clk,
    input wire enable,
    input wire [16:0] a,
    input wire [16:0] b,
    output wire [33:0] product
);
    (* anyseq *) reg [33:0] anything_0;
    assign product = anything_0;
endmodule

module multiplier_u17_u12 (
    input wire clk,
    input wire enable,
    input wire [16:0] a,
    input wire [11:0] b,
    output wire [28:0] product
);
    (* anyseq *) reg [28:0] anything_0;
    assign product = anything_0;
endmodule

module multiplier_u18_u3 (
    input wire clk,
    input wire enable,
    input wire [17:0] a,
    input wire [2:0] b,
    output wire [20:0] product
);
    (* anyseq *) reg [20:0] anything_0;
    assign product = anything_0;
endmodule

module multiplier_u9_u12 (
    input wire clk,
    input wire enable,
    input wire [8:0] a,
    input wire [11:0] b,
    output wire [20:0] product
);
    (* anyseq *) reg [20:0] anything_0;
    assign product = anything_0;
endmodule

module dual_multiplier_u9_u3 (
    input wire clk,
    input wire enable,
    input wire [8:0] a0,
    input wire [8:0] a1,
    input wire [2:0] b,
    output wire [11:0] p0,
    output wire [11:0] p1
);
    (* anyseq *) reg [11:0] anything_0;
    assign p0 = anything_0;
    (* anyseq *) reg [11:0] anything_1;
    assign p1 = anything_1;
endmodule

module rom_4096x9 (
    input wire clk,
    input wire read_enable,
    input wire [11:0] read_address,
    input wire output_enable,
    output wire [8:0] read_data
);
    (* anyseq *) reg [8:0] anything_0;
    assign read_data = anything_0;
endmodule

module rom_4096x9_2 (
    input wire clk,
    input wire read_enable,
    input wire [11:0] read_address,
    input wire output_enable,
    output wire [8:0] read_data
);
    (* anyseq *) reg [8:0] anything_0;
    assign read_data = anything_0;
endmodule

module ram_simple_dual_port_256x33 (
    input wire clk,
    input wire write_enable,
    input wire [7:0] write_address,
    input wire [32:0] write_data,
    input wire read_enable,
    input wire [7:0] read_address,
    input wire output_enable,
    output wire [32:0] read_data
);
    (* anyseq *) reg [32:0] anything_0;
    assign read_data = anything_0;
endmodule

module proof (
    input wire clk,
    input wire rst,
`ifdef WAITS
    input wire advance,
`endif
    input wire active,
    input wire [`IN_BITS-1:0] data,
    input wire [255:0] beside
);
    wire leaves;
    wire [`OUT_BITS-1:0] left;
`ifdef LOD
    lod dut (
        .clk(clk), .rst(rst), .advance(advance), .active(active), .slot(data), .quad(beside),
        .valid_pixels(4'hf), .binding_is_mipmapped(1'b1), .binding_width_log2(4'd3), .binding_height_log2(4'd3),
        .binding_max_lod(4'd2), .leaves(leaves), .left(left[`OUT_BITS-5:0]), .level(left[`OUT_BITS-1 -: 4])
    );
    wire enters = active;
`endif
`ifdef COORDINATE
    coordinate dut (
        .clk(clk), .rst(rst), .advance(advance), .active(active), .slot(data), .level(beside[3:0]), .leaves(leaves),
        .footprint(left)
    );
    wire enters = active;
`endif
`ifdef ADDRESS
    address dut (
        .clk(clk), .rst(rst), .advance(advance), .active(active), .span(data), .dropping(beside[0]), .tiles_active(leaves),
        .tiles_drops(left[0]), .tiles_used(left[4:1]), .tiles_repeats(left[8:5]), .tiles_is_near(left[9]),
        .tiles_line(left[117:10]), .tiles_set(left[141:118]), .tiles_kind(left[143:142]), .tiles_sides(left[`TO-1:144]),
        .tiles_tap(left[`OUT_BITS-1:`TO])
    );
    // A binding has no tiles.
    wire enters = active && !data[0];
`endif
`ifdef DECODE
    wire advance = 1'b1;
    decode dut (
        .clk(clk), .rst(rst), .comes(active), .tap(data), .leaves(leaves), .tap_left(left)
    );
    // An entry of the colour table ends here.
    wire enters = active && !data[0];
`endif
`ifdef DECODE_TAPS
    wire advance = 1'b1;
    wire table_done;
    decode dut (
        .clk(clk), .rst(rst), .comes(active), .slot(data), .leaves(leaves), .tap(left), .table_done(table_done)
    );
    // The first line of a texel that has two ends here, and an entry of the colour table; its last one is told.
    wire enters = active && data[5] && !data[6];
    reg [1:0] entered = 2'd0;
    reg [7:0] entries = 8'd0;
    reg ended = 1'b0;
    always @(posedge clk) begin
        entered <= rst ? 2'd0 : {entered[0], active && data[5] && data[6]};
        entries <= rst ? 8'd0 : entries + entered[1];
        ended <= entered[1] && entries == 8'hff && !rst;
    end
    always @* table_told: assert (table_done == ended);
`endif
    offer_stays #(.WIDTH(`OUT_BITS)) offer (.clk(clk), .rst(rst), .valid(leaves), .ready(advance), .data(left));

    // Each slot takes as many moves as the stage has places, with what goes through as it is.
    reg [`SLOTS-1:0] places = {`SLOTS{1'b0}};
    reg [`SLOTS*`KEPT-1:0] kept;
    always @(posedge clk) begin
        if (rst) places <= {`SLOTS{1'b0}};
        else if (advance) places <= {places[`SLOTS-2:0], enters};
        if (advance) kept <= {kept[(`SLOTS-1)*`KEPT-1:0], data[`FROM +: `KEPT]};
    end
    always @* begin
        in_so_many_moves: assert (leaves == places[`SLOTS-1]);
        if (leaves) same_slot: assert (left[`TO +: `KEPT] == kept[(`SLOTS-1)*`KEPT +: `KEPT]);
    end
`ifdef WAITS
    reg waited = 1'b0;
    always @(posedge clk) if (leaves && !advance) waited <= 1'b1;
`else
    wire waited = 1'b1;
`endif
    always @* behind_another: cover (leaves && advance && waited && places[`SLOTS-2]);
endmodule
