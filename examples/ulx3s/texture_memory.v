// A texture in block RAM behind an AXI4 read port: one burst at a time, a line of 16 bytes a clock, DECERR past the end.
`default_nettype none

module texture_memory #(
    parameter LINE_BITS = 13,
    parameter CONTENTS = "texture.mem"
) (
    input  wire         clock,
    input  wire         resetn,
    input  wire [3:0]   arid,
    input  wire [39:0]  araddr,
    input  wire [7:0]   arlen,
    input  wire         arvalid,
    output wire         arready,
    output reg  [3:0]   rid,
    output reg  [127:0] rdata,
    output reg  [1:0]   rresp,
    output reg          rlast,
    output reg          rvalid,
    input  wire         rready
);
    localparam [1:0] OKAY = 2'b00, DECERR = 2'b11;

    (* ram_style = "block" *) reg [127:0] memory [0:(1 << LINE_BITS) - 1];
    initial $readmemh(CONTENTS, memory);

    // The burst: the line that is read next, and how many follow it.
    reg busy;
    reg [3:0] id;
    reg [35:0] line;
    reg [7:0] lines_left;
    // What the RAM reads goes through a register of its own, since a block RAM's output comes late in a clock.
    reg read_valid, read_last, read_outside;
    reg [3:0] read_id;
    reg [127:0] read_data;

    wire moves = !rvalid || rready;
    assign arready = !busy;

    always @(posedge clock) begin
        if (moves) begin
            read_data <= memory[line[LINE_BITS-1:0]];
            read_last <= lines_left == 0;
            read_outside <= |line[35:LINE_BITS];
            read_id <= id;
            rdata <= read_data;
            rlast <= read_last;
            rresp <= read_outside ? DECERR : OKAY;
            rid <= read_id;
        end
        if (!busy) begin
            id <= arid;
            line <= araddr[39:4];
            lines_left <= arlen;
        end else if (moves) begin
            line <= line + 36'd1;
            lines_left <= lines_left - 8'd1;
        end
        if (!resetn) begin
            busy <= 0;
            read_valid <= 0;
            rvalid <= 0;
        end else begin
            if (!busy) busy <= arvalid;
            else if (moves && lines_left == 0) busy <= 0;
            if (moves) begin
                read_valid <= busy;
                rvalid <= read_valid;
            end
        end
    end
endmodule

`default_nettype wire
