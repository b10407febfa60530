//! `fields` of indirect look-ups against whole numbers that are stored and the golden model's channels of them.

use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::general::decode::widened;
use tmu_rtl::datapath::general::indirect::fields::Fields;
use tmu_rtl::datapath::general::result::QuadSample;
use tmu_rtl::datapath::general::words::PIXELS;
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 2000;

/// What leaves.
#[derive(Debug, PartialEq)]
struct Places {
    fields: [[u32; 2]; PIXELS],
    fails: bool,
    ends_pass: bool,
    along: [u64; 3],
}

#[test]
pub(crate) fn general_fields() {
    let mut check = Check::new("general_fields");
    let config = configs::indirect();
    let mut rig = Rig::new("fields", Fields::new(&config));
    let shape = QuadSample::of(&config);
    let mut owed = Flow::default();
    for place in 0..QUADS {
        let comes = place + 1 < QUADS && !check.one_in(4);
        let bits = check.pick(&[8u32, 16]);
        let components = [(); 2].map(|()| check.rng.random_range(0..4usize));
        let (fails, ends_pass) = (check.one_in(5), check.one_in(2));
        let stored: [[u32; 4]; PIXELS] =
            std::array::from_fn(|_| std::array::from_fn(|_| check.rng.random_range(0..1 << bits)));
        // All else that a sample has means nothing.
        let mut sample = shape.unpack(any_bits(&mut check, shape.width()));
        sample.fails = number(1, fails);
        for (pixel, stored) in sample.pixels.iter_mut().zip(stored) {
            for (channel, stored) in pixel.channels.iter_mut().zip(stored) {
                *channel = number(channel.width(), widened(stored, bits, 16));
            }
        }
        rig.in_valid.drive(comes);
        rig.ends_pass.drive(ends_pass);
        let (row, more) = (any_bits(&mut check, 3), any_bits(&mut check, 2));
        rig.row.is_of_pixel.drive(row.bit(2));
        rig.row.number.drive(row.low(2));
        rig.more.drive(more);
        rig.choice.are_bytes.drive(bits == 8);
        rig.choice.components.iter().zip(components).for_each(|(to, of)| to.drive(number(2, of as u64)));
        rig.sample.drive(shape.pack(&sample));
        rig.settle();
        if is_high(rig.out_valid.val()) {
            let back = rig.back.val();
            let fields = back.fields.map(|fields| fields.map(|field| field.to_u64() as u32));
            let (fails, ends_pass) = (is_high(back.fails), is_high(back.ends_pass));
            let along = [back.row.is_of_pixel, back.row.number, back.more].map(Bits::to_u64);
            let expected = owed.next(&mut check);
            check.same("places", Places { fields, fails, ends_pass, along }, expected);
        }
        rig.tick();
        if comes {
            let fields = stored.map(|stored| components.map(|of| stored[of]));
            let along = [row.bit(2), row.low(2), more].map(Bits::to_u64);
            owed.put(Places { fields, fails, ends_pass, along });
        }
    }
    owed.is_done(&mut check);
    check.at_least(QUADS as u64 / 2);
}
