// Questions on the map: the map as it is asked, and places to click as an answer. Names stay secret.

import { make } from "./quiz_elements.js";
import { mapView } from "./map.js";

const WIDE = 1.6; // maps that are wider than that by their height stand below a question, others beside it
const TOLD = {
  one: "Click or touch it on the map.",
  many: "Click or touch all of them on the map; once more takes one back.",
  route: "Click or touch them one after the other; once more takes one back.",
};

export const isWide = (map) => map.size[0] > WIDE * map.size[1];

/**
 * Draw the map of a question as it is asked: what it is about is marked, seas are named. Without `onPick` it is only to
 * look at. What is marked is in `asked` of what this returns.
 */
export function askedMap(parent, { book, map, question, onPick }) {
  const { about, form, ids, on_map: how, pool } = question;
  const isSea = pool === "water";
  const isNamed = how === "click" && !isSea && form !== "one";
  const kinds = form === "one" ? ["region"] : ["region", "outside"];
  const regions = Object.keys(map.places).filter((id) => kinds.includes(map.places[id].kind));
  const asked = {};
  if (how === "marked" || isNamed) about.forEach((id) => (asked[id] = "adjoin-is-subject"));
  if (isSea && how) ids.forEach((id) => (asked[id] = "adjoin-is-sea"));
  const names = isSea ? book.names.water : book.names.region;
  const labels = isNamed || isSea ? Object.keys(asked) : [];
  const view = mapView(parent, map, {
    title: onPick ? "Map: arrow keys, Page Up and Page Down go from place to place, the space bar chooses" : "Map",
    noun: book.noun[0],
    names: isSea ? names : null,
    pickable: isSea ? ids : regions.filter((id) => !(id in asked)),
    onPick,
    marks: asked,
    labels: Object.fromEntries(labels.map((id) => [id, names[id]])),
  });
  return { ...view, asked };
}

/** Places to click: one, some, or a way from one end to the other. */
export function clicked(area, { book, map, picture, question, submit, tell }) {
  const { about, form } = question;
  const isWay = form === "route";
  let chosen = [];
  const told = make("p", area, "adjoin-how", { textContent: TOLD[form] });
  const view = askedMap(picture, { book, map, question, onPick });

  function onPick(id) {
    const isThere = chosen.includes(id);
    if (form === "one" && isThere) return submit();
    if (form === "one") chosen = [id];
    else chosen = isThere ? chosen.filter((other) => other !== id) : [...chosen, id];
    show();
    if (form !== "one") tell(`${chosen.length} chosen.`);
  }
  function show() {
    view.mark({ ...view.asked, ...Object.fromEntries(chosen.map((id) => [id, "adjoin-is-chosen"])) });
    if (isWay) view.link([about[0], ...chosen]);
  }
  return {
    answer: () => (chosen.length ? (form === "one" ? chosen[0] : chosen) : undefined),
    empty: "Click on the map first, or press “I do not know”.",
    focus: () => view.focus(),
    key(event) {
      if (event.key !== "Backspace" || !chosen.length || form === "one") return false;
      chosen = chosen.slice(0, -1);
      show();
      return true;
    },
    reveal: () => [told, view.root].forEach((element) => element.remove()),
  };
}
