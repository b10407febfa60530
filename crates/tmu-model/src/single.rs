//! Single floats as the numerics have them: denormals are zeros of their sign.

/// The number, or the zero of its sign for a denormal.
pub(crate) fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}
