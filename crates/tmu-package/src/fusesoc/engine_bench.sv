// @HEADER@
// A sign of life of @NAME@: identities, and a job of the engine that draws meshes.
// Ends with `passed`, or with a fatal error.
`timescale 1ns / 1ps

module @NAME@_tb;
@SIGNALS@
  @NAME@ dut (
@CONNECTIONS@
  );

@CLOCKS@
  int bytes_written = 0;

  initial begin
    repeat (20) @(posedge core_aclk);
    release_resets();
    repeat (100) @(posedge core_aclk);
@CONTROL@@JOB@    $display("passed");
    $finish;
  end

  initial begin
    #100000;
    $fatal(1, "nothing happens");
  end

  task automatic release_resets;
@RESETS@  endtask

  // Memory: one burst at a time, full of one byte, which is what may be written.
  logic [8:0] beats_left = 0;
  assign m_axi_arready = beats_left == 0;
  assign m_axi_rvalid = beats_left != 0;
  assign m_axi_rlast = beats_left == 1;
  assign m_axi_rresp = 0;
  assign m_axi_rdata = {16{8'h@MEMORY_BYTE@}};
  logic is_written = 0;
  always @(posedge @MEMORY_CLOCK@) begin
    if (m_axi_arvalid && m_axi_arready) begin
      beats_left <= m_axi_arlen + 1;
      m_axi_rid <= m_axi_arid;
    end
    if (m_axi_rvalid && m_axi_rready) beats_left <= beats_left - 1;
    m_axi_awready <= !is_written && !m_axi_awready && m_axi_awvalid;
    if (m_axi_awvalid && m_axi_awready) begin
      is_written <= 1;
      m_axi_bid <= m_axi_awid;
      m_axi_wready <= 1;
    end
    if (m_axi_wvalid && m_axi_wready) begin
      for (int lane = 0; lane < 16; lane++)
        if (m_axi_wstrb[lane]) begin
          bytes_written++;
          if (m_axi_wdata[8*lane+:8] !== 8'h@MEMORY_BYTE@) $fatal(1, "%h is written", m_axi_wdata);
        end
      if (m_axi_wlast) begin
        m_axi_wready <= 0;
        m_axi_bvalid <= 1;
      end
    end
    if (m_axi_bvalid && m_axi_bready) begin
      m_axi_bvalid <= 0;
      is_written <= 0;
    end
  end
@TASKS@endmodule
