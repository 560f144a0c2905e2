// The projector: how to join, a table without hands, or the results; the teacher chooses.

import { clock, connect, drawing, fill, listSeats, make, minutes, one, wins } from "./link.js";

const KEPT = "adjoin projector";
if (location.hash.length > 1) {
  sessionStorage.setItem(KEPT, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

let shown = { show: "join", code: null };
const timer = clock((left) => {
  one("#left").hidden = left === null;
  if (left !== null) one("#left").textContent = left > 0 ? minutes(left) : "Time is up";
});

function screen(message) {
  shown = message;
  one("#joining").hidden = message.show !== "join";
  one("#room").hidden = message.show !== "room";
  one("#results").hidden = message.show !== "results";
  one("#address").textContent = message.address.replace("http://", "");
  const open = message.rooms.filter((room) => (message.code ? room.code === message.code : room.state === "waiting"));
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
    make("span", words, { className: "room-name", textContent: `Room ${room.number} · ${room.title}` });
    make("strong", words, { className: "code", textContent: room.code });
    const free = room.seats.filter((seat) => seat.is_free).length;
    make("span", words, { textContent: free ? `${free} ${free === 1 ? "seat" : "seats"} free` : "all here" });
  }
}

connect(
  "projector",
  { token: sessionStorage.getItem(KEPT) ?? "" },
  {
    hear(message) {
      if (message.kind === "screen") screen(message);
      else if (message.kind === "room" && message.room.code === shown.code) {
        one("#title").textContent = `Room ${message.room.number} · ${message.room.title}`;
        if (message.room.state === "waiting") {
          one("#picture").replaceChildren();
          one("#status").textContent = "The match has not begun.";
        }
        listSeats(one("#seats"), message.room);
        timer.set(message.room.timer);
      } else if (message.kind === "update") {
        one("#status").textContent = message.update.status;
        one("#picture").replaceChildren(drawing(message.update.picture));
      }
    },
    state: (isOpen) => (one("#connection").textContent = isOpen ? "" : "Connection lost. Trying again …"),
    ended: () => (one("#connection").textContent = "Open the projector from the teacher's page."),
  },
);
