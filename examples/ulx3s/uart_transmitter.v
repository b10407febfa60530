// Sends bytes: a start bit, eight bits from the lowest up, a stop bit. 217 clocks a bit make 115,200 baud of 25 MHz.
`default_nettype none

module uart_transmitter #(
    parameter CLOCKS_PER_BIT = 217
) (
    input  wire       clock,
    input  wire       resetn,
    input  wire       valid,
    output wire       ready,
    input  wire [7:0] data,
    output wire       line
);
    localparam [15:0] LAST_CLOCK = CLOCKS_PER_BIT - 1;

    // What is still to be sent, the next bit lowest; all ones when the line rests.
    reg [8:0] bits = 9'h1ff;
    reg [3:0] bits_left = 0;
    reg [15:0] clocks = 0;
    wire bit_ends = clocks == LAST_CLOCK;

    assign ready = bits_left == 0;
    assign line = bits[0];

    always @(posedge clock) begin
        if (!resetn) begin
            bits <= 9'h1ff;
            bits_left <= 0;
            clocks <= 0;
        end else if (ready) begin
            clocks <= 0;
            if (valid) begin
                bits <= {data, 1'b0};
                bits_left <= 10;
            end
        end else begin
            clocks <= bit_ends ? 16'd0 : clocks + 16'd1;
            if (bit_ends) begin
                bits <= {1'b1, bits[8:1]};
                bits_left <= bits_left - 4'd1;
            end
        end
    end
endmodule

`default_nettype wire
