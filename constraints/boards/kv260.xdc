# Pins and clocks of the Kria KV260 (K26 module, xck26-sfvc784-2LV-c) for a design around a texture unit. Read it in the
# project, beside the emitted NAME.xdc; take out what the design's top module has no port for.
#
# Pins are those that the K26's constraints file gives for the connector's contacts (named behind each line), and the carrier
# card's documentation for what they lead to. To be checked against the schematic of your revision of the carrier card before
# anything is driven: each contact, and that the jumpers leave bank 45 (VCCO at contact som240_1_b13) at 3.3 V.

# -- Clocks
# No clock of the carrier card is needed: the processing system brings clk_pl_0 to clk_pl_3, which its IP defines, and a clock
# wizard behind clk_pl_0 makes core_aclk and tmu_aclk, as vivado_example.tcl connects them. Do not create them here again.
#
# A clock from a Pmod module enters at a pin that can drive the clock network; 50 MHz as an example.
set_property -dict {PACKAGE_PIN E10 IOSTANDARD LVCMOS33} [get_ports pmod_clk] ;# Pmod J2 pin 3, som240_1_d20, HDGC of bank 45
create_clock -name pmod_clk -period 20.000 [get_ports pmod_clk]

# -- Control of the fan, bank 45; its polarity stands in the schematic
set_property -dict {PACKAGE_PIN A12 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports fan_en_b]

# -- Pmod J2 as signs of life, such as the interrupt and a bit that blinks at each clock
set_property -dict {PACKAGE_PIN H12 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {pmod[0]}] ;# pin 1, som240_1_a17
set_property -dict {PACKAGE_PIN D10 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {pmod[1]}] ;# pin 5, som240_1_d21
set_property -dict {PACKAGE_PIN C11 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {pmod[2]}] ;# pin 7, som240_1_d22
set_property -dict {PACKAGE_PIN B10 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {pmod[3]}] ;# pin 2, som240_1_b20
set_property -dict {PACKAGE_PIN E12 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {pmod[4]}] ;# pin 4, som240_1_b21
set_property -dict {PACKAGE_PIN D11 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {pmod[5]}] ;# pin 6, som240_1_b22
set_property -dict {PACKAGE_PIN B11 IOSTANDARD LVCMOS33 SLEW SLOW DRIVE 4} [get_ports {pmod[6]}] ;# pin 8, som240_1_c22

# Nobody waits for a clock at these pins.
set_false_path -to [get_ports fan_en_b]
set_false_path -to [get_ports {pmod[*]}]
