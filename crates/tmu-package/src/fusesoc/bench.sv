// @HEADER@
// A sign of life of @NAME@: identity, a binding, a quad without and one with valid pixels, and the counters.
// Ends with `passed`, or with a fatal error.
`timescale 1ns / 1ps

module @NAME@_tb;
@SIGNALS@
  @NAME@ dut (
@CONNECTIONS@
  );

@CLOCKS@
  localparam logic [@TEXEL_HIGH@:0] TEXEL = @TEXEL@;

  initial begin
    m_axis_res0_tready = 1;
    repeat (20) @(posedge core_aclk);
    release_resets();
    repeat (100) @(posedge core_aclk);
@BINDING@    send_quad(4'h0);
    expect_result(0, 5'h00);
    // A texel without weight is multiplied by 0, and X times 0 is X: the first quad clears what the filter holds of X.
    send_quad(4'hf);
    do @(posedge core_aclk); while (!m_axis_res0_tvalid);
    send_quad(4'hf);
    expect_result({4{TEXEL}}, 5'h0f);
    repeat (200) @(posedge core_aclk);
@CONTROL@    $display("passed");
    $finish;
  end

  initial begin
    #100000;
    $fatal(1, "nothing happens");
  end

  task automatic release_resets;
@RESETS@  endtask

  // Signals change behind the rising edge, so that the core sees what was there before it.
  task automatic send(input logic [@REQUEST_BITS@-1:0] data, input logic is_binding, input logic is_last);
    s_axis_req0_tdata <= data;
    s_axis_req0_tuser <= is_binding;
    s_axis_req0_tlast <= is_last;
    s_axis_req0_tvalid <= 1;
    do @(posedge core_aclk); while (!s_axis_req0_tready);
    s_axis_req0_tvalid <= 0;
  endtask

  // All pixels at the origin; every beat carries the valid bits.
  task automatic send_quad(input logic [3:0] valid);
    logic [@REQUEST_BITS@-1:0] data;
    data = @ORIGIN@;
    data[@VALID_SHIFT@+:4] = valid;
    for (int beat = 1; beat <= @QUAD_BEATS@; beat++) send(data, 0, beat == @QUAD_BEATS@);
  endtask

  task automatic expect_result(input logic [@RESULT_HIGH@:0] data, input logic [4:0] user);
    do @(posedge core_aclk); while (!m_axis_res0_tvalid);
    if (@DATA@m_axis_res0_tuser !== user)
      $fatal(1, "the result is %h with %h, not %h with %h", m_axis_res0_tdata, m_axis_res0_tuser, data, user);
  endtask

  // Memory: one burst at a time, full of one byte.
  logic [8:0] beats_left = 0;
  assign m_axi_arready = beats_left == 0;
  assign m_axi_rvalid = beats_left != 0;
  assign m_axi_rlast = beats_left == 1;
  assign m_axi_rresp = 0;
  assign m_axi_rdata = {16{8'h@MEMORY_BYTE@}};
  always @(posedge @MEMORY_CLOCK@) begin
    if (m_axi_arvalid && m_axi_arready) begin
      beats_left <= m_axi_arlen + 1;
      m_axi_rid <= m_axi_arid;
    end
    if (m_axi_rvalid && m_axi_rready) beats_left <= beats_left - 1;
  end
@CONTROL_TASKS@endmodule
