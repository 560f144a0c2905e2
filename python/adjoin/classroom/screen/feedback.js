// What an answer was worth, in words.

import { grade, listed, nameOf, solution } from "./grading.js";
import { make, points } from "./quiz_elements.js";

/** What was answered, in words. */
export function answered(book, question, answer) {
  if (answer === null) return "not answered";
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  const shown = (text) => nameOf(book, question, text);
  return [answer].flat().map(shown).join(question.form === "many" ? ", " : " – ");
}

/** Write what an answer was worth; who has the grade and the right answer in words already gives them. */
export function feedback(parent, book, question, answer, found = grade(book, question, answer), right = solution(book, question)) {
  const verdict = found.is_right ? "right" : found.share ? "partly" : "wrong";
  parent.classList.add(`adjoin-was-${verdict}`);
  const told = make("div", parent, "adjoin-words");
  const heading = {
    right: "Right.",
    partly: `Partly right: ${points(found.share)} of a point.`,
    wrong: answer === null ? "Not answered." : "Not right.",
  };
  make("h3", told, "", { textContent: heading[verdict] });
  const lines = [...found.notes];
  if (question.form === "many" && answer !== null && question.answers[0] !== "none") {
    if (found.missing.length) lines.push(`Missing: ${listed(found.missing)}.`);
    if (found.wrong.length) lines.push(`Wrong: ${listed(found.wrong)}.`);
  } else if (!found.is_right && question.form !== "route") lines.push(`Right answer: ${right}.`);
  lines.forEach((textContent) => make("p", told, "", { textContent }));
  for (const [text, name] of found.also_called)
    make("p", told, "adjoin-spelling", { textContent: `“${text}” is also called ${name}.` });
  for (const [text, name] of found.corrections) {
    const line = make("p", told, "adjoin-spelling", { textContent: `You wrote “${text}”. It is spelt ` });
    make("strong", line, "", { textContent: name });
    line.append(".");
  }
  found.unread.forEach((text) => make("p", told, "", { textContent: `“${text}” could not be read.` }));
  make("p", told, "adjoin-explanation", { textContent: question.explanation });
  return found;
}
