//! Golden model of the texture unit: one file per stage, bit-exact.
