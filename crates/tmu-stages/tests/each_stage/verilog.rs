//! The emitted Verilog of every stage in Verilator, all of them in one model: rows that the tests above send, and each output bit
//! that the interpreter knows must be the same.

use crate::{
    address, blocks, cache, control_registers, coordinate, counters, data_stage, decode, fill, filter,
    general_aggregate, general_color_table, general_compare, general_decode, general_fields, general_filter,
    general_lod, general_look_ahead, general_places, general_probes, general_projection, general_request,
    general_result, general_texels, loader_job_port, lod, memory_port, mesh_address, mesh_colors, mesh_front,
    mesh_texture_cache, miss_queue, pixel_grouping, pixel_hidden_surfaces, pixel_planes, pixel_sampling,
    pixel_shade, pixel_shade_quads, pixel_tile, pixel_tile_fetch, pixel_triangle_data, pixel_writes,
    quad_scheduler, replacer, request, reset, store_port, store_switch, tag_stage, tile_search,
};
use tmu_cosim::{from_value, source, to_value};
use tmu_hdl::simulate::{Interpreter, Unknown};
use tmu_hdl::value::Value;
use tmu_stages::tape::{Tape, record};
use tmu_verilate::{
    Batch, Column, Initial, Model, ModelOptions, ModelSource, OptimizeFor, RowLayout, Rows, Schedule, Tools,
};

/// Clocks that each block runs.
const ROWS: usize = 600;

const STAGES: [(&str, fn()); 96] = [
    ("address::blocking", address::blocking),
    ("address::pipelined_pixel", address::pipelined_pixel),
    ("address::pipelined_quad", address::pipelined_quad),
    ("blocks::header", blocks::header),
    ("blocks::texel", blocks::texel),
    ("cache::four_ways", cache::four_ways),
    ("control_registers::errors", control_registers::errors),
    ("coordinate::axis", coordinate::axis),
    ("coordinate::blocking", coordinate::blocking),
    ("coordinate::pipelined_pixel", coordinate::pipelined_pixel),
    ("coordinate::pipelined_quad", coordinate::pipelined_quad),
    ("counters", counters::counters),
    ("data_stage::blocks", data_stage::blocks),
    ("data_stage::pixel", data_stage::pixel),
    ("data_stage::quad", data_stage::quad),
    ("decode::blocking", decode::blocking),
    ("decode::pipelined::pixel", decode::pipelined::pixel),
    ("decode::pipelined::quad", decode::pipelined::quad),
    ("fill::blocks", fill::blocks),
    ("fill::pixel", fill::pixel),
    ("fill::quad", fill::quad),
    ("fill::stored", fill::stored),
    ("filter::blocking", filter::blocking),
    ("filter::pipelined_pixel", filter::pipelined_pixel),
    ("filter::pipelined_quad", filter::pipelined_quad),
    ("general_aggregate::with_floats", general_aggregate::with_floats),
    ("general_aggregate::without_floats", general_aggregate::without_floats),
    ("general_color_table::color_table", general_color_table::color_table),
    ("general_compare::everything", general_compare::everything),
    ("general_decode::everything", general_decode::everything),
    ("general_decode::multi_lite", general_decode::multi_lite),
    ("general_fields", general_fields::general_fields),
    ("general_filter::everything", general_filter::everything),
    ("general_filter::lanes::everything", general_filter::lanes::everything),
    ("general_filter::lanes::multi_lite", general_filter::lanes::multi_lite),
    ("general_filter::multi_lite", general_filter::multi_lite),
    ("general_lod", general_lod::general_lod),
    ("general_look_ahead", general_look_ahead::general_look_ahead),
    ("general_places::everything", general_places::everything),
    ("general_places::without_border", general_places::without_border),
    ("general_probes", general_probes::general_probes),
    ("general_probes::rows", general_probes::rows::general_rows),
    ("general_probes::rows::with_everything", general_probes::rows::with_everything),
    ("general_projection", general_projection::general_projection),
    ("general_projection::of_singles", general_projection::of_singles),
    ("general_projection::of_everything", general_projection::of_everything),
    ("general_request", general_request::general_request),
    ("general_result::everything", general_result::everything),
    ("general_result::lanes::everything", general_result::lanes::everything),
    ("general_texels", general_texels::general_texels),
    ("general_texels::rows", general_texels::rows::of_volumes),
    ("loader_job_port", loader_job_port::loader_job_port),
    ("lod::blocking", lod::blocking),
    ("lod::pipelined_pixel", lod::pipelined_pixel),
    ("lod::pipelined_quad", lod::pipelined_quad),
    ("memory_port::four_units", memory_port::four_units),
    ("mesh_address", mesh_address::mesh_address),
    ("mesh_colors::blend", mesh_colors::blend::blend),
    ("mesh_colors::filter", mesh_colors::filter::filter),
    ("mesh_colors::frame_reader", mesh_colors::frame_reader::frame_reader),
    ("mesh_colors::shade", mesh_colors::shade::shade),
    ("mesh_colors::write_combiner", mesh_colors::write_combiner::write_combiner),
    ("mesh_front::coordinate", mesh_front::mesh_coordinate),
    ("mesh_front::interpolate", mesh_front::mesh_interpolate),
    ("mesh_front::vertices", mesh_front::mesh_vertices),
    ("mesh_texture_cache::failing_reads", mesh_texture_cache::failing_reads),
    ("mesh_texture_cache::texels", mesh_texture_cache::texels),
    ("miss_queue::pixel", miss_queue::pixel),
    ("pixel_grouping::lite", pixel_grouping::lite),
    ("pixel_hidden_surfaces::lite", pixel_hidden_surfaces::lite),
    ("pixel_planes::reciprocals", pixel_planes::reciprocals),
    ("pixel_planes::setup", pixel_planes::setup),
    ("pixel_planes::values", pixel_planes::values),
    ("pixel_sampling::sampling", pixel_sampling::sampling),
    ("pixel_shade::arithmetic", pixel_shade::arithmetic),
    ("pixel_shade::coordinates", pixel_shade::coordinates),
    ("pixel_shade_quads::full", pixel_shade_quads::full),
    ("pixel_shade_quads::lite", pixel_shade_quads::lite),
    ("pixel_tile::tile_buffer", pixel_tile::tile_buffer),
    ("pixel_tile::write_back", pixel_tile::write_back),
    ("pixel_tile_fetch::frames", pixel_tile_fetch::frames),
    ("pixel_triangle_data::frames", pixel_triangle_data::frames),
    ("pixel_writes::writes", pixel_writes::writes),
    ("quad_scheduler::pixel", quad_scheduler::pixel),
    ("quad_scheduler::quad", quad_scheduler::quad),
    ("replacer", replacer::replacer),
    ("victim", replacer::victim),
    ("request::blocking", request::blocking),
    ("request::pipelined_quad", request::pipelined_quad),
    ("reset", reset::reset),
    ("store_port::entries_of_tables", store_port::entries_of_tables),
    ("store_port::packets", store_port::packets),
    ("store_switch", store_switch::store_switch),
    ("tag_stage::blocks", tag_stage::blocks),
    ("tag_stage::pixel", tag_stage::pixel),
    ("tile_search", tile_search::tile_search),
];

/// A block with its rows, what must come out, and which bits of that nobody has defined.
struct Member {
    name: &'static str,
    source: ModelSource,
    inputs: Rows,
    expected: Rows,
    unknown: Rows,
}

impl Member {
    fn new(name: &'static str, tape: &Tape) -> Member {
        let mut interpreter = Interpreter::new(tape.design.clone(), Unknown::Memories)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let clocks: Vec<String> = interpreter.clocks().into_iter().map(Into::into).collect();
        let names: Vec<&str> = clocks.iter().map(String::as_str).collect();
        let source = source(&tape.design, &names);
        let port = |interpreter: &Interpreter, name: &str| {
            interpreter.port(name).unwrap_or_else(|| panic!("a port {name}"))
        };
        let clocks: Vec<_> = clocks.iter().map(|clock| port(&interpreter, clock)).collect();
        let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), ROWS);
        let outputs = RowLayout::outputs(&source);
        let columns: Vec<(Column, _)> = outputs
            .columns()
            .iter()
            .map(|column| (column.clone(), port(&interpreter, &column.name)))
            .collect();
        let driven: Vec<(Column, _)> = inputs
            .layout()
            .columns()
            .iter()
            .map(|column| (column.clone(), port(&interpreter, &column.name)))
            .collect();
        let (mut expected, mut unknown) = (Rows::zeros(outputs.clone(), ROWS), Rows::zeros(outputs, ROWS));
        for (row, values) in tape.rows.iter().enumerate() {
            for (column, port) in &driven {
                let at = tape.inputs.iter().position(|input| *input == column.name);
                let value: Value = values[at.unwrap_or_else(|| panic!("an input {}", column.name))];
                from_value(&value, inputs.value_mut(row, column));
                interpreter.set(*port, &to_value(inputs.value(row, column), column.width_bits as usize));
            }
            interpreter.settle().unwrap_or_else(|failure| panic!("{failure}"));
            for (column, port) in &columns {
                from_value(&interpreter.get(*port), expected.value_mut(row, column));
                from_value(&interpreter.unknown_bits(*port), unknown.value_mut(row, column));
            }
            interpreter.tick(&clocks).unwrap_or_else(|failure| panic!("{failure}"));
        }
        Member { name, source, inputs, expected, unknown }
    }

    /// Clocks in which an output that is known changes.
    fn changes(&self) -> usize {
        let known = |row: usize| {
            let pairs = self.expected.row(row).iter().zip(self.unknown.row(row));
            pairs.map(|(value, unknown)| value & !unknown).collect::<Vec<_>>()
        };
        (1..ROWS).filter(|row| known(*row) != known(row - 1)).count()
    }

    /// The first output that differs.
    fn difference(&self, got: &Rows) -> Option<String> {
        let columns = self.expected.layout().columns();
        (0..ROWS).find_map(|row| {
            columns.iter().find_map(|column| {
                let of = |rows: &Rows| rows.value(row, column).to_vec();
                let known = of(&self.unknown).into_iter().map(|bits| !bits);
                let pairs = of(got).into_iter().zip(of(&self.expected)).zip(known);
                let differs = pairs.into_iter().any(|((got, expected), known)| (got ^ expected) & known != 0);
                differs.then(|| {
                    let (name, port) = (self.name, &column.name);
                    format!(
                        "{name}: `{port}` in clock {row}: Rust {:x?}, Verilator {:x?}",
                        of(&self.expected),
                        of(got)
                    )
                })
            })
        })
    }
}

#[test]
fn every_stage_is_its_verilog() {
    if Tools::are_missing() {
        return;
    }
    let members: Vec<Member> =
        STAGES.iter().map(|(name, test)| Member::new(name, &record(name, ROWS, test))).collect();
    let batch = Batch::new(members.iter().map(|member| member.source.clone()).collect());
    let batch = batch.unwrap_or_else(|refused| panic!("{refused}"));
    let inputs: Vec<Rows> = members.iter().map(|member| member.inputs.clone()).collect();
    let run = || {
        let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
        let model = Model::build(batch.source(), &options)?;
        let rows = batch.join(Schedule::Cycles, &inputs)?;
        model.instance_with(Initial::Random(20_260_101))?.run(Schedule::Cycles, &rows)
    };
    let outputs = run().unwrap_or_else(|refused: tmu_verilate::Error| panic!("{refused}"));
    let outputs = batch.split(&outputs);
    let changes: usize = members.iter().map(Member::changes).sum();
    assert!(changes > STAGES.len() * ROWS / 4, "outputs change in only {changes} clocks");
    let differences: Vec<String> =
        members.iter().zip(&outputs).filter_map(|(member, got)| member.difference(got)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
