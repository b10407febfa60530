use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Fifo {
    pub clocks: Clocks,
    pub input: StreamIn,
    pub output: StreamOut,
    words: Vec<Reg>,
    first: Reg,
    count: Reg,
}

impl Fifo {
    /// Four words.
    pub fn new(width: usize) -> Fifo {
        let clocks = Clocks::new();
        Fifo {
            input: StreamIn::new(width),
            output: StreamOut::new(width),
            words: Reg::array(4, &clocks, width),
            first: Reg::with_reset(&clocks, 2, 0),
            count: Reg::with_reset(&clocks, 3, 0),
            clocks,
        }
    }
}

/// Keeps up to four words in their order.
#[kernel]
impl Fifo {
    fn logic(&self) {
        let (first, count) = (self.first.val(), self.count.val());
        self.input.ready.next = count != 4;
        self.output.valid.next = count != 0;
        let (comes, goes) = (self.input.moves(), self.output.moves());

        let place = first + count.low(2);
        for (number, word) in self.words.iter().enumerate() {
            if comes && place == number as u64 {
                word.next = self.input.data.val();
            }
        }
        let even = if first.bit(1) { self.words[2].val() } else { self.words[0].val() };
        let odd = if first.bit(1) { self.words[3].val() } else { self.words[1].val() };
        self.output.data.next = if first.bit(0) { odd } else { even };

        if goes {
            self.first.next = first + 1;
        }
        if comes && !goes {
            self.count.next = count + 1;
        }
        if goes && !comes {
            self.count.next = count - 1;
        }
    }
}
