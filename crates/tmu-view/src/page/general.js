// The page of a scene of the general numerics: every kind of texture and filter, and a pixel that is looked at.

// What a choice is called that leaves a sampler as it is.
const KEPT = "the scene's";
// With Shift, arrow keys go so far.
const stride = () => [16, 16];

// What can be shown of pixels: name, what it is, its value for a pixel, and what the most is.
const MAPS = {
  none: ["nothing", "The frame alone."],
  levels: ["level of detail", "The level of detail at which a pixel is sampled, fractions by colours between; 0 is the largest level.",
    (place) => samples.getUint16(4 * place, true) / 256],
  probes: ["probes", "Probes of a pixel: footprints of up to four texels, one for each level, slice and part of a long footprint.",
    (place) => samples.getUint8(4 * place + 2)],
  textures: ["textures", "Which texture and sampler a pixel is sampled with, in the order of the table; 0 is the first.",
    (place) => samples.getUint8(4 * place + 3)],
};

// What is told of each pixel: four bytes.
let samples = null;
// The map as a picture of its own.
let mapPicture = null;
// What the server has told of the pixel.
let told = null;

// ---- settings ----

function settings() {
  const [width, height] = at("size").value.split(" x ").map(Number);
  const chosen = (id) => (at(id).value === KEPT ? null : at(id).value);
  const anisotropy = chosen("anisotropy");
  return {
    width,
    height,
    min: chosen("min"),
    mag: chosen("mag"),
    mip: chosen("mip"),
    anisotropy: anisotropy === null ? null : Number(anisotropy),
    lod_bias: Number(at("bias").value),
    right_degrees: Number(at("right").value),
    up_degrees: Number(at("up").value),
    zoom: 2 ** Number(at("zoom").value),
  };
}

/// The numbers of the sliders, beside them.
function showSliders() {
  for (const id of ["right", "up"]) at(`${id}-value`).textContent = `${Number(at(id).value).toFixed(1)}°`;
  at("zoom-value").textContent = `${(2 ** Number(at("zoom").value)).toFixed(2)} x`;
  at("bias-value").textContent = Number(at("bias").value).toFixed(3);
  at("strength-value").textContent = `${at("strength").value} %`;
}

function apply(options) {
  offerSizes(options.settings.width, options.settings.height);
  for (const id of ["min", "mag"]) fill(at(id), [KEPT, ...options.filters]);
  fill(at("mip"), [KEPT, ...options.mips]);
  fill(at("anisotropy"), [KEPT, ...options.anisotropies]);
  fill(at("map"), Object.keys(MAPS), Object.values(MAPS).map(([name]) => name));
}

// ---- the map ----

/// The values of all pixels that the map shows; none where nothing is drawn, and none at all if it shows nothing.
function mapped() {
  const value = MAPS[at("map").value][2];
  if (!value) return [];
  const isDrawn = (place) => samples.getUint32(4 * place) !== 0xffffffff;
  return Array.from({ length: frame.width * frame.height }, (_, place) => (isDrawn(place) ? value(place) : null));
}

/// Makes the map as a picture.
function makeMap() {
  const values = mapped();
  const most = values.reduce((most, value) => Math.max(most, value ?? 0), 0);
  mapPicture = values.length === 0 ? null : Object.assign(document.createElement("canvas"), { width: frame.width, height: frame.height });
  at("scale").hidden = mapPicture === null;
  at("map-most").textContent = number(most);
  at("map-about").textContent = MAPS[at("map").value][1];
  if (mapPicture === null) return;
  const image = new ImageData(frame.width, frame.height);
  values.forEach((value, place) => {
    if (value !== null) image.data.set([...ramp(value / Math.max(most, 1e-9)), 255], 4 * place);
  });
  mapPicture.getContext("2d").putImageData(image, 0, 0);
}

/// Draws the map and the pixel over the frame.
function mark() {
  if (frame === null) return;
  const { pen, scale, outline } = marks();
  if (mapPicture !== null) {
    pen.imageSmoothingEnabled = false;
    pen.globalAlpha = Number(at("strength").value) / 100;
    pen.drawImage(mapPicture, 0, 0, frame.width * scale, frame.height * scale);
    pen.globalAlpha = 1;
  }
  outline([...pixel, 1, 1], "#000", 4);
  outline([...pixel, 1, 1], "#fff", 2);
}

/// Nothing is shown of a pixel before it is asked about.
function moved() {}

// ---- the pixel ----

const pair = ([along, down]) => (along === down ? along : `${along}, ${down}`);
const sizeOf = ([width, height, depth]) => [width, height, ...(depth > 1 ? [depth] : [])].join(" x ");
/// A part of 65536.
const part = (weight) => (weight / 65536).toFixed(4);

function showPixel(answer) {
  told = answer;
  at("pixel-state").textContent = `(${told.pixel.join(", ")})`;
  const { layers } = told;
  const sampled = { 0: "by no mesh: the background is seen", 1: "once" }[layers.length] ?? `${layers.length} times`;
  list("pixel-figures", [["Colour", ""], ["Sampled", sampled]]);
  showColor("Colour", told.color);
  const names = layers.map(({ mesh, binding, drawn }, place) => {
    const { texture } = frame.bindings[binding];
    return `${place + 1}: mesh ${mesh + 1}, ${texture}${drawn === null ? ", not drawn" : ""}`;
  });
  fill(at("layer"), layers.map((_, place) => place), names);
  at("layer").value = Math.max(layers.findLastIndex(({ drawn }) => drawn !== null), 0);
  showLayer();
}

function levelsOf({ levels, ripmap }) {
  if (ripmap !== null) return `${ripmap[0]} along u, ${ripmap[1]} along v`;
  return levels.map(([level, weight]) => `${level} by ${weight}/256`).join(", ");
}

/// Shows one of the samples that are taken for the pixel.
function showLayer() {
  const of = told.layers[Number(at("layer").value)];
  for (const element of [at("layer-told"), at("layer").parentElement]) element.hidden = of === undefined;
  if (of === undefined) return;
  const { texture, sampler, kind, format, size, compare } = frame.bindings[of.binding];
  list("layer-figures", [
    ["Texture", `${texture}: ${kind}, ${format}, ${sizeOf(size)}, by ${sampler}`],
    ["Quad", `from (${of.place.join(", ")}) on, pixel ${of.number} of it`],
    ...(of.lod === null ? [] : [["Levels", levelsOf(of.lod)], ["Filter", of.lod.filter], ["Probes along the footprint", of.lod.along]]),
    ...(compare === null ? [] : [["Compared", `${compare} the texel's depth`]]),
    ["Result", of.error ? "cannot be sampled" : of.channels.map((value) => (value === null ? "no finite number" : number(value))).join(", ")],
    ["Shown as", `${of.rgba.slice(0, 3).join(", ")}, alpha ${of.rgba[3]}`],
    ["Picture holds", of.drawn === null ? "what it did" : of.drawn.join(", ")],
  ]);
  showQuad(of);
  showProbes(of);
}

function showQuad(of) {
  rows("quad", of.pixels.map((pixel, place) => {
    const kind = place === of.number ? "changed" : "";
    const helps = (of.valid >> place) & 1 ? "" : " (helps)";
    const positions = of.positions === null ? ["", "", ""] : of.positions[place].map(float);
    return [`${place}${helps}`, ...pixel.map(float), ...positions].map((text) => ({ text, kind }));
  }));
}

function showProbes(of) {
  rows("probes", of.probes.map((probe, place) => [
    place, part(probe.weight), sizeOf(probe.size), probe.slice, ...probe.weights.map((weight) => `${weight}/256`),
  ]));
  rows("texels", of.probes.flatMap((probe, place) => probe.taps.map(({ place: where, weight, instead, texel }) => {
    const told = texel === undefined ? ["", instead, "", "", ""] : [
      pair(texel.level), texel.place.join(", "), hex(texel.tile), texel.number,
      (texel.channels?.map(float).join(" ") ?? "cannot be read") + ({ true: ", passes", false: ", fails" }[texel.passes] ?? ""),
    ];
    return [place, part(weight), ...where, ...told];
  })));
}

// ---- frames ----

async function drawOnce() {
  showSliders();
  const body = JSON.stringify(settings());
  const [data, bytes] = await unpack(await ask("/draw", body));
  stay(data);
  const split = 3 * data.width * data.height;
  paint(at("golden"), data.width, data.height, bytes.subarray(0, split));
  samples = new DataView(bytes.buffer, bytes.byteOffset + split);
  shown = body;
  at("golden-time").textContent = `drawn in ${data.milliseconds.toFixed(0)} ms`;
  const { statistics, bindings } = data;
  const [probes, pixels] = ["probes", "samples"].map((key) => bindings.reduce((sum, binding) => sum + binding[key], 0));
  list("golden-figures", [
    ["Triangles", number(statistics.triangles)],
    ["Quads", `${number(statistics.quads)} with ${number(statistics.samples)} samples`],
    ["Probes", `${number(probes)}, ${number(probes / Math.max(pixels, 1))} a sample`],
  ]);
  rows("textures", bindings.map((of) => [
    of.texture, of.kind, of.format, sizeOf(of.size), of.levels, of.sampler,
    `${of.min}, ${of.mag}, levels ${of.mip}${of.anisotropy > 1 ? `, anisotropy ${of.anisotropy}` : ""}`,
    number(of.samples), number(of.probes / Math.max(of.samples, 1)),
  ]));
  markEarlier();
  makeMap();
  go(pixel);
  await askOnce();
}

/// What the hardware has counted.
function hardwareFigures({ clocks, samples }) {
  return [["Clocks", `${number(clocks)} of the texture unit, ${number(clocks / Math.max(samples, 1))} for each sample`]];
}

/// Something has been chosen.
function changed(id) {
  showSliders();
  if (["column", "row"].includes(id)) lookAtFields();
  else if (id === "map") { makeMap(); mark(); }
  else if (id === "strength") mark();
  else draw();
}

async function start() {
  const options = await (await ask("/options")).json();
  at("about").textContent = options.about;
  apply(options);
  showMissing(options.hardware_missing);
  listen();
  await draw();
}
