//! The declared escapes: which rule is set aside for which net, and which of them were of any use.

use super::message::{path, place};
use crate::crossing::CrossingRule;
use crate::design::Design;
use crate::diagnostic::{Problem, Rule, RuleCode, refusal};
use crate::record::AtomId;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The waivers of a design.
pub(super) struct Waivers<'a> {
    design: &'a Design,
    all: FxHashSet<(CrossingRule, AtomId)>,
    used: BTreeSet<(CrossingRule, AtomId)>,
}

impl<'a> Waivers<'a> {
    pub(super) fn new(design: &'a Design) -> Waivers<'a> {
        let waivers = design.blocks.iter().flat_map(|block| &block.body.crossing_waivers);
        Waivers { design, all: waivers.map(|w| (w.rule, w.net)).collect(), used: BTreeSet::new() }
    }

    /// Whether a rule is set aside for one of these nets; those that are count as used.
    pub(super) fn waive(&mut self, rule: CrossingRule, nets: impl IntoIterator<Item = AtomId>) -> bool {
        let mut waived = false;
        for net in nets {
            if self.all.contains(&(rule, net)) {
                self.used.insert((rule, net));
                waived = true;
            }
        }
        waived
    }

    /// A waiver that waives nothing stands for a crossing that is gone, or for a mistake.
    pub(super) fn useless(&self) -> Vec<Problem> {
        let design = self.design;
        let mut found = vec![];
        for block in &design.blocks {
            for waiver in &block.body.crossing_waivers {
                if self.used.contains(&(waiver.rule, waiver.net)) {
                    continue;
                }
                let name = if design.places.contains_key(&waiver.net) {
                    path(design, waiver.net)
                } else {
                    "?".into()
                };
                let mut places = vec![("waiver".to_string(), waiver.source)];
                places.extend(design.places.get(&waiver.net).and_then(|_| place(design, "net", waiver.net)));
                found.push(refusal(
                    Rule::Crossing(waiver.rule),
                    &block.path,
                    format!("the waiver of {} for `{name}` waives nothing", waiver.rule.code()),
                    places,
                    "take it out, or name the net and the rule that the refusal names",
                ));
            }
        }
        found
    }
}
