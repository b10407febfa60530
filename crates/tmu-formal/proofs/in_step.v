// Stages whose items move on together: what goes in comes out, in order, each once, after so many moves, and stands still
// while those behind do not move. Products and tables are taken to be anything, at any time: nothing of this depends on them.
// Behind the queue of texels every clock is a move.
module multiplier_s18_s18 (
    input wire clk,
    input wire enable,
    input wire [17:0] a,
    input wire [17:0] b,
    output wire [35:0] product
);
    (* anyseq *) reg [35:0] anything_0;
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
    input wire in_valid,
    input wire [`IN_BITS-1:0] data,
    input wire [255:0] beside
);
    wire out_valid;
    wire [`OUT_BITS-1:0] out_item;
`ifdef LOD
    lod dut (
        .clk(clk), .rst(rst), .advance(advance), .in_valid(in_valid), .in_item(data), .quad(beside),
        .valid_pixels(4'hf), .binding_is_mipmapped(1'b1), .binding_width_log2(4'd3), .binding_height_log2(4'd3),
        .binding_max_lod(4'd2), .out_valid(out_valid), .out_item(out_item[`OUT_BITS-5:0]), .level(out_item[`OUT_BITS-1 -: 4])
    );
    wire enters = in_valid;
`endif
`ifdef COORDINATE
    coordinate dut (
        .clk(clk), .rst(rst), .advance(advance), .in_valid(in_valid), .in_item(data), .level(beside[3:0]), .out_valid(out_valid),
        .footprint(out_item)
    );
    wire enters = in_valid;
`endif
`ifdef ADDRESS
    address dut (
        .clk(clk), .rst(rst), .advance(advance), .in_valid(in_valid), .in_tiles(data), .invalidating(beside[0]), .tiles_valid(out_valid),
        .tiles_invalidates(out_item[0]), .tiles_needed(out_item[4:1]), .tiles_same_tile(out_item[8:5]),
        .tiles_line(out_item[116:9]), .tiles_set(out_item[140:117]), .tiles_kind(out_item[142:141]), .tiles_word_selects(out_item[`TO-1:143]),
        .tiles_tap(out_item[`OUT_BITS-1:`TO])
    );
    // A binding has no tiles.
    wire enters = in_valid && !data[0];
`endif
`ifdef DECODE
    wire advance = 1'b1;
    decode dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .tap(data), .out_valid(out_valid), .out_tap(out_item)
    );
    // An entry of the colour table ends here.
    wire enters = in_valid && !data[0];
`endif
`ifdef DECODE_TAPS
    wire advance = 1'b1;
    wire table_done;
    decode dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .sideband(data), .out_valid(out_valid), .tap(out_item), .table_done(table_done)
    );
    // The first line of a texel that has two ends here, and an entry of the colour table; its last one is told.
    wire enters = in_valid && data[5] && !data[6];
    reg [1:0] entered = 2'd0;
    reg [7:0] entries = 8'd0;
    reg ended = 1'b0;
    always @(posedge clk) begin
        entered <= rst ? 2'd0 : {entered[0], in_valid && data[5] && data[6]};
        entries <= rst ? 8'd0 : entries + entered[1];
        ended <= entered[1] && entries == 8'hff && !rst;
    end
    always @* table_told: assert (table_done == ended);
`endif
    offer_stays #(.WIDTH(`OUT_BITS)) offer (.clk(clk), .rst(rst), .valid(out_valid), .ready(advance), .data(out_item));

    // Each item takes as many moves as the stage has places, with what goes through as it is.
    reg [`STEPS-1:0] places = {`STEPS{1'b0}};
    reg [`STEPS*`KEPT-1:0] kept;
    always @(posedge clk) begin
        if (rst) places <= {`STEPS{1'b0}};
        else if (advance) places <= {places[`STEPS-2:0], enters};
        if (advance) kept <= {kept[(`STEPS-1)*`KEPT-1:0], data[`FROM +: `KEPT]};
    end
    always @* begin
        in_so_many_moves: assert (out_valid == places[`STEPS-1]);
        if (out_valid) same_item: assert (out_item[`TO +: `KEPT] == kept[(`STEPS-1)*`KEPT +: `KEPT]);
    end
`ifdef WAITS
    reg waited = 1'b0;
    always @(posedge clk) if (out_valid && !advance) waited <= 1'b1;
`else
    wire waited = 1'b1;
`endif
    always @* behind_another: cover (out_valid && advance && waited && places[`STEPS-2]);
endmodule
