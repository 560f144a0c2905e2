// For a class: the question, a countdown, the answer.

import { make, say } from "./quiz_elements.js";
import { LETTERS, solution } from "./grading.js";
import { answerMap } from "./answer_map.js";
import { askedMap, isWide } from "./map_entries.js";
import { pages } from "./quiz_pages.js";

/** Run a quiz on a projector; return what ends it. */
export function project(root, quiz, options) {
  const { book, code, map, questions } = quiz;
  const seconds = options.seconds ?? 0;
  const stage = pages(root, options);
  let timer = null;
  root.classList.add("adjoin-projector");

  const halt = () => {
    clearInterval(timer);
    timer = null;
  };
  const whole = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.();
  };
  const FORTH = ["Enter", " ", "ArrowRight", "PageDown"];
  const BACK = ["ArrowLeft", "PageUp"];
  /** Keys of a page: on, back and others; a button that has the focus keeps Enter and the space bar. */
  const keys = (forth, back, others = {}) => (event) => {
    if (event.repeat) return FORTH.includes(event.key);
    if (event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ")) return false;
    const found = { f: whole, ...others }[event.key.toLowerCase()];
    if (FORTH.includes(event.key)) forth();
    else if (BACK.includes(event.key)) back();
    else if (found) found();
    else return false;
    return true;
  };
  /** A button; after a click with the mouse, keys are for the page again. */
  function tool(tools, textContent, act, className = "") {
    const onclick = (event) => {
      act();
      if (event.detail) root.querySelector("h1, h2").focus({ preventScroll: true });
    };
    return make("button", tools, className, { type: "button", textContent, onclick });
  }

  function start() {
    halt();
    stage.turn("adjoin-start", (page, setKeys) => {
      make("h1", page, "", { textContent: quiz.title, tabIndex: -1 });
      make("p", page, "adjoin-code", { textContent: `${questions.length} question${questions.length === 1 ? "" : "s"} · code ${code}` });
      const tools = make("div", page, "adjoin-tools");
      const first = tool(tools, "Start", () => question(0), "adjoin-main");
      tool(tools, "Full screen", whole);
      const pause = seconds ? " · p: pause" : "";
      make("p", page, "adjoin-soft", { textContent: `Space bar, Enter, → or a presenter's button: on · ←: back · h: hint${pause} · f: full screen` });
      setKeys(keys(() => question(0), () => {}));
      return () => first.focus({ preventScroll: true });
    });
  }

  function question(number, isTold = false) {
    halt();
    const asked = questions[number];
    stage.turn(`adjoin-page${map ? " adjoin-with-map" : ""}`, (page, setKeys) => {
      if (map) page.classList.toggle("adjoin-is-wide", isWide(map));
      const side = make("div", page, "adjoin-side");
      const picture = make("div", page, "adjoin-picture");
      picture.onclick = (event) => event.detail && prompt.focus({ preventScroll: true });
      const bar = make("div", side, "adjoin-head");
      make("span", bar, "", { textContent: `Question ${number + 1} of ${questions.length}` });
      const clock = make("div", bar, "adjoin-clock");
      const prompt = make("h2", side, "adjoin-prompt", { textContent: asked.prompt, tabIndex: -1 });
      if (seconds) make("div", make("div", side, "adjoin-bar"), "adjoin-left");
      const area = make("div", side, "adjoin-entry");
      if (map) askedMap(picture, { book, map, question: asked });
      if (asked.choices.length && asked.form !== "yes_no" && !asked.on_map) {
        const all = make("ol", area, "adjoin-choices adjoin-shown");
        asked.choices.forEach((name, at) => {
          const item = make("li", all, "adjoin-choice");
          item.dataset.id = asked.ids[at];
          make("kbd", item, "", { textContent: LETTERS[at] });
          make("span", item, "", { textContent: name });
        });
      }
      const clues = make("ul", side, "adjoin-hints");
      say(clues, { "aria-live": "polite" });
      const told = make("div", side, "adjoin-feedback");
      say(told, { role: "status", "aria-live": "polite" });
      const tools = make("div", side, "adjoin-tools");
      const forth = tool(tools, "Show the answer", () => (isTold ? next() : reveal()), "adjoin-main");
      tool(tools, "Back", back);
      const hint = asked.hints.length ? tool(tools, "Hint", clue) : null;
      const pause = seconds ? tool(tools, "Pause", hold) : null;

      function clue() {
        const at = clues.children.length;
        if (at < asked.hints.length && !isTold) make("li", clues, "", { textContent: asked.hints[at] });
        if (hint) hint.hidden = clues.children.length >= asked.hints.length;
      }
      function reveal() {
        halt();
        isTold = true;
        clock.textContent = "";
        page.classList.add("adjoin-told");
        forth.textContent = number + 1 < questions.length ? "Next question" : "End";
        for (const button of [hint, pause]) button?.remove();
        if (asked.form !== "order")
          for (const id of asked.answers.flat())
            area.querySelectorAll(`[data-id="${CSS.escape(id)}"]`).forEach((shown) => shown.classList.add("adjoin-is-right"));
        const answer = solution(book, asked);
        const text = make("div", told, "adjoin-words");
        make("p", text, "adjoin-answer", { textContent: answer[0].toUpperCase() + answer.slice(1) });
        make("p", text, "adjoin-explanation", { textContent: asked.explanation });
        picture.replaceChildren();
        answerMap(picture, { book, map, question: asked }, asked.form === "order" || asked.form === "route" ? asked.answers[0] : asked.answers);
        told.scrollIntoView({ block: "nearest" });
      }
      const next = () => (number + 1 < questions.length ? question(number + 1) : end());
      function back() {
        if (isTold) question(number);
        else if (number) question(number - 1, true);
        else start();
      }

      let [left, since] = [seconds, performance.now()];
      const now = () => left - (timer === null ? 0 : (performance.now() - since) / 1000);
      function tick() {
        const rest = Math.max(0, now());
        clock.textContent = Math.ceil(rest);
        clock.classList.toggle("adjoin-late", rest <= 5);
        page.querySelector(".adjoin-left").style.width = `${(100 * rest) / seconds}%`;
        if (!rest) reveal();
      }
      function run() {
        since = performance.now();
        timer = setInterval(tick, 100);
        tick();
      }
      function hold() {
        if (isTold || !seconds) return;
        if (timer === null) run();
        else {
          left = now();
          halt();
        }
        pause.textContent = timer === null ? "Go on" : "Pause";
      }
      say(clock, { role: "timer", "aria-label": "seconds left" });
      if (isTold) reveal();
      else if (seconds) run();
      setKeys(keys(() => (isTold ? next() : reveal()), back, { h: clue, p: hold }));
      return () => prompt.focus({ preventScroll: true });
    });
  }

  function end() {
    halt();
    stage.turn("adjoin-page adjoin-result", (page, setKeys) => {
      const title = make("h1", page, "", { textContent: "That was the last question", tabIndex: -1 });
      make("p", page, "adjoin-code", { textContent: `${quiz.title} · code ${code}` });
      const tools = make("div", page, "adjoin-tools");
      tool(tools, "Back", () => question(questions.length - 1, true));
      tool(tools, "Start again", start);
      const all = make("ol", page, "adjoin-marks");
      for (const one of questions) {
        const item = make("li", all);
        make("div", item, "", { textContent: one.prompt });
        make("strong", item, "", { textContent: solution(book, one) });
      }
      setKeys(keys(() => {}, () => question(questions.length - 1, true)));
      return () => title.focus({ preventScroll: true });
    });
  }

  start();
  return () => {
    halt();
    stage.stop();
  };
}
