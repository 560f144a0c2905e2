// A page to play on: the start screen, a match with the core behind it, saving, and the film.

import { mountBoard } from "./board.js";
import { make } from "./elements.js";
import { Engine } from "./engine.js";
import { showFilm } from "./film.js";
import { seated, startScreen } from "./start_screen.js";

const KEPT = "adjoin match"; // where the browser keeps the match

/** What the browser keeps, if it keeps anything: a page from disk may not be allowed to. */
const store = {
  read() {
    try {
      return JSON.parse(localStorage.getItem(KEPT));
    } catch {
      return null;
    }
  },
  write(value) {
    try {
      if (value) localStorage.setItem(KEPT, JSON.stringify(value));
      else localStorage.removeItem(KEPT);
    } catch {
      // Then it is not kept; it can still be saved as a file.
    }
  },
};

/**
 * Opens the page in an element. `bytes` are the module's; `settings` say what is chosen at first: {game, options,
 * opponents, seed}. With `#play` in the address it begins at once; `#play={"game": ...}` says with what.
 */
export async function start(root, { settings, bytes, workerSource }) {
  const engine = await Engine.start(bytes, { workerSource });
  const [, isAsked, asked] = /^#(play)=?(.*)$/.exec(location.hash) ?? [];
  const page = new Page(root, engine, { ...settings, ...(asked ? JSON.parse(decodeURIComponent(asked)) : {}) });
  const kept = store.read();
  if (isAsked && page.settings.game) {
    page.isKeeping = false; // a frame in another page leaves alone what this browser keeps
    await page.begin(await page.chosen());
  } else if (kept && sessionStorageHas()) await page.goOn(kept);
  else await page.showStart();
}

/** Whether this window was in the middle of a match before it was loaded again. */
function sessionStorageHas() {
  try {
    return sessionStorage.getItem(KEPT) === "playing";
  } catch {
    return false;
  }
}

function setPlaying(isPlaying) {
  try {
    sessionStorage.setItem(KEPT, isPlaying ? "playing" : "");
  } catch {
    // Then the start screen offers to go on.
  }
}

class Page {
  constructor(root, engine, settings) {
    Object.assign(this, { root, engine, settings });
    this.choice = { ...settings };
    this.unmount = null;
    this.isKeeping = true;
  }

  clear() {
    this.unmount?.();
    this.unmount = null;
    this.root.replaceChildren();
  }

  async chosen() {
    const spec = await this.engine.ask({ ask: "spec", game: this.settings.game, options: this.settings.options });
    return seated({ timer: 0, pace: 700, looks: {}, ...this.settings }, spec);
  }

  async showStart() {
    this.clear();
    setPlaying(false);
    const screen = make("div", this.root, "adjoin-front");
    const head = make("header", screen, "adjoin-head");
    make("h1", head, "", { textContent: "Play" });
    const ways = make("div", head, "adjoin-ways");
    const problem = make("p", screen, "adjoin-problem");
    problem.setAttribute("role", "alert");
    const kept = store.read();
    const go = async (kept) => {
      try {
        await this.goOn(kept);
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    if (kept) make("button", ways, "", { type: "button", textContent: `Go on with ${kept.title}`, onclick: () => go(kept) });
    const label = make("label", ways, "adjoin-open-file");
    label.append("Open a saved match");
    const file = make("input", label, "", { type: "file", accept: ".json" });
    file.onchange = async () => {
      try {
        await this.goOn(JSON.parse(await file.files[0].text()));
      } catch (error) {
        problem.textContent = error instanceof SyntaxError ? "This file is no saved match." : error.message;
      }
    };
    await startScreen(screen, this.engine, this.choice, (choice) => this.begin(choice));
  }

  async begin(choice) {
    this.choice = choice;
    const { game, options, seed, sitters, names, pace } = choice;
    const update = await this.engine.ask({ ask: "open", game, options, seed, sitters, names, pace });
    this.choice = { ...choice, seed: null };
    await this.play(update, choice);
  }

  /** Goes on with a match that was kept or saved. */
  async goOn({ saved, choice = {} }) {
    if (!saved) throw new Error("This file is no saved match.");
    const update = await this.engine.ask({ ask: "resume", saved, pace: choice.pace });
    this.choice = { ...this.settings, ...choice };
    await this.play(update, this.choice);
  }

  /** Shows the match that the core has. */
  async play(update, { looks = {}, timer = 0, pace = 0 }) {
    this.clear();
    this.kept = null;
    if (this.isKeeping) setPlaying(true);
    let listener = null;
    let now = update;
    const show = (next) => {
      now = next.recovered ? { ...next, message: "Something went wrong inside; the match goes on from its last decision." } : next;
      listener?.(now);
      this.keep(now);
    };
    const send = async (message) => {
      try {
        show(await this.engine.ask({ ask: "receive", message, pace }));
      } catch (error) {
        listener?.({ ...now, message: error.message });
      }
    };
    this.engine.onupdate = show;
    this.unmount = mountBoard(this.root, {
      send,
      subscribe(call) {
        listener = call;
        call(now);
      },
      timer: () => timer,
      tools: [
        { label: "Film", title: "see the match again from its start", action: () => this.film(now, show) },
        { label: "Save", title: "save the match as a file", action: () => this.save(now) },
        { label: "New match", title: "the same game, dealt anew", action: () => send({ do: "new", number: now.number }) },
        { label: "Menu", title: "other games and options; the match is kept", action: () => this.showStart() },
      ],
    });
    for (const [name, to] of Object.entries(looks)) await send({ do: "look", what: { name, to } });
    this.keep(now);
  }

  async whole(update) {
    const { game, options, opponents, timer, pace, looks, names, sitters } = this.choice;
    const saved = await this.engine.ask({ ask: "save" });
    return { title: update.title, choice: { game, options, opponents, timer, pace, looks, names, sitters }, saved };
  }

  /** Keeps the match in the browser whenever a decision was taken. */
  async keep(update) {
    if (update.number === this.kept || !this.isKeeping) return;
    this.kept = update.number;
    store.write(await this.whole(update));
  }

  async save(update) {
    const text = JSON.stringify(await this.whole(update));
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = make("a", this.root, "", { href: url, download: `${update.title.toLowerCase().replace(/\W+/g, "-")}.json`, hidden: true });
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  async film(update, show) {
    const board = this.root.querySelector(".adjoin-board");
    try {
      board.hidden = true;
      await showFilm(this.root, this.engine, update.title, () => (board.hidden = false));
    } catch (error) {
      board.hidden = false;
      this.root.querySelector(".adjoin-film")?.remove();
      show({ ...update, message: error.message });
    }
  }
}
