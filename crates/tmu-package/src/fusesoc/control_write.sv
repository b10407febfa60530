
  // Writes a register through the control port.
  task automatic write_register(input logic [11:0] address, input logic [31:0] value);
    s_axil_awaddr <= address;
    s_axil_awvalid <= 1;
    s_axil_wdata <= value;
    s_axil_wstrb <= 15;
    s_axil_wvalid <= 1;
    fork
      begin
        do @(posedge core_aclk); while (!s_axil_awready);
        s_axil_awvalid <= 0;
      end
      begin
        do @(posedge core_aclk); while (!s_axil_wready);
        s_axil_wvalid <= 0;
      end
    join
    s_axil_bready <= 1;
    do @(posedge core_aclk); while (!s_axil_bvalid);
    s_axil_bready <= 0;
    if (s_axil_bresp !== 0) $fatal(1, "register %h: response %h", address, s_axil_bresp);
  endtask
