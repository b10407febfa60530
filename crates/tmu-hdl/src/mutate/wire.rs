//! What the Verilog calls a node of the source, for those who look inside a module.

use super::error::{Made, Refusal};
use super::names::{Names, Thing};
use super::{MutationError, error};
use crate::design::Design;
use crate::verilog::{Item, Modules, Name};

/// The path of a wire or register below the module of `block`, as hierarchical Verilog: of a node as [`super::Mutation`]
/// names it, or of an array. Behind the name of a sub-block stands a node of that one. What a primitive has inside, or a
/// block that is `opaque` because other text takes its place, is not recorded: there the rest is taken as it is.
///
/// # Errors
/// If nothing is called so, or the module has no wire for it.
pub fn wire(
    design: &Design,
    modules: &Modules,
    block: usize,
    node: &str,
    opaque: &impl Fn(usize) -> bool,
) -> Result<String, MutationError> {
    let about = || format!("`{node}` of `{}`", design.blocks[block].body.type_name);
    inside(design, modules, block, node, opaque).map_err(|refusal| error::of(about(), refusal))
}

fn inside(
    design: &Design,
    modules: &Modules,
    block: usize,
    node: &str,
    opaque: &impl Fn(usize) -> bool,
) -> Made<String> {
    if opaque(block) || design.blocks[block].body.primitive.is_some() {
        return Ok(node.to_owned());
    }
    if let Some((first, rest)) = node.split_once('.')
        && let Some(&child) =
            design.blocks[block].children.iter().find(|&&child| design.blocks[child].name == first)
    {
        let rest = inside(design, modules, child, rest, opaque)?;
        return Ok(format!("{}.{rest}", modules.instance_of[&child]));
    }
    let module = modules.modules.iter().find(|module| module.name == modules.module_of[&block]);
    let Some(module) = module else { return Ok(node.to_owned()) };
    // Blocks with one text share a module, which was printed from the first of them.
    let names = Names::of(design, module.block);
    let named = |node: &str| match names.find(node)? {
        Thing::Net(net) => Ok(module.called.nets.get(&net)),
        Thing::Node(id) => Ok(module.called.wires.get(&id)),
    };
    if let Some(vector) = array(|item| named(&format!("{node}_{item}")).ok().flatten()) {
        return Ok(vector);
    }
    let whole = named(node)?.filter(|name| name.item().is_none());
    whole.map(|name| name.word().to_owned()).ok_or_else(|| {
        let what = format!("`{node}` has no wire of its own");
        Refusal::new(what, vec![], "take a register, a port or a named wire, and of an array all of it")
    })
}

/// The vector of all items of an array, or the only one of them, which is a wire without a number.
fn array<'a>(item: impl Fn(usize) -> Option<&'a Name>) -> Option<String> {
    let names: Vec<&Name> = (0..).map_while(item).collect();
    match names.as_slice() {
        [] => None,
        [one] if one.item().is_none() => Some(one.word().to_owned()),
        [first, ..] => {
            let Item { vector, count, .. } = first.item()?;
            let is_whole = names.len() == *count
                && names.iter().all(|name| name.item().is_some_and(|item| item.vector == *vector));
            is_whole.then(|| vector.clone())
        }
    }
}
