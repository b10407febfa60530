//! The functions that C calls, as `include/tmu_golden.h` declares them; the header says what each does.
//!
//! Contract with the caller, for every function: a model is one that a function of here has given and that was not freed, used by one
//! thread at a time; a text ends with 0; an array has as many elements as the header says. Null is no fault: it is answered with
//! [`Status::Argument`] or nothing. A panic does not leave a function: it becomes [`Status::Internal`].

#![allow(unsafe_code, reason = "C knows no references: pointers become references here and nowhere else")]

use crate::golden::{Golden, REQUEST_WORDS, RESULT_WORDS, Taken};
use crate::memory::{Line, SharedMemory};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tmu_model::Memory as _;
use tmu_spec::{Config, LINE_BYTES, Preset};

/// What a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// The binding breaks rules: quads are answered with errors.
    Refused = 1,
    /// The packet is none and was dropped.
    Dropped = 2,
    /// There is no result.
    Empty = 3,
    /// The line cannot be read.
    Unreadable = 4,
    /// An argument is null or out of its range.
    Argument = -1,
    /// A file cannot be read.
    File = -2,
    /// A fault of the library.
    Internal = -3,
}

thread_local! {
    /// The last message of this thread.
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// Keeps a message for `tmu_golden_error`.
fn say(message: &str) {
    // A text with 0 inside would end there.
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    MESSAGE.with(|kept| *kept.borrow_mut() = text);
}

fn failed(status: Status, message: &str) -> i32 {
    say(message);
    status as i32
}

/// Runs a function whose panics become a status.
fn guarded(run: impl FnOnce() -> i32) -> i32 {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| failed(Status::Internal, "a fault of the golden model; please report it"))
}

/// Runs a function on a model.
///
/// # Safety
/// As the module says.
unsafe fn on(model: *mut Golden, run: impl FnOnce(&mut Golden) -> i32) -> i32 {
    // SAFETY: the caller's model is none or one that was made here and is used by nobody else now.
    match unsafe { model.as_mut() } {
        Some(model) => guarded(|| run(model)),
        None => failed(Status::Argument, "the model is null"),
    }
}

/// # Safety
/// As the module says.
unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, String> {
    if text.is_null() {
        return Err(format!("the {what} is null"));
    }
    // SAFETY: it ends with 0, as the module asks.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|error| format!("the {what} is not UTF-8: {error}"))
}

fn made(config: Result<Config, String>) -> *mut Golden {
    let golden = catch_unwind(|| config.and_then(Golden::new));
    let golden = golden.unwrap_or_else(|_| Err("a fault of the golden model; please report it".to_owned()));
    match golden {
        Ok(golden) => Box::into_raw(Box::new(golden)),
        Err(message) => {
            say(&message);
            std::ptr::null_mut()
        }
    }
}

fn preset(name: &str) -> Result<Config, String> {
    let preset = Preset::find(name).ok_or_else(|| {
        let names: Vec<_> = Preset::all().map(Preset::name).collect();
        format!("\"{name}\" is not a preset; use one of {}", names.join(", "))
    })?;
    preset.config().map_err(|problems| problems.to_string())
}

/// A model of a preset.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_preset(name: *const c_char) -> *mut Golden {
    // SAFETY: the caller's.
    made(unsafe { text(name, "name") }.and_then(preset))
}

/// A model of a configuration, given as its text.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_toml(toml: *const c_char) -> *mut Golden {
    // SAFETY: the caller's.
    let toml = unsafe { text(toml, "configuration") };
    made(toml.and_then(|toml| Config::from_toml(toml).map_err(|problems| problems.to_string())))
}

/// A model of a configuration file.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_open(path: *const c_char) -> *mut Golden {
    // SAFETY: the caller's.
    let path = unsafe { text(path, "path") };
    made(path.and_then(|path| {
        let toml = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        Config::from_toml(&toml).map_err(|problems| problems.in_file(Path::new(path)).to_string())
    }))
}

/// Frees a model, or nothing.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_free(model: *mut Golden) {
    if !model.is_null() {
        // SAFETY: it was made by `made` and nobody uses it any more.
        drop(unsafe { Box::from_raw(model) });
    }
}

/// The last message of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn tmu_golden_error() -> *const c_char {
    MESSAGE.with(|kept| kept.borrow().as_ptr())
}

/// Bits of `tdata` of the request stream.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_request_bits(model: *mut Golden) -> i32 {
    // SAFETY: the caller's.
    unsafe { on(model, |model| model.request_bits() as i32) }
}

/// Bits of `tdata` of the result stream.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_result_bits(model: *mut Golden) -> i32 {
    // SAFETY: the caller's.
    unsafe { on(model, |model| model.result_bits() as i32) }
}

fn write(model: &Golden, address: u32, bytes: &[u8]) -> i32 {
    if !SharedMemory::has(address, bytes.len()) {
        let message =
            format!("{} bytes at {address:#x} do not lie in the texture window of 2^31 bytes", bytes.len());
        return failed(Status::Argument, &message);
    }
    model.memory().write(address, bytes);
    Status::Ok as i32
}

/// Writes texture memory.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_write(
    model: *mut Golden,
    address: u32,
    bytes: *const u8,
    count: usize,
) -> i32 {
    if count == 0 {
        return Status::Ok as i32;
    }
    if bytes.is_null() {
        return failed(Status::Argument, "the bytes are null");
    }
    // SAFETY: there are that many bytes, as the module asks.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, count) };
    // SAFETY: the caller's.
    unsafe { on(model, |model| write(model, address, bytes)) }
}

/// Writes a file to texture memory.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_load(model: *mut Golden, address: u32, path: *const c_char) -> i32 {
    // SAFETY: the caller's.
    let path = match unsafe { text(path, "path") } {
        Ok(path) => path,
        Err(message) => return failed(Status::Argument, &message),
    };
    let load = |model: &mut Golden| match std::fs::read(path) {
        Ok(bytes) => write(model, address, &bytes),
        Err(error) => failed(Status::File, &format!("{path}: {error}")),
    };
    // SAFETY: the caller's.
    unsafe { on(model, load) }
}

/// Writes a line, which is four words.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_write_line(model: *mut Golden, address: u32, data: *const u32) -> i32 {
    // SAFETY: there are that many words, as the module asks.
    let Some(words) = (unsafe { data.cast::<[u32; 4]>().as_ref() }) else {
        return failed(Status::Argument, "the data is null");
    };
    let mut line: Line = [0; LINE_BYTES as usize];
    for (bytes, word) in line.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    // SAFETY: the caller's.
    unsafe { on(model, |model| write(model, address / LINE_BYTES * LINE_BYTES, &line)) }
}

/// Reads the line of an address, as a memory beside the hardware does.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_read_line(model: *mut Golden, address: u32, data: *mut u32) -> i32 {
    // SAFETY: there is room for that many words, as the module asks.
    let Some(words) = (unsafe { data.cast::<[u32; 4]>().as_mut() }) else {
        return failed(Status::Argument, "the data is null");
    };
    *words = [0; 4];
    let read = |model: &mut Golden| match model.memory().read_line(address / LINE_BYTES) {
        Ok(line) => {
            for (word, bytes) in words.iter_mut().zip(line.chunks_exact(4)) {
                *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            }
            Status::Ok as i32
        }
        Err(error) => failed(Status::Unreadable, &format!("{error}: address {address:#x}")),
    };
    // SAFETY: the caller's.
    unsafe { on(model, read) }
}

/// Makes the line of an address fail until it is written again.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_fail_line(model: *mut Golden, address: u32) -> i32 {
    let fail = |model: &mut Golden| {
        model.memory().fail(address);
        Status::Ok as i32
    };
    // SAFETY: the caller's.
    unsafe { on(model, fail) }
}

/// Takes a beat of the request stream.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_request(
    model: *mut Golden,
    tdata: *const u32,
    tuser: u32,
    tlast: u32,
) -> i32 {
    // SAFETY: there are that many words, as the module asks.
    let Some(tdata) = (unsafe { tdata.cast::<[u32; REQUEST_WORDS]>().as_ref() }) else {
        return failed(Status::Argument, "tdata is null");
    };
    let take = |model: &mut Golden| match model.request(tdata, tuser & 1 != 0, tlast & 1 != 0) {
        Taken::Done => Status::Ok as i32,
        Taken::Refused(message) => failed(Status::Refused, &message),
        Taken::Dropped(error) => failed(Status::Dropped, &error.to_string()),
    };
    // SAFETY: the caller's.
    unsafe { on(model, take) }
}

/// Takes the oldest result that was not taken yet.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_result(model: *mut Golden, tdata: *mut u32, tuser: *mut u32) -> i32 {
    // SAFETY: there is room for that many words, as the module asks.
    let places = unsafe { (tdata.cast::<[u32; RESULT_WORDS]>().as_mut(), tuser.as_mut()) };
    let (Some(tdata), Some(tuser)) = places else {
        return failed(Status::Argument, "tdata or tuser is null");
    };
    (*tdata, *tuser) = ([0; RESULT_WORDS], 0);
    let take = |model: &mut Golden| match model.result() {
        Some(beat) => {
            (*tdata, *tuser) = (beat.tdata, beat.tuser);
            Status::Ok as i32
        }
        None => failed(Status::Empty, "there is no result"),
    };
    // SAFETY: the caller's.
    unsafe { on(model, take) }
}

/// Results that were not taken yet.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_pending(model: *mut Golden) -> i32 {
    // SAFETY: the caller's.
    unsafe { on(model, |model| i32::try_from(model.pending()).unwrap_or(i32::MAX)) }
}

/// As a reset of the units.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tmu_golden_reset(model: *mut Golden) -> i32 {
    let reset = |model: &mut Golden| {
        model.reset();
        Status::Ok as i32
    };
    // SAFETY: the caller's.
    unsafe { on(model, reset) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::{null, null_mut};

    fn error() -> String {
        // SAFETY: it is a text of this thread.
        unsafe { CStr::from_ptr(tmu_golden_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn null_is_answered_and_not_followed() {
        let (mut word, line) = (0, [0u32; 4]);
        // SAFETY: null is allowed everywhere.
        unsafe {
            assert!(tmu_golden_preset(null()).is_null());
            assert_eq!(error(), "the name is null");
            assert_eq!(tmu_golden_request_bits(null_mut()), Status::Argument as i32);
            assert_eq!(tmu_golden_request(null_mut(), null(), 0, 0), Status::Argument as i32);
            assert_eq!(tmu_golden_result(null_mut(), null_mut(), &raw mut word), Status::Argument as i32);
            assert_eq!(tmu_golden_write_line(null_mut(), 0, line.as_ptr()), Status::Argument as i32);
            assert_eq!(error(), "the model is null");
            assert_eq!(tmu_golden_write(null_mut(), 0, null(), 4), Status::Argument as i32);
            tmu_golden_free(null_mut());
        }
    }

    #[test]
    fn what_is_wrong_with_a_configuration_is_all_said() {
        // SAFETY: texts end with 0.
        unsafe {
            assert!(tmu_golden_toml(c"units = 99\n[cache]\nways = 3\n".as_ptr()).is_null());
            assert!(error().contains("units") && error().contains("cache.ways"), "{}", error());
            assert!(tmu_golden_preset(c"furry".as_ptr()).is_null());
            assert!(error().contains("\"furry\" is not a preset; use one of fury, "), "{}", error());
            assert!(tmu_golden_open(c"/none/such.toml".as_ptr()).is_null());
            assert!(error().starts_with("/none/such.toml: "), "{}", error());
        }
    }

    #[test]
    fn memory_is_written_read_and_made_to_fail() {
        // SAFETY: the model lives until it is freed, arrays are as long as is said.
        unsafe {
            let model = tmu_golden_preset(c"stream".as_ptr());
            let (bytes, mut line) = ([1u8, 2, 3, 4], [9u32; 4]);
            assert_eq!(tmu_golden_write(model, 0x24, bytes.as_ptr(), 4), 0);
            assert_eq!(tmu_golden_read_line(model, 0x2f, line.as_mut_ptr()), 0);
            assert_eq!(line, [0, 0x0403_0201, 0, 0]);
            assert_eq!(tmu_golden_fail_line(model, 0x20), 0);
            assert_eq!(tmu_golden_read_line(model, 0x20, line.as_mut_ptr()), Status::Unreadable as i32);
            assert_eq!(line, [0; 4]);
            assert_eq!(tmu_golden_write(model, 0x7fff_fffe, bytes.as_ptr(), 4), Status::Argument as i32);
            assert!(error().contains("texture window"), "{}", error());
            assert_eq!(tmu_golden_load(model, 0, c"/none/such.bin".as_ptr()), Status::File as i32);
            assert_eq!((tmu_golden_request_bits(model), tmu_golden_result_bits(model)), (136, 128));
            let (mut tdata, mut tuser) = ([7u32; RESULT_WORDS], 7);
            assert_eq!(tmu_golden_result(model, tdata.as_mut_ptr(), &raw mut tuser), Status::Empty as i32);
            assert_eq!((tdata, tuser), ([0; RESULT_WORDS], 0));
            tmu_golden_free(model);
        }
    }
}
