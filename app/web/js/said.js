// @ts-check
/** What was said, as it reads best: announcements are written for the ear. */

const SQUARES_TOLD = /^\S{1,2} on [A-O] [a-z]+(, \S{1,2} on [A-O] [a-z]+)*\.$/;
const MISS = /^[A-O] [a-z]+: miss\.$/;

const SMALLEST = 0.62, STEP = 0.06;

/** Set a text as large as its place allows: what is longer than the lines kept free is set smaller, never cut.
 * @param {HTMLElement} element
 */
export function fit(element) {
  let size = 1;
  element.style.fontSize = "";
  const room = parseFloat(getComputedStyle(element).minHeight);
  if (!room) return; // nothing is kept free here: it takes what it needs
  const full = parseFloat(getComputedStyle(element).fontSize);
  while (element.scrollHeight > room + 1 && size > SMALLEST) {
    size -= STEP;
    element.style.fontSize = `${full * size}px`;
  }
}

/** All lines of one step as a text, side words after their main word. @param {string[]} lines */
export function readable(lines) {
  return lines.join(" ").replaceAll(". with ", ", with ");
}

/** The same for a headline: what the board shows anyway (squares of tiles, misses) is left out.
 * @param {string[]} lines @returns {[string, string]} the play, and what came of it
 */
export function headlineOf(lines) {
  const telling = lines.filter((line) => !SQUARES_TOLD.test(line) && !MISS.test(line));
  const [first, ...rest] = telling.length ? telling : lines;
  const sides = rest.findIndex((line) => !line.startsWith("with "));
  const count = sides < 0 ? rest.length : sides;
  return [readable([first, ...rest.slice(0, count)]), rest.slice(count).join(" ")];
}
