// A pupil in a live quiz: the question to answer, what it was worth, the place in the table.

import { answered, feedback } from "./feedback.js";
import { classMap } from "./live_map.js";
import { clock } from "./live_clock.js";
import { make, points, say } from "./quiz_elements.js";
import { questionForm } from "./question_form.js";

const ORDINALS = { one: "st", two: "nd", few: "rd", other: "th" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });
/** A number as a place: "3rd". */
export const ordinal = (number) => `${number}${ORDINALS[rules.select(number)]}`;

/** A book in which the places that a question names have their names too. */
export function bookFor(book, { names = {} }) {
  const pools = Object.entries(names).map(([pool, more]) => [pool, { ...book.names[pool], ...more }]);
  return { ...book, names: { ...book.names, ...Object.fromEntries(pools) } };
}

/** Shows a live quiz in an element as it comes; `send` carries answers. */
export function livePupil(root, send) {
  let [book, map, shown, form, timer, sent] = [null, null, "", null, null, null];

  function turn(className) {
    timer?.stop();
    [form, timer] = [null, null];
    root.replaceChildren();
    scrollTo(0, 0);
    return make("div", root, className);
  }

  function lobby({ you, rule, title }) {
    const page = turn("adjoin-page live-wait");
    make("h1", page, "", { textContent: `You are in, ${you.name}` });
    make("p", page, "", { textContent: `${title}. Look at the board: it begins soon.` });
    make("p", page, "adjoin-soft", { textContent: rule });
  }

  function asked(now) {
    const page = turn("adjoin-page");
    const head = make("div", page, "adjoin-head");
    make("span", head, "", { textContent: `Question ${now.number} of ${now.of}` });
    timer = clock(head, make("div", page, "adjoin-bar"));
    const told = make("p", page, "live-told");
    say(told, { role: "status", "aria-live": "polite" });
    form = questionForm(page, {
      book: bookFor(book, now.question),
      map,
      question: now.question,
      finish: (answer) => deliver(now.number, answer),
    });
    form.told = told;
    form.focus();
  }
  /** Send an answer; it is sent again if the connection was lost on the way. */
  function deliver(number, answer) {
    sent = { number, answer };
    if (form) form.told.textContent = "Sent …";
    send({ do: "answer", number, what: answer });
  }
  /** What has changed while a question is open. */
  function update(now) {
    const { you, message, question } = now;
    if (you.has_answered) {
      sent = null;
      form.close();
      timer.set({ ...now, left: null });
      const words = answered(bookFor(book, question), question, you.answer);
      form.told.textContent = `Your answer is in: ${question.on_map === "click" ? "marked on the map" : words}. Look at the board.`;
      return;
    }
    timer.set(now, timeUp);
    if (now.is_paused) form.told.textContent = "Paused.";
    else if (message) form.told.textContent = message;
    else if (sent?.number === now.number) deliver(sent.number, sent.answer);
    else if (form.isOpen()) form.told.textContent = "";
  }
  /** The time is up here: what is there is sent, and comes in time if the server says so. */
  function timeUp() {
    if (!form.isOpen()) return;
    const answer = form.soFar();
    form.close();
    form.told.textContent = "Time is up.";
    if (answer !== undefined) deliver(Number(shown.split(" ")[1]), answer);
  }

  function told({ you, shown: answer, question, number, of }) {
    const page = turn("adjoin-page");
    const head = make("div", page, "adjoin-head");
    make("span", head, "", { textContent: `Question ${number} of ${of}` });
    make("strong", head, "live-points", { textContent: `${you.points} points` });
    make("h2", page, "live-asked", { textContent: question.prompt });
    const parent = make("div", page, "adjoin-feedback");
    say(parent, { role: "status" });
    const whole = { ...question, answers: answer.answers, explanation: answer.explanation };
    feedback(parent, book, whole, you.answer, you.grade, you.solution);
    if (you.gained) parent.firstChild.firstChild.append(` +${you.gained}`);
    classMap(parent, map, answer, book.noun[0]);
  }

  function table({ you, players, state, of }) {
    const page = turn("adjoin-page live-wait");
    make("h1", page, "", { textContent: `${ordinal(you.place)} of ${players}` });
    make("p", page, "live-points", { textContent: `${you.points} points` });
    make("p", page, "", { textContent: `${you.right} ${you.right === 1 ? "answer" : "answers"} right${state === "over" ? ` of ${you.questions.length}` : ""}` });
    if (state !== "over") return;
    page.classList.remove("live-wait");
    make("h2", page, "", { textContent: "Question by question" });
    const all = make("ol", page, "adjoin-marks");
    for (const { prompt, grade, gained, solution } of you.questions) {
      const verdict = grade.is_right ? "right" : grade.share ? "partly" : "wrong";
      const item = make("li", all, `adjoin-was-${verdict}`);
      const line = make("div", item, "adjoin-mark");
      make("span", line, "", { textContent: prompt });
      say(make("b", line, "", { textContent: `+${gained}` }), { "aria-label": `${points(grade.share)} of 1, ${gained} points` });
      if (!grade.is_right) make("div", item, "", { textContent: `Right: ${solution}` });
    }
  }

  const pages = { lobby, asked, shown: told, table, over: table };
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (form?.isOpen() && form.key(event)) event.preventDefault();
  });
  return {
    hear(message) {
      if (message.kind === "book") {
        ({ book, map } = message);
        shown = "";
        return;
      }
      const page = `${message.state} ${message.number}`;
      if (page !== shown) pages[message.state](message);
      shown = page;
      if (message.state === "asked") update(message);
    },
    clear: () => turn("adjoin-page"),
  };
}
