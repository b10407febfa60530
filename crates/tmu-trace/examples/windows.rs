//! A box blur and a dilation by indirect look-ups: `cargo run --release -p tmu-trace --example windows -- assets/chelsea.png OUT_FOLDER`
//! writes `look-up-blur.png` and `look-up-dilation.png`.

use std::env::args_os;
use std::error::Error;
use std::path::PathBuf;
use tmu_assets::Picture;
use tmu_spec::general::indirect::Aggregate;
use tmu_trace::window::{Texels, filtered};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = args_os().skip(1).map(PathBuf::from);
    let (Some(picture), Some(folder)) = (words.next(), words.next()) else {
        return Err("name a picture and a folder to write to".into());
    };
    let picture = Picture::open(&picture)?;
    let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
    let texels = Texels { width, height, rgba: picture.texels().to_vec() };
    for (name, operation) in
        [("look-up-blur.png", Aggregate::Average), ("look-up-dilation.png", Aggregate::Max)]
    {
        // Three times, for a window as wide as ten texels.
        let result = (0..3).try_fold(texels.clone(), |texels, _| filtered(&texels, operation, 4));
        let result = result.ok_or("a picture has 1 to 4096 texels a side")?;
        let path = folder.join(name);
        let picture = Picture::from_texels(picture.width(), picture.height(), result.rgba);
        std::fs::write(&path, picture.encode(&path)?)?;
    }
    Ok(())
}
