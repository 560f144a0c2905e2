// An answer on the map: what was right, what is missing and what was not right, in its surroundings.

import { make } from "./quiz_elements.js";
import { has, readAll } from "./grading.js";
import { mapView } from "./map.js";

const SIGNS = { right: "✓\u00a0", missed: "+\u00a0", wrong: "✗\u00a0" };
const LEGEND = { subject: "asked about", right: "✓ right", missed: "+ missing", wrong: "✗ not right" };
const ORDER = ["subject", "right", "missed", "wrong", "beside"];

/** The shortest way that has most of some regions in common, with both ends. */
function nearestWay({ about, answers, form }, given) {
  const ways = form === "order" ? answers.map((middle) => [about[0], ...middle, about[1]]) : answers;
  const common = (way) => way.filter((id) => given.includes(id)).length;
  return ways.reduce((one, other) => (common(other) > common(one) ? other : one));
}

/** Which places the answer is about, each with how it is marked; later marks win. */
function marksOf(book, question, answer, way) {
  const { about, also, answers, ids, form, kind, pool } = question;
  const given = form === "yes_no" || pool === "nation" || pool === "area" ? [] : readAll(book, question, answer)[0];
  const marks = {};
  const mark = (places, name) => places.forEach((id) => (marks[id] = name));
  const known = (places) => places.forEach((id) => mark([id], given.includes(id) ? "right" : "missed"));
  if (kind === "odd") mark(ids, "beside");
  if (kind === "from_neighbours") mark(book.borders[answers[0]], "beside");
  if (way) {
    mark(given, "wrong");
    known(way);
  } else if (form !== "yes_no" && pool !== "nation" && pool !== "area") {
    mark(given, "wrong");
    mark(also.filter((id) => given.includes(id)), "beside");
    known(answers);
  }
  if (!answers.flat().some((id) => about.includes(id)) || way) mark(about, "subject");
  return marks;
}

/** Draw what was answered and what is right, if there is a map; null answers nothing. */
export function answerMap(parent, { book, map, question }, answer) {
  if (!map) return null;
  const isWay = question.form === "route" || question.form === "order";
  const given = isWay ? readAll(book, question, answer)[0] : [];
  const way = isWay ? nearestWay(question, given) : null;
  const found = marksOf(book, question, answer, way);
  const ids = Object.keys(found).filter((id) => has(map.places, id));
  if (!ids.length) return null;
  ids.sort((one, other) => ORDER.indexOf(found[one]) - ORDER.indexOf(found[other]));
  const names = { ...book.names.water, ...book.names.region };
  const text = (id) => `${SIGNS[found[id]] ?? ""}${names[id]}`;
  const figure = make("figure", parent, "adjoin-figure");
  const view = mapView(figure, map, {
    title: `The answer on the map: ${ids.map(text).join(", ")}`,
    names,
    marks: Object.fromEntries(ids.map((id) => [id, `adjoin-is-${found[id]}`])),
    labels: Object.fromEntries(ids.map((id) => [id, text(id)])),
  });
  if (way) view.link(way, given.every((id) => way.includes(id)) ? [] : [question.about[0], ...given, question.about[1]]);
  const around = question.on_map && question.form === "one" ? question.answers.flatMap((id) => book.borders[id]) : [];
  if (question.kind !== "nation") view.zoomTo([...ids, ...around]);
  const legend = make("figcaption", figure, "adjoin-legend");
  for (const name of ORDER.filter((one) => LEGEND[one] && ids.some((id) => found[id] === one))) {
    const item = make("span", legend);
    make("i", item, `adjoin-swatch adjoin-is-${name}`);
    item.append(LEGEND[name]);
  }
  if (map.bridges.some(({ between }) => between.every((id) => ids.includes(id)))) {
    const item = make("span", legend);
    make("i", item, "adjoin-swatch-bridge");
    item.append("they meet in tidal water");
  }
  return view;
}
