// What each reset reaches, and for how long.
module proof (
    input wire clk,
    input wire rst,
    input wire soft_reset,
    input wire stopped,
    input wire port_stopped,
    input wire control_stopped
);
    wire hard, fifos, flush, control;
    reset dut (
        .clk(clk), .rst(rst), .soft_reset(soft_reset), .stopped(stopped), .port_stopped(port_stopped),
        .control_stopped(control_stopped), .hard(hard), .fifos(fifos), .flush(flush), .control(control)
    );
    // What was the case in the clocks before; before the first clock everything is reset.
    wire any_reset = rst || soft_reset || port_stopped;
    reg any_before = 1'b1;
    reg any_before_that = 1'b1;
    reg rst_before = 1'b1;
    reg stopped_before = 1'b1;
    reg control_before = 1'b1;
    reg soft_alone = 1'b0;
    always @(posedge clk) begin
        any_before <= any_reset;
        any_before_that <= any_before;
        rst_before <= rst;
        stopped_before <= stopped;
        control_before <= control_stopped;
        soft_alone <= soft_reset && !rst && !control_stopped;
    end
    always @* begin
        fifos_by_each: assert (fifos == any_before);
        units_by_each: assert (!any_before || flush);
        units_till_fifos_know: assert (!any_before_that || flush);
        units_while_stopped: assert (!stopped_before || flush);
        units_go_on: assert (!flush || any_before || any_before_that || stopped_before);
        port_by_hard_only: assert (hard == rst_before);
        control_by_others: assert (control == (rst_before || control_before));
        soft_leaves_control: assert (!soft_alone || (!control && !hard));
        soft: cover (soft_alone && fifos && flush);
        goes_on: cover (!flush && !fifos && !control && !hard);
    end
endmodule
