// All properties stand in the kernel of the block.
module proof (
    input wire clk,
    input wire rst,
    input wire spend,
    input wire earn
);
    wire may_spend;
    block dut (.clk(clk), .rst(rst), .spend(spend), .earn(earn), .may_spend(may_spend));
endmodule
