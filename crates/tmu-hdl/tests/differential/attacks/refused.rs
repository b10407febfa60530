//! Kernels whose hardware would not do what the kernel does. The names of those that hang, panic, change from run to run,
//! or are refused by another rule begin with `x_`.
// They are written the way they are in order to be wrong.
#![allow(unused_assignments, unused_must_use, unused_mut, unused_variables, clippy::all)]

use super::{Turn, kernels, turn};
use crate::bench::Bench;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tmu_hdl::prelude::*;

static GLOBAL: AtomicUsize = AtomicUsize::new(0);
static LAST: Mutex<Option<usize>> = Mutex::new(None);
thread_local! {
    static LOCAL: Cell<usize> = const { Cell::new(0) };
}

struct Accumulator {
    sum: Bits,
    count: usize,
}

impl Accumulator {
    fn add(&mut self, x: Bits) -> &mut Accumulator {
        self.sum = self.sum + x;
        self.count += 1;
        self
    }
}

struct Word {
    low: Bits,
    high: Bits,
}

fn bump(x: &mut Bits) {
    *x = *x + 1;
}

fn number(n: usize) -> Bits {
    lit(8, n as u64)
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
    fn closure_in_a_box(k) "if k.c.val() {" {
        let x = Cell::new(1);
        let set: Box<dyn Fn()> = Box::new(|| x.set(7));
        if k.c.val() { set(); }
        k.out.next = number(x.get());
    }
    fn push_front(k) "if k.c.val() {" {
        let mut list = VecDeque::from([k.a.val()]);
        if k.c.val() { list.push_front(k.b.val()); }
        k.out.next = list[0];
    }
    fn first_mut(k) "if k.c.val() {" {
        let mut v = vec![k.a.val()];
        if k.c.val() {
            if let Some(x) = v.first_mut() { *x = k.b.val(); }
        }
        k.out.next = v[0];
    }
    fn extend_from_slice(k) "if k.c.val() {" {
        let mut v = vec![k.a.val()];
        if k.c.val() { v.extend_from_slice(&[k.b.val()]); }
        k.out.next = v[v.len() - 1];
    }
    fn copy_from_slice(k) "if k.c.val() {" {
        let mut v = [k.a.val(), k.a.val()];
        let from = [k.b.val(), k.b.val()];
        if k.c.val() { v.copy_from_slice(&from); }
        k.out.next = v[1];
    }
    fn replace(k) "if k.c.val() {" {
        let mut x = Some(k.a.val());
        if k.c.val() { x.replace(k.b.val()); }
        k.out.next = x.unwrap_or(k.a.val());
    }
    fn take(k) "if k.c.val() {" {
        let mut x = Some(k.b.val());
        if k.c.val() { x.take(); }
        k.out.next = x.unwrap_or(k.a.val());
    }
    fn next_of_an_iterator(k) "if k.c.val() {" {
        let list = [k.a.val(), k.b.val()];
        let mut items = list.iter();
        if k.c.val() { items.next(); }
        k.out.next = items.next().copied().unwrap_or(k.a.val());
    }
    fn cell(k) "if k.c.val() {" {
        let x = Cell::new(k.a.val());
        if k.c.val() { x.set(k.b.val()); }
        k.out.next = x.get();
    }
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
    fn refcell(k) "if k.c.val() {" {
        let v = RefCell::new(vec![1, 2]);
        if k.c.val() { v.borrow_mut().push(9); }
        let n: usize = v.borrow().iter().sum();
        k.out.next = number(n);
    }
    fn shared_by_rc(k) "if k.c.val() {" {
        let x = Rc::new(Cell::new(k.a.val()));
        let other = x.clone();
        if k.c.val() { other.set(k.b.val()); }
        k.out.next = x.get();
    }
    fn x_thread_local(k) "if k.c.val() {" {
        LOCAL.set(0);
        if k.c.val() { LOCAL.set(2); }
        k.out.next = number(LOCAL.get());
    }
    fn x_static(k) "if k.c.val() {" {
        GLOBAL.store(1, Relaxed);
        if k.c.val() { GLOBAL.fetch_add(1, Relaxed); }
        k.out.next = number(GLOBAL.load(Relaxed));
    }
    fn x_counter_of_runs(k) "k.out.next = number" {
        k._count.set(k._count.get() + 1);
        k.out.next = number(k._count.get() % 200);
    }
    fn x_state_of_the_block(k) "k.out.next = number" {
        let before = k._count.get();
        if k.c.val() { k._count.set(1); }
        k.out.next = number(before);
    }
    fn x_value_of_the_run_before(k) "k.out.next = x & k.b.val();" {
        let x = k._kept.borrow().unwrap_or(k.a.val());
        *k._kept.borrow_mut() = Some(k.b.val());
        k.out.next = x & k.b.val();
    }
    fn x_words_of_the_first_run(k) "assert(" {
        let words = if k._count.replace(1) == 0 { "first" } else { "later" };
        assert(k.c.val(), words);
    }
    fn x_condition_of_the_first_run(k) "assume(" {
        let bits = [k.c.val(), k.d.val()];
        assume(bits[k._count.replace(1)], "one of two");
    }
    fn x_cover_of_the_first_run(k) "cover(" {
        let c = k.c.val();
        if k._count.replace(1) == 0 { cover(c, "once"); }
    }
    fn x_kind_of_the_first_run_under_an_if(k) "assume(d" {
        let d = k.d.val();
        if k.c.val() {
            if k._count.replace(1) == 0 { assert(d, "both"); } else { assume(d, "both"); }
        }
    }
    fn x_mutex(k) "if k.c.val() {" {
        let set = |n| if let Ok(mut last) = LAST.lock() { *last = n };
        set(None);
        if k.c.val() { set(Some(3)); }
        let n = LAST.lock().map(|last| last.unwrap_or(0)).unwrap_or(0);
        k.out.next = number(n);
    }
    fn memory_swap(k) "swap(&mut x, &mut y);" {
        let (mut x, mut y) = (k.a.val(), k.b.val());
        if k.c.val() { std::mem::swap(&mut x, &mut y); }
        k.out.next = x - y;
    }
    fn memory_take(k) "if k.c.val() {" {
        let mut v = vec![k.b.val()];
        if k.c.val() { drop(std::mem::take(&mut v)); }
        k.out.next = v.first().copied().unwrap_or(k.a.val());
    }
    fn insert_of_option(k) "if k.c.val() {" {
        let mut x = None;
        if k.c.val() { x.insert(k.b.val()); }
        k.out.next = x.unwrap_or(k.a.val());
    }
    fn get_or_insert_with(k) "if k.c.val() {" {
        let mut x = None;
        if k.c.val() { x.get_or_insert_with(|| k.b.val()); }
        k.out.next = *x.get_or_insert_with(|| k.a.val());
    }
    fn sort(k) "if k.c.val() {" {
        let mut v = [(3, k.a.val()), (1, k.b.val())];
        if k.c.val() { v.sort_by_key(|x| x.0); }
        k.out.next = v[0].1;
    }
    fn entry_of_a_map(k) "if k.c.val() {" {
        let mut map = HashMap::from([(1, k.a.val())]);
        if k.c.val() { *map.entry(1).or_insert(k.a.val()) = k.b.val(); }
        k.out.next = map[&1];
    }
    fn removed_from_a_map(k) "if k.c.val() {" {
        let mut map = BTreeMap::from([(1, k.a.val()), (2, k.b.val())]);
        if k.c.val() { map.remove(&1); }
        k.out.next = *map.values().next().unwrap_or(&k.a.val());
    }
    fn drained(k) "if k.c.val() {" {
        let mut v = vec![k.a.val(), k.b.val(), k.a.val() + 1];
        if k.c.val() { v.drain(..2); }
        k.out.next = v[0];
    }
    fn shadowed_by_the_same_name(k) "x = k.b.val();" {
        let x = k.a.val();
        let mut x = x + 1;
        if k.c.val() { x = k.b.val(); }
        k.out.next = x;
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
    fn zip_with_state(k) "if k.c.val() {" {
        let v = [k.a.val(), k.b.val(), k.a.val() ^ k.b.val()];
        let mut items = v.iter().zip(0..).skip(0);
        if k.c.val() { items.nth(1); }
        k.out.next = items.next().map_or(k.a.val(), |(x, n)| *x + number(n));
    }
    fn nested_closures(k) "if k.c.val() {" {
        let mut x = k.a.val();
        let b = k.b.val();
        let mut outer = || { let mut inner = || x = x + b; inner(); };
        if k.c.val() { outer(); }
        k.out.next = x;
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
