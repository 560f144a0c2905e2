// The way of the day: from a place to another by borders. What is guessed appears on the map.

import { daysBetween, later, ways } from "./daily_way.js";
import { listed, readName, words } from "./grading.js";
import { mapView } from "./map.js";
import { make, say } from "./quiz_elements.js";

const PAST = 28; // days in the list of past ones
const ALL = "all"; // the hint that shows every outline
const OFF = [
  { mark: "adjoin-off-0", square: "🟩", words: "on a shortest way" },
  { mark: "adjoin-off-1", square: "🟧", words: "1 border off" },
  { mark: "adjoin-off-2", square: "🟥", words: "2 borders off or more" },
  { mark: "adjoin-off-none", square: "⬛", words: "not connected" },
];
const offOf = (way, id) => OFF[Math.min(way.off(id) ?? 3, way.off(id) === null ? 3 : 2)];
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;

/** Today where the device is, as "2026-11-18". */
function today() {
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((number) => String(number).padStart(2, "0"));
  return `${now.getFullYear()}-${month}-${day}`;
}
const spoken = (date, more = {}) =>
  new Date(`${date}T00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC", ...more });

/** What is kept on the device: by date, the guesses, the hints and the day they were made on. */
function memory(key, isKnown) {
  const name = `adjoin-daily/${key}`;
  let days = {};
  const isText = (value) => typeof value === "string";
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "{}");
    for (const [date, day] of Object.entries(kept)) {
      const { guesses, hints, on } = day ?? {};
      if (![guesses, hints].every(Array.isArray) || !isText(on)) continue;
      days[date] = { guesses: [...new Set(guesses)].filter(isKnown), hints: hints.filter((id) => id === ALL || isKnown(id)), on };
    }
  } catch {
    days = {};
  }
  return {
    day: (date) => days[date] ?? { guesses: [], hints: [], on: "" },
    keep(date, day) {
      days[date] = day;
      try {
        localStorage.setItem(name, JSON.stringify(days));
      } catch {
        // Nothing is kept where the device does not allow it.
      }
    },
  };
}

function run(el, data) {
  const { book, first, map, title } = data;
  const names = book.names.region;
  const spokenName = (id) => data.spoken[id] ?? names[id];
  const [one, many] = book.noun;
  const all = ways(book, first);
  const kept = memory(data.key, (id) => book.scope.includes(id));
  const root = make("section", el, "adjoin-quiz adjoin-daily");
  say(root, { "aria-label": "The way of the day", lang: "en-GB" });

  const last = () => (daysBetween(first, today()) < 0 ? first : today());
  const isPlayable = (date) => /^\d{4}-\d\d-\d\d$/.test(date) && daysBetween(first, date) >= 0 && daysBetween(date, last()) >= 0;

  /** How a day stands: whether it is found or lost. */
  function standing(date) {
    const way = all.wayOf(date);
    const day = kept.day(date);
    const found = way.joined(day.guesses);
    const isLost = !found && day.guesses.length >= way.allowed;
    return { way, ...day, found, isLost, isOver: Boolean(found) || isLost };
  }
  /** How many days in a row, up to today, were found on their day. */
  function streak() {
    const isFound = (date) => kept.day(date).on === date && Boolean(standing(date).found);
    let date = isFound(last()) ? last() : later(last(), -1);
    let number = 0;
    for (; daysBetween(first, date) >= 0 && isFound(date); date = later(date, -1)) number += 1;
    return number;
  }

  let date = isPlayable(location.hash.slice(1)) ? location.hash.slice(1) : last();
  addEventListener("hashchange", () => {
    const asked = location.hash.slice(1);
    if (asked !== date && isPlayable(asked)) open(asked, true);
  });

  function open(asked, isFocused) {
    date = asked;
    if (location.hash.slice(1) !== date && (location.hash || date !== last())) history.replaceState(null, "", `#${date}`);
    root.replaceChildren();
    const { way } = standing(date);
    const head = make("header", root, "adjoin-daily-head");
    make("p", head, "adjoin-code", { textContent: `The way of the day ${way.number} · ${spoken(date)}` });
    const heading = make("h1", head, "", { textContent: `From ${spokenName(way.start)} to ${spokenName(way.end)}`, tabIndex: -1 });
    const task = `Name the ${many} in between, in any order: each borders the next. ${count(way.between, "name")} can be enough; you have ${count(way.allowed, "guess")}.`;
    make("p", head, "", { textContent: book.where ? `${task} Stay ${book.where}.` : task });

    const board = make("div", root, "adjoin-daily-board");
    const pictured = make("div", board, "adjoin-daily-map");
    const panel = make("div", board, "adjoin-daily-panel");
    const picture = map && mapView(pictured, map, { title: `Map with ${names[way.start]}, ${names[way.end]} and what was guessed` });
    if (!picture) make("p", pictured, "adjoin-soft", { textContent: "This atlas has no map." });

    const form = make("form", panel, "adjoin-daily-form");
    const label = make("label", form, "adjoin-name", { textContent: `Which ${one}?` });
    const entry = make("input", label, "adjoin-text", { type: "text", autocomplete: "off", spellcheck: false, maxLength: 100 });
    say(entry, { autocapitalize: "words", enterkeyhint: "go", autocorrect: "off" });
    make("button", form, "adjoin-main", { type: "submit", textContent: "Guess" });
    const told = make("p", panel, "adjoin-told");
    say(told, { role: "status", "aria-live": "polite" });
    const left = make("p", panel, "adjoin-code");
    const list = make("ol", panel, "adjoin-guesses");
    say(list, { "aria-label": "Guesses" });
    const hints = make("div", panel, "adjoin-tools");
    const outline = make("button", hints, "", { type: "button", textContent: "Hint: the outline of the next one" });
    const outlines = make("button", hints, "", { type: "button", textContent: "Hint: all outlines" });
    const end = make("section", panel, "adjoin-daily-end");
    legend(panel);
    const past = make("details", root, "adjoin-daily-past");

    /** Show everything that follows from the guesses. */
    function show() {
      const now = standing(date);
      const marks = {};
      for (const id of now.hints) if (id !== ALL) marks[id] = "adjoin-is-hint";
      const shortest = now.isOver ? way.through(now.guesses) : [];
      for (const id of shortest) if (now.isLost) marks[id] = "adjoin-is-missed";
      for (const id of now.guesses) marks[id] = offOf(way, id).mark;
      for (const id of [way.start, way.end]) marks[id] = "adjoin-is-subject";
      const labelled = [way.start, way.end, ...[...now.guesses].reverse(), ...(now.isLost ? shortest : [])];
      if (picture) {
        picture.root.classList.toggle("adjoin-is-veiled", !now.isOver && !now.hints.includes(ALL));
        picture.mark(marks);
        picture.link(now.found ?? []);
        picture.label(Object.fromEntries(labelled.map((id) => [id, names[id]])));
        picture.zoomTo(Object.keys(marks).filter((id) => marks[id] !== "adjoin-off-none"));
      }
      list.replaceChildren();
      for (const id of now.guesses) {
        const { mark, words: far } = offOf(way, id);
        const item = make("li", list);
        make("span", item, `adjoin-swatch ${mark}`);
        make("span", item, "", { textContent: `${names[id]}: ${far}` });
      }
      const rest = way.allowed - now.guesses.length;
      left.textContent = now.isOver ? "" : `${count(rest, "guess")} left`;
      [form, hints].forEach((part) => (part.hidden = now.isOver));
      outlines.disabled = now.hints.includes(ALL) || !picture;
      outline.disabled = outlines.disabled || !nextOnes(now).length;
      hints.hidden ||= !picture;
      end.replaceChildren();
      if (now.isOver) finish(now, shortest);
      listPast(past);
    }
    const nextOnes = ({ guesses, hints: given }) =>
      way.through([...guesses, ...given]).slice(1, -1).filter((id) => !guesses.includes(id) && !given.includes(id));
    function keep(change) {
      const { guesses, hints: given, on } = kept.day(date);
      kept.keep(date, { guesses, hints: given, on: on || today(), ...change });
      show();
    }
    outline.onclick = () => {
      const now = standing(date);
      const [id] = nextOnes(now);
      keep({ hints: [...now.hints, id] });
      told.textContent = "The outline of one that is on a shortest way is dashed on the map.";
    };
    outlines.onclick = () => {
      keep({ hints: [...standing(date).hints, ALL] });
      told.textContent = `The map has the outlines of all ${many}.`;
      entry.focus();
    };

    form.onsubmit = (event) => {
      event.preventDefault();
      const text = words(entry.value);
      if (!text) return;
      const { id, correction, also_called: called } = readName(book, text, "region");
      const { guesses } = standing(date);
      const refusal =
        id === null ? `“${text}” is no ${one} that this page knows. It costs nothing.`
        : id === way.start || id === way.end ? `${names[id]} is one of the two ends.`
        : guesses.includes(id) ? `${names[id]} was guessed already.`
        : !book.scope.includes(id) ? `${names[id]} is not ${book.where}. It costs nothing.`
        : "";
      entry.focus();
      if (refusal) {
        told.textContent = refusal;
        entry.select();
        return;
      }
      entry.value = "";
      const spelt = correction ? ` It is spelt ${correction}.` : called ? ` Here it is called ${called}.` : "";
      keep({ guesses: [...guesses, id] });
      told.textContent = `${names[id]}: ${offOf(way, id).words}.${spelt}`;
      if (standing(date).isOver) end.querySelector("h2").focus();
    };

    function finish(now, shortest) {
      const inner = (ids) => listed(ids.slice(1, -1).map(spokenName));
      make("h2", end, "", { textContent: now.found ? "Found" : "Not found this time", tabIndex: -1 });
      if (now.found) {
        const extra = now.guesses.length - way.between;
        make("p", end, "", { textContent: `Your way goes through ${inner(now.found)}.` });
        make("p", end, "", { textContent: extra ? `${count(now.guesses.length, "guess")}; ${way.between} can be enough.` : "As few guesses as can be." });
      }
      if (!now.found || now.found.length > shortest.length)
        make("p", end, "", { textContent: `A shortest way goes through ${inner(shortest)}.` });
      const days = streak();
      if (days) make("p", end, "", { textContent: `Found on the day: ${count(days, "day")} in a row.` });
      const text = result(now);
      const copy = make("button", end, "adjoin-main", { type: "button", textContent: "Copy the result" });
      const copied = make("span", end, "adjoin-code");
      say(copied, { role: "status" });
      const shown = make("textarea", end, "adjoin-text adjoin-result", { value: text, readOnly: true, rows: text.split("\n").length });
      say(shown, { "aria-label": "The result as text" });
      copy.onclick = async () => {
        try {
          await navigator.clipboard.writeText(text);
        } catch {
          shown.select();
          document.execCommand("copy");
        }
        copied.textContent = " Copied.";
      };
    }
    function result({ guesses, hints: given, found }) {
      const squares = guesses.map((id) => offOf(way, id).square).join("");
      const helped = given.length ? `, ${count(given.length, "hint")}` : "";
      const how = found ? `${count(guesses.length, "guess")}, ${way.between} needed` : `not found in ${count(guesses.length, "guess")}`;
      return [`The way of the day ${way.number}, ${spoken(date)}`, `${title}: ${names[way.start]} → ${names[way.end]}`, squares, how + helped].join("\n");
    }

    show();
    if (isFocused) heading.focus();
  }

  function legend(parent) {
    const box = make("p", parent, "adjoin-legend adjoin-soft");
    for (const { mark, words: far } of OFF) {
      const item = make("span", box);
      make("span", item, `adjoin-swatch ${mark}`);
      item.append(far);
    }
  }

  /** The days before, with how each stands. */
  function listPast(box) {
    const isOpen = box.open;
    box.replaceChildren();
    box.open = isOpen;
    make("summary", box, "", { textContent: "Past days" });
    const label = make("label", box, "adjoin-name", { textContent: "A day " });
    const asked = make("input", label, "adjoin-text", { type: "date", min: first, max: last(), value: date });
    asked.onchange = () => isPlayable(asked.value) && open(asked.value, true);
    const list = make("ul", box, "adjoin-days");
    for (let n = 0; n < PAST; n += 1) {
      const day = later(last(), -n);
      if (daysBetween(first, day) < 0) break;
      const now = standing(day);
      const state = now.found ? "found" : now.isLost ? "not found" : now.guesses.length ? "begun" : "";
      const button = make("button", make("li", list), "", { type: "button", onclick: () => open(day, true) });
      make("span", button, "adjoin-code", { textContent: spoken(day, { year: undefined, month: "short" }) });
      make("span", button, "", { textContent: ` ${names[now.way.start]} → ${names[now.way.end]}` });
      make("span", button, "adjoin-code", { textContent: state ? ` · ${state}` : "" });
      if (day === date) say(button, { "aria-current": "date" });
    }
  }

  open(date, false);
}
