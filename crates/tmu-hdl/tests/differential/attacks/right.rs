//! Kernels that change Rust values around hardware conditions and are right all the same.
// They are written the way they are in order to look wrong.
#![allow(unused_assignments, unused_mut, unused_variables, clippy::all)]

use super::{kernels, turn};
use crate::bench::{Bench, Turn};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use tmu_hdl::prelude::*;

/// Names of its own for what it computes.
struct Own {
    base: Bits,
}

impl Own {
    fn push(&self, x: Bits) -> Bits {
        self.base + x
    }
    fn clear(&self) -> Bits {
        self.base & 0
    }
    fn insert(&mut self, x: Bits) -> Bits {
        self.base ^ x
    }
}

kernels! { KERNELS:
    fn signed_extend(k) "" {
        let mut x = k.a.val().signed();
        if k.c.val() { k.out.next = x.extend(9).bits().low(8); }
    }
    fn methods_of_the_user(k) "" {
        let mut own = Own { base: k.a.val() };
        if k.c.val() { k.out.next = own.push(k.b.val()); } else { k.out.next = own.insert(k.b.val()); }
        if k.d.val() { k.more.next = own.clear(); }
    }
    fn list_that_nobody_reads_again(k) "" {
        let mut list = vec![k.a.val()];
        if k.c.val() { list.push(k.b.val()); k.out.next = list[0]; }
    }
    fn change_that_is_undone(k) "" {
        let mut x = k.a.val();
        if k.c.val() {
            let before = x;
            x = x + 1;
            k.out.next = x;
            x = before;
        }
        k.more.next = x;
    }
    fn variable_of_the_side(k) "" {
        if k.c.val() {
            let mut x = k.a.val();
            for i in 0..3 { x = x + k.b.val().slice(i, 4).zero_extend(8); }
            k.out.next = x;
        }
    }
    fn buffer_that_is_cleared_first(k) "" {
        let mut buffer: Vec<Bits> = vec![];
        for i in 0..3 {
            if k.a.val().bit(i) {
                buffer.clear();
                buffer.push(k.b.val());
                buffer.push(k.a.val());
                k.out.next = buffer[0] + buffer[1];
            }
        }
    }
    fn bool_of_the_configuration(k) "" {
        let mut x = k.a.val();
        let wide = k.out.width() == 8;
        if wide { x = x + 1; }
        let mut n = 0;
        while n < 3 {
            if n == 1 { x = x ^ k.b.val(); }
            n += 1;
        }
        k.out.next = x;
    }
    fn value_of_an_if(k) "" {
        let mut x = k.a.val();
        x = if k.c.val() { k.b.val() } else { x };
        k.out.next = x;
    }
    fn pair_of_an_if(k) "" {
        let (mut x, mut y) = (k.a.val(), k.b.val());
        (x, y) = if k.c.val() { (y, x) } else { (x, y) };
        k.out.next = x - y;
    }
    fn constant_sides(k) "" {
        let step = if k.c.val() { lit(8, 0u32) } else { lit(8, 3u32) };
        let next = step + k.a.val();
        k.out.next = if step == 3 { next } else { k.b.val() };
    }
    fn constant_condition_of_a_condition(k) "" {
        let sure = if k.c.val() { lit(1, 1u32) } else { k.d.val() };
        if sure { k.out.next = k.a.val(); } else { k.more.next = 1; }
    }
    fn condition_and_a_switch(k) "" {
        let (on, off) = (true, false);
        if k.c.val() && on { k.out.next = k.a.val(); }
        if k.d.val() && off { k.out.next = 1; }
        if k.e.val() || off { k.more.next = k.b.val(); }
        let both = k.c.val() && off;
        k.state.next = if both || on { k.b.val() } else { k.a.val() };
    }
    fn drive_right_of_and(k) "" {
        let both = k.c.val() && { k.more.next = 7; k.d.val() };
        if both { k.out.next = 1; }
    }
    fn drive_right_of_or(k) "" {
        let either = k.c.val() || { k.more.next = 9; k.d.val() };
        if either { k.out.next = 1; }
    }
    fn cache_of_pure_values(k) "" {
        let cache: RefCell<HashMap<usize, Bits>> = RefCell::default();
        let get = |i: usize| *cache.borrow_mut().entry(i).or_insert_with(|| k.a.val() + lit(8, i as u64));
        if k.c.val() { k.out.next = get(3); }
        if k.d.val() { k.more.next = get(3); }
    }
    fn count_for_nothing(k) "" {
        let n = Cell::new(0);
        for i in 0..8 {
            if k.a.val().bit(i) { n.set(n.get() + 1); k.out.next = k.b.val(); }
        }
    }
    fn variable_called_branch(k) "" {
        let branch = k.a.val();
        if k.c.val() { k.out.next = branch; } else { k.out.next = !branch; }
    }
    fn the_same_bit_again(k) "" {
        let c = k.c.val();
        let mut x = k.a.val();
        if c { k.out.next = x; }
        if c { k.more.next = x + 1; } else { k.more.next = x; }
    }
    fn iterator_over_everything(k) "" {
        let list = [k.a.val(), k.b.val()];
        let mut items = list.iter();
        while let Some(x) = items.next() {
            if k.c.val() { k.out.next = *x; }
        }
    }
    fn closure_that_drives(k) "" {
        let drive = |x: Bits| k.out.next = x;
        if k.c.val() { drive(k.a.val()); } else { drive(k.b.val()); }
    }
    fn fold_with_values(k) "" {
        let bits: Vec<Bits> = (0..8).map(|i| k.a.val().bit(i)).collect();
        k.out.next = bits.iter().fold(lit(8, 0u32), |sum, &bit| if bit { sum + 1 } else { sum });
    }
    fn chain_of_conditions(k) "" {
        for i in 0..6 {
            if k.a.val().slice(0, 3) == i { k.out.next = k.b.val().slice(i as usize / 2, 4).zero_extend(8); }
            else if k.a.val().bit(7) && k.c.val() || k.d.val() { k.more.next = i; }
            else { k.state.next = k.state.val() + 1; }
        }
    }
    fn slices_of_chosen_values(k) "" {
        let word = if k.c.val() { cat(&[k.a.val(), k.b.val()]) } else { cat(&[k.b.val(), lit(8, 5u32)]) };
        k.out.next = word.slice(4, 8) + if k.d.val() { word.low(8) } else { lit(8, 255u32) };
    }
    fn option_that_is_moved(k) "" {
        let mut x = Some(k.a.val());
        if let Some(value) = x.take() {
            if k.c.val() { k.out.next = value; }
        }
    }
    fn reset_at_each_use(k) "" {
        let mut n = 0;
        for i in 0..3 {
            n = i;
            if k.a.val().bit(i) { n += 1; k.out.next = lit(8, n as u64); }
        }
    }
    fn match_that_drives(k) "" {
        match turn(k) {
            Turn::Left => k.out.next = k.a.val(),
            Turn::Right => {
                k.more.next = k.b.val();
                k.state.next = k.state.val() + 1;
            }
            Turn::Back => {
                if k.c.val() { k.out.next = 1; } else { k.middle.next = 7; }
            }
        }
    }
    fn match_of_numbers(k) "" {
        match k.a.val() {
            0 | 3 | 0x7f => k.out.next = 1,
            1 | 2 => {}
            130 => k.more.next = 9,
            _ => k.out.next = k.b.val() + 1,
        }
    }
    fn value_of_a_match(k) "" {
        let x = match turn(k) { Turn::Right => k.a.val(), Turn::Left | Turn::Back => k.b.val() + 1 };
        k.out.next = match k.b.val().low(3) { 0 => x, 5 => lit(8, 5u32), _ => !x };
    }
    fn match_in_a_match(k) "" {
        match turn(k) {
            Turn::Left => match k.b.val().low(1) { 0 => k.out.next = 3, _ => k.out.next = 4 },
            _ => match turn(k) {
                Turn::Left => k.out.next = 200,
                Turn::Right => k.out.next = 5,
                Turn::Back => {}
            },
        }
    }
    fn match_of_rust(k) "" {
        let turn = if k.a.width() == 8 { Turn::Back } else { Turn::Left };
        let mut x = k.a.val();
        match turn { Turn::Left => x = x + 1, Turn::Back => x = x + 2, _ => {} }
        let list = vec![k.b.val()];
        let lists = match turn { Turn::Left => vec![list], _ => vec![vec![x], list] };
        for number in 0..3 {
            match number { 0 => continue, 1 => k.out.next = lists[0][0], _ => k.more.next = lists[1][0] }
        }
    }
    fn variable_of_an_arm(k) "" {
        match turn(k) {
            Turn::Left => {
                let mut x = k.a.val();
                for i in 0..3 { x = x + k.b.val().slice(i, 4).zero_extend(8); }
                k.out.next = x;
            }
            _ => {}
        }
    }
    fn match_under_conditions_and_loops(k) "" {
        for i in 0..3usize {
            if k.b.val().bit(i) {
                match turn(k) { Turn::Back => k.out.next = lit(8, i as u64), _ => k.more.next = k.b.val() }
            }
        }
    }
    fn match_on_what_a_match_gives(k) "" {
        let next = match turn(k) { Turn::Left => Turn::Right.value(), _ => Turn::Back.value() };
        match next { Turn::Left => k.out.next = 1, Turn::Right => k.out.next = 2, Turn::Back => k.out.next = 3 }
        k.more.next = cat(&[next == Turn::Back, next != turn(k)]).zero_extend(8);
    }
    fn match_on_a_constant(k) "" {
        let sure = Turn::Right.value();
        match sure { Turn::Left => k.out.next = 1, Turn::Right => k.out.next = k.a.val(), Turn::Back => {} }
        k.more.next = match lit(2, 2u32) { 2 => k.b.val(), _ => k.a.val() };
    }
}
