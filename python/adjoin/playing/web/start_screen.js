// Which game, with which options, against whom: a form that is made of what the core says about each game.

import { make } from "./elements.js";
import { control, optionControl, row, select, spaced } from "./option_controls.js";

const AGENTS = { random: "anything goes", easy: "often overlooks something", greedy: "plays what looks best", search: "looks ahead", alphabeta: "looks far ahead" };
const TIMES = [0, 15, 30, 60, 120];
const PACES = { Slow: 1500, Normal: 700, Fast: 250, "At once": 0 };

const plain = (agent) => agent.split("(")[0];

/**
 * Shows the form in an element. `core` answers questions; `choice` is what is chosen at first: {game, options, opponents,
 * seed, people, timer, pace, looks}. `begin(choice)` is called with what was chosen, whole: options, sitters, names, seed.
 */
export async function startScreen(element, core, choice, begin) {
  const { games } = await core.ask({ ask: "games" });
  const chosen = { options: {}, opponents: ["easy"], people: 1, names: [], timer: 0, pace: PACES.Normal, looks: {}, ...choice };
  chosen.game ??= games[0].name;
  const form = make("form", element, "adjoin-start");
  const list = make("div", form, "adjoin-games");
  list.setAttribute("role", "radiogroup");
  list.setAttribute("aria-label", "Games");
  const panel = make("div", form, "adjoin-choices");
  const problem = make("p", form, "adjoin-problem");
  problem.setAttribute("role", "alert");

  for (const { name, title, summary } of games) {
    const label = make("label", list, "adjoin-game");
    const radio = make("input", label, "", { type: "radio", name: "game", value: name, checked: name === chosen.game });
    make("strong", label, "", { textContent: title });
    make("span", label, "", { textContent: summary });
    radio.onchange = () => {
      chosen.game = name;
      chosen.options = name === choice.game ? { ...choice.options } : {};
      fill();
    };
  }

  const setting = (parent, { settings, options }, name, kind, meaning) =>
    optionControl(parent, name, kind, options[name], meaning, (next) => {
      const before = chosen.options;
      chosen.options = { ...before, [name]: next };
      // What there is to tick may be another set of words now.
      if (kind.one) settings.filter(([, other]) => other.several).forEach(([other]) => delete chosen.options[other]);
      fill(before);
    });

  function seatRows(parent, { seats, agents }) {
    const known = agents.map(plain);
    const agentOf = (seat) => plain(chosen.opponents[seat - 1] ?? chosen.opponents.at(-1) ?? "easy");
    for (let seat = 0; seat < seats; seat++) {
      const label = row(parent, `Seat ${seat + 1}`, "who plays there");
      const isPerson = chosen.sitters?.[seat] ? chosen.sitters[seat] === "person" : seat < chosen.people;
      const sitter = chosen.sitters?.[seat] ?? (isPerson ? "person" : agentOf(seat));
      const name = (value) => (value === "person" ? "A person" : `${spaced(value)}: ${AGENTS[value] ?? "an agent"}`);
      const box = select(label, ["person", ...known], plain(sitter), (value) => {
        chosen.sitters = sitters(seats, known);
        chosen.sitters[seat] = value;
        fill();
      }, name);
      box.dataset.seat = seat;
      if (isPerson) {
        const field = make("input", label, "", { type: "text", maxLength: 24, placeholder: `Player ${seat + 1}`, value: chosen.names[seat] ?? "", ariaLabel: `name of player ${seat + 1}` });
        field.oninput = () => (chosen.names[seat] = field.value);
      }
    }
  }

  function sitters(seats, known) {
    return Array.from(panel.querySelectorAll("select[data-seat]"), (box) => ["person", ...known][box.value]).slice(0, seats);
  }

  /** Shows what there is to choose; where it makes no sense together, says why and goes back to the options before. */
  let filling = 0;
  async function fill(before = null) {
    const turn = ++filling;
    let spec;
    problem.textContent = "";
    try {
      spec = await core.ask({ ask: "spec", game: chosen.game, options: chosen.options });
    } catch (error) {
      if (before) {
        chosen.options = before;
        await fill();
      }
      problem.textContent = error.message;
      return;
    }
    if (turn !== filling) return;
    if (chosen.sitters && chosen.sitters.length !== spec.seats) chosen.sitters = null;
    const open = panel.querySelector("details")?.open ?? false;
    panel.replaceChildren();
    const meanings = Object.fromEntries(spec.option_meanings);
    const head = make("div", panel, "adjoin-chosen");
    make("h2", head, "", { textContent: spec.title });
    make("button", head, "adjoin-begin", { type: "submit", textContent: "Start" });
    const who = make("fieldset", panel, "adjoin-who");
    make("legend", who, "", { textContent: "Who plays" });
    const of = (name) => spec.settings.filter(([other]) => (other === "players") === (name === "players"));
    for (const [name, kind] of of("players")) setting(who, spec, name, kind, meanings[name]);
    seatRows(who, spec);
    const aids = spec.looks.filter(({ is_switch: isSwitch, name }) => isSwitch && name.startsWith("hide_"));
    const box = make("fieldset", panel, "");
    make("legend", box, "", { textContent: "Help and time" });
    for (const { name, meaning } of aids) {
      const label = row(box, spaced(name.replace("hide_", "show ")), `without: ${meaning}`);
      const tick = control("input", label, { type: "checkbox", checked: !chosen.looks[name] });
      tick.onchange = () => (chosen.looks[name] = tick.checked ? 0 : 1);
    }
    select(row(box, "Pace of agents", "how long they let you see what they did"), Object.keys(PACES), Object.keys(PACES).find((word) => PACES[word] === chosen.pace), (word) => (chosen.pace = PACES[word]));
    if (spec.has_timer) select(row(box, "Sand timer", "when the sand has run, anybody may call it"), TIMES, chosen.timer, (value) => (chosen.timer = value), (value) => (value ? `${value} seconds` : "none"));
    const more = make("details", panel, "", { open: open || Object.keys(chosen.options).length > 0 });
    make("summary", more, "", { textContent: "Options of the game" });
    for (const [name, kind] of of("others")) setting(more, spec, name, kind, meanings[name]);
    const rules = make("details", panel, "");
    make("summary", rules, "", { textContent: "The rules in short" });
    make("p", rules, "adjoin-rules", { textContent: spec.rules_in_short });
  }

  form.onsubmit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const spec = await core.ask({ ask: "spec", game: chosen.game, options: chosen.options });
      const known = spec.agents.map(plain);
      await begin(seated(chosen, spec, sitters(spec.seats, known)));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  await fill();
}

/** A choice with a sitter and a name for every seat. */
export function seated(chosen, spec, sitters = null) {
  const given = sitters?.length ? sitters : null;
  const all = Array.from({ length: spec.seats }, (_, seat) => given?.[seat] ?? (seat < (chosen.people ?? 1) ? "person" : chosen.opponents[seat - 1] ?? chosen.opponents.at(-1)));
  // An agent that was given with arguments keeps them.
  const exact = all.map((sitter) => chosen.opponents.find((agent) => plain(agent) === sitter) ?? sitter);
  const same = (seat) => exact.filter((sitter) => plain(sitter) === plain(exact[seat])).length > 1;
  const nth = (seat) => exact.slice(0, seat + 1).filter((sitter) => plain(sitter) === plain(exact[seat])).length;
  const names = exact.map((sitter, seat) => {
    if (sitter === "person") return chosen.names?.[seat]?.trim() || `Player ${seat + 1}`;
    return spaced(plain(sitter)) + (same(seat) ? ` ${nth(seat)}` : "");
  });
  return { ...chosen, options: chosen.options, sitters: exact, names, seed: chosen.seed ?? Math.floor(Math.random() * 1_000_000) };
}
