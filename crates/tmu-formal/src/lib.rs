//! Formal proofs of the emitted Verilog.
//!
//! `proofs/proofs.toml` lists them: a block, the properties that hold of it, the method, the depth, and the mutants that
//! must break them. The properties are Verilog, written by hand in `proofs/*.v` around the block as it is emitted;
//! the generator takes no part in a proof beyond emitting the block.
//!
//! # Methods
//!
//! - `unbounded`: ABC finds an invariant by property-directed reachability and checks it. Holds at any time.
//! - `induction`: z3 shows that no run of `depth` clocks from reset breaks a property, and ABC that properties that held
//!   for `depth` clocks hold in the next, from whatever state. Holds at any time.
//! - `bounded`: z3, or ABC where the table says `search`, shows that no run of `depth` clocks from reset breaks a property.
//!
//! Every proof has covers: runs that the assumptions leave possible, found by the same, so that nothing is proved of an
//! empty set. Every proof has mutants, each of which must violate the property that it names: changes of the block as it is
//! recorded, by stage, node and operator (`tmu_hdl::mutate`), before anything is emitted. By the same names the table says
//! which nodes inside a block an induction needs. Nothing hangs on the text of the Verilog but names of modules and ports.
//!
//! Which proofs have been made stands in `proofs/made.toml`, by a digest of what each is made of ([`Ledger`]).
//!
//! # Properties in kernels
//!
//! `assert`, `assume` and `cover` of a kernel (`tmu_hdl::property`) stand in the emitted Verilog under
//! `TMUGEN_PROPERTIES`, which the provers define: they count as those of the properties file, by the names that the
//! Verilog gives them. The proof `kernel_properties` has no others.
//!
//! # Clocks and memories
//!
//! A block with two clocks is proved for any two clocks: each step of a proof is an edge of either, of both or of neither
//! (`proofs/ticks.v`). Where a properties file holds a module of the name of an emitted memory, it stands in its place: it
//! keeps only the words that the properties are about, chosen freely, and answers anything at other addresses. Whatever
//! the real memory does, this one may do too, so that the proof holds for both. So may multipliers, and the FIFOs of a
//! crossing, which have their own proofs. Sizes that no preset has are in `proofs/configurations`.

mod bank;
mod credits;
mod ledger;
mod page;
mod properties;
mod prover;
mod subject;
mod table;

pub use ledger::{Error as LedgerError, Ledger};
pub use page::page;
pub use prover::{Failure, Workplace, missing_provers};
pub use subject::{Error as SubjectError, GeneralStage, Recorded, Subject};
pub use table::{Method, Mutant, Proof, Table};
