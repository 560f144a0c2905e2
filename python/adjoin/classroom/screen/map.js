// A map on the screen: places to mark, to name, to link and to pick. It knows nothing of questions.
//
// `mapView(parent, map, options)` draws plain data of `Atlas.map`. Options:
//   title     what the picture is, for a screen reader
//   names     id → name; places are called by them if given, else "county 12 of 22, in the south east"
//   noun      what a place is called, one: "county"
//   pickable  ids that can be picked; all of the kind "region" if not given; only with `onPick`
//   onPick    called with the id of the place that was clicked, touched or chosen by a key
//   marks     id → class name, or several with spaces; "adjoin-is-chosen" is also told to a screen reader
//   labels    ids, written by their names, or id → text
// Returned: root, svg, mark(marks), label(labels), link(ids, other), zoomTo(ids), pickable(ids), focus().

import { draw, make, say } from "./quiz_elements.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MOST_ZOOM = 24;
const STEP = 1.6; // a press of the button
const DOT = 4; // px
const TINY = 22; // px: places that look smaller are hit by a finger within so much around their middle
const DRAGGED = 6; // px: a press that moved further is no click
const AROUND = [5, 10, 15]; // px: where a place is looked for beside a click that met none
const DIRECTIONS = 16;
const LEAST_BRIDGE = 16; // px
const FAR = [4, 14, 28, 44, 64, 90, 120]; // px between a place and its label

/** The path of rings of whole numbers: the first point, then differences. */
const pathOf = (rings) => rings.map(([x, y, ...rest]) => `M${x} ${y}${rest.length ? "l" : ""}${rest.join(" ")}z`).join("");

/** The box round the largest ring, in units: left, top, right, bottom; without a ring, round the point. */
function boxOf({ rings, at }) {
  let best = [...at, ...at];
  const size = ([left, top, right, bottom]) => (right - left) * (bottom - top);
  for (const ring of rings) {
    let [x, y] = [ring[0], ring[1]];
    const box = [x, y, x, y];
    for (let n = 2; n < ring.length; n += 2) {
      x += ring[n];
      y += ring[n + 1];
      if (x < box[0]) box[0] = x;
      else if (x > box[2]) box[2] = x;
      if (y < box[1]) box[1] = y;
      else if (y > box[3]) box[3] = y;
    }
    const units = box.map((value) => value / 10);
    if (size(units) > size(best)) best = units;
  }
  return best;
}

/** The ends of a bridge, which is never shorter than so many units. */
function bridgeEnds([[x1, y1], [x2, y2]], least) {
  const long = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = long ? [(x2 - x1) / long, (y2 - y1) / long] : [0, 1];
  const half = Math.max(long, least) / 2;
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  return [x - dx * half, y - dy * half, x + dx * half, y + dy * half];
}

/** Whether a line from a point to another meets a box: looked at in steps. */
function crosses([one, other], box) {
  for (let n = 0; n <= 24; n += 1) {
    const [x, y] = [0, 1].map((k) => one[k] + ((other[k] - one[k]) * n) / 24);
    if (x > box[0] && x < box[2] && y > box[1] && y < box[3]) return true;
  }
  return false;
}

const overlap = (one, other, gap = 1) =>
  one[0] < other[2] + gap && other[0] < one[2] + gap && one[1] < other[3] + gap && other[1] < one[3] + gap;

/** In which part of the picture a point lies. */
function sector([x, y], [width, height]) {
  const down = ["north", "", "south"][Math.min(2, Math.floor((3 * y) / height))];
  const across = ["west", "", "east"][Math.min(2, Math.floor((3 * x) / width))];
  return down || across ? `in the ${[down, across].filter(Boolean).join(" ")}` : "in the middle";
}

export function mapView(parent, map, options = {}) {
  const { names, onPick, noun = "place", title = "Map" } = options;
  const [width, height] = map.size;
  const places = Object.entries(map.places).map(([id, place]) => ({ id, ...place, box: boxOf(place) }));
  const byId = new Map(places.map((place) => [place.id, place]));
  let view = [0, 0, width, height]; // left, top, width, height of what is shown, in units
  let [marks, labels, linked, dashed, open] = [{}, {}, [], [], []];
  let current = null;
  let aim = null; // what is to be seen, until somebody moves the map

  const root = make("div", parent, "adjoin-map");
  const tools = make("div", root, "adjoin-map-tools");
  for (const [text, name, act] of [["+", "zoom in", () => zoom(STEP)], ["−", "zoom out", () => zoom(1 / STEP)], ["⤢", "the whole map", () => whole()]])
    say(make("button", tools, "", { type: "button", textContent: text, title: name, onclick: act }), { "aria-label": name });
  const svg = draw("svg", root, { "aria-label": title, role: onPick ? "group" : "img" });
  root.style.setProperty("--shape", width / height);

  // What never changes, then what is laid over it.
  draw("rect", svg, { width, height, class: "adjoin-sea" });
  const ground = draw("g", svg, { transform: "scale(.1)" });
  draw("path", ground, { d: pathOf(map.ground), class: "adjoin-ground" });
  for (const place of places) {
    if (place.rings.length) place.area = draw("path", ground, { d: pathOf(place.rings), "fill-rule": "evenodd" });
  }
  draw("path", ground, { d: pathOf(map.lakes), class: "adjoin-lake" });
  const edges = draw("g", ground);
  for (const [x, y, w, h] of map.frames) draw("rect", svg, { x, y, width: w, height: h, class: "adjoin-frame" });
  const bridges = map.bridges.map(({ line, between }) => {
    const bridge = draw("g", svg, { class: "adjoin-bridge" });
    const parts = ["adjoin-bridge-road", "adjoin-bridge-middle"].map((part) => draw("line", bridge, { class: part }));
    if (names) draw("title", bridge, {}, `${between.map((id) => names[id]).join(" and ")} meet in tidal water`);
    return { line, parts };
  });
  const dots = draw("g", svg);
  for (const place of places) {
    if (!place.small && place.area) continue;
    place.dot = draw("circle", dots, { cx: place.at[0], cy: place.at[1] });
  }
  const rings = draw("g", svg);
  const links = draw("g", svg, { class: "adjoin-links" });
  const written = draw("g", svg, { class: "adjoin-labels" });
  for (const place of places) {
    place.button = place.area ?? place.dot;
    place.button.dataset.id = place.id;
    if (place.dot) place.dot.dataset.dot = place.id;
    if (names?.[place.id]) draw("title", place.button, {}, names[place.id]);
  }

  // From units to pixels of the element and back.

  function screen() {
    const [wide, high] = [svg.clientWidth || width, svg.clientHeight || height];
    const scale = Math.min(wide / view[2], high / view[3]);
    return { scale, wide, high, left: view[0] - (wide / scale - view[2]) / 2, top: view[1] - (high / scale - view[3]) / 2 };
  }
  const shown = ({ scale, left, top }, [x, y]) => [(x - left) * scale, (y - top) * scale];
  const sizeOf = (place, scale) => Math.max(place.box[2] - place.box[0], place.box[3] - place.box[1]) * scale;

  /** Pixels of a unit when the whole map is shown. */
  const least = () => Math.min((svg.clientWidth || width) / width, (svg.clientHeight || height) / height);
  const isWhole = () => screen().scale <= least() * 1.001;

  /** Show a part: left, top, width and height in units; as much around it as fills the element, but never beyond the map
   * where the map is larger than the element. */
  function show([x, y, w, h]) {
    const sides = [svg.clientWidth || width, svg.clientHeight || height];
    const scale = Math.min(Math.max(Math.min(sides[0] / w, sides[1] / h), least()), least() * MOST_ZOOM);
    const middle = [x + w / 2, y + h / 2];
    const size = sides.map((side) => side / scale);
    const start = size.map((side, n) => {
      const rest = map.size[n] - side;
      return rest > 0 ? Math.min(Math.max(0, middle[n] - side / 2), rest) : rest / 2;
    });
    view = [...start, ...size];
    fit();
  }
  function whole() {
    aim = null;
    show([0, 0, width, height]);
  }
  /** Come nearer by a factor; the point, in pixels, stays where it is. */
  function zoom(factor, point = null) {
    aim = null;
    const { scale, wide, high, left, top } = screen();
    const at = point ?? [wide / 2, high / 2];
    const fixed = [left + at[0] / scale, top + at[1] / scale];
    const corner = [0, 1].map((n) => fixed[n] - (fixed[n] - view[n]) / factor);
    show([...corner, view[2] / factor, view[3] / factor]);
  }
  /** Show some places as large as can be, but one alone in its surroundings. */
  function zoomTo(ids) {
    aim = ids;
    const boxes = ids.map((id) => byId.get(id)?.box).filter(Boolean);
    if (!boxes.length) return;
    const [left, top] = [0, 1].map((n) => Math.min(...boxes.map((box) => box[n])));
    const [right, bottom] = [2, 3].map((n) => Math.max(...boxes.map((box) => box[n])));
    const around = 0.15 * Math.max(right - left, bottom - top) + (boxes.length > 1 ? 0.03 : 0.12) * Math.max(width, height);
    show([left - around, top - around, right - left + 2 * around, bottom - top + 2 * around]);
  }

  /** Draw what depends on how near one is. */
  function fit() {
    svg.setAttribute("viewBox", view.join(" "));
    const now = screen();
    root.classList.toggle("adjoin-is-near", !isWhole());
    for (const place of places) {
      if (!place.dot) continue;
      place.dot.setAttribute("r", (place.kind === "water" ? 1.5 : 1) * (DOT / now.scale));
      const isSeen = place.area && sizeOf(place, now.scale) > 2.5 * DOT;
      place.dot.classList.toggle("adjoin-is-seen", Boolean(isSeen));
    }
    const isLost = (place) => `${marks[place.id]}`.includes("adjoin-is-subject") && sizeOf(place, now.scale) < TINY;
    rings.replaceChildren();
    for (const { at } of places.filter(isLost)) draw("circle", rings, { cx: at[0], cy: at[1], r: TINY / 1.6 / now.scale, class: "adjoin-ring" });
    for (const { line, parts } of bridges) {
      const [x1, y1, x2, y2] = bridgeEnds(line, LEAST_BRIDGE / now.scale);
      parts.forEach((part) => say(part, { x1, y1, x2, y2 }));
    }
    drawLinks(now);
    drawLabels(now);
  }

  // Marks, links, labels.

  function className(place) {
    const kind = `adjoin-place adjoin-place-${place.kind}`;
    return `${kind}${open.includes(place.id) ? " adjoin-is-open" : ""} ${marks[place.id] ?? ""}`.trim();
  }
  function mark(given) {
    marks = given;
    edges.replaceChildren();
    for (const place of places) {
      place.area?.setAttribute("class", className(place));
      place.dot?.setAttribute("class", `adjoin-dot ${className(place)}`);
      if (onPick && open.includes(place.id))
        say(place.button, { "aria-pressed": String(`${marks[place.id]}`.includes("adjoin-is-chosen")) });
      if (marks[place.id] && place.area) draw("path", edges, { d: place.area.getAttribute("d"), class: `adjoin-edge ${marks[place.id]}` });
    }
    ring();
    fit();
  }
  /** Write names: ids, the most important first; or id → text. */
  function label(given) {
    labels = Array.isArray(given) ? Object.fromEntries(given.map((id) => [id, names?.[id] ?? id])) : given;
    drawLabels(screen());
  }
  /** Draw a line from place to place, and another one, dashed, that gives way to it. */
  function link(ids, other = []) {
    [linked, dashed] = [ids, other].map((way) => way.filter((id) => byId.has(id)));
    drawLinks(screen());
    drawLabels(screen());
  }
  function drawLinks({ scale }) {
    links.replaceChildren();
    const pointsOf = (ids) => ids.map((id) => byId.get(id).at);
    draw("polyline", links, { points: pointsOf(dashed).join(" "), class: "adjoin-link-dashed" });
    if (linked.length < 2) return;
    const points = pointsOf(linked);
    for (const part of ["adjoin-link-edge", "adjoin-link"]) draw("polyline", links, { points: points.join(" "), class: part });
    points.forEach(([cx, cy]) => draw("circle", links, { cx, cy, r: DOT / scale, class: "adjoin-link-dot" }));
  }
  function drawLabels(now) {
    written.replaceChildren();
    const ids = Object.keys(labels).filter((id) => byId.has(id));
    if (!ids.length || !svg.isConnected) return;
    const style = getComputedStyle(svg);
    const size = parseFloat(style.fontSize) || 14;
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `600 ${size}px ${style.fontFamily}`;
    const points = new Map(ids.map((id) => [id, shown(now, byId.get(id).at)]));
    const taken = [];
    const crossings = map.bridges.map(({ line }) => {
      const [x, y] = shown(now, [0, 1].map((n) => (line[0][n] + line[1][n]) / 2));
      return [x - LEAST_BRIDGE / 2, y - LEAST_BRIDGE / 2, x + LEAST_BRIDGE / 2, y + LEAST_BRIDGE / 2];
    });
    const leaders = [];
    const back = ([x, y]) => [now.left + x / now.scale, now.top + y / now.scale];
    for (const id of ids) {
      const at = points.get(id);
      if (at[0] < 0 || at[1] < 0 || at[0] > now.wide || at[1] > now.high) continue;
      const half = [pen.measureText(labels[id]).width / 2 + 3, size * 0.62];
      const found = roomFor(id, half, now, points, { taken, leaders, crossings });
      if (!found) continue;
      taken.push(found.box);
      if (found.leader) {
        leaders.push(found.leader);
        const [[x1, y1], [x2, y2]] = found.leader.map(back);
        draw("line", written, { x1, y1, x2, y2, class: "adjoin-leader" });
      }
      const [x, y] = back(found.middle);
      const text = draw("text", written, { x, y: y + (size * 0.36) / now.scale, "text-anchor": "middle", class: marks[id] ?? "" }, labels[id]);
      text.style.fontSize = `${size / now.scale}px`;
      text.style.strokeWidth = `${3 / now.scale}px`;
    }
  }
  /** Where a label has room: over its place, or as near as can be; none covers another, its line, a bridge or another's place. */
  function roomFor(id, half, now, points, { taken, leaders, crossings }) {
    const [place, at] = [byId.get(id), points.get(id)];
    const spot = (middle, isBeside) => {
      const box = [0, 1].map((n) => middle[n] - half[n]).concat([0, 1].map((n) => middle[n] + half[n]));
      const leader = isBeside ? [at, middle.map((value, n) => Math.min(Math.max(at[n], value - half[n]), value + half[n]))] : null;
      const isFree =
        box[0] >= 0 && box[1] >= 0 && box[2] <= now.wide && box[3] <= now.high &&
        !taken.some((other) => overlap(box, other) || (leader && crosses(leader, other))) &&
        !leaders.some((other) => crosses(other, box)) &&
        !crossings.some((other) => overlap(box, other)) &&
        ![...points].some(([other, [x, y]]) => other !== id && overlap(box, [x - DOT, y - DOT, x + DOT, y + DOT]));
      return isFree ? { middle, box, leader } : null;
    };
    const room = [place.box[2] - place.box[0], place.box[3] - place.box[1]].map((value) => value * now.scale);
    const over = place.area && room[0] > 2 * half[0] && room[1] > 2 * half[1] ? spot(at, false) : null;
    if (over && !hides(over.box, id, now)) return over;
    let second = over;
    for (const far of FAR) {
      for (let n = 0; n < DIRECTIONS; n += 1) {
        const angle = (2 * Math.PI * n) / DIRECTIONS;
        const found = spot([at[0] + Math.cos(angle) * (half[0] + DOT + far), at[1] + Math.sin(angle) * (half[1] + DOT + far)], true);
        if (found && !hides(found.box, id, now)) return found;
        second ??= found;
      }
    }
    return second;
  }
  /** Whether a box of pixels lies over a line from place to place, or over a marked place other than its own. */
  function hides(box, id, now) {
    const [left, top, right, bottom] = box;
    const ends = linked.map((other) => shown(now, byId.get(other).at));
    if (ends.slice(1).some((end, n) => crosses([ends[n], end], box))) return true;
    const y = 10 * (now.top + (top + bottom) / 2 / now.scale);
    const points = [left, (left + right) / 2, right].map((x) => new DOMPoint(10 * (now.left + x / now.scale), y));
    return Object.keys(marks).some((other) => other !== id && points.some((point) => byId.get(other)?.area?.isPointInFill(point)));
  }

  // Picking.

  function pickable(ids) {
    open = onPick ? ids.filter((id) => byId.has(id)) : [];
    const order = open.map((id) => byId.get(id)).sort((one, other) => one.at[1] - other.at[1] || one.at[0] - other.at[0]);
    for (const { button } of places) ["role", "tabindex", "aria-label", "aria-pressed"].forEach((name) => button.removeAttribute(name));
    order.forEach((place, n) => {
      const what = place.kind === "water" ? "sea" : noun;
      const secret = `${what} ${n + 1} of ${order.length}, ${sector(place.at, map.size)}`;
      say(place.button, { role: "button", tabindex: "-1", "aria-label": names?.[place.id] ?? secret });
    });
    open = order.map(({ id }) => id);
    current = open.includes(current) ? current : open[0];
    if (current) byId.get(current).button.setAttribute("tabindex", "0");
    say(svg, { role: open.length ? "group" : "img" });
    mark(marks);
  }
  /** The place that lies nearest in a direction. */
  function nearest(id, [dx, dy]) {
    const [x, y] = byId.get(id).at;
    const far = (other) => {
      const [u, v] = [byId.get(other).at[0] - x, byId.get(other).at[1] - y];
      const [along, across] = [u * dx + v * dy, Math.abs(u * dy) + Math.abs(v * dx)];
      if (other === id || along <= 0) return Infinity;
      return Math.hypot(along, across) * (across <= along ? 1 : 1 + 2 * (across / along));
    };
    const best = open.reduce((one, other) => (far(other) < far(one) ? other : one), id);
    return best === id ? null : best;
  }
  function go(id) {
    if (id === null) return;
    const place = byId.get(id);
    place.button.focus({ preventScroll: true });
    const [x, y] = place.at;
    if (x < view[0] || y < view[1] || x > view[0] + view[2] || y > view[1] + view[3])
      show([x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
  }
  function ring() {
    svg.querySelector(".adjoin-map-focus")?.remove();
    const place = places.find(({ button }) => button === svg.getRootNode().activeElement);
    if (!place?.button.matches(":focus-visible")) return;
    if (place.area) draw("path", edges, { d: place.area.getAttribute("d"), class: "adjoin-map-focus" });
    if (place.dot) draw("circle", edges, { cx: place.at[0] * 10, cy: place.at[1] * 10, r: (20 * DOT) / screen().scale, class: "adjoin-map-focus" });
  }
  svg.addEventListener("focusin", (event) => {
    const id = event.target.dataset?.id;
    if (!open.includes(id)) return;
    byId.get(current)?.button.setAttribute("tabindex", "-1");
    current = id;
    event.target.setAttribute("tabindex", "0");
    ring();
  });
  svg.addEventListener("focusout", () => svg.querySelector(".adjoin-map-focus")?.remove());
  svg.addEventListener("keydown", (event) => {
    const id = event.target.dataset?.id;
    if (!open.includes(id) || event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = { PageDown: 1, PageUp: -1 }[event.key];
    if (event.key in ARROWS) go(nearest(id, ARROWS[event.key]));
    else if (turn) go(open[(open.indexOf(id) + turn + open.length) % open.length]);
    else if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? STEP : 1 / STEP, shown(screen(), byId.get(id).at));
    else if ((event.key === "Enter" || event.key === " ") && !event.repeat) onPick(id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  /** The place that is meant by a click or a touch: the one that was met, for a finger a tiny one beside it, or the nearest. */
  function placeAt(x, y) {
    const met = (u, v) => {
      const { dataset } = svg.getRootNode().elementFromPoint(u, v) ?? {};
      return dataset?.id ?? dataset?.dot ?? null;
    };
    const now = screen();
    const box = svg.getBoundingClientRect();
    const isTiny = (id) => open.includes(id) && sizeOf(byId.get(id), now.scale) < TINY;
    const under = met(x, y);
    if (isTiny(under) || (!isFinger && open.includes(under))) return under;
    const far = (id) => Math.hypot(...shown(now, byId.get(id).at).map((value, n) => value - [x - box.x, y - box.y][n]));
    const [near] = open.filter((id) => isTiny(id) && far(id) <= TINY / 2).sort((one, other) => far(one) - far(other));
    if (near) return near;
    if (open.includes(under)) return under;
    if (under !== null) return null;
    for (const radius of AROUND) {
      for (let n = 0; n < DIRECTIONS; n += 1) {
        const angle = (2 * Math.PI * n) / DIRECTIONS;
        const found = met(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
        if (open.includes(found)) return found;
      }
    }
    return null;
  }

  // Fingers and the mouse: one drags, two come nearer, a wheel too.
  const fingers = new Map();
  let moved = 0;
  let isFinger = false;
  const spread = () => {
    const [one, other = one] = [...fingers.values()];
    return { far: Math.hypot(one[0] - other[0], one[1] - other[1]), middle: [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2] };
  };
  const inside = ([x, y]) => {
    const box = svg.getBoundingClientRect();
    return [x - box.x, y - box.y];
  };
  svg.addEventListener("pointerdown", (event) => {
    if (!fingers.size) moved = 0;
    isFinger = event.pointerType !== "mouse";
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = spread();
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const after = spread();
    const by = [0, 1].map((n) => after.middle[n] - before.middle[n]);
    moved += Math.hypot(...by) + Math.abs(after.far - before.far);
    if (moved <= DRAGGED) return;
    aim = null;
    svg.setPointerCapture?.(event.pointerId);
    if (fingers.size > 1 && before.far) zoom(after.far / before.far, inside(before.middle));
    const { scale } = screen();
    show([view[0] - by[0] / scale, view[1] - by[1] / scale, view[2], view[3]]);
  });
  for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, (event) => fingers.delete(event.pointerId));
  svg.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  svg.addEventListener(
    "wheel",
    (event) => {
      if (event.deltaY > 0 && isWhole()) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), inside([event.clientX, event.clientY]));
    },
    { passive: false },
  );
  svg.addEventListener("click", (event) => {
    if (!open.length || moved > DRAGGED) return;
    const id = event.detail ? placeAt(event.clientX, event.clientY) : event.target.dataset?.id;
    if (!open.includes(id)) return;
    byId.get(id).button.focus({ preventScroll: true });
    onPick(id);
  });

  new ResizeObserver(() => (aim ? zoomTo(aim) : fit())).observe(svg);
  labels = {};
  marks = options.marks ?? {};
  pickable(options.pickable ?? places.filter(({ kind }) => kind === "region").map(({ id }) => id));
  label(options.labels ?? []);
  return {
    root,
    svg,
    mark,
    label,
    link,
    zoomTo,
    pickable,
    focus: () => current && byId.get(current).button.focus({ preventScroll: true }),
  };
}
