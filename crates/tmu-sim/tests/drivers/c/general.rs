//! Functions and types of `tmu_general.h`.

use super::{CCore, CDriver, EMPTY};
use std::ffi::c_int;
use tmu_driver::{Bus, general};

/// `struct tmu_general_texture`.
#[repr(C)]
#[derive(Debug, Clone)]
pub(crate) struct CGeneralTexture {
    pub(crate) base: u32,
    pub(crate) level_offsets: [u32; general::MAX_LEVELS],
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) depth: u16,
    pub(crate) kind: u8,
    pub(crate) format: u8,
    pub(crate) levels: u8,
    pub(crate) swizzle: [u8; 4],
    pub(crate) srgb: u8,
    pub(crate) drop_cache: u8,
}

impl From<&general::Texture> for CGeneralTexture {
    fn from(texture: &general::Texture) -> Self {
        let [width, height, depth] = [texture.width, texture.height, texture.depth].map(|side| side as u16);
        Self {
            base: texture.base,
            level_offsets: texture.level_offsets,
            width,
            height,
            depth,
            kind: texture.kind as u8,
            format: texture.format as u8,
            levels: texture.levels as u8,
            swizzle: texture.swizzle.map(|shown| shown as u8),
            srgb: texture.srgb.into(),
            drop_cache: texture.drop_cache.into(),
        }
    }
}

/// `struct tmu_sampler`.
#[repr(C)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CSampler {
    pub(crate) lod_bias: i16,
    pub(crate) min_lod: i16,
    pub(crate) max_lod: i16,
    pub(crate) min: u8,
    pub(crate) mag: u8,
    pub(crate) mip: u8,
    pub(crate) max_anisotropy: u8,
    pub(crate) cube_seamless: u8,
    pub(crate) address: [u8; 3],
    pub(crate) border: [u8; 4],
    pub(crate) compares: u8,
    pub(crate) compare: u8,
}

impl From<&general::Sampler> for CSampler {
    fn from(sampler: &general::Sampler) -> Self {
        Self {
            lod_bias: sampler.lod_bias,
            min_lod: sampler.min_lod,
            max_lod: sampler.max_lod,
            min: sampler.min as u8,
            mag: sampler.mag as u8,
            mip: sampler.mip as u8,
            max_anisotropy: sampler.max_anisotropy as u8,
            cube_seamless: sampler.cube_seamless.into(),
            address: sampler.address.map(|mode| mode as u8),
            border: sampler.border,
            compares: sampler.compare.is_some().into(),
            compare: sampler.compare.map_or(0, |op| op as u8),
        }
    }
}

#[repr(C)]
struct CGeneralQuad {
    u: [u32; 4],
    v: [u32; 4],
    w: [u32; 4],
    q: [u32; 4],
    d: [u32; 4],
    lod: u32,
    operation: u8,
    component: u8,
    valid: u8,
}

#[repr(C)]
#[derive(Default)]
pub(crate) struct CGeneralResult {
    channels: [[u32; 4]; 4],
    valid: u8,
    error: u8,
}

impl From<CGeneralResult> for general::QuadResult {
    fn from(result: CGeneralResult) -> Self {
        let CGeneralResult { channels, valid, error } = result;
        Self { channels, valid, error: error != 0 }
    }
}

impl<B: Bus> CDriver<B> {
    /// What `tmu_check_general` gives.
    pub(crate) fn check_general(&self, texture: &CGeneralTexture, sampler: &CSampler) -> c_int {
        type Check = unsafe extern "C" fn(*const CCore, *const CGeneralTexture, *const CSampler) -> c_int;
        let check = self.function::<Check>("tmu_check_general");
        // SAFETY: the core is open, and the others are of the header's types.
        unsafe { check(&*self.core, texture, sampler) }
    }

    /// What `tmu_general_words` writes.
    pub(crate) fn general_words(
        &self,
        texture: &CGeneralTexture,
        sampler: &CSampler,
    ) -> [u32; general::WORDS] {
        type Words = unsafe extern "C" fn(*const CGeneralTexture, *const CSampler, *mut u32);
        let (function, mut words) = (self.function::<Words>("tmu_general_words"), [0; general::WORDS]);
        // SAFETY: all are of the header's types.
        unsafe { function(texture, sampler, words.as_mut_ptr()) };
        words
    }

    /// What `tmu_pack_levels` puts for offsets.
    pub(crate) fn pack_levels(&self, texture: &mut CGeneralTexture) {
        let pack = self.function::<unsafe extern "C" fn(*mut CGeneralTexture)>("tmu_pack_levels");
        // SAFETY: the texture is of the header's type and its format is known.
        unsafe { pack(texture) };
    }

    /// What `tmu_default_sampler` makes.
    pub(crate) fn default_sampler(&self) -> CSampler {
        let fill = self.function::<unsafe extern "C" fn(*mut CSampler)>("tmu_default_sampler");
        let mut sampler = CSampler { max_anisotropy: 9, compare: 9, ..CSampler::default() };
        // SAFETY: the sampler is of the header's type.
        unsafe { fill(&raw mut sampler) };
        sampler
    }

    /// What `tmu_bind_general` gives.
    pub(crate) fn bind_general(
        &self,
        unit: u32,
        texture: &general::Texture,
        sampler: &general::Sampler,
    ) -> c_int {
        type Bind = unsafe extern "C" fn(*const CCore, u32, *const CGeneralTexture, *const CSampler) -> c_int;
        let (texture, sampler) = (CGeneralTexture::from(texture), CSampler::from(sampler));
        // SAFETY: the core is open, and the others are of the header's types.
        unsafe {
            self.function::<Bind>("tmu_bind_general")(
                &*self.core,
                unit,
                &raw const texture,
                &raw const sampler,
            )
        }
    }

    /// What `tmu_queue_general` gives.
    pub(crate) fn queue_general(&mut self, unit: u32, quad: &general::Quad) -> c_int {
        let of = |number: fn(&general::Pixel) -> u32| quad.pixels.each_ref().map(number);
        let mut quad = CGeneralQuad {
            u: of(|pixel| pixel.u),
            v: of(|pixel| pixel.v),
            w: of(|pixel| pixel.w),
            q: of(|pixel| pixel.q),
            d: of(|pixel| pixel.d),
            lod: quad.lod,
            operation: quad.operation as u8,
            component: quad.component,
            valid: quad.valid,
        };
        self.call_unit("tmu_queue_general", unit, &raw mut quad)
    }

    /// What `tmu_collect_general` gives.
    pub(crate) fn collect_general(&mut self, unit: u32) -> Option<general::QuadResult> {
        let mut result = CGeneralResult::default();
        match self.call_unit("tmu_collect_general", unit, &raw mut result) {
            0 => Some(result.into()),
            EMPTY => None,
            status => panic!("tmu_collect_general gives {status}"),
        }
    }

    /// What `tmu_single` gives.
    pub(crate) fn single(&self, value: f32) -> u32 {
        let function = self.function::<unsafe extern "C" fn(f32) -> u32>("tmu_single");
        // SAFETY: the type is the header's.
        unsafe { function(value) }
    }
}
