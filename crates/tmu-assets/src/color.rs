//! What a picture file says of its colours and is not obeyed.
//!
//! Texture memory holds the codes of the file as they are, and filters take them for sRGB. A gamma or a profile that says
//! something else is passed over, which whoever uses the picture should know.

use std::fmt;

/// The gamma of sRGB in a PNG file's unit, 1 / 100000, and how far others may be off.
const SRGB_GAMMA: u32 = 45_455;
const GAMMA_TOLERANCE: u32 = 1_000;

/// What a file says of its colours that is passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ignored {
    /// The gamma of a PNG file (gAMA), in units of 1 / 100000, if it is not that of sRGB.
    pub gamma: Option<u32>,
    /// Whether there is a colour profile (ICC) that is not called sRGB.
    pub profile: bool,
}

impl Ignored {
    /// Looks at the chunks of a PNG file, and at a profile of any kind of file.
    pub(crate) fn find(bytes: &[u8], profile: Option<&[u8]>) -> Self {
        let is_srgb = chunk(bytes, b"sRGB").is_some();
        let gamma = chunk(bytes, b"gAMA").and_then(|data| data.try_into().ok()).map(u32::from_be_bytes);
        let is_other = |gamma: &u32| gamma.abs_diff(SRGB_GAMMA) > GAMMA_TOLERANCE;
        let names_srgb = |profile: &[u8]| {
            let wide = [0, b's', 0, b'R', 0, b'G', 0, b'B'];
            profile.windows(4).any(|word| word == b"sRGB") || profile.windows(8).any(|word| word == wide)
        };
        Ignored {
            gamma: gamma.filter(is_other).filter(|_| !is_srgb && profile.is_none()),
            profile: profile.is_some_and(|profile| !names_srgb(profile)) && !is_srgb,
        }
    }

    /// Whether nothing is passed over.
    pub fn is_empty(self) -> bool {
        self == Ignored::default()
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gamma = self.gamma.map(|gamma| format!("gamma of {:.5} (gAMA)", f64::from(gamma) / 100_000.0));
        let profile = self.profile.then(|| "colour profile (ICC)".to_owned());
        let named: Vec<_> = gamma.into_iter().chain(profile).collect();
        write!(f, "its {} is not applied: colours are taken as sRGB", named.join(" and "))
    }
}

/// The data of the first chunk of a PNG file with a name, up to its texels.
fn chunk<'b>(bytes: &'b [u8], name: &[u8; 4]) -> Option<&'b [u8]> {
    let mut rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    loop {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let (kind, behind) = behind.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        if kind == name {
            return behind.get(..length);
        }
        if kind == b"IDAT" {
            return None;
        }
        // The data, and the CRC behind them.
        rest = behind.get(length.checked_add(4)?..)?;
    }
}

/// Whether a PNG file goes on to its last chunk, IEND.
pub(crate) fn png_has_end(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n") else { return false };
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        if behind.starts_with(b"IEND") {
            return behind.len() >= length.saturating_add(8);
        }
        let Some(next) = length.checked_add(8).and_then(|skipped| behind.get(skipped..)) else {
            return false;
        };
        rest = next;
    }
    false
}
