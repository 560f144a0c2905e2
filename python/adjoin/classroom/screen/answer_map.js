// What an answer is about, on the map.

import { draw, make } from "./quiz_elements.js";
import { has, readAll } from "./grading.js";

const TILE = [72, 46]; // how wide and high a tile is

/** The lines of a name on a tile, and how large their letters are. */
function onTile(name) {
  const words = name.split(" ");
  const most = Math.max(10, ...words.map((word) => word.length));
  const lines = [""];
  for (const word of words) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(11, (TILE[0] - 8) / (longest * 0.66), (TILE[1] - 8) / (lines.length * 1.15));
  return { lines, size };
}

/** The part of the tile map around some regions; `marks` are classes and `texts` what tiles say. */
function tileMap(parent, book, ids, marks, texts, title) {
  const places = ids.map((id) => book.tiles[id]);
  const range = [0, 1].map((n) => places.map((place) => place[n]));
  const [first, last] = [range.map((all) => Math.min(...all)), range.map((all) => Math.max(...all))];
  const [wide, high] = [0, 1].map((n) => (last[n] - first[n] + 1) * TILE[n]);
  const svg = draw("svg", parent, { viewBox: `-4 -4 ${wide + 8} ${high + 8}`, class: "adjoin-map", preserveAspectRatio: "xMinYMin", role: "img", "aria-label": title });
  svg.style.maxWidth = `${wide / 10}em`;
  for (const [id, place] of Object.entries(book.tiles)) {
    if (place.some((at, n) => at < first[n] || at > last[n])) continue;
    const [x, y] = place.map((at, n) => (at - first[n]) * TILE[n]);
    const tile = draw("g", svg, { class: `adjoin-tile ${marks[id] ?? ""}`, "data-id": id });
    draw("rect", tile, { x: x + 2, y: y + 2, width: TILE[0] - 4, height: TILE[1] - 4, rx: 5 });
    const { lines, size } = texts(id);
    lines.forEach((line, n) => {
      const base = y + TILE[1] / 2 + size * (0.36 + 1.1 * (n - (lines.length - 1) / 2));
      draw("text", tile, { x: x + TILE[0] / 2, y: base, "font-size": size, "text-anchor": "middle" }, line);
    });
  }
  return svg;
}

const SIGNS = { "adjoin-is-right": "✓\u00a0", "adjoin-is-missed": "+\u00a0", "adjoin-is-wrong": "✗\u00a0" };
const LEGEND = { "adjoin-is-right": "✓ right", "adjoin-is-missed": "+ missing", "adjoin-is-wrong": "✗ not right" };

/** Which regions the answer is about, each with how to draw it. */
function markedTiles(book, question, answer) {
  const { about, answers, kind } = question;
  const given = kind === "shared" ? [] : readAll(book, question, answer)[0];
  const marks = {};
  const mark = (ids, name) => ids.forEach((id) => (marks[id] = `adjoin-is-${name}`));
  const known = (ids) => ids.forEach((id) => mark([id], given.includes(id) ? "right" : "missed"));
  if (kind === "borders") {
    mark(given, "wrong");
    mark(question.also.filter((id) => given.includes(id)), "near");
    known(answers);
    mark(about, "subject");
  } else if (kind === "odd") {
    mark(question.ids, "near");
    mark(answers, given.includes(answers[0]) ? "right" : "missed");
    mark(given.filter((id) => !answers.includes(id)), "wrong");
    mark(about, "subject");
  } else if (kind === "shared") mark(about, "subject");
  else if (kind === "from_neighbours") {
    mark(given, "wrong");
    mark(book.borders[answers[0]], "near");
    known(answers);
  } else if (kind === "way" || kind === "chain") {
    const way = answers.find((one) => one.every((id) => given.includes(id) || about.includes(id))) ?? answers[0];
    mark(way, "near");
    mark(about, "subject");
  }
  return marks;
}

/** Draw the answer in its surroundings, if the atlas has a tile map. */
export function answerMap(parent, book, question, answer) {
  const marks = markedTiles(book, question, answer);
  const ids = Object.keys(marks).filter((id) => has(book.tiles, id));
  const isFar = (id) => marks[id] === "adjoin-is-wrong" || (question.kind === "odd" && id === question.answers[0]);
  const main = ids.filter((id) => !isFar(id));
  if (!main.length) return;
  const texts = (id) => onTile((SIGNS[marks[id]] ?? "") + book.names.region[id]);
  const figure = make("figure", parent, "adjoin-figure");
  const isNear = (id) =>
    book.tiles[id].every((at, n) => {
      const all = main.map((one) => book.tiles[one][n]);
      return at >= Math.min(...all) - 2 && at <= Math.max(...all) + 2;
    });
  const shown = ids.filter(isNear);
  tileMap(figure, book, shown, marks, texts, "The answer on the tile map");
  const used = Object.keys(LEGEND).filter((name) => shown.some((id) => marks[id] === name));
  make("figcaption", figure, "", { textContent: ["tile map", ...used.map((name) => LEGEND[name])].join(" · ") });
}

/** The tile map with letters on it. */
export function letterMap(parent, book, question) {
  const scope = book.scope.filter((id) => has(book.tiles, id));
  const marks = Object.fromEntries(scope.map((id) => [id, "adjoin-is-there"]));
  question.ids.forEach((id) => (marks[id] = "adjoin-is-open"));
  const texts = (id) => {
    const at = question.ids.indexOf(id);
    return { lines: at < 0 ? [] : [question.choices[at]], size: 40 };
  };
  return tileMap(parent, book, [...new Set([...scope, ...question.ids])], marks, texts, "Tile map");
}
