// The projector: how to join, a table without hands, a live quiz, or the results; the teacher chooses.

import { board, connect, dress, fill, listSeats, make, one, wins } from "./link.js";
import { liveScreen } from "./live_screen.js";

const KEPT = "adjoin projector";
if (location.hash.length > 1) {
  sessionStorage.setItem(KEPT, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

let shown = { show: "join", code: null };
const table = board(one("#board"));
const quiz = liveScreen(one("#quiz"), () => ({ code: shown.code, address: shown.address.replace("http://", "") }));

// The sand runs here too, from what the server said last.
let end = null;
function sand() {
  one("#left").hidden = end === null;
  const left = Math.ceil(Math.max(0, (end - performance.now()) / 1000));
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  one("#left").textContent = left > 0 ? clock : "Time is up";
}
setInterval(sand, 250);

function screen(message) {
  if (message.code !== shown.code || message.show !== shown.show) {
    table.clear();
    quiz.clear();
  }
  shown = message;
  const isQuiz = message.rooms.some((room) => room.code === message.code && room.kind === "quiz");
  dress(isQuiz ? "quiz" : "game");
  one("#joining").hidden = message.show !== "join";
  one("#room").hidden = message.show !== "room" || isQuiz;
  one("#quiz").hidden = message.show !== "room" || !isQuiz;
  one("#results").hidden = message.show !== "results";
  one("#address").textContent = message.address.replace("http://", "");
  const open = message.rooms.filter((room) => (message.code ? room.code === message.code : ["waiting", "lobby"].includes(room.state)));
  codes(open);
  const standings = message.standings.slice(0, 30);
  fill(
    one("#standings"),
    ["", "Name", "Room", "Matches", "Wins", "Points"],
    standings.map((row, at) => [at + 1, row.name, row.room, row.matches, wins(row.won), row.points]),
  );
}

let drawn = "";
function codes(rooms) {
  const now = JSON.stringify(rooms.map((room) => [room.code, room.seats]));
  if (now === drawn) return;
  drawn = now;
  const list = one("#codes");
  list.replaceChildren();
  list.dataset.many = rooms.length > 4 ? "many" : rooms.length > 1 ? "some" : "one";
  if (!rooms.length) make("li", list, { className: "none", textContent: "No room is waiting for players." });
  for (const room of rooms) {
    const item = make("li", list, { className: "code-card" });
    make("img", item, { src: `/qr/${room.code}.svg`, alt: `QR code of room ${room.number}` });
    const words = make("div", item);
    make("span", words, { className: "room-name", textContent: `${room.kind === "quiz" ? "Live quiz" : `Room ${room.number}`} · ${room.title}` });
    make("strong", words, { className: "code", textContent: room.code });
    const free = room.seats.filter((seat) => seat.is_free).length;
    if (room.kind === "quiz") make("span", words, { textContent: `${room.seats.length} are in` });
    else make("span", words, { textContent: free ? `${free} ${free === 1 ? "seat" : "seats"} free` : "all here" });
  }
}

connect(
  "projector",
  { token: sessionStorage.getItem(KEPT) ?? "" },
  {
    hear(message) {
      if (message.kind === "screen") screen(message);
      else if (message.kind === "book" || message.kind === "quiz") quiz.hear(message);
      else if (message.kind === "room" && message.room.kind === "game" && message.room.code === shown.code) {
        const { room } = message;
        one("#title").textContent = `Room ${room.number} · ${room.title}`;
        one("#early").hidden = room.state !== "waiting";
        listSeats(one("#seats"), room);
        end = room.timer && performance.now() + room.timer.left * 1000;
        sand();
      } else if (message.kind === "update") table.show(message);
    },
    state: (isOpen) => (one("#connection").textContent = isOpen ? "" : "Connection lost. Trying again …"),
    ended: () => (one("#connection").textContent = "Open the projector from the teacher's page."),
  },
);
