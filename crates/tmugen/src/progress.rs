//! Progress of long work on standard error: a bar with an estimate where that is a terminal, otherwise a line now and then.

use crate::console::Verbosity;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle, TermLike};
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// From one line to the next where there is no terminal. Work that takes less says nothing.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// A bar that counts `total` units of work (bytes, quads, steps), named by `unit`.
///
/// It is not drawn with `--quiet` or `--json`, and on a terminal leaves nothing behind.
pub(crate) fn bar(verbosity: Verbosity, total: u64, unit: &str) -> ProgressBar {
    let is_terminal = io::stderr().is_terminal();
    let amount = match unit {
        "bytes" => "{bytes} of {total_bytes}".to_owned(),
        _ => format!("{{human_pos}} of {{human_len}} {unit}"),
    };
    let template = if is_terminal {
        format!("{{msg:10}} [{{wide_bar}}] {amount}, {{eta}} left")
    } else {
        format!("{{msg}}: {amount}, {{eta}} left")
    };
    let style = ProgressStyle::with_template(&template).expect("a constant template").progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(total), target(verbosity, is_terminal));
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}

/// A sign of life for work of unknown length, under the same conditions as [`bar`].
pub(crate) fn spinner(verbosity: Verbosity, message: &'static str) -> ProgressBar {
    let bar = bar(verbosity, 0, "");
    let template = if io::stderr().is_terminal() { "{spinner} {msg}, {elapsed}" } else { "{msg}, {elapsed}" };
    bar.set_style(ProgressStyle::with_template(template).expect("a constant template"));
    bar.set_message(message);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn target(verbosity: Verbosity, is_terminal: bool) -> ProgressDrawTarget {
    if verbosity.quiet || verbosity.json {
        ProgressDrawTarget::hidden()
    } else if is_terminal {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::term_like_with_hz(Box::new(Lines::new(io::stderr(), LINE_EVERY)), 1)
    }
}

/// Takes what a bar draws and writes a line of it from time to time.
#[derive(Debug)]
struct Lines<W> {
    every: Duration,
    state: Mutex<State<W>>,
}

#[derive(Debug)]
struct State<W> {
    to: W,
    last: Instant,
    line: String,
}

impl<W> Lines<W> {
    fn new(to: W, every: Duration) -> Self {
        Lines { every, state: Mutex::new(State { to, last: Instant::now(), line: String::new() }) }
    }
}

impl<W: Write + Send + std::fmt::Debug> TermLike for Lines<W> {
    fn width(&self) -> u16 {
        120
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).line.push_str(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let line = std::mem::take(&mut state.line);
        let line = line.trim();
        if line.is_empty() || state.last.elapsed() < self.every {
            return Ok(());
        }
        state.last = Instant::now();
        // Progress that nobody can read is no failure.
        let _ = writeln!(state.to, "progress: {line}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_now_and_then() {
        let often = Lines::new(Vec::new(), Duration::ZERO);
        for text in ["drawing: 1 of 2 rows", "  ", "drawing: 2 of 2 rows"] {
            often.write_str(text).unwrap();
            often.flush().unwrap();
        }
        let written =
            |lines: &Lines<Vec<u8>>| String::from_utf8(lines.state.lock().unwrap().to.clone()).unwrap();
        assert_eq!(written(&often), "progress: drawing: 1 of 2 rows\nprogress: drawing: 2 of 2 rows\n");
        let seldom = Lines::new(Vec::new(), Duration::from_secs(3600));
        seldom.write_str("soon over").unwrap();
        seldom.flush().unwrap();
        assert_eq!(written(&seldom), "");
    }
}
