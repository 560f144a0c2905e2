// What became of things from one picture to the next: they slide, turn over, or appear. Still where the system asks for
// reduced motion.

import { make } from "./elements.js";

const MOST = 16; // more at once is a new deal, not a move
const SLIDE = 320;
const TURN = 260;

const things = (root) => [...root.querySelectorAll("[data-thing]")];

/** Where things are now, and which side of them is up. */
export function remember(root) {
  const seen = new Map();
  for (const thing of things(root)) {
    seen.set(thing.dataset.thing, { box: thing.getBoundingClientRect(), side: thing.dataset.side });
  }
  return seen;
}

/** Moves things from where they were; `above` is an element to fly in. */
export function fly(before, root, above) {
  if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const slid = [];
  const turned = [];
  const fresh = [];
  for (const thing of things(root)) {
    const old = before.get(thing.dataset.thing);
    const box = thing.getBoundingClientRect();
    if (!old) fresh.push(thing);
    else if (Math.hypot(old.box.x - box.x, old.box.y - box.y) > 3) slid.push([thing, old.box, box]);
    else if (old.side !== thing.dataset.side) turned.push(thing);
  }
  // Where everything moves, the table was zoomed or dealt anew.
  if (slid.length <= MOST) for (const [thing, from, to] of slid) slide(thing, from, to, above);
  if (turned.length <= 3 * MOST) turned.forEach((thing, nth) => turnOver(thing, nth));
  if (fresh.length <= MOST) fresh.forEach(appear);
}

/** A copy flies, as panels cut off what leaves them; the thing itself is there when it lands. */
function slide(thing, from, to, above) {
  const frame = above.getBoundingClientRect();
  const { x, y, width, height } = thing.getBBox();
  const copy = make("div", above, "adjoin-flying");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  svg.setAttribute("font-family", "sans-serif");
  svg.innerHTML = thing.innerHTML;
  copy.append(svg);
  const at = (box) => ({ transform: `translate(${box.x - frame.x}px, ${box.y - frame.y}px)`, width: `${box.width}px`, height: `${box.height}px` });
  thing.style.opacity = "0"; // and can be clicked all the same
  const landed = () => {
    copy.remove();
    thing.style.opacity = "";
  };
  const flight = copy.animate([at(from), at(to)], { duration: SLIDE, easing: "ease-out", fill: "both" });
  flight.onfinish = flight.oncancel = landed;
}

const inPlace = { transformBox: "fill-box", transformOrigin: "center" };

function turnOver(thing, nth) {
  Object.assign(thing.style, inPlace);
  thing.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: TURN, delay: Math.min(nth, 8) * 40, fill: "backwards" });
}

function appear(thing) {
  Object.assign(thing.style, inPlace);
  thing.animate([{ transform: "scale(0.6)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], { duration: TURN, easing: "ease-out" });
}
