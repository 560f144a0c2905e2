// QR codes (ISO/IEC 18004) of a text: bytes in UTF-8, versions 1 to 40, levels L and M.

/** A level: for each version how many codewords of a block correct errors, and how many blocks more there are than before. */
const levelOf = (bits, spare, more) => ({
  bits,
  spare: [...spare.padEnd(40, spare.at(-1))].map((digit) => parseInt(digit, 36)),
  blocks: [...more].map((_, n) => [...more.slice(0, n + 1)].reduce((sum, digit) => sum + Number(digit), 0)),
});
const LEVELS = {
  L: levelOf(1, "7afkqikouikoqumosussssuuqsu", "1000010002000020001101012001111111011121"),
  M: levelOf(0, "agqiogimmqummoossqqqqs", "1001020010031010121210121221212222123222"),
};
const MASK = 3; // any may be used; none suits our texts better

const numbers = (count) => Array.from({ length: count }, (_, n) => n);

/** How many codewords a version has, and how many of them are data. */
function capacity(version, { spare, blocks }) {
  const aligned = Math.floor(version / 7) + 2;
  let modules = (16 * version + 128) * version + 64;
  if (version > 1) modules -= (25 * aligned - 10) * aligned - 55;
  if (version > 6) modules -= 36;
  const all = Math.floor(modules / 8);
  return { all, data: all - spare[version - 1] * blocks[version - 1] };
}

// Numbers of the field with 256 elements.
const POWERS = [1];
for (let n = 1; n < 255; n += 1) POWERS.push((POWERS[n - 1] << 1) ^ (POWERS[n - 1] > 127 ? 0x11d : 0));
const times = (one, other) => (one && other ? POWERS[(POWERS.indexOf(one) + POWERS.indexOf(other)) % 255] : 0);

/** What is left of data divided by the polynomial of so many codewords. */
function remainder(data, count) {
  let divisor = [1];
  for (let n = 0; n < count; n += 1) {
    const root = POWERS[n];
    divisor = [...divisor, 0].map((value, at) => value ^ times(divisor[at - 1] ?? 0, root));
  }
  const rest = [...data, ...Array(count).fill(0)];
  data.forEach((_, at) => {
    const factor = rest[at];
    divisor.forEach((value, n) => (rest[at + n] ^= times(value, factor)));
  });
  return rest.slice(data.length);
}

/** The codewords of bytes: with head, padding and correction, from all blocks in turn. */
function codewords(bytes, version, level) {
  const { all, data } = capacity(version, level);
  const bits = (value, size) => value.toString(2).padStart(size, "0");
  const text = `0100${bits(bytes.length, version < 10 ? 8 : 16)}${[...bytes].map((byte) => bits(byte, 8)).join("")}0000`;
  const words = text.match(/.{8}/g).map((part) => parseInt(part, 2));
  for (let pad = 0xec; words.length < data; pad ^= 0xfd) words.push(pad);
  const [count, spare] = [level.blocks[version - 1], level.spare[version - 1]];
  const short = count - (all % count);
  let at = 0;
  const parts = numbers(count).map((n) => {
    const size = Math.floor(all / count) - spare + (n < short ? 0 : 1);
    at += size;
    return words.slice(at - size, at);
  });
  const rests = parts.map((part) => remainder(part, spare));
  const inTurn = (lists) => numbers(Math.max(...lists.map((list) => list.length))).flatMap((n) => lists.map((list) => list[n]));
  return [...inTurn(parts), ...inTurn(rests)].filter((word) => word !== undefined);
}

/** A number with its check bits. */
function checked(value, count, divisor) {
  let rest = value;
  for (let n = 0; n < count; n += 1) rest = (rest << 1) ^ ((rest >> (count - 1)) * divisor);
  return (value << count) | rest;
}

/** The picture: rows of modules, 1 is dark. */
function picture(words, version, level) {
  const size = 17 + 4 * version;
  const rows = numbers(size).map(() => Array(size).fill(null));
  const set = (x, y, dark) => rows[y]?.[x] !== undefined && (rows[y][x] = Number(dark));
  const square = (x, y, most, light) => {
    for (let dy = -most; dy <= most; dy += 1)
      for (let dx = -most; dx <= most; dx += 1) set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const n of numbers(size)) [set(6, n, n % 2 === 0), set(n, 6, n % 2 === 0)];
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, [2, 4]);
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const lines = version === 1 ? [] : [6, ...numbers(count - 1).map((n) => size - 7 - n * step).reverse()];
  const last = lines[lines.length - 1];
  for (const x of lines) for (const y of lines) if (!(x === 6 && [6, last].includes(y)) && !(x === last && y === 6)) square(x, y, 2, [1]);
  const format = checked((level.bits << 3) | MASK, 10, 0x537) ^ 0x5412;
  numbers(15).forEach((n) => {
    const bit = (format >> n) & 1;
    set(8, n < 6 ? n : n < 8 ? n + 1 : size - 15 + n, bit);
    set(n < 8 ? size - 1 - n : n < 9 ? 7 : 14 - n, 8, bit);
  });
  set(8, size - 8, true);
  if (version > 6)
    numbers(18).forEach((n) => {
      const [bit, x, y] = [(checked(version, 12, 0x1f25) >> n) & 1, size - 11 + (n % 3), Math.floor(n / 3)];
      [set(x, y, bit), set(y, x, bit)];
    });
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (const n of numbers(size))
      for (const x of [right, right - 1]) {
        const y = (right + 1) & 2 ? n : size - 1 - n;
        if (rows[y][x] !== null) continue;
        const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        rows[y][x] = bit ^ Number((x + y) % 3 === 0);
        at += 1;
      }
  }
  return rows;
}

/** A text as rows of modules, 1 is dark; null if it is too long. */
export function qrCode(text, level = "M") {
  const bytes = new TextEncoder().encode(text);
  const version = numbers(41).find((n) => n && bytes.length + (n < 10 ? 2 : 3) <= capacity(n, LEVELS[level]).data);
  return version ? picture(codewords(bytes, version, LEVELS[level]), version, LEVELS[level]) : null;
}
