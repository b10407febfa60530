//! Waveforms: every net of the design, block by block, as VCD. Costs a comparison for each net and instant.

use super::engine::Engine;
use super::store::Slot;
use crate::design::Design;
use std::collections::HashMap;
use std::fmt;
use std::io;
use vcd::{IdCode, TimescaleUnit, Value as Level, VarType};

/// Where a waveform goes.
type Sink = Box<dyn io::Write + Send>;

/// A waveform being written.
pub(super) struct Waveform {
    out: io::BufWriter<Sink>,
    /// Nets of one place share a code.
    signals: Vec<(IdCode, Slot)>,
    /// Limbs and unknown bits of all signals at the last instant.
    last: Vec<(u64, u64)>,
    time_ps: Option<u64>,
    error: Option<io::Error>,
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
        let mut codes = HashMap::new();
        let mut signals = vec![];
        scope(&mut writer, design, engine, 0, &mut codes, &mut signals)?;
        writer.enddefinitions()?;
        let limbs = signals.iter().map(|(_, slot)| slot.limbs()).sum();
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
        for &(code, slot) in &self.signals {
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
                change(&mut writer, code, slot, &self.last[at - slot.limbs()..at])?;
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
    code: IdCode,
    slot: Slot,
    limbs: &[(u64, u64)],
) -> io::Result<()> {
    let level = |bit: u32| {
        let (value, unknown) = limbs[bit as usize / 64];
        match (unknown >> (bit % 64) & 1, value >> (bit % 64) & 1) {
            (1, _) => Level::X,
            (_, 1) => Level::V1,
            _ => Level::V0,
        }
    };
    if slot.width == 1 {
        return writer.change_scalar(code, level(0));
    }
    let levels: Vec<Level> = (0..slot.width).rev().map(level).collect();
    writer.change_vector(code, &levels)
}

fn scope(
    writer: &mut vcd::Writer<&mut io::BufWriter<Sink>>,
    design: &Design,
    engine: &Engine,
    block: usize,
    codes: &mut HashMap<(u32, u32), IdCode>,
    signals: &mut Vec<(IdCode, Slot)>,
) -> io::Result<()> {
    let block = &design.blocks[block];
    writer.add_module(&block.name)?;
    for net in &block.nets {
        let slot = engine.program.nets[&net.id];
        let kind = if net.register().is_some() { VarType::Reg } else { VarType::Wire };
        match codes.get(&(slot.offset, slot.width)) {
            Some(&code) => {
                let (reference, index) = (net.name.clone(), index(slot));
                writer.var(&vcd::Var { var_type: kind, size: slot.width, code, reference, index })?;
            }
            None => {
                let code = writer.add_var(kind, slot.width, &net.name, index(slot))?;
                codes.insert((slot.offset, slot.width), code);
                signals.push((code, slot));
            }
        }
    }
    for &child in &block.children {
        scope(writer, design, engine, child, codes, signals)?;
    }
    writer.upscope()
}

fn index(slot: Slot) -> Option<vcd::ReferenceIndex> {
    (slot.width > 1).then(|| vcd::ReferenceIndex::Range(slot.width - 1, 0))
}
