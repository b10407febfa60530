//! `docs/reference/proofs.md`: what is proved, how, to what depth, and how long it took.
//!
//! Everything but the seconds follows from the table; they stand in the ledger of proofs that have been made.

use crate::ledger::Ledger;
use crate::table::{Method, Proof, Table};
use std::fmt::Write as _;
use tmu_hdl::mutate::Operator;

const HEAD: &str = "<!-- Made by UPDATE_DOCS=1 cargo test -p tmu-formal --test proofs. -->

# Proofs

What is proved of the emitted Verilog, for every input that the assumptions allow, with Yosys, Z3 and ABC. The properties are
Verilog, written by hand around the blocks as they are emitted: `crates/tmu-formal/proofs/`. Every proof has covers, runs that
show that the assumptions leave something to be proved, and mutants, changes of the recorded block that must break a
property and do.

A proof that has been made holds wherever it was made. `crates/tmu-formal/proofs/made.toml` says which have been, by a digest of
everything that each is made of: the emitted block, the properties, and what the tools are asked. The quick run makes those again of which
anything has changed since; one that takes minutes is not made without being asked for, and fails until its new state stands there.

```
cargo test -p tmu-formal --test proofs                # those that have changed, without mutants
UPDATE_DOCS=1 cargo test -p tmu-formal --test proofs  # the same, those of minutes too, and enters them
TMUGEN_PROVE=1 cargo test -p tmu-formal --test proofs -- --include-ignored       # all, as scripts/test-long does
TMUGEN_PROVE=1 cargo test -p tmu-formal --test proofs -- --include-ignored cache # one, with its mutants
```

- *unbounded*: ABC finds an invariant by property-directed reachability and checks it. Holds at any time.
- *induction*: what held for so many clocks holds in the next one, from whatever state, and no run of so many clocks from
  reset breaks it. Holds at any time.
- *bounded*: no run of so many clocks from reset breaks a property. Says nothing of longer runs. Z3 looks for one, or ABC.

Seconds are those of one run on a 2-core Xeon server with other work beside it: proof and covers, with Yosys.

";

const TAIL: &str = "## What is not proved

- Arithmetic: level of detail, coordinates, addresses, decoding and filtering are compared with the golden model by simulation.
- Memory that answers with more or fewer transfers than were asked for, behind the memory port: that the streaming cache's `fill`
  fails what it cannot trust and comes to rest, and the same with a clock of the port's own, by simulation only (`bad_input lengths`,
  `faults`). The proof of the streaming cache gives as many as are owed. Where a texture ends, too, is left to simulation.
- Of the general numerics the stages without a row above, and of `request` the rules of a binding: by simulation only. That `axis` gives
  such texels as `general_footprint` takes for granted: the same.
- Of indirect look-ups `places`, `fields`, the wires between the stages, and what `aggregate` computes: by simulation only. `indirect_loop` is of
  small numbers, with models of the stages between.
- Rules of a binding, and which of its bits reach which stage: by simulation only. Of the streaming unit's `request` which
  binding comes out behind a colour table; of the other one's how the table is loaded; and of that one's `coordinate` runs
  beyond the depth above.
- The streaming cache's `fill` and `texels` by themselves: only together, in the smallest size, with one bank and short
  queues, and to a depth. That the queues of `fill` never overflow at their real size, and that results always have room in
  the streaming unit's result FIFO: by simulation only.
- Of the pixel pipeline all without a row above: hidden surfaces, set-up, arithmetic, the order in which quads leave `shade`, depths and
  blending; of `grouping` larger tiles, of `shade_texture` that conversions and quads that wait have room: by simulation only.
- Of the mesh engine's texture cache `line_tags` and `texel_read`, that its queue of misses has room, and answers of the wrong length: by
  tests of the stages and of the engine only.
- Of `lookup` two of the four banks, which are emitted by the same code. Which way is replaced does not matter to its
  proof: a tile that is still needed stays because `fill` waits for its last user, which is part of `stream_cache`.
- A memory port with a clock of its own and several units, and what the unit loses in a reset that meets a read: that the
  crossings deliver what the FIFO's own proofs say is assumed there.
- Metastability: a synchroniser is taken to deliver the old or the new value. That gray code changes one bit at a time, and
  that the constraints bound its skew, is what makes this true.
- The write side of the memory port with more than one channel, and bursts of more than four lines there and in the engine
  `copy`, by simulation only. That a read of `copy` that an answer of the wrong length has broken comes to rest: the same.
- Of the AXI4 masters one shape: transfers of a byte, bursts of four, four that wait, addresses of 13 bits. Others by simulation.
- Bounded rows above, beyond their depth.
- The tools themselves. An invariant that ABC finds is checked by ABC; mutants and covers are found by Yosys with Z3 or ABC.

## Found by the proofs

- `control_port`: a read's data and response changed under RVALID when a write ended before RREADY, and a write's response
  under BVALID likewise, because both shared a register. No simulation had found it: its manager made one access at a
  time. Each has its own now, and simulated accesses overlap too.
- `copier`: a line that nobody asked for, in the clock in which a job's rules are looked at, took the place of the code of a
  refusal; one in the clock before as well ended the job with nothing copied and the code of a good end.
";

/// What stands before the table of operators.
const MUTANTS: &str = "
## Mutants

A mutant changes the block as the toolkit has recorded it, before anything is printed, and knows nothing of the Verilog's text. It
names the *stage*, the type of a block; the *node* in the stage's source, a net, a register, a port of a sub-block as
`queue.input_valid`, a `let` or a named constant, behind names of scopes where it takes them to tell it from others; what of
it changes, its value unless another part is named; the operator; and with `at` the place in the expression. A name
that no longer exists, a place that is not there or not the only one, and a change that changes nothing are errors. The operators,
of `tmu_hdl::mutate`:

";

fn operators(text: &mut String) {
    text.push_str(MUTANTS);
    text.push_str("| operator | what it does |\n| --- | --- |\n");
    for operator in Operator::ALL {
        let _ = writeln!(text, "| `{operator}` | {} |", operator.about());
    }
}

/// The page of a table with the seconds that each proof took.
#[must_use]
pub fn page(table: &Table, made: &Ledger) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(
        "| proof | block | method | clocks | mutants | seconds |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for proof in &table.proofs {
        let (method, clocks) = match proof.method {
            Method::Unbounded => ("unbounded", "any".to_owned()),
            Method::Induction => ("induction", format!("any ({})", proof.depth)),
            Method::Bounded => ("bounded", proof.depth.to_string()),
        };
        let seconds = made.seconds(&proof.name).map_or(String::new(), |seconds| seconds.to_string());
        let _ = writeln!(
            text,
            "| `{}` | {} | {method} | {clocks} | {} | {seconds} |",
            proof.name,
            proof.block.label(),
            proof.mutants.len()
        );
    }
    operators(&mut text);
    table.proofs.iter().for_each(|proof| section(&mut text, proof));
    text.push_str(TAIL);
    text
}

fn section(text: &mut String, proof: &Proof) {
    let _ = writeln!(text, "\n## `{}`\n\n{}", proof.name, proof.proves);
    if let Some(given) = &proof.given {
        let _ = writeln!(text, "\nGiven: {given}");
    }
    if !proof.mutants.is_empty() {
        text.push_str("\n| mutant | breaks |\n| --- | --- |\n");
    }
    for mutant in &proof.mutants {
        let mutation = mutant.mutation.to_string().replace('|', "\\|");
        let _ = writeln!(text, "| {mutation} | `{}` |", mutant.breaks);
    }
    text.push('\n');
}
