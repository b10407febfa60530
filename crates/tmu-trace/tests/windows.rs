//! The pictures of the documentation that indirect look-ups filter.

use tmu_assets::Picture;
use tmu_spec::general::indirect::Aggregate;
use tmu_testing::repository;
use tmu_trace::window::{Texels, filtered};

#[test]
fn blur_and_dilation_are_those_in_the_docs() {
    let open =
        |name: &str| Picture::open(&repository().join(name)).unwrap_or_else(|problems| panic!("{problems}"));
    let picture = open("assets/chelsea.png");
    let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
    let texels = Texels { width, height, rgba: picture.texels().to_vec() };
    for (name, operation) in [("blur", Aggregate::Average), ("dilation", Aggregate::Max)] {
        let drawn = (0..3).try_fold(texels.clone(), |texels, _| filtered(&texels, operation, 4)).unwrap();
        let repeat = "cargo run --release -p tmu-trace --example windows -- assets/chelsea.png docs/images";
        let expected = open(&format!("docs/images/look-up-{name}.png"));
        assert!(drawn.rgba == expected.texels(), "{name} differs; look at the new picture, then `{repeat}`");
    }
}
