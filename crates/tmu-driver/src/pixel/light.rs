//! Colours of vertices under lights that are far away.

/// A light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// The direction in which it lies, of length 1, in the coordinates of the normals.
    pub direction: [f32; 3],
    /// Red, green and blue, 0 to 1.
    pub color: [f32; 3],
}

/// The colour of a vertex: a surface of this colour whose normal has length 1, under an ambient light and others.
#[must_use]
pub fn lit(surface: [u8; 4], normal: [f32; 3], ambient: [f32; 3], lights: &[Light]) -> [u8; 4] {
    let mut sum = ambient;
    for light in lights {
        let [x, y, z] = light.direction;
        let facing = (x * normal[0] + y * normal[1]) + z * normal[2];
        if facing > 0.0 {
            for (sum, color) in sum.iter_mut().zip(light.color) {
                *sum += color * facing;
            }
        }
    }
    let channel = |at: usize| {
        let bright = sum[at].clamp(0.0, 1.0);
        (f32::from(surface[at]) * bright + 0.5) as u8
    };
    [channel(0), channel(1), channel(2), surface[3]]
}
