// The page of a picture through the texture unit.

const ABOUT = "A picture through the texture unit: what the golden model draws, live, and what the hardware draws.";
const SIZES = ["160 x 120", "320 x 240", "640 x 480", "1024 x 768"];
const CHOICES = ["config", "format", "address_u", "address_v", "shape"];
const percent = (rate) => `${(100 * rate).toFixed(2)} %`;

let scene = "";
// What each configuration is, by its name.
let about = {};
// The last level that any texture has.
let mostLevel = 0;

// ---- settings ----

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

/// What the hardware has counted.
function hardwareFigures({ clocks, counts, samples }) {
  return [
    ["Clocks", `${number(clocks)} of the texture unit, ${number(clocks / Math.max(samples, 1))} for each sample`],
    ["Hit rate", counts ? `${percent(counts.hit_rate)} by its counters` : "this configuration builds no counters"],
    ...(counts ? [["Look-ups", `${number(counts.lookups)}, of which ${number(counts.misses)} read memory`]] : []),
  ];
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
  at("about").textContent = ABOUT;
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
