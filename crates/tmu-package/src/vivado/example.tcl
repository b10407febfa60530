# A ZynqMP design around @NAME@ for Kria KV260 or ZCU104:
#
#   vivado -mode batch -source vivado_example.tcl -tclargs kv260|zcu104 ?-core MHZ? ?-tmu MHZ? ?-memory MHZ? ?-implement?
#
# The processor sets the core up through its control port, and sends requests and takes results through one AXI DMA for each
# of the first @UNITS@ units (@ALL_UNITS@ in the core). Textures are read through port HP0, requests and results through HP1.
# The project goes to ./@NAME@_BOARD. It is synthesised, with reports; -implement goes on to a bitstream and an .xsa.
#
# A request beat lies in memory as @DMA_BITS@ bits: tdata in the lowest @REQUEST_BITS@, then tuser, then tlast. A result lies in
# memory as 256 bits: tdata in the lowest 128, then tuser in 5. The DMA takes results in packets of 64: fill the last one up
# with quads without valid pixels.

set folder [file dirname [file normalize [info script]]]
set boards {
    kv260 {
        part xck26-sfvc784-2LV-c
        board xilinx.com:kv260_som:part0:*
        carrier {som240_1_connector xilinx.com:kv260_carrier:som240_1_connector:*}
    }
    zcu104 {
        part xczu7ev-ffvc1156-2-e
        board xilinx.com:zcu104:part0:*
        carrier {}
    }
}
set board [lindex $argv 0]
if {![dict exists $boards $board]} {
    error "name a board: [join [dict keys $boards] { or }]"
}
# Frequencies for a first light; those that the core was generated for are {@CLOCKS@}.
set mhz [dict create core_aclk 200 tmu_aclk 250 m_axi_aclk 250]
set implement 0
for {set at 1} {$at < [llength $argv]} {incr at} {
    set option [lindex $argv $at]
    switch -- $option {
        -core { dict set mhz core_aclk [lindex $argv [incr at]] }
        -tmu { dict set mhz tmu_aclk [lindex $argv [incr at]] }
        -memory { dict set mhz m_axi_aclk [lindex $argv [incr at]] }
        -implement { set implement 1 }
        default { error "unknown option $option" }
    }
}
set units @UNITS@
set memory_clock @MEMORY_CLOCK@

# -- Project
set board [dict merge [dict create name $board] [dict get $boards $board]]
set project @NAME@_[dict get $board name]
create_project -force $project [file join [pwd] $project] -part [dict get $board part]
set part0 [lindex [lsort -dictionary [get_board_parts -quiet [dict get $board board]]] end]
if {$part0 eq ""} { error "Vivado has no files for board [dict get $board name]: install them from its board store" }
set_property board_part $part0 [current_project]
if {[llength [dict get $board carrier]]} {
    set_property board_connections [dict get $board carrier] [current_project]
}
set_property ip_repo_paths $folder [current_project]
update_ip_catalog

# The newest version of an IP, so that the script does not depend on Vivado's.
proc newest {name} {
    set found [lindex [lsort -dictionary [get_ipdefs -all "*:$name:*"]] end]
    if {$found eq ""} { error "Vivado has no IP $name" }
    return $found
}
proc cell {ip name {settings {}}} {
    set cell [create_bd_cell -type ip -vlnv [newest $ip] $name]
    if {[llength $settings]} { set_property -dict $settings $cell }
    return $cell
}
proc wire {from args} { connect_bd_net [get_bd_pins $from] {*}[lmap to $args { get_bd_pins $to }] }
proc bus {from to} { connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to] }

create_bd_design system

# -- Processor: one port for control, HP0 for textures, HP1 for requests and results
cell zynq_ultra_ps_e ps
apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e -config {apply_board_preset 1} [get_bd_cells ps]
set_property -dict {
    CONFIG.PSU__FPGA_PL0_ENABLE 1
    CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ 100
    CONFIG.PSU__USE__M_AXI_GP0 1
    CONFIG.PSU__USE__M_AXI_GP1 0
    CONFIG.PSU__USE__M_AXI_GP2 0
    CONFIG.PSU__USE__S_AXI_GP2 1
    CONFIG.PSU__SAXIGP2__DATA_WIDTH 128
    CONFIG.PSU__USE__S_AXI_GP3 1
    CONFIG.PSU__SAXIGP3__DATA_WIDTH 128
} [get_bd_cells ps]

# -- Clocks and resets
set clocks {}
foreach {clock -} {@CLOCKS@} { lappend clocks $clock }
set settings {CONFIG.PRIM_SOURCE Global_buffer CONFIG.RESET_TYPE ACTIVE_LOW}
set number 0
foreach clock $clocks {
    incr number
    lappend settings CONFIG.CLKOUT${number}_USED true
    lappend settings CONFIG.CLKOUT${number}_REQUESTED_OUT_FREQ [dict get $mhz $clock]
}
cell clk_wiz wizard $settings
wire ps/pl_clk0 wizard/clk_in1
wire ps/pl_resetn0 wizard/resetn
cell @NAME@ tmu
set number 0
foreach clock $clocks {
    incr number
    set reset [string map {_aclk _reset} $clock]
    cell proc_sys_reset $reset
    wire wizard/clk_out$number $reset/slowest_sync_clk tmu/$clock
    wire wizard/locked $reset/dcm_locked
    wire ps/pl_resetn0 $reset/ext_reset_in
    wire $reset/peripheral_aresetn tmu/[string map {_aclk _aresetn} $clock]
}
# Pins on the clock of the streams and of the control port, and on the memory port's.
proc on_core {clocks resets} {
    wire wizard/clk_out1 {*}$clocks
    wire core_reset/peripheral_aresetn {*}$resets
}
proc on_memory {clocks resets} {
    global clocks_of memory_clock
    wire wizard/clk_out[expr {1 + [lsearch -exact $clocks_of $memory_clock]}] {*}$clocks
    wire [string map {_aclk _reset} $memory_clock]/peripheral_aresetn {*}$resets
}
set clocks_of $clocks

# -- Textures
cell smartconnect textures {CONFIG.NUM_SI 1 CONFIG.NUM_MI 1}
bus tmu/m_axi textures/S00_AXI
bus textures/M00_AXI ps/S_AXI_HP0_FPD
on_memory {textures/aclk ps/saxihp0_fpd_aclk} {textures/aresetn}

# -- Control: the core's registers and those of the DMA engines
set controlled [expr {$units + @HAS_CONTROL@}]
cell smartconnect control [list CONFIG.NUM_SI 1 CONFIG.NUM_MI $controlled]
bus ps/M_AXI_HPM0_FPD control/S00_AXI
on_core {control/aclk ps/maxihpm0_fpd_aclk ps/saxihp1_fpd_aclk} {control/aresetn}
if {@HAS_CONTROL@} { bus [format control/M%02d_AXI $units] tmu/s_axil }

# -- Requests and results
cell smartconnect packets [list CONFIG.NUM_SI [expr {2 * $units}] CONFIG.NUM_MI 1]
bus packets/M00_AXI ps/S_AXI_HP1_FPD
on_core {packets/aclk} {packets/aresetn}
for {set unit 0} {$unit < $units} {incr unit} {
    cell axi_dma dma$unit {
        CONFIG.c_include_sg 0
        CONFIG.c_sg_length_width 26
        CONFIG.c_m_axi_mm2s_data_width @DMA_BITS@
        CONFIG.c_m_axis_mm2s_tdata_width @DMA_BITS@
        CONFIG.c_m_axi_s2mm_data_width 256
        CONFIG.c_s_axis_s2mm_tdata_width 256
    }
    # A beat of the DMA becomes tdata, tuser and tlast.
    cell axis_subset_converter request$unit {
        CONFIG.S_TDATA_NUM_BYTES.VALUE_SRC USER
        CONFIG.M_TDATA_NUM_BYTES.VALUE_SRC USER
        CONFIG.M_TUSER_WIDTH.VALUE_SRC USER
        CONFIG.S_HAS_TLAST.VALUE_SRC USER
        CONFIG.M_HAS_TLAST.VALUE_SRC USER
    }
    set_property -dict [list \
        CONFIG.S_TDATA_NUM_BYTES [expr {@DMA_BITS@ / 8}] CONFIG.M_TDATA_NUM_BYTES [expr {@REQUEST_BITS@ / 8}] \
        CONFIG.M_TUSER_WIDTH 1 CONFIG.S_HAS_TLAST 1 CONFIG.M_HAS_TLAST 1 \
        CONFIG.TDATA_REMAP "tdata\[[expr {@REQUEST_BITS@ - 1}]:0\]" \
        CONFIG.TUSER_REMAP {tdata[@REQUEST_BITS@:@REQUEST_BITS@]} \
        CONFIG.TLAST_REMAP "tdata\[[expr {@REQUEST_BITS@ + 1}]\]" \
    ] [get_bd_cells request$unit]
    # tuser goes beside tdata, and every 64th beat ends a packet.
    cell axis_subset_converter result$unit {
        CONFIG.S_TDATA_NUM_BYTES.VALUE_SRC USER
        CONFIG.M_TDATA_NUM_BYTES.VALUE_SRC USER
        CONFIG.S_TUSER_WIDTH.VALUE_SRC USER
        CONFIG.S_HAS_TLAST.VALUE_SRC USER
        CONFIG.M_HAS_TLAST.VALUE_SRC USER
    }
    set_property -dict {
        CONFIG.S_TDATA_NUM_BYTES 16 CONFIG.M_TDATA_NUM_BYTES 32 CONFIG.S_TUSER_WIDTH 5
        CONFIG.S_HAS_TLAST 0 CONFIG.M_HAS_TLAST 1 CONFIG.DEFAULT_TLAST 64
        CONFIG.TDATA_REMAP {123'b0,tuser[4:0],tdata[127:0]}
    } [get_bd_cells result$unit]
    bus dma$unit/M_AXIS_MM2S request$unit/S_AXIS
    bus request$unit/M_AXIS tmu/s_axis_req$unit
    bus tmu/m_axis_res$unit result$unit/S_AXIS
    bus result$unit/M_AXIS dma$unit/S_AXIS_S2MM
    bus dma$unit/M_AXI_MM2S [format packets/S%02d_AXI [expr {2 * $unit}]]
    bus dma$unit/M_AXI_S2MM [format packets/S%02d_AXI [expr {2 * $unit + 1}]]
    bus [format control/M%02d_AXI $unit] dma$unit/S_AXI_LITE
    on_core [list dma$unit/s_axi_lite_aclk dma$unit/m_axi_mm2s_aclk dma$unit/m_axi_s2mm_aclk \
        request$unit/aclk result$unit/aclk] [list dma$unit/axi_resetn request$unit/aresetn result$unit/aresetn]
}

assign_bd_address
validate_bd_design
save_bd_design
set wrapper [make_wrapper -files [get_files system.bd] -top]
add_files -norecurse $wrapper
set_property top system_wrapper [current_fileset]

# -- Build: every IP out of context, as a block design's are
generate_target all [get_files system.bd]
launch_runs synth_1 -jobs 4
wait_on_run synth_1
if {[get_property PROGRESS [get_runs synth_1]] ne "100%"} { error "synthesis failed: see $project" }
open_run synth_1
set stage synthesised
if {$implement} {
    launch_runs impl_1 -to_step write_bitstream -jobs 4
    wait_on_run impl_1
    if {[get_property PROGRESS [get_runs impl_1]] ne "100%"} { error "implementation failed: see $project" }
    open_run impl_1
    set stage implemented
    write_hw_platform -fixed -include_bit -force [file join [pwd] $project $project.xsa]
}
report_timing_summary -file [file join [pwd] $project ${stage}_timing.txt]
report_utilization -hierarchical -file [file join [pwd] $project ${stage}_utilisation.txt]
report_cdc -file [file join [pwd] $project ${stage}_crossings.txt]
puts "$project: $stage"
