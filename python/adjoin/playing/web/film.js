// A match as a film: every decision a picture, to be played, stopped and stepped through.

import { mountBoard } from "./board.js";
import { make } from "./elements.js";

const PACE = 900;

/** Shows the film of the match that the core has; `done` is called when somebody has seen enough. */
export async function showFilm(element, core, title, done) {
  const box = make("div", element, "adjoin-film");
  const place = make("div", box, "adjoin-film-board");
  const bar = make("div", box, "adjoin-film-bar");
  let listener = null;
  let at = 0;
  let count = 0;
  let timer = null;
  const unmount = mountBoard(place, { send() {}, subscribe: (call) => void (listener = call), tools: [] });

  const tool = (label, name, onclick) => make("button", bar, "", { type: "button", textContent: label, title: name, ariaLabel: name, onclick });
  tool("|◀", "to the start", () => go(0));
  tool("◀", "one back", () => go(at - 1));
  const play = tool("▶ Play", "play or stop", () => (timer ? stop() : run()));
  tool("▶|", "one on", () => go(at + 1));
  const slider = make("input", bar, "", { type: "range", min: 0, value: 0, ariaLabel: "which decision" });
  const where = make("output", bar, "");
  tool("Close", "back to the match", () => {
    stop();
    unmount();
    box.remove();
    done();
  });
  slider.oninput = () => go(Number(slider.value));

  async function go(number) {
    const wanted = Math.max(0, Math.min(number, count));
    const frame = await core.ask({ ask: "frame", at: wanted });
    ({ at, count } = frame);
    slider.max = count;
    slider.value = at;
    where.textContent = `${at} of ${count}`;
    listener({
      picture: frame.picture, status: frame.caption || "The start", message: "", rule: "", about: null, actions: [], picked: [], hint: [],
      log: [], looks: [], can_undo: false, has_timer: false, is_over: true, is_thinking: false, is_film: true, curtain: null, seat: null, number: at, title,
    });
    if (at >= count) stop();
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ Play";
  }
  function run() {
    if (at >= count) at = -1;
    timer = setInterval(() => go(at + 1), PACE);
    play.textContent = "❚❚ Stop";
  }
  await go(0);
  play.focus();
}
