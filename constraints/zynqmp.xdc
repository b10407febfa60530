## What is written for Zynq UltraScale+ MPSoC. Its fabric is that of UltraScale+, so that every section that is not here is that
## of ultrascale-plus.xdc. Other are the clocks, which come from the processing system or a clock wizard behind it.

#@ clocks
# The clocks have no relation to each other. Those of the processing system (clk_pl_0 and on) and of a clock wizard are
# defined by their IPs, after which this file is read. Clocks from pins a design defines itself, for example:
