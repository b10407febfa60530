//! Attributes have the form that Verilog gives them.

use crate::design::Design;
use crate::diagnostic::{Problem, Rule, refusal};
use crate::verilog::text::attribute;

/// Attributes that would end in the middle of the declaration that they stand before.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let mut found = vec![];
    for block in &design.blocks {
        for net in &block.nets {
            for text in net.attributes.iter().filter(|text| attribute(text).is_none()) {
                found.push(refusal(
                    Rule::Unsupported,
                    &block.path,
                    format!("the attribute `{text}` of `{}` is no attribute of Verilog", net.name),
                    net.source.map(|s| ("made".to_string(), s)),
                    "write `name`, `name = number` or `name = \"text\"`",
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::testing::refusals;
    use crate::verilog::{Header, emit};

    #[derive(LogicBlock)]
    struct Marked {
        data: Net<In>,
        out: Net<Out>,
    }

    #[kernel]
    impl Marked {
        fn logic(&self) {
            self.out.next = self.data.val();
        }
    }

    #[test]
    fn what_is_no_attribute_is_refused_and_text_is_escaped() {
        let block = Marked { data: Net::bit(), out: Net::bit().attribute("*) evil") };
        let expected = "\
error[H008]: the attribute `*) evil` of `out` is no attribute of Verilog
  in top
  made: let block = Marked { data: Net::bit(), out: Net::bit().attribute(\"*) evil\") };
  help: write `name`, `name = number` or `name = \"text\"`";
        assert_eq!(refusals("top", &block), expected);
        let block = Marked { data: Net::bit(), out: Net::bit().attribute("mark = \"a\" *) b\"") };
        let text = emit(&elaborate("top", &block).unwrap()).to_file(&Header::default());
        assert!(text.contains(r#"(* mark = "a\" *) b" *)"#), "{text}");
    }
}
