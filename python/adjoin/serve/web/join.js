// A pupil's page: the door with code and name, the lobby, and the board of the seat or a live quiz.

import { ask, board, connect, dress, fill, listSeats, make, one, wins } from "./link.js";
import { livePupil } from "./live_pupil.js";
import { liveScreen } from "./live_screen.js";

const KEPT = "adjoin seat";
let link = null;
const send = (message) => link?.send(message);
const shown = board(one("#board"), send);
let quiz = null;

// The seat is kept for this tab; another tab of the same browser may take it up if it is asked to.
const kept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
const keptEarlier = () => JSON.parse(localStorage.getItem(KEPT) ?? "null");

function keep(seat) {
  sessionStorage.setItem(KEPT, JSON.stringify(seat));
  localStorage.setItem(KEPT, JSON.stringify(seat));
}

function forget() {
  sessionStorage.removeItem(KEPT);
  localStorage.removeItem(KEPT);
}

// The door.

const code = one("#code");
const say = (words) => (one("#error").textContent = words);

async function look() {
  one("#about").textContent = "";
  one("#seats-label").hidden = true;
  if (code.value.replaceAll(" ", "").length < 5) return;
  try {
    const { room } = await ask({ code: code.value });
    one("#about").textContent = room.kind === "quiz" ? `Live quiz: ${room.title}` : `Room ${room.number}: ${room.title}`;
    say("");
    if (room.kind === "quiz") return;
    const free = room.seats.map((seat, number) => ({ ...seat, number })).filter((seat) => seat.is_free);
    const seats = one("#seats");
    seats.replaceChildren();
    make("option", seats, { value: "", textContent: free.length ? "any free seat" : "no seat is free" });
    free.forEach(({ number }) => make("option", seats, { value: number, textContent: `seat ${number + 1}` }));
    one("#seats-label").hidden = free.length < 2;
  } catch (error) {
    say(error.message);
  }
}

async function join(event) {
  event.preventDefault();
  try {
    const wanted = one("#seats").value;
    const seat = await ask({ code: code.value, name: one("#name").value, seat: wanted === "" ? null : Number(wanted) });
    keep(seat);
    enter(seat);
  } catch (error) {
    await look();
    say(error.message);
  }
}

async function watch() {
  try {
    const { room } = await ask({ code: code.value });
    enter({ code: room.code }, "watch");
  } catch (error) {
    say(error.message);
  }
}

function door(words = "") {
  link?.close();
  link = null;
  shown.clear();
  quiz?.clear();
  quiz = null;
  one("#door").hidden = false;
  one("#room").hidden = true;
  say(words);
  const seat = keptEarlier();
  one("#back").hidden = !seat;
  one("#return").textContent = seat ? `Back to my seat in room ${seat.code}` : "";
  code.focus();
}

// The room.

function enter(hello, path = "seat") {
  say("");
  one("#door").hidden = true;
  one("#room").hidden = false;
  history.replaceState(null, "", `#${hello.code}`);
  link = connect(path, hello, {
    hear(message) {
      if (message.kind === "room") dress(message.room.kind);
      if (message.kind === "room" && message.room.kind === "quiz") quizRoom(message.room, path);
      else if (message.kind === "room") tell(message.room, message.you);
      else if (message.kind === "book" || message.kind === "quiz") quizNews(message);
      else if (message.kind === "update") shown.show(message);
    },
    state(isOpen) {
      one("#connection").textContent = isOpen ? "" : "Connection lost. Trying again …";
      document.body.classList.toggle("lost", !isOpen);
    },
    ended(number, reason) {
      if (number !== 4001) forget();
      door(reason);
    },
  });
}

function quizRoom(room, path) {
  document.title = `Live quiz: ${room.title}`;
  one("#title").textContent = room.title;
  one("#lobby").hidden = one("#board").hidden = one("#over").hidden = true;
  one("#quiz").hidden = false;
  const where = () => ({ code: room.code, address: location.host });
  quiz ??= path === "watch" ? liveScreen(one("#quiz"), where) : livePupil(one("#quiz"), send);
}

function quizNews(message) {
  if (message.kind === "quiz") one("#who").textContent = message.you?.name ?? "watching";
  quiz.hear(message);
}

function tell(room, you) {
  one("#quiz").hidden = true;
  const me = you === null ? null : room.seats[you];
  document.title = `${room.title}, room ${room.number}`;
  one("#title").textContent = `${room.title} · room ${room.number}`;
  one("#who").textContent = me ? me.name : "watching";
  const isWaiting = room.state === "waiting";
  one("#lobby").hidden = !isWaiting;
  one("#board").hidden = isWaiting;
  one("#lobby-title").textContent = me ? `Hello, ${me.name}` : room.title;
  const free = room.seats.filter((seat) => seat.is_free).length;
  one("#lobby-text").textContent = free
    ? `Waiting for ${free} more ${free === 1 ? "player" : "players"}.`
    : "The match is about to begin.";
  listSeats(one("#lobby-seats"), room, you);
  one("#over").hidden = room.state !== "over";
  const last = Math.max(0, ...room.results.map((row) => row.match));
  const rows = room.results.filter((row) => row.match === last);
  fill(
    one("#results"),
    ["Name", "Win", rows[0]?.counted ?? "points"],
    rows.map((row) => [row.name, wins(row.won), row.points]),
  );
}

one("#form").onsubmit = join;
one("#watch").onclick = watch;
one("#return").onclick = () => {
  const seat = keptEarlier();
  keep(seat);
  enter(seat);
};
code.oninput = look;

const asked = decodeURIComponent(location.hash.slice(1));
const seat = kept();
if (seat && (!asked || asked === seat.code)) enter(seat);
else {
  code.value = asked;
  door();
  look();
  if (asked) one("#name").focus();
}
addEventListener("hashchange", () => {
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (!link && wanted) {
    code.value = wanted;
    look();
  }
});
