//! The kernel attribute of tmu-hdl.
