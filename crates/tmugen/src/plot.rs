//! Plots as SVG: panels of lines over a common legend, and a scatter plot with its front.
//!
//! The same figures give the same text on every machine: sizes of letters are guessed, not measured. A plot is so narrow, and its letters
//! so large, that it can be read where it is as wide as a phone; where the dark is asked for it is dark.

use crate::problem::{Failure, Rule};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Colours that people with any colour vision tell apart (Okabe and Ito).
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// What those and the ground become in the dark, in front of which some would not be seen.
const DARK: [(RGBColor, RGBColor); 5] = [
    (WHITE, RGBColor(20, 24, 28)),
    (BLACK, RGBColor(227, 231, 235)),
    (COLORS[0], RGBColor(90, 169, 255)),
    (COLORS[2], RGBColor(47, 191, 149)),
    (COLORS[4], RGBColor(159, 216, 255)),
];

const FONT: &str = "sans-serif";

/// Heights of letters in pixels: of titles, of headings, and of all else.
const TITLE: u32 = 27;
const HEADING: u32 = 24;
const LABEL: u32 = 21;

/// Size of a panel in pixels.
const PANEL: (u32, u32) = (360, 300);

/// Panels in a row.
const PANEL_COLUMNS: usize = 2;

/// Height of the title, and of a line of the legend, in pixels.
const STRIP: u32 = 36;

/// Width of a letter in the legend, about.
const LETTER: i32 = 12;

/// Size of a scatter plot in pixels.
const SCATTER: (u32, u32) = (720, 560);

/// Points joined by a line.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// Its name in the legend; its number among those of all panels is its colour.
    pub(crate) name: String,
    /// x and y.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines in one pair of axes.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    /// Its heading.
    pub(crate) title: String,
    /// Its lines.
    pub(crate) series: Vec<Series>,
}

/// A point of a scatter plot.
#[derive(Debug, Clone)]
pub(crate) struct Dot {
    /// x and y.
    pub(crate) at: (f64, f64),
    /// The name of a point of the front; none for the others.
    pub(crate) label: Option<String>,
}

/// What the axes show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axes {
    /// Along x.
    pub(crate) x: &'static str,
    /// Along y.
    pub(crate) y: &'static str,
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Draws and gives the text of the SVG.
fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Drawn,
) -> Result<String, Failure> {
    let mut text = String::new();
    let drawn = {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE).map_err(Into::into).and_then(|()| draw(&root)).and_then(|()| Ok(root.present()?))
    };
    let failure =
        |error| Failure::new(Rule::Plot, format!("the plot cannot be drawn: {error}"), "report this");
    drawn.map_err(failure)?;
    // Rules of a style stand above the colours that elements name.
    Ok(text.replacen(">\n", &format!(">\n{}", dark_style()), 1))
}

/// The colours in the dark.
fn dark_style() -> String {
    let code = |RGBColor(red, green, blue): RGBColor| format!("#{red:02X}{green:02X}{blue:02X}");
    let rules = DARK.iter().map(|(light, dark)| {
        let (light, dark) = (code(*light), code(*dark));
        format!("[fill=\"{light}\"] {{ fill: {dark} }} [stroke=\"{light}\"] {{ stroke: {dark} }}\n")
    });
    format!("<style>\n@media (prefers-color-scheme: dark) {{\n{}}}\n</style>\n", rules.collect::<String>())
}

fn text_style(size: u32) -> TextStyle<'static> {
    TextStyle::from((FONT, size).into_font()).pos(Pos::new(HPos::Left, VPos::Center))
}

/// The end of an axis that starts at 0: a little over the largest value.
fn end(values: impl Iterator<Item = f64>) -> f64 {
    let largest = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
    if largest > 0.0 { largest * 1.08 } else { 1.0 }
}

/// Panels of lines, all with axes from 0 and each with its own height.
///
/// # Errors
/// If the plot cannot be drawn, which is a fault of the program.
pub(crate) fn panels(title: &str, axes: Axes, panels: &[Panel]) -> Result<String, Failure> {
    let columns = panels.len().clamp(1, PANEL_COLUMNS);
    let rows = panels.len().div_ceil(columns).max(1);
    let width = PANEL.0 * columns as u32;
    let mut names: Vec<&str> = Vec::new();
    for series in panels.iter().flat_map(|panel| &panel.series) {
        if !names.contains(&series.name.as_str()) {
            names.push(&series.name);
        }
    }
    let places = legend_places(&names, width as i32);
    let legend_lines = places.last().map_or(1, |(_, line)| line + 1);
    let height = PANEL.1 * rows as u32;
    svg((width, height + (1 + legend_lines) * STRIP), |root| {
        let (top, rest) = root.split_vertically(STRIP);
        let (middle, bottom) = rest.split_vertically(height);
        top.draw(&Text::new(title.to_owned(), (12, STRIP as i32 / 2), text_style(TITLE)))?;
        legend(&bottom, &names, &places)?;
        for (area, panel) in middle.split_evenly((rows, columns)).iter().zip(panels) {
            lines(area, axes, panel, &names)?;
        }
        Ok(())
    })
}

/// Where names stand in the legend: pixels from the left, and the line.
fn legend_places(names: &[&str], width: i32) -> Vec<(i32, u32)> {
    let (mut x, mut line) = (12, 0);
    let place = |name: &&str| {
        let taken = 48 + LETTER * name.chars().count() as i32;
        if x > 12 && x + taken > width {
            (x, line) = (12, line + 1);
        }
        let place = (x, line);
        x += taken;
        place
    };
    names.iter().map(place).collect()
}

fn legend(area: &DrawingArea<SVGBackend<'_>, Shift>, names: &[&str], places: &[(i32, u32)]) -> Drawn {
    for ((name, color), (x, line)) in names.iter().zip(COLORS.iter().cycle()).zip(places) {
        let (x, middle) = (*x, (STRIP * line + STRIP / 2) as i32);
        area.draw(&Rectangle::new([(x, middle - 7), (x + 14, middle + 7)], color.filled()))?;
        area.draw(&Text::new((*name).to_owned(), (x + 20, middle), text_style(LABEL)))?;
    }
    Ok(())
}

fn lines(area: &DrawingArea<SVGBackend<'_>, Shift>, axes: Axes, panel: &Panel, names: &[&str]) -> Drawn {
    let points = || panel.series.iter().flat_map(|series| &series.points);
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, HEADING))
        .margin_left(8)
        .margin_right(22)
        .x_label_area_size(58)
        .y_label_area_size(82)
        .build_cartesian_2d(0.0..end(points().map(|at| at.0)), 0.0..end(points().map(|at| at.1)))?;
    chart
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_labels(4)
        .x_label_formatter(&|x| x.to_string())
        .y_labels(5)
        .max_light_lines(1)
        .label_style((FONT, LABEL))
        .draw()?;
    for series in &panel.series {
        let number = names.iter().position(|name| *name == series.name).unwrap_or(0);
        let color = COLORS[number % COLORS.len()];
        chart.draw_series(LineSeries::new(series.points.iter().copied(), color.stroke_width(3)))?;
        chart.draw_series(series.points.iter().map(|at| Circle::new(*at, 4, color.filled())))?;
    }
    Ok(())
}

/// All points over a logarithmic x axis, and those of the front joined and named, as far as the names have room.
///
/// # Errors
/// If the plot cannot be drawn, which is a fault of the program.
pub(crate) fn front(title: &str, axes: Axes, dots: &[Dot]) -> Result<String, Failure> {
    let x = || dots.iter().map(|dot| dot.at.0).filter(|x| *x > 0.0);
    let (least, most) = (x().fold(f64::INFINITY, f64::min).min(1e12), x().fold(1.0, f64::max));
    let top = end(dots.iter().map(|dot| dot.at.1));
    svg(SCATTER, |root| {
        let mut chart = ChartBuilder::on(root)
            .caption(title, (FONT, HEADING))
            .margin(14)
            .x_label_area_size(58)
            .y_label_area_size(82)
            .build_cartesian_2d((least * 0.8..most * 1.6).log_scale(), 0.0..top)?;
        chart
            .configure_mesh()
            .x_desc(axes.x)
            .y_desc(axes.y)
            .x_label_formatter(&|x| x.to_string())
            .max_light_lines(1)
            .label_style((FONT, LABEL))
            .draw()?;
        let behind = dots.iter().filter(|dot| dot.label.is_none());
        chart.draw_series(behind.map(|dot| Circle::new(dot.at, 4, BLACK.mix(0.3).filled())))?;
        let mut ahead: Vec<_> = dots.iter().filter(|dot| dot.label.is_some()).collect();
        ahead.sort_by(|a, b| a.at.0.total_cmp(&b.at.0));
        chart.draw_series(LineSeries::new(ahead.iter().map(|dot| dot.at), COLORS[0].stroke_width(3)))?;
        chart.draw_series(ahead.iter().map(|dot| Circle::new(dot.at, 5, COLORS[0].filled())))?;
        // Names stand below right of their points; one that would lie on the name before is left to the table.
        let mut last = None;
        for dot in ahead {
            let place = chart.backend_coord(&dot.at);
            let is_close = |(x, y): (i32, i32)| place.0 - x < 220 && (place.1 - y).abs() < 22;
            if !last.is_some_and(is_close) {
                let label = dot.label.clone().unwrap_or_default();
                root.draw(&Text::new(label, (place.0 + 8, place.1 + 16), text_style(LABEL)))?;
                last = Some(place);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_show_every_series_in_its_color() {
        let series =
            |name: &str, y| Series { name: name.to_owned(), points: vec![(0.0, y), (200.0, y / 2.0)] };
        let panel = |title: &str| Panel {
            title: title.to_owned(),
            series: vec![series("one", 1.0), series("two", 0.0)],
        };
        let axes = Axes { x: "clocks", y: "samples" };
        let text = panels("a title", axes, &[panel("first"), panel("second"), panel("third")]).unwrap();
        for part in [
            "<svg width=\"720\" height=\"672\"",
            "prefers-color-scheme: dark",
            "a title",
            "first",
            "second",
            "third",
            "one",
            "two",
            "#0072B2",
            "#D55E00",
        ] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        assert!(panels("nothing", axes, &[]).is_ok());
        // A legend that is wider than the plot takes another line.
        assert_eq!(legend_places(&["a long name"; 3], 400), [(12, 0), (192, 0), (12, 1)]);
    }

    #[test]
    fn the_front_is_named() {
        let dots =
            [Dot { at: (1.0, 2.0), label: Some("ahead".to_owned()) }, Dot { at: (2.0, 1.0), label: None }];
        let text = front("front", Axes { x: "cost", y: "rate" }, &dots).unwrap();
        assert!(text.contains("ahead") && text.matches("<circle").count() == 2, "{text}");
    }
}
