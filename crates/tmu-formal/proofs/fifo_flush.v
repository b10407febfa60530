// Both sides of the handshake that empties a FIFO between two clocks, with the synchronisers between them, for any two
// clocks and resets of either side at any time.
//
// The pointers of a side are cleared in its clocks with `clear`; nothing goes in or out on a side that is `stopped`.
module crossing (
    input wire clk,
    input wire from,
    output wire to
);
    reg stage_0 = 1'b0;
    reg stage_1 = 1'b0;
    always @(posedge clk) begin
        stage_0 <= from;
        stage_1 <= stage_0;
    end
    assign to = stage_1;
endmodule

// Whether a side has cleared since a reset. Every step counts, of whichever clock.
module cleared_since (
    input wire step,
    input wire forgets,
    input wire clears,
    output wire cleared
);
    reg has = 1'b0;
    always @(posedge step) has <= !forgets && (has || clears);
    assign cleared = has;
endmodule

module proof (
    input wire step,
    input wire a_clk,
    input wire b_clk,
    input wire a_rst,
    input wire b_rst
);
    wire a_request, a_ack, a_stopped, a_clear, b_request, b_ack, b_stopped, b_clear;
    wire a_sees_request, a_sees_ack, b_sees_request, b_sees_ack;
    fifo_flush a (
        .clk(a_clk), .rst(a_rst), .other_request(a_sees_request), .other_ack(a_sees_ack), .request(a_request), .ack(a_ack),
        .stopped(a_stopped), .clear(a_clear)
    );
    fifo_flush b (
        .clk(b_clk), .rst(b_rst), .other_request(b_sees_request), .other_ack(b_sees_ack), .request(b_request), .ack(b_ack),
        .stopped(b_stopped), .clear(b_clear)
    );
    crossing request_to_a (.clk(a_clk), .from(b_request), .to(a_sees_request));
    crossing ack_to_a (.clk(a_clk), .from(b_ack), .to(a_sees_ack));
    crossing request_to_b (.clk(b_clk), .from(a_request), .to(b_sees_request));
    crossing ack_to_b (.clk(b_clk), .from(a_ack), .to(b_sees_ack));

    always @* assume (step);

    // Neither side clears its pointers while the other one goes on, and a side that was reset stops at once.
    reg a_resets = 1'b1;
    reg b_resets = 1'b1;
    always @(posedge a_clk) a_resets <= a_rst;
    always @(posedge b_clk) b_resets <= b_rst;
    always @* begin
        clears_in_quiet: assert ((!a_clear || (a_stopped && b_stopped)) && (!b_clear || (a_stopped && b_stopped)));
        stops_at_once: assert ((!a_resets || a_stopped) && (!b_resets || b_stopped));
    end

    // Since the last reset of a side both must have cleared before it goes on.
    wire a_own, a_other, b_own, b_other;
    cleared_since own_of_a (.step(step), .forgets(a_clk && a_rst), .clears(a_clk && a_clear), .cleared(a_own));
    cleared_since other_of_a (.step(step), .forgets(a_clk && a_rst), .clears(b_clk && b_clear), .cleared(a_other));
    cleared_since own_of_b (.step(step), .forgets(b_clk && b_rst), .clears(b_clk && b_clear), .cleared(b_own));
    cleared_since other_of_b (.step(step), .forgets(b_clk && b_rst), .clears(a_clk && a_clear), .cleared(b_other));
    reg went_on = 1'b0;
    always @(posedge a_clk) went_on <= went_on || (!a_stopped && !b_stopped);
    always @* begin
        both_cleared: assert ((a_stopped || (a_own && a_other)) && (b_stopped || (b_own && b_other)));
        going_on: cover (!a_stopped && !b_stopped);
        reset_again: cover (went_on && a_stopped && b_stopped && a_clear);
    end
endmodule
