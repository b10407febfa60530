# Pins and clocks of the ZCU104 (xczu7ev-ffvc1156-2-e) for a design around a texture unit. Read it in the project, beside the
# emitted NAME.xdc; take out what the design's top module has no port for.
#
# Pins, banks and standards are those of the constraints file that comes with the board (revision 1.0). To be checked against
# the schematic of your revision before anything is driven: each pin, and the voltage of its bank.

# -- Clocks
# A design behind the processing system needs none of these: it has clk_pl_0 to clk_pl_3, which its IP defines, and a clock
# wizard behind them. For one in the fabric alone, core_aclk and tmu_aclk come from clock wizards behind these.
set_property -dict {PACKAGE_PIN F23 IOSTANDARD LVDS} [get_ports clk_125_p] ;# bank 28, 1.8 V, GC
set_property -dict {PACKAGE_PIN E23 IOSTANDARD LVDS} [get_ports clk_125_n]
create_clock -name clk_125 -period 8.000 [get_ports clk_125_p]
set_property -dict {PACKAGE_PIN AH18 IOSTANDARD DIFF_SSTL12} [get_ports clk_300_p] ;# bank 64, 1.2 V, GC
set_property -dict {PACKAGE_PIN AH17 IOSTANDARD DIFF_SSTL12} [get_ports clk_300_n]
create_clock -name clk_300 -period 3.333 [get_ports clk_300_p]
# The two oscillators have no relation. What crosses inside the core is constrained by NAME.xdc, and set_clock_groups would
# switch that off: see constraints/README.md.

# -- User LEDs, bank 88, 3.3 V
set_property -dict {PACKAGE_PIN D5 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN D6 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN A5 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {led[2]}]
set_property -dict {PACKAGE_PIN B5 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {led[3]}]

# -- Push buttons, bank 88; the first one as a reset, which the design synchronises
set_property -dict {PACKAGE_PIN B4 IOSTANDARD LVCMOS33} [get_ports {button[0]}]
set_property -dict {PACKAGE_PIN C4 IOSTANDARD LVCMOS33} [get_ports {button[1]}]
set_property -dict {PACKAGE_PIN B3 IOSTANDARD LVCMOS33} [get_ports {button[2]}]
set_property -dict {PACKAGE_PIN C3 IOSTANDARD LVCMOS33} [get_ports {button[3]}]

# Nobody waits for a clock at these pins.
set_false_path -to [get_ports {led[*]}]
set_false_path -from [get_ports {button[*]}]
