// The page of a mesh: its points over the frame that the golden model draws of them.

// The frame has this much room around it for points on its border, in pixels of the page.
const ROOM = 8;
// How near a finger has to come to a point to take it: in the same, and as a part of a rectangle, so that it can move the page between points.
const FINGER = 14;
const FINGER_PART = 0.4;
// The most that a coordinate may be: 18 bits, one of them the sign.
const MOST = 2 ** 17 - 1;
const SWITCHES = ["additive", "chroma_key_enable"];
const NUMBERS = ["brightness", "alpha", "mask_x", "mask_y", "x_offset", "y_offset"];

// Size of frame, mesh and rectangles, and the points of the file.
let mesh = null;
// Column and row in the texture of each point, row by row.
let points = [];
// The point that keys move, and the one that is dragged.
let chosen = 0;
let held = null;

// ---- settings ----

/// A whole number, in decimal or in hexadecimal.
function whole(id) {
  const text = at(id).value.trim();
  const value = text === "" ? NaN : Number(text);
  if (Number.isInteger(value)) return value;
  throw [{ code: "E0405", message: `${id} is "${text}"`, help: "write a whole number, such as 1023 or 0x3ff" }];
}

function settings() {
  return {
    ...Object.fromEntries(NUMBERS.map((id) => [id, whole(id)])),
    ...Object.fromEntries(SWITCHES.map((id) => [id, at(id).value === "on"])),
    chroma_key: at("chroma_key").value,
    points,
  };
}

function apply(first) {
  for (const id of NUMBERS) at(id).value = id.startsWith("mask") ? `0x${first[id].toString(16)}` : first[id];
  for (const id of SWITCHES) at(id).value = first[id] ? "on" : "off";
  at("chroma_key").value = first.chroma_key;
  points = first.points;
}

function showValues() {
  const texels = (id) => `${(Number(at(id).value) / 64).toFixed(2)}`;
  for (const id of ["brightness", "alpha", "reach"]) at(`${id}-value`).textContent = at(id).value;
  for (const id of ["column", "row"]) at(`${id}-value`).textContent = texels(id);
}

function choose(point) {
  chosen = point;
  const [x, y] = placeInMesh(point);
  at("point").textContent = `Point (${x}, ${y}) of (${mesh.rectangles.join(", ")}), with 64 for a texel:`;
  [at("column").value, at("row").value] = points[point];
  showValues();
  mark();
}

// ---- points ----

const columns = () => mesh.rectangles[0] + 1;
const placeInMesh = (point) => [point % columns(), Math.floor(point / columns())];

/// Where a point lies in the frame, in its pixels.
function placeInFrame(point) {
  const [x, y] = placeInMesh(point);
  return [Number(at("x_offset").value) + x * mesh.rectangle[0], Number(at("y_offset").value) + y * mesh.rectangle[1]];
}

/// The point that is nearest to a place in the frame.
function nearest([x, y]) {
  const index = (place, offset, axis) => {
    const rectangle = Math.round((place - Number(at(offset).value)) / mesh.rectangle[axis]);
    return Math.min(Math.max(rectangle, 0), mesh.rectangles[axis]);
  };
  return index(y, "y_offset", 1) * columns() + index(x, "x_offset", 0);
}

/// How fast the texture goes by at a point, for each pixel of the frame along an axis.
function slope(of, point, axis) {
  const [step, last, place] = [axis === 0 ? 1 : columns(), mesh.rectangles[axis], placeInMesh(point)[axis]];
  const [back, ahead] = [place === 0 ? 0 : step, place === last ? 0 : step];
  const pixels = ((back + ahead) / step) * mesh.rectangle[axis];
  return [0, 1].map((part) => (of[point + ahead][part] - of[point - back][part]) / pixels);
}

/// Moves what is seen at a point by pixels of the frame; points around it go along, the less the farther they are.
function move(before, point, [right, down]) {
  const [along, across] = [slope(before, point, 0), slope(before, point, 1)];
  const [x, y] = placeInMesh(point);
  const width = Number(at("reach").value) + 1;
  points = before.map((old, other) => {
    const [otherX, otherY] = placeInMesh(other);
    const share = Math.max(0, 1 - Math.hypot(otherX - x, otherY - y) / width);
    if (share === 0) return old;
    return old.map((value, part) => {
      const moved = Math.round(value - share * (along[part] * right + across[part] * down));
      return Math.min(Math.max(moved, -MOST - 1), MOST);
    });
  });
  choose(point);
  draw();
}

/// Draws the points over the frame, those that have been moved in another colour.
function mark() {
  const [canvas, frame] = [at("points"), at("golden")];
  const scale = frame.offsetWidth / frame.width;
  const sides = [frame.offsetWidth, frame.offsetHeight].map((side) => side + 2 * ROOM);
  [canvas.width, canvas.height] = sides.map((side) => Math.round(side * devicePixelRatio));
  [canvas.style.width, canvas.style.height] = sides.map((side) => `${side}px`);
  const pen = canvas.getContext("2d");
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.lineWidth = 1;
  points.forEach((place, point) => {
    if (at("marks").value === "off" && point !== chosen) return;
    const [x, y] = placeInFrame(point).map((pixels) => pixels * scale + ROOM);
    const isMoved = place.some((value, part) => value !== mesh.settings.points[point][part]);
    pen.beginPath();
    const others = isMoved ? 3 : 2;
    pen.arc(x, y, point === chosen ? 5 : others, 0, 2 * Math.PI);
    pen.fillStyle = isMoved ? "#ffb000" : "#fff";
    pen.strokeStyle = "#000";
    pen.fill();
    pen.stroke();
  });
}

// ---- mouse, fingers and keys ----

/// A place on the canvas of points as one in the frame.
function inFrame({ clientX, clientY }) {
  const [box, frame] = [at("golden").getBoundingClientRect(), at("golden")];
  return [((clientX - box.x) * frame.width) / box.width, ((clientY - box.y) * frame.height) / box.height];
}

/// Whether a finger is on a point: elsewhere it moves the page.
function isOnPoint(touch) {
  const place = inFrame(touch);
  const [x, y] = placeInFrame(nearest(place));
  const scale = at("golden").offsetWidth / at("golden").width;
  const near = Math.min(FINGER, FINGER_PART * scale * Math.min(...mesh.rectangle));
  return Math.hypot(x - place[0], y - place[1]) * scale < near;
}

function listenToPoints() {
  const canvas = at("points");
  canvas.addEventListener("touchstart", (event) => {
    if (isOnPoint(event.touches[0])) event.preventDefault();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" && !isOnPoint(event)) return;
    canvas.setPointerCapture(event.pointerId);
    const from = inFrame(event);
    held = { point: nearest(from), from, before: points };
    choose(held.point);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held === null) return;
    const to = inFrame(event);
    move(held.before, held.point, [to[0] - held.from[0], to[1] - held.from[1]]);
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => { held = null; });
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (way === undefined) return;
    event.preventDefault();
    if (event.shiftKey) {
      move(points, chosen, way);
      return;
    }
    const [x, y] = placeInMesh(chosen).map((place, axis) => place + way[axis]);
    if (x >= 0 && y >= 0 && x <= mesh.rectangles[0] && y <= mesh.rectangles[1]) choose(y * columns() + x);
  });
}

/// The chosen point as it is written into its fields.
function write() {
  points = points.with(chosen, [whole("column"), whole("row")]);
}

// ---- frames ----

async function drawOnce() {
  showValues();
  const body = JSON.stringify(settings());
  const [data, bytes] = await unpack(await ask("/draw", body));
  paint(at("golden"), data.width, data.height, bytes);
  mark();
  shown = body;
  at("golden-time").textContent = `drawn in ${data.milliseconds.toFixed(0)} ms`;
  const { pixels_drawn, pixels_left_out, texture_lines } = data.counts;
  list("golden-figures", [
    ["Pixels", `${number(pixels_drawn)} drawn, ${number(pixels_left_out)} left out`],
    ["Texture", `${number(texture_lines)} lines of 16 bytes needed`],
  ]);
  markEarlier();
}

/// What the hardware has counted.
function hardwareFigures({ counts }) {
  const { clocks, pixels_drawn, pixels_left_out, texture_lines_read, texture_hits, clocks_stalled } = counts;
  const pixels = Math.max(pixels_drawn + pixels_left_out, 1);
  return [
    ["Clocks", `${number(clocks)}, ${(clocks / pixels).toFixed(3)} for each pixel; ${number(clocks_stalled)} of them stalled`],
    ["Texture", `${number(texture_lines_read)} lines read, ${number(texture_hits)} look-ups hit`],
  ];
}

async function saveFile(which, name, type) {
  const files = await (await ask("/files", JSON.stringify(settings()))).json();
  save(name, new Blob([files[which]], { type }));
}

/// Something has been chosen.
async function changed(id) {
  if (["column", "row"].includes(id) && !(await attempt(async () => write()))) return;
  mark();
  draw();
}

function listen() {
  at("controls").addEventListener("input", (event) => changed(event.target.id));
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("restore").addEventListener("click", () => {
    points = mesh.settings.points;
    choose(chosen);
    draw();
  });
  at("draw-hardware").addEventListener("click", drawHardware);
  at("save-picture").addEventListener("click", () => at("golden").toBlob((blob) => save("view.png", blob)));
  at("save-points").addEventListener("click", () => attempt(() => saveFile("points", mesh.points_name, "text/csv")));
  at("save-job").addEventListener("click", () => attempt(() => saveFile("job", "view.toml", "text/plain")));
  addEventListener("resize", () => { fitAll(); mark(); });
  listenToPoints();
}

async function start() {
  mesh = await (await ask("/options")).json();
  at("about").textContent = mesh.about;
  apply(mesh.settings);
  choose(0);
  showMissing(mesh.hardware_missing);
  listen();
  await draw();
}
