// What runs in the engine's worker: the core, and what keeps it going. No rules here, and no picture.

const PLAYS = ["open", "resume", "receive"]; // what is answered by an update, after which agents may have to decide
const DEALS = 1_000_000; // of so many one is drawn where nobody says which

/** An instance of the module as a function from a question's text to its answer's. */
export function instantiate(module) {
  const { memory, adjoin_room, adjoin_ask, adjoin_answer } = new WebAssembly.Instance(module).exports;
  return (text) => {
    const question = new TextEncoder().encode(text);
    const room = adjoin_room(question.length) >>> 0;
    if (!room) throw new RangeError(`no room for a question of ${question.length} bytes`);
    new Uint8Array(memory.buffer, room, question.length).set(question);
    const length = adjoin_ask() >>> 0;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, adjoin_answer() >>> 0, length));
  };
}

/**
 * A match that outlives the instances it is played in. `make` returns a new instance, as `instantiate` does.
 *
 * When an instance fails in the midst of an answer, which is a bug of the core's, another one goes on from the last
 * decision, and the answer is the update there with `recovered: true`.
 */
export class Match {
  #make;
  #instance;
  #number; // of the update that was saved last
  #saved = null;

  constructor(make) {
    this.#make = make;
    this.#instance = make();
  }

  /** The answer to a question, or an Error with what is wrong with it. */
  ask(question) {
    try {
      const answer = this.#raw(question);
      const update = question.ask === "step" ? answer.update : PLAYS.includes(question.ask) ? answer : null;
      if (update && (question.ask !== "receive" || update.number !== this.#number)) this.#keep(update);
      return answer;
    } catch (failure) {
      if (failure instanceof Refusal) throw failure;
      return this.#recover(failure);
    }
  }

  #raw(question) {
    const answer = JSON.parse(this.#instance(JSON.stringify(question)));
    if ("error" in answer) throw new Refusal(answer.error);
    return answer;
  }

  #keep({ number }) {
    this.#saved = this.#raw({ ask: "save" });
    this.#number = number;
  }

  #recover(failure) {
    this.#instance = this.#make();
    if (!this.#saved) throw new Error(`the core failed and begins anew: ${failure.message}`);
    const update = this.#raw({ ask: "resume", saved: this.#saved });
    this.#number = update.number;
    return { ...update, recovered: true };
  }
}

/** What is wrong with a question. */
class Refusal extends Error {}

/**
 * Answers questions one by one, and lets the agents decide in between, until a person is to.
 *
 * `show` gets the update after every agent's decision, `pace` milliseconds after the one before at the earliest. An agent
 * at whose decision the core fails twice in succession is asked again only after the next question that plays.
 */
export class Host {
  #match;
  #show;
  #pace = 0;
  #shown = 0; // when
  #isThinking = false;
  #isPlaying = false;

  constructor(match, show) {
    this.#match = match;
    this.#show = show;
  }

  ask({ pace = 0, ...question }) {
    if (question.ask === "receive" && question.message?.do === "new") question = dealt(question);
    const answer = this.#match.ask(question);
    if (PLAYS.includes(question.ask) || answer.recovered) {
      this.#pace = pace;
      this.#shown = performance.now();
      this.#isThinking = answer.is_thinking;
      this.#play();
    }
    return answer;
  }

  async #play() {
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    try {
      await this.#playOn();
    } catch (error) {
      reportError(error); // nobody waits for it
    } finally {
      this.#isPlaying = false;
    }
  }

  async #playOn() {
    let failures = 0;
    while (this.#isThinking && failures < 2) {
      const wait = this.#shown + this.#pace - performance.now();
      // A question that comes in meanwhile is answered first, and may change what there is to wait for.
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(wait, 50))));
      if (!this.#isThinking || performance.now() < this.#shown + this.#pace) continue;
      const stepped = this.#match.ask({ ask: "step" });
      const update = stepped.recovered ? stepped : stepped.update;
      failures = stepped.recovered ? failures + 1 : 0;
      this.#isThinking = update.is_thinking;
      this.#shown = performance.now();
      this.#show(update);
    }
  }
}

/** A message that asks for a new deal, with the number of one. */
function dealt(question) {
  const what = question.message.what ?? Math.floor(Math.random() * DEALS);
  return { ...question, message: { ...question.message, what } };
}

/** What the worker does: the first message has the bytes of the module, all others a question. */
function serve(scope) {
  let host = null;
  const answerTo = async ({ bytes, question }) => {
    if (!bytes) return host.ask(question);
    const module = await WebAssembly.compile(bytes);
    host = new Host(new Match(() => instantiate(module)), (update) => scope.postMessage({ update }));
    return {};
  };
  scope.onmessage = async ({ data }) => {
    const { number } = data;
    try {
      scope.postMessage({ number, answer: await answerTo(data) });
    } catch (error) {
      scope.postMessage({ number, error: error.message });
    }
  };
}

if (typeof WorkerGlobalScope !== "undefined" && globalThis instanceof WorkerGlobalScope) serve(globalThis);
