//! Which branch, how deep, and through what the change is seen: conditions, loops, widths, indices, flags.

use super::number;
use crate::attacks::kernels;
use crate::bench::Bench;
use std::cell::Cell;
use tmu_hdl::prelude::*;

kernels! { KERNELS:
    fn effect_right_of_and(k) "k.c.val() &&" {
        let mut x = k.a.val();
        let both = k.c.val() && { x = x + 1; k.d.val() };
        k.out.next = x + both.zero_extend(8);
    }
    fn effect_right_of_or(k) "k.c.val() ||" {
        let n = Cell::new(1);
        let either = k.c.val() || { n.set(5); k.d.val() };
        k.out.next = number(n.get()) + either.zero_extend(8);
    }
    fn x_while_loop(k) "if k.c.val() {" {
        let mut n = 0;
        while n < 3 {
            if k.c.val() { n += 1; }
        }
        k.out.next = number(n);
    }
    fn number_that_unrolls_a_loop(k) "n = 3;" {
        let mut n = 1;
        if k.c.val() { n = 3; }
        let mut sum = k.a.val();
        for _ in 0..n { sum = sum + k.b.val(); }
        k.out.next = sum;
    }
    fn flag_that_chooses_a_statement(k) "seen = true;" {
        let mut seen = false;
        if k.c.val() { seen = true; }
        if seen { k.out.next = k.a.val(); }
    }
    fn flag_that_makes_a_branch(k) "seen = true;" {
        let mut seen = false;
        if k.c.val() { seen = true; }
        if seen {
            if k.d.val() { k.out.next = k.a.val(); }
        }
    }
    fn break_of_a_labelled_loop(k) "done = true;" {
        let mut done = false;
        let mut x = k.a.val();
        'outer: loop {
            for _ in 0..2 {
                if k.c.val() { done = true; }
                if done { break 'outer; }
                x = x + 1;
            }
            break;
        }
        k.out.next = x;
    }
    fn x_break_under_a_condition(k) "if k.c.val() {" {
        let mut x = k.a.val();
        'outer: loop {
            if k.c.val() { break 'outer; }
            x = x + 1;
            break;
        }
        k.out.next = x;
    }
    fn x_return_under_a_condition(k) "if k.c.val() {" {
        if k.c.val() { return; }
        k.out.next = k.a.val();
    }
    fn masked_by_a_second_branch(k) "x = k.b.val();" {
        let start = k.a.val();
        let mut x = start;
        if k.c.val() { x = k.b.val(); }
        if k.d.val() { x = k.a.val(); }
        k.out.next = x;
    }
    fn seen_under_a_third_branch(k) "n = 4;" {
        let mut n = 0;
        if k.c.val() { n = 4; }
        if k.d.val() { n = 0; }
        if k.e.val() { k.out.next = number(n); }
    }
    fn both_sides(k) "x = x + 1;" {
        let mut x = k.a.val();
        if k.c.val() { x = x + 1; } else { x = x + 2; }
        k.out.next = x;
    }
    fn chain_of_else_if(k) "n = 3;" {
        let mut n = 0;
        if k.c.val() { n = 1; } else if k.d.val() { n = 2; } else if k.e.val() { n = 3; }
        k.out.next = number(n);
    }
    fn deep_inside(k) "x = k.b.val();" {
        let mut x = k.a.val();
        if k.c.val() {
            if k.d.val() {
                if k.e.val() { x = k.b.val(); }
            }
        }
        k.out.next = x;
    }
    fn inside_a_value(k) "let y = if" {
        let mut list = vec![k.a.val()];
        let y = if k.c.val() { list.push(k.b.val()); k.a.val() } else { k.b.val() };
        k.out.next = list[list.len() - 1] + y;
    }
    fn between_the_sides_of_a_value(k) "let y = if" {
        let n = Cell::new(1);
        let y = if k.c.val() { n.set(2); k.a.val() } else { k.b.val() + number(n.get()) };
        k.out.next = y;
    }
    fn under_a_condition_that_changed(k) "flag = k.d.val();" {
        let mut flag = k.c.val();
        if k.e.val() { flag = k.d.val(); }
        if flag { k.out.next = k.a.val(); }
    }
    fn width_that_changed(k) "w = 4;" {
        let mut w = 8;
        if k.c.val() { w = 4; }
        k.out.next = k.a.val().low(w).zero_extend(8);
    }
    fn index_that_changed(k) "i += 1;" {
        let v = [k.a.val(), k.b.val()];
        let mut i = 0;
        if k.c.val() { i += 1; }
        k.out.next = v[i];
    }
    fn x_index_out_of_reach(k) "if k.c.val() {" {
        let mut v = vec![];
        if k.c.val() { v.push(k.b.val()); }
        k.out.next = v[0];
    }
    fn register_of_a_leaked_value(k) "x = k.b.val();" {
        let mut x = k.a.val();
        if k.c.val() { x = k.b.val(); }
        k.state.next = x;
    }
    fn only_in_a_literal_of_a_comparison(k) "n = 6;" {
        let mut n = 5;
        if k.c.val() { n = 6; }
        k.out.next = (k.a.val().low(3) == number(n).low(3)).zero_extend(8);
    }
    fn many_branches_in_a_loop(k) "n += 1;" {
        let mut n = 0;
        for i in 0..8 {
            if k.a.val().bit(i) { n += 1; }
        }
        k.out.next = number(n);
    }
    fn priority_by_early_flag(k) "found = true;" {
        let mut found = false;
        for i in 0..4 {
            if !found {
                if k.a.val().bit(i) {
                    k.out.next = number(i);
                    found = true;
                }
            }
        }
    }
}
