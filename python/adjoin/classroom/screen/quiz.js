// A quiz on the screen: for a pupil, a question at a time; or for a class, on a projector.

import { make, say } from "./quiz_elements.js";
import { ask } from "./quiz_pupil.js";
import { project } from "./quiz_projector.js";

/** Run a quiz in an element; return what ends it. */
function run(el, quiz, options = {}) {
  const root = make("section", el, "adjoin-quiz");
  say(root, { "aria-label": quiz.title, lang: "en-GB", "data-lm-suppress-shortcuts": "true" });
  return (options.projector ? project : ask)(root, quiz, options);
}

function render({ model, el }) {
  const finished = (result) => model.send({ do: "result", what: result });
  return run(el, model.get("quiz"), { ...model.get("options"), finished });
}

export default { render };
