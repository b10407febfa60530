# Stand-ins for the commands of Vivado that the emitted scripts use. Usage:
#
#   tclsh vivado.tcl SCRIPT CORE CORE_PINS CORE_BUSES ?ARGUMENT …?
#
# A file that is read must exist. A pin or bus of a block design must exist on its cell, and a pin is driven at most once.
# Any other command than those below is unknown to Tcl, too, and so an error. At the end all connections are printed.
lassign $argv script core core_pins core_buses
set argv [lrange $argv 4 end]

# Pins and buses of the IPs, as their documentation names them.
set known [dict create \
    zynq_ultra_ps_e {
        {pl_clk0 pl_resetn0 saxihp0_fpd_aclk saxihp1_fpd_aclk maxihpm0_fpd_aclk}
        {S_AXI_HP0_FPD S_AXI_HP1_FPD M_AXI_HPM0_FPD}
    } \
    clk_wiz {{clk_in1 resetn locked clk_out1 clk_out2 clk_out3} {}} \
    proc_sys_reset {{slowest_sync_clk dcm_locked ext_reset_in peripheral_aresetn} {}} \
    smartconnect {{aclk aresetn} {}} \
    axi_dma {
        {s_axi_lite_aclk m_axi_mm2s_aclk m_axi_s2mm_aclk axi_resetn}
        {S_AXI_LITE M_AXI_MM2S M_AXI_S2MM M_AXIS_MM2S S_AXIS_S2MM}
    } \
    axis_subset_converter {{aclk aresetn} {S_AXIS M_AXIS}} \
    $core [list $core_pins $core_buses]]
set cells [dict create]
set settings [dict create]
set connected [dict create]

proc must_exist {path} { if {![file exists $path]} { error "there is no file $path" } }
foreach command {read_verilog read_mem read_xdc} {
    proc $command args { must_exist [lindex $args end]; puts "read [file tail [lindex $args end]]" }
}
foreach command {
    set_part synth_design opt_design place_design phys_opt_design route_design write_checkpoint
    report_timing_summary report_utilization report_cdc report_bus_skew create_project update_ip_catalog
    create_bd_design apply_bd_automation assign_bd_address validate_bd_design save_bd_design add_files
    generate_target launch_runs wait_on_run open_run write_hw_platform current_project current_fileset
} {
    proc $command args "puts \"$command \$args\""
}
proc get_timing_paths args { return {} }
proc get_board_parts {-quiet pattern} { return [string map {* 1.0} $pattern] }
proc get_files name { return $name }
proc get_runs name { return $name }
proc get_property {name of} { return [dict get {PROGRESS 100% SLACK 0.1} $name] }
proc make_wrapper args { return wrapper.v }
proc get_ipdefs {-all pattern} {
    global known
    set name [lindex [split $pattern :] 1]
    if {[dict exists $known $name]} { return [list vendor:library:$name:1.0] }
}
proc create_bd_cell {-type ip -vlnv vlnv name} {
    global cells settings
    if {[dict exists $cells $name]} { error "there are two cells $name" }
    dict set cells $name [lindex [split $vlnv :] 2]
    dict set settings $name {}
    return $name
}
proc get_bd_cells name {
    global cells
    if {![dict exists $cells $name]} { error "there is no cell $name" }
    return $name
}
proc set_property args {
    global settings folder
    if {[lindex $args 0] eq "-dict"} {
        lassign $args - values cell
        dict set settings $cell [dict merge [dict get $settings $cell] $values]
    } elseif {[lindex $args 0] eq "ip_repo_paths"} {
        must_exist [file join [lindex $args 1] component.xml]
    }
}
proc get_bd_pins name { return [pin $name 0] }
proc get_bd_intf_pins name { return [pin $name 1] }
proc pin {name part} {
    global known cells settings
    lassign [split $name /] cell pin
    set ip [dict get $cells [get_bd_cells $cell]]
    set of_cell [lindex [dict get $known $ip] $part]
    if {$ip eq "smartconnect" && $part} {
        foreach side {S M} {
            for {set i 0} {$i < [dict get $settings $cell CONFIG.NUM_${side}I]} {incr i} {
                lappend of_cell [format %s%02d_AXI $side $i]
            }
        }
    }
    if {$pin ni $of_cell} { error "cell $cell ($ip) has no $pin" }
    return $name
}
proc take name {
    global connected
    if {[dict exists $connected $name]} { error "$name is connected twice" }
    dict set connected $name 1
}
proc connect_bd_net {from args} { foreach to $args { take $to; puts "wire $from $to" } }
proc connect_bd_intf_net {from to} { take $from; take $to; puts "bus $from $to" }

source $script
foreach {cell values} $settings { foreach {name value} $values { puts "set $cell $name $value" } }
