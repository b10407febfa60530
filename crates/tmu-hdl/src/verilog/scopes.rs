//! Names of wires that share one name in the source: as much of their scopes as tells them apart.
//!
//! Of a function with a wire `sum` that is called for `red` and for `green` come `red_sum` and `green_sum`; of a loop over
//! `lane` come `lane_0_sum` and `lane_1_sum`. A wire whose name is the only one of its kind keeps it as it is.

use crate::record::scope::POSITION_MARK;
use crate::record::{Body, NodeKind, ScopeId};
use rustc_hash::FxHashMap;

/// A step on the way to a value: a scope, and which of those of that name beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Step {
    name: &'static str,
    number: usize,
}

/// The ways from the kernel to each scope of a body.
pub(super) struct Ways {
    steps: Vec<Step>,
    parents: Vec<ScopeId>,
    /// How many scopes of a name there are in another one.
    counts: FxHashMap<(ScopeId, &'static str), usize>,
}

impl Ways {
    pub(super) fn new(body: &Body) -> Ways {
        // Rounds that have no number and calls of one function are told apart by counting.
        let mut counts: FxHashMap<(ScopeId, &'static str), usize> = FxHashMap::default();
        let mut steps = vec![];
        for scope in &body.scopes {
            let count = counts.entry((scope.parent, scope.name)).or_default();
            steps.push(Step { name: scope.name, number: scope.number.unwrap_or(*count) });
            *count += 1;
        }
        Ways { steps, parents: body.scopes.iter().map(|scope| scope.parent).collect(), counts }
    }

    /// The steps to a scope, outermost first.
    fn to(&self, mut scope: ScopeId) -> Vec<Step> {
        let mut way = vec![];
        while let Some(index) = scope.index() {
            way.push(self.steps[index]);
            scope = self.parents[index];
        }
        way.reverse();
        way
    }

    /// `name` behind the names of ever more scopes around it, the innermost first. Those that stand alone under their name
    /// come without a number.
    pub(super) fn longer_names(&self, scope: ScopeId, name: &str) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        let mut longer = name.to_string();
        let mut current = scope;
        while let Some(index) = current.index() {
            let step = self.steps[index];
            longer = match self.counts[&(self.parents[index], step.name)] {
                1 => format!("{}_{longer}", step.name),
                _ => format!("{}_{}_{longer}", step.name, step.number),
            };
            names.push(longer.clone());
            current = self.parents[index];
        }
        names
    }
}

/// For each node that gets a wire called after the source, in order, what it should be called.
pub(super) fn wanted_names(body: &Body, ways: &Ways, uses: &[u32]) -> Vec<(usize, String)> {
    let mut groups: FxHashMap<&str, Vec<(usize, &str)>> = FxHashMap::default();
    let mut wanted = vec![];
    for (index, node) in body.nodes.iter().enumerate().filter(|(index, _)| uses[*index] > 0) {
        if let (NodeKind::Op(..), Some(name)) = (&node.kind, &node.name) {
            let stem = name.split(POSITION_MARK).next().unwrap_or(name);
            groups.entry(stem).or_default().push((index, name));
        }
    }
    for group in groups.into_values() {
        if let [(index, name)] = group.as_slice() {
            wanted.push((*index, name.to_string()));
            continue;
        }
        let mut members: Vec<Member> = vec![];
        for (index, name) in group {
            members.push(Member {
                index,
                name,
                way: ways.to(body.nodes[index].scope),
                prefix: String::new(),
            });
        }
        qualify(&mut members.iter_mut().collect::<Vec<_>>(), 0);
        wanted.extend(members.into_iter().map(|m| (m.index, format!("{}{}", m.prefix, m.name))));
    }
    wanted.sort_unstable_by_key(|(index, _)| *index);
    wanted
}

struct Member<'a> {
    index: usize,
    name: &'a str,
    way: Vec<Step>,
    prefix: String,
}

/// Puts before the names what tells members apart whose ways are the same up to `depth`.
fn qualify(members: &mut [&mut Member], depth: usize) {
    if members.len() < 2 {
        return;
    }
    members.sort_by(|a, b| a.way.get(depth).cmp(&b.way.get(depth)).then(a.index.cmp(&b.index)));
    let same_step = |a: &&mut Member, b: &&mut Member| a.way.get(depth) == b.way.get(depth);
    let chunks = members.chunk_by(same_step).count();
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for chunk in members.chunk_by(same_step) {
        if let Some(step) = chunk[0].way.get(depth) {
            *numbers.entry(step.name).or_default() += 1;
        }
    }
    for chunk in members.chunk_by_mut(same_step) {
        let Some(&step) = chunk[0].way.get(depth) else { continue };
        if chunks > 1 {
            for member in chunk.iter_mut() {
                member.prefix.push_str(step.name);
                member.prefix.push('_');
                if numbers[step.name] > 1 {
                    member.prefix.push_str(&format!("{}_", step.number));
                }
            }
        }
        qualify(chunk, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::verilog::emit;

    #[derive(LogicBlock)]
    struct Scoped {
        inputs: Vec<Net<In>>,
        limit: Net<In>,
        outputs: Vec<Net<Out>>,
        blended: Net<Out>,
        rest: Net<Out>,
    }

    #[kernel]
    fn blend(a: Bits, b: Bits) -> Bits {
        let sum = a.add_wide(b);
        let once = sum.high(4) ^ sum.low(4);
        once + sum.low(4)
    }

    #[kernel]
    impl Scoped {
        fn logic(&self) {
            let red = blend(self.inputs[0].val(), self.inputs[1].val());
            let green = blend(self.inputs[1].val(), self.inputs[2].val());
            self.blended.next = red ^ green ^ blend(red, green);
            let limit = self.limit.val() + 1;
            for lane in 0..3 {
                let less = self.inputs[lane].val() - limit;
                let parts: Vec<Bits> = [1u64, 2].iter().map(|step| less + *step).collect();
                self.outputs[lane].next = parts[0] & parts[1] & less;
            }
            let mut left = self.limit.val();
            while left.width() > 1 {
                let half = left.high(left.width() / 2);
                left = half & left.low(left.width() / 2);
            }
            self.rest.next = left;
        }
    }

    #[test]
    fn wires_of_one_name_are_called_after_where_they_come_from() {
        let block = Scoped {
            inputs: Net::array(3, 4),
            limit: Net::new(4),
            outputs: Net::array(3, 4),
            blended: Net::new(4),
            rest: Net::bit(),
        };
        let design = elaborate("scoped", &block).unwrap_or_else(|e| panic!("{e}"));
        let module = &emit(&design).modules[0];
        let names: Vec<(&str, Option<usize>)> =
            module.declarations.iter().map(|d| (d.name.as_str(), d.position)).collect();
        let expected = [
            ("red_sum", None),
            ("green_sum", None),
            ("blended_sum", None),
            ("limit_value", None),
            ("lane_0_less", None),
            ("lane_2_less", None),
            ("lane_1_parts", None),
            ("round_0_half", None),
            ("round_1_half", None),
            ("inputs_2", Some(2)),
        ];
        for wanted in expected {
            assert!(names.contains(&wanted), "{wanted:?} is not among {names:?}");
            let text = format!(" {}", wanted.0);
            assert!(module.text.contains(&text), "{wanted:?} is not in\n{}", module.text);
        }
        let ends_in_number = |name: &str| name.ends_with(|c: char| c.is_ascii_digit());
        let counted = names.iter().filter(|(name, position)| ends_in_number(name) && position.is_none());
        assert_eq!(counted.count(), 0, "{names:?}");
    }
}
