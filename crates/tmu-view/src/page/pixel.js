// The page of a frame of the pixel pipeline: its tiles over it, and a pixel that is looked at.

// The frame has this much room around it, in pixels of the page.
const ROOM = 8;
const SIDES = [[160, 120], [320, 240], [640, 480], [1280, 960]];
// Colours of rising counts, as those of the scale.
const RAMP = [[24, 38, 140], [126, 36, 158], [206, 54, 96], [244, 120, 40], [252, 202, 60], [255, 255, 224]];

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

// What the server has said before anything was drawn, and of the frame that is shown.
let first = null;
let frame = null;
// The pixel that is looked at.
let pixel = [0, 0];
// What was asked about it last.
let question = "";
let asking = false;
let askAgain = false;
let answers = 0;

// ---- settings ----

function settings() {
  const [width, height] = at("size").value.split(" x ").map(Number);
  return { width, height, tile: at("tile").value };
}

function apply({ width, height, tile }) {
  const sizes = [[width, height], ...SIDES].map((sides) => sides.join(" x "));
  fill(at("size"), [...new Set(sizes)]);
  fill(at("tile"), first.tiles);
  fill(at("map"), Object.keys(MAPS), Object.values(MAPS).map(([name]) => name));
  at("tile").value = tile;
  pixel = [Math.floor(width / 2), Math.floor(height / 2)];
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

/// The colour of a part of the most.
function ramp(part) {
  const place = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1);
  const step = Math.min(Math.floor(place), RAMP.length - 2);
  return RAMP[step].map((code, channel) => Math.round(code + (place - step) * (RAMP[step + 1][channel] - code)));
}

/// The values of all tiles that the map shows; none if it shows nothing.
function mapped() {
  const value = MAPS[at("map").value][2];
  return value ? frame.tiles.triangles.map((_, tile) => value(frame.tiles, tile)) : [];
}

/// Draws the map, borders of tiles and the pixel over the frame.
function mark() {
  if (frame === null) return;
  const [canvas, below] = [at("tiles"), at("golden")];
  const scale = below.offsetWidth / below.width;
  const sides = [below.offsetWidth, below.offsetHeight].map((side) => side + 2 * ROOM);
  [canvas.width, canvas.height] = sides.map((side) => Math.round(side * devicePixelRatio));
  [canvas.style.width, canvas.style.height] = sides.map((side) => `${side}px`);
  const pen = canvas.getContext("2d");
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, devicePixelRatio * ROOM, devicePixelRatio * ROOM);
  const values = mapped();
  const most = Math.max(...values, 0);
  values.forEach((value, tile) => {
    pen.fillStyle = `rgb(${ramp(value / Math.max(most, 1e-9))} / ${at("strength").value}%)`.replaceAll(",", " ");
    pen.fillRect(...box(tile).map((side) => side * scale));
  });
  const outline = (sides, color, width) => {
    [pen.strokeStyle, pen.lineWidth] = [color, width];
    pen.strokeRect(...sides.map((side) => side * scale));
  };
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

function showTile() {
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

// ---- the pixel ----

/// Goes to another pixel, inside of the frame.
function go([x, y]) {
  const limit = (value, side) => Math.min(Math.max(Math.floor(value) || 0, 0), side - 1);
  pixel = [limit(x, frame.width), limit(y, frame.height)];
  [at("column").value, at("row").value] = pixel;
  mark();
  showTile();
}

/// Looks at another pixel.
async function look(place) {
  go(place);
  askAgain = true;
  if (asking) return;
  asking = true;
  while (askAgain) {
    askAgain = false;
    await attempt(askOnce);
  }
  asking = false;
  answers += 1;
}

async function askOnce() {
  const body = JSON.stringify({ settings: JSON.parse(shown), x: pixel[0], y: pixel[1] });
  question = body;
  const answer = await (await ask("/pixel", body)).json();
  if (body === question) showPixel(answer);
}

function listenToTiles() {
  const canvas = at("tiles");
  canvas.addEventListener("click", ({ clientX, clientY }) => {
    const [area, below] = [at("golden").getBoundingClientRect(), at("golden")];
    look([((clientX - area.x) * below.width) / area.width, ((clientY - area.y) * below.height) / area.height]);
  });
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (way === undefined) return;
    event.preventDefault();
    look(pixel.map((place, axis) => place + way[axis] * (event.shiftKey ? frame.tile[axis] : 1)));
  });
}

// ---- frames ----

const sum = (values) => values.reduce((all, value) => all + value, 0);

async function drawOnce() {
  const body = JSON.stringify(settings());
  const [data, bytes] = await unpack(await ask("/draw", body));
  // A pixel stays where it is in the picture.
  if (frame !== null) pixel = [(pixel[0] * data.width) / frame.width, (pixel[1] * data.height) / frame.height];
  frame = data;
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
  else if (["column", "row"].includes(id)) look([Number(at("column").value), Number(at("row").value)]);
  else mark();
}

function listen() {
  at("controls").addEventListener("input", (event) => changed(event.target.id));
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("layer").addEventListener("input", showLayer);
  at("draw-hardware").addEventListener("click", drawHardware);
  at("save-picture").addEventListener("click", () => at("golden").toBlob((blob) => save("view.png", blob)));
  addEventListener("resize", () => { fitAll(); mark(); });
  listenToTiles();
}

async function start() {
  first = await (await ask("/options")).json();
  at("about").textContent = first.about;
  apply(first.settings);
  showMissing(first.hardware_missing);
  listen();
  await draw();
}
