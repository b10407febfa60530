//! What a run has exercised, so that a regression that passes has also tested something.

use tmu_spec::{AddressMode, Binding, BindingRule, Features, Format, Quad, QuadResult};

/// Counts of what requests and results were like.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Quads by format, filter (nearest, bilinear) and mipmapping.
    samplers: [[[u64; 2]; 2]; Format::ALL.len()],
    /// Quads by address mode of u and of v.
    modes: [[u64; 3]; 3],
    /// Quads by log2 of width and of height.
    sizes_log2: [[u64; 12]; 2],
    levels: [u64; 12],
    valid: [u64; 16],
    refused: [u64; BindingRule::ALL.len()],
    bindings: u64,
    drops: u64,
    failed_reads: u64,
    broken_packets: u64,
}

impl Coverage {
    pub(crate) fn binding(&mut self, outcome: &Result<(), Vec<BindingRule>>, binding: Option<&Binding>) {
        self.bindings += 1;
        self.drops += u64::from(binding.is_some_and(Binding::drop_cache));
        for rule in outcome.as_ref().err().into_iter().flatten() {
            self.refused[usize::from(rule.code()) - 1] += 1;
        }
    }

    pub(crate) const fn broken_packet(&mut self, _breakage: crate::bus::request::Breakage) {
        self.broken_packets += 1;
    }

    pub(crate) fn quad(
        &mut self,
        quad: &Quad,
        binding: Option<&Binding>,
        lod: Option<u32>,
        expected: &QuadResult,
    ) {
        self.valid[usize::from(quad.valid())] += 1;
        let (Some(binding), Some(lod)) = (binding, lod) else { return };
        let (texture, sampler) = (binding.texture(), binding.sampler());
        let format = usize::from(texture.format().code());
        self.samplers[format][usize::from(sampler.bilinear)][usize::from(sampler.mipmapped)] += 1;
        self.modes[usize::from(sampler.address_u.code())][usize::from(sampler.address_v.code())] += 1;
        self.sizes_log2[0][texture.width_log2() as usize] += 1;
        self.sizes_log2[1][texture.height_log2() as usize] += 1;
        self.levels[lod as usize] += 1;
        self.failed_reads += u64::from(expected.error());
    }

    /// Adds what another run has exercised.
    pub fn add(&mut self, other: &Coverage) {
        let add = |to: &mut [u64], from: &[u64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(
            self.samplers.as_flattened_mut().as_flattened_mut(),
            other.samplers.as_flattened().as_flattened(),
        );
        add(self.modes.as_flattened_mut(), other.modes.as_flattened());
        add(self.sizes_log2.as_flattened_mut(), other.sizes_log2.as_flattened());
        add(&mut self.levels, &other.levels);
        add(&mut self.valid, &other.valid);
        add(&mut self.refused, &other.refused);
        self.bindings += other.bindings;
        self.drops += other.drops;
        self.failed_reads += other.failed_reads;
        self.broken_packets += other.broken_packets;
    }

    /// Bindings, legal or not.
    #[must_use]
    pub const fn bindings(&self) -> u64 {
        self.bindings
    }

    /// Quads that failed because a read did.
    #[must_use]
    pub const fn failed_reads(&self) -> u64 {
        self.failed_reads
    }

    /// Packets of the wrong length.
    #[must_use]
    pub const fn broken_packets(&self) -> u64 {
        self.broken_packets
    }

    /// Rules that bindings broke, each as often as it was broken.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused.iter().sum()
    }

    /// What a unit with these features can do and was not seen doing; `faults` asks for bad input too.
    #[must_use]
    pub fn holes(&self, features: &Features, faults: bool) -> Vec<String> {
        let counts = self.counts(features, faults);
        counts.into_iter().filter(|(_, count)| *count == 0).map(|(what, _)| what).collect()
    }

    /// Everything that a unit with these features can do, and how often it was seen doing it: quads of each kind,
    /// bindings that drop the cache; with `faults` what bad input was met, too.
    #[must_use]
    pub fn counts(&self, features: &Features, faults: bool) -> Vec<(String, u64)> {
        let mut counts = self.sampler_counts(features);
        for (valid, count) in self.valid.iter().enumerate() {
            counts.push((format!("valid bits {valid:04b}"), *count));
        }
        counts.push(("a binding that drops the cache".to_owned(), self.drops));
        if faults {
            for rule in BindingRule::ALL {
                // With every feature built, nothing can be asked for that is not.
                if rule != BindingRule::Feature || !features.bilinear() || !features.mipmaps() {
                    counts.push((rule.to_string(), self.refused[usize::from(rule.code()) - 1]));
                }
            }
            counts.push(("a failed read".to_owned(), self.failed_reads));
            counts.push(("a packet of the wrong length".to_owned(), self.broken_packets));
        }
        counts
    }

    /// Quads by what their texture and sampler are like.
    fn sampler_counts(&self, features: &Features) -> Vec<(String, u64)> {
        let mut counts = Vec::new();
        for format in Format::ALL.into_iter().filter(|format| features.has_format(*format)) {
            for bilinear in 0..=usize::from(features.bilinear()) {
                for mipmapped in 0..=usize::from(features.mipmaps()) {
                    let count = self.samplers[usize::from(format.code())][bilinear][mipmapped];
                    counts.push((format!("{format}, bilinear {bilinear}, mipmapped {mipmapped}"), count));
                }
            }
        }
        let built = || AddressMode::ALL.into_iter().filter(|mode| features.has_address_mode(*mode));
        for (u, v) in built().flat_map(|u| built().map(move |v| (u, v))) {
            let count = self.modes[usize::from(u.code())][usize::from(v.code())];
            counts.push((format!("address modes {u}, {v}"), count));
        }
        for size_log2 in 0..=features.max_size_log2() as usize {
            counts.push((format!("width 2^{size_log2}"), self.sizes_log2[0][size_log2]));
            counts.push((format!("height 2^{size_log2}"), self.sizes_log2[1][size_log2]));
            if features.mipmaps() {
                counts.push((format!("level {size_log2}"), self.levels[size_log2]));
            }
        }
        counts
    }
}
