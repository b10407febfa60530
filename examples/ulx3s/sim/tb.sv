// The board as a user sees it: an oscillator, a button, LEDs, and what comes from the UART, printed as it comes. The button is
// pressed in the middle of the first pattern, then everything is to come anew. +lines=N ends the run behind as many lines.
`timescale 1ns / 1ps

module tb;
  localparam realtime BIT_NS = 1e9 / 115200;
  localparam int PATIENCE_MS = 200;

  logic clk_25mhz = 0;
  always #20 clk_25mhz = ~clk_25mhz;

  logic fire1 = 0;
  wire [7:0] led;
  wire ftdi_rxd;
  wire wifi_gpio0;
  ulx3s_top #(.SETTLE_BITS(6)) board (.*);

  // Waits for a byte and reads its bits in their middle.
  task automatic receive(output byte unsigned character);
    @(negedge ftdi_rxd);
    #(BIT_NS / 2);
    for (int place = 0; place < 8; place++) begin
      #(BIT_NS) character[place] = ftdi_rxd;
    end
    #(BIT_NS) if (!ftdi_rxd) $fatal(1, "no stop bit");
  endtask

  int lines = 1;
  byte unsigned character;
  initial begin
    void'($value$plusargs("lines=%d", lines));
    receive(character);
    fire1 = 1;
    #10000 fire1 = 0;
    while (lines > 0) begin
      receive(character);
      if (character == "\n") lines--;
      if (character != "\r") $write("%c", character);
    end
    #1000 $display("led %02x", led);
    if (!wifi_gpio0) $fatal(1, "the ESP32 reboots the board");
    $finish;
  end

  initial begin
    // One delay of all of it would be too long for Verilator 5.006.
    repeat (PATIENCE_MS) #1000000;
    $fatal(1, "no end after %0d ms", PATIENCE_MS);
  end
endmodule
