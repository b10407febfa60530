use tmu_hdl::prelude::*;

const GREEN: u64 = 0;
const YELLOW: u64 = 1;
const RED: u64 = 2;
const RED_AND_YELLOW: u64 = 3;

#[derive(LogicBlock)]
pub struct Traffic {
    pub clocks: Clocks,
    pub request: Net<In>,
    pub red: Net<Out>,
    pub yellow: Net<Out>,
    pub green: Net<Out>,
    state: Reg,
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
            state: Reg::with_reset(&clocks, 2, GREEN.into()),
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
        let state = self.state.val();
        if state == GREEN {
            if self.request.val() {
                self.state.next = YELLOW;
            }
        } else if state == YELLOW {
            self.state.next = RED;
            self.timer.next = self._red_clocks;
        } else if state == RED {
            self.timer.next = self.timer.val() - 1;
            if self.timer.val() == 1 {
                self.state.next = RED_AND_YELLOW;
            }
        } else {
            self.state.next = GREEN;
        }
        self.green.next = state == GREEN;
        self.yellow.next = state == YELLOW || state == RED_AND_YELLOW;
        self.red.next = state == RED || state == RED_AND_YELLOW;
    }
}
