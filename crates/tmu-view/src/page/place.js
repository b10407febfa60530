// ---- a pixel that is looked at ----
//
// A page with one brings `mark`, `moved`, `showPixel`, `showLayer`, `changed` and `stride`.

// The frame has this much room around it, in pixels of the page.
const ROOM = 8;
const SIDES = [[160, 120], [320, 240], [640, 480], [1280, 960]];
// Colours of rising counts, as those of the scale.
const RAMP = [[24, 38, 140], [126, 36, 158], [206, 54, 96], [244, 120, 40], [252, 202, 60], [255, 255, 224]];

// What the server has said of the frame that is shown.
let frame = null;
// The pixel.
let pixel = [0, 0];
// What was asked about it last.
let question = "";
let asking = false;
let askAgain = false;
let answers = 0;

const hex = (address) => `0x${address.toString(16)}`;
/// A single float, which may be none that JSON can hold.
const float = (value) => (value === null ? "no finite number" : String(Number(value.toPrecision(8))));

/// The colour of a part of the most.
function ramp(part) {
  const place = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1);
  const step = Math.min(Math.floor(place), RAMP.length - 2);
  return RAMP[step].map((code, channel) => Math.round(code + (place - step) * (RAMP[step + 1][channel] - code)));
}

/// An empty canvas over the frame: its pen, which counts pixels of the page from the frame's corner, how many of them a pixel of the
/// frame has, and what draws a border around some of these.
function marks() {
  const [canvas, below] = [at("marks"), at("golden")];
  const scale = below.offsetWidth / below.width;
  const sides = [below.offsetWidth, below.offsetHeight].map((side) => side + 2 * ROOM);
  [canvas.width, canvas.height] = sides.map((side) => Math.round(side * devicePixelRatio));
  [canvas.style.width, canvas.style.height] = sides.map((side) => `${side}px`);
  const pen = canvas.getContext("2d");
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, devicePixelRatio * ROOM, devicePixelRatio * ROOM);
  const outline = (sides, color, width) => {
    [pen.strokeStyle, pen.lineWidth] = [color, width];
    pen.strokeRect(...sides.map((side) => side * scale));
  };
  return { pen, scale, outline };
}

/// Offers sizes of the frame, its own among them, and begins in its middle.
function offerSizes(width, height) {
  fill(at("size"), [...new Set([[width, height], ...SIDES].map((sides) => sides.join(" x ")))]);
  pixel = [Math.floor(width / 2), Math.floor(height / 2)];
}

/// Goes to another pixel, inside of the frame.
function go([x, y]) {
  const limit = (value, side) => Math.min(Math.max(Math.floor(value) || 0, 0), side - 1);
  pixel = [limit(x, frame.width), limit(y, frame.height)];
  [at("column").value, at("row").value] = pixel;
  mark();
  moved();
}

/// Takes another frame, in which the pixel stays where it is.
function stay(data) {
  if (frame !== null) pixel = [(pixel[0] * data.width) / frame.width, (pixel[1] * data.height) / frame.height];
  frame = data;
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

const lookAtFields = () => look([Number(at("column").value), Number(at("row").value)]);

async function askOnce() {
  const body = JSON.stringify({ settings: JSON.parse(shown), x: pixel[0], y: pixel[1] });
  question = body;
  const answer = await (await ask("/pixel", body)).json();
  if (body === question) showPixel(answer);
}

function listenToMarks() {
  const canvas = at("marks");
  canvas.addEventListener("click", ({ clientX, clientY }) => {
    const [area, below] = [at("golden").getBoundingClientRect(), at("golden")];
    look([((clientX - area.x) * below.width) / area.width, ((clientY - area.y) * below.height) / area.height]);
  });
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (way === undefined) return;
    event.preventDefault();
    look(pixel.map((place, axis) => place + way[axis] * (event.shiftKey ? stride()[axis] : 1)));
  });
}

function rows(id, lines) {
  at(id).replaceChildren(...lines.map((cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => {
      const { text, kind, name } = typeof cell === "object" ? cell : { text: cell };
      const made = document.createElement(name ?? "td");
      made.textContent = text;
      made.className = kind ?? "";
      return made;
    }));
    return row;
  }));
}

const heads = (...texts) => texts.map((text) => ({ text, name: "th" }));

/// A colour with a patch of it; with its alpha, if it has one.
function showColor(name, [r, g, b, a]) {
  const entry = at("pixel-figures").querySelector(`[data-name="${name}"]`);
  const patch = document.createElement("span");
  patch.className = "swatch";
  patch.style.background = `rgb(${r} ${g} ${b})`;
  entry.replaceChildren(patch, [r, g, b].join(", ") + (a === undefined ? "" : `, alpha ${a}`));
}

function listen() {
  at("controls").addEventListener("input", (event) => changed(event.target.id));
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("layer").addEventListener("input", showLayer);
  at("draw-hardware").addEventListener("click", drawHardware);
  at("save-picture").addEventListener("click", () => at("golden").toBlob((blob) => save("view.png", blob)));
  addEventListener("resize", () => { fitAll(); mark(); });
  listenToMarks();
}

