// A view of a match: it shows what the kernel sends and sends what is clicked. No rules here.

const MANY = 12; // more legal actions than this get a filter
const DRAG = 60; // so many pixels sideways are a quarter turn
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A new element; `more` are its properties. */
function make(tag, parent, className, more = {}) {
  const element = document.createElement(tag);
  element.className = className;
  Object.assign(element, more);
  parent.append(element);
  return element;
}

function render({ model, el }) {
  const root = make("section", el, "adjoin-board");
  root.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab keeps its keys to itself
  const top = make("div", root, "adjoin-top");
  const status = make("div", top, "adjoin-status", { tabIndex: -1 });
  const message = make("div", top, "adjoin-message");
  for (const line of [status, message]) {
    line.setAttribute("role", "status");
    line.setAttribute("aria-live", "polite");
  }
  const body = make("div", root, "adjoin-body");
  const picture = make("div", body, "adjoin-picture");
  const table = make("div", picture, "adjoin-table");
  const marks = make("div", picture, "adjoin-marks");
  const panel = make("div", body, "adjoin-panel");
  const tools = make("div", panel, "adjoin-tools");
  const filter = make("input", panel, "adjoin-filter", { type: "search", placeholder: "filter the actions" });
  filter.setAttribute("aria-label", "filter the actions");
  const actions = make("div", panel, "adjoin-actions");
  actions.setAttribute("role", "group");
  actions.setAttribute("aria-label", "legal actions");
  const details = make("details", panel, "adjoin-log", { open: true });
  make("summary", details, "", { textContent: "Log" });
  const log = make("ol", details, "");

  const state = () => model.get("state");
  const send = (what, more) => model.send({ do: what, what: more, number: state().number });
  const tool = (label, title, onclick) => make("button", tools, "", { textContent: label, title, onclick });
  const undo = tool("Undo", "back to your last decision (u)", () => send("undo"));
  const hint = tool("Hint", "what a strong agent would do, and why (h)", () => send("hint"));
  tool("New match", "the same game, dealt anew", () => send("new"));
  const looks = make("span", tools, "adjoin-looks");
  const curtain = make("div", body, "adjoin-curtain", { hidden: true });
  const ready = make("button", curtain, "", { onclick: () => send("ready") });

  let hovered = null;
  const found = () => [...table.querySelectorAll("[data-place]")];
  const focused = () => root.getRootNode().activeElement;

  // The picture.

  function draw() {
    const at = focused();
    const key = table.contains(at) ? at.dataset.place : null;
    const nth = key ? found().filter((place) => place.dataset.place === key).indexOf(at) : 0;
    table.innerHTML = model.get("picture");
    const svg = table.querySelector("svg");
    svg?.setAttribute("role", "group");
    svg?.setAttribute("aria-label", svg.querySelector("title")?.textContent ?? "");
    label();
    if (key) {
      const same = found().filter((place) => place.dataset.place === key);
      (same[nth] ?? same[0] ?? status).focus({ preventScroll: true });
    }
  }

  /** Say of every place what it is, and mark what is picked, hinted, or left to pick. */
  function label() {
    const { actions, picked, hint } = state();
    const open = new Set(actions.flatMap((action) => action.places));
    const all = found();
    for (const place of all) {
      const key = place.dataset.place;
      const is = { open: open.has(key), picked: picked.includes(key), hinted: hint.includes(key) };
      Object.entries(is).forEach(([name, on]) => place.classList.toggle(`adjoin-${name}`, on));
      place.classList.add("adjoin-place");
      place.setAttribute("role", "button");
      place.setAttribute("aria-pressed", String(is.picked));
      place.setAttribute("aria-label", key + (is.open ? ", can be played" : ""));
      place.setAttribute("tabindex", "-1");
    }
    const first = all.find((place) => place === focused()) ?? all.find((place) => open.has(place.dataset.place));
    (first ?? all[0])?.setAttribute("tabindex", "0");
    mark();
  }

  function mark() {
    const from = table.getBoundingClientRect();
    marks.replaceChildren();
    const around = (place, name) => {
      const box = place.getBoundingClientRect();
      const { style } = make("div", marks, `adjoin-mark adjoin-mark-${name}`);
      const size = { left: box.x - from.x, top: box.y - from.y, width: box.width, height: box.height };
      Object.entries(size).forEach(([name, value]) => (style[name] = `${value}px`));
    };
    const { picked, about, message } = state();
    const isPicking = picked.length > 0;
    for (const place of found()) {
      const has = (name) => place.classList.contains(`adjoin-${name}`);
      if (isPicking && has("open") && !has("picked")) around(place, "open");
      if (has("picked")) around(place, "picked");
      if (has("hinted")) around(place, "hinted");
      if (place === hovered) around(place, "hovered");
      if (place === focused() && place.matches(":focus-visible")) around(place, "focused");
    }
    const asked = found().filter((place) => place.dataset.place === about);
    if (asked.length) {
      const box = (asked.find((place) => place === focused()) ?? asked[0]).getBoundingClientRect();
      const answer = make("div", marks, "adjoin-answer", { textContent: message, ariaHidden: "true" });
      answer.style.left = `${Math.max(0, Math.min(box.x - from.x, from.width - answer.offsetWidth - 4))}px`;
      answer.style.top = `${Math.max(0, Math.min(box.bottom - from.y + 6, from.height - answer.offsetHeight))}px`;
    }
  }

  function nearest(from, [dx, dy]) {
    const middle = (place) => {
      const box = place.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const place of found()) {
      const [u, v] = middle(place);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (along > 1 && along + 3 * aside < least) [best, least] = [place, along + 3 * aside];
    }
    return best;
  }

  const placeOf = (target) => target.closest?.("[data-place]");
  let dragged = false;
  picture.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place || dragged) return;
    place.focus({ preventScroll: true });
    send("pick", place.dataset.place);
  });
  picture.addEventListener("focusin", (event) => {
    found().forEach((place) => place.setAttribute("tabindex", place === event.target ? "0" : "-1"));
    mark();
  });
  picture.addEventListener("focusout", mark);
  for (const name of ["pointerover", "pointerleave"]) {
    picture.addEventListener(name, (event) => {
      hovered = name === "pointerover" ? placeOf(event.target) : null;
      mark();
    });
  }
  picture.addEventListener("pointerdown", (down) => {
    dragged = false;
    const turn = state().looks.find((look) => !look.is_switch);
    if (!turn) return;
    let from = down.clientX;
    const move = (event) => {
      if (Math.abs(event.clientX - from) < DRAG) return;
      dragged = true;
      send("look", { name: turn.name, by: event.clientX > from ? -1 : 1 });
      from = event.clientX;
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
  });

  // Everything else.

  function list() {
    const at = actions.contains(focused()) ? focused().dataset.text : null;
    const all = state().actions;
    filter.hidden = all.length <= MANY;
    if (filter.hidden) filter.value = "";
    const wanted = filter.value.trim().toLowerCase();
    const groups = new Map();
    for (const action of all.filter(({ label }) => label.toLowerCase().includes(wanted))) {
      const word = action.label.split(" ")[0];
      groups.set(word, [...(groups.get(word) ?? []), action]);
    }
    actions.replaceChildren();
    const alone = [...groups.values()].filter((group) => group.length === 1).flat();
    for (const members of [...groups.values()].filter((group) => group.length > 1).concat([alone])) {
      const group = make("div", actions, "adjoin-group");
      for (const { action, label } of members) {
        const button = make("button", group, "", { textContent: label, onclick: () => send("play", action) });
        button.dataset.text = label;
      }
    }
    if (at) ([...actions.querySelectorAll("button")].find((button) => button.dataset.text === at) ?? status).focus({ preventScroll: true });
  }

  /** Buttons for what changes how the picture is drawn, made once. */
  function knobs(all) {
    if (!looks.children.length) {
      for (const { name, meaning, is_switch: isSwitch } of all) {
        const knob = (label, change) =>
          make("button", looks, "", { textContent: label, title: meaning, onclick: () => send("look", { name, ...change() }) });
        const word = name[0].toUpperCase() + name.slice(1);
        if (isSwitch) knob(word, () => ({ by: 1 })).dataset.look = name;
        else {
          knob(`${word} left`, () => ({ by: 1 }));
          knob(`${word} right`, () => ({ by: -1 }));
        }
      }
    }
    for (const { name, value } of all) {
      looks.querySelector(`[data-look="${name}"]`)?.setAttribute("aria-pressed", String(value === 1));
    }
  }

  function tell() {
    const now = state();
    status.textContent = now.status;
    message.textContent = now.message;
    if (now.rule) make("small", message, "adjoin-rule", { textContent: ` (${now.rule})` });
    root.setAttribute("aria-label", now.title);
    root.setAttribute("aria-busy", String(now.is_thinking));
    root.dataset.number = now.number;
    root.dataset.picked = now.picked.length;
    root.classList.toggle("adjoin-picking", now.picked.length > 0);
    undo.disabled = !now.can_undo;
    hint.disabled = now.is_over || now.is_thinking;
    knobs(now.looks);
    curtain.hidden = !now.curtain;
    picture.hidden = panel.hidden = Boolean(now.curtain);
    ready.textContent = now.curtain ? `I am ${now.curtain}` : "";
    if (now.curtain) ready.focus({ preventScroll: true });
    log.replaceChildren(...now.log.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    log.scrollTop = log.scrollHeight;
    label();
    list();
  }

  filter.addEventListener("input", list);
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeOf(event.target);
    const used = () => event.preventDefault();
    if (event.target === filter) {
      const buttons = actions.querySelectorAll("button");
      if (event.key === "Enter" && buttons.length === 1) buttons[0].click();
    } else if (event.key === "Escape") send("drop");
    else if (event.key === "h") send("hint");
    else if (event.key === "u") send("undo");
    else if (place && (event.key === "Enter" || event.key === " ")) {
      used();
      send("pick", place.dataset.place);
    } else if (place && event.key in ARROWS) {
      used();
      nearest(place, ARROWS[event.key])?.focus();
    }
  });
  model.on("change:picture", draw);
  model.on("change:state", tell);
  draw();
  tell();
  const sized = new ResizeObserver(mark); // the marks need to know how large things are
  sized.observe(picture);
  return () => {
    sized.disconnect();
    model.off("change:picture", draw);
    model.off("change:state", tell);
  };
}

export default { render };
