use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Mux {
    pub select: Net<In>,
    pub inputs: Vec<Net<In>>,
    pub out: Net<Out>,
}

impl Mux {
    pub fn new(width: usize) -> Mux {
        Mux { select: Net::new(2), inputs: Net::array(4, width), out: Net::new(width) }
    }
}

/// Chooses one of four inputs.
#[kernel]
impl Mux {
    fn logic(&self) {
        let [low, high] = [self.select.val().bit(0), self.select.val().bit(1)];
        let first = if low { self.inputs[1].val() } else { self.inputs[0].val() };
        let second = if low { self.inputs[3].val() } else { self.inputs[2].val() };
        self.out.next = if high { second } else { first };
    }
}
