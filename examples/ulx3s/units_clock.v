// 62.5 MHz of the oscillator's 25: times 5 / 2, the PLL's own oscillator at 625 MHz. As `ecppll -i 25 -o 62.5` divides.
`default_nettype none

module units_clock (
    input  wire clk_25mhz,
    output wire tmu_aclk,
    output wire locked
);
    (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "62.5" *)
    (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
    EHXPLLL #(
        .CLKI_DIV(2), .CLKFB_DIV(5), .FEEDBK_PATH("CLKOP"),
        .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(10), .CLKOP_CPHASE(4), .CLKOP_FPHASE(0)
    ) pll (
        .CLKI(clk_25mhz), .CLKFB(tmu_aclk), .CLKOP(tmu_aclk), .LOCK(locked),
        .RST(1'b0), .STDBY(1'b0), .ENCLKOP(1'b0), .PLLWAKESYNC(1'b0),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1)
    );
endmodule

`default_nettype wire
