// A result as a short code to read out: what every question was worth. result_codes.py does the same; a test compares them.

const SYMBOLS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const MOST = 30; // questions: more have no short code
const GROUP = 4;
const ALIKE = { 0: 27, O: 5, 1: 17, I: 6, L: 7, "+": 30 }; // what stands in codes of quizzes beside the symbols

/** The symbol that fits a text. */
function checkLetter(text) {
  let total = 0;
  for (const symbol of text.replaceAll("-", "")) {
    const value = SYMBOLS.indexOf(symbol);
    total = (total * 3 + (value < 0 ? (ALIKE[symbol] ?? 0) : value)) % SYMBOLS.length;
  }
  return SYMBOLS[(total * 3) % SYMBOLS.length];
}

/** The code for what the answers to a quiz were worth; empty if there are too many. */
export function shortCode(shares, quiz) {
  if (shares.length > MOST) return "";
  let number = shares.reduceRight((sum, share) => sum * 3 + (share === 1 ? 2 : share > 0 ? 1 : 0), 0);
  let symbols = "";
  for (let most = 1; most < 3 ** shares.length; most *= SYMBOLS.length) {
    symbols += SYMBOLS[number % SYMBOLS.length];
    number = Math.floor(number / SYMBOLS.length);
  }
  symbols += checkLetter(quiz + symbols);
  return symbols.match(new RegExp(`.{1,${GROUP}}`, "g")).join("-");
}
