// From the triangles that are seen at the pixels of a tile to quads, for tiles of 4 x 4 pixels and four triangles. The FIFO at the exit
// stands aside: what goes into it comes out at once, whenever it has room.
module sync_fifo_8x10 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [9:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [9:0] output_data,
    output wire [3:0] level
);
    assign input_ready = output_ready;
    assign output_valid = input_valid;
    assign output_data = input_data;
    assign level = 4'd0;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire found_valid,
    input wire [1:0] found_number,
    input wire [2:0] found_place,
    input wire [1:0] found_mask,
    input wire start,
    input wire quads_ready
);
    wire start_ready, quads_valid;
    wire [9:0] quads_data;
    grouping dut (
        .clk(clk), .rst(rst), .found_valid(found_valid), .found_number(found_number), .found_place(found_place),
        .found_mask(found_mask), .start(start), .start_ready(start_ready), .quads_valid(quads_valid),
        .quads_ready(quads_ready), .quads_data(quads_data)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // No pixel is found before the stage is ready for the first time, nor in the clock of a start.
    reg was_ready = 1'b0;
    always @(posedge clk) was_ready <= !rst && (was_ready || start_ready);
    always @* assume (!found_valid || (was_ready && !start && !rst));

    // Any pixel of the tile is watched: the triangle that is seen there at last, of the tile that is looked at and of the one that leaves.
    (* anyconst *) reg [1:0] row, column;
    wire finds = found_valid && found_place == {row, column[1]} && found_mask[column[0]];
    wire starts_tile = start && start_ready && !rst;
    reg is_found = 1'b0, was_found = 1'b0, has_left = 1'b0, leaves = 1'b0;
    reg [1:0] number, left_number;
    always @(posedge clk)
        if (rst) begin
            is_found <= 1'b0;
            was_found <= 1'b0;
        end else if (starts_tile) begin
            is_found <= 1'b0;
            was_found <= is_found;
            left_number <= number;
        end else if (finds) begin
            is_found <= 1'b1;
            number <= found_number;
        end

    // Tiles that have been started: none, one, more.
    reg [1:0] tiles = 2'd0;
    always @(posedge clk) if (rst) tiles <= 2'd0; else if (starts_tile && tiles != 2'd2) tiles <= tiles + 2'd1;

    // Quads: of a triangle, with a place and pixels in Z order; or the end.
    wire [1:0] quad_number = quads_data[1:0];
    wire quad_starts = quads_data[8];
    wire is_end = quads_data[9];
    wire takes = quads_valid && quads_ready && !rst;
    wire has_pixel = !is_end && quads_data[3:2] == {row[1], column[1]} && quads_data[4 + {row[0], column[0]}];
    always @(posedge clk)
        if (rst) {leaves, has_left} <= 2'b00;
        else if (starts_tile) {leaves, has_left} <= 2'b10;
        else if (takes) {leaves, has_left} <= {!is_end, has_left || has_pixel};
    // Any triangle is watched, too: whether a quad of it has come, and of which triangle the last one was.
    (* anyconst *) reg [1:0] triangle;
    reg has_come = 1'b0, has_quad = 1'b0;
    reg [1:0] last_number;
    always @(posedge clk) begin
        if (rst || starts_tile) {has_come, has_quad} <= 2'b00;
        else if (takes && !is_end) {has_come, has_quad} <= {has_come || quad_number == triangle, 1'b1};
        if (takes) last_number <= quad_number;
    end
    always @* begin
        one_tile: assert (!(takes || starts_tile) || leaves == takes);
        if (takes && has_pixel) begin
            was_seen: assert (was_found);
            once: assert (!has_left);
            last_triangle: assert (quad_number == left_number);
        end
        all_leave: assert (!(takes && is_end && was_found) || has_left);
        not_empty: assert (!takes || is_end || quads_data[7:4] != 4'd0);
        starts_a_triangle: assert (!(takes && !is_end && quad_starts && quad_number == triangle) || !has_come);
        goes_on: assert (!(takes && !is_end) || quad_starts || (has_quad && quad_number == last_number));
    end
    always @* begin
        two_triangles: cover (takes && is_end && has_come && has_left && last_number != left_number && left_number == triangle);
        second_tile: cover (takes && has_pixel && tiles == 2'd2);
        replaced: cover (takes && has_pixel && !quad_starts && finds);
        empty: cover (takes && is_end && !has_quad && !has_left && is_found);
    end
endmodule
