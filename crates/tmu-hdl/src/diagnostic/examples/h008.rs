use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub negate: Net<In>,
    pub data: Net<In>,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        Example { negate: Net::bit(), data: Net::new(8), out: Net::new(8) }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        let mut value = self.data.val();
        // Both sides of the `if` are hardware; a variable of Rust has one value.
        if self.negate.val() {
            value = lit(8, 0u32) - value;
        }
        self.out.next = value;
    }
}
