use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Alu {
    pub operation: Net<In>,
    pub a: Net<In>,
    pub b: Net<In>,
    pub result: Net<Out>,
    pub zero: Net<Out>,
}

impl Alu {
    pub fn new(width: usize) -> Alu {
        Alu {
            operation: Net::new(3),
            a: Net::new(width),
            b: Net::new(width),
            result: Net::new(width),
            zero: Net::bit(),
        }
    }
}

/// And, or, exclusive or, sum, difference, less than with signs; all else gives the first operand.
#[kernel]
impl Alu {
    fn logic(&self) {
        let (operation, a, b) = (self.operation.val(), self.a.val(), self.b.val());
        let less = a.signed() < b.signed();
        // A default, and drives that override it.
        self.result.next = a;
        if operation == 0 {
            self.result.next = a & b;
        } else if operation == 1 {
            self.result.next = a | b;
        } else if operation == 2 {
            self.result.next = a ^ b;
        } else if operation == 3 {
            self.result.next = a + b;
        } else if operation == 4 {
            self.result.next = a - b;
        } else if operation == 5 {
            self.result.next = less.zero_extend(a.width());
        }
        self.zero.next = self.result.val() == 0;
    }
}
