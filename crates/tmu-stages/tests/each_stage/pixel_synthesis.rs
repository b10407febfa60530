//! Depth and area of the stages of the pixel pipeline, as Yosys estimates them for UltraScale+; and what linters say.

use crate::general_synthesis::{Limited, stay_within_depth_and_area, verilog};
use crate::readers::assert_no_reader_warns;
use crate::support::configs;
use tmu_rtl::engines::pixel::depth_setup::DepthSetup;
use tmu_rtl::engines::pixel::drawing::DrawingShape;
use tmu_rtl::engines::pixel::grouping::Grouping;
use tmu_rtl::engines::pixel::hidden_surfaces::HiddenSurfaces;
use tmu_rtl::engines::pixel::interpolation::Interpolation;
use tmu_rtl::engines::pixel::reads::Reads;
use tmu_rtl::engines::pixel::sampling::Sampling;
use tmu_rtl::engines::pixel::shade::Shade;
use tmu_rtl::engines::pixel::shade::answers::ShadeAnswers;
use tmu_rtl::engines::pixel::shade::arithmetic::Arithmetic;
use tmu_rtl::engines::pixel::shade::coordinates::Coordinates;
use tmu_rtl::engines::pixel::shade::entry::ShadeEntry;
use tmu_rtl::engines::pixel::shade::issue::ShadeIssue;
use tmu_rtl::engines::pixel::shade::leave::ShadeLeave;
use tmu_rtl::engines::pixel::shade::program::ShadeProgram;
use tmu_rtl::engines::pixel::shade::registers::ShadeRegisters;
use tmu_rtl::engines::pixel::shade::texture::ShadeTexture;
use tmu_rtl::engines::pixel::shade::words::ShadeShape;
use tmu_rtl::engines::pixel::tile_buffer::TileBuffer;
use tmu_rtl::engines::pixel::tile_depths::TileDepths;
use tmu_rtl::engines::pixel::tile_draw::TileDraw;
use tmu_rtl::engines::pixel::tile_fetch::TileFetch;
use tmu_rtl::engines::pixel::triangle_data::TriangleData;
use tmu_rtl::engines::pixel::triangle_setup::TriangleSetup;
use tmu_rtl::engines::pixel::words::TileShape;
use tmu_rtl::engines::pixel::write_back::WriteBack;
use tmu_rtl::engines::pixel::writes::Writes;

/// The stages with tiles of 32 × 32 pixels, each with the most LUTs and DSP slices.
fn stages() -> Vec<Limited> {
    let full = TileShape::FULL;
    vec![
        (verilog("hidden_surfaces", &HiddenSurfaces::new(&full)), 16200, 24),
        (verilog("triangle_setup", &TriangleSetup::new()), 1620, 4),
        (verilog("interpolation", &Interpolation::new()), 5200, 16),
        (verilog("shade_arithmetic", &Arithmetic::new()), 2600, 4),
        (verilog("shade_coordinates", &Coordinates::new()), 2250, 8),
        (verilog("tile_buffer", &TileBuffer::new(&full)), 2500, 16),
    ]
}

/// Those of 16 × 16 pixels that differ.
fn stages_of_small_tiles() -> Vec<Limited> {
    let lite = TileShape::LITE;
    vec![
        (verilog("hidden_surfaces_lite", &HiddenSurfaces::new(&lite)), 6400, 12),
        (verilog("grouping_lite", &Grouping::new(&lite)), 1540, 0),
    ]
}

/// Bits of what goes along with a quad, as the pipeline may have them.
const ALONG_BITS: usize = 20;

/// `shade` and its parts, with four pixels in a clock of arithmetic and with one.
fn shading() -> Vec<Limited> {
    let (full, lite) = (ShadeShape::full(ALONG_BITS), ShadeShape::lite(ALONG_BITS));
    vec![
        (verilog("shade_program", &ShadeProgram::new(&full)), 570, 0),
        (verilog("shade_entry", &ShadeEntry::new(&full)), 700, 0),
        (verilog("shade_issue", &ShadeIssue::new(&full)), 9800, 16),
        (verilog("shade_registers", &ShadeRegisters::new(&full)), 8050, 0),
        (verilog("shade_texture", &ShadeTexture::new(&full)), 3940, 8),
        (verilog("shade_answers", &ShadeAnswers::new(&full)), 540, 0),
        (verilog("shade_leave", &ShadeLeave::new(&full)), 900, 0),
        (verilog("shade", &Shade::new(&full)), 24750, 24),
        (verilog("shade_issue_lite", &ShadeIssue::new(&lite)), 2710, 4),
        (verilog("shade_registers_lite", &ShadeRegisters::new(&lite)), 3640, 0),
        (verilog("shade_texture_lite", &ShadeTexture::new(&lite)), 3550, 8),
        (verilog("shade_answers_lite", &ShadeAnswers::new(&lite)), 595, 0),
        (verilog("shade_leave_lite", &ShadeLeave::new(&lite)), 670, 0),
        (verilog("shade_lite", &Shade::new(&lite)), 12300, 12),
    ]
}

/// What reads memory, and what goes between tiles; with tiles of 32 × 32 pixels.
fn stages_around() -> Vec<Limited> {
    let full = DrawingShape::full();
    vec![
        (verilog("reads", &Reads::new(LINE_BITS)), 400, 0),
        (verilog("tile_draw", &TileDraw::new(&full.tile, &full.shade)), 1500, 0),
        (verilog("tile_depths", &TileDepths::new(&full.tile)), 2000, 0),
        (verilog("tile_fetch", &TileFetch::new(&full.tile)), 950, 0),
        (verilog("depth_setup", &DepthSetup::new(&full.tile)), 1700, 4),
        (verilog("grouping", &Grouping::new(&full.tile)), 3000, 0),
        (verilog("triangle_data", &TriangleData::new(&full.tile, &full.shade)), 4200, 4),
        (verilog("sampling", &Sampling::new(&configs::sampler_of_pixels())), 825, 0),
        (verilog("write_back", &WriteBack::new(&full.tile)), 710, 0),
        (verilog("writes", &Writes::new(LINE_BITS)), 130, 0),
    ]
}

/// Bits of the number of a line of memory.
const LINE_BITS: usize = 36;

#[test]
fn no_linter_warns_of_the_pixel_pipeline() {
    let limited = stages().into_iter().chain(stages_of_small_tiles()).chain(shading()).chain(stages_around());
    assert_no_reader_warns(limited.map(|(stage, ..)| ("", stage)));
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_the_pixel_pipeline_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_around_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_around());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_small_tiles_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_of_small_tiles());
}

#[test]
#[ignore = "minutes of synthesis"]
fn shading_stays_within_depth_and_area() {
    stay_within_depth_and_area(shading());
}
