## Templates of the constraints that `tmugen generate` writes for Kintex and Virtex UltraScale+.
##
## A line `#@ NAME` begins a section; words in braces are filled in. What stands here is what is written, but for the lines
## that begin with two hashes. constraints/README.md lists sections and words.

#@ core
# Constraints of `{core}`, relative to the core: read_xdc -ref {core} {core}.xdc
#
{clocks}
{example_clocks}
#
# Every path between two clocks is a synchroniser or a memory whose words are stable while they are read.
# The flip-flops of synchronisers carry ASYNC_REG in the Verilog. There are no false paths and no multicycle
# paths: what is constrained here is all that crosses.
#
# set_max_delay: data is under way for less than a clock of the side that it comes from.
# set_bus_skew: bits of a gray code arrive within a clock of the faster side, so that one changes at a time.

#@ clocks
# The clocks have no relation to each other. A design that instantiates the core defines them, for example:

#@ declaration
#
# Declared, {rule}: {nets} ({count} in all):
#   {reason}

#@ bit

# {instance}: one bit, from {from_clock} to {to_clock}
set_max_delay -datapath_only -from {from} -to {to} {from_period}

#@ gray

# {instance}: gray code of {width} bits, from {from_clock} to {to_clock}
set_max_delay -datapath_only -from {from} -to {to} {from_period}
set_bus_skew -from {from} -to {to} {faster_period}

#@ reset

# {instance}: a reset, from {from_clock} to {to_clock}
set_max_delay -datapath_only -from {from} -to {to} {from_period}

#@ words

# {instance}: words of {width} bits in a memory, from {from_clock} to {to_clock}
set_max_delay -datapath_only -from {from} -to {to} {from_period}

#@ out_of_context
# Clocks for synthesis of `{core}` by itself (USED_IN out_of_context).
# In a design the clocks come from outside and this file is not read.

#@ clock
create_clock -name {port} -period {period} [get_ports {port}]
