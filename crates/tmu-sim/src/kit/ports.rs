//! The ports that every system has, found once by name, and the movement of data between them and the bus models.

use crate::kit::control::{Driven, Shown};
use crate::kit::domain::Domain;
use crate::kit::memory::{self, Address, WriteBeat};
use tmu_spec::Config;
use tmu_verilate::{Instance, Model, PortId, Result};

/// A clock with its reset.
#[derive(Debug, Clone, Copy)]
pub(super) struct DomainPorts {
    pub(super) clock: PortId,
    /// Active low.
    pub(super) reset: PortId,
}

impl DomainPorts {
    fn find(model: &Model, prefix: &str) -> Result<Self> {
        Ok(Self {
            clock: model.port(&format!("{prefix}_aclk"))?,
            reset: model.port(&format!("{prefix}_aresetn"))?,
        })
    }

    /// The clocks of a configuration: core, unit, and the memory port's if it has its own.
    pub(super) fn find_all(model: &Model, config: &Config) -> Result<Vec<Self>> {
        Domain::of(config).iter().map(|domain| Self::find(model, domain.prefix())).collect()
    }
}

/// An address channel of `m_axi`.
#[derive(Debug, Clone, Copy)]
struct AddressPorts {
    valid: PortId,
    ready: PortId,
    /// addr, id, len, size, burst, cache, prot, qos.
    fields: [PortId; 8],
}

impl AddressPorts {
    /// `ar` or `aw`.
    fn find(model: &Model, channel: &str) -> Result<Self> {
        let port = |signal: &str| model.port(&format!("m_axi_{channel}{signal}"));
        Ok(Self {
            valid: port("valid")?,
            ready: port("ready")?,
            fields: [
                port("addr")?,
                port("id")?,
                port("len")?,
                port("size")?,
                port("burst")?,
                port("cache")?,
                port("prot")?,
                port("qos")?,
            ],
        })
    }

    /// The address shown, if it is valid.
    fn shown(&self, instance: &Instance) -> Option<Address> {
        if instance.get(self.valid) == 0 {
            return None;
        }
        let [address, id, len, size, burst, cache, prot, qos] = self.fields.map(|port| instance.get(port));
        Some(Address {
            id: id as u32,
            address,
            len: len as u8,
            size: size as u8,
            burst: burst as u8,
            attributes: [cache as u8, prot as u8, qos as u8],
        })
    }
}

/// The write channels of `m_axi`.
#[derive(Debug, Clone, Copy)]
struct WritePorts {
    aw: AddressPorts,
    /// wvalid, wready, wdata, wstrb, wlast.
    w: [PortId; 5],
    /// bvalid, bready, bid, bresp.
    b: [PortId; 4],
}

impl WritePorts {
    fn find(model: &Model) -> Result<Self> {
        let port = |signal: &str| model.port(&format!("m_axi_{signal}"));
        Ok(Self {
            aw: AddressPorts::find(model, "aw")?,
            w: [port("wvalid")?, port("wready")?, port("wdata")?, port("wstrb")?, port("wlast")?],
            b: [port("bvalid")?, port("bready")?, port("bid")?, port("bresp")?],
        })
    }

    fn beat(&self, instance: &Instance) -> Option<WriteBeat> {
        let [valid, _, data, strobes, last] = self.w;
        (instance.get(valid) != 0).then(|| WriteBeat {
            data: instance.get_u128(data).to_le_bytes(),
            strobes: instance.get(strobes) as u16,
            last: instance.get(last) != 0,
        })
    }

    fn drive(&self, instance: &mut Instance, driven: &memory::Driven<'_>) {
        instance.set(self.aw.ready, driven.write_ready.into());
        instance.set(self.w[1], driven.beat_ready.into());
        let [valid, _, id, response] = self.b;
        instance.set(valid, driven.response.is_some().into());
        if let Some(shown) = driven.response {
            instance.set(id, shown.id.into());
            instance.set(response, shown.response.into());
        }
    }
}

/// `m_axi`.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryPorts {
    ar: AddressPorts,
    r_valid: PortId,
    r_ready: PortId,
    /// rdata, rid, rresp, rlast.
    r: [PortId; 4],
    /// Where an engine writes.
    writes: Option<WritePorts>,
}

impl MemoryPorts {
    pub(super) fn find(model: &Model, config: &Config) -> Result<Self> {
        let port = |signal: &str| model.port(&format!("m_axi_{signal}"));
        Ok(Self {
            ar: AddressPorts::find(model, "ar")?,
            r_valid: port("rvalid")?,
            r_ready: port("rready")?,
            r: [port("rdata")?, port("rid")?, port("rresp")?, port("rlast")?],
            writes: (config.channels().writes > 0).then(|| WritePorts::find(model)).transpose()?,
        })
    }

    pub(super) fn shown(&self, instance: &Instance) -> memory::Shown {
        let reads = memory::Shown {
            read: self.ar.shown(instance),
            read_ready: instance.get(self.r_ready) != 0,
            ..memory::Shown::default()
        };
        let Some(writes) = &self.writes else { return reads };
        memory::Shown {
            write: writes.aw.shown(instance),
            beat: writes.beat(instance),
            response_ready: instance.get(writes.b[1]) != 0,
            ..reads
        }
    }

    /// Shows what the memory shows.
    pub(super) fn drive(&self, instance: &mut Instance, driven: &memory::Driven<'_>) {
        instance.set(self.ar.ready, driven.read_ready.into());
        if let Some(writes) = &self.writes {
            writes.drive(instance, driven);
        }
        let Some(shown) = driven.read else { return instance.set(self.r_valid, 0) };
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
pub(super) struct ControlPorts {
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
    pub(super) fn find(model: &Model) -> Result<Self> {
        let port = |signal: &str| model.port(&format!("s_axil_{signal}"));
        Ok(Self {
            aw: [port("awvalid")?, port("awready")?, port("awaddr")?, port("awprot")?],
            w: [port("wvalid")?, port("wready")?, port("wdata")?, port("wstrb")?],
            b: [port("bvalid")?, port("bready")?, port("bresp")?],
            ar: [port("arvalid")?, port("arready")?, port("araddr")?, port("arprot")?],
            r: [port("rvalid")?, port("rready")?, port("rdata")?, port("rresp")?],
        })
    }

    pub(super) fn shown(&self, instance: &Instance) -> Shown {
        let get = |port| instance.get(port);
        Shown {
            write_address_ready: get(self.aw[1]) != 0,
            write_data_ready: get(self.w[1]) != 0,
            write_response: (get(self.b[0]) != 0).then(|| get(self.b[2]) as u8),
            read_address_ready: get(self.ar[1]) != 0,
            read_data: (get(self.r[0]) != 0).then(|| (get(self.r[2]) as u32, get(self.r[3]) as u8)),
        }
    }

    pub(super) fn drive(&self, instance: &mut Instance, driven: &Driven) {
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
