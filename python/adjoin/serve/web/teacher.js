// The teacher's page: opens rooms and quizzes, shows who is there, chooses what the projector shows.

import { connect, fill, listSeats, make, one, wins } from "./link.js";
import { quizCard, quizForm } from "./live_teacher.js";
import { optionControl } from "./option_controls.js";

const KEPT = "adjoin teacher";
const STATES = { waiting: "waiting for players", playing: "playing", over: "over" };
if (location.hash.length > 1) {
  sessionStorage.setItem(KEPT, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

// Questions and replies.

const waiting = new Map();
let asked = 0;
let spec = null;
let chosen = {};

function tell(verb, more = {}) {
  asked += 1;
  link.send({ do: verb, id: asked, ...more });
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

const complain = (error) => (one("#error").textContent = error.message);
const act = (verb, more) => tell(verb, more).then(() => (one("#error").textContent = ""), complain);

const link = connect(
  "teacher",
  { token: sessionStorage.getItem(KEPT) ?? "" },
  {
    hear(message) {
      if (message.kind === "class") {
        show(message);
        if (!spec) choose();
        if (!spec && message.quizzes.length) [one("#quiz-panel").open, one("#game-panel").open] = [true, false];
        quizzes.start();
      } else if (message.kind === "reply") {
        const { resolve, reject } = waiting.get(message.id) ?? {};
        waiting.delete(message.id);
        if (message.error) reject?.(new Error(message.error));
        else resolve?.(message.answer);
      }
    },
    state: (isOpen) => (one("#connection").textContent = isOpen ? "" : "Connection lost. Trying again …"),
    ended: () => (one("#connection").textContent = "Open the address that the terminal has printed for the teacher."),
  },
);

const quizzes = quizForm(tell, act);

// Opening rooms.

const short = (name) => name.split("(")[0];

function seatChoice(parent, number, chosen) {
  const label = make("label", parent, { textContent: `Seat ${number + 1} ` });
  const select = make("select", label);
  make("option", select, { value: "person", textContent: "pupil" });
  for (const agent of spec.agents) make("option", select, { value: agent, textContent: `computer: ${short(agent)}` });
  select.value = chosen ?? "person";
}

/** Asks what can be set for a game with some options, and offers it; where that is refused, what was offered before. */
async function choose(game, options = {}) {
  try {
    const next = await tell("spec", { game, options });
    if (next.game !== spec?.game) one("#seats").replaceChildren();
    spec = next;
    chosen = options;
    one("#error").textContent = "";
  } catch (error) {
    complain(error);
  }
  offer();
}

function offer() {
  const games = one("#game");
  games.replaceChildren();
  for (const { name, title } of spec.games) make("option", games, { value: name, textContent: title });
  games.value = spec.game;
  one("#summary").textContent = spec.summary;
  one("#timer").parentElement.hidden = !spec.has_timer;
  const sitters = [...one("#seats").querySelectorAll("select")].map((select) => select.value);
  one("#seats").replaceChildren();
  for (let number = 0; number < spec.seats; number++) seatChoice(one("#seats"), number, sitters[number]);
  const substitute = one("#substitute");
  const before = substitute.value;
  substitute.replaceChildren();
  for (const agent of spec.agents) make("option", substitute, { value: agent, textContent: `computer: ${short(agent)}` });
  substitute.value = [before, ...spec.agents.filter((agent) => agent.startsWith("easy"))].find((agent) => spec.agents.includes(agent));
  const focused = document.activeElement?.ariaLabel;
  for (const shelf of ["#players", "#options"]) one(shelf).replaceChildren();
  for (const { name, kind, value, meaning } of spec.settings) {
    optionControl(one(name === "players" ? "#players" : "#options"), name, kind, value, meaning, (next) => {
      const options = { ...chosen, [name]: next };
      // Another map has other parts.
      if (kind.one) spec.settings.filter((other) => other.kind.several).forEach((other) => delete options[other.name]);
      choose(spec.game, options);
    });
  }
  if (focused) [...document.querySelectorAll("#form :is(input, select)")].find((box) => box.ariaLabel === focused)?.focus();
}

async function open(event) {
  event.preventDefault();
  const sitters = [...one("#seats").querySelectorAll("select")].map((select) => select.value);
  const settings = {
    game: spec.game,
    options: chosen,
    sitters,
    substitute: one("#substitute").value,
    timer: spec.has_timer && one("#timer").value ? Number(one("#timer").value) : null,
    hint: one("#hint").checked,
    undo: one("#undo").checked,
  };
  await act("open", { settings, count: Number(one("#count").value) });
}

one("#game").onchange = () => choose(one("#game").value);
one("#form").onsubmit = open;

// The rooms.

const cards = new Map();

function card(room) {
  const { code } = room;
  const root = make("article", one("#rooms"), { className: "room" });
  const head = make("div", root, { className: "row spread" });
  const title = make("h3", head);
  const state = make("span", head, { className: "state" });
  const body = make("div", root, { className: "row top" });
  make("img", body, { src: `/qr/${code}.svg`, alt: `QR code of room ${room.number}`, className: "qr" });
  const words = make("div", body, { className: "grow" });
  make("strong", words, { className: "code", textContent: code });
  const seats = make("ul", words, { className: "seats" });
  const settings = make("div", root, { className: "row" });
  const check = (name, text) => {
    const label = make("label", settings, { className: "check" });
    const box = make("input", label, { type: "checkbox" });
    label.append(` ${text}`);
    box.onchange = () => act("change", { code, settings: { [name]: box.checked } });
    return box;
  };
  const hint = check("hint", "hints");
  const undo = check("undo", "undo");
  const timer = make("small", settings);
  const buttons = make("div", root, { className: "row" });
  const button = (text, onclick) => make("button", buttons, { type: "button", textContent: text, onclick });
  const start = button("Start", () => act("start", { code }));
  const project = button("Show on projector", () => act("project", { show: "room", code }));
  button("Show code", () => act("project", { show: "join", code }));
  button("End", () => {
    if (confirm(`End room ${room.number}? Its results stay.`)) act("end", { code });
  });
  let listed = "";
  return {
    root,
    update(now, screen) {
      title.textContent = `Room ${now.number} · ${now.title}`;
      state.textContent = STATES[now.state];
      state.dataset.is = now.state;
      hint.checked = now.settings.hint;
      undo.checked = now.settings.undo;
      timer.textContent = now.settings.timer ? `timer ${now.settings.timer} s` : "no timer";
      start.hidden = now.state === "playing";
      start.textContent = now.state === "over" ? "Deal again" : "Start now";
      start.disabled = !now.seats.some((seat) => !seat.is_agent && !seat.is_free);
      const isShown = screen.show === "room" && screen.code === code;
      project.setAttribute("aria-pressed", String(isShown));
      const next = JSON.stringify([now.seats, now.to_act, now.state]);
      if (next === listed) return;
      listed = next;
      listSeats(seats, now);
      now.seats.forEach((seat, number) => {
        if (seat.is_agent || (seat.is_free && now.state === "waiting")) return;
        const item = seats.children[number];
        const small = (text, title, verb) =>
          make("button", item, { type: "button", className: "small", textContent: text, title, onclick: () => act(verb, { code, seat: number }) });
        if (!seat.is_free) small("free", `${seat.name} has to join again, or somebody else does`, "free");
        if (now.state === "playing") small("computer", `the computer goes on for ${seat.name}`, "replace");
      });
    },
  };
}

/** Brings cards up to date: those that are new are made, those that are gone go. */
function showCards(things, screen, build) {
  for (const thing of things) {
    if (!cards.has(thing.code)) cards.set(thing.code, build(thing));
    cards.get(thing.code).update(thing, screen);
  }
}

function show({ address, projector, rooms, quizzes, screen, standings }) {
  one("#address").textContent = address.replace("http://", "");
  one("#projector").href = new URL(projector).pathname + new URL(projector).hash;
  one("#none").hidden = rooms.length + quizzes.length > 0;
  one("#show-join").setAttribute("aria-pressed", String(screen.show === "join"));
  one("#show-results").setAttribute("aria-pressed", String(screen.show === "results"));
  const there = new Set([...rooms, ...quizzes].map(({ code }) => code));
  for (const [code, { root }] of cards) {
    if (!there.has(code)) {
      root.remove();
      cards.delete(code);
    }
  }
  showCards(rooms, screen, card);
  showCards(quizzes, screen, (quiz) => quizCard(one("#quizzes"), act, quiz));
  one("#csv").disabled = !standings.length;
  fill(
    one("#standings"),
    ["Name", "Room", "Matches", "Wins", "Points"],
    standings.map((row) => [row.is_agent ? `${row.name} (computer)` : row.name, row.room, row.matches, wins(row.won), row.counted === "points" ? row.points : `${row.points} ${row.counted}`]),
  );
}

one("#show-join").onclick = () => act("project", { show: "join" });
one("#show-results").onclick = () => act("project", { show: "results" });
one("#csv").onclick = async () => {
  const { name, text } = await tell("csv");
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  make("a", null, { href: url, download: name }).click();
  URL.revokeObjectURL(url);
};
