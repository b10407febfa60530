// Samples the four texels in the middle of a texture of 4 x 4, again and again. The texture is a function of the address and
// stands where memory would be. The instance is that of flag_unit_inst.v, which tmugen writes.
`default_nettype none

module flag (
    input  wire clock,
    input  wire reset_n,
    // Four colours, R, G, B, A from the lowest byte: upper left, upper right, lower left, lower right.
    output reg  [127:0] colors,
    // The unit says that it could not sample.
    output reg  failed,
    // High for a clock when colours have come.
    output reg  drawn
);
    // Texels are named by the middle between their edges; 65536 is the texture's side.
    localparam signed [31:0] TEXEL_1 = 65536 * 3 / 8;
    localparam signed [31:0] TEXEL_2 = 65536 * 5 / 8;

    wire request_ready;
    wire result_valid;
    wire [127:0] result;
    wire [4:0] result_state;
    wire [39:0] address;
    wire [7:0] beats_less_one;
    wire [3:0] read_id;
    wire read_asked;
    wire read_taken;

    // First what the texture is: 4 x 4 texels (log2: 2 and 2) at address 0, RGBA8, nearest. Then quads of two beats.
    localparam [1:0] BINDING = 0, UPPER = 1, LOWER = 2;
    reg [1:0] sending;
    reg [135:0] request;
    always @(*)
        case (sending)
            BINDING: request = {72'd0, 64'h0000_0022_0000_0000};
            UPPER: request = {8'h0f, TEXEL_1, TEXEL_2, TEXEL_1, TEXEL_1};
            default: request = {8'h0f, TEXEL_2, TEXEL_2, TEXEL_2, TEXEL_1};
        endcase
    always @(posedge clock)
        if (!reset_n) sending <= BINDING;
        else if (request_ready) sending <= sending == UPPER ? LOWER : UPPER;

    always @(posedge clock) begin
        drawn <= reset_n && result_valid;
        if (result_valid) begin
            colors <= result;
            failed <= result_state[4];
        end
    end

    // Memory: a line is a row of four texels. Red tells the column, green the row.
    reg [8:0] beats_left;
    reg [1:0] row;
    reg [3:0] id;
    function [31:0] texel(input [1:0] column, input [1:0] of_row);
        texel = {8'hff, 8'h80, 6'd0, of_row, 6'd0, column};
    endfunction
    always @(posedge clock)
        if (!reset_n) beats_left <= 0;
        else if (read_asked && beats_left == 0) begin
            beats_left <= {1'b0, beats_less_one} + 9'd1;
            row <= address[5:4];
            id <= read_id;
        end else if (beats_left != 0 && read_taken) begin
            beats_left <= beats_left - 9'd1;
            row <= row + 2'd1;
        end

    // Reads are INCR bursts of lines of 16 bytes, always; the texture has 64 bytes; of the result's state only the error is
    // looked at.
    wire [2:0] unused_size;
    wire [1:0] unused_burst;
    wire [3:0] unused_cache;
    wire [2:0] unused_protection;
    wire [3:0] unused_quality;
    wire unused = &{1'b0, address[39:6], address[3:0], result_state[3:0], unused_size, unused_burst, unused_cache,
                    unused_protection, unused_quality};

    flag_unit u_core (
        .core_aclk          (clock),
        .core_aresetn       (reset_n),
        .tmu_aclk           (clock),
        .tmu_aresetn        (reset_n),
        .s_axis_req0_tvalid (reset_n),
        .s_axis_req0_tready (request_ready),
        .s_axis_req0_tdata  (request),
        .s_axis_req0_tuser  (sending == BINDING),
        .s_axis_req0_tlast  (sending != UPPER),
        .m_axis_res0_tvalid (result_valid),
        .m_axis_res0_tready (1'b1),
        .m_axis_res0_tdata  (result),
        .m_axis_res0_tuser  (result_state),
        .m_axi_arid         (read_id),
        .m_axi_araddr       (address),
        .m_axi_arlen        (beats_less_one),
        .m_axi_arsize       (unused_size),
        .m_axi_arburst      (unused_burst),
        .m_axi_arcache      (unused_cache),
        .m_axi_arprot       (unused_protection),
        .m_axi_arqos        (unused_quality),
        .m_axi_arvalid      (read_asked),
        .m_axi_arready      (beats_left == 0),
        .m_axi_rid          (id),
        .m_axi_rdata        ({texel(3, row), texel(2, row), texel(1, row), texel(0, row)}),
        .m_axi_rresp        (2'b00),
        .m_axi_rlast        (beats_left == 1),
        .m_axi_rvalid       (beats_left != 0),
        .m_axi_rready       (read_taken)
    );
endmodule

`default_nettype wire
