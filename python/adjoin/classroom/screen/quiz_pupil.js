// A pupil's quiz: a question at a time.

import { draw, make, points, say } from "./quiz_elements.js";
import { grade, solution, words } from "./grading.js";
import { answered, feedback } from "./feedback.js";
import { answerMap } from "./answer_map.js";
import { pages } from "./quiz_pages.js";
import { questionForm } from "./question_form.js";
import { qrCode } from "./qr_code.js";
import { shortCode } from "./result_codes.js";

const BORDER = 4; // modules of light around a QR code
const EASY = 57; // modules: a picture of so many a side is scanned with ease

/** A text as a QR code in an element; the better it fits, the more of it may be unreadable. */
function drawCode(parent, text, title) {
  const good = qrCode(text, "M");
  const rows = good && good.length <= EASY ? good : qrCode(text, "L");
  if (!rows) return null;
  const size = rows.length + 2 * BORDER;
  const svg = draw("svg", parent, { viewBox: `0 0 ${size} ${size}`, class: "adjoin-qr", role: "img", "aria-label": title });
  draw("rect", svg, { width: size, height: size, fill: "#ffffff" });
  const runs = rows.flatMap((row, y) =>
    [...row.join("").matchAll(/1+/g)].map(({ 0: run, index }) => `M${index + BORDER} ${y + BORDER}h${run.length}v1h-${run.length}z`),
  );
  draw("path", svg, { d: runs.join(""), fill: "#000000" });
  return svg;
}

/** Run a quiz for one pupil; return what ends it. */
export function ask(root, quiz, options) {
  const { book, code, map, questions } = quiz;
  const stage = pages(root, options);
  const key = `adjoin-quiz-${code}`;
  let state = null;

  const fresh = (pupil) => ({ pupil, at: 0, answers: [], seconds: [], hints: [], mark: nonce() });
  function keep() {
    try {
      options.storage?.setItem(key, JSON.stringify(state));
    } catch {
      // without storage, a page that is loaded again begins again
    }
  }
  function kept() {
    try {
      const found = JSON.parse(options.storage?.getItem(key) ?? "null");
      return found && found.at <= questions.length && found.answers.length === found.at ? found : null;
    } catch {
      return null;
    }
  }
  function nonce() {
    const symbols = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    return Array.from({ length: 4 }, () => symbols[Math.floor(Math.random() * symbols.length)]).join("");
  }
  const result = () => ({
    format: "adjoin classroom result",
    version: 1,
    code,
    pupil: state.pupil || `no name ${state.mark}`,
    answers: questions.map((_, n) => state.answers[n] ?? null),
    seconds: questions.map((_, n) => state.seconds[n] ?? 0),
    hints: questions.map((_, n) => state.hints[n] ?? 0),
  });

  /** The result in as few letters as can be: without hints if none were taken, with whole seconds. */
  function plain() {
    const { hints, seconds, ...rest } = result();
    const text = JSON.stringify({ ...rest, seconds: seconds.map(Math.round), ...(hints.some(Boolean) ? { hints } : {}) });
    return qrCode(text, "L") ? text : JSON.stringify(rest);
  }

  function start() {
    stage.turn("adjoin-start", (page) => {
      make("h1", page, "", { textContent: quiz.title, tabIndex: -1 });
      make("p", page, "adjoin-code", { textContent: `${questions.length} question${questions.length === 1 ? "" : "s"} · code ${code}` });
      const form = make("form", page, "adjoin-form");
      const name = make("label", form, "adjoin-name", { textContent: "Your name or number (you may leave it empty)" });
      const box = make("input", name, "adjoin-text", { type: "text", autocomplete: "off", spellcheck: false, maxLength: 60, value: options.pupil ?? "" });
      make("button", form, "adjoin-main", { textContent: "Start" });
      form.onsubmit = (event) => {
        event.preventDefault();
        state = fresh(words(box.value));
        keep();
        question();
      };
      make("p", page, "adjoin-soft", { textContent: "Keys: digits or the space bar choose, Enter answers and goes on, arrow keys and Tab move, + and − zoom a map." });
      make("p", page, "adjoin-soft", { textContent: "Nothing you do here leaves this device. At the end you can save your result." });
      return () => box.focus({ preventScroll: true });
    });
  }

  function question() {
    const number = state.at;
    const asked = questions[number];
    const begun = performance.now();
    stage.turn("adjoin-page", (page, setKeys) => {
      head(page, number);
      const form = questionForm(page, { book, map, question: asked, finish });
      const told = make("div", page, "adjoin-feedback", { id: `${form.id}-told` });
      say(told, { role: "status", "aria-live": "polite" });

      function finish(answer, hints) {
        state.answers[number] = answer;
        state.seconds[number] = Math.round((performance.now() - begun) / 100) / 10;
        state.hints[number] = hints;
        state.at += 1;
        keep();
        form.reveal(asked.answers);
        feedback(told, book, asked, answer);
        answerMap(told, { book, map, question: asked }, answer);
        const next = make("button", page, "adjoin-main adjoin-next", {
          textContent: state.at < questions.length ? "Next" : "To the result",
          onclick: goOn,
        });
        say(next, { "aria-describedby": told.id });
        next.focus({ preventScroll: true });
        told.scrollIntoView({ block: "nearest" });
        next.scrollIntoView({ block: "nearest" });
      }
      setKeys((event) => {
        if (event.key === "Enter" && event.repeat) return true;
        if (form.isOpen()) return form.key(event);
        if (event.key !== "Enter" || event.target.tagName === "BUTTON") return false;
        goOn();
        return true;
      });
      return form.focus;
    });
  }

  function goOn() {
    if (state.at < questions.length) question();
    else end();
  }

  function head(page, number) {
    const bar = make("div", page, "adjoin-head");
    make("span", bar, "", { textContent: `Question ${number + 1} of ${questions.length}` });
    const progress = make("progress", bar, "", { max: questions.length, value: number });
    say(progress, { "aria-label": "questions answered" });
    const stop = make("button", bar, "adjoin-quiet", { type: "button", textContent: "Finish now" });
    let isSure = false;
    stop.onclick = () => {
      const left = questions.length - state.at;
      if (!isSure && left) {
        stop.textContent = `${left} not answered. Finish?`;
        isSure = true;
        return;
      }
      while (state.at < questions.length) {
        state.answers[state.at] = null;
        state.at += 1;
      }
      keep();
      end();
    };
  }

  function end() {
    const grades = questions.map((one, n) => grade(book, one, state.answers[n] ?? null));
    const total = grades.reduce((sum, { share }) => sum + share, 0);
    options.finished?.(result());
    stage.turn("adjoin-page adjoin-result", (page) => {
      const title = make("h1", page, "", { textContent: `${state.pupil ? `${state.pupil}: ` : ""}${points(total)} of ${questions.length}`, tabIndex: -1 });
      make("p", page, "adjoin-code", { textContent: `${quiz.title} · code ${code}` });
      const tools = make("div", page, "adjoin-tools");
      make("button", tools, "adjoin-main", { textContent: "Save my result", onclick: save });
      make("button", tools, "", { textContent: "Print", onclick: () => print() });
      make("button", tools, "", { textContent: "Start again", onclick: anew });
      const saved = make("p", page, "adjoin-message");
      say(saved, { role: "status", "aria-live": "polite" });

      const short = shortCode(grades.map(({ share }) => share), code);
      if (short) {
        const line = make("p", page, "adjoin-short", { textContent: "Result code: " });
        make("strong", line, "", { textContent: short });
        make("p", page, "adjoin-how", { textContent: "Read it out, or let your teacher scan the picture: then no file has to be handed in." });
      }
      const picture = make("details", page, "adjoin-scan");
      make("summary", picture, "", { textContent: "My result as a QR picture" });
      if (!drawCode(picture, plain(), "the result as a QR code")) picture.remove();

      make("h2", page, "", { textContent: "What to look at again" });
      const facts = [...new Set(questions.filter((_, n) => !grades[n].is_right).map(({ explanation }) => explanation))];
      const spellings = new Map(grades.flatMap(({ corrections }) => corrections));
      const look = make("ul", page, "adjoin-again");
      facts.forEach((textContent) => make("li", look, "", { textContent }));
      spellings.forEach((name, text) => {
        const item = make("li", look, "", { textContent: `“${text}” is spelt ` });
        make("strong", item, "", { textContent: name });
      });
      if (!facts.length && !spellings.size) make("li", look, "", { textContent: "Nothing: all answers were right." });

      make("h2", page, "", { textContent: "Question by question" });
      const all = make("ol", page, "adjoin-marks");
      questions.forEach((one, n) => {
        const { is_right: isRight, share } = grades[n];
        const item = make("li", all, `adjoin-was-${isRight ? "right" : share ? "partly" : "wrong"}`);
        const line = make("div", item, "adjoin-mark");
        make("span", line, "", { textContent: one.prompt });
        say(make("b", line, "", { textContent: points(share) }), { "aria-label": `${points(share)} of 1` });
        const hints = state.hints[n] ? ` (${state.hints[n]} hint${state.hints[n] > 1 ? "s" : ""})` : "";
        make("div", item, "", { textContent: `You: ${answered(book, one, state.answers[n] ?? null)}${hints}` });
        if (!isRight) make("div", item, "", { textContent: `Right: ${solution(book, one)}` });
      });

      const plan = make("details", page, "adjoin-plain");
      make("summary", plan, "", { textContent: "If saving does not work" });
      make("p", plan, "", { textContent: "Copy this text and give it to your teacher." });
      const text = make("textarea", plan, "", { readOnly: true, rows: 5, value: JSON.stringify(result()) });
      say(text, { "aria-label": "the result as text" });
      text.onfocus = () => text.select();

      function save() {
        const blob = new Blob([JSON.stringify(result(), null, 1)], { type: "application/json" });
        const name = (state.pupil || state.mark).replace(/[^\p{L}\p{N}]+/gu, "_");
        const link = make("a", page, "", { href: URL.createObjectURL(blob), download: `result-${code}-${name}.json`, hidden: true });
        link.click();
        link.remove();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        saved.textContent = `Saved as ${link.download}, where this browser keeps downloads.`;
      }
      function anew() {
        options.storage?.removeItem(key);
        start();
      }
      return () => title.focus({ preventScroll: true });
    });
  }

  state = kept();
  if (state) goOn();
  else start();
  return stage.stop;
}
