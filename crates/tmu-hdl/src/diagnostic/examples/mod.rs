//! A block for each rule that breaks it, as explanations show it: each is refused for that and nothing else.
// They are written as users write them.
#![allow(unreachable_pub, clippy::new_without_default)]

mod h001;
mod h002;
mod h003;
mod h004;
mod h005;
mod h006;
mod h006_1;
mod h006_2;
mod h006_3;
mod h006_4;
mod h006_5;
mod h006_6;
mod h006_7;
mod h007;
mod h008;
mod h009;
mod h010;

use super::{Rule, RuleCode};
use crate::elaborate::elaborate;
use crate::prelude::Block;
use std::collections::BTreeMap;

#[test]
fn every_rule_is_explained_by_a_block_that_is_refused_for_it_alone() {
    let examples: [(&str, Box<dyn Block>); 17] = [
        ("H001", Box::new(h001::Example::new())),
        ("H002", Box::new(h002::Example::new())),
        ("H003", Box::new(h003::Example::new())),
        ("H004", Box::new(h004::Example::new())),
        ("H005", Box::new(h005::Example::new())),
        ("H006", Box::new(h006::Example::new())),
        ("H006.1", Box::new(h006_1::Example::new())),
        ("H006.2", Box::new(h006_2::Example::new())),
        ("H006.3", Box::new(h006_3::Example::new())),
        ("H006.4", Box::new(h006_4::Example::new())),
        ("H006.5", Box::new(h006_5::Example::new())),
        ("H006.6", Box::new(h006_6::Example::new())),
        ("H006.7", Box::new(h006_7::Example::new())),
        ("H007", Box::new(h007::Example::new())),
        ("H008", Box::new(h008::Example::new())),
        ("H009", Box::new(h009::Example::new())),
        ("H010", Box::new(h010::Example::new())),
    ];
    let mut examples = BTreeMap::from(examples);
    for rule in Rule::every() {
        let code = rule.code();
        let block = examples.remove(code).unwrap_or_else(|| panic!("no example of {code}"));
        let Err(found) = elaborate("example", block.as_ref()) else { panic!("{code} is accepted") };
        assert!(found.as_slice().iter().all(|problem| problem.code == code), "{code}:\n{found}");

        let file = format!("{}.rs", code.to_lowercase().replace('.', "_"));
        let path = "crates/tmu-hdl/src/diagnostic/examples";
        let text = std::fs::read_to_string(tmu_testing::repository().join(path).join(&file));
        let explanation = rule.explanation();
        assert_eq!(explanation.example, text.unwrap_or_else(|e| panic!("{file}: {e}")));
        assert!(explanation.title.len() > 10 && explanation.rule.len() > 100, "{code}: {explanation:?}");
        assert!(explanation.remedy.len() > 20, "{code}: {explanation:?}");
    }
    assert!(examples.is_empty(), "examples of no rule: {:?}", examples.keys());
}
