// A texture unit by itself on a ULX3S: a texture in block RAM, the core's bring-up kit in place of a rasteriser, and the CRC of
// the results on LEDs and UART. FIRE1 begins anew.
//
// Control port and UART run on the oscillator's 25 MHz. The unit and its memory run on what a PLL makes of them, which
// has no relation to the former as far as the core is concerned.
`default_nettype none

module ulx3s_top #(
    // Reset ends 2^SETTLE_BITS clocks after the button was let go and the PLL has locked: 10 ms.
    parameter SETTLE_BITS = 18
) (
    input  wire       clk_25mhz,
    input  wire       fire1,
    output wire [7:0] led,
    output wire       ftdi_rxd,
    output wire       wifi_gpio0
);
    // Low it would let the ESP32 reboot the board.
    assign wifi_gpio0 = 1'b1;

    wire tmu_aclk, locked;
    units_clock units_clock (.clk_25mhz(clk_25mhz), .tmu_aclk(tmu_aclk), .locked(locked));

    // What holds the reset, seen from the oscillator's clock; then the reset, seen from either clock.
    reg [1:0] held = 2'b11;
    reg [SETTLE_BITS-1:0] settled = 0;
    reg core_aresetn = 0;
    reg [1:0] tmu_reset = 2'b00;
    wire tmu_aresetn = tmu_reset[1];
    always @(posedge clk_25mhz) begin
        held <= {held[0], fire1 || !locked};
        if (held[1]) settled <= 0;
        else if (!(&settled)) settled <= settled + 1'b1;
        core_aresetn <= &settled;
    end
    always @(posedge tmu_aclk) tmu_reset <= {tmu_reset[0], core_aresetn};

    wire [3:0] arid, rid;
    wire [39:0] araddr;
    wire [7:0] arlen;
    wire arvalid, arready, rlast, rvalid, rready;
    wire [127:0] rdata;
    wire [1:0] rresp;
    texture_memory texture_memory (
        .clock(tmu_aclk), .resetn(tmu_aresetn),
        .arid(arid), .araddr(araddr), .arlen(arlen), .arvalid(arvalid), .arready(arready),
        .rid(rid), .rdata(rdata), .rresp(rresp), .rlast(rlast), .rvalid(rvalid), .rready(rready)
    );

    wire [11:0] ctl_awaddr, ctl_araddr;
    wire [31:0] ctl_wdata, ctl_rdata;
    wire [1:0] ctl_bresp, ctl_rresp;
    wire ctl_awvalid, ctl_awready, ctl_wvalid, ctl_wready, ctl_bvalid, ctl_bready;
    wire ctl_arvalid, ctl_arready, ctl_rvalid, ctl_rready;
    wire text_valid, text_ready;
    wire [7:0] text;
    kit_driver kit_driver (
        .clock(clk_25mhz), .resetn(core_aresetn),
        .awaddr(ctl_awaddr), .awvalid(ctl_awvalid), .awready(ctl_awready),
        .wdata(ctl_wdata), .wvalid(ctl_wvalid), .wready(ctl_wready),
        .bresp(ctl_bresp), .bvalid(ctl_bvalid), .bready(ctl_bready),
        .araddr(ctl_araddr), .arvalid(ctl_arvalid), .arready(ctl_arready),
        .rdata(ctl_rdata), .rresp(ctl_rresp), .rvalid(ctl_rvalid), .rready(ctl_rready),
        .text_valid(text_valid), .text_ready(text_ready), .text(text), .led(led)
    );
    uart_transmitter uart_transmitter (
        .clock(clk_25mhz), .resetn(core_aresetn),
        .valid(text_valid), .ready(text_ready), .data(text), .line(ftdi_rxd)
    );

    // The kit sends the requests and takes the results, so that the streams stay empty.
    ulx3s_tmu core (
        .core_aclk(clk_25mhz), .core_aresetn(core_aresetn), .tmu_aclk(tmu_aclk), .tmu_aresetn(tmu_aresetn),
        .s_axis_req0_tvalid(1'b0), .s_axis_req0_tready(), .s_axis_req0_tdata(136'b0), .s_axis_req0_tuser(1'b0),
        .s_axis_req0_tlast(1'b0),
        .m_axis_res0_tvalid(), .m_axis_res0_tready(1'b1), .m_axis_res0_tdata(), .m_axis_res0_tuser(),
        .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize(), .m_axi_arburst(),
        .m_axi_arcache(), .m_axi_arprot(), .m_axi_arqos(), .m_axi_arvalid(arvalid), .m_axi_arready(arready),
        .m_axi_rid(rid), .m_axi_rdata(rdata), .m_axi_rresp(rresp), .m_axi_rlast(rlast), .m_axi_rvalid(rvalid),
        .m_axi_rready(rready),
        .s_axil_awaddr(ctl_awaddr), .s_axil_awprot(3'b0), .s_axil_awvalid(ctl_awvalid), .s_axil_awready(ctl_awready),
        .s_axil_wdata(ctl_wdata), .s_axil_wstrb(4'hf), .s_axil_wvalid(ctl_wvalid), .s_axil_wready(ctl_wready),
        .s_axil_bresp(ctl_bresp), .s_axil_bvalid(ctl_bvalid), .s_axil_bready(ctl_bready),
        .s_axil_araddr(ctl_araddr), .s_axil_arprot(3'b0), .s_axil_arvalid(ctl_arvalid), .s_axil_arready(ctl_arready),
        .s_axil_rdata(ctl_rdata), .s_axil_rresp(ctl_rresp), .s_axil_rvalid(ctl_rvalid), .s_axil_rready(ctl_rready)
    );
endmodule

`default_nettype wire
