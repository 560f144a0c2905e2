// The core in a worker: questions go in, answers and updates come out.

/** The core in a worker of its own, so that the page never waits for it. */
export class Engine {
  /** Hears every update that agents bring about; the answer to a question is not among them. */
  onupdate = () => {};

  #worker;
  #waiting = new Map(); // by number: who waits for an answer
  #asked = 0;
  #isClosed = false;

  /** Starts the module of these bytes. `workerSource` is the text of worker.js; it is fetched where it is not given. */
  static async start(bytes, { workerSource } = {}) {
    const source = workerSource ?? (await (await fetch(new URL("./worker.js", import.meta.url))).text());
    const engine = new Engine();
    // A page from disk may start no module in a worker, so it becomes a script.
    const url = URL.createObjectURL(new Blob([source.replace(/^export /gm, "")], { type: "text/javascript" }));
    engine.#worker = new Worker(url, { name: "adjoin" });
    engine.#worker.onmessage = ({ data }) => engine.#hear(data);
    engine.#worker.onerror = (event) => engine.#fail(`the worker failed: ${event.message ?? "it cannot be started"}`);
    try {
      await engine.#send({ bytes });
    } catch (error) {
      engine.close();
      throw error;
    } finally {
      URL.revokeObjectURL(url);
    }
    return engine;
  }

  /**
   * The answer to a question, as src/web/door.rs has them, or an Error with what is wrong with it.
   *
   * After `open`, `resume` and `receive` the agents play by themselves. Their updates come `pace` milliseconds apart at
   * least, which is a field of the question.
   */
  ask(question) {
    return this.#send({ question });
  }

  /** Ends the worker; what is not answered yet is refused. */
  close() {
    this.#isClosed = true;
    this.#worker.terminate();
    this.#fail("the engine is closed");
  }

  #send(message) {
    if (this.#isClosed) return Promise.reject(new Error("the engine is closed"));
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, ...message });
    });
  }

  #hear({ number, answer, error, update }) {
    if (update) {
      this.onupdate(update);
      return;
    }
    const { resolve, reject } = this.#waiting.get(number) ?? {};
    this.#waiting.delete(number);
    if (error === undefined) resolve?.(answer);
    else reject?.(new Error(error));
  }

  #fail(message) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    waiting.forEach(({ reject }) => reject(new Error(message)));
  }
}
