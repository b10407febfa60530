"use strict";

const at = (id) => document.getElementById(id);
const SIZES = ["160 x 120", "320 x 240", "640 x 480", "1024 x 768"];
const CHOICES = ["config", "format", "address_u", "address_v", "shape"];
const POLL_MILLISECONDS = 250;
const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 2 });
const percent = (rate) => `${(100 * rate).toFixed(2)} %`;

let scene = "";
let drawing = false;
let drawAgain = false;
let frames = 0;
// The settings of the golden frame that is shown, and those of the hardware's.
let shown = "";
let compared = null;
// What the two frames' difference was when they were compared.
let verdict = "";
// What each configuration is, by its name.
let about = {};
// The last level that any texture has.
let mostLevel = 0;

// ---- problems ----

function show(problems) {
  const box = at("problems");
  box.replaceChildren(...problems.map(({ code, message, help }) => {
    const line = document.createElement("p");
    const name = document.createElement("strong");
    name.textContent = code;
    line.append(name, ` ${message}; ${help}.`);
    return line;
  }));
  box.hidden = problems.length === 0;
}

const unreachable = (error) => [{
  code: "E0404",
  message: `the server does not answer (${error.message})`,
  help: "start tmugen view again and open the address that it prints",
}];

/// Asks the server. What is wrong is thrown as a list of problems.
async function ask(path, body) {
  let answer;
  try {
    answer = await fetch(path, body === undefined ? {} : { method: "POST", body });
  } catch (error) {
    throw unreachable(error);
  }
  if (answer.ok) return answer;
  let problems;
  try {
    problems = (await answer.json()).problems;
  } catch (error) {
    problems = unreachable(error);
  }
  throw problems;
}

/// Does something and shows what was wrong with it, or clears what was wrong before.
async function attempt(action) {
  try {
    await action();
    show([]);
    return true;
  } catch (problems) {
    show(Array.isArray(problems) ? problems : unreachable(problems));
    return false;
  }
}

// ---- settings ----

function fill(select, values, names = values) {
  select.replaceChildren(...values.map((value, index) => new Option(names[index], value)));
}

function settings() {
  const [width, height] = at("size").value.split(" x ").map(Number);
  const chosen = Object.fromEntries(CHOICES.map((key) => [key, at(key).value]));
  return {
    ...chosen,
    bilinear: at("filter").value === "bilinear",
    mipmaps: at("mipmaps").value === "on",
    max_lod: Number(at("max_lod").value),
    repeats: Number(at("repeats").value) || 0,
    width,
    height,
    camera: {
      yaw_degrees: Number(at("yaw").value),
      pitch_degrees: Number(at("pitch").value),
      distance: 2 ** Number(at("distance").value),
    },
  };
}

/// The numbers of the sliders, beside them.
function showValues() {
  at("yaw-value").textContent = `${Number(at("yaw").value).toFixed(1)}°`;
  at("pitch-value").textContent = `${Number(at("pitch").value).toFixed(1)}°`;
  at("distance-value").textContent = (2 ** Number(at("distance").value)).toFixed(2);
}

/// Offers the levels that a texture of these sides has; the last choice is all of them.
function offerLevels(width, height) {
  const last = Math.min(Math.floor(Math.log2(Math.max(width, height))), mostLevel);
  const chosen = at("max_lod").value;
  const levels = Array.from({ length: last }, (_, level) => String(level));
  fill(at("max_lod"), [...levels, String(mostLevel)], [...levels, `${last} (all)`]);
  at("max_lod").value = levels.includes(chosen) ? chosen : String(mostLevel);
}

function apply(first) {
  for (const key of CHOICES) at(key).value = first[key];
  at("filter").value = first.bilinear ? "bilinear" : "nearest";
  at("mipmaps").value = first.mipmaps ? "on" : "off";
  at("max_lod").value = first.max_lod;
  at("repeats").value = first.repeats;
  at("size").value = `${first.width} x ${first.height}`;
  at("yaw").value = first.camera.yaw_degrees;
  at("pitch").value = first.camera.pitch_degrees;
  at("distance").value = Math.log2(first.camera.distance);
}

/// A smaller frame where the page is narrower than the first one.
function chooseSize() {
  const room = at("golden").parentElement.clientWidth * devicePixelRatio;
  const fits = SIZES.filter((size) => Number(size.split(" x ")[0]) <= room);
  if (!fits.includes(at("size").value)) at("size").value = fits.at(-1) ?? SIZES[0];
}

function describe(picture) {
  const { name, width, height, texture_width, texture_height, ignored } = picture;
  const resampled = width === texture_width && height === texture_height
    ? "" : `, resampled to ${texture_width} x ${texture_height}`;
  at("picture").textContent = `${name}: ${width} x ${height}${resampled}`;
  at("picture-note").textContent = ignored ? `${name}: ${ignored}.` : "";
  at("picture-note").hidden = !ignored;
  offerLevels(texture_width, texture_height);
}

// ---- frames ----

/// Shows a canvas so large that each of its pixels is the same whole number of the device's: as many as there is room for.
function fit(canvas) {
  const room = (canvas.parentElement.clientWidth - 2) * devicePixelRatio;
  const scale = Math.max(1, Math.floor(room / canvas.width));
  canvas.style.width = `${canvas.width * scale / devicePixelRatio}px`;
  canvas.style.height = `${canvas.height * scale / devicePixelRatio}px`;
}

const fitAll = () => document.querySelectorAll("canvas").forEach(fit);

function paint(canvas, width, height, rgb) {
  canvas.hidden = false;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  fit(canvas);
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let pixel = 0, byte = 0; pixel < pixels.length; pixel += 1, byte += 3) {
    pixels[pixel] = 0xff000000 | (rgb[byte + 2] << 16) | (rgb[byte + 1] << 8) | rgb[byte];
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/// A frame's data and the bytes behind it.
async function unpack(answer) {
  const buffer = await answer.arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return [data, new Uint8Array(buffer, 4 + length)];
}

function list(id, entries) {
  at(id).replaceChildren(...entries.flatMap(([name, value]) => {
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    text.textContent = value;
    text.dataset.name = name;
    return [term, text];
  }));
}

function showHeat(heat, rgb) {
  paint(at("heat"), heat.width, heat.height, rgb);
  const [touched, lines] = ["touched", "lines"].map((key) => heat.levels.reduce((sum, level) => sum + level[key], 0));
  at("heat-state").textContent = `${number(touched)} of ${number(lines)} lines of 16 bytes`;
  at("heat-most").textContent = `${number(heat.most)} times`;
  at("levels").replaceChildren(...heat.levels.map((level, index) => {
    const row = document.createElement("tr");
    const texels = `${level.width} x ${level.height}`;
    for (const text of [index, texels, ...["lines", "touched", "lookups"].map((key) => number(level[key]))]) {
      row.insertCell().textContent = text;
    }
    return row;
  }));
}

async function drawOnce() {
  showValues();
  at("config-about").textContent = about[at("config").value];
  const body = JSON.stringify(settings());
  const [data, bytes] = await unpack(await ask("/draw", body));
  const { statistics, heat } = data;
  const split = 3 * statistics.width * statistics.height;
  paint(at("golden"), statistics.width, statistics.height, bytes.subarray(0, split));
  showHeat(heat, bytes.subarray(split));
  scene = data.scene;
  shown = body;
  at("golden-time").textContent = `drawn in ${data.milliseconds.toFixed(0)} ms`;
  list("golden-figures", [
    ["Hit rate", percent(statistics.hit_rate)],
    ["Look-ups", `${number(statistics.lookups)}, of which ${number(statistics.misses)} read memory`],
    ["Quads", `${number(statistics.quads)} with ${number(statistics.samples)} samples`],
  ]);
  markEarlier();
}

/// Draws, and once more if something has changed meanwhile.
async function draw() {
  drawAgain = true;
  if (drawing) return;
  drawing = true;
  while (drawAgain) {
    drawAgain = false;
    await attempt(drawOnce);
  }
  drawing = false;
  frames += 1;
  document.body.dataset.frames = frames;
}

// ---- the hardware ----

function markEarlier() {
  const earlier = compared !== null && compared !== shown;
  for (const id of ["hardware", "difference"]) at(id).classList.toggle("earlier", earlier);
  if (compared === null) return;
  at("hardware-state").textContent = earlier ? "of an earlier view" : "of this view";
  at("difference-state").textContent = earlier ? `${verdict}; of an earlier view, not of what is shown now` : verdict;
}

function difference(golden, hardware) {
  return golden.map((code, index) => (code === hardware[index] ? 0 : 255));
}

async function showHardware(body) {
  const [data, bytes] = await unpack(await ask("/hardware/frame"));
  const { width, height, counts, clocks, samples } = data;
  const split = 3 * width * height;
  const [golden, hardware] = [bytes.subarray(0, split), bytes.subarray(split)];
  paint(at("hardware"), width, height, hardware);
  paint(at("difference"), width, height, difference(golden, hardware));
  const differing = data.differing_pixels;
  verdict = differing === 0
    ? "of golden model and hardware: none" : `of golden model and hardware: ${number(differing)} pixels`;
  list("hardware-figures", [
    ["Clocks", `${number(clocks)} of the texture unit, ${number(clocks / Math.max(samples, 1))} for each sample`],
    ["Hit rate", counts ? `${percent(counts.hit_rate)} by its counters` : "this configuration builds no counters"],
    ...(counts ? [["Look-ups", `${number(counts.lookups)}, of which ${number(counts.misses)} read memory`]] : []),
    ["Simulated in", `${data.seconds.toFixed(1)} s`],
  ]);
  compared = body;
  markEarlier();
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

async function drawHardware() {
  const [button, bar] = [at("draw-hardware"), at("hardware-progress")];
  button.disabled = true;
  const done = await attempt(async () => {
    const body = JSON.stringify(settings());
    await ask("/hardware", body);
    bar.hidden = false;
    for (;;) {
      const progress = await (await ask("/hardware")).json();
      if (progress.state !== "drawing") break;
      bar.value = progress.done / Math.max(progress.quads, 1);
      at("hardware-state").textContent = progress.done === 0
        ? `being built, ${progress.seconds.toFixed(0)} s` : `${number(progress.done)} of ${number(progress.quads)} quads`;
      await pause(POLL_MILLISECONDS);
    }
    await showHardware(body);
  });
  if (!done) at("hardware-state").textContent = "could not be drawn";
  bar.hidden = true;
  button.disabled = at("hardware-missing").hidden === false;
}

function showMissing(missing) {
  if (!missing) return;
  at("hardware-missing").textContent = `${missing.code} ${missing.message}; ${missing.help}.`;
  at("hardware-missing").hidden = false;
  at("draw-hardware").disabled = true;
}

// ---- pictures ----

async function load(file) {
  if (!file) return;
  const loaded = await attempt(async () => {
    const answer = await ask(`/picture?name=${encodeURIComponent(file.name)}`, file);
    describe(await answer.json());
    compared = compared === null ? null : "";
  });
  at("file").value = "";
  document.body.dataset.loads = Number(document.body.dataset.loads || 0) + 1;
  if (loaded) await draw();
}

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- the camera ----

function turn(right, up) {
  const yaw = Number(at("yaw").value) + right;
  at("yaw").value = ((yaw + 540) % 360) - 180;
  at("pitch").value = Number(at("pitch").value) + up;
  draw();
}

function approach(steps) {
  at("distance").value = Number(at("distance").value) + steps;
  draw();
}

function listenToCamera() {
  const canvas = at("golden");
  const DEGREES_PER_PIXEL = 0.4;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("dragged");
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) return;
    turn(-event.movementX * DEGREES_PER_PIXEL, event.movementY * DEGREES_PER_PIXEL);
  });
  canvas.addEventListener("pointerup", () => canvas.classList.remove("dragged"));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    approach(event.deltaY * 0.002);
  }, { passive: false });
  const keys = {
    ArrowLeft: () => turn(-5, 0),
    ArrowRight: () => turn(5, 0),
    ArrowUp: () => turn(0, 5),
    ArrowDown: () => turn(0, -5),
    "+": () => approach(-0.2),
    "-": () => approach(0.2),
  };
  canvas.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
}

function listen() {
  at("controls").addEventListener("input", (event) => { if (event.target !== at("file")) draw(); });
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("file").addEventListener("change", () => load(at("file").files[0]));
  at("draw-hardware").addEventListener("click", drawHardware);
  at("save-scene").addEventListener("click", () => save("view.toml", new Blob([scene], { type: "text/plain" })));
  at("save-picture").addEventListener("click", () => at("golden").toBlob((blob) => save("view.png", blob)));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      at("drop").classList.toggle("over", kind === "dragover");
      if (kind === "drop") load(event.dataTransfer.files[0]);
    });
  }
  listenToCamera();
}

async function start() {
  const options = await (await ask("/options")).json();
  fill(at("config"), options.configs.map(({ name }) => name));
  about = Object.fromEntries(options.configs.map((config) => [config.name, config.about]));
  fill(at("format"), options.formats);
  for (const id of ["address_u", "address_v"]) fill(at(id), options.address_modes);
  fill(at("shape"), options.shapes);
  fill(at("size"), SIZES);
  mostLevel = options.max_lod;
  describe(options.picture);
  apply(options.settings);
  chooseSize();
  addEventListener("resize", fitAll);
  showMissing(options.hardware_missing);
  listen();
  await draw();
}

attempt(start);
