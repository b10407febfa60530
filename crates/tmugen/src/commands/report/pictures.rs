//! Example pictures: what a configuration draws, by the golden model.

use crate::problem::{Failure, Rule};
use std::path::Path;
use tmu_assets::{Decoded, Ignored, Picture, encode_rgb};
use tmu_package::report::Figure;
use tmu_problem::Problems;
use tmu_scene::{GoldenEngine, OnePicture, Scene, render};
use tmu_spec::{AddressMode, Config, Format};

/// The picture on every surface.
const PAVING: &[u8] = include_bytes!("../../../../../scenes/textures/paving.png");

/// The picture, no larger than a configuration allows.
fn paving(max_side: usize) -> Result<OnePicture, Problems> {
    let picture = Picture::decode(PAVING, Path::new("paving.png"))?;
    let (width, height) = (picture.width(), picture.height());
    let step = (width.max(height) / max_side).max(1);
    let rows = picture.texels().chunks(width).step_by(step);
    let texels = rows.flat_map(|row| row.iter().step_by(step).copied()).collect();
    let picture = Picture::from_texels(width / step, height / step, texels);
    Ok(OnePicture::new(&Decoded { picture, ignored: Ignored::default() }))
}

/// Two scenes, without texture and sampler.
const SCENES: [(&str, &str); 2] = [
    (
        "A floor to the horizon",
        "[camera]\nposition = [0.0, 1.0, 0.0]\ntarget = [0.0, 0.72, -1.0]\n\
         [[mesh]]\nshape = \"floor\"\ntexture = \"paving\"\nsampler = \"sampler\"\nrotate_degrees = [0.0, 20.0, 0.0]\n",
    ),
    (
        "A cube",
        "[camera]\nposition = [1.6, 1.2, 2.2]\ntarget = [0.0, 0.0, 0.0]\n\
         [[mesh]]\nshape = \"cube\"\ntexture = \"paving\"\nsampler = \"sampler\"\n",
    ),
];

/// Each scene with the best filter that the configuration builds, and with the least.
pub(super) fn pictures(config: &Config) -> Result<Vec<Figure>, Failure> {
    let features = config.features();
    let mut filters = vec![(features.bilinear(), features.mipmaps())];
    if filters[0] != (false, false) {
        filters.push((false, false));
    }
    let drawn =
        |(name, shapes): &(&str, &str), (bilinear, mipmaps)| picture(config, name, shapes, bilinear, mipmaps);
    let all = SCENES.iter().flat_map(|scene| filters.iter().map(move |filter| drawn(scene, *filter)));
    all.collect()
}

fn picture(
    config: &Config,
    name: &str,
    shapes: &str,
    bilinear: bool,
    mipmaps: bool,
) -> Result<Figure, Failure> {
    let features = config.features();
    let format = features.formats().next();
    let address = features.address_modes().next();
    let address = address.map_or("", AddressMode::name);
    let filter = if bilinear { "bilinear" } else { "nearest" };
    let text = format!(
        "[image]\nwidth = 480\nheight = 300\nbackground = \"#8fb7dc\"\n\
         [[texture]]\nname = \"paving\"\nfile = \"paving.png\"\nformat = \"{}\"\n\
         [[sampler]]\nname = \"sampler\"\nfilter = \"{filter}\"\nmipmaps = {mipmaps}\n\
         address_u = \"{address}\"\naddress_v = \"{address}\"\n{shapes}",
        format.map_or("", Format::name),
    );
    let paving = paving(1 << features.max_size_log2())?;
    let scene = Scene::parse_with(Path::new("example"), &text, &paving)?;
    let mut engine = GoldenEngine::new(scene.memory(), config);
    let drawn = render(&scene, scene.size(), &mut engine, &mut |_, _| ());
    let (frame, _) = drawn.map_err(|error| {
        Failure::new(
            Rule::Engine,
            format!("the example cannot be drawn: {error}"),
            "report this with the configuration",
        )
    })?;
    let size = frame.size();
    let name_of_kind = Path::new("example.png");
    let content = encode_rgb(size.width(), size.height(), frame.into_rgb(), name_of_kind)?;
    let mipmaps = if mipmaps { ", mipmaps" } else { "" };
    Ok(Figure { caption: format!("{name}: {filter}{mipmaps}"), media_type: "image/png", content })
}
