// @ts-check
/** The grid on which an overlay is laid out, and how a part is moved and sized on it. */

/** Squares of a stream of 16:9. */
export const COLUMNS = 48, ROWS = 27;
/** @typedef {[number, number, number, number]} Place left, top, width and height on the grid */
/** @typedef {Record<string, Place>} Layout */

/** How it is laid out at first. @type {Layout} */
export const USUAL = { scores: [14, 17, 20, 5], play: [8, 22, 32, 4] };
/** Where a part lies that was not shown. @type {Layout} */
export const FRESH = { board: [0, 0, 27, 27], scores: [28, 1, 19, 6], play: [28, 8, 19, 5], clock: [28, 14, 19, 4], camera: [35, 15, 12, 12], sheet: [28, 8, 19, 18], unseen: [28, 18, 19, 8] };
/** No part is smaller. */
const LEAST = 2;

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.min(Math.max(Math.round(value), low), high);

/** A part moved so far, all of it in the picture. @param {Place} place @param {number} right @param {number} down @returns {Place} */
export const moved = ([x, y, w, h], right, down) => [within(x + right, 0, COLUMNS - w), within(y + down, 0, ROWS - h), w, h];

/** A part made so much larger. @param {Place} place @param {number} right @param {number} down @returns {Place} */
export const sized = ([x, y, w, h], right, down) => [x, y, within(w + right, LEAST, COLUMNS - x), within(h + down, LEAST, ROWS - y)];

/** Where an element lies. @param {HTMLElement} element @param {Place} place */
export function lay(element, [x, y, w, h]) {
  element.style.left = `${(100 * x) / COLUMNS}%`;
  element.style.top = `${(100 * y) / ROWS}%`;
  element.style.width = `${(100 * w) / COLUMNS}%`;
  element.style.height = `${(100 * h) / ROWS}%`;
  element.style.zIndex = String(COLUMNS * ROWS - w * h); // a small part lies over a large one
}
