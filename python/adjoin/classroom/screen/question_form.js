// One question with all that is needed to answer it: the prompt, the controls, hints, the buttons below.

import { isTyping, make, say } from "./quiz_elements.js";
import { entryFor } from "./entries.js";
import { isWide } from "./map_entries.js";

let made = 0;

/**
 * Ask a question, which may come without its right answers. `finish(answer, hints)` is called once: with what was
 * answered (null: "I do not know") and how many hints were taken. `key(event)` does what a key is for while it is open
 * and returns whether it did; `close()` ends it unanswered, `soFar()` is what is answered until now, undefined if that is
 * nothing; `reveal(answers)` shows which controls were right.
 */
export function questionForm(page, { book, map, question, finish }) {
  let hints = 0;
  let isOpen = true;
  const form = make("form", page, "adjoin-question");
  const id = `adjoin-prompt-${(made += 1)}`;
  make("h2", form, "adjoin-prompt", { textContent: question.prompt, id });
  const picture = make("div", form, "adjoin-asked");
  if (question.on_map) {
    form.classList.add("adjoin-with-map", isWide(map) ? "adjoin-is-wide" : "adjoin-is-high");
    picture.style.setProperty("--map-shape", map.size[0] / map.size[1]);
  }
  const area = make("fieldset", form, "adjoin-entry");
  say(area, { "aria-labelledby": id });
  const message = make("p", form, "adjoin-message");
  say(message, { role: "status", "aria-live": "polite" });
  const clues = make("ul", form, "adjoin-hints");
  say(clues, { "aria-live": "polite" });
  const tools = make("div", form, "adjoin-tools");
  const answerButton = make("button", tools, "adjoin-main", { type: "button", textContent: "Answer", onclick: submit });
  const hint = make("button", tools, "", { type: "button", onclick: clue });
  make("button", tools, "", { type: "button", textContent: "I do not know", onclick: () => end(null) });
  const tell = (text) => (message.textContent = text);
  const full = () => answerButton.focus({ preventScroll: true });
  const entry = entryFor(area, { book, map, picture, question, submit, tell, full });
  answerButton.hidden = Boolean(entry.isAtOnce);

  function clue() {
    make("li", clues, "", { textContent: question.hints[hints] });
    hints += 1;
    count();
    entry.focus();
  }
  function count() {
    hint.hidden = hints >= question.hints.length;
    hint.textContent = `Hint (${hints + 1} of ${question.hints.length})`;
  }
  count();

  function submit() {
    if (!isOpen || entry.isReady?.() === false) return;
    const answer = entry.answer();
    if (answer === undefined) tell(entry.empty ?? "Answer first, or press “I do not know”.");
    else end(answer);
  }
  function close() {
    isOpen = false;
    area.disabled = true;
    tools.remove();
    message.remove();
  }
  function end(answer) {
    if (!isOpen) return;
    close();
    finish(answer, hints);
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    if (isOpen) (entry.enter ?? submit)();
  };
  return {
    id,
    tell,
    close,
    soFar: () => entry.answer(),
    isOpen: () => isOpen,
    focus: () => entry.focus(),
    reveal: (answers) => entry.reveal?.(answers),
    key(event) {
      if (isTyping(event.target)) return event.key === "Backspace" && Boolean(entry.key?.(event));
      if (entry.key?.(event)) return true;
      if (event.key !== "Enter" || event.target.tagName === "BUTTON") return false;
      submit();
      return true;
    },
  };
}
