//! `shade`: programs of pixel shaders for quads, many of them on their way, so that neither latency of memory nor that of pipelines shows.
//!
//! A quad waits for its values in a queue, since those take their time in `interpolation`. It takes a place in a ring (`shade_entry`) and leaves from it in order (`shade_leave`). In between it goes from instruction to instruction,
//! one of it at a time: arithmetic in `shade_issue`, textures in `shade_texture` and, when the answer has come, `shade_answers`. Both work at the
//! same time on different quads. All of what a quad needs to know goes with it, as a word in small queues; its registers stand in
//! `shade_registers`, its state and program in `shade_program`.
//!
//! Contract: quads leave in the order in which they came, ends among them. Any bits may be loaded as a program: what it gives means nothing if it was
//! not checked, but all quads leave. Answers of textures come in the order of requests; for each there is room. A slot is loaded while
//! no quad of it is on its way.
//!
//! Latency: [`LOOP_CLOCKS`](issue::LOOP_CLOCKS) for each arithmetic instruction, a turn of one or four clocks apart. One [`Arithmetic`](arithmetic::Arithmetic) for each
//! lane and one [`Coordinates`](coordinates::Coordinates): 16 or 4 multipliers, and 8 DSP slices; ten block RAMs, one more in `coordinates`.

pub mod answers;
pub mod arithmetic;
pub mod coordinates;
mod decode;
pub mod entry;
pub mod issue;
pub mod leave;
mod operand;
pub mod program;
pub mod registers;
pub mod texture;
pub mod way;
pub mod words;

use answers::ShadeAnswers;
use entry::ShadeEntry;
use issue::ShadeIssue;
use leave::ShadeLeave;
use program::ShadeProgram;
use registers::ShadeRegisters;
use texture::ShadeTexture;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use words::ShadeShape;

/// Quads whose values are on their way: as many as `interpolation` has at once where they have few values.
const COMING: usize = 16;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Shade {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Lines of states and programs, see [`LoadWord`](words::LoadWord).
    pub load: StreamIn,
    /// Of each slot: quads of it are on their way.
    pub slot_is_used: Net<Out>,
    /// Quads, see [`ShadeQuadWord`](words::ShadeQuadWord).
    pub quads: StreamIn,
    /// Values of quads, see [`PixelsWord`](super::interpolation::PixelsWord): in the tag its number, and in the bit above that it is the last one.
    /// Four times the set and the component for coordinates, 24 and the channel for v0, 28 and the channel for v1.
    pub values: StreamIn,
    /// What textures are asked, see [`TextureRequestWord`](words::TextureRequestWord).
    pub texture_request: StreamOut,
    /// What they answer, see [`TextureAnswerWord`](words::TextureAnswerWord).
    pub texture_answer: StreamIn,
    /// What has become of quads, see [`ShadedQuadWord`](words::ShadedQuadWord).
    pub shaded: StreamOut,
    coming: SyncFifo,
    program: ShadeProgram,
    entry: ShadeEntry,
    entered: SyncFifo,
    issue: ShadeIssue,
    registers: ShadeRegisters,
    texture: ShadeTexture,
    answers: ShadeAnswers,
    leave: ShadeLeave,
    _shape: ShadeShape,
}

impl Shade {
    /// The stage for a shape.
    ///
    /// # Panics
    /// When arithmetic would take other than one or four pixels in a clock: a fault of the caller.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> Shade {
        assert!(
            matches!(shape.lanes, 1 | 4),
            "arithmetic takes 1 or 4 pixels in a clock, not {}",
            shape.lanes
        );
        Shade {
            load: StreamIn::new(words::LoadWord::of(shape).width()),
            slot_is_used: Net::new(shape.slots()),
            quads: StreamIn::new(words::ShadeQuadWord::of(shape).width()),
            values: StreamIn::new(super::interpolation::PixelsWord::shape().width()),
            texture_request: StreamOut::new(words::TextureRequestWord::shape().width()),
            texture_answer: StreamIn::new(words::TextureAnswerWord::shape().width()),
            shaded: StreamOut::new(words::ShadedQuadWord::of(shape).width()),
            coming: SyncFifo::new(COMING, words::ShadeQuadWord::of(shape).width()),
            program: ShadeProgram::new(shape),
            entry: ShadeEntry::new(shape),
            entered: SyncFifo::new(shape.quads(), way::WayWord::of(shape).width()),
            issue: ShadeIssue::new(shape),
            registers: ShadeRegisters::new(shape),
            texture: ShadeTexture::new(shape),
            answers: ShadeAnswers::new(shape),
            leave: ShadeLeave::new(shape),
            clocks: Clocks::new(),
            _shape: *shape,
        }
    }
}

/// Quads to shaded quads.
#[kernel]
impl Shade {
    fn module_name(&self) -> String {
        "shade".into()
    }

    fn logic(&self) {
        let clocks = &self.clocks;
        self.coming.clocks.follow(clocks);
        self.program.clocks.follow(clocks);
        self.entry.clocks.follow(clocks);
        self.entered.clocks.follow(clocks);
        self.issue.clocks.follow(clocks);
        self.registers.clocks.follow(clocks);
        self.texture.clocks.follow(clocks);
        self.answers.clocks.follow(clocks);
        self.leave.clocks.follow(clocks);
        self.come_and_go();
        self.program_words();
        self.register_words();
        self.texture_words();
    }

    fn come_and_go(&self) {
        /// # Quads come and leave
        let (entry, leave) = (&self.entry, &self.leave);
        let (coming, shape) = (&self.coming, words::ShadeQuadWord::of(&self._shape));
        let arriving = shape.unpack(self.quads.data.val());
        leave.queued.next = self.quads.moves() && !arriving.is_end;
        leave.queued_slot.next = arriving.slot;
        coming.input.forward(&self.quads);
        discard(coming.level.val(), "ready says enough");
        entry.quads.take_from(&coming.output);
        entry.values.forward(&self.values);
        entry.tail.next = leave.tail.val();
        let quad = shape.unpack(coming.output.data.val());
        discard(quad.has_values, "`shade_entry` looks at it");
        leave.comes.next = coming.output.moves();
        leave.head.next = entry.head.val();
        leave.is_end.next = quad.is_end;
        leave.slot.next = quad.slot;
        leave.along.next = quad.along;
        leave.finishes.next = self.issue.finishes.val();
        leave.finished.next = self.issue.finished.val();
        leave.fate.next = self.issue.fate.val();
        leave.holds.next = self.issue.holds.val();
        leave.has_depths.next = self.texture.has_depths.val();
        leave.depth_quad.next = self.texture.depth_quad.val();
        leave.depths.next = self.texture.depths.val();
        self.slot_is_used.next = leave.slot_is_used.val();
        self.shaded.forward(&leave.shaded);
        self.entered.input.take_from(&entry.to_arithmetic);
        discard(self.entered.level.val(), "ready says enough");
        self.issue.entered.take_from(&self.entered.output);
        self.texture.entered.take_from(&entry.to_texture);
        self.issue.woken.take_from(&self.answers.woken);
    }

    fn program_words(&self) {
        /// # Programs
        let (program, issue, texture) = (&self.program, &self.issue, &self.texture);
        program.load.forward(&self.load);
        self.entry.is_loading.next = program.is_loading.val();
        self.entry.is_empty.next = program.is_empty.val();
        self.entry.begins_with_texture.next = program.begins_with_texture.val();
        program.arithmetic_place.next = issue.place.val();
        for (to, from) in issue.halves.iter().zip(&program.halves) {
            to.next = from.val();
        }
        issue.is_last.next = program.is_last.val();
        for (to, from) in program.constant_places.iter().zip(&issue.constant_places) {
            to.next = from.val();
        }
        for (to, from) in self.registers.constants.iter().zip(&program.constants) {
            to.next = from.val();
        }
        program.bump_place.next = issue.bump_place.val();
        issue.bump.next = program.bump.val();
        program.texture_place.next = texture.place.val();
        texture.instruction.next = program.texture.val();
        texture.continues.next = program.continues.val();
        texture.is_last.next = program.is_last_texture.val();
        program.sampled_slot.next = texture.sampled_slot.val();
        texture.sampled.next = program.sampled.val();
    }

    fn register_words(&self) {
        /// # Registers
        let (registers, issue, answers) = (&self.registers, &self.issue, &self.answers);
        registers.quad.next = issue.quad.val();
        registers.holds_colors.next = issue.holds_colors.val();
        registers.holds_alphas.next = issue.holds_alphas.val();
        if let (Some(to), Some(from)) = (&*registers.turn, &*issue.turn) {
            to.next = from.val();
        }
        self.entry.color_quad.next = issue.quad.val();
        for (to, from) in registers.colors.iter().zip(&self.entry.colors) {
            to.next = from.val();
        }
        for (to, from) in registers.places.iter().zip(&issue.places) {
            to.next = from.val();
        }
        registers.are_constants.next = issue.are_constants.val();
        for (to, from) in issue.operands.iter().zip(&registers.operands) {
            to.next = from.val();
        }
        registers.writes.next = issue.writes.val();
        registers.write.next = issue.write.val();
        if let (Some(to), Some(answers), Some(from)) =
            (&*registers.write_turn, &*answers.turn, &*issue.write_turn)
        {
            to.next = from.val();
            answers.next = from.val();
        }
        for (to, from) in registers.results.iter().zip(&issue.results) {
            to.next = from.val();
        }
        registers.texture_writes.next = answers.writes.val();
        registers.texture_write.next = answers.write.val();
        for (to, from) in registers.texture_results.iter().zip(&answers.results) {
            to.next = from.val();
        }
        registers.leave_place.next = self.leave.place.val();
        registers.leaves.next = self.leave.reads.val();
        for (to, from) in self.leave.left.iter().zip(&registers.left) {
            to.next = from.val();
        }
    }

    fn texture_words(&self) {
        /// # Textures
        let (issue, texture, answers) = (&self.issue, &self.texture, &self.answers);
        texture.passes.next = issue.to_texture.valid.val();
        texture.passed.next = issue.to_texture.data.val();
        texture.operand_comes.next = issue.operand.valid.val();
        for (to, from) in texture.operand.iter().zip(&issue.operand.data) {
            to.next = from.val();
        }
        self.entry.set_place.next = texture.set_place.val();
        self.entry.set_reads.next = texture.set_reads.val();
        self.entry.set_leaves.next = texture.set_leaves.val();
        texture.set_is_there.next = self.entry.set_is_there.val();
        for (to, from) in texture.sets.iter().zip(&self.entry.sets) {
            to.next = from.val();
        }
        self.texture_request.forward(&texture.requests);
        answers.tokens.take_from(&texture.tokens);
        answers.converted.take_from(&texture.converted);
        answers.answers.forward(&self.texture_answer);
        answers.is_busy.next = issue.will_write.val();
        issue.owes.next = answers.owes.val();
    }
}
