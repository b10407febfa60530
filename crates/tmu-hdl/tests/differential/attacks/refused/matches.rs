//! Arms of a `match` on hardware that change something.

use super::number;
use crate::attacks::{kernels, turn};
use crate::bench::{Bench, Turn};
use std::cell::Cell;
use tmu_hdl::prelude::*;

kernels! { KERNELS:
    fn arm_of_a_hardware_match(k) "match turn(k) {" {
        let mut x = k.a.val();
        match turn(k) { Turn::Left => x = k.b.val(), Turn::Right => {} Turn::Back => {} }
        k.out.next = x;
    }
    fn counter_in_the_arms(k) "match turn(k) {" {
        let mut n = 0;
        match turn(k) { Turn::Left => n += 1, _ => n += 2 }
        k.out.next = number(n);
    }
    fn value_of_a_match_that_counts(k) "match turn(k) {" {
        let mut n = 0;
        let x = match turn(k) { Turn::Left => { n += 1; k.a.val() } _ => k.b.val() };
        k.out.next = x + number(n);
    }
    fn list_filled_by_an_arm(k) "match turn(k) {" {
        let mut v = vec![k.a.val()];
        match turn(k) { Turn::Back => v.push(k.b.val()), _ => {} }
        k.out.next = v[v.len() - 1];
    }
    fn arms_of_numbers(k) "match k.b.val().low(2) {" {
        let mut x = k.a.val();
        match k.b.val().low(2) { 0 => x = x + 1, 1 | 2 => x = x ^ 3, _ => {} }
        k.out.next = x;
    }
    fn cell_set_by_an_arm(k) "match turn(k) {" {
        let kept = Cell::new(k.a.val());
        match turn(k) { Turn::Right => kept.set(k.b.val()), _ => {} }
        k.out.next = kept.get();
    }
    fn flag_of_the_last_arm(k) "match turn(k) {" {
        let mut seen = false;
        match turn(k) { Turn::Left | Turn::Right => {} Turn::Back => seen = true }
        if seen { k.out.next = k.a.val(); }
    }
    fn iterator_moved_by_an_arm(k) "match turn(k) {" {
        let list = [k.a.val(), k.b.val()];
        let mut items = list.iter();
        match turn(k) { Turn::Left => { items.next(); } _ => {} }
        k.out.next = items.next().copied().unwrap_or(k.a.val() + 1);
    }
}
