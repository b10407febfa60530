// Reads a clock's wire as "this step is a rising edge of it": every register becomes one of the proof's own steps that
// holds its value in all others. Clocks that are free inputs then rise together, one after the other or never, in any order.
(* techmap_celltype = "$dff" *)
module tick_dff (CLK, D, Q);
    parameter WIDTH = 1;
    parameter CLK_POLARITY = 1;
    input CLK;
    input [WIDTH-1:0] D;
    output [WIDTH-1:0] Q;
    wire _TECHMAP_FAIL_ = !CLK_POLARITY;
    \$ff #(.WIDTH(WIDTH)) _TECHMAP_REPLACE_ (.D(CLK ? D : Q), .Q(Q));
endmodule
