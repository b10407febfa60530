use tmu_hdl::prelude::*;

#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
pub enum Light {
    Green,
    Yellow,
    Red,
    RedAndYellow,
}

#[derive(LogicBlock)]
pub struct Traffic {
    pub clocks: Clocks,
    pub request: Net<In>,
    pub red: Net<Out>,
    pub yellow: Net<Out>,
    pub green: Net<Out>,
    light: EnumReg<Light>,
    timer: Reg,
    _red_clocks: u64,
}

impl Traffic {
    pub fn new(red_clocks: u64) -> Traffic {
        let clocks = Clocks::new();
        Traffic {
            request: Net::bit(),
            red: Net::bit(),
            yellow: Net::bit(),
            green: Net::bit(),
            light: EnumReg::with_reset(&clocks, Light::Green),
            timer: Reg::with_reset(&clocks, red_clocks.ilog2() as usize + 1, 0),
            _red_clocks: red_clocks,
            clocks,
        }
    }
}

/// A traffic light that is green until somebody asks.
#[kernel]
impl Traffic {
    fn logic(&self) {
        let light = self.light.val();
        match light {
            Light::Green => {
                if self.request.val() {
                    self.light.next = Light::Yellow;
                }
            }
            Light::Yellow => {
                self.light.next = Light::Red;
                self.timer.next = self._red_clocks;
            }
            Light::Red => {
                self.timer.next = self.timer.val() - 1;
                if self.timer.val() == 1 {
                    self.light.next = Light::RedAndYellow;
                }
            }
            Light::RedAndYellow => self.light.next = Light::Green,
        }
        self.green.next = light == Light::Green;
        self.yellow.next = light == Light::Yellow || light == Light::RedAndYellow;
        self.red.next = light == Light::Red || light == Light::RedAndYellow;
    }
}
