module proof (input wire clk, input wire rst); endmodule
