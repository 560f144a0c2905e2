// A match as somebody at the table sees it: it shows what a session sends and sends what is clicked. No rules here.
//
// `mountBoard(element, host)` is all there is to a host: `host.send({ do, what, number })` carries a message to the
// session, `host.subscribe(listener)` calls `listener(update)` with every update. A notebook, a page and a classroom
// differ in nothing else. An update's picture is pieces with a role; where they go is decided here and in board.css.

import { fly, remember } from "./motion.js";
import { Stage } from "./stage.js";
import { make, svgOf } from "./elements.js";

const MANY = 12; // more legal actions than this get a filter
const FAR = 8; // so many pixels are a drag, not a click
const TURN = 60; // so many pixels sideways are a quarter turn
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Where pieces go by their role; titles are said by the status. */
const SHELVES = { stock: "stock", hand: "hand", seat: "seats", facts: "seats", map: "map", key: "key" };

/** Show a match in an element; returns what takes it away again. */
export function mountBoard(element, host) {
  const root = make("section", element, "adjoin-board");
  root.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab keeps its keys to itself
  const top = make("header", root, "adjoin-top");
  const words = make("div", top, "adjoin-words");
  const status = make("div", words, "adjoin-status", { tabIndex: -1 });
  const message = make("div", words, "adjoin-message");
  for (const line of [status, message]) {
    line.setAttribute("role", "status");
    line.setAttribute("aria-live", "polite");
  }
  const tools = make("div", top, "adjoin-tools");
  const body = make("div", root, "adjoin-body");
  const picture = make("div", body, "adjoin-picture");
  const stage = new Stage(picture, () => mark());
  const rack = make("div", picture, "adjoin-rack");
  const stock = make("div", rack, "adjoin-stock");
  const hand = make("div", rack, "adjoin-hand");
  const note = make("div", picture, "adjoin-note"); // what there is to know about a card: fingers do not hover
  const side = make("div", body, "adjoin-side");
  const filter = make("input", side, "adjoin-filter", { type: "search", placeholder: "filter the actions" });
  filter.setAttribute("aria-label", "filter the actions");
  const actions = make("div", side, "adjoin-actions");
  actions.setAttribute("role", "group");
  actions.setAttribute("aria-label", "legal actions");
  const seats = make("div", side, "adjoin-seats");
  const folded = (name, title, open) => {
    const details = make("details", side, `adjoin-${name}`, { open });
    make("summary", details, "", { textContent: title });
    return details;
  };
  const map = make("div", folded("map", "Map", true), "adjoin-shelf");
  const log = make("ol", folded("log", "Log", true), "");
  const key = make("div", folded("key", "Signs", false), "adjoin-shelf");
  const shelves = { stock, hand, seats, map, key };
  const curtain = make("div", root, "adjoin-curtain", { hidden: true });
  const ready = make("button", curtain, "", { onclick: () => send("ready") });
  const marks = make("div", root, "adjoin-marks");

  let state = null;
  let hovered = null;
  const send = (what, more) => host.send({ do: what, what: more, number: state.number });
  const tool = (label, title, onclick) => make("button", tools, "", { textContent: label, title, onclick });
  const undo = tool("Undo", "back to your last decision (u)", () => send("undo"));
  const hint = tool("Hint", "what a strong agent would do, and why (h)", () => send("hint"));
  const time = tool("", "the sand has run: anybody may call it", () => send("timeout"));
  time.classList.add("adjoin-time");
  const looks = make("span", tools, "adjoin-looks");
  for (const { label, title, action } of host.tools ?? [{ label: "New match", title: "the same game, dealt anew", action: () => send("new") }]) {
    tool(label, title, action);
  }

  const found = () => [...root.querySelectorAll("[data-place]")];
  const named = (name) => found().filter((place) => place.dataset.place === name);
  const focused = () => root.getRootNode().activeElement;
  const placeOf = (target) => target?.closest?.("[data-place]");
  const openPlaces = () => new Set(state.actions.flatMap((action) => action.places));

  // The picture.

  let drawn = "";
  function draw() {
    const { pieces, title } = state.picture;
    const text = JSON.stringify(pieces);
    if (text === drawn) return;
    drawn = text;
    const at = focused();
    const name = picture.contains(at) || side.contains(at) ? at.dataset?.place : null;
    const nth = name ? named(name).indexOf(at) : 0;
    const before = remember(root);
    stage.show(pieces.filter(({ role }) => role === "table"), title);
    for (const [shelf, element] of Object.entries(shelves)) {
      const own = pieces.filter(({ role }) => SHELVES[role] === shelf);
      element.replaceChildren(...own.map((piece) => svgOf(piece.area, piece.svg, piece.role)));
      element.style.setProperty("--widest", Math.max(1, ...own.map(({ area }) => area[2]))); // all shrink alike
      (element.parentElement.matches("details") ? element.parentElement : element).hidden = own.length === 0;
    }
    note.hidden = !rack.querySelector("title");
    label();
    if (name) (named(name)[nth] ?? named(name)[0] ?? status).focus({ preventScroll: true });
    fly(before, root, marks);
  }

  /** Say of every place what it is, and mark what is picked, hinted, or left to pick. */
  function label() {
    const { picked, hint } = state;
    const open = openPlaces();
    const all = found();
    for (const place of all) {
      const name = place.dataset.place;
      const is = { open: open.has(name), picked: picked.includes(name), hinted: hint.includes(name) };
      Object.entries(is).forEach(([what, on]) => place.classList.toggle(`adjoin-${what}`, on));
      place.classList.add("adjoin-place");
      place.setAttribute("role", "button");
      place.setAttribute("aria-pressed", String(is.picked));
      place.setAttribute("aria-label", name + (is.open ? ", can be played" : ""));
      place.setAttribute("tabindex", "-1");
    }
    const first = all.find((place) => place === focused()) ?? all.find((place) => open.has(place.dataset.place));
    (first ?? all[0])?.setAttribute("tabindex", "0");
    mark();
  }

  /** Frames above the picture, each within the panel of what it frames. */
  function mark() {
    if (!state) return;
    const from = root.getBoundingClientRect();
    marks.querySelectorAll(".adjoin-mark, .adjoin-answer").forEach((old) => old.remove());
    const panels = [stage.element, hand, rack, side].map((panel) => [panel, panel.getBoundingClientRect()]);
    const around = (place, name) => {
      const box = place.getBoundingClientRect();
      const [, panel] = panels.find(([element, box]) => box.width > 0 && element.contains(place)) ?? [];
      if (!panel || !box.width) return;
      const [left, up] = [Math.max(box.left, panel.left), Math.max(box.top, panel.top)];
      const [right, down] = [Math.min(box.right, panel.right), Math.min(box.bottom, panel.bottom)];
      if (right - left < 4 || down - up < 4) return; // scrolled or panned out of sight
      const { style } = make("div", marks, `adjoin-mark adjoin-mark-${name}`);
      const size = { left: left - from.x, top: up - from.y, width: right - left, height: down - up };
      Object.entries(size).forEach(([side, value]) => (style[side] = `${value}px`));
    };
    const { picked, about, message } = state;
    const isPicking = picked.length > 0 || dragging;
    for (const place of found()) {
      const has = (name) => place.classList.contains(`adjoin-${name}`);
      if (isPicking && has("open") && !has("picked")) around(place, "open");
      if (has("picked")) around(place, "picked");
      if (has("hinted")) around(place, "hinted");
      if (place === hovered) around(place, "hovered");
      if (place === focused() && place.matches(":focus-visible")) around(place, "focused");
    }
    const looked = [hovered, placeOf(focused()), ...picked.flatMap(named)].find((place) => place?.querySelector("title"));
    note.textContent = looked?.querySelector("title").textContent ?? "";
    const asked = about === null ? [] : named(about);
    if (asked.length) {
      const box = (asked.find((place) => place === focused()) ?? asked[0]).getBoundingClientRect();
      const answer = make("div", marks, "adjoin-answer", { textContent: message, ariaHidden: "true" });
      answer.style.left = `${Math.max(4, Math.min(box.x - from.x, from.width - answer.offsetWidth - 4))}px`;
      const below = box.bottom - from.y + 6;
      const fits = below + answer.offsetHeight < from.height;
      answer.style.top = `${fits ? below : Math.max(4, box.top - from.y - answer.offsetHeight - 6)}px`;
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

  // Clicking and dragging.

  let wasDragged = false;
  let dragging = null;

  body.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place || wasDragged) return;
    place.focus({ preventScroll: true });
    send("pick", place.dataset.place);
  });
  body.addEventListener("focusin", (event) => {
    const places = found();
    if (places.includes(event.target)) places.forEach((place) => place.setAttribute("tabindex", place === event.target ? "0" : "-1"));
    mark();
  });
  body.addEventListener("focusout", mark);
  body.addEventListener("scroll", mark, true);
  for (const name of ["pointerover", "pointerleave"]) {
    body.addEventListener(name, (event) => {
      hovered = name === "pointerover" && event.pointerType !== "touch" ? placeOf(event.target) : null;
      mark();
    });
  }

  /** Whether picking a place does nothing that could not be taken back unseen. */
  const isSafe = (name) => state.actions.filter(({ places }) => places.includes(name)).every(({ places, begins }) => begins || places.length > 1);
  const isLastPicked = (name) => state.picked.at(-1) === name;

  function startDrag(place, { clientX, clientY }) {
    const name = place.dataset.place;
    const box = place.getBoundingClientRect();
    const svg = place.ownerSVGElement.cloneNode(true);
    const ghost = make("div", marks, "adjoin-ghost");
    ghost.append(svg);
    const owner = place.ownerSVGElement.getBoundingClientRect();
    Object.assign(ghost.style, { width: `${owner.width}px`, height: `${owner.height}px` });
    dragging = { name, ghost, dx: clientX - owner.left, dy: clientY - owner.top, box, begun: null };
    place.ownerSVGElement.classList.add("adjoin-lifted");
    if (!state.picked.includes(name) && openPlaces().has(name) && isSafe(name)) {
      dragging.begun = state.number;
      send("pick", name);
    } else mark();
  }

  function moveDrag({ clientX, clientY }) {
    const from = root.getBoundingClientRect();
    dragging.ghost.style.transform = `translate(${clientX - dragging.dx - from.x}px, ${clientY - dragging.dy - from.y}px)`;
  }

  function endDrag(event) {
    const { name, ghost, begun } = dragging;
    ghost.remove();
    root.querySelectorAll(".adjoin-lifted").forEach((svg) => svg.classList.remove("adjoin-lifted"));
    dragging = null;
    const target = event && placeOf(root.getRootNode().elementFromPoint(event.clientX, event.clientY))?.dataset.place;
    const isAbout = begun !== null || state.picked.includes(name);
    if (!target || target === name) {
      if (isAbout) send("drop");
      else mark();
    } else if (isAbout) send("pick", target);
    else {
      // Nothing was begun yet: the card first, then where it was dropped, if that is still the question.
      afterNext = () => (state.actions.some(({ places }) => places.includes(target)) || isLastPicked(name)) && send("pick", target);
      send("pick", name);
    }
  }
  let afterNext = null;

  body.addEventListener("pointerdown", (down) => {
    wasDragged = false;
    if (!state || down.button !== 0 || state.curtain) return;
    const place = placeOf(down.target);
    const card = place && rack.contains(place) ? place : null;
    const look = !card && stage.element.contains(down.target) && !stage.isZoomed() && state.looks.find((look) => !look.is_switch);
    if (!card && !look) return;
    let from = down.clientX;
    const move = (event) => {
      if (event.pointerId !== down.pointerId) return;
      if (look) {
        if (Math.abs(event.clientX - from) < TURN) return;
        wasDragged = true;
        send("look", { name: look.name, by: event.clientX > from ? -1 : 1 });
        from = event.clientX;
        return;
      }
      if (!dragging && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= FAR) {
        wasDragged = true;
        startDrag(card, event);
      }
      if (dragging) moveDrag(event);
    };
    const end = (event) => {
      if (event.pointerId !== down.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (dragging) endDrag(event.type === "pointerup" ? event : null);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });

  // Everything else.

  function list() {
    const at = actions.contains(focused()) ? focused().dataset.text : null;
    const all = state.actions;
    filter.hidden = all.length <= MANY;
    if (filter.hidden) filter.value = "";
    const wanted = filter.value.trim().toLowerCase();
    const groups = new Map();
    for (const action of all.filter(({ label }) => label.toLowerCase().includes(wanted))) {
      const word = action.label.split(" ")[0];
      groups.set(word, [...(groups.get(word) ?? []), action]);
    }
    actions.replaceChildren();
    actions.hidden = all.length === 0;
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

  /** Buttons for what changes how the picture is drawn, made once for a game. */
  function knobs(all) {
    const names = all.map(({ name }) => name).join();
    if (looks.dataset.names !== names) {
      looks.replaceChildren();
      looks.dataset.names = names;
      for (const { name, meaning, is_switch: isSwitch } of all) {
        const knob = (label, change) =>
          make("button", looks, "", { textContent: label, title: meaning, onclick: () => send("look", { name, ...change }) });
        const word = (name[0].toUpperCase() + name.slice(1)).replaceAll("_", " ");
        if (isSwitch) knob(word, { by: 1 }).dataset.look = name;
        else {
          knob(`${word} left`, { by: 1 });
          knob(`${word} right`, { by: -1 });
        }
      }
    }
    for (const { name, value } of all) {
      looks.querySelector(`[data-look="${name}"]`)?.setAttribute("aria-pressed", String(value === 1));
    }
  }

  // The sand timer: it runs from the moment a decision is there to be taken.
  let turned = 0;
  let timed = null;
  function sand() {
    const seconds = state?.timer?.seconds ?? host.timer?.() ?? 0;
    time.hidden = !state?.has_timer || !seconds || state.is_over || state.seat === null;
    if (time.hidden) return;
    const left = Math.ceil(state.timer?.left === undefined ? seconds - (performance.now() - turned) / 1000 : state.timer.left - (performance.now() - timed) / 1000);
    time.textContent = left > 0 ? `${left} s` : "Time is up!";
    time.disabled = left > 0;
  }

  function tell() {
    status.textContent = state.status;
    message.textContent = state.message;
    if (state.rule) make("small", message, "adjoin-rule", { textContent: ` (${state.rule})` });
    root.setAttribute("aria-label", state.title);
    root.setAttribute("aria-busy", String(state.is_thinking));
    root.dataset.number = state.number;
    root.dataset.picked = state.picked.length;
    root.dataset.over = state.is_over;
    root.classList.toggle("adjoin-picking", state.picked.length > 0);
    const isPlayer = state.seat !== null && !state.is_film;
    undo.hidden = !isPlayer;
    hint.hidden = !isPlayer || state.can_hint === false; // a class may have to do without
    undo.disabled = !state.can_undo;
    hint.disabled = state.is_over || state.is_thinking;
    knobs(state.looks);
    curtain.hidden = !state.curtain;
    body.hidden = tools.hidden = Boolean(state.curtain);
    ready.textContent = state.curtain ? `I am ${state.curtain}` : "";
    if (state.curtain) ready.focus({ preventScroll: true });
    log.replaceChildren(...state.log.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    log.parentElement.hidden = state.log.length === 0;
    log.scrollTop = log.scrollHeight;
    list();
    sand();
  }

  function show(update) {
    if (!update?.picture) return;
    if (state?.number !== update.number) turned = performance.now();
    timed = performance.now();
    state = update;
    tell();
    draw();
    label();
    const next = afterNext;
    afterNext = null;
    if (next && !state.is_thinking && !state.curtain) next();
  }

  filter.addEventListener("input", list);
  root.addEventListener("keydown", (event) => {
    if (!state || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeOf(event.target);
    const used = () => event.preventDefault();
    if (event.target === filter) {
      const buttons = actions.querySelectorAll("button");
      if (event.key === "Enter" && buttons.length === 1) buttons[0].click();
    } else if (event.key === "Escape") send("drop");
    else if (event.key === "h") send("hint");
    else if (event.key === "u") send("undo");
    else if (event.key === "+" || event.key === "-" || event.key === "0") stage.zoom({ "+": 1.25, "-": 0.8, 0: 0 }[event.key]);
    else if (place && (event.key === "Enter" || event.key === " ")) {
      used();
      send("pick", place.dataset.place);
    } else if (place && event.key in ARROWS) {
      used();
      const next = nearest(place, ARROWS[event.key]);
      stage.reveal(next);
      next?.focus();
    }
  });
  const unsubscribe = host.subscribe(show);
  const sized = new ResizeObserver(mark); // the marks need to know how large things are
  sized.observe(root);
  sized.observe(rack);
  const clock = setInterval(sand, 250);
  return () => {
    clearInterval(clock);
    sized.disconnect();
    unsubscribe?.();
    root.remove();
  };
}

/** The front end of a notebook: a model that is told of changes. */
function render({ model, el }) {
  return mountBoard(el, {
    send: (message) => model.send(message),
    subscribe(listener) {
      const changed = () => listener(model.get("state"));
      model.on("change:state", changed);
      changed();
      return () => model.off("change:state", changed);
    },
  });
}

export default { render };
