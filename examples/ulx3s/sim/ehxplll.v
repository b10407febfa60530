// As much of ECP5's PLL as the example uses: CLKOP fed back, so that it runs CLKFB_DIV / CLKI_DIV times as fast as CLKI.
`timescale 1ns / 1ps
`default_nettype none

module EHXPLLL #(
    parameter CLKI_DIV = 1,
    parameter CLKFB_DIV = 1,
    parameter FEEDBK_PATH = "CLKOP",
    parameter CLKOP_ENABLE = "ENABLED",
    parameter CLKOP_DIV = 8,
    parameter CLKOP_CPHASE = 0,
    parameter CLKOP_FPHASE = 0
) (
    input  wire CLKI,
    input  wire CLKFB,
    output reg  CLKOP,
    output reg  LOCK,
    input  wire RST,
    input  wire STDBY,
    input  wire ENCLKOP,
    input  wire PLLWAKESYNC,
    input  wire PHASESEL0,
    input  wire PHASESEL1,
    input  wire PHASEDIR,
    input  wire PHASESTEP,
    input  wire PHASELOADREG
);
    realtime risen, period, half;

    initial begin
        CLKOP = 0;
        LOCK = 0;
        if (FEEDBK_PATH != "CLKOP" || CLKOP_ENABLE != "ENABLED") $fatal(1, "this model feeds CLKOP back");
        @(posedge CLKI) risen = $realtime;
        @(posedge CLKI) period = $realtime - risen;
        half = period * CLKI_DIV / CLKFB_DIV / 2;
        fork
            forever #half CLKOP = ~CLKOP;
            begin
                repeat (20) @(posedge CLKI);
                LOCK = 1;
            end
        join
    end
endmodule

`default_nettype wire
