// Texture instructions of a shader with four quads. What waits in front comes at any time, and the queues behind it, for requests
// and tokens, count what they hold: nobody waits in front of them. What is computed is anything. Conversions take more
// clocks to fill their queue than are looked at here, so theirs only stands there.
module counted_fifo #(parameter DEPTH = 1, parameter BITS = 1) (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire output_valid,
    input wire output_ready
);
    (* anyseq *) reg shows;
    reg [BITS-1:0] count = 0;
    assign output_valid = shows && count != 0;
    wire gives = output_valid && output_ready;
    always @(posedge clk) count <= rst ? 0 : count + input_valid - gives;
    always @* begin
        fits: assert (!input_valid || count < DEPTH);
        filled: cover (count == DEPTH);
    end
endmodule

module sync_fifo_4x28 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [27:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [27:0] output_data,
    output wire [2:0] level
);
    (* anyseq *) reg comes;
    (* anyseq *) reg [27:0] way;
    assign input_ready = 1'b1;
    assign output_valid = comes;
    assign output_data = way;
    assign level = 3'd0;
endmodule

module sync_fifo_4x256 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [255:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [255:0] output_data,
    output wire [2:0] level
);
    assign input_ready = 1'b1;
    assign output_valid = 1'b1;
    assign output_data = 256'd0;
    assign level = 3'd0;
endmodule

// Requests.
module sync_fifo_16x399 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [398:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [398:0] output_data,
    output wire [4:0] level
);
    counted_fifo #(.DEPTH(16), .BITS(6)) counted (
        .clk(clk), .rst(rst), .input_valid(input_valid), .output_valid(output_valid), .output_ready(output_ready)
    );
    assign input_ready = 1'b1;
    assign output_data = 399'd0;
    assign level = 5'd0;
endmodule

// Conversions.
module sync_fifo_32x192 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [191:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [191:0] output_data,
    output wire [5:0] level
);
    assign input_ready = 1'b1;
    assign output_valid = 1'b0;
    assign output_data = 192'd0;
    assign level = 6'd0;
endmodule

// Tokens.
module sync_fifo_16x40 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [39:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [39:0] output_data,
    output wire [4:0] level
);
    counted_fifo #(.DEPTH(16), .BITS(6)) counted (
        .clk(clk), .rst(rst), .input_valid(input_valid), .output_valid(output_valid), .output_ready(output_ready)
    );
    assign input_ready = 1'b1;
    assign output_data = 40'd0;
    assign level = 5'd0;
endmodule

module shade_coordinates (
    input wire clk,
    input wire input_is_register,
    input wire input_takes_fourth,
    input wire input_divides_by_third,
    input wire input_divides_by_fourth,
    input wire input_divides_by_second,
    input wire [127:0] input_set,
    input wire [63:0] input_register,
    output wire [95:0] place,
    output wire [47:0] register,
    output wire is_killed
);
    assign place = 96'd0;
    assign register = 48'd0;
    assign is_killed = 1'b0;
endmodule

// A part of what stands aside above; its table is no part of the block.
module rom_256x64 (
    input wire clk,
    input wire read_enable,
    input wire [7:0] read_address,
    input wire output_enable,
    output wire [63:0] read_data
);
    assign read_data = 64'd0;
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire entered_valid,
    input wire passes,
    input wire operand_comes,
    input wire [17:0] instruction,
    input wire continues,
    input wire is_last,
    input wire requests_ready,
    input wire converted_ready,
    input wire tokens_ready
);
    wire requests_valid, converted_valid, tokens_valid;
    shade_texture dut (
        .clk(clk), .rst(rst), .entered_valid(entered_valid), .entered_data(28'd0), .passes(passes), .passed(28'd0),
        .operand_comes(operand_comes), .operand_0(64'd0), .operand_1(64'd0), .operand_2(64'd0), .operand_3(64'd0),
        .instruction(instruction), .continues(continues), .is_last(is_last), .sampled(48'd0), .sets_0(128'd0),
        .sets_1(128'd0), .sets_2(128'd0), .sets_3(128'd0), .set_is_there(4'd0), .requests_valid(requests_valid),
        .requests_ready(requests_ready), .converted_valid(converted_valid), .converted_ready(converted_ready),
        .tokens_valid(tokens_valid), .tokens_ready(tokens_ready)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);
endmodule
