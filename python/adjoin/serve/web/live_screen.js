// A live quiz on the projector: who is in, the question, how the class answered, the table of points.

import { LETTERS } from "./grading.js";
import { askedMap } from "./map_entries.js";
import { bookFor } from "./live_pupil.js";
import { classMap } from "./live_map.js";
import { clock } from "./live_clock.js";
import { make, say } from "./quiz_elements.js";

/** Shows a live quiz in an element as it comes; `where()` tells the code and the address to join. */
export function liveScreen(root, where) {
  let [book, map, shown, timer, whoList, count] = [null, null, "", null, null, null];

  function turn(className) {
    timer?.stop();
    timer = null;
    root.replaceChildren();
    return make("div", root, `live-page ${className}`);
  }
  function people(parent) {
    count = make("p", parent, "live-count");
    say(count, { role: "status" });
    whoList = make("ul", parent, "live-people");
  }
  function listPeople({ who, state }) {
    if (!whoList) return;
    whoList.replaceChildren();
    for (const { name, is_here: isHere, has_answered: has } of who) {
      const item = make("li", whoList, "", { textContent: name });
      item.classList.toggle("live-away", !isHere);
      item.classList.toggle("live-done", has);
    }
    const done = who.filter((one) => one.has_answered).length;
    const inside = who.length === 1 ? "1 is in" : `${who.length} are in`;
    count.textContent = state === "lobby" ? (who.length ? inside : "Nobody is in yet") : `${done} of ${who.length} have answered`;
  }

  function lobby({ title, of, rule }) {
    const page = turn("live-lobby");
    const { code, address } = where();
    const words = make("div", page, "live-join");
    make("h1", words, "", { textContent: title });
    make("p", words, "", { textContent: "Open this address, or scan the picture" });
    make("p", words, "address", { textContent: address });
    make("p", words, "", { textContent: "and type the code" });
    make("strong", words, "code", { textContent: code });
    make("p", words, "live-rule", { textContent: `${of} ${of === 1 ? "question" : "questions"}. ${rule}` });
    make("img", page, "live-qr", { src: `/qr/${code}.svg`, alt: "QR code to join" });
    people(make("div", page, "live-who"));
  }

  function choices(parent, { question }, right = []) {
    if (!question.choices.length || question.form === "yes_no" || question.on_map) return;
    const all = make("ol", parent, "adjoin-choices");
    question.choices.forEach((name, at) => {
      const item = make("li", all, `adjoin-choice${right.includes(question.ids[at]) ? " adjoin-is-right" : ""}`);
      make("kbd", item, "", { textContent: LETTERS[at] });
      make("span", item, "", { textContent: name });
    });
  }

  function asked(now) {
    const page = turn(now.question.on_map && map ? "live-question" : "live-question live-plain");
    const head = make("div", page, "adjoin-head");
    make("span", head, "", { textContent: `Question ${now.number} of ${now.of}` });
    const bar = make("div", page, "adjoin-bar");
    timer = clock(head, bar);
    make("h1", page, "adjoin-prompt", { textContent: now.question.prompt });
    const body = make("div", page, "live-body");
    if (now.question.on_map && map) askedMap(make("div", body, "adjoin-picture live-map"), { book: bookFor(book, now.question), question: now.question, map });
    const side = make("div", body, "live-side");
    choices(side, now);
    people(side);
  }

  function bars(parent, answer, players) {
    const list = make("ul", parent, "live-bars");
    for (const { label, count: number, is_right: isRight } of answer.bars) {
      const item = make("li", list, isRight ? "live-right" : isRight === null ? "live-none" : "");
      make("span", item, "live-label", { textContent: `${isRight ? "✓ " : ""}${label}` });
      const line = make("span", item, "live-line");
      make("i", line).style.width = `${Math.min(100, (100 * number) / players)}%`;
      make("b", item, "", { textContent: number });
    }
  }

  function told({ number, of, question, shown: answer, players }) {
    const page = turn("live-answer");
    make("div", page, "adjoin-head", { textContent: `Question ${number} of ${of}` });
    make("h2", page, "live-asked", { textContent: question.prompt });
    make("p", page, "live-solution", { textContent: answer.solution[0].toUpperCase() + answer.solution.slice(1) });
    const body = make("div", page, "live-body");
    if (!classMap(make("div", body, "adjoin-picture live-map"), map, answer, book.noun[0])) body.firstChild.remove();
    const side = make("div", body, "live-side");
    bars(side, answer, players);
    if (answer.explanation) make("p", side, "live-why", { textContent: answer.explanation });
  }

  function table({ table: rows, state, number, of }) {
    const page = turn("live-table");
    make("h1", page, "", { textContent: state === "over" ? "The final table" : `After question ${number} of ${of}` });
    const list = make("ol", page, "live-rows");
    list.style.setProperty("--columns", Math.max(1, Math.ceil(rows.length / 15)));
    for (const { place, name, points, gained } of rows) {
      const item = make("li", list, place <= 3 && points ? `live-top live-top-${place}` : "");
      make("span", item, "live-place", { textContent: place });
      make("span", item, "live-name", { textContent: name });
      if (state !== "over" && gained) make("small", item, "", { textContent: `+${gained}` });
      make("b", item, "", { textContent: points });
    }
  }

  const pages = { lobby, asked, shown: told, table, over: table };
  return {
    hear(message) {
      if (message.kind === "book") {
        ({ book, map } = message);
        shown = "";
        return;
      }
      const { state, number } = message;
      const page = `${state} ${number}`;
      if (page !== shown || state === "table" || state === "over") {
        whoList = null;
        pages[state](message);
      }
      shown = page;
      listPeople(message);
      if (state !== "asked") return;
      timer.set(message);
      root.classList.toggle("live-paused", message.is_paused);
    },
    clear() {
      turn("");
      shown = "";
    },
  };
}
