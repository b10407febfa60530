//! Verilated texture units with bus models and scoreboards against the golden model.
