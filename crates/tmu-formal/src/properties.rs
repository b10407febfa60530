//! The Verilog around blocks: `proofs/*.v`.

/// What reads a block with clocks that have no relation.
pub(crate) const TICKS: &str = include_str!("../proofs/ticks.v");
/// What the properties files share.
pub(crate) const RULES: &str = include_str!("../proofs/rules.v");

/// Covers as violations.
pub(crate) const COVERS: &str = include_str!("../proofs/covers.v");

/// Properties files by name.
pub(crate) const PROPERTIES: &[(&str, &str)] = &[
    ("skid_buffer.v", include_str!("../proofs/skid_buffer.v")),
    ("sync_fifo.v", include_str!("../proofs/sync_fifo.v")),
    ("async_fifo.v", include_str!("../proofs/async_fifo.v")),
    ("arbiter.v", include_str!("../proofs/arbiter.v")),
    ("memory_port.v", include_str!("../proofs/memory_port.v")),
    ("memory_port_bursts.v", include_str!("../proofs/memory_port_bursts.v")),
    ("write_port.v", include_str!("../proofs/write_port.v")),
    ("store_switch.v", include_str!("../proofs/store_switch.v")),
    ("write_combiner.v", include_str!("../proofs/write_combiner.v")),
    ("line_misses.v", include_str!("../proofs/line_misses.v")),
    ("loader_job_port.v", include_str!("../proofs/loader_job_port.v")),
    ("line_fill.v", include_str!("../proofs/line_fill.v")),
    ("mesh_job.v", include_str!("../proofs/mesh_job.v")),
    ("copier.v", include_str!("../proofs/copier.v")),
    ("register_guard.v", include_str!("../proofs/register_guard.v")),
    ("grouping.v", include_str!("../proofs/grouping.v")),
    ("pixel_reads.v", include_str!("../proofs/pixel_reads.v")),
    ("pixel_writes.v", include_str!("../proofs/pixel_writes.v")),
    ("control_port.v", include_str!("../proofs/control_port.v")),
    ("control_registers.v", include_str!("../proofs/control_registers.v")),
    ("cache.v", include_str!("../proofs/cache.v")),
    ("quad_scheduler.v", include_str!("../proofs/quad_scheduler.v")),
    ("tag_stage.v", include_str!("../proofs/tag_stage.v")),
    ("in_step.v", include_str!("../proofs/in_step.v")),
    ("stream_cache.v", include_str!("../proofs/stream_cache.v")),
    ("memory_port_clock.v", include_str!("../proofs/memory_port_clock.v")),
    ("address_hazards.v", include_str!("../proofs/address_hazards.v")),
    ("request.v", include_str!("../proofs/request.v")),
    ("request_of_taps.v", include_str!("../proofs/request_of_taps.v")),
    ("handshake.v", include_str!("../proofs/handshake.v")),
    ("coordinate_handshake.v", include_str!("../proofs/coordinate_handshake.v")),
    ("miss_queue.v", include_str!("../proofs/miss_queue.v")),
    ("queue_room.v", include_str!("../proofs/queue_room.v")),
    ("axis.v", include_str!("../proofs/axis.v")),
    ("filter.v", include_str!("../proofs/filter.v")),
    ("counters.v", include_str!("../proofs/counters.v")),
    ("reset.v", include_str!("../proofs/reset.v")),
    ("general_probes.v", include_str!("../proofs/general_probes.v")),
    ("general_footprint.v", include_str!("../proofs/general_footprint.v")),
    ("general_cube_edge.v", include_str!("../proofs/general_cube_edge.v")),
    ("general_request.v", include_str!("../proofs/general_request.v")),
    ("look_ahead.v", include_str!("../proofs/look_ahead.v")),
    ("aggregate.v", include_str!("../proofs/aggregate.v")),
    ("indirect_loop.v", include_str!("../proofs/indirect_loop.v")),
    ("fifo_flush.v", include_str!("../proofs/fifo_flush.v")),
    ("result_offer.v", include_str!("../proofs/result_offer.v")),
    ("victim.v", include_str!("../proofs/victim.v")),
    ("replacer.v", include_str!("../proofs/replacer.v")),
    ("kernel_properties.v", include_str!("../proofs/kernel_properties.v")),
    ("axi_read_master.v", include_str!("../proofs/axi_read_master.v")),
    ("axi_write_master.v", include_str!("../proofs/axi_write_master.v")),
    ("axi_lite_slave.v", include_str!("../proofs/axi_lite_slave.v")),
    ("wishbone_slave.v", include_str!("../proofs/wishbone_slave.v")),
    ("wishbone_master.v", include_str!("../proofs/wishbone_master.v")),
    ("register_bank.v", include_str!("../proofs/register_bank.v")),
];
