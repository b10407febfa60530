
  // Reads a register through the control port.
  task automatic check_register(input logic [11:0] address, input logic [31:0] expected);
    s_axil_araddr <= address;
    s_axil_arvalid <= 1;
    do @(posedge core_aclk); while (!s_axil_arready);
    s_axil_arvalid <= 0;
    s_axil_rready <= 1;
    do @(posedge core_aclk); while (!s_axil_rvalid);
    s_axil_rready <= 0;
    if (s_axil_rdata !== expected || s_axil_rresp !== 0)
      $fatal(1, "register %h is %h, not %h; response %h", address, s_axil_rdata, expected, s_axil_rresp);
  endtask
