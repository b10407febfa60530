//! The streams of a unit, found once by name.

use crate::engines::sampler::streams::request::RequestDriver;
use crate::engines::sampler::streams::result::{ResultBeat, ResultMonitor};
use tmu_spec::Config;
use tmu_spec::quad::MOST_TDATA_BYTES;
use tmu_verilate::{Instance, Model, PortId, Result};

/// `s_axis_req{i}` and `m_axis_res{i}`.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitPorts {
    request: [PortId; 5],
    result: [PortId; 4],
    /// `tlast` of results, where a quad may have several.
    result_last: Option<PortId>,
    request_bytes: usize,
    /// A result has more than 128 bits.
    is_wide: bool,
}

impl UnitPorts {
    pub(super) fn find(model: &Model, unit: u32, config: &Config) -> Result<Self> {
        let request = |signal: &str| model.port(&format!("s_axis_req{unit}_{signal}"));
        let result = |signal: &str| model.port(&format!("m_axis_res{unit}_{signal}"));
        let has_indirect = config.features().has_indirect();
        Ok(Self {
            request: [
                request("tvalid")?,
                request("tready")?,
                request("tdata")?,
                request("tuser")?,
                request("tlast")?,
            ],
            result: [result("tvalid")?, result("tready")?, result("tdata")?, result("tuser")?],
            result_last: has_indirect.then(|| result("tlast")).transpose()?,
            request_bytes: config.request_tdata_bits() as usize / 8,
            is_wide: config.result_tdata_bits() > u128::BITS,
        })
    }

    pub(super) fn request_ready(&self, instance: &Instance) -> bool {
        instance.get(self.request[1]) != 0
    }

    /// Shows what the driver shows.
    pub(super) fn drive_request(&self, instance: &mut Instance, driver: &RequestDriver) {
        let [valid, _, data, user, last] = self.request;
        let Some(beat) = driver.shown() else { return instance.set(valid, 0) };
        let mut words = [0u32; MOST_TDATA_BYTES.div_ceil(4)];
        for (at, byte) in beat.low_bytes(self.request_bytes).iter().enumerate() {
            words[at / 4] |= u32::from(*byte) << (at % 4 * 8);
        }
        instance.set(valid, 1);
        instance.set_wide(data, &words[..self.request_bytes.div_ceil(4)]);
        instance.set(user, beat.is_binding().into());
        instance.set(last, beat.last().into());
    }

    pub(super) fn result_valid(&self, instance: &Instance) -> bool {
        instance.get(self.result[0]) != 0
    }

    pub(super) fn result(&self, instance: &Instance) -> ResultBeat {
        let tuser = instance.get(self.result[3]) as u8;
        let last = self.result_last.is_none_or(|last| instance.get(last) != 0);
        if !self.is_wide {
            return ResultBeat { last, ..ResultBeat::narrow(instance.get_u128(self.result[2]), tuser) };
        }
        let data = instance.get_wide(self.result[2]);
        let mut words = data
            .chunks(4)
            .map(|word| word.iter().rev().fold(0, |value, part| value << 32 | u128::from(*part)));
        let mut next = || words.next().unwrap_or(0);
        ResultBeat { tdata: next(), above: [next(), next(), next()], tuser, last }
    }

    pub(super) fn drive_result(&self, instance: &mut Instance, monitor: &ResultMonitor) {
        instance.set(self.result[1], monitor.ready().into());
    }
}
