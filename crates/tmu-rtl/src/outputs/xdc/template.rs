//! Text from the templates in `constraints/` at the top of the repository.
//!
//! A line `#@ NAME` begins a section, which ends with its last line that is not empty; lines with two hashes are about the
//! template itself. A family has its own file, and what that does not have is the one of UltraScale+.

use tmu_spec::config::Family;

const ULTRASCALE_PLUS: &str = include_str!("../../../../../constraints/ultrascale-plus.xdc");
const ZYNQMP: &str = include_str!("../../../../../constraints/zynqmp.xdc");

/// The templates of a device family.
#[derive(Debug, Clone, Copy)]
pub(super) struct Template {
    /// Searched one after the other.
    files: &'static [&'static str],
}

impl Template {
    pub(super) const fn of(family: Family) -> Self {
        let files: &[&str] = match family {
            // Vivado reads the same of both; of ECP5 nothing is asked for.
            Family::UltraScalePlus | Family::Series7 | Family::Ecp5 => &[ULTRASCALE_PLUS],
            Family::ZynqMp => &[ZYNQMP, ULTRASCALE_PLUS],
        };
        Self { files }
    }

    /// A section as it stands, without its last line end.
    ///
    /// # Panics
    /// If there is none; a test fills every one that is asked for.
    pub(super) fn section(self, name: &str) -> &'static str {
        let found = self.files.iter().find_map(|file| {
            let (_, rest) = file.split_once(&format!("\n#@ {name}\n"))?;
            Some(rest.split_once("\n#@ ").map_or(rest, |(section, _)| section).trim_end())
        });
        found.unwrap_or_else(|| panic!("the templates have no section {name}"))
    }

    /// A section with its words filled in, once each from the left to the right, and its line end.
    pub(super) fn fill(self, name: &str, words: &[(&str, &str)]) -> String {
        let mut text = String::new();
        let mut rest = self.section(name);
        while let Some((before, after)) = rest.split_once('{') {
            let (word, behind) = after.split_once('}').unwrap_or((after, ""));
            let value = words.iter().find(|(known, _)| *known == word);
            let (_, value) = value.unwrap_or_else(|| panic!("section {name} has no word {{{word}}}"));
            text += before;
            text += value;
            rest = behind;
        }
        text + rest + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Family; 2] = [Family::UltraScalePlus, Family::ZynqMp];

    #[test]
    fn words_are_filled_in_once() {
        let template = Template { files: &["\n#@ a\n\n{x} to {y}\n\n\n#@ b\n{x}\n"] };
        assert_eq!(template.fill("a", &[("x", "{y}"), ("y", "1")]), "\n{y} to 1\n");
        assert_eq!(template.fill("b", &[("x", "2")]), "2\n");
    }

    #[test]
    fn a_family_has_its_own_sections_and_the_fabrics() {
        let [plain, zynq] = BOTH.map(Template::of);
        assert_ne!(plain.section("clocks"), zynq.section("clocks"));
        assert!(zynq.section("clocks").contains("clk_pl_0"));
        assert_eq!(plain.section("gray"), zynq.section("gray"));
    }

    /// Sections that nothing asks for, or that are lost, show here.
    #[test]
    fn every_section_has_its_use() {
        let known =
            ["core", "clocks", "declaration", "bit", "gray", "reset", "words", "out_of_context", "clock"];
        for file in [ULTRASCALE_PLUS, ZYNQMP] {
            for name in file.lines().filter_map(|line| line.strip_prefix("#@ ")) {
                assert!(known.contains(&name), "{name} is no section");
            }
        }
        for name in known {
            for family in BOTH {
                assert!(!Template::of(family).section(name).is_empty(), "{name}");
            }
        }
    }
}
