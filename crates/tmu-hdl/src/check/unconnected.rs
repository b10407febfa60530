//! Every output, every wire that is read, every register and every input of a sub-block has a driver.

use crate::design::{BlockDesign, Design, NetDesign, NetKind, for_each_drive};
use crate::diagnostic::{Problem, Rule, bits, refusal};
use crate::record::{AtomId, NodeKind};
use rustc_hash::FxHashSet;

/// Nets that nothing drives.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let mut driven: FxHashSet<AtomId> = FxHashSet::default();
    let mut read: FxHashSet<AtomId> = FxHashSet::default();
    for block in &design.blocks {
        for_each_drive(&block.body.statements, &mut |site| {
            driven.insert(site.target);
        });
        read.extend(block.body.nodes.iter().filter_map(|n| match n.kind {
            NodeKind::Net(net) => Some(net),
            _ => None,
        }));
    }
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        for net in &block.nets {
            let needed = match net.kind {
                NetKind::Input => index > 0,
                NetKind::Output => block.body.primitive.is_none(),
                NetKind::Wire => read.contains(&net.id),
                NetKind::Register(_) => true,
            };
            if needed && !driven.contains(&net.id) {
                found.push(problem(block, net));
            }
        }
    }
    found
}

fn problem(block: &BlockDesign, net: &NetDesign) -> Problem {
    let what = match net.kind {
        NetKind::Input => "input",
        NetKind::Output => "output",
        NetKind::Wire => "wire",
        NetKind::Register(_) => "register",
    };
    refusal(
        Rule::Unconnected,
        &block.path,
        format!("{what} `{}` ({}) has no driver", net.name, bits(net.width)),
        net.source.map(|s| ("made".to_string(), s)),
        match net.kind {
            NetKind::Input => "drive it in the kernel of the block around",
            _ => "drive it in the kernel of its block, or remove it",
        },
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::testing::refusals;

    #[derive(LogicBlock)]
    struct Inner {
        data: Net<In>,
        out: Net<Out>,
    }

    #[kernel]
    impl Inner {
        fn logic(&self) {
            self.out.next = !self.data.val();
        }
    }

    #[derive(LogicBlock)]
    struct Floating {
        clocks: Clocks,
        inner: Inner,
        middle: Net<Local>,
        count: Reg,
        out: Net<Out>,
        sum: Net<Out>,
        _unused: Net<Local>,
    }

    #[kernel]
    impl Floating {
        fn logic(&self) {
            self.out.next = self.middle.val() ^ self.inner.out.val() ^ self.count.val();
        }
    }

    #[test]
    fn every_kind_of_net_without_a_driver_is_named_with_its_width() {
        let clocks = Clocks::new();
        let block = Floating {
            inner: Inner { data: Net::new(8), out: Net::new(8) },
            middle: Net::new(8),
            count: Reg::new(&clocks, 8),
            out: Net::new(8),
            sum: Net::bit(),
            _unused: Net::bit(),
            clocks,
        };
        let expected = "\
error[H002]: wire `middle` (8 bits) has no driver
  in top
  made: middle: Net::new(8),
  help: drive it in the kernel of its block, or remove it
error[H002]: register `count` (8 bits) has no driver
  in top
  made: count: Reg::new(&clocks, 8),
  help: drive it in the kernel of its block, or remove it
error[H002]: output `sum` (1 bit) has no driver
  in top
  made: sum: Net::bit(),
  help: drive it in the kernel of its block, or remove it
error[H002]: input `data` (8 bits) has no driver
  in top.inner
  made: inner: Inner { data: Net::new(8), out: Net::new(8) },
  help: drive it in the kernel of the block around";
        assert_eq!(refusals("top", &block), expected);
    }
}
