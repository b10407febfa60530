//! The functions of a compiled model, as `sim/model_shim.cpp` exports them.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use libloading::{Library, Symbol};

use crate::error::{Error, Result};

/// The instance on the C++ side.
#[repr(C)]
pub(crate) struct RawInstance {
    _private: [u8; 0],
}

/// Indices of the ports that take part in a run.
#[repr(C)]
pub(crate) struct RawRun {
    pub(crate) inputs: *const u32,
    pub(crate) input_count: usize,
    pub(crate) clocks: *const u32,
    pub(crate) clock_count: usize,
    pub(crate) outputs: *const u32,
    pub(crate) output_count: usize,
}

type OnInstance<R> = unsafe extern "C" fn(*mut RawInstance) -> R;
type WithTime = unsafe extern "C" fn(*mut RawInstance, u64);
type WithPath = unsafe extern "C" fn(*mut RawInstance, *const c_char) -> c_int;

/// A library that stays loaded to the end of the process.
pub(crate) struct Loaded {
    pub(crate) functions: Functions,
    /// Held while an instance is constructed: its random values come from a sequence that the library has once.
    pub(crate) construction: Mutex<()>,
}

impl Loaded {
    /// Loads the library at `path`, once in a process.
    pub(crate) fn get(path: &Path, fst: bool, coverage: bool) -> Result<&'static Self> {
        static ALL: Mutex<BTreeMap<PathBuf, &'static Loaded>> = Mutex::new(BTreeMap::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = all.get(path) {
            return Ok(loaded);
        }
        let functions = Functions::load(path, fst, coverage)?;
        let loaded = Box::leak(Box::new(Self { functions, construction: Mutex::new(()) }));
        all.insert(path.to_owned(), loaded);
        Ok(loaded)
    }
}

/// The entries of one library. Their contracts stand at their definitions in the shim.
pub(crate) struct Functions {
    pub(crate) new: unsafe extern "C" fn(c_int, c_int, *mut c_char, usize) -> *mut RawInstance,
    pub(crate) delete: OnInstance<()>,
    pub(crate) port: unsafe extern "C" fn(*mut RawInstance, usize) -> *mut c_void,
    pub(crate) eval: OnInstance<c_int>,
    pub(crate) time: OnInstance<u64>,
    pub(crate) set_time: WithTime,
    pub(crate) set_time_step: WithTime,
    pub(crate) finished: OnInstance<c_int>,
    pub(crate) run: unsafe extern "C" fn(*mut RawInstance, *const RawRun, *const u32, *mut u32, u64) -> u64,
    pub(crate) failure: OnInstance<*const c_char>,
    pub(crate) output: OnInstance<*const c_char>,
    pub(crate) clear_output: OnInstance<()>,
    pub(crate) trace: Option<TraceFunctions>,
    pub(crate) coverage_write: Option<WithPath>,
}

/// The entries of a model that can write waveforms.
pub(crate) struct TraceFunctions {
    pub(crate) open: WithPath,
    pub(crate) flush: OnInstance<c_int>,
    pub(crate) close: OnInstance<c_int>,
}

impl Functions {
    /// Loads a library for the life of the process: the runtime's thread-local state does not survive
    /// unloading.
    fn load(path: &Path, fst: bool, coverage: bool) -> Result<Self> {
        let failed =
            |error: libloading::Error| Error::Load { path: path.to_owned(), reason: error.to_string() };
        // SAFETY: the library is the product of this crate's own build, whose initialisers are Verilator's
        // static constructors.
        let library: &'static Library = Box::leak(Box::new(unsafe { Library::new(path) }.map_err(failed)?));
        // SAFETY: each type is the one of the definition in the shim that this crate compiled into the library.
        unsafe {
            let set_directory: Symbol<unsafe extern "C" fn(*const c_char)> =
                library.get(b"tmuv_load").map_err(failed)?;
            let directory = path.parent().unwrap_or(Path::new("/"));
            let directory = c_path(directory)?;
            set_directory(directory.as_ptr());
            Ok(Self {
                new: *library.get(b"tmuv_new").map_err(failed)?,
                delete: *library.get(b"tmuv_delete").map_err(failed)?,
                port: *library.get(b"tmuv_port").map_err(failed)?,
                eval: *library.get(b"tmuv_eval").map_err(failed)?,
                time: *library.get(b"tmuv_time").map_err(failed)?,
                set_time: *library.get(b"tmuv_set_time").map_err(failed)?,
                set_time_step: *library.get(b"tmuv_set_time_step").map_err(failed)?,
                finished: *library.get(b"tmuv_finished").map_err(failed)?,
                run: *library.get(b"tmuv_run").map_err(failed)?,
                failure: *library.get(b"tmuv_failure").map_err(failed)?,
                output: *library.get(b"tmuv_output").map_err(failed)?,
                clear_output: *library.get(b"tmuv_clear_output").map_err(failed)?,
                trace: match fst {
                    true => Some(TraceFunctions {
                        open: *library.get(b"tmuv_trace_open").map_err(failed)?,
                        flush: *library.get(b"tmuv_trace_flush").map_err(failed)?,
                        close: *library.get(b"tmuv_trace_close").map_err(failed)?,
                    }),
                    false => None,
                },
                coverage_write: match coverage {
                    true => Some(*library.get(b"tmuv_coverage_write").map_err(failed)?),
                    false => None,
                },
            })
        }
    }
}

/// A path for C.
pub(crate) fn c_path(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_encoded_bytes())
        .map_err(|_| Error::Usage(format!("the path {} contains a zero byte", path.display())))
}
