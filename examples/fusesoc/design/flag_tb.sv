// Waits for the third quad and compares its colours.
`timescale 1ns / 1ps

module flag_tb;
  logic clock = 0;
  logic reset_n = 0;
  logic [127:0] colors;
  logic failed;
  logic drawn;

  flag dut (.*);

  always #2 clock = !clock;

  initial begin
    repeat (20) @(posedge clock);
    @(negedge clock) reset_n = 1;
    // The first quad clears what the filter holds of X from before.
    repeat (3) @(posedge drawn);
    @(negedge clock);
    if (failed || colors !== {32'hff800202, 32'hff800201, 32'hff800102, 32'hff800101})
      $fatal(1, "the colours are %h, failed %b", colors, failed);
    $display("passed");
    $finish;
  end

  initial begin
    #100000 $fatal(1, "nothing happens");
  end
endmodule
