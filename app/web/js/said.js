// @ts-check
/** What was said, as it reads best: announcements are written for the ear. */

import { pattern, tx } from "./language.js";

const TILE_TOLD = pattern(tx("{letter} on {square}"), { letter: "\\S{1,2}", square: "[A-O] \\w+" });
const SQUARES_TOLD = new RegExp(`^${TILE_TOLD}(, ${TILE_TOLD})*\\.$`);
const MISS = new RegExp(`^${pattern(tx("{square}: miss."), { square: "[A-O] \\w+" })}$`);
/** How a side word is said after its main word, as `with `. */
const WITH = tx("with {word}.").split("{")[0];

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
