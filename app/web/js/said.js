// @ts-check
/** What was said, as it reads best: announcements are made for the ear. */

import { pattern, tx } from "./language.js";
import { moversOf } from "./players.js";

const SQUARE = "\\w+";
const TILE_TOLD = pattern(tx("{letter} on {square}"), { letter: "\\S{1,2}", square: SQUARE });
const SQUARES_TOLD = new RegExp(`^${TILE_TOLD}(, ${TILE_TOLD})*\\.$`);
const MISS = new RegExp(`^${pattern(tx("{square}: miss."), { square: SQUARE })}$`);
/** How a side word is said after its main word, as `with `. */
const WITH = tx("with {word}.").split("{")[0];

const SMALLEST = 0.62, STEP = 0.06;

/** Set a text as large as its place allows: what is longer than the lines kept free is set smaller, never cut.
 * @param {HTMLElement} element
 */
export function fit(element) {
  let size = 1;
  element.style.fontSize = "";
  if (getComputedStyle(element).whiteSpace === "nowrap") { // a line of its own
    element.style.fontSize = `${parseFloat(getComputedStyle(element).fontSize) * Math.min(1, element.clientWidth / element.scrollWidth)}px`;
    return;
  }
  const room = parseFloat(getComputedStyle(element).minHeight);
  if (!room) return; // nothing is kept free here: it takes what it needs
  const full = parseFloat(getComputedStyle(element).fontSize);
  while (element.scrollHeight > room + 1 && size > SMALLEST) {
    size -= STEP;
    element.style.fontSize = `${full * size}px`;
  }
}

/** What people should know first: that nothing is seen, who is laying, else what was said last. @param {any} state @returns {string[]} */
export function newestOf(state) {
  const error = state.camera?.error;
  if (error?.code === "unseen") return [error.message];
  const [player, ...others] = moversOf(state);
  if (state.camera?.laying) return [player && !others.length ? tx("{player} is laying…", { player }) : tx("A play is being laid…")];
  return known(state, state.said[state.said.length - 1]?.lines ?? []);
}

/** Lines with the letters of blanks that are known since; a blank without one parts no word. @param {any} state @param {string[]} lines */
export function known(state, lines) {
  const words = state.history.flatMap((/** @type {any} */ entry) => (entry.words ?? []).map((/** @type {any} */ w) => w.word));
  const named = (/** @type {string} */ word) => words.find((/** @type {string} */ now) => now.length === word.length && [...word].every((x, i) => (x === "?" ? now[i] !== "?" : x === now[i])));
  return lines.map((line) => line.replace(/[\p{L}?]*\?(?!$)[\p{L}?]*/gu, (word) => named(word) ?? word.replace(/\?(?=\p{L})/gu, "?\u2060")));
}

/** What was said, without the questions among it once none is open. @param {any} state @returns {any[]} */
export function settled(state) {
  if (state.questions.length) return state.said;
  return state.said.map((/** @type {any} */ one) => ({ ...one, lines: one.lines.filter((/** @type {string} */ line) => !line.endsWith("?")) })).filter((/** @type {any} */ one) => one.lines.length);
}

/** All lines of one step as a text, side words after their main word. @param {string[]} lines */
export function readable(lines) {
  return lines.join(" ").replaceAll(`. ${WITH}`, `, ${WITH}`);
}

/** The same for a headline: what the board shows anyway (squares of tiles, misses) is left out.
 * @param {string[]} lines @returns {[string, string]} the play, and what came of it
 */
export function headlineOf(lines) {
  const telling = lines.filter((line) => !SQUARES_TOLD.test(line) && !MISS.test(line));
  const [first, ...rest] = telling.length ? telling : lines;
  const sides = rest.findIndex((line) => !line.startsWith(WITH));
  const count = sides < 0 ? rest.length : sides;
  return [readable([first, ...rest.slice(0, count)]), rest.slice(count).join(" ")];
}
