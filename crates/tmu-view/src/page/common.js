"use strict";

// What all pages share. A page brings `settings`, `drawOnce`, `hardwareFigures` and `start`.

const at = (id) => document.getElementById(id);
const POLL_MILLISECONDS = 250;
const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 2 });

let drawing = false;
let drawAgain = false;
let frames = 0;
// The settings of the golden frame that is shown, and those of the hardware's.
let shown = "";
let compared = null;
// What the two frames' difference was when they were compared.
let verdict = "";

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

// ---- frames ----

function fill(select, values, names = values) {
  select.replaceChildren(...values.map((value, index) => new Option(names[index], value)));
}

/// Shows a canvas so large that each of its pixels is the same whole number of the device's: as many as there is room for.
function fit(canvas) {
  const around = Number.parseFloat(getComputedStyle(canvas.parentElement).paddingLeft);
  const room = (canvas.closest(".picture").clientWidth - 2 * (1 + around)) * devicePixelRatio;
  const scale = Math.max(1, Math.floor(room / canvas.width));
  canvas.style.width = `${canvas.width * scale / devicePixelRatio}px`;
  canvas.style.height = `${canvas.height * scale / devicePixelRatio}px`;
}

const fitAll = () => document.querySelectorAll("canvas:not(.over)").forEach(fit);

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
  const { width, height } = data;
  const split = 3 * width * height;
  const [golden, hardware] = [bytes.subarray(0, split), bytes.subarray(split)];
  paint(at("hardware"), width, height, hardware);
  paint(at("difference"), width, height, difference(golden, hardware));
  const differing = data.differing_pixels;
  verdict = differing === 0
    ? "of golden model and hardware: none" : `of golden model and hardware: ${number(differing)} pixels`;
  list("hardware-figures", [...hardwareFigures(data), ["Simulated in", `${data.seconds.toFixed(1)} s`]]);
  compared = body;
  markEarlier();
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/// How far the hardware is, as far as it says that.
function showProgress({ done, total, seconds }) {
  if (done === 0) {
    at("hardware-progress").removeAttribute("value");
    at("hardware-state").textContent = `being built, ${seconds.toFixed(0)} s`;
  } else {
    at("hardware-progress").value = done / Math.max(total, 1);
    at("hardware-state").textContent = `${number(done)} of ${number(total)} quads`;
  }
}

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
      showProgress(progress);
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

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
