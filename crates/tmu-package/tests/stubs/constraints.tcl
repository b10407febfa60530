# Reads an XDC file as Vivado would, against a list of cells: tclsh constraints.tcl XDC CELLS PORTS. Every pattern must
# match. Prints a line for each cell that is the end of a constraint: the command, the value, from and to.
lassign $argv xdc cells_file ports
set cells [split [string trim [read [open $cells_file]]] \n]
# As in Vivado, a star does not go beyond a level of the hierarchy.
proc get_cells patterns {
    global cells
    set found {}
    foreach pattern $patterns {
        set depth [llength [split $pattern /]]
        set of_pattern [lsearch -all -inline -glob $cells $pattern]
        set of_pattern [lmap cell $of_pattern { if {[llength [split $cell /]] != $depth} continue; set cell }]
        if {![llength $of_pattern]} { error "no cell is called $pattern" }
        lappend found {*}$of_pattern
    }
    return $found
}
proc get_ports name {
    global ports
    if {$name ni $ports} { error "there is no port $name" }
    return $name
}
proc get_clocks {-of_objects port} { return $port }
proc set_max_delay {-datapath_only -from from -to to value} { foreach cell $to { puts "delay $value $cell" } }
proc set_bus_skew {-from from -to to value} {
    # Both ends of a skew are the bits of one word.
    if {[llength $from] != [llength $to]} { error "[llength $from] bits arrive in [llength $to]" }
    foreach cell $to { puts "skew $value $cell" }
}
proc create_clock {-name name -period period port} { puts "clock $name $period $port" }
source $xdc
