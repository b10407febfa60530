//! Every primitive: its Rust model against its Verilog, what it promises, what the tools say and infer.

mod arithmetic;
mod buses;
mod clocking;
mod crossings;
mod depths;
mod dividers;
mod enums;
mod floats;
mod harness;
mod lint;
mod memories;
mod multipliers;
mod pipes;
mod registers;
mod scoreboard;
mod stimulus;
mod stream_parts;
mod streams;
mod subject;
mod synthesis;
