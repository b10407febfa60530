//! Values inside others that one side of a branch changes: lists, maps, options, cells, iterators.

use super::number;
use crate::attacks::kernels;
use crate::bench::Bench;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use tmu_hdl::prelude::*;

kernels! { KERNELS:
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
    fn zip_with_state(k) "if k.c.val() {" {
        let v = [k.a.val(), k.b.val(), k.a.val() ^ k.b.val()];
        let mut items = v.iter().zip(0..).skip(0);
        if k.c.val() { items.nth(1); }
        k.out.next = items.next().map_or(k.a.val(), |(x, n)| *x + number(n));
    }
}
