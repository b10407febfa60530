//! Waveforms: every net of the design, block by block, as VCD. Costs a comparison for each net and instant.
//!
//! Beside a net of an enum, `state`, stands a variable of type `string`, `state$name`, with the variant: `STATE_IDLE`. No
//! net of Verilog is called so, and whatever reads the number still does. A code that no variant has is shown in
//! hexadecimal, and as `x` where a bit is unknown.

use super::engine::Engine;
use super::store::Slot;
use crate::design::{Design, NetDesign};
use crate::enums::Names;
use rustc_hash::FxHashMap;
use std::fmt;
use std::io;
use vcd::{IdCode, TimescaleUnit, Value as Level, VarType};

/// Where a waveform goes.
type Sink = Box<dyn io::Write + Send>;

/// A waveform being written.
pub(super) struct Waveform {
    out: io::BufWriter<Sink>,
    signals: Vec<Signal>,
    /// Limbs and unknown bits of all signals at the last instant.
    last: Vec<(u64, u64)>,
    time_ps: Option<u64>,
    error: Option<io::Error>,
}

/// What nets of one place share.
struct Signal {
    code: IdCode,
    slot: Slot,
    /// The texts beside it: nets of one place may be of different enums, or of none.
    texts: Vec<(IdCode, Names)>,
}

impl fmt::Debug for Waveform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Waveform({} signals)", self.signals.len())
    }
}

impl Waveform {
    /// Writes the names.
    pub(super) fn new(to: Sink, design: &Design, engine: &Engine) -> io::Result<Waveform> {
        let mut out = io::BufWriter::new(to);
        let mut writer = vcd::Writer::new(&mut out);
        writer.timescale(1, TimescaleUnit::PS)?;
        let mut declarations = Declarations { writer, engine, signals: vec![], places: FxHashMap::default() };
        declarations.scope(design, 0)?;
        let Declarations { mut writer, signals, .. } = declarations;
        writer.enddefinitions()?;
        let limbs = signals.iter().map(|signal| signal.slot.limbs()).sum();
        Ok(Waveform { out, signals, last: vec![(0, 0); limbs], time_ps: None, error: None })
    }

    /// Writes what has changed.
    pub(super) fn sample(&mut self, time_ps: u64, engine: &Engine) {
        if self.error.is_none() {
            self.error = self.write(time_ps, engine).err();
        }
    }

    fn write(&mut self, time_ps: u64, engine: &Engine) -> io::Result<()> {
        let first = self.time_ps.is_none();
        let mut writer = vcd::Writer::new(&mut self.out);
        let mut at = 0;
        for signal in &self.signals {
            let slot = signal.slot;
            let mut changed = first;
            for limb in 0..slot.limbs() as u32 {
                let offset = slot.offset + limb;
                let unknown = engine.unknowns.as_ref().map_or(0, |unknowns| unknowns.get(offset));
                let now = (engine.store.get(offset), unknown);
                changed |= std::mem::replace(&mut self.last[at], now) != now;
                at += 1;
            }
            if changed {
                if self.time_ps != Some(time_ps) {
                    writer.timestamp(time_ps)?;
                    self.time_ps = Some(time_ps);
                }
                change(&mut writer, signal, &self.last[at - slot.limbs()..at])?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.error.take().map_or_else(|| io::Write::flush(&mut self.out), Err)
    }
}

fn change(
    writer: &mut vcd::Writer<&mut io::BufWriter<Sink>>,
    signal: &Signal,
    limbs: &[(u64, u64)],
) -> io::Result<()> {
    let &Signal { code, slot, .. } = signal;
    let level = |bit: u32| {
        let (value, unknown) = limbs[bit as usize / 64];
        match (unknown >> (bit % 64) & 1, value >> (bit % 64) & 1) {
            (1, _) => Level::X,
            (_, 1) => Level::V1,
            _ => Level::V0,
        }
    };
    if slot.width == 1 {
        writer.change_scalar(code, level(0))?;
    } else {
        let levels: Vec<Level> = (0..slot.width).rev().map(level).collect();
        writer.change_vector(code, &levels)?;
    }
    for &(code, names) in &signal.texts {
        // Codes have 64 bits at most.
        writer.change_string(code, &text(names, limbs[0]))?;
    }
    Ok(())
}

/// What a code is called.
fn text(names: Names, (value, unknown): (u64, u64)) -> String {
    if unknown != 0 {
        return "x".into();
    }
    let named = names.iter().find(|(code, _)| *code == value);
    named.map_or_else(|| format!("{value:x}"), |(_, name)| (*name).into())
}

/// The names being written.
struct Declarations<'a> {
    writer: vcd::Writer<&'a mut io::BufWriter<Sink>>,
    engine: &'a Engine,
    signals: Vec<Signal>,
    /// Which of them is at a place: its first limb and width.
    places: FxHashMap<(u32, u32), usize>,
}

impl Declarations<'_> {
    fn scope(&mut self, design: &Design, block: usize) -> io::Result<()> {
        let block = &design.blocks[block];
        self.writer.add_module(&block.name)?;
        for net in &block.nets {
            self.net(net)?;
        }
        for &child in &block.children {
            self.scope(design, child)?;
        }
        self.writer.upscope()
    }

    fn net(&mut self, net: &NetDesign) -> io::Result<()> {
        let slot = self.engine.program.nets[&net.id];
        let var_type = if net.register().is_some() { VarType::Reg } else { VarType::Wire };
        let place = (slot.offset, slot.width);
        let signal = match self.places.get(&place) {
            Some(&signal) => {
                let (code, reference) = (self.signals[signal].code, net.name.clone());
                let index = index(slot);
                self.writer.var(&vcd::Var { var_type, size: slot.width, code, reference, index })?;
                signal
            }
            None => {
                let code = self.writer.add_var(var_type, slot.width, &net.name, index(slot))?;
                self.signals.push(Signal { code, slot, texts: vec![] });
                *self.places.entry(place).or_insert(self.signals.len() - 1)
            }
        };
        let Some(names) = net.code_names else { return Ok(()) };
        let reference = format!("{}$name", net.name);
        let texts = &mut self.signals[signal].texts;
        match texts.iter().find(|(_, known)| *known == names) {
            Some(&(code, _)) => {
                let var_type = VarType::String;
                self.writer.var(&vcd::Var { var_type, size: 1, code, reference, index: None })
            }
            None => {
                texts.push((self.writer.add_var(VarType::String, 1, &reference, None)?, names));
                Ok(())
            }
        }
    }
}

fn index(slot: Slot) -> Option<vcd::ReferenceIndex> {
    (slot.width > 1).then(|| vcd::ReferenceIndex::Range(slot.width - 1, 0))
}
