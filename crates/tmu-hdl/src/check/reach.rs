//! A kernel reads and drives its own nets and the ports of its direct sub-blocks, nothing else; its registers
//! run on its own clock ports.

use crate::design::{Design, NetKind, for_each_drive};
use crate::diagnostic::{Problem, Rule, Source, refusal};
use crate::record::{AtomId, NodeKind};

/// Nets that are used from a block that does not hold them, or driven against their direction.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        let mut refuse = |message: String, net: AtomId, used: Source, remedy| {
            let mut places = vec![("used".to_string(), used)];
            if let Some(&(owner, n)) = design.places.get(&net) {
                places.extend(design.blocks[owner].nets[n].source.map(|s| ("net".to_string(), s)));
            }
            let rule = Rule::Unsupported;
            found.push(refusal(rule, &block.path, message, places, remedy));
        };
        for node in &block.body.nodes {
            if let NodeKind::Net(net) = node.kind
                && !is_visible(design, index, net)
            {
                let message =
                    format!("net `{}` is read from a block that does not hold it", name(design, net));
                refuse(message, net, node.source, "pass it through ports, block by block");
            }
        }
        for net in &block.nets {
            let Some((register, made)) = net.register().zip(net.source) else { continue };
            for (what, clock) in [("clock", Some(register.clock)), ("reset", register.reset)] {
                let Some(clock) = clock.filter(|&c| !is_visible(design, index, c)) else { continue };
                let name = name(design, clock);
                let message = format!("register `{}` runs on the {what} {name} of another block", net.name);
                refuse(message, clock, made, "give the block `Clocks` of its own and let them follow");
            }
        }
        for_each_drive(&block.body.statements, &mut |site| {
            if !is_visible(design, index, site.target) {
                let name = name(design, site.target);
                let message = format!("net `{name}` is driven from a block that does not hold it");
                refuse(
                    message,
                    site.target,
                    site.source,
                    "drive an input of a direct sub-block, or an own net",
                );
                return;
            }
            let own = design.block_of(site.target) == index;
            let against = match design.net(site.target).kind {
                NetKind::Input => own,
                _ => !own,
            };
            if against {
                let name = design.name_in(index, site.target);
                let message = format!("`{name}` is driven from inside and from outside its block");
                refuse(
                    message,
                    site.target,
                    site.source,
                    "inputs are driven outside their block, all else inside",
                );
            }
        });
    }
    found
}

fn is_visible(design: &Design, block: usize, net: AtomId) -> bool {
    let Some(&(owner, position)) = design.places.get(&net) else { return false };
    let net = &design.blocks[owner].nets[position];
    owner == block || (design.blocks[owner].parent == Some(block) && net.is_port())
}

fn name(design: &Design, net: AtomId) -> String {
    match design.places.get(&net) {
        Some(&(owner, n)) => format!("{}.{}", design.blocks[owner].path, design.blocks[owner].nets[n].name),
        None => "(outside the design)".into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::bits::lit;
    use crate::prelude::*;
    use crate::testing::refusals;
    use std::rc::Rc;

    #[derive(LogicBlock)]
    struct Inner {
        data: Net<In>,
        out: Net<Out>,
        hidden: Net<Local>,
        _stray: Rc<Net<Local>>,
    }

    #[kernel]
    impl Inner {
        fn logic(&self) {
            self.hidden.next = self._stray.val();
            self.data.next = 0;
            self.out.next = self.hidden.val();
        }
    }

    #[derive(LogicBlock)]
    struct Outer {
        clocks: Clocks,
        inner: Inner,
        count: Reg,
        out: Net<Out>,
    }

    #[kernel]
    impl Outer {
        fn logic(&self) {
            self.inner.out.next = self.count.val();
            self.inner.hidden.next = lit(4, 0u32);
            self.count.next = self.out.val();
            self.out.next = self.inner.hidden.val();
        }
    }

    #[test]
    fn a_kernel_reaches_its_own_nets_and_the_ports_below() {
        let foreign = Clocks::without_reset();
        let stray = Rc::new(Net::new(4));
        let inner = Inner { data: Net::new(4), out: Net::new(4), hidden: Net::new(4), _stray: stray };
        let count = Reg::new(&foreign, 4);
        let out = Net::new(4);
        let block = Outer { clocks: Clocks::without_reset(), inner, count, out };
        let expected = "\
error[H008]: net `top.inner.hidden` is read from a block that does not hold it
  in top
  used: self.out.next = self.inner.hidden.val();
  net: let inner = Inner { data: Net::new(4), out: Net::new(4), hidden: Net::new(4), _stray: stray };
  help: pass it through ports, block by block
error[H008]: register `count` runs on the clock (outside the design) of another block
  in top
  used: let count = Reg::new(&foreign, 4);
  help: give the block `Clocks` of its own and let them follow
error[H008]: `inner.out` is driven from inside and from outside its block
  in top
  used: self.inner.out.next = self.count.val();
  net: let inner = Inner { data: Net::new(4), out: Net::new(4), hidden: Net::new(4), _stray: stray };
  help: inputs are driven outside their block, all else inside
error[H008]: net `top.inner.hidden` is driven from a block that does not hold it
  in top
  used: self.inner.hidden.next = lit(4, 0u32);
  net: let inner = Inner { data: Net::new(4), out: Net::new(4), hidden: Net::new(4), _stray: stray };
  help: drive an input of a direct sub-block, or an own net
error[H008]: net `(outside the design)` is read from a block that does not hold it
  in top.inner
  used: self.hidden.next = self._stray.val();
  help: pass it through ports, block by block
error[H008]: `data` is driven from inside and from outside its block
  in top.inner
  used: self.data.next = 0;
  net: let inner = Inner { data: Net::new(4), out: Net::new(4), hidden: Net::new(4), _stray: stray };
  help: inputs are driven outside their block, all else inside";
        assert_eq!(refusals("top", &block), expected);
    }
}
