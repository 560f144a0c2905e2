// A few elements.

/** A new element; `more` are its properties. */
export function make(tag, parent, className, more = {}) {
  const element = document.createElement(tag);
  element.className = className;
  Object.assign(element, more);
  parent.append(element);
  return element;
}

/** An SVG of its own for a piece of a picture: `markup` is drawn in the coordinates of `area`. */
export function svgOf([left, top, width, height], markup, role) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  svg.setAttribute("class", `adjoin-piece adjoin-piece-${role}`);
  svg.setAttribute("font-family", "sans-serif");
  svg.style.setProperty("--width", width);
  svg.style.setProperty("--height", height);
  svg.innerHTML = markup;
  return svg;
}
