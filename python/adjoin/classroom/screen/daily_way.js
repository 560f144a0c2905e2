// Which way a date has and how far a guess is off it: the same as classroom/daily.py; a test compares them.

const YEAR = 366;
const USUAL = [3, 9];
const LEAST = 2;
const SEED = 20260101;
const DAY = 86_400_000;

/** The number of days from a date to another, both as "2026-11-18". */
export const daysBetween = (one, other) => Math.round((Date.parse(`${other}T00:00Z`) - Date.parse(`${one}T00:00Z`)) / DAY);

/** The date so many days later. */
export const later = (date, days) => new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** How many borders lie between a place and every place it is connected with. */
function stepsFrom(start, borders) {
  const steps = new Map([[start, 0]]);
  for (const id of steps.keys()) {
    for (const other of borders[id]) {
      if (!steps.has(other)) steps.set(other, steps.get(id) + 1);
    }
  }
  return steps;
}

/** Whole numbers below 2 to the 32nd that look like chance. */
function numbers(seed) {
  let now = seed;
  return () => {
    now ^= now << 13;
    now ^= now >>> 17;
    now ^= now << 5;
    return now >>> 0;
  };
}

/** The ways of all dates on the places of a book, from the first day on. */
export function ways(book, first) {
  const inside = new Set(book.scope);
  const borders = Object.fromEntries(book.scope.map((id) => [id, book.borders[id].filter((other) => inside.has(other))]));
  const steps = new Map(book.scope.map((id) => [id, stepsFrom(id, borders)]));
  const between = (least, most) =>
    book.scope.flatMap((one, n) =>
      book.scope.slice(n + 1).filter((other) => steps.get(one).get(other) >= least && steps.get(one).get(other) <= most).map((other) => [one, other]),
    );
  let pairs = between(...USUAL);
  if (pairs.length < YEAR) pairs = between(LEAST, book.scope.length);
  const next = numbers(SEED);
  for (let place = pairs.length - 1; place > 0; place -= 1) {
    const other = next() % (place + 1);
    [pairs[place], pairs[other]] = [pairs[other], pairs[place]];
  }
  pairs = pairs.map(([one, other]) => (next() % 2 ? [other, one] : [one, other]));

  const numberOf = (date) => daysBetween(first, date) + 1;
  /** The way of a date. */
  function wayOf(date) {
    const number = numberOf(date);
    const size = pairs.length;
    const [start, end] = pairs[(((number - 1) % size) + size) % size];
    const [fromStart, fromEnd] = [steps.get(start), steps.get(end)];
    const length = fromStart.get(end);
    const between = length - 1;
    const onWay = [...fromStart.keys()].filter((id) => fromStart.get(id) + fromEnd.get(id) === length);
    /** How many borders a place is off the nearest shortest way; null if none lead there. */
    const off = (id) => {
      const far = onWay.map((other) => steps.get(id).get(other)).filter((steps) => steps !== undefined);
      return far.length ? Math.min(...far) : null;
    };
    /** The shortest way that has most of some places. */
    const through = (ids) => {
      const best = new Map([[end, { count: 0, way: [end] }]]);
      for (const id of [...onWay].sort((one, other) => fromEnd.get(one) - fromEnd.get(other))) {
        if (id === end) continue;
        const nearer = borders[id].filter((other) => best.has(other) && fromEnd.get(other) === fromEnd.get(id) - 1);
        const { count, way } = nearer.map((other) => best.get(other)).reduce((one, other) => (other.count > one.count ? other : one));
        best.set(id, { count: count + ids.includes(id), way: [id, ...way] });
      }
      return best.get(start).way;
    };
    /** A way from end to end that goes only through some places, as short as can be; or null. */
    const joined = (ids) => {
      const open = new Set([...ids, start, end]);
      const before = new Map([[start, null]]);
      for (const id of before.keys()) {
        for (const other of borders[id]) if (open.has(other) && !before.has(other)) before.set(other, id);
      }
      if (!before.has(end)) return null;
      const way = [];
      for (let id = end; id !== null; id = before.get(id)) way.unshift(id);
      return way;
    };
    return { number, start, end, between, allowed: between + 3 + Math.floor(between / 3), off, through, joined };
  }
  return { numberOf, wayOf, size: pairs.length };
}
