// The seconds that are left, counted on from what the server said last. It alone decides when they are up.

import { make, say } from "./quiz_elements.js";

/** A clock in an element; `up()` is called once when it has run down. */
export function clock(parent, bar = null) {
  const face = make("span", parent, "adjoin-clock");
  say(face, { role: "timer", "aria-label": "seconds left" });
  const rest = bar && make("div", bar, "adjoin-left");
  let [end, seconds, timer, up] = [0, 0, null, null];

  function tick() {
    const left = Math.max(0, (end - performance.now()) / 1000);
    face.textContent = Math.ceil(left);
    face.classList.toggle("adjoin-late", left <= 5);
    if (rest) rest.style.width = `${(100 * left) / seconds}%`;
    if (left) return;
    stop();
    up?.();
  }
  function stop() {
    clearInterval(timer);
    timer = null;
  }
  return {
    stop,
    set({ left, seconds: limit, is_paused: isPaused }, whenUp = null) {
      stop();
      up = whenUp;
      face.hidden = left === null;
      if (bar) bar.hidden = left === null;
      if (left === null) return;
      [end, seconds] = [performance.now() + left * 1000, limit];
      tick();
      if (!isPaused && left) timer = setInterval(tick, 100);
    },
  };
}
