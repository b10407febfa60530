//! Progress of long work: a bar with an estimate on standard error, where that is a terminal.

use crate::console::Verbosity;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// A bar that counts `total` units of work (bytes, quads, steps), named by `unit`.
///
/// It is not drawn when standard error is not a terminal, nor with `--quiet` or `--json`, and leaves nothing behind.
pub(crate) fn bar(verbosity: Verbosity, total: u64, unit: &str) -> ProgressBar {
    let target = if verbosity.quiet || verbosity.json {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let amount = match unit {
        "bytes" => "{bytes} of {total_bytes}".to_owned(),
        _ => format!("{{human_pos}} of {{human_len}} {unit}"),
    };
    let template = format!("{{msg:10}} [{{wide_bar}}] {amount}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a constant template").progress_chars("=> ");
    ProgressBar::with_draw_target(Some(total), target).with_style(style).with_finish(ProgressFinish::AndClear)
}

/// A sign of life for work of unknown length, under the same conditions as [`bar`].
pub(crate) fn spinner(verbosity: Verbosity, message: &'static str) -> ProgressBar {
    let bar = bar(verbosity, 0, "");
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}, {elapsed}").expect("a constant template"));
    bar.set_message(message);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}
