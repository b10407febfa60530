//! The ports of a block as lists, so that rows of values can drive and sample any block.

use tmu_hdl::arithmetic::*;
use tmu_hdl::bus::*;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::*;

/// The ports of a block in the order of its fields, which is the order of its Verilog ports.
#[derive(Default)]
pub(crate) struct PortList<'a> {
    pub(crate) inputs: Vec<&'a Net<In>>,
    pub(crate) outputs: Vec<&'a Net<Out>>,
}

/// Something with ports.
pub(crate) trait Ports {
    /// Appends the ports.
    fn list<'a>(&'a self, to: &mut PortList<'a>);
}

impl Ports for Net<In> {
    fn list<'a>(&'a self, to: &mut PortList<'a>) {
        to.inputs.push(self);
    }
}

impl Ports for Net<Out> {
    fn list<'a>(&'a self, to: &mut PortList<'a>) {
        to.outputs.push(self);
    }
}

impl<P: Ports> Ports for Optional<P> {
    fn list<'a>(&'a self, to: &mut PortList<'a>) {
        self.iter().for_each(|part| part.list(to));
    }
}

impl<P: Ports> Ports for Vec<P> {
    fn list<'a>(&'a self, to: &mut PortList<'a>) {
        self.iter().for_each(|part| part.list(to));
    }
}

impl Ports for FieldNets<In> {
    fn list<'a>(&'a self, to: &mut PortList<'a>) {
        to.inputs.extend(self.iter());
    }
}

impl Ports for FieldNets<Out> {
    fn list<'a>(&'a self, to: &mut PortList<'a>) {
        to.outputs.extend(self.iter());
    }
}

impl Ports for Clocks {
    fn list<'a>(&'a self, to: &mut PortList<'a>) {
        to.inputs.push(&self.clk);
        to.inputs.extend(&self.rst);
    }
}

macro_rules! ports {
    ($($type:ty { $($field:ident),* })*) => {$(
        impl Ports for $type {
            fn list<'a>(&'a self, to: &mut PortList<'a>) {
                $(self.$field.list(to);)*
            }
        }
    )*};
}

ports! {
    StreamIn { valid, ready, data }
    StreamOut { valid, ready, data }
    RamPort { enable, write_enable, address, write_data, output_enable, read_data }
    RamSinglePort { clocks, enable, write_enable, address, write_data, output_enable, read_data }
    RamSimpleDualPort {
        clocks, write_enable, write_address, write_data, read_enable, read_address, output_enable, read_data
    }
    RamTrueDualPort { clocks, a, b }
    UltraRam {
        clocks, write_enable, write_address, write_data, read_enable, read_address, output_enable, read_data
    }
    Rom { clocks, read_enable, read_address, output_enable, read_data }
    DistributedRam { clocks, write_enable, write_address, write_data, read_address, read_data }
    DualClockRam {
        write, read, write_enable, write_address, write_data, read_enable, read_address, output_enable,
        read_data
    }
    Synchroniser { clocks, data_in, data_out }
    ResetSynchroniser { clocks, reset_in, reset_out }
    SyncFifo { clocks, input, output, level }
    AsyncFifo { write, read, input, output, write_stopped, read_stopped, write_level }
    SkidBuffer { clocks, input, output }
    RoundRobinArbiter { clocks, requests, accept, grant, grant_index }
    Multiplier { clocks, enable, a, b, product }
    DualMultiplier { clocks, enable, a0, a1, b, p0, p1 }
    Divider { clocks, enable, dividend, divisor, quotient, remainder }
    FloatAdd { clocks, enable, a, b, subtract, result }
    FloatMultiply { clocks, enable, a, b, result }
    FloatCompare { clocks, enable, a, b, less, equal, unordered }
    FloatReciprocal { clocks, enable, a, result }
    FixedToFloat { clocks, enable, fixed, float }
    FloatToFixed { clocks, enable, float, fixed }
    AxiRead {
        arid, araddr, arlen, arsize, arburst, arcache, arprot, arqos, arvalid, arready, rid, rdata, rresp, rlast,
        rvalid, rready
    }
    AxiWrite {
        awid, awaddr, awlen, awsize, awburst, awcache, awprot, awqos, awvalid, awready, wdata, wstrb, wlast,
        wvalid, wready, bid, bresp, bvalid, bready
    }
    AxiLite {
        awaddr, awprot, awvalid, awready, wdata, wstrb, wvalid, wready, bresp, bvalid, bready, araddr, arprot,
        arvalid, arready, rdata, rresp, rvalid, rready
    }
    Wishbone { cyc, stb, we, adr, sel, dat_i, dat_o, ack, err }
    WishboneMasterPort { cyc, stb, we, adr, sel, dat_o, dat_i, ack, err }
    RegisterRequest { valid, is_write, address, write_data, strobes, done, failed, read_data }
    RegisterPort { valid, is_write, address, write_data, strobes, done, failed, read_data }
    AxiReadMaster { clocks, command, data, outstanding, axi }
    AxiWriteMaster { clocks, command, data, response, outstanding, axi }
    AxiLiteSlave { clocks, axi, registers }
    WishboneSlave { clocks, wishbone, registers }
    WishboneMaster { clocks, command, answer, wishbone }
    RegisterBank { clocks, port, input, output }
    LerpPair { clocks, enable, x0, x1, y0, y1, weight, result0, result1 }
}
