use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Adder {
    pub a: Net<In>,
    pub b: Net<In>,
    pub subtract: Net<In>,
    pub sum: Net<Out>,
    pub carry: Net<Out>,
    pub overflow: Net<Out>,
}

impl Adder {
    pub fn new(width: usize) -> Adder {
        Adder {
            a: Net::new(width),
            b: Net::new(width),
            subtract: Net::bit(),
            sum: Net::new(width),
            carry: Net::bit(),
            overflow: Net::bit(),
        }
    }
}

/// Adds, or subtracts by adding the complement and one.
#[kernel]
impl Adder {
    fn logic(&self) {
        let (a, subtract) = (self.a.val(), self.subtract.val());
        let b = if subtract { !self.b.val() } else { self.b.val() };
        // One bit wider than its operands: nothing is lost.
        let wide = a.add_wide(b) + subtract.zero_extend(a.width() + 1);
        self.sum.next = wide.low(a.width());
        self.carry.next = wide.high(1);
        let sign = wide.bit(a.width() - 1);
        self.overflow.next = a.high(1) == b.high(1) && sign != a.high(1);
    }
}
