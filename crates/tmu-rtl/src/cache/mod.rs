//! Caches of texels: [`blocking`], which stops at each miss, and [`prefetch`], which looks tags up ahead of the texels.

use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle as Style};
use tmu_spec::config::RamStyle;

pub mod blocking;
pub mod replacer;

pub mod prefetch;

/// A RAM with the device's own output register.
pub(crate) fn ram(depth: usize, width: usize, style: RamStyle) -> RamSimpleDualPort {
    let style = match style {
        RamStyle::Block => Style::Block,
        RamStyle::Distributed => Style::Distributed,
        RamStyle::Ultra => Style::Ultra,
    };
    RamSimpleDualPort::new(RamShape::new(depth, width).style(style).output_register(true))
}
