// Elements of a page and of a picture, and numbers as people write them.

const SVG = "http://www.w3.org/2000/svg";

/** A new element; `more` are its properties. */
export function make(tag, parent, className = "", more = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  Object.assign(element, more);
  parent.append(element);
  return element;
}

/** A new element of a picture; `more` are its attributes. */
export function draw(tag, parent, more = {}, text = "") {
  const element = document.createElementNS(SVG, tag);
  Object.entries(more).forEach(([name, value]) => element.setAttribute(name, value));
  element.textContent = text;
  parent.append(element);
  return element;
}

export const say = (element, attributes) =>
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
const PARTS = { "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6 };
const NEAR = 0.001; // shares are rounded to four places

/** A number of points as people write it: "3½". */
export function points(number) {
  const whole = Math.floor(number + NEAR / 2);
  const rest = number + NEAR / 2 - whole;
  const sign = Object.keys(PARTS).find((key) => Math.abs(rest - PARTS[key]) < NEAR);
  if (sign) return `${whole || ""}${sign}`;
  return String(Math.round(number * 100) / 100);
}
export const isTyping = (target) => target.tagName === "INPUT" && target.type === "text";
