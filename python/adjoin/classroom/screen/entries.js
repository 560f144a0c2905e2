// Ways to answer one question. The right answers are not needed: a question may come without them.
//
// `entryFor(area, { book, map, picture, question, submit, tell, full })` builds the controls in an element, and the map, if
// it is needed, in another. `submit()` is called when a choice is an answer by itself, `tell(text)` says something, `full()`
// when there is nothing left to choose. Returned:
//   answer()         what was answered; undefined: nothing yet
//   isAtOnce         whether a choice is an answer: no button for it is needed
//   isReady()        false if the pupil was told to look at it again
//   enter()          what Enter in a text box does; submit() if there is none
//   empty            what to tell who has answered nothing
//   focus(), key(e)  where to begin; what a key does, and whether it did
//   reveal(answers)  show which controls were right

import { make, say } from "./quiz_elements.js";
import { LETTERS, listed, nameOf, read, readAll } from "./grading.js";
import { askedMap, clicked } from "./map_entries.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const label = (question, at) => (question.form === "yes_no" ? ["Yes", "No"][at] : question.choices[at]);

/** One of some choices, at once. */
function oneOf(area, { question, submit }) {
  const values = question.form === "yes_no" ? [true, false] : question.ids;
  let chosen;
  const pick = (at) => {
    if (at < 0 || at >= values.length) return;
    chosen = values[at];
    submit();
  };
  const group = make("div", area, "adjoin-choices");
  const buttons = values.map((_, at) => {
    const button = make("button", group, "adjoin-choice", { type: "button", onclick: () => pick(at) });
    say(make("kbd", button, "", { textContent: at + 1 }), { "aria-hidden": "true" });
    make("span", button, "", { textContent: label(question, at) });
    return button;
  });
  const letters = question.form === "yes_no" ? "YN" : LETTERS;
  return {
    isAtOnce: true,
    answer: () => chosen,
    focus: () => buttons[0].focus({ preventScroll: true }),
    key(event) {
      if (/^[1-9]$/.test(event.key)) pick(Number(event.key) - 1);
      else if (event.key.length === 1 && letters.includes(event.key.toUpperCase())) pick(letters.indexOf(event.key.toUpperCase()));
      else return moved(buttons, event);
      return true;
    },
    reveal(answers) {
      values.forEach((value, at) => {
        const isRight = answers.includes(question.ids[at]);
        const is = isRight ? "adjoin-is-right" : value === chosen ? "adjoin-is-wrong" : "";
        if (is) buttons[at].classList.add(is);
      });
    },
  };
}

/** Some of some choices. */
function someOf(area, { question }) {
  const group = make("div", area, "adjoin-choices");
  const boxes = question.ids.map((id, at) => {
    const choice = make("label", group, "adjoin-choice");
    const box = make("input", choice, "", { type: "checkbox" });
    say(make("kbd", choice, "", { textContent: at + 1 }), { "aria-hidden": "true" });
    make("span", choice, "", { textContent: question.choices[at] });
    box.onchange = () => {
      // "none of them" goes with no other
      if (box.checked) boxes.forEach((other, n) => (other.checked &&= (question.ids[n] === "none") === (id === "none")));
    };
    return box;
  });
  return {
    answer: () => {
      const chosen = question.ids.filter((_, at) => boxes[at].checked);
      return chosen.length ? chosen : undefined;
    },
    focus: () => boxes[0].focus({ preventScroll: true }),
    key(event) {
      if (/^[1-9]$/.test(event.key)) boxes[Number(event.key) - 1]?.click();
      else return moved(boxes, event);
      return true;
    },
    reveal: (answers) =>
      boxes.forEach((box, at) => {
        const isRight = answers.includes(question.ids[at]);
        if (isRight || box.checked) box.parentElement.classList.add(isRight ? "adjoin-is-right" : "adjoin-is-wrong");
      }),
  };
}

function textBox(parent, name) {
  const box = make("input", parent, "adjoin-text", { type: "text", autocomplete: "off", spellcheck: false, maxLength: 200 });
  say(box, { "aria-label": name, autocapitalize: "words", autocorrect: "off", enterkeyhint: "enter" });
  return box;
}

const NOUNS = { water: "sea", nation: "nation", area: "region", city: "city" };
const noun = (book, question) => NOUNS[question.pool] ?? book.noun[0];
const article = (word) => (/^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`);
const notKnown = (book, question, text) => `“${text}” is not ${article(noun(book, question))} I know. Check the spelling.`;

/** A name to write; of what is marked on the map, if it is about that. */
function written(area, { book, map, picture, question, tell }) {
  const view = question.on_map ? askedMap(picture, { book, map, question }) : null;
  const box = textBox(area, `your answer: ${article(noun(book, question))}`);
  let warned = null;
  return {
    reveal: () => view?.root.remove(),
    answer: () => box.value.trim() || undefined,
    focus: () => box.focus({ preventScroll: true }),
    isReady() {
      const text = box.value.trim();
      if (!text || text === warned || read(book, question, text).id !== null) return true;
      warned = text;
      tell(`${notKnown(book, question, text)} Press Enter again to leave it so.`);
      return false;
    },
  };
}

/** Names to write, one after the other; a way has its two ends already. */
function list(area, { book, question, submit, tell }) {
  const isWay = question.form === "route";
  const row = make("div", area, isWay ? "adjoin-chips adjoin-way" : "adjoin-chips");
  let warned = null;
  const ends = isWay ? question.about.map((id) => nameOf(book, question, id)) : [];
  const texts = [];
  if (isWay) make("span", row, "adjoin-chip adjoin-end", { textContent: ends[0] });
  const slot = make("span", row, "adjoin-slot");
  if (isWay) make("span", row, "adjoin-chip adjoin-end", { textContent: ends[1] });
  const line = make("div", area, "adjoin-line");
  const box = textBox(line, isWay ? `the next ${noun(book, question)} on the way` : `${article(noun(book, question))}, then Enter`);
  make("button", line, "adjoin-add", { type: "button", textContent: "Add", onclick: addAll });

  const shown = (text) => {
    const { id } = read(book, question, text);
    return id === null ? `${text} ?` : nameOf(book, question, id);
  };
  const remove = (at) => {
    const [gone] = texts.splice(at, 1);
    show();
    tell(`${shown(gone)} removed.`);
    box.focus();
  };
  function show() {
    slot.replaceChildren();
    texts.forEach((text, at) => {
      const chip = make("button", slot, "adjoin-chip", { type: "button", onclick: () => remove(at) });
      make("span", chip, "", { textContent: shown(text) });
      say(make("span", chip, "adjoin-cross", { textContent: "×" }), { "aria-hidden": "true" });
      say(chip, { "aria-label": `remove ${shown(text)}` });
    });
  }
  const readings = () => (box.value.trim() ? readAll(book, question, box.value)[1] : []);
  /** Take over what was read and return what to tell; what was not read stays to be mended. */
  function add() {
    const there = () => [...texts.map((text) => read(book, question, text).id), ...(isWay ? question.about : [])];
    const [fresh, twice, unread] = [[], [], []];
    for (const { text, id } of readings()) {
      if (id === null) unread.push(text);
      else if (there().includes(id)) twice.push(nameOf(book, question, id));
      else {
        texts.push(text);
        fresh.push(shown(text));
      }
    }
    box.value = unread.join(", ");
    show();
    const said = [
      fresh.length ? `Added: ${listed(fresh)}.` : "",
      twice.length ? `Already there: ${listed(twice)}.` : "",
      ...unread.map((text) => notKnown(book, question, text)),
    ];
    return said.filter(Boolean).join(" ");
  }
  function addAll() {
    tell(add());
    box.focus();
  }
  return {
    answer: () => {
      const all = [...texts, ...readings().map(({ text }) => text)];
      return all.length ? all : undefined;
    },
    isReady() {
      const before = box.value.trim();
      const message = add();
      if (!box.value || warned === before) return true;
      warned = box.value;
      tell(`${message} Press Answer again to leave it so.`);
      box.focus();
      return false;
    },
    focus: () => box.focus({ preventScroll: true }),
    enter: () => (box.value.trim() ? addAll() : submit()),
    key(event) {
      if (event.key !== "Backspace" || box.value || !texts.length || event.repeat) return false;
      remove(texts.length - 1);
      return true;
    },
  };
}

/** Choices to put in an order. */
function order(area, { book, question, tell, full }) {
  const row = make("div", area, "adjoin-chips adjoin-way");
  const group = make("div", area, "adjoin-choices");
  const chain = [];
  const buttons = question.ids.map((id, at) => {
    const button = make("button", group, "adjoin-choice", { type: "button", onclick: () => add(at) });
    say(make("kbd", button, "", { textContent: at + 1 }), { "aria-hidden": "true" });
    make("span", button, "", { textContent: question.choices[at] });
    return button;
  });
  function show() {
    row.replaceChildren();
    make("span", row, "adjoin-chip adjoin-end", { textContent: nameOf(book, question, question.about[0]) });
    const slot = make("span", row, "adjoin-slot");
    question.ids.forEach((_, n) => {
      const at = chain[n];
      if (at === undefined) make("span", slot, "adjoin-chip adjoin-gap", { textContent: "?" });
      else {
        const chip = make("button", slot, "adjoin-chip", { type: "button", onclick: () => remove(n) });
        make("span", chip, "", { textContent: question.choices[at] });
        say(make("span", chip, "adjoin-cross", { textContent: "×" }), { "aria-hidden": "true" });
        say(chip, { "aria-label": `remove ${question.choices[at]}` });
      }
    });
    make("span", row, "adjoin-chip adjoin-end", { textContent: nameOf(book, question, question.about[1]) });
    buttons.forEach((button, at) => (button.disabled = chain.includes(at)));
  }
  function add(at) {
    if (at >= question.ids.length || chain.includes(at)) return;
    chain.push(at);
    show();
    tell(`${chain.length}: ${question.choices[at]}.`);
    const free = buttons.find((button) => !button.disabled);
    if (free) free.focus({ preventScroll: true });
    else full();
  }
  function remove(n) {
    const [at] = chain.splice(n, 1);
    show();
    tell(`${question.choices[at]} removed.`);
    buttons[at].focus({ preventScroll: true });
  }
  show();
  return {
    answer: () => (chain.length === question.ids.length ? chain.map((at) => question.ids[at]) : undefined),
    empty: "Put all of them into the chain first.",
    focus: () => buttons[0].focus({ preventScroll: true }),
    key(event) {
      if (/^[1-9]$/.test(event.key)) add(Number(event.key) - 1);
      else if (event.key === "Backspace" && chain.length) remove(chain.length - 1);
      else return moved(buttons, event);
      return true;
    },
  };
}

function wayToAnswer({ choices, form, on_map: how }) {
  if (how === "click") return clicked;
  if (form === "order") return order;
  if (form === "route") return list;
  if (form === "many") return choices.length ? someOf : list;
  return choices.length ? oneOf : written;
}

/** Move the focus among controls by the arrow keys; return whether that was asked for. */
function moved(controls, event) {
  if (!(event.key in ARROWS)) return false;
  const open = controls.filter((control) => !control.disabled);
  const step = ARROWS[event.key][0] + ARROWS[event.key][1];
  const at = open.indexOf(event.target);
  open[at < 0 ? 0 : (at + step + open.length) % open.length]?.focus();
  return true;
}

/** Build the way to answer a question in an element. */
export const entryFor = (area, asked) => wayToAnswer(asked.question)(area, asked);
