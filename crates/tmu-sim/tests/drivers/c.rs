//! The driver in C, compiled as a library without the C library, and called through its header's types.
#![allow(unsafe_code, reason = "a driver in C is called through its foreign functions")]

pub(crate) mod bring_up;
pub(crate) mod general;
pub(crate) mod store;

use crate::Driver;
use crate::bus::SimBus;
use libloading::Library;
use std::ffi::{c_int, c_void};
use std::path::Path;
use std::process::Command;
use tmu_driver::{BEAT_BYTES, Beat, Bus, Counters, Errors, Quad, QuadResult, RESULT_WORDS, Texture};
use tmu_verilate::Tools;

#[repr(C)]
struct CBeat {
    tdata: [u8; BEAT_BYTES],
    tuser: u8,
    tlast: u8,
}

#[repr(C)]
struct CResultBeat {
    tdata: [u32; RESULT_WORDS],
    tuser: u8,
    tlast: u8,
}

#[repr(C)]
struct CBus {
    context: *mut c_void,
    read: extern "C" fn(*mut c_void, u32, *mut u32) -> c_int,
    write: extern "C" fn(*mut c_void, u32, u32) -> c_int,
    send: extern "C" fn(*mut c_void, u32, *const CBeat, u32) -> c_int,
    receive: extern "C" fn(*mut c_void, u32, *mut CResultBeat) -> c_int,
}

#[repr(C)]
struct CCore {
    bus: *const CBus,
    capabilities: u32,
    formats: [u32; 2],
    units: u32,
    built: u32,
}

#[repr(C)]
struct CTexture {
    base: u32,
    format: u8,
    width_log2: u8,
    height_log2: u8,
    max_lod: u8,
    bilinear: u8,
    mipmapped: u8,
    address_u: u8,
    address_v: u8,
    drop_cache: u8,
}

#[repr(C)]
struct CQuad {
    u: [i32; 4],
    v: [i32; 4],
    valid: u8,
}

#[repr(C)]
#[derive(Default)]
struct CResult {
    rgba: [u32; 4],
    valid: u8,
    error: u8,
}

#[repr(C)]
#[derive(Default)]
struct CErrors {
    flags: u32,
    address: u64,
}

pub(crate) const FULL: c_int = 1;
/// `TMU_FAILED_WINDOW`.
const FAILED_WINDOW: c_int = -12;
const EMPTY: c_int = 2;

/// The platform behind the context pointer.
fn bus<'a, B: Bus>(context: *mut c_void) -> &'a mut B {
    // SAFETY: the context is the box in `CDriver`, which outlives every call, and the driver calls back one at a time.
    unsafe { &mut *context.cast::<B>() }
}

extern "C" fn read<B: Bus>(context: *mut c_void, address: u32, value: *mut u32) -> c_int {
    match bus::<B>(context).read(address) {
        // SAFETY: the driver passes a pointer to a word of its own.
        Ok(read) => unsafe { *value = read },
        Err(_) => return -1,
    }
    0
}

extern "C" fn write<B: Bus>(context: *mut c_void, address: u32, value: u32) -> c_int {
    if bus::<B>(context).write(address, value).is_ok() { 0 } else { -1 }
}

extern "C" fn send<B: Bus>(context: *mut c_void, unit: u32, beats: *const CBeat, count: u32) -> c_int {
    // SAFETY: the driver passes `count` beats.
    let beats = unsafe { std::slice::from_raw_parts(beats, count as usize) };
    let beat = |beat: &CBeat| Beat { tdata: beat.tdata, is_binding: beat.tuser != 0, last: beat.tlast != 0 };
    let beats: Vec<_> = beats.iter().map(beat).collect();
    bus::<B>(context).send(unit, &beats).map_or(-1, c_int::from)
}

extern "C" fn receive<B: Bus>(context: *mut c_void, unit: u32, beat: *mut CResultBeat) -> c_int {
    match bus::<B>(context).receive(unit) {
        Ok(Some(received)) => {
            // SAFETY: the driver passes a pointer to a beat of its own.
            unsafe {
                *beat =
                    CResultBeat { tdata: received.tdata, tuser: received.tuser, tlast: received.last.into() }
            };
            1
        }
        Ok(None) => 0,
        Err(_) => -1,
    }
}

/// The library with an opened core.
pub(crate) struct CDriver<B> {
    library: Library,
    core: Box<CCore>,
    bus: Box<B>,
    // The core points to it.
    _table: Box<CBus>,
}

/// Compiles the driver into a library that refers to nothing outside; none without a C compiler.
pub(crate) fn compile(folder: &Path) -> Option<std::path::PathBuf> {
    let compiler = Tools::cc().ok()?;
    let sources = ["tmu.c", "tmu_general.c", "tmu_store.c", "tmu_bring_up.c"]
        .map(|file| tmu_testing::repository().join("drivers/c").join(file));
    let library = folder.join("libtmu.so");
    let output = Command::new(&compiler.program)
        .args(["-std=c99", "-ffreestanding", "-nostdlib", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"])
        .args(["-fPIC", "-shared", "-Wl,--no-undefined", "-o"])
        .arg(&library)
        .args(sources)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(library)
}

impl<B: Bus> CDriver<B> {
    /// A core of any numerics.
    pub(crate) fn open(library: &Path, bus: B) -> Self {
        let mut driver = Self::load(library, bus);
        let (core, table) = (&raw mut *driver.core, &raw const *driver._table);
        let open = driver.function::<unsafe extern "C" fn(*mut CCore, *const CBus) -> c_int>("tmu_open");
        // SAFETY: both are boxed and live as long as the driver.
        assert_eq!(unsafe { open(core, table) }, 0);
        driver
    }

    /// A core of the general numerics, and what `tmu_open_general` gives.
    pub(crate) fn open_general(library: &Path, bus: B, built: u32) -> (Self, c_int) {
        let mut driver = Self::load(library, bus);
        let (core, table) = (&raw mut *driver.core, &raw const *driver._table);
        let open = driver
            .function::<unsafe extern "C" fn(*mut CCore, *const CBus, u32) -> c_int>("tmu_open_general");
        // SAFETY: both are boxed and live as long as the driver.
        let status = unsafe { open(core, table, built) };
        (driver, status)
    }

    fn load(library: &Path, bus: B) -> Self {
        // SAFETY: the library was just compiled from the driver, which has no constructors.
        let library = unsafe { Library::new(library) }.unwrap();
        let mut bus = Box::new(bus);
        let context = std::ptr::from_mut(&mut *bus).cast();
        let table = Box::new(CBus {
            context,
            read: read::<B>,
            write: write::<B>,
            send: send::<B>,
            receive: receive::<B>,
        });
        let core =
            Box::new(CCore { bus: std::ptr::null(), capabilities: 0, formats: [0; 2], units: 0, built: 0 });
        Self { library, core, bus, _table: table }
    }

    /// The platform's side.
    pub(crate) fn platform(&mut self) -> &mut B {
        &mut self.bus
    }

    /// A function of the library. `F` must be what the header declares.
    fn function<F: Copy>(&self, name: &str) -> F {
        // SAFETY: the callers in this file give the types of the header.
        unsafe { *self.library.get::<F>(name.as_bytes()).unwrap() }
    }

    /// A call with nothing but the core.
    fn call(&mut self, name: &str) {
        let function = self.function::<unsafe extern "C" fn(*const CCore) -> c_int>(name);
        // SAFETY: the core is open.
        assert_eq!(unsafe { function(&*self.core) }, 0, "{name}");
    }

    /// A call with a unit and a pointer.
    fn call_unit<T>(&mut self, name: &str, unit: u32, value: *mut T) -> c_int {
        let function = self.function::<unsafe extern "C" fn(*const CCore, u32, *mut T) -> c_int>(name);
        // SAFETY: the core is open, and the value is of the header's type and lives during the call.
        unsafe { function(&*self.core, unit, value) }
    }
}

impl CDriver<SimBus> {
    /// What `tmu_bind` gives.
    fn bind_status(&mut self, unit: u32, texture: &Texture) -> c_int {
        let mut texture = CTexture {
            base: texture.base,
            format: texture.format as u8,
            width_log2: texture.width_log2,
            height_log2: texture.height_log2,
            max_lod: texture.max_lod,
            bilinear: texture.bilinear.into(),
            mipmapped: texture.mipmapped.into(),
            address_u: texture.address_u as u8,
            address_v: texture.address_v as u8,
            drop_cache: texture.drop_cache.into(),
        };
        self.call_unit("tmu_bind", unit, &raw mut texture)
    }
}

impl Driver for CDriver<SimBus> {
    fn bind(&mut self, unit: u32, texture: &Texture) -> Option<bool> {
        match self.bind_status(unit, texture) {
            0 => Some(true),
            FULL => Some(false),
            _ => None,
        }
    }

    fn refuses_the_window(&mut self, unit: u32, texture: &Texture) -> bool {
        self.bind_status(unit, texture) == FAILED_WINDOW
    }

    fn queue(&mut self, unit: u32, quad: &Quad) -> bool {
        let mut quad = CQuad { u: quad.uv.map(|[u, _]| u), v: quad.uv.map(|[_, v]| v), valid: quad.valid };
        match self.call_unit("tmu_queue", unit, &raw mut quad) {
            0 => true,
            FULL => false,
            status => panic!("tmu_queue gives {status}"),
        }
    }

    fn collect(&mut self, unit: u32) -> Option<QuadResult> {
        let mut result = CResult::default();
        match self.call_unit("tmu_collect", unit, &raw mut result) {
            0 => Some(QuadResult { rgba: result.rgba, valid: result.valid, error: result.error != 0 }),
            EMPTY => None,
            status => panic!("tmu_collect gives {status}"),
        }
    }

    fn invalidate(&mut self) {
        self.call("tmu_invalidate");
    }

    fn soft_reset(&mut self) {
        self.call("tmu_soft_reset");
    }

    fn set_window(&mut self, base: u64) {
        let function = self.function::<unsafe extern "C" fn(*const CCore, u64) -> c_int>("tmu_set_window");
        // SAFETY: the core is open.
        assert_eq!(unsafe { function(&*self.core, base) }, 0);
    }

    fn counters(&mut self, unit: u32) -> Counters {
        let mut words = [0u32; 9];
        assert_eq!(self.call_unit("tmu_counters", unit, words.as_mut_ptr()), 0);
        let [
            quads,
            valid_pixels,
            line_lookups,
            line_repeats,
            hits,
            misses,
            memory_beats,
            stall_cycles,
            dropped_packets,
        ] = words;
        Counters {
            quads,
            valid_pixels,
            line_lookups,
            line_repeats,
            hits,
            misses,
            memory_beats,
            stall_cycles,
            dropped_packets,
        }
    }

    fn errors(&mut self) -> Errors {
        let mut errors = CErrors::default();
        let function =
            self.function::<unsafe extern "C" fn(*const CCore, *mut CErrors) -> c_int>("tmu_errors");
        // SAFETY: the core is open.
        assert_eq!(unsafe { function(&*self.core, &raw mut errors) }, 0);
        Errors { flags: errors.flags, address: errors.address }
    }

    fn clear_errors(&mut self) {
        self.call("tmu_clear_errors");
    }

    fn bus(&mut self) -> &mut SimBus {
        &mut self.bus
    }
}
