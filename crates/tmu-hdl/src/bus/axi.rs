//! The ports of AXI4 and AXI4-Lite, named as Vivado infers them, and the shape of an AXI4 master.

use crate::prelude::*;

/// Bytes that a burst must not cross a multiple of.
const BOUNDARY_BYTES: usize = 4096;
/// Most transfers of a burst.
const MOST_BEATS: usize = 256;

/// Widths and limits of an AXI4 master.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxiShape {
    /// Bits of a byte address.
    pub address_bits: usize,
    /// Bytes of a transfer: 1, 2, 4 … 128.
    pub data_bytes: usize,
    /// Bits of an ID.
    pub id_bits: usize,
    /// The ID of every burst; answers come in order.
    pub id: u32,
    /// Most transfers of a burst: a power of two, at most 256 and at most 4 KiB.
    pub burst_beats: usize,
    /// Most bursts that are not answered: a power of two from 4.
    pub outstanding: usize,
    /// Bits of a command's number of transfers, less one.
    pub length_bits: usize,
}

impl AxiShape {
    /// # Panics
    /// When the shape breaks a rule of AXI4 or of the masters.
    #[track_caller]
    pub(super) fn check(&self) {
        let AxiShape { address_bits, data_bytes, id_bits, id, burst_beats, outstanding, length_bits } = *self;
        assert!(
            data_bytes.is_power_of_two() && data_bytes <= 128,
            "a transfer has 1, 2, 4 … 128 bytes, not {data_bytes}"
        );
        assert!(
            burst_beats.is_power_of_two() && burst_beats <= MOST_BEATS,
            "a burst has 1, 2, 4 … {MOST_BEATS} transfers at most, not {burst_beats}"
        );
        assert!(
            burst_beats * data_bytes <= BOUNDARY_BYTES,
            "bursts of {burst_beats} transfers of {data_bytes} bytes cross {BOUNDARY_BYTES} bytes"
        );
        assert!((13..=64).contains(&address_bits), "an address has 13 to 64 bits, not {address_bits}");
        assert!(
            id_bits >= 1 && u64::from(id) < 1 << id_bits.min(32),
            "the ID {id} does not fit {id_bits} bits"
        );
        assert!(
            outstanding >= 4 && outstanding.is_power_of_two(),
            "4, 8, 16 … bursts may wait for their answer, not {outstanding}"
        );
        let whole = address_bits - self.byte_bits();
        assert!(
            (1..=whole).contains(&length_bits),
            "a length has 1 to {whole} bits, not {length_bits}: a command ends inside the address space"
        );
    }

    /// Bits of an address inside a transfer.
    pub(super) fn byte_bits(&self) -> usize {
        self.data_bytes.ilog2() as usize
    }

    /// Bits of an address in transfers.
    pub(super) fn beat_address_bits(&self) -> usize {
        self.address_bits - self.byte_bits()
    }

    /// Bits of a place in the largest burst; none where bursts have one transfer.
    pub(super) fn place_bits(&self) -> usize {
        self.burst_beats.ilog2() as usize
    }

    /// Bits of a transfer.
    pub fn data_bits(&self) -> usize {
        8 * self.data_bytes
    }

    /// Widths of the channels.
    pub(super) fn widths(&self) -> AxiWidths {
        let AxiShape { id_bits, address_bits, data_bytes, .. } = *self;
        AxiWidths { id_bits, address_bits, data_bytes }
    }

    /// Bits of a command: the byte address above the number of transfers less one. Address bits inside a transfer are
    /// ignored.
    pub fn command_bits(&self) -> usize {
        self.address_bits + self.length_bits
    }

    /// `16x64`, for module names: bytes, bursts, and how many may wait.
    pub(super) fn name(&self) -> String {
        let AxiShape { address_bits, data_bytes, id_bits, burst_beats, outstanding, length_bits, id } = self;
        format!("a{address_bits}_d{data_bytes}_i{id_bits}_{id}_b{burst_beats}_o{outstanding}_l{length_bits}")
    }
}

/// Widths of the channels of an AXI4 master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxiWidths {
    /// Bits of an ID.
    pub id_bits: usize,
    /// Bits of a byte address.
    pub address_bits: usize,
    /// Bytes of a transfer.
    pub data_bytes: usize,
}

/// The channels of a master as a bundle.
macro_rules! channels {
    ($type:ident, $doc:literal, { $($(#[$meta:meta])* $field:ident: $direction:ty = $width:expr,)* }, $widths:ident) => {
        #[doc = $doc]
        #[derive(Debug, Bundle)]
        pub struct $type {
            $($(#[$meta])* pub $field: Net<$direction>,)*
        }

        impl $type {
            /// The port of a master.
            #[track_caller]
            #[must_use]
            pub fn new($widths: AxiWidths) -> $type {
                $type { $($field: Net::new($width),)* }
            }
        }
    };
}

channels!(AxiRead, "The read channels of an AXI4 master, named as Vivado infers them.", {
    /// Which sequence of answers the burst belongs to.
    arid: Out = widths.id_bits,
    /// Byte address of the first transfer.
    araddr: Out = widths.address_bits,
    /// Transfers, less one.
    arlen: Out = 8,
    /// log2 of the bytes of a transfer.
    arsize: Out = 3,
    /// INCR.
    arburst: Out = 2,
    /// Memory attributes: normal, not cached, bufferable.
    arcache: Out = 4,
    /// Protection attributes: data, secure, unprivileged.
    arprot: Out = 3,
    /// Quality of service.
    arqos: Out = 4,
    /// A burst is offered.
    arvalid: Out = 1,
    /// The burst is taken.
    arready: In = 1,
    /// The ARID that is answered.
    rid: In = widths.id_bits,
    /// The transfer.
    rdata: In = 8 * widths.data_bytes,
    /// OKAY, SLVERR, DECERR.
    rresp: In = 2,
    /// The last transfer of a burst.
    rlast: In = 1,
    /// A transfer is offered.
    rvalid: In = 1,
    /// The transfer is taken.
    rready: Out = 1,
}, widths);

channels!(AxiWrite, "The write channels of an AXI4 master, named as Vivado infers them.", {
    /// Which sequence of answers the burst belongs to.
    awid: Out = widths.id_bits,
    /// Byte address of the first transfer.
    awaddr: Out = widths.address_bits,
    /// Transfers, less one.
    awlen: Out = 8,
    /// log2 of the bytes of a transfer.
    awsize: Out = 3,
    /// INCR.
    awburst: Out = 2,
    /// Memory attributes: normal, not cached, bufferable.
    awcache: Out = 4,
    /// Protection attributes: data, secure, unprivileged.
    awprot: Out = 3,
    /// Quality of service.
    awqos: Out = 4,
    /// A burst is offered.
    awvalid: Out = 1,
    /// The burst is taken.
    awready: In = 1,
    /// The transfer.
    wdata: Out = 8 * widths.data_bytes,
    /// The bytes of it that are written.
    wstrb: Out = widths.data_bytes,
    /// The last transfer of a burst.
    wlast: Out = 1,
    /// A transfer is offered.
    wvalid: Out = 1,
    /// The transfer is taken.
    wready: In = 1,
    /// The AWID that is answered.
    bid: In = widths.id_bits,
    /// OKAY, SLVERR, DECERR.
    bresp: In = 2,
    /// An answer is offered.
    bvalid: In = 1,
    /// The answer is taken.
    bready: Out = 1,
}, widths);

/// An AXI4-Lite slave of 32 bits, its ports named as Vivado infers them.
#[derive(Debug, Bundle)]
pub struct AxiLite {
    /// Write address.
    pub awaddr: Net<In>,
    /// Protection attributes, not looked at.
    pub awprot: Net<In>,
    /// A write address is offered.
    pub awvalid: Net<In>,
    /// The write address is taken.
    pub awready: Net<Out>,
    /// Write data.
    pub wdata: Net<In>,
    /// Bytes to write.
    pub wstrb: Net<In>,
    /// Write data is offered.
    pub wvalid: Net<In>,
    /// The write data is taken.
    pub wready: Net<Out>,
    /// OKAY or SLVERR.
    pub bresp: Net<Out>,
    /// The write is answered.
    pub bvalid: Net<Out>,
    /// The answer is taken.
    pub bready: Net<In>,
    /// Read address.
    pub araddr: Net<In>,
    /// Protection attributes, not looked at.
    pub arprot: Net<In>,
    /// A read address is offered.
    pub arvalid: Net<In>,
    /// The read address is taken.
    pub arready: Net<Out>,
    /// The value that was read.
    pub rdata: Net<Out>,
    /// OKAY or SLVERR.
    pub rresp: Net<Out>,
    /// The read is answered.
    pub rvalid: Net<Out>,
    /// The answer is taken.
    pub rready: Net<In>,
}

impl AxiLite {
    /// A port with byte addresses of so many bits.
    #[track_caller]
    #[must_use]
    pub fn new(address_bits: usize) -> AxiLite {
        AxiLite {
            awaddr: Net::new(address_bits),
            awprot: Net::new(3),
            awvalid: Net::bit(),
            awready: Net::bit(),
            wdata: Net::new(32),
            wstrb: Net::new(4),
            wvalid: Net::bit(),
            wready: Net::bit(),
            bresp: Net::new(2),
            bvalid: Net::bit(),
            bready: Net::bit(),
            araddr: Net::new(address_bits),
            arprot: Net::new(3),
            arvalid: Net::bit(),
            arready: Net::bit(),
            rdata: Net::new(32),
            rresp: Net::new(2),
            rvalid: Net::bit(),
            rready: Net::bit(),
        }
    }
}
