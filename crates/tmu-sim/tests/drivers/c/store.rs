//! Functions and types of `tmu_general.h` for the parameter store and for indirect look-ups.

use super::general::{CGeneralResult, CGeneralTexture, CSampler};
use super::{CCore, CDriver, EMPTY};
use std::ffi::c_int;
use tmu_driver::{Bus, general};

/// `TMU_ENABLES_STAY`.
const ENABLES_STAY: u8 = 0xff;

#[repr(C)]
struct CUse {
    entry: u8,
    enables: u8,
    drop_cache: u8,
    secondary: u8,
}

#[repr(C)]
struct CSetup {
    offset_u: i16,
    offset_v: i16,
    operation: u8,
    values: u8,
    u_field: u8,
    v_field: u8,
}

impl From<&general::Setup> for CSetup {
    fn from(setup: &general::Setup) -> Self {
        let general::Setup { operation, values, offset_u, offset_v, u_field, v_field } = *setup;
        let (u_field, v_field) = (u_field as u8, v_field as u8);
        Self { offset_u, offset_v, operation: operation as u8, values: values as u8, u_field, v_field }
    }
}

#[repr(C)]
struct CIndirect {
    primary: *const CGeneralTexture,
    secondary: *const CGeneralTexture,
    primary_sampler: *const CSampler,
    secondary_sampler: *const CSampler,
    setup: CSetup,
    queued: u8,
}

#[repr(C)]
struct CIndirectQuad {
    x: [i32; 4],
    y: [i32; 4],
    valid: u8,
}

impl<B: Bus> CDriver<B> {
    /// What `tmu_store_general` gives.
    pub(crate) fn store_general(
        &mut self,
        unit: u32,
        entry: u32,
        enables: Option<u8>,
        texture: &general::Texture,
        sampler: &general::Sampler,
    ) -> c_int {
        type Store = unsafe extern "C" fn(
            *const CCore,
            u32,
            u32,
            u32,
            *const CGeneralTexture,
            *const CSampler,
        ) -> c_int;
        let store = self.function::<Store>("tmu_store_general");
        let (texture, sampler) = (CGeneralTexture::from(texture), CSampler::from(sampler));
        let enables = enables.unwrap_or(ENABLES_STAY).into();
        // SAFETY: the core is open, and the others are of the header's types.
        unsafe { store(&*self.core, unit, entry, enables, &raw const texture, &raw const sampler) }
    }

    /// What `tmu_write_entry` gives.
    pub(crate) fn write_entry(
        &mut self,
        units: u32,
        entry: u32,
        enables: Option<u8>,
        texture: &general::Texture,
        sampler: &general::Sampler,
    ) -> c_int {
        type Write = unsafe extern "C" fn(
            *const CCore,
            u32,
            u32,
            u32,
            *const CGeneralTexture,
            *const CSampler,
        ) -> c_int;
        let write = self.function::<Write>("tmu_write_entry");
        let (texture, sampler) = (CGeneralTexture::from(texture), CSampler::from(sampler));
        let enables = enables.unwrap_or(ENABLES_STAY).into();
        // SAFETY: the core is open, and the others are of the header's types.
        unsafe { write(&*self.core, units, entry, enables, &raw const texture, &raw const sampler) }
    }

    /// What `tmu_load_entries` gives.
    pub(crate) fn load_entries(&mut self, units: u32, table: u32, first: u32, count: u32) -> c_int {
        type Load = unsafe extern "C" fn(*const CCore, u32, u32, u32, u32) -> c_int;
        let load = self.function::<Load>("tmu_load_entries");
        // SAFETY: the core is open.
        unsafe { load(&*self.core, units, table, first, count) }
    }

    /// Calls `tmu_wait_for_entries`.
    pub(crate) fn wait_for_entries(&mut self) {
        self.call("tmu_wait_for_entries");
    }

    /// What `tmu_failed_entry` says.
    pub(crate) fn failed_entry(&mut self) -> Option<u32> {
        type Failed = unsafe extern "C" fn(*const CCore, *mut u8, *mut u32) -> c_int;
        let failed_entry = self.function::<Failed>("tmu_failed_entry");
        let (mut failed, mut entry) = (9, 0);
        // SAFETY: the core is open, and the others are of the header's types.
        assert_eq!(unsafe { failed_entry(&*self.core, &raw mut failed, &raw mut entry) }, 0);
        (failed != 0).then_some(entry)
    }

    /// What `tmu_entry_bytes` makes.
    pub(crate) fn entry_bytes(
        &self,
        texture: &general::Texture,
        sampler: &general::Sampler,
        enables: Option<u8>,
    ) -> [u8; general::ENTRY_BYTES] {
        type Bytes = unsafe extern "C" fn(*const CGeneralTexture, *const CSampler, u32, *mut u8);
        let entry_bytes = self.function::<Bytes>("tmu_entry_bytes");
        let (texture, sampler) = (CGeneralTexture::from(texture), CSampler::from(sampler));
        let mut bytes = [0; general::ENTRY_BYTES];
        let enables = enables.unwrap_or(ENABLES_STAY).into();
        // SAFETY: all are of the header's types, and as many bytes are written as there are.
        unsafe { entry_bytes(&raw const texture, &raw const sampler, enables, bytes.as_mut_ptr()) };
        bytes
    }

    /// What `tmu_use_entry` gives.
    pub(crate) fn use_entry(&mut self, unit: u32, of: &general::Use) -> c_int {
        let mut of = CUse {
            entry: of.entry as u8,
            enables: of.enables.unwrap_or(ENABLES_STAY),
            drop_cache: of.drop_cache.into(),
            secondary: of.is_secondary.into(),
        };
        self.call_unit("tmu_use_entry", unit, &raw mut of)
    }

    /// What `tmu_set_up_indirect` gives, called again as long as the stream is full.
    pub(crate) fn set_up_indirect(&mut self, unit: u32, look_up: &general::Indirect<'_>) -> c_int {
        let textures = [look_up.primary.0, look_up.secondary.0].map(CGeneralTexture::from);
        let samplers = [look_up.primary.1, look_up.secondary.1].map(CSampler::from);
        let mut look_up = CIndirect {
            primary: &raw const textures[0],
            secondary: &raw const textures[1],
            primary_sampler: &raw const samplers[0],
            secondary_sampler: &raw const samplers[1],
            setup: CSetup::from(&look_up.setup),
            queued: 0,
        };
        loop {
            let status = self.call_unit("tmu_set_up_indirect", unit, &raw mut look_up);
            if status != super::FULL {
                return status;
            }
        }
    }

    /// What `tmu_request_indirect` gives.
    pub(crate) fn request_indirect(
        &mut self,
        unit: u32,
        setup: &general::Setup,
        quad: &general::IndirectQuad,
    ) -> c_int {
        type Request = unsafe extern "C" fn(*const CCore, u32, *const CSetup, *const CIndirectQuad) -> c_int;
        let request = self.function::<Request>("tmu_request_indirect");
        let setup = CSetup::from(setup);
        let [x, y] = [0, 1].map(|axis: usize| quad.places.map(|place| place[axis]));
        let quad = CIndirectQuad { x, y, valid: quad.valid };
        // SAFETY: the core is open, and the others are of the header's types.
        unsafe { request(&*self.core, unit, &raw const setup, &raw const quad) }
    }

    /// What `tmu_collect_indirect` gives.
    pub(crate) fn collect_indirect(&mut self, unit: u32) -> Option<general::Value> {
        type Collect = unsafe extern "C" fn(*const CCore, u32, *mut CGeneralResult, *mut u8) -> c_int;
        let collect = self.function::<Collect>("tmu_collect_indirect");
        let (mut value, mut is_last) = (CGeneralResult::default(), 9);
        // SAFETY: the core is open, and the others are of the header's types.
        match unsafe { collect(&*self.core, unit, &raw mut value, &raw mut is_last) } {
            0 => Some(general::Value { result: value.into(), is_last: is_last != 0 }),
            EMPTY => None,
            status => panic!("tmu_collect_indirect gives {status}"),
        }
    }
}
