//! What is kept of a row.

use crate::datapath::general::axis::COORDINATE_BITS;
use crate::datapath::general::words::{ItemHead, LookUp, Probe, has_parts};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Probes of a row, at most.
pub(super) const LANES: usize = 4;

/// A row: its probes, see [`Probe`], with what they have in common once.
#[derive(Clone, Debug, Record)]
pub(super) struct Row<T = Bits> {
    pub(super) head: ItemHead<T>,
    pub(super) is_failed: T,
    pub(super) ends_pixel: T,
    pub(super) ends_quad: T,
    pub(super) spread: T,
    pub(super) valid: T,
    pub(super) look_up: LookUp<T>,
    pub(super) is_linear: T,
    pub(super) level: T,
    pub(super) weight: T,
    pub(super) lanes: Vec<Lane<T>>,
}

/// What a probe has for itself.
#[derive(Clone, Debug, Record)]
pub(super) struct Lane<T = Bits> {
    pub(super) pixel: T,
    pub(super) is_valid: T,
    pub(super) u: T,
    pub(super) v: T,
    pub(super) w: T,
    pub(super) face: T,
    pub(super) reference: T,
}

impl Row<Width> {
    /// The shape of a configuration.
    pub(super) fn of(config: &Config) -> Row<Width> {
        let Probe { head, is_failed, ends_pixel, ends_quad, spread, valid, .. } = Probe::of(config);
        let Probe { look_up, is_linear, level, weight, w, face, reference, .. } = Probe::of(config);
        let coordinate = Width::bits(COORDINATE_BITS);
        let lane = |lane: usize| Lane {
            pixel: if has_parts(config) { Width::bits(2) } else { Width::constant(2, lane as u64) },
            is_valid: Width::bits(1),
            u: coordinate,
            v: coordinate,
            w,
            face,
            reference,
        };
        let lanes = (0..LANES).map(lane).collect();
        Row {
            head,
            is_failed,
            ends_pixel,
            ends_quad,
            spread,
            valid,
            look_up,
            is_linear,
            level,
            weight,
            lanes,
        }
    }

    /// The same without places along u and v.
    pub(super) fn without_places(self) -> Row<Width> {
        let none = |lane: Lane<Width>| Lane { u: lane.u.when(false), v: lane.v.when(false), ..lane };
        Row { lanes: self.lanes.into_iter().map(none).collect(), ..self }
    }
}

impl Row {
    /// The probe of a lane.
    pub(super) fn probe(&self, lane: usize) -> Probe {
        let Lane { pixel, is_valid, u, v, w, face, reference } = self.lanes[lane].clone();
        Probe {
            head: self.head.clone(),
            pixel,
            is_valid,
            is_failed: self.is_failed,
            is_table: lit(1, 0u32),
            ends_pixel: self.ends_pixel,
            ends_quad: self.ends_quad,
            spread: self.spread,
            valid: self.valid,
            u,
            v,
            w,
            face,
            reference,
            look_up: self.look_up.clone(),
            is_linear: self.is_linear,
            level: self.level,
            weight: self.weight,
        }
    }
}
