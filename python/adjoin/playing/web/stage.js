// The table, which can be zoomed and panned: by wheel with Ctrl, by two fingers, by dragging, by buttons.

import { make, svgOf } from "./elements.js";

const MOST = 6; // how many times larger than as a whole

export class Stage {
  /** `moved` is called when something is somewhere else. */
  constructor(parent, moved) {
    this.element = make("div", parent, "adjoin-stage");
    this.moved = moved;
    this.area = [0, 0, 1, 1]; // all there is
    this.box = [0, 0, 1, 1]; // what is shown
    this.svg = null;
    const buttons = make("div", this.element, "adjoin-zoom");
    for (const [label, title, factor] of [["+", "larger (+)", 1.4], ["−", "smaller (-)", 1 / 1.4], ["⤢", "all of it (0)", 0]]) {
      make("button", buttons, "", { textContent: label, title, ariaLabel: title, onclick: () => this.zoom(factor) });
    }
    this.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), [event.clientX, event.clientY]);
    }, { passive: false });
    this.fingers = new Map();
    this.element.addEventListener("pointerdown", (event) => this.#down(event));
  }

  show(pieces, title) {
    const area = around(pieces.map((piece) => piece.area));
    const markup = pieces.map((piece) => piece.svg).join("");
    const svg = svgOf(area, markup, "table");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", title);
    if (this.svg) this.svg.replaceWith(svg);
    else this.element.prepend(svg);
    this.svg = svg;
    const zoom = this.area[2] / this.box[2];
    const isNew = String(area) !== String(this.area);
    this.area = area;
    this.element.style.setProperty("--ratio", area[2] / area[3]);
    if (isNew && zoom <= 1.01) this.box = area;
    this.#set(this.box);
  }

  isZoomed() {
    return this.area[2] / this.box[2] > 1.01;
  }

  /** Larger by a factor around a point of the screen; 0 is all of it. */
  zoom(factor, point = null) {
    if (!this.svg) return;
    if (factor === 0) return this.#set(this.area);
    const [x, y] = point ? this.#at(point) : [this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2];
    const [left, top, width, height] = this.box;
    const scale = 1 / Math.min(Math.max(factor, this.box[2] / this.area[2]), (MOST * this.box[2]) / this.area[2]);
    this.#set([x - (x - left) * scale, y - (y - top) * scale, width * scale, height * scale]);
  }

  /** Pans to an element of the table that is out of sight. */
  reveal(element) {
    if (!element || !this.svg?.contains(element) || !this.isZoomed()) return;
    const [box, frame] = [element.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const dx = Math.min(0, box.left - frame.left - 8) + Math.max(0, box.right - frame.right + 8);
    const dy = Math.min(0, box.top - frame.top - 8) + Math.max(0, box.bottom - frame.bottom + 8);
    if (dx || dy) this.#pan(dx, dy);
  }

  /** A point of the screen in the coordinates of the picture. */
  #at([x, y]) {
    const { a, e, f } = this.svg.getScreenCTM();
    return [(x - e) / a, (y - f) / a];
  }

  #pan(dx, dy) {
    const { a } = this.svg.getScreenCTM();
    const [left, top, width, height] = this.box;
    this.#set([left + dx / a, top + dy / a, width, height]);
  }

  /** Shows a box, within the area. */
  #set([left, top, width, height]) {
    const [x, y, most, high] = this.area;
    const [w, h] = [Math.min(width, most), Math.min(height, high)];
    this.box = [Math.min(Math.max(left, x), x + most - w), Math.min(Math.max(top, y), y + high - h), w, h];
    this.svg.setAttribute("viewBox", this.box.join(" "));
    this.element.classList.toggle("adjoin-zoomed", this.isZoomed());
    this.moved();
  }

  #down(event) {
    if (event.target.closest("button")) return;
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size > 1) event.preventDefault();
    const start = [event.clientX, event.clientY];
    let isPanning = false;
    const move = (next) => {
      const last = this.fingers.get(next.pointerId);
      if (!last) return;
      if (this.fingers.size === 2) {
        const [other] = [...this.fingers].filter(([id]) => id !== next.pointerId).map(([, finger]) => finger);
        const apart = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
        const middle = [(next.clientX + other.clientX) / 2, (next.clientY + other.clientY) / 2];
        if (apart(last) > 0) this.zoom(apart(next) / apart(last), middle);
        isPanning = true;
      } else if (this.isZoomed()) {
        isPanning ||= Math.hypot(next.clientX - start[0], next.clientY - start[1]) > 8;
        if (isPanning) this.#pan(last.clientX - next.clientX, last.clientY - next.clientY);
      }
      this.fingers.set(next.pointerId, next);
    };
    const end = (last) => {
      if (last.pointerId !== event.pointerId) return;
      this.fingers.delete(event.pointerId);
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end);
      removeEventListener("pointermove", move);
      // A click that ends a pan is none.
      if (isPanning) this.element.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
      setTimeout(() => (isPanning = false));
    };
    addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
  }
}

/** What all of some areas take. */
function around(areas) {
  if (!areas.length) return [0, 0, 1, 1];
  const left = Math.min(...areas.map(([x]) => x));
  const top = Math.min(...areas.map(([, y]) => y));
  const right = Math.max(...areas.map(([x, , width]) => x + width));
  const bottom = Math.max(...areas.map(([, y, , height]) => y + height));
  return [left, top, right - left, bottom - top];
}
