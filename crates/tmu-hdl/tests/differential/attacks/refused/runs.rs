//! What lasts from one run of the kernel to the next, and kernels that do something else the first time.

use super::number;
use crate::attacks::kernels;
use crate::bench::Bench;
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tmu_hdl::prelude::*;

static GLOBAL: AtomicUsize = AtomicUsize::new(0);
static LAST: Mutex<Option<usize>> = Mutex::new(None);
thread_local! {
    static LOCAL: Cell<usize> = const { Cell::new(0) };
}

kernels! { KERNELS:
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
    fn x_mutex(k) "if k.c.val() {" {
        let set = |n| if let Ok(mut last) = LAST.lock() { *last = n };
        set(None);
        if k.c.val() { set(Some(3)); }
        let n = LAST.lock().map(|last| last.unwrap_or(0)).unwrap_or(0);
        k.out.next = number(n);
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
}
