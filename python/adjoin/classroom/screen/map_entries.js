// Questions on the map: the map as it is asked, and places to click as an answer. Names stay secret.

import { make } from "./quiz_elements.js";
import { nameOf } from "./grading.js";
import { mapView } from "./map.js";

const TOLD = {
  one: "Click or touch it on the map.",
  many: "Click or touch all of them on the map; once more takes one back.",
  route: "Click or touch them one after the other; once more takes one back.",
};

/** Draw the map of a question as it is asked: what it is about is marked, seas are named. */
export function askedMap(parent, { book, question, map, onPick }) {
  const { about, form, ids, on_map: how, pool } = question;
  const isSea = pool === "water";
  const isTold = !isSea && how === "click" && form !== "one";
  const kinds = form === "one" ? ["region"] : ["region", "outside"];
  const others = Object.keys(map.places).filter((id) => kinds.includes(map.places[id].kind) && !about.includes(id));
  const named = isSea ? ids : isTold ? about : [];
  const marks = how === "marked" || isTold ? about : [];
  return mapView(parent, map, {
    title: "Map",
    noun: book.noun[0],
    names: isSea ? book.names.water : null,
    pickable: isSea ? ids : form === "one" ? [...others, ...about] : others,
    onPick,
    marks: Object.fromEntries(marks.map((id) => [id, "adjoin-is-subject"])),
    labels: Object.fromEntries(named.map((id) => [id, isSea ? nameOf(book, question, id) : book.names.region[id]])),
  });
}

/** Places to click: one, some, or a way from one end to the other. */
export function clicked(area, { book, question, map, submit, tell }) {
  const { about, form } = question;
  const isWay = form === "route";
  let chosen = [];
  make("p", area, "adjoin-soft", { textContent: TOLD[form] });
  const view = askedMap(area, { book, question, map, onPick });
  const ends = question.pool === "water" || form === "one" ? [] : about;

  function onPick(id) {
    const isThere = chosen.includes(id);
    if (form === "one" && isThere) return submit();
    if (form === "one") chosen = [id];
    else chosen = isThere ? chosen.filter((other) => other !== id) : [...chosen, id];
    show();
    if (form !== "one") tell(`${chosen.length} chosen.`);
  }
  function show() {
    const subjects = ends.map((id) => [id, "adjoin-is-subject"]);
    view.mark(Object.fromEntries([...subjects, ...chosen.map((id) => [id, "adjoin-is-chosen"])]));
    if (isWay) view.link([about[0], ...chosen, ...(chosen.length >= question.steps - 1 ? [about[1]] : [])]);
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
    reveal: () => view.root.remove(),
  };
}
