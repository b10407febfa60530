//! The calls of `tmu_bring_up.h`.

use super::CDriver;
use std::ffi::c_int;
use tmu_driver::Bus;

#[repr(C)]
#[derive(Default)]
struct CWalk {
    is_random: u8,
    valid: u8,
    quads: u32,
    row_quads: u16,
    first: [u32; 2],
    across: [i32; 2],
    down: [i32; 2],
}

/// `struct tmu_report`.
#[repr(C)]
#[derive(Debug, Default)]
pub(crate) struct CReport {
    pub(crate) crc: u32,
    pub(crate) results: u32,
    pub(crate) failed: u32,
    pub(crate) clocks: u32,
    pub(crate) reads: u32,
    pub(crate) least_latency: u32,
    pub(crate) most_latency: u32,
    pub(crate) latency_sum: u32,
    pub(crate) lines: u32,
    pub(crate) waiting: u32,
}

#[repr(C)]
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CNeeds {
    pub(crate) outstanding_reads: u32,
    pub(crate) queue_depth: u32,
}

impl<B: Bus> CDriver<B> {
    /// A run of a pattern by its number on unit 0; a capture as well. What the kit says, and the beats it has captured.
    pub(crate) fn bring_up(
        &mut self,
        binding: &[u32],
        pattern: c_int,
        size: [u32; 2],
        quads: u32,
        row_quads: u16,
    ) -> (CReport, u32) {
        type OfUnit = unsafe extern "C" fn(*const super::CCore, u32) -> c_int;
        type OfCore = unsafe extern "C" fn(*const super::CCore) -> c_int;
        type WalkOf = unsafe extern "C" fn(*mut CWalk, c_int, u32, u32, u32, u16);
        type Start = unsafe extern "C" fn(*const super::CCore, *const u32, u32, *const CWalk) -> c_int;
        type ReportOf = unsafe extern "C" fn(*const super::CCore, *mut CReport) -> c_int;
        type Captured = unsafe extern "C" fn(*const super::CCore, *mut u32) -> c_int;
        let core = &raw const *self.core;
        let (mut walk, mut report, mut beats) = (CWalk::default(), CReport::default(), 0);
        let take = self.function::<OfUnit>("tmu_bring_up_take");
        let capture = self.function::<OfUnit>("tmu_bring_up_capture");
        let give_back = self.function::<OfCore>("tmu_bring_up_give_back");
        let wait = self.function::<OfCore>("tmu_bring_up_wait");
        let walk_of = self.function::<WalkOf>("tmu_walk_of");
        let start = self.function::<Start>("tmu_bring_up_start");
        let report_of = self.function::<ReportOf>("tmu_bring_up_report");
        let captured = self.function::<Captured>("tmu_bring_up_captured");
        // SAFETY: the types are those of the header, and what is pointed to outlives the calls.
        let statuses = unsafe {
            walk_of(&raw mut walk, pattern, size[0], size[1], quads, row_quads);
            [
                take(core, 0),
                capture(core, 0),
                start(core, binding.as_ptr(), binding.len() as u32, &raw const walk),
                wait(core),
                report_of(core, &raw mut report),
                captured(core, &raw mut beats),
                give_back(core),
            ]
        };
        assert_eq!(statuses, [0; 7]);
        (report, beats)
    }

    /// The reads that were captured: first line and lines of each.
    pub(crate) fn captured_reads(&mut self) -> Vec<[u32; 2]> {
        type Captured = unsafe extern "C" fn(*const super::CCore, *mut u32) -> c_int;
        type Read = unsafe extern "C" fn(*const super::CCore, u32, *mut u32, *mut u32) -> c_int;
        let core = &raw const *self.core;
        let captured = self.function::<Captured>("tmu_bring_up_captured_reads");
        let read = self.function::<Read>("tmu_bring_up_read");
        let mut number = 0;
        // SAFETY: the type is that of the header, and what is pointed to outlives the call.
        assert_eq!(unsafe { captured(core, &raw mut number) }, 0);
        (0..number)
            .map(|number| {
                let [mut line, mut lines] = [0; 2];
                // SAFETY: as above.
                assert_eq!(unsafe { read(core, number, &raw mut line, &raw mut lines) }, 0);
                [line, lines]
            })
            .collect()
    }

    /// What hides a latency.
    pub(crate) fn needs(&self, measured_clocks: u32, units: u32, pixels_per_clock: u32) -> CNeeds {
        type NeedsOf = unsafe extern "C" fn(*mut CNeeds, u32, u32, u32);
        let mut needs = CNeeds::default();
        let needs_of = self.function::<NeedsOf>("tmu_needs_of");
        // SAFETY: the type is that of the header.
        unsafe { needs_of(&raw mut needs, measured_clocks, units, pixels_per_clock) };
        needs
    }
}
