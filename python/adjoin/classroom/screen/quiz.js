// A quiz on the screen: for a pupil, a question at a time; or for a class, on a projector.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TILE = [72, 46]; // how wide and high a tile is
const SVG = "http://www.w3.org/2000/svg";
let made = 0;

/** A new element; `more` are its properties. */
function make(tag, parent, className = "", more = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  Object.assign(element, more);
  parent.append(element);
  return element;
}

/** A new element of a picture; `more` are its attributes. */
function draw(tag, parent, more = {}, text = "") {
  const element = document.createElementNS(SVG, tag);
  Object.entries(more).forEach(([name, value]) => element.setAttribute(name, value));
  element.textContent = text;
  parent.append(element);
  return element;
}

const say = (element, attributes) =>
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
const PARTS = { "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6 };
const NEAR = 0.001; // shares are rounded to four places

/** A number of points as people write it: "3½". */
function points(number) {
  const whole = Math.floor(number + NEAR / 2);
  const rest = number + NEAR / 2 - whole;
  const sign = Object.keys(PARTS).find((key) => Math.abs(rest - PARTS[key]) < NEAR);
  if (sign) return `${whole || ""}${sign}`;
  return String(Math.round(number * 100) / 100);
}
const isTyping = (target) => target.tagName === "INPUT" && target.type === "text";
const label = (question, at) => (question.form === "yes_no" ? ["Yes", "No"][at] : question.choices[at]);

/** What was answered, in words. */
function answered(book, question, answer) {
  if (answer === null) return "not answered";
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (question.form === "tile") return question.choices[question.ids.indexOf(answer)] ?? answer;
  const shown = (text) => (question.ids.includes(text) ? question.choices[question.ids.indexOf(text)] : text);
  return [answer].flat().map(shown).join(question.form === "many" ? ", " : " – ");
}

// The tile map.

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
function answerMap(parent, book, question, answer) {
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
function letterMap(parent, book, question) {
  const scope = book.scope.filter((id) => has(book.tiles, id));
  const marks = Object.fromEntries(scope.map((id) => [id, "adjoin-is-there"]));
  question.ids.forEach((id) => (marks[id] = "adjoin-is-open"));
  const texts = (id) => {
    const at = question.ids.indexOf(id);
    return { lines: at < 0 ? [] : [question.choices[at]], size: 40 };
  };
  return tileMap(parent, book, [...new Set([...scope, ...question.ids])], marks, texts, "Tile map");
}

// Ways to answer: each returns what was answered (undefined: nothing yet), where to begin, and what keys do.

/** One of some choices, at once. */
function oneOf(area, { book, question, submit }) {
  const values = question.form === "yes_no" ? [true, false] : question.ids;
  const isTile = question.form === "tile";
  let chosen;
  const pick = (at) => {
    if (at < 0 || at >= values.length) return;
    chosen = values[at];
    submit();
  };
  const map = isTile ? letterMap(area, book, question) : null;
  const group = make("div", area, isTile ? "adjoin-choices adjoin-letters" : "adjoin-choices");
  const buttons = values.map((_, at) => {
    const button = make("button", group, "adjoin-choice", { type: "button", onclick: () => pick(at) });
    if (!isTile) say(make("kbd", button, "", { textContent: at + 1 }), { "aria-hidden": "true" });
    make("span", button, "", { textContent: label(question, at) });
    return button;
  });
  const places = map ? question.ids.map((id) => map.querySelector(`[data-id="${CSS.escape(id)}"]`)) : [];
  places.forEach((place, at) => {
    say(place, { role: "button", tabindex: at ? "-1" : "0", "aria-label": `tile ${question.choices[at]}` });
    place.addEventListener("click", () => pick(at));
    place.addEventListener("focus", () => places.forEach((other) => say(other, { tabindex: other === place ? "0" : "-1" })));
  });
  if (map) say(map, { role: "group" });
  const letters = question.form === "yes_no" ? "YN" : LETTERS;
  return {
    answer: () => chosen,
    focus: () => (places[0] ?? buttons[0]).focus({ preventScroll: true }),
    key(event) {
      const at = [places.indexOf(event.target), buttons.indexOf(event.target)];
      if (at[0] >= 0 && (event.key === "Enter" || event.key === " ")) pick(at[0]);
      else if (/^[1-9]$/.test(event.key)) pick(Number(event.key) - 1);
      else if (event.key.length === 1 && letters.includes(event.key.toUpperCase())) pick(letters.indexOf(event.key.toUpperCase()));
      else if (at[0] >= 0 && event.key in ARROWS) nearest(places, event.target, ARROWS[event.key])?.focus();
      else return moved(buttons, event);
      return true;
    },
    reveal() {
      values.forEach((value, at) => {
        const isRight = question.answers.includes(question.ids[at]);
        const is = isRight ? "adjoin-is-right" : value === chosen ? "adjoin-is-wrong" : "";
        for (const shown of [buttons[at], places[at]]) if (shown && is) shown.classList.add(is);
        places[at]?.removeAttribute("tabindex");
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
    reveal: () =>
      boxes.forEach((box, at) => {
        const isRight = question.answers.includes(question.ids[at]);
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

/** A name to write. */
function written(area, { book, question, tell }) {
  const box = textBox(area, `your answer: ${article(noun(book, question))}`);
  let warned = null;
  return {
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
function order(area, { book, question, tell, answerButton }) {
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
  const free = () => buttons.find((button) => !button.disabled) ?? answerButton;
  function add(at) {
    if (at >= question.ids.length || chain.includes(at)) return;
    chain.push(at);
    show();
    tell(`${chain.length}: ${question.choices[at]}.`);
    free().focus({ preventScroll: true });
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

function wayToAnswer({ choices, form }) {
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

/** The place that lies nearest in a direction. */
function nearest(places, from, [dx, dy]) {
  const middle = (place) => {
    const box = place.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  const far = (place) => {
    const [u, v] = middle(place);
    const along = (u - x) * dx + (v - y) * dy;
    return along > 1 ? along + 3 * (Math.abs((u - x) * dy) + Math.abs((v - y) * dx)) : Infinity;
  };
  return places.filter((place) => far(place) < Infinity).sort((one, other) => far(one) - far(other))[0];
}

// What both ways to run a quiz share.

/** Pages that follow each other in an element; keys go to the page that is shown. */
function pages(root, options) {
  const target = options.page ? document : root;
  let keys = () => false;
  const listen = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (keys(event)) event.preventDefault();
  };
  target.addEventListener("keydown", listen);
  return {
    /** Show another page; the focus goes there if it was here. */
    turn(className, build) {
      const active = root.getRootNode().activeElement;
      const isHere = options.page || root.contains(active);
      root.replaceChildren();
      keys = () => false;
      const page = make("div", root, className);
      const focus = build(page, (found) => (keys = found));
      if (isHere) {
        focus?.();
        if (options.page) scrollTo(0, 0);
        else root.scrollIntoView({ block: "nearest" });
      }
    },
    stop: () => target.removeEventListener("keydown", listen),
  };
}

/** Write what an answer was worth. */
function feedback(parent, book, question, answer) {
  const found = grade(book, question, answer);
  const verdict = found.is_right ? "right" : found.share ? "partly" : "wrong";
  parent.classList.add(`adjoin-was-${verdict}`);
  const told = make("div", parent, "adjoin-words");
  const heading = {
    right: "Right.",
    partly: `Partly right: ${points(found.share)} of a point.`,
    wrong: answer === null ? "Not answered." : "Not right.",
  };
  make("h3", told, "", { textContent: heading[verdict] });
  const lines = [...found.notes];
  if (question.form === "many" && answer !== null && question.answers[0] !== "none") {
    if (found.missing.length) lines.push(`Missing: ${listed(found.missing)}.`);
    if (found.wrong.length) lines.push(`Wrong: ${listed(found.wrong)}.`);
  } else if (!found.is_right && question.form !== "route") lines.push(`Right answer: ${solution(book, question)}.`);
  lines.forEach((textContent) => make("p", told, "", { textContent }));
  for (const [text, name] of found.also_called)
    make("p", told, "adjoin-spelling", { textContent: `“${text}” is also called ${name}.` });
  for (const [text, name] of found.corrections) {
    const line = make("p", told, "adjoin-spelling", { textContent: `You wrote “${text}”. It is spelt ` });
    make("strong", line, "", { textContent: name });
    line.append(".");
  }
  found.unread.forEach((text) => make("p", told, "", { textContent: `“${text}” could not be read.` }));
  make("p", told, "adjoin-explanation", { textContent: question.explanation });
  return found;
}

// A pupil's quiz.

function ask(root, quiz, options) {
  const { book, questions, code } = quiz;
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
      make("p", page, "adjoin-soft", { textContent: "Keys: digits choose, Enter answers and goes on, arrow keys and Tab move." });
      make("p", page, "adjoin-soft", { textContent: "Nothing you do here leaves this device. At the end you can save your result." });
      return () => box.focus({ preventScroll: true });
    });
  }

  function question() {
    const number = state.at;
    const asked = questions[number];
    const begun = performance.now();
    let hints = 0;
    let isOpen = true;
    stage.turn("adjoin-page", (page, setKeys) => {
      head(page, number);
      const form = make("form", page, "adjoin-question");
      const id = `adjoin-prompt-${(made += 1)}`;
      make("h2", form, "adjoin-prompt", { textContent: asked.prompt, id });
      const area = make("fieldset", form, "adjoin-entry");
      say(area, { "aria-labelledby": id });
      const message = make("p", form, "adjoin-message");
      say(message, { role: "status", "aria-live": "polite" });
      const clues = make("ul", form, "adjoin-hints");
      say(clues, { "aria-live": "polite" });
      const tools = make("div", form, "adjoin-tools");
      const answerButton = make("button", tools, "adjoin-main", { type: "button", textContent: "Answer", onclick: submit });
      const hint = make("button", tools, "", { type: "button", onclick: clue });
      make("button", tools, "", { type: "button", textContent: "I do not know", onclick: () => finish(null) });
      const told = make("div", page, "adjoin-feedback", { id: `${id}-told` });
      say(told, { role: "status", "aria-live": "polite" });
      const tell = (text) => (message.textContent = text);
      const entry = wayToAnswer(asked)(area, { book, question: asked, submit, tell, answerButton });
      answerButton.hidden = asked.form !== "order" && asked.choices.length > 0 && asked.form !== "many";

      function clue() {
        make("li", clues, "", { textContent: asked.hints[hints] });
        hints += 1;
        count();
        entry.focus();
      }
      function count() {
        hint.hidden = hints >= asked.hints.length;
        hint.textContent = `Hint (${hints + 1} of ${asked.hints.length})`;
      }
      count();

      function submit() {
        if (!isOpen || entry.isReady?.() === false) return;
        const answer = entry.answer();
        if (answer === undefined) tell(entry.empty ?? "Answer first, or press “I do not know”.");
        else finish(answer);
      }
      function finish(answer) {
        if (!isOpen) return;
        isOpen = false;
        state.answers[number] = answer;
        state.seconds[number] = Math.round((performance.now() - begun) / 100) / 10;
        state.hints[number] = hints;
        state.at += 1;
        keep();
        entry.reveal?.();
        area.disabled = true;
        tools.remove();
        message.remove();
        feedback(told, book, asked, answer);
        answerMap(told, book, asked, answer);
        const next = make("button", page, "adjoin-main adjoin-next", {
          textContent: state.at < questions.length ? "Next" : "To the result",
          onclick: goOn,
        });
        say(next, { "aria-describedby": told.id });
        next.focus({ preventScroll: true });
        told.scrollIntoView({ block: "nearest" });
        next.scrollIntoView({ block: "nearest" });
      }
      form.onsubmit = (event) => {
        event.preventDefault();
        if (isOpen) (entry.enter ?? submit)();
      };
      setKeys((event) => {
        const isButton = event.target.tagName === "BUTTON";
        if (event.key === "Enter" && event.repeat) return true;
        if (!isOpen) {
          if (event.key !== "Enter" || isButton) return false;
          goOn();
          return true;
        }
        if (isTyping(event.target)) return event.key === "Backspace" && Boolean(entry.key?.(event));
        if (entry.key?.(event)) return true;
        if (event.key !== "Enter" || isButton) return false;
        submit();
        return true;
      });
      return () => entry.focus();
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

// For a class: the question, a countdown, the answer.

function project(root, quiz, options) {
  const { book, questions, code } = quiz;
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
    stage.turn("adjoin-page", (page, setKeys) => {
      const bar = make("div", page, "adjoin-head");
      make("span", bar, "", { textContent: `Question ${number + 1} of ${questions.length}` });
      const clock = make("div", bar, "adjoin-clock");
      const prompt = make("h2", page, "adjoin-prompt", { textContent: asked.prompt, tabIndex: -1 });
      if (seconds) make("div", make("div", page, "adjoin-bar"), "adjoin-left");
      const area = make("div", page, "adjoin-entry");
      if (asked.form === "tile") letterMap(area, book, asked);
      else if (asked.choices.length && asked.form !== "yes_no") {
        const all = make("ol", area, "adjoin-choices adjoin-shown");
        asked.choices.forEach((name, at) => {
          const item = make("li", all, "adjoin-choice");
          item.dataset.id = asked.ids[at];
          make("kbd", item, "", { textContent: LETTERS[at] });
          make("span", item, "", { textContent: name });
        });
      }
      const clues = make("ul", page, "adjoin-hints");
      say(clues, { "aria-live": "polite" });
      const told = make("div", page, "adjoin-feedback");
      say(told, { role: "status", "aria-live": "polite" });
      const tools = make("div", page, "adjoin-tools");
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
        answerMap(told, book, asked, asked.form === "order" || asked.form === "route" ? asked.answers[0] : asked.answers);
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

/** Run a quiz in an element; return what ends it. */
function run(el, quiz, options = {}) {
  const root = make("section", el, "adjoin-quiz");
  say(root, { "aria-label": quiz.title, lang: "en-GB", "data-lm-suppress-shortcuts": "true" });
  return (options.projector ? project : ask)(root, quiz, options);
}

function render({ model, el }) {
  const finished = (result) => model.send({ do: "result", what: result });
  return run(el, model.get("quiz"), { ...model.get("options"), finished });
}

export default { render };
