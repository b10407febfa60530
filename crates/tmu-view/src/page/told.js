
// ---- what happens at a pixel ----

// What the server has told of the pixel.
let told = null;

/// A channel of a register, which has 12 bits behind the point.
const fixed = (value) => (value / 4096).toFixed(4);
const joined = (channels) => channels.map(fixed).join(" ");

function showPixel(answer) {
  told = answer;
  const { layers, seen } = told;
  at("pixel-state").textContent = `(${told.pixel.join(", ")})`;
  const shaded = { 0: "by no triangle: nothing is drawn here", 1: "once" }[layers.length] ?? `${layers.length} times`;
  list("pixel-figures", [["Colour", ""], ["Depth", float(told.depth)], ["Shaded", shaded]]);
  showColor("Colour", told.color);
  const names = layers.map(({ part, triangle, drawn }, place) => {
    const fate = drawn === null ? ", let go" : "";
    return `${place + 1}: ${hex(triangle)}, ${part}${place === seen ? ", seen" : fate}`;
  });
  fill(at("layer"), layers.map((_, place) => place), names);
  at("layer").value = seen ?? 0;
  showLayer();
}

/// Shows one of the triangles that are shaded at the pixel.
function showLayer() {
  const layer = told.layers[Number(at("layer").value)];
  for (const element of [at("layer-told"), at("layer").parentElement]) element.hidden = layer === undefined;
  if (layer === undefined) return;
  const test = layer.alpha_test === "always" ? "none" : `${layer.alpha_test} ${layer.alpha_reference}`;
  const out = layer.is_killed ? "let go by the program" : layer.color.join(", ");
  list("layer-figures", [
    ["Record", `${hex(layer.triangle)}, state ${hex(layer.state)}, program ${hex(layer.program)}`],
    ["Depth test", layer.depth_test],
    ["Alpha test", test],
    ["Blending", layer.part === "translucent" ? layer.blend : "none"],
    ["Program gives", layer.shaded_depth === null ? out : `${out}, depth ${float(layer.shaded_depth)}`],
    ["Tile holds", layer.drawn === null ? "what it did" : layer.drawn.join(", ")],
  ]);
  showValues(layer);
  showSteps(layer);
  showTexels(layer);
}

function showValues(layer) {
  const sets = layer.coordinates.map((_, set) => set);
  rows("vertices-head", [heads("Vertex", "x", "y", "z", "RHW", "v0", "v1", ...sets.map((set) => `t${set} · RHW`))]);
  rows("vertices", layer.vertices.map((vertex) => [
    hex(vertex.address), ...[vertex.x, vertex.y, vertex.z, vertex.rhw].map(float),
    ...vertex.colors.map((color) => color.join(" ")), ...vertex.coordinates.map((set) => set.map(float).join(" ")),
  ]));
  const single = (name, value) => [name, float(value), "", "", ""];
  rows("values", [
    single("depth", layer.z),
    single("RHW", layer.rhw),
    ...layer.coordinates.map((values, set) => [`t${set}`, ...values.map(float)]),
    ...layer.colors.map((values, color) => [`v${color}`, ...values.map(fixed)]),
    ...layer.constants.map(({ name, value }) => [name, ...value.map(fixed)]),
  ]);
}

/// Registers that no instruction writes are left out.
function showSteps(layer) {
  const written = [0, 1, 2, 3, 4, 5].filter((register) => layer.steps.some((step) => step.writes === register));
  rows("steps-head", [heads("", "Instruction", ...written.map((register) => `r${register}`), "Else")]);
  const lines = layer.steps.map((step, place) => {
    const gone = step.is_killed ? "let go" : "";
    return [
      place, { text: step.text, kind: "text" },
      ...written.map((register) => ({
        text: joined(step.registers[register]), kind: step.writes === register ? "changed" : "",
      })),
      step.depth === null ? gone : `depth ${float(step.depth)}`,
    ];
  });
  const empty = [...written.map(() => ""), ""];
  if (layer.phase !== null) lines.splice(layer.phase, 0, ["", { text: "phase", kind: "text" }, ...empty]);
  rows("steps", lines);
}

function showTexels(layer) {
  const looks = layer.steps.some(({ look_up }) => look_up !== null);
  [at("texels").parentElement.hidden, at("no-texels").hidden] = [!looks, looks];
  rows("texels", layer.steps.flatMap(({ text, look_up }) => (look_up?.texels ?? []).map((texel) => {
    const [along, down] = texel.level;
    return [
      { text, kind: "text" }, look_up.texture, look_up.coordinates.map(float).join(" "),
      along === down ? along : `${along}, ${down}`, ...texel.place, texel.channels?.join(" ") ?? "cannot be read",
    ];
  })));
}
