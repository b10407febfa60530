// The table of the edges of a cube's faces, by folding.
//
// Space is cut into cubes of a texel, numbered along each axis from 0 to the last one; a face is a layer of texels in the plane in
// front of all numbers or behind them. Where a face looks is table 8.19 of the OpenGL 4.6 core specification. A tap across an
// edge lies in the plane of its own face and outside along another axis; folded over the edge it lies in the plane there, and the
// plane of its own face becomes the number next to it. What is found must be the texel that lies there. So must what is found of the
// tap beside it along the edge.
`define INSIDE 2'd0
`define IN_PLANE 2'd1
`define OUTSIDE 2'd2

// The same place counted from the other end: where it is, whether that is behind all numbers, and the number.
module turned_round (
    input wire [14:0] place,
    input wire [11:0] last,
    output wire [14:0] found
);
    assign found = place[14:13] == `INSIDE ? {place[14:12], last - place[11:0]} : {place[14:13], !place[12], place[11:0]};
endmodule

// A point on a face in space: x, y and z.
module point_of (
    input wire [2:0] face,
    input wire [14:0] s,
    input wire [14:0] t,
    input wire [11:0] last,
    output reg [44:0] point
);
    wire [14:0] minus_s, minus_t;
    turned_round of_s (.place(s), .last(last), .found(minus_s));
    turned_round of_t (.place(t), .last(last), .found(minus_t));
    wire [14:0] plus = {`IN_PLANE, 1'b1, 12'd0};
    wire [14:0] minus = {`IN_PLANE, 1'b0, 12'd0};
    always @* case (face)
        3'd0: point = {plus, minus_t, minus_s};
        3'd1: point = {minus, minus_t, s};
        3'd2: point = {s, plus, t};
        3'd3: point = {s, minus, minus_t};
        3'd4: point = {s, minus_t, plus};
        default: point = {minus_s, minus_t, minus};
    endcase
endmodule

// Folded over the edge, along one axis of space.
module folded (
    input wire [14:0] place,
    input wire [11:0] last,
    output wire [14:0] found
);
    assign found = place[14:13] == `OUTSIDE ? {`IN_PLANE, place[12:0]}
        : place[14:13] == `IN_PLANE ? {`INSIDE, 1'b0, place[12] ? last : 12'd0} : place;
endmodule

// Whether a texel is where a tap lies: its face and texel, across which edge it is, and the last texel of a side.
module lies_there (
    input wire [41:0] tap,
    input wire [26:0] found,
    output wire is_legal,
    output wire is_right
);
    wire [2:0] face, found_face;
    wire [11:0] x, y, last, found_x, found_y;
    wire is_crossed, is_row, is_behind;
    assign {last, is_crossed, is_row, is_behind, face, x, y} = tap;
    assign {found_face, found_x, found_y} = found;
    // Across an edge only the number along it means something.
    assign is_legal = face < 3'd6 && (is_crossed ? (is_row ? x : y) <= last : x <= last && y <= last);
    wire [14:0] outside = {`OUTSIDE, is_behind, 12'd0};
    wire [44:0] lies, over, own;
    point_of from (
        .face(face), .s(is_row ? {`INSIDE, 1'b0, x} : outside), .t(is_row ? outside : {`INSIDE, 1'b0, y}), .last(last), .point(lies)
    );
    folded along_x (.place(lies[44:30]), .last(last), .found(over[44:30]));
    folded along_y (.place(lies[29:15]), .last(last), .found(over[29:15]));
    folded along_z (.place(lies[14:0]), .last(last), .found(over[14:0]));
    point_of to (
        .face(found_face), .s({`INSIDE, 1'b0, found_x}), .t({`INSIDE, 1'b0, found_y}), .last(last), .point(own)
    );
    assign is_right = !is_crossed ? found == {face, x, y} : found_face < 3'd6 && found_face != face && own == over;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire advance,
    input wire [41:0] tap,
    // The texel of the tap beside it, along the edge.
    input wire [11:0] beside
);
    wire [2:0] found_face;
    wire [11:0] found_x, found_y;
    wire [26:0] found = {found_face, found_x, found_y};
    wire [11:0] beside_found;
    wire in_row, in_column;
    cube_edge dut (
        .clk(clk), .rst(rst), .advance(advance), .texel_face(tap[26:24]), .texel_x(tap[23:12]), .texel_y(tap[11:0]),
        .crossing_is_crossed(tap[29]), .crossing_is_row(tap[28]), .crossing_is_behind(tap[27]), .last(tap[41:30]),
        .found_face(found_face), .found_x(found_x), .found_y(found_y), .beside_texel(beside), .beside_found(beside_found),
        .beside_in_row(in_row), .beside_in_column(in_column)
    );
    // The tap that has made one move, and the one that has made two.
    reg turns = 1'b0;
    reg leaves = 1'b0;
    reg [41:0] turning, leaving;
    reg [11:0] turning_beside, leaving_beside;
    wire is_legal, turns_right, leaves_right;
    always @(posedge clk) begin
        if (rst) begin
            turns <= 1'b0;
            leaves <= 1'b0;
        end else if (advance) begin
            turns <= is_legal;
            leaves <= turns;
        end
        if (advance) begin
            turning <= tap;
            leaving <= turning;
            turning_beside <= beside;
            leaving_beside <= turning_beside;
        end
    end
    reg waits = 1'b0;
    reg [26:0] found_before;
    reg [13:0] beside_before;
    always @(posedge clk) begin
        waits <= leaves && !advance && !rst;
        found_before <= found;
        beside_before <= {in_row, in_column, beside_found};
    end
    lies_there comes (.tap(tap), .is_legal(is_legal));
    lies_there goes (.tap(leaving), .found(found), .is_right(leaves_right));
    wire [23:0] leaving_beside_texel = leaving[28] ? {leaving_beside, leaving[11:0]} : {leaving[23:12], leaving_beside};
    wire leaves_beside = leaves && leaving[29] && leaving_beside <= leaving[41:30];
    wire beside_right;
    lies_there goes_beside (
        .tap({leaving[41:24], leaving_beside_texel}), .found({found_face, in_row ? beside_found : found_x, in_row ? found_y : beside_found}),
        .is_right(beside_right)
    );

    // For the induction: what will be found of the tap that has made one move.
    wire [2:0] inner_face_turn;
    wire inner_is_row_turn, inner_is_column_turn, inner_is_last_turn, inner_is_reversed_turn;
    wire [11:0] inner_kept_turn, inner_last_turn, inner_texel_0_turn, inner_texel_1_turn, inner_beside_turn;
    wire [11:0] along = inner_is_reversed_turn ? inner_last_turn - inner_kept_turn : inner_kept_turn;
    wire [11:0] fixed = inner_is_last_turn ? inner_last_turn : 12'd0;
    wire [11:0] x = inner_is_column_turn ? fixed : inner_is_row_turn ? along : inner_texel_0_turn;
    wire [11:0] y = inner_is_row_turn ? fixed : inner_is_column_turn ? along : inner_texel_1_turn;
    wire [11:0] along_beside = inner_is_reversed_turn ? inner_last_turn - inner_beside_turn : inner_beside_turn;
    wire [23:0] turning_beside_texel = turning[28] ? {turning_beside, turning[11:0]} : {turning[23:12], turning_beside};
    wire turns_beside = turns && turning[29] && turning_beside <= turning[41:30];
    wire turns_beside_right;
    lies_there will_beside (
        .tap({turning[41:24], turning_beside_texel}),
        .found({inner_face_turn, inner_is_row_turn ? along_beside : x, inner_is_row_turn ? y : along_beside}), .is_right(turns_beside_right)
    );
    lies_there will (.tap(turning), .found({inner_face_turn, x, y}), .is_right(turns_right));
    always @* begin
        turns_well: assert (!turns || (turns_right && (inner_is_row_turn || inner_is_column_turn) == turning[29]
            && !(inner_is_row_turn && inner_is_column_turn)));
        turns_beside_well: assert (!turns_beside || turns_beside_right);
        lies_across: assert (!leaves || leaves_right);
        lies_beside: assert (!leaves_beside || beside_right);
        one_direction: assert (!leaves || ((in_row || in_column) == leaving[29] && !(in_row && in_column)));
        data_holds: assert (!waits || (found == found_before && {in_row, in_column, beside_found} == beside_before));
        one_texel: cover (leaves && leaving[29] && leaving[41:30] == 12'd0 && advance);
        reversed: cover (leaves && leaving[29] && leaving[41:30] == 12'hfff && found_x == 12'd5 && leaving[23:12] == 12'hffa);
        turned: cover (leaves && leaving[29] && leaving[28] && found_x == 12'd0 && found_y == 12'd7);
        stays: cover (leaves && !leaving[29]);
        beside_reversed: cover (leaves_beside && leaving_beside == leaving[11:0] + 12'd1 && in_row && beside_found + 12'd1 == found_x);
    end
endmodule
