//! How often a quad leaves.

use super::{configs, of_four_lanes};
use crate::support::{any_bits, is_high, number};
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::general::lod::Lod;
use tmu_rtl::datapath::general::words::{ItemHead, OPERATION_BITS, PLACE_BITS, ProjectedItem};
use tmu_spec::Config;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::{Kind, field};
use tmu_stages::{Check, Rig};

/// The clocks in which items leave that all come at once: a register that says of which kind the texture is, if one is given, and
/// quads. Each is looked at for so many clocks more before the next one is taken.
fn leaving(config: &Config, kind: Option<Kind>, rest: usize) -> Vec<usize> {
    let mut check = Check::new("general_lod: interval");
    let shape = ProjectedItem::of(config);
    let mut quad = shape.unpack(any_bits(&mut check, shape.width()));
    quad.head.is_binding = number(1, 0u64);
    quad.marks.operation = number(OPERATION_BITS, OperationName::Sample as u64);
    let register = kind.map(|kind| {
        let (register, shift) = field::place(field::KIND);
        let mut item = quad.clone();
        item.head = ItemHead { is_binding: number(1, 1u64), register: number(5, u64::from(register)) };
        item.places[0].u = number(PLACE_BITS, u64::from(kind.code()) << shift);
        item
    });
    let mut rig = Rig::new("general_lod", Lod::new(config));
    rig.input.valid.drive(true);
    let (mut next, mut left) = (register.as_ref().unwrap_or(&quad), vec![]);
    for clock in 0..400 {
        rig.input.data.drive(shape.pack(next));
        let ready = left.last().is_none_or(|last| clock > last + rest);
        rig.output.ready.drive(ready);
        rig.settle();
        if ready && is_high(rig.output.valid.val()) {
            left.push(clock);
        }
        let takes = is_high(rig.input.ready.val());
        rig.tick();
        if takes {
            next = &quad;
        }
    }
    left
}

/// A configuration, the kind of the texture if it matters, and the clocks to the first quad and between quads.
type Row = (&'static str, Option<Kind>, usize, usize);

/// Whether quads leave as often as a table says, or as they are taken.
fn leave_as_often(check: &mut Check, table: &[Row], with: impl Fn(&Config) -> Config) {
    let configs = configs();
    for (name, kind, latency, interval) in table {
        let (_, config) = configs.iter().find(|(of, _)| of == name).expect("a configuration");
        for rest in [0, 3] {
            let left = leaving(&with(config), *kind, rest);
            if kind.is_none() {
                check.same(
                    format_args!("{name}: the clock in which the first quad leaves"),
                    left[0],
                    *latency,
                );
            }
            for (number, pair) in left.windows(2).enumerate().skip(usize::from(kind.is_some())) {
                let what = format!("{name}, {kind:?}: clocks between items {number} and {}", number + 1);
                check.same(what, pair[1] - pair[0], (*interval).max(rest + 1));
            }
        }
    }
    check.at_least(500);
}

/// A quad every four clocks, whatever else is built; one of a volume every eight.
#[test]
fn interval() {
    let table = [
        ("general_lod", None, 24, 4),
        ("general_lod_parts", None, 28, 4),
        ("general_lod_volumes", None, 28, 4),
        ("general_lod_volumes", Some(Kind::D3), 0, 8),
        ("general_lod_all", None, 32, 4),
        ("general_lod_all", Some(Kind::D3), 0, 8),
    ];
    leave_as_often(&mut Check::new("general_lod: interval"), &table, Config::clone);
}

/// With four lanes a quad every clock; one of a volume every two. Nothing is taken in the first clock.
#[test]
fn interval_of_four_lanes() {
    let table = [
        ("general_lod", None, 25, 1),
        ("general_lod_parts", None, 27, 1),
        ("general_lod_volumes", None, 27, 1),
        ("general_lod_volumes", Some(Kind::D3), 0, 2),
        ("general_lod_all", None, 29, 1),
        ("general_lod_all", Some(Kind::D3), 0, 2),
    ];
    leave_as_often(&mut Check::new("general_lod: interval of four lanes"), &table, of_four_lanes);
}
