//! What is unfinished when a signal comes, and how the program ends then.
//!
//! Contract: SIGINT, SIGTERM and SIGHUP remove every unfinished file that was [noted](Uninterrupted::note) and then end
//! the program as they do by themselves, so that a shell sees 128 + n. Signals that were ignored when the program was
//! started (`nohup`) stay ignored. While an [`Uninterrupted`] lives they wait, so files that belong together are replaced
//! together. A command that has nothing unfinished is not watched over at all,
//! unless it says so.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Watches from now on, for a command that goes on until it is interrupted.
pub(crate) fn heed_signals() {
    drop(Uninterrupted::begin());
}

/// Makes a file that outgrows the system's limit (`ulimit -f`) an error of writing. By itself it would end the program by
/// a signal, with unfinished files left.
pub(crate) fn outlive_size_limits() {
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGXFSZ, flag};
        // Nobody reads the flag: with any handler the write fails. Where there can be none the signal ends the program.
        let _ = flag::register(SIGXFSZ, std::sync::Arc::default());
    }
}

/// Makes signals wait.
pub(super) struct Uninterrupted(MutexGuard<'static, Vec<PathBuf>>);

impl Uninterrupted {
    /// Signals wait from now on.
    pub(super) fn begin() -> Self {
        static WATCH: Once = Once::new();
        WATCH.call_once(watch);
        Uninterrupted(UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A file or folder that a signal removes. It need not be taken back: names of temporary files never come again.
    pub(super) fn note(&mut self, path: PathBuf) {
        self.0.push(path);
    }
}

#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    // Where it cannot be set up a signal ends the program as if nobody watched.
    let Ok(mut signals) = Signals::new(heeded) else { return };
    std::thread::spawn(move || {
        let Some(signal) = signals.forever().next() else { return };
        // Held to the end: whoever writes waits for it, and nothing new begins.
        let unfinished = Uninterrupted::begin();
        for path in unfinished.0.iter() {
            let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
        }
        let _ = emulate_default_handler(signal);
        std::process::exit(128 + signal);
    });
}

/// Whether the program was started with a signal ignored; as far as the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

#[cfg(not(unix))]
fn watch() {}
