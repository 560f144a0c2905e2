// Reads and grades answers exactly as spelling.py and exercises/question.py do; a test compares them.

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LEAST_LETTERS = 5;
const LONGER = 0.5; // what a way that is longer than needed is worth
const NEIGHBOUR = 0.5; // what a neighbour of the place to click is worth
const LONGEST = 4000; // how much of an answer is read
const SEPARATORS = /[,;>→|/\n]|\s[-–—]\s/;
const YES = ["yes", "y", "true"];
const NO = ["no", "n", "false"];

export const has = (object, key) => Object.prototype.hasOwnProperty.call(object ?? {}, key);
const pairs = (things) => things.slice(1).map((thing, n) => [things[n], thing]);
const joined = (parts) =>
  parts.filter(Boolean).map((part) => (part === "saint" ? "st" : part)).join(" ");

/** Names in a sentence. */
export function listed(names, word = "and") {
  const [last, ...first] = [...names].reverse();
  return first.length ? `${first.reverse().join(", ")} ${word} ${last}` : last;
}

// Spelling.

const parts = (text) => text.toLowerCase().replaceAll("&", " and ").split(/[^\p{L}\p{N}]+/u);

/** A name without what people write differently. */
const fold = (text) => joined(parts(text.normalize("NFKD").replace(/\p{M}/gu, "")));

/** The same, but with its accents. */
const plain = (text) => joined(parts(text.normalize("NFC")));

/** A text with single spaces, and nothing that cannot be shown. */
export const words = (text) => text.trim().replace(/\s+/gu, " ").replace(/[\p{Cc}\p{Cs}]/gu, "");

/** Whether a letter more, a letter fewer, another letter or a swap leads to the other text. */
function isOneTypo(one, other) {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < Math.min(one.length, other.length) && one[at] === other[at]) at += 1;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(0, 2) === [...otherRest.slice(0, 2)].reverse().join("") && rest.slice(2) === otherRest.slice(2))
  );
}

/** A folded text, and what is left of it without a lead. */
function withoutLeads(book, folded) {
  const leads = book.leads.filter((lead) => folded.startsWith(`${lead} `));
  return [folded, ...leads.map((lead) => folded.slice(lead.length + 1))];
}

/** The id of what is written out so: a name, another name or an abbreviation; or null. */
function exact(book, folded, pool) {
  const [spellings, short] = [book.spellings[pool] ?? {}, book.short[pool] ?? {}];
  for (const text of withoutLeads(book, folded)) {
    if (has(spellings, text)) return spellings[text];
    if (has(short, text)) return short[text];
  }
  return null;
}

/** The id that a folded text means, or null. */
function find(book, folded, pool) {
  const written = exact(book, folded, pool);
  if (written !== null) return written;
  const [spellings, short] = [book.spellings[pool] ?? {}, book.short[pool] ?? {}];
  const texts = withoutLeads(book, folded);
  const bare = (text) => text.replaceAll(" ", "");
  const known = Object.entries(spellings);
  const both = known.concat(Object.entries(short));
  for (const text of texts.map(bare)) {
    const found = new Set(both.filter(([other]) => text && bare(other) === text).map(([, id]) => id));
    if (found.size === 1) return [...found][0];
  }
  const near = known.filter(
    ([other]) => bare(other).length >= LEAST_LETTERS && texts.some((text) => isOneTypo(text, other)),
  );
  const ids = new Set(near.map(([, id]) => id));
  return ids.size === 1 ? [...ids][0] : null;
}

/** Which name of a pool a text means, and our name for it if it is misspelt or another. */
export function readName(book, text, pool) {
  const folded = fold(text);
  const found = { text: words(text), id: find(book, folded, pool), correction: "", also_called: "" };
  if (found.id === null) return found;
  const name = book.names[pool][found.id];
  if (withoutLeads(book, plain(text)).includes(plain(name))) return found;
  const isOther = folded !== fold(name) && exact(book, folded, pool) !== null;
  return { ...found, [isOther ? "also_called" : "correction"]: name };
}

/** The names in a text: between commas, slashes, arrows, line ends or "and". */
export function split(book, text, pool) {
  const parted = (pieces) => {
    for (let number = pieces.length; number > 0; number -= 1) {
      const piece = pieces.slice(0, number).join(" and ");
      if (number === 1 || find(book, fold(piece), pool) !== null)
        return [piece, ...(pieces.length > number ? parted(pieces.slice(number)) : [])];
    }
    return [];
  };
  const trimmed = text.slice(0, LONGEST).split(SEPARATORS).map((piece) => piece.trim()).filter(Boolean);
  return trimmed
    .map((piece) => piece.replace(/^(and|&)\s+/, ""))
    .flatMap((piece) => {
      const pieces = piece.split(/\s+and\s+|\s*&\s*/);
      return pieces.length === 1 || find(book, fold(piece), pool) !== null ? [piece] : parted(pieces);
    })
    .filter(Boolean);
}

// Questions.

export const nameOf = (book, question, id) => {
  const names = book.names[question.pool];
  return has(names, id) ? names[id] : id;
};
const borders = (book, one, other) => has(book.borders, one) && book.borders[one].includes(other);

/** What a text means: an id, a letter of a choice or a name. */
export function read(book, question, given) {
  const text = String(given);
  if (question.ids.includes(text) || has(book.names[question.pool], text)) return { text, id: text, correction: "" };
  const letter = text.replace(/^[ .)(]+|[ .)(]+$/g, "").toUpperCase();
  const at = letter.length === 1 ? LETTERS.indexOf(letter) : -1;
  if (at >= 0 && at < question.ids.length) return { text, id: question.ids[at], correction: "" };
  return readName(book, text, question.pool);
}

/** The ids that an answer names, each once, and how its texts were read. */
export function readAll(book, question, answer) {
  let texts;
  if (typeof answer === "string" && question.choices.length && /^\s*[A-Za-z](\s+[A-Za-z])*\s*$/.test(answer))
    texts = answer.trim().split(/\s+/);
  else if (typeof answer === "string")
    texts = read(book, question, answer).id !== null ? [answer] : split(book, answer, question.pool);
  else texts = (Array.isArray(answer) ? answer : []).map(String).filter((text) => text.trim());
  const readings = texts.map((text) => read(book, question, text));
  return [[...new Set(readings.map(({ id }) => id).filter((id) => id !== null))], readings];
}

const GRADERS = {
  many(book, question, answer, name) {
    const [given, readings] = readAll(book, question, answer);
    const { answers, also } = question;
    const missing = answers.filter((id) => !given.includes(id));
    const right = answers.filter((id) => given.includes(id));
    const wrong = given.filter((id) => !answers.includes(id) && !also.includes(id));
    const share = Math.max(0, (right.length - wrong.length) / answers.length);
    if (question.pool !== "region") return { share, readings, right, missing, wrong };
    const [subject] = question.about;
    const notes = given
      .filter((id) => also.includes(id))
      .map((id) => `${name(id)} borders ${name(subject)} too, but is not ${book.where}.`);
    return { share, readings, right, missing, wrong, notes, missed: missing.map((id) => [subject, id]) };
  },

  one(book, question, answer, name) {
    const [given, readings] = readAll(book, question, typeof answer === "string" ? [answer] : answer);
    const isRight = given.length === 1 && question.answers.includes(given[0]);
    if (isRight) return { share: 1, readings, right: given };
    const notes = given.length > 1 ? ["Only one answer is asked for."] : [];
    let share = 0;
    if (question.on_map === "click" && given.length === 1) {
      const isNear = question.answers.some((id) => borders(book, id, given[0]));
      share = isNear ? NEIGHBOUR : 0;
      notes.push(`${isNear ? "Nearly: that" : "That"} is ${name(given[0])}.`);
    }
    const [subject] = question.about;
    const known = question.kind === "odd" ? given.filter((id) => borders(book, subject, id)) : [];
    const missed = known.map((id) => [subject, id]);
    return { share, readings, missing: question.answers.slice(0, 1), wrong: given, notes, missed };
  },

  yes_no(book, question, answer) {
    let text = answer === true ? "yes" : answer === false ? "no" : "";
    if (answer !== null && typeof answer === "object") text = answer.length === 1 ? fold(String(answer[0])) : "";
    if (typeof answer === "string") text = fold(answer);
    const said = YES.includes(text) ? "yes" : NO.includes(text) ? "no" : null;
    const [right] = question.answers;
    const readings = text && !said ? [{ text: String(answer), id: null, correction: "" }] : [];
    if (said === right) return { share: 1, readings, right: [right] };
    const missed = right === "yes" ? [question.about] : [];
    return { share: 0, readings, missing: [right], wrong: said ? [said] : [], missed };
  },

  route(book, question, answer, name) {
    const [, readings] = readAll(book, question, answer);
    const keys = readings.map(({ id }) => id).filter((id) => id !== null);
    const [start, end] = question.about;
    const common = (way) => way.filter((id) => keys.includes(id)).length;
    const nearest = question.answers.reduce((one, other) => (common(other) > common(one) ? other : one));
    const missing = nearest.slice(1, -1).filter((id) => !keys.includes(id));
    if (!keys.length) return { share: 0, readings, missing };
    if (keys[0] === end && keys[keys.length - 1] === start) keys.reverse();
    const way = [start, ...keys, end].filter((id, n, all) => id !== all[n - 1]);
    const broken = pairs(way).filter(([one, other]) => !borders(book, one, other));
    const left = [...new Set(way)].filter((id) => !book.scope.includes(id));
    const notes = broken.map(([one, other]) => `${name(one)} does not border ${name(other)}.`);
    if (book.where) notes.push(...left.map((id) => `${name(id)} is not ${book.where}.`));
    const [crossed, needed] = [way.length - 1, nearest.length - 1];
    let share = 0;
    if (!broken.length && !left.length && keys.length === readings.length) {
      share = crossed === needed ? 1 : LONGER;
      if (crossed > needed) notes.push(`That is a way, but it crosses ${crossed} borders; ${needed} are enough.`);
    }
    const right = share === 1 ? way.slice(1, -1) : [];
    return { share, readings, right, wrong: left, missing: share ? [] : missing, notes };
  },

  order(book, question, answer, name) {
    const [given, readings] = readAll(book, question, answer);
    const [start, end] = question.about;
    const used = given.filter((id) => question.ids.includes(id));
    const wrong = given.filter((id) => ![...question.ids, start, end].includes(id));
    const links = pairs([start, ...used, end]);
    const isGood = ([one, other]) => borders(book, one, other);
    const needed = pairs([start, ...question.answers[0], end]);
    const isRight = !wrong.length && question.answers.some((order) => order.join() === used.join());
    if (isRight) return { share: 1, readings, right: used };
    const good = links.filter(isGood);
    const placed = used.filter((id, n) => id === question.answers[0][n]).length;
    const share = placed / (question.ids.length + wrong.length);
    const missing = question.answers[0].filter((id) => !used.includes(id));
    const broken = used.length && !missing.length ? links.filter((link) => !isGood(link)) : [];
    const same = (link, other) => link.every((id) => other.includes(id));
    const made = used.length ? good : [];
    return {
      share,
      readings,
      missing,
      wrong,
      notes: broken.map(([one, other]) => `${name(one)} does not border ${name(other)}.`),
      missed: needed.filter((link) => !made.some((other) => same(link, other))),
    };
  },
};

/** What an answer is worth, and what to tell the pupil; the fields of Python's Grade. */
export function grade(book, question, answer) {
  const name = (id) => nameOf(book, question, id);
  const found = { right: [], missing: [], wrong: [], notes: [], missed: [], ...GRADERS[question.form](book, question, answer, name) };
  const told = (field) => [
    ...new Map(found.readings.filter((one) => one[field]).map((one) => [one.text, one[field]])),
  ];
  return {
    share: Math.round(found.share * 10000) / 10000,
    is_right: found.share === 1,
    right: found.right.map(name),
    missing: found.missing.map(name),
    wrong: found.wrong.map(name),
    corrections: told("correction"),
    also_called: told("also_called"),
    unread: found.readings.filter(({ id }) => id === null).map(({ text }) => text),
    notes: found.notes,
    explanation: question.explanation,
    missed: found.missed,
  };
}

/** The right answer in words. */
export function solution(book, question) {
  const { answers, form, ids } = question;
  const name = (id) => nameOf(book, question, id);
  const way = (keys) => keys.map(name).join(" – ");
  if (form === "yes_no") return answers[0];
  if (form === "order") return answers.map(way).join(" (or) ");
  if (form === "route") {
    const others = answers.length - 1;
    return way(answers[0]) + (others ? ` (or ${others} other way${others > 1 ? "s" : ""})` : "");
  }
  if (form === "one") {
    const shown = answers.filter((id) => ids.includes(id));
    return listed((shown.length ? shown : answers).map(name), "or");
  }
  return answers.map(name).sort().join(", ");
}
