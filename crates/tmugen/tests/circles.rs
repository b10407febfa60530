//! Files of a crate stand in layers: none imports, by whatever way round, what imports it.
//!
//! Read are the paths in the sources, without their tests, as the compiler's grammar has them. A name that a module only passes on
//! (`pub use`) counts as the module's that has it, so that a re-export hides nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree, Visibility};
use tmu_testing::repository;

/// Crates whose files stand in layers.
const LAYERED: [&str; 5] = ["tmu-spec", "tmu-model", "tmu-sim", "tmu-trace", "tmu-view"];

type Name = Vec<String>;

/// What a module says of others.
#[derive(Default)]
struct Module {
    /// Paths that it uses.
    uses: Vec<Name>,
    /// Paths that it passes on, by the name under which it does.
    passed_on: BTreeMap<String, Name>,
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

/// The paths of a `use`, each with the name that it gets.
fn leaves(tree: &UseTree, before: &Name, found: &mut Vec<(String, Name)>) {
    let below = |ident: &syn::Ident| [before.as_slice(), &[ident.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &below(&path.ident), found),
        UseTree::Name(name) if name.ident == "self" => found.push((String::new(), before.clone())),
        UseTree::Name(name) => found.push((name.ident.to_string(), below(&name.ident))),
        UseTree::Rename(rename) => found.push((rename.rename.to_string(), below(&rename.ident))),
        UseTree::Glob(_) => found.push((String::new(), before.clone())),
        UseTree::Group(group) => group.items.iter().for_each(|item| leaves(item, before, found)),
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut found = Vec::new();
        leaves(&item.tree, &Name::new(), &mut found);
        match item.vis {
            Visibility::Inherited => self.uses.extend(found.into_iter().map(|(_, path)| path)),
            _ => self.passed_on.extend(found),
        }
    }

    /// `pub(super)` names a module and uses nothing of it.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.uses.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// The modules of a folder of sources, by name.
fn read(folder: &Path, name: &Name, modules: &mut BTreeMap<Name, Module>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let stem = entry.file_stem().unwrap().to_str().unwrap().to_owned();
        let own = match stem.as_str() {
            "lib" | "mod" => name.clone(),
            _ => [name.as_slice(), std::slice::from_ref(&stem)].concat(),
        };
        if entry.is_dir() {
            read(&entry, &own, modules);
        } else if stem != "tests" && entry.extension().is_some_and(|extension| extension == "rs") {
            let file = syn::parse_file(&fs::read_to_string(&entry).unwrap()).unwrap();
            modules.entry(own).or_default().visit_file(&file);
        }
    }
}

/// The module that has what a path of module `from` means; none if that is of another crate.
fn resolve(modules: &BTreeMap<Name, Module>, from: &Name, path: &Name) -> Option<Name> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let (base, rest) = match path.first()?.as_str() {
        "crate" => (&[][..], &path[1..]),
        "self" => (from.as_slice(), &path[1..]),
        "super" => (&from[..from.len().checked_sub(ups)?], &path[ups..]),
        first => {
            let child = [from.as_slice(), &[first.to_owned()]].concat();
            (modules.contains_key(&child).then_some(from.as_slice())?, &path[..])
        }
    };
    let whole = [base, rest].concat();
    let module =
        (0..=whole.len()).rev().map(|end| whole[..end].to_vec()).find(|at| modules.contains_key(at))?;
    match whole.get(module.len()).and_then(|name| modules[&module].passed_on.get(name)) {
        Some(further) => resolve(modules, &module, further),
        None => Some(module),
    }
}

/// The modules that are left when all have gone that use none of those left: those in circles, and what stands on them.
fn circles(modules: &BTreeMap<Name, Module>) -> BTreeSet<String> {
    let uses = |name: &Name| -> BTreeSet<Name> {
        let all = modules[name].uses.iter().filter_map(|path| resolve(modules, name, path));
        all.filter(|other| other != name).collect()
    };
    let mut left: BTreeMap<Name, BTreeSet<Name>> =
        modules.keys().map(|name| (name.clone(), uses(name))).collect();
    loop {
        let names: BTreeSet<Name> = left.keys().cloned().collect();
        left.retain(|_, uses| !uses.is_disjoint(&names));
        if left.len() == names.len() {
            return left.into_keys().map(|name| name.join("::")).collect();
        }
    }
}

#[test]
fn files_stand_in_layers() {
    for name in LAYERED {
        let mut modules = BTreeMap::new();
        read(&repository().join("crates").join(name).join("src"), &Name::new(), &mut modules);
        assert!(modules.values().map(|module| module.uses.len()).sum::<usize>() > 100, "{name} is not read");
        assert_eq!(circles(&modules), BTreeSet::new(), "{name} has circles among its files");
    }
}

#[test]
fn a_circle_is_found_behind_a_name_that_is_passed_on() {
    let module = |text: &str| {
        let mut module = Module::default();
        module.visit_file(&syn::parse_file(text).unwrap());
        module
    };
    let name = |name: &str| vec![name.to_owned()];
    let crate_of = |below: &str| {
        BTreeMap::from([
            (Name::new(), module("pub use above::Thing;")),
            (
                name("above"),
                module("use crate::below::Part; #[cfg(test)] mod tests { use crate::other::X; }"),
            ),
            (name("below"), module(below)),
            (name("other"), module("fn f() -> crate::below::Part {}")),
        ])
    };
    assert_eq!(circles(&crate_of("pub struct Part;")), BTreeSet::new());
    let circle = ["above", "below", "other"].map(str::to_owned).into();
    assert_eq!(circles(&crate_of("use crate::Thing; pub struct Part;")), circle);
    assert_eq!(circles(&crate_of("pub fn f() { super::above::g() }")), circle);
}
