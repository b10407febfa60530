//! Variables that one side of a branch changes, however they are bound and whoever changes them.

use super::number;
use crate::attacks::kernels;
use crate::bench::{Accumulator, Bench, Word};
use tmu_hdl::prelude::*;

fn bump(x: &mut Bits) {
    *x = *x + 1;
}

kernels! { KERNELS:
    fn plain_assignment(k) "x = k.b.val();" {
        let mut x = k.a.val();
        if k.c.val() { x = k.b.val(); }
        k.out.next = x;
    }
    fn elements_of_iter_mut(k) "if c {" {
        let c = k.c.val();
        let mut v = vec![k.a.val(), k.b.val()];
        for x in v.iter_mut() {
            if c { *x = *x + 1; }
        }
        k.out.next = v[0] ^ v[1];
    }
    fn swap_by_tuple(k) "if k.c.val() {" {
        let (mut x, mut y) = (k.a.val(), k.b.val());
        if k.c.val() { (x, y) = (y, x); }
        k.out.next = x - y;
    }
    fn let_else(k) "x = k.b.val();" {
        let o = Some(k.a.val());
        let Some(mut x) = o else { return };
        if k.c.val() { x = k.b.val(); }
        k.out.next = x;
    }
    fn if_let(k) "x = x + 3;" {
        let o = Some(k.a.val());
        if let Some(mut x) = o {
            if k.c.val() { x = x + 3; }
            k.out.next = x;
        }
    }
    fn arm_of_match(k) "x = x ^ k.b.val();" {
        match Some(k.a.val()) {
            Some(mut x) => {
                if k.c.val() { x = x ^ k.b.val(); }
                k.out.next = x;
            }
            None => {}
        }
    }
    fn pattern_of_struct(k) "low = high;" {
        let Word { mut low, high } = Word { low: k.a.val(), high: k.b.val() };
        if k.c.val() { low = high; }
        k.out.next = low;
    }
    fn pattern_of_tuple_struct(k) "x = k.b.val();" {
        struct Pair(Bits, usize);
        let Pair(mut x, _n) = Pair(k.a.val(), 1);
        if k.c.val() { x = k.b.val(); }
        k.out.next = x;
    }
    fn variable_of_for(k) "x = x + 1;" {
        let mut sum = k.a.val();
        for mut x in [k.a.val(), k.b.val()] {
            if k.c.val() { x = x + 1; }
            sum = sum + x;
        }
        k.out.next = sum;
    }
    fn tuples_of_for(k) "if c {" {
        let c = k.c.val();
        let mut v = vec![(k.a.val(), 1), (k.b.val(), 2)];
        for (x, _) in &mut v {
            if c { *x = *x + 1; }
        }
        k.out.next = v[0].0 + v[1].0;
    }
    fn method_with_mut_self(k) "if k.c.val() {" {
        let mut acc = Accumulator { sum: k.a.val(), count: 0 };
        if k.c.val() { acc.add(k.b.val()); }
        k.out.next = acc.sum;
    }
    fn number_in_a_struct(k) "if k.c.val() {" {
        let mut acc = Accumulator { sum: k.a.val(), count: 0 };
        if k.c.val() { acc.add(k.b.val()); }
        k.out.next = number(acc.count);
    }
    fn mut_reference_handed_on(k) "bump(&mut x);" {
        let mut x = k.a.val();
        if k.c.val() { bump(&mut x); }
        k.out.next = x;
    }
    fn mut_reference_made_outside(k) "if k.c.val() {" {
        let mut x = k.a.val();
        {
            let handle = &mut x;
            if k.c.val() { bump(handle); }
        }
        k.out.next = x;
    }
    fn closure_that_assigns(k) "if k.c.val() {" {
        let mut x = k.a.val();
        let b = k.b.val();
        let mut set = || x = b;
        if k.c.val() { set(); }
        k.out.next = x;
    }
    fn nested_closures(k) "if k.c.val() {" {
        let mut x = k.a.val();
        let b = k.b.val();
        let mut outer = || { let mut inner = || x = x + b; inner(); };
        if k.c.val() { outer(); }
        k.out.next = x;
    }
    fn memory_swap(k) "swap(&mut x, &mut y);" {
        let (mut x, mut y) = (k.a.val(), k.b.val());
        if k.c.val() { std::mem::swap(&mut x, &mut y); }
        k.out.next = x - y;
    }
    fn shadowed_by_the_same_name(k) "x = k.b.val();" {
        let x = k.a.val();
        let mut x = x + 1;
        if k.c.val() { x = k.b.val(); }
        k.out.next = x;
    }
}
