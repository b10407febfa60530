# Synthesis of @NAME@ by itself, out of context, with its timing and utilisation:
#
#   vivado -mode batch -source vivado_synth.tcl -tclargs ?PART? ?-place?
#
# PART is xck26-sfvc784-2LV-c (Kria K26) unless given. -place also places and routes, after which the figures are those
# of the device. Reports and a checkpoint go to ./@NAME@_synth. Not a project: nothing else is written.

set folder [file dirname [file normalize [info script]]]
set part xck26-sfvc784-2LV-c
set place 0
foreach argument $argv {
    if {$argument eq "-place"} { set place 1 } else { set part $argument }
}
set out [file join [pwd] @NAME@_synth]
file mkdir $out

set_part $part
foreach file {@VERILOG@} { read_verilog [file join $folder $file] }
# Verilog reads the contents of its ROMs by name.
foreach file {@MEMORY@} { read_mem [file join $folder $file] }
read_xdc -mode out_of_context [file join $folder @NAME@_ooc.xdc]

synth_design -mode out_of_context -top @NAME@ -part $part
# Crossings are constrained on the netlist: synthesis does not know bus skew. The core is the top, so paths need no scope.
read_xdc [file join $folder @NAME@.xdc]
write_checkpoint -force [file join $out synthesised.dcp]
set stage synthesised
if {$place} {
    opt_design
    place_design
    phys_opt_design
    route_design
    write_checkpoint -force [file join $out routed.dcp]
    set stage routed
}
report_timing_summary -file [file join $out ${stage}_timing.txt]
report_utilization -hierarchical -file [file join $out ${stage}_utilisation.txt]
report_cdc -details -file [file join $out ${stage}_crossings.txt]
report_bus_skew -file [file join $out ${stage}_skew.txt]

foreach {clock mhz} {@CLOCKS@} {
    set path [get_timing_paths -quiet -group $clock]
    set slack [expr {[llength $path] ? [get_property SLACK $path] : "no path"}]
    puts "$stage: $clock at $mhz MHz, slack $slack ns"
}
