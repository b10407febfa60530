// The page of a frame of the pixel pipeline: its tiles over it, and a pixel that is looked at.

// What can be shown of tiles: name, what it is, its value for a tile.
const MAPS = {
  none: ["nothing", "The frame alone."],
  before: ["overdraw before", "Triangles that cover a pixel, before hidden surfaces are removed, on average over the tile.",
    (of, tile) => of.covered[tile] / tilePixels(tile)],
  after: ["overdraw after", "How often a pixel is shaded, behind the removal of hidden surfaces, on average over the tile.",
    (of, tile) => of.shaded[tile] / tilePixels(tile)],
  triangles: ["triangles", "Triangles in the tile's list.", (of, tile) => of.triangles[tile]],
  instructions: ["instructions", "Instructions of programs, once for each quad.", (of, tile) => of.instructions[tile]],
  look_ups: ["texture look-ups", "Look-ups of textures, once for each quad.", (of, tile) => of.look_ups[tile]],
  bytes: ["bytes", "Bytes read and written for the tile, texels left out.",
    (of, tile) => of.bytes_read[tile] + of.bytes_written[tile]],
};

// What the server has said before anything was drawn.
let first = null;

// ---- settings ----

function settings() {
  const [width, height] = at("size").value.split(" x ").map(Number);
  return { width, height, tile: at("tile").value };
}

function apply({ width, height, tile }) {
  offerSizes(width, height);
  fill(at("tile"), first.tiles);
  fill(at("map"), Object.keys(MAPS), Object.values(MAPS).map(([name]) => name));
  at("tile").value = tile;
}

// ---- tiles ----

const across = () => Math.ceil(frame.width / frame.tile[0]);

/// Column, row, width and height of a tile in pixels of the frame, inside of which it ends.
function box(tile) {
  const [x, y] = [(tile % across()) * frame.tile[0], Math.floor(tile / across()) * frame.tile[1]];
  return [x, y, Math.min(frame.tile[0], frame.width - x), Math.min(frame.tile[1], frame.height - y)];
}

function tilePixels(tile) {
  const [, , width, height] = box(tile);
  return width * height;
}

const tileOf = ([x, y]) => Math.floor(y / frame.tile[1]) * across() + Math.floor(x / frame.tile[0]);

/// The values of all tiles that the map shows; none if it shows nothing.
function mapped() {
  const value = MAPS[at("map").value][2];
  return value ? frame.tiles.triangles.map((_, tile) => value(frame.tiles, tile)) : [];
}

/// Draws the map, borders of tiles and the pixel over the frame.
function mark() {
  if (frame === null) return;
  const { pen, scale, outline } = marks();
  const values = mapped();
  const most = Math.max(...values, 0);
  values.forEach((value, tile) => {
    pen.fillStyle = `rgb(${ramp(value / Math.max(most, 1e-9)).join(" ")} / ${at("strength").value}%)`;
    pen.fillRect(...box(tile).map((side) => side * scale));
  });
  if (at("grid").value === "on") frame.tiles.triangles.forEach((_, tile) => outline(box(tile), "#8888", 1));
  const chosen = [[box(tileOf(pixel)), 1], [[...pixel, 1, 1], 2]];
  for (const [sides, width] of chosen) {
    outline(sides, "#000", width + 2);
    outline(sides, "#fff", width);
  }
  at("scale").hidden = values.length === 0;
  at("map-most").textContent = number(most);
  at("map-about").textContent = MAPS[at("map").value][1];
  at("strength-value").textContent = `${at("strength").value} %`;
}

/// Shows what the pixel's tile took.
function moved() {
  const [tile, of] = [tileOf(pixel), frame.tiles];
  const [x, y, width, height] = box(tile);
  const pixels = width * height;
  at("tile-state").textContent = `${tile}: ${width} x ${height} pixels from (${x}, ${y}) on`;
  list("tile-figures", [
    ["Triangles", number(of.triangles[tile])],
    ["Overdraw", `${number(of.covered[tile] / pixels)} before and ${number(of.shaded[tile] / pixels)} after hidden-surface removal`],
    ["Pixels", `${number(of.covered[tile])} covered, ${number(of.passed[tile])} passed the depth test, ${number(of.shaded[tile])} shaded in ${number(of.quads[tile])} quads`],
    ["Shader", `${number(of.instructions[tile])} instructions for quads`],
    ["Textures", `${number(of.look_ups[tile])} look-ups for quads`],
    ["Memory", `${number(of.bytes_read[tile])} bytes read, ${number(of.bytes_written[tile])} written`],
  ]);
}

// ---- frames ----

/// With Shift, arrow keys go by tiles.
const stride = () => frame.tile;

const sum = (values) => values.reduce((all, value) => all + value, 0);

async function drawOnce() {
  const body = JSON.stringify(settings());
  const [data, bytes] = await unpack(await ask("/draw", body));
  stay(data);
  paint(at("golden"), data.width, data.height, bytes);
  shown = body;
  at("golden-time").textContent = `drawn in ${data.milliseconds.toFixed(0)} ms`;
  const { statistics: cost, tiles } = data;
  list("golden-figures", [
    ["Triangles", `${number(cost.triangles)}, ${number(cost.triangles_per_tile)} a tile and at most ${number(cost.most_triangles_per_tile)}`],
    ["Tiles", `${number(cost.tiles)} of ${data.tile.join(" x ")} pixels`],
    ["Overdraw", `${number(cost.overdraw_before)} before and ${number(cost.overdraw_after)} after hidden-surface removal`],
    ["Shader", `${number(sum(tiles.instructions))} instructions for ${number(sum(tiles.quads))} quads`],
    ["Textures", `${number(sum(tiles.look_ups))} look-ups for quads`],
    ["Memory", `${number(cost.bytes_read)} bytes read and ${number(cost.bytes_written)} written, ${number(cost.bytes_ratio)} of an immediate renderer's`],
  ]);
  markEarlier();
  go(pixel);
  await askOnce();
}

/// What the hardware has counted.
function hardwareFigures({ clocks, width, height }) {
  return [["Clocks", `${number(clocks)}, ${(clocks / (width * height)).toFixed(2)} for each pixel`]];
}

/// Something has been chosen.
function changed(id) {
  if (["size", "tile"].includes(id)) draw();
  else if (["column", "row"].includes(id)) lookAtFields();
  else mark();
}

async function start() {
  first = await (await ask("/options")).json();
  at("about").textContent = first.about;
  apply(first.settings);
  showMissing(first.hardware_missing);
  listen();
  await draw();
}
