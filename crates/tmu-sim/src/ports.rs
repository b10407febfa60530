//! The ports of a texture unit, found once by name, and the movement of data between them and the bus models.

use crate::bench::Domain;
use crate::bus::control::{Driven, Shown};
use crate::bus::memory::{MemoryPort, ReadAddress};
use crate::bus::request::RequestDriver;
use crate::bus::result::{ResultBeat, ResultMonitor};
use tmu_spec::{BeatsPerQuad, Config};
use tmu_verilate::{Instance, Model, PortId, Result};

/// A clock with its reset.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DomainPorts {
    pub(crate) clock: PortId,
    /// Active low.
    pub(crate) reset: PortId,
}

impl DomainPorts {
    fn find(model: &Model, prefix: &str) -> Result<Self> {
        Ok(Self {
            clock: model.port(&format!("{prefix}_aclk"))?,
            reset: model.port(&format!("{prefix}_aresetn"))?,
        })
    }

    /// The clocks of a configuration: core, unit, and the memory port's if it has its own.
    pub(crate) fn find_all(model: &Model, config: &Config) -> Result<Vec<Self>> {
        Domain::of(config).iter().map(|domain| Self::find(model, domain.prefix())).collect()
    }
}

/// `s_axis_req{i}` and `m_axis_res{i}`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnitPorts {
    request: [PortId; 5],
    result: [PortId; 4],
    beats_per_quad: BeatsPerQuad,
}

impl UnitPorts {
    pub(crate) fn find(model: &Model, unit: u32, config: &Config) -> Result<Self> {
        let request = |signal: &str| model.port(&format!("s_axis_req{unit}_{signal}"));
        let result = |signal: &str| model.port(&format!("m_axis_res{unit}_{signal}"));
        Ok(Self {
            request: [
                request("tvalid")?,
                request("tready")?,
                request("tdata")?,
                request("tuser")?,
                request("tlast")?,
            ],
            result: [result("tvalid")?, result("tready")?, result("tdata")?, result("tuser")?],
            beats_per_quad: config.request().beats_per_quad(),
        })
    }

    pub(crate) fn request_ready(&self, instance: &Instance) -> bool {
        instance.get(self.request[1]) != 0
    }

    /// Shows what the driver shows.
    pub(crate) fn drive_request(&self, instance: &mut Instance, driver: &RequestDriver) {
        let [valid, _, data, user, last] = self.request;
        let Some(beat) = driver.shown() else { return instance.set(valid, 0) };
        let mut words = [0u32; BeatsPerQuad::One.tdata_bytes().div_ceil(4)];
        for (at, byte) in beat.tdata(self.beats_per_quad).iter().enumerate() {
            words[at / 4] |= u32::from(*byte) << (at % 4 * 8);
        }
        instance.set(valid, 1);
        instance.set_wide(data, &words);
        instance.set(user, beat.is_binding().into());
        instance.set(last, beat.last().into());
    }

    pub(crate) fn result_valid(&self, instance: &Instance) -> bool {
        instance.get(self.result[0]) != 0
    }

    pub(crate) fn result(&self, instance: &Instance) -> ResultBeat {
        ResultBeat { tdata: instance.get_u128(self.result[2]), tuser: instance.get(self.result[3]) as u8 }
    }

    pub(crate) fn drive_result(&self, instance: &mut Instance, monitor: &ResultMonitor) {
        instance.set(self.result[1], monitor.ready().into());
    }
}

/// `m_axi`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemoryPorts {
    ar_valid: PortId,
    ar_ready: PortId,
    /// araddr, arid, arlen, arsize, arburst, arcache, arprot, arqos.
    ar: [PortId; 8],
    r_valid: PortId,
    r_ready: PortId,
    /// rdata, rid, rresp, rlast.
    r: [PortId; 4],
}

impl MemoryPorts {
    pub(crate) fn find(model: &Model) -> Result<Self> {
        let port = |signal: &str| model.port(&format!("m_axi_{signal}"));
        Ok(Self {
            ar_valid: port("arvalid")?,
            ar_ready: port("arready")?,
            ar: [
                port("araddr")?,
                port("arid")?,
                port("arlen")?,
                port("arsize")?,
                port("arburst")?,
                port("arcache")?,
                port("arprot")?,
                port("arqos")?,
            ],
            r_valid: port("rvalid")?,
            r_ready: port("rready")?,
            r: [port("rdata")?, port("rid")?, port("rresp")?, port("rlast")?],
        })
    }

    /// The address shown, if it is valid.
    pub(crate) fn address(&self, instance: &Instance) -> Option<ReadAddress> {
        if instance.get(self.ar_valid) == 0 {
            return None;
        }
        let [address, id, len, size, burst, cache, prot, qos] = self.ar.map(|port| instance.get(port));
        Some(ReadAddress {
            id: id as u32,
            address,
            len: len as u8,
            size: size as u8,
            burst: burst as u8,
            attributes: [cache as u8, prot as u8, qos as u8],
        })
    }

    pub(crate) fn data_ready(&self, instance: &Instance) -> bool {
        instance.get(self.r_ready) != 0
    }

    /// Shows what the memory shows.
    pub(crate) fn drive(&self, instance: &mut Instance, memory: &MemoryPort) {
        instance.set(self.ar_ready, memory.address_ready().into());
        let Some(shown) = memory.shown() else { return instance.set(self.r_valid, 0) };
        let [data, id, response, last] = self.r;
        let (words, _) = shown.data.as_chunks();
        let words: [u32; 4] = std::array::from_fn(|word| u32::from_le_bytes(words[word]));
        instance.set(self.r_valid, 1);
        instance.set_wide(data, &words);
        instance.set(id, shown.id.into());
        instance.set(response, shown.response.into());
        instance.set(last, shown.last.into());
    }
}

/// `s_axil`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ControlPorts {
    /// awvalid, awready, awaddr, awprot.
    aw: [PortId; 4],
    /// wvalid, wready, wdata, wstrb.
    w: [PortId; 4],
    /// bvalid, bready, bresp.
    b: [PortId; 3],
    /// arvalid, arready, araddr, arprot.
    ar: [PortId; 4],
    /// rvalid, rready, rdata, rresp.
    r: [PortId; 4],
}

impl ControlPorts {
    pub(crate) fn find(model: &Model) -> Result<Self> {
        let port = |signal: &str| model.port(&format!("s_axil_{signal}"));
        Ok(Self {
            aw: [port("awvalid")?, port("awready")?, port("awaddr")?, port("awprot")?],
            w: [port("wvalid")?, port("wready")?, port("wdata")?, port("wstrb")?],
            b: [port("bvalid")?, port("bready")?, port("bresp")?],
            ar: [port("arvalid")?, port("arready")?, port("araddr")?, port("arprot")?],
            r: [port("rvalid")?, port("rready")?, port("rdata")?, port("rresp")?],
        })
    }

    pub(crate) fn shown(&self, instance: &Instance) -> Shown {
        let get = |port| instance.get(port);
        Shown {
            write_address_ready: get(self.aw[1]) != 0,
            write_data_ready: get(self.w[1]) != 0,
            write_response: (get(self.b[0]) != 0).then(|| get(self.b[2]) as u8),
            read_address_ready: get(self.ar[1]) != 0,
            read_data: (get(self.r[0]) != 0).then(|| (get(self.r[2]) as u32, get(self.r[3]) as u8)),
        }
    }

    pub(crate) fn drive(&self, instance: &mut Instance, driven: &Driven) {
        let values = [
            (self.aw[0], u64::from(driven.write_address_valid)),
            (self.aw[2], driven.write_address.into()),
            (self.w[0], driven.write_data_valid.into()),
            (self.w[2], driven.write_data.into()),
            (self.w[3], driven.strobe.into()),
            (self.b[1], driven.write_response_ready.into()),
            (self.ar[0], driven.read_address_valid.into()),
            (self.ar[2], driven.read_address.into()),
            (self.r[1], driven.read_data_ready.into()),
            // Unprivileged, secure data accesses.
            (self.aw[3], 0),
            (self.ar[3], 0),
        ];
        for (port, value) in values {
            instance.set(port, value);
        }
    }
}
