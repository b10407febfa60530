# Reads the constraints of a board as Vivado would, with every port there that gets a pin: tclsh board.tcl XDC. A pin is given
# once, and a port has pin and standard at once. A pattern must match, and any other command or property is an error. Prints
# the ports with their pins, and the clocks.
lassign $argv xdc
set pins [dict create]

proc set_property {-dict properties port} {
    global pins
    foreach property {PACKAGE_PIN IOSTANDARD} {
        if {![dict exists $properties $property]} { error "$port has no $property" }
    }
    dict for {property value} $properties {
        if {$property ni {PACKAGE_PIN IOSTANDARD SLEW DRIVE}} { error "$port has $property" }
    }
    set pin [dict get $properties PACKAGE_PIN]
    if {![regexp {^[A-Z]{1,2}[0-9]{1,2}$} $pin]} { error "$pin is no pin" }
    if {[dict exists $pins $port]} { error "$port has two pins" }
    if {$pin in [dict values $pins]} { error "$pin has two ports" }
    dict set pins $port $pin
    puts "pin $port $pin [dict get $properties IOSTANDARD]"
}
# The first use of a port is the line that gives it its pin.
proc get_ports pattern {
    global pins
    if {![string match {*\**} $pattern]} { return $pattern }
    set stem [string range $pattern 0 [string first \[ $pattern]]
    set found [lmap port [dict keys $pins] { if {![string equal -length [string length $stem] $stem $port]} continue; set port }]
    if {![llength $found]} { error "no port is called $pattern" }
    return $found
}
proc placed ports {
    global pins
    foreach port $ports { if {![dict exists $pins $port]} { error "$port has no pin" } }
}
proc create_clock {-name name -period period port} { placed $port; puts "clock $name [expr {double($period)}] $port" }
proc set_false_path {direction ports} {
    if {$direction ni {-from -to}} { error "$direction is no end of a path" }
    placed $ports
}
source $xdc
