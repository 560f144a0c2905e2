// A connection that comes back by itself, and what the pages share.

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 10_000;
const FINAL = new Set([4001, 4003, 4004]); // taken over, not yours, room closed
const TRIED_TOO_OFTEN = 4008;

/**
 * Connects to `/socket/<path>`, says `hello`, and goes on for ever: after a loss it waits, longer each time, and says it
 * again. `hear(message)` gets what comes; `state(isOpen)` hears of losses; `ended(code, reason)` of an end without return.
 */
export function connect(path, hello, { hear, state = () => {}, ended = () => {} }) {
  let socket = null;
  let wait = FIRST_WAIT;
  let timer = null;
  let isClosed = false;

  function open() {
    socket = new WebSocket(`ws://${location.host}/socket/${path}`);
    socket.onopen = () => socket.send(JSON.stringify(hello));
    socket.onmessage = ({ data }) => {
      wait = FIRST_WAIT;
      state(true);
      hear(JSON.parse(data));
    };
    socket.onclose = ({ code, reason }) => {
      if (isClosed) return;
      state(false);
      if (FINAL.has(code)) {
        isClosed = true;
        ended(code, reason);
        return;
      }
      const longest = code === TRIED_TOO_OFTEN ? 3 * LONGEST_WAIT : wait;
      timer = setTimeout(open, longest * (0.5 + Math.random() / 2));
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  }

  function now() {
    if (isClosed || document.hidden || !socket || socket.readyState !== WebSocket.CLOSED) return;
    clearTimeout(timer);
    open();
  }
  addEventListener("online", now);
  document.addEventListener("visibilitychange", now);
  open();
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket.close();
    },
  };
}

/** A new element: `make("p", parent, { className, textContent })`. Text is only ever set as text. */
export function make(tag, parent, more = {}) {
  const element = Object.assign(document.createElement(tag), more);
  parent?.append(element);
  return element;
}

export const one = (selector) => document.querySelector(selector);

/** Lets the style sheets of boards or those of quizzes count: they name things alike. */
export const dress = (kind) => document.querySelectorAll("link[data-for]").forEach((sheet) => (sheet.disabled = sheet.dataset.for !== kind));

/** Asks `/join`; throws what a person can be told. */
export async function ask(question) {
  let response;
  try {
    response = await fetch("/join", { method: "POST", body: JSON.stringify(question) });
  } catch {
    throw new Error("The server does not answer. Is this device on the school's network?");
  }
  if (response.status === 429) throw new Error("Too many wrong codes. Wait a minute.");
  const answer = await response.json().catch(() => ({ error: "The server did not understand." }));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/**
 * A board that shows updates as they come; `send` is for those who sit at the table. It is made with the first update.
 */
export function board(element, send = () => {}) {
  const listeners = new Set();
  let update = null;
  let unmount = null;
  return {
    async show(message) {
      update = { ...message.update, timer: message.timer ?? undefined };
      listeners.forEach((listener) => listener(update));
      unmount ??= import("./board.js").then(({ mountBoard }) =>
        mountBoard(element, {
          send,
          tools: [],
          subscribe(listener) {
            listeners.add(listener);
            listener(update);
            return () => listeners.delete(listener);
          },
        }),
      );
    },
    async clear() {
      const last = unmount;
      unmount = null;
      (await last)?.();
    },
  };
}

/** Shows who sits where: dots say who is there, an arrow whose turn it is. */
export function listSeats(list, room, you = null) {
  list.replaceChildren();
  room.seats.forEach((seat, number) => {
    const item = make("li", list, { className: "seat" });
    const isMissing = seat.is_free || (!seat.is_agent && !seat.is_here);
    item.dataset.is = seat.is_agent ? "agent" : isMissing ? "away" : "here";
    item.classList.toggle("to-act", room.to_act === number);
    make("span", item, { className: "name", textContent: seat.name || "free seat" });
    const notes = [];
    if (number === you) notes.push("you");
    if (seat.name && isMissing) notes.push("not connected");
    if (room.to_act === number) notes.push("to play");
    if (notes.length) make("small", item, { textContent: notes.join(", ") });
  });
}

const PARTS = { 0.5: "½", 0.25: "¼", 0.3333: "⅓", 0.6667: "⅔", 0.75: "¾" };

/** A number of wins, as people write it. */
export function wins(number) {
  const whole = Math.floor(number + 0.001);
  const rest = number - whole;
  const part = Object.keys(PARTS).find((key) => Math.abs(rest - key) < 0.01);
  if (part) return `${whole || ""}${PARTS[part]}`;
  return rest > 0.01 ? number.toFixed(2) : String(whole);
}

/** Fills a table with rows of texts. */
export function fill(table, header, rows) {
  table.replaceChildren();
  const head = make("tr", make("thead", table));
  header.forEach((text) => make("th", head, { textContent: text, scope: "col" }));
  const body = make("tbody", table);
  for (const row of rows) {
    const line = make("tr", body);
    row.forEach((text) => make("td", line, { textContent: text }));
  }
}
