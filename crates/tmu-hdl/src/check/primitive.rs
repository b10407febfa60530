//! A primitive's description speaks of ports that it has: a misspelt port would blind the other rules.

use crate::design::{BlockDesign, Design, NetKind};
use crate::diagnostic::{Problem, Rule, refusal};

/// Ports in descriptions of primitives that do not exist or point the other way.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let mut found = vec![];
    for block in &design.blocks {
        let Some(primitive) = &block.body.primitive else { continue };
        let (input, output) = (Some(NetKind::Input), Some(NetKind::Output));
        let mut expect = |what: &str, name: &str, direction: Option<NetKind>| {
            found.extend(fault(block, what, name, direction));
        };
        for (from, to) in &primitive.paths {
            expect("a path from", from, input.clone());
            expect("a path to", to, output.clone());
        }
        for (port, clock) in &primitive.clocked {
            expect("the clocked port", port, None);
            expect("the clock", clock, input.clone());
        }
        if let Some(crossing) = &primitive.crossing {
            expect("a crossing from", crossing.from, input.clone());
            expect("the clock", crossing.to_clock, input.clone());
        }
    }
    found
}

fn fault(block: &BlockDesign, what: &str, name: &str, direction: Option<NetKind>) -> Option<Problem> {
    let kind = block.port(name).map(|port| &port.kind);
    let problem = match (kind, direction) {
        (None, _) => "there is no such port",
        (Some(kind), Some(direction)) if *kind != direction => "that port points the other way",
        _ => return None,
    };
    Some(refusal(
        Rule::Unsupported,
        &block.path,
        format!("the primitive describes {what} `{name}`, but {problem}"),
        [],
        "correct the primitive's description",
    ))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::primitive::{Crossing, CrossingKind, Primitive, describe};
    use crate::testing::refusals;

    #[derive(LogicBlock)]
    struct Misspelt {
        clk: Net<In>,
        d: Net<In>,
        q: Net<Out>,
    }

    impl Logic for Misspelt {
        fn update(&mut self) {}

        fn hdl(&self) -> Verilog {
            describe(Primitive {
                module: "misspelt".into(),
                paths: vec![("q", "d")],
                clocked: vec![("qq", "clk")],
                crossing: Some(Crossing {
                    kind: CrossingKind::Synchroniser,
                    from: "d",
                    to_clock: "clock",
                    first_register: "first",
                    width: 1,
                }),
                ..Primitive::default()
            });
            Verilog::Empty
        }
    }

    #[test]
    fn ports_that_do_not_exist_are_named() {
        let block = Misspelt { clk: Net::bit(), d: Net::bit(), q: Net::bit() };
        let problem = |what: &str| {
            format!(
                "error[H008]: the primitive describes {what}\n  in top\n  help: correct the primitive's description"
            )
        };
        let expected = [
            problem("a path from `q`, but that port points the other way"),
            problem("a path to `d`, but that port points the other way"),
            problem("the clocked port `qq`, but there is no such port"),
            problem("the clock `clock`, but there is no such port"),
        ];
        assert_eq!(refusals("top", &block), expected.join("\n"));
    }
}
