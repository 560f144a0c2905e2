// A match on a page of its own: the board, and the core behind it.

import board from "./board.js";
import { Engine } from "./engine.js";

const PACE = 600; // milliseconds between the decisions of agents

/** Opens a match in an element. `bytes` are the module's, `settings` say which match: {game, options, opponents, seed}. */
export async function start(root, { settings, bytes, workerSource }) {
  const engine = await Engine.start(bytes, { workerSource });
  const game = settings.game ?? (await engine.ask({ ask: "games" })).games[0].name;
  const { seats } = await engine.ask({ ask: "spec", game, options: settings.options });
  const others = Array.from({ length: seats - 1 }, (_, seat) => settings.opponents[seat] ?? settings.opponents[0]);
  const seed = settings.seed ?? Math.floor(Math.random() * 1_000_000);
  const listeners = [];
  let update = null;
  const show = (next) => {
    update = next;
    listeners.forEach((call) => call());
  };
  engine.onupdate = show;
  update = await engine.ask({ ask: "open", game, options: settings.options, seed, sitters: ["person", ...others], pace: PACE });
  root.replaceChildren();
  board.render({
    el: root,
    model: {
      get: (name) => (name === "picture" ? update.picture : update),
      send: async (message) => show(await engine.ask({ ask: "receive", message, pace: PACE })),
      on: (_, call) => listeners.push(call),
      off: (_, call) => listeners.splice(listeners.indexOf(call), 1),
    },
  });
}
