//! The texture unit: one file per stage in data-flow order.

pub mod registers;
