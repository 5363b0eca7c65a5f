// @ts-check
/** What makes a view good, one line each: a sketch, and in words what was found or what to do. */

import { h, s } from "./dom.js";
import { projection } from "./corners.js";
import { tx } from "./language.js";

/** Sketches are drawn in a box of 48; `frame` is the camera's picture. */
const FRAME = "M5 9h38v30h-38z";
const BOARD = "M14 15h20v18h-20z";
const MANY = "M14 21h20M14 27h20M20.7 15v18M27.3 15v18";

/**
 * @typedef {object} Check
 * @property {string[]} codes the faults that speak against it
 * @property {string} good what is said where all is well
 * @property {string} sketch how it is drawn
 */

/** @type {Check[]} in the order in which they are mended */
const CHECKS = [
  { codes: ["no_board", "unclear", "other_size", "other_script"], good: tx("The board is found"), sketch: `${BOARD}${MANY}` },
  { codes: ["cut_off"], good: tx("All four corners are in the picture"), sketch: "M26 15h20v18h-20z" },
  { codes: ["too_far"], good: tx("Close enough to read the letters"), sketch: "M21 21h6v6h-6z" },
  { codes: ["too_dark", "too_bright"], good: tx("Bright enough"), sketch: "M24 13a8 8 0 0 0-4 15v4h8v-4a8 8 0 0 0-4-15zM21 36h6" },
  { codes: ["glare"], good: tx("No glare on the tiles"), sketch: "M24 12v6M24 30v6M12 24h6M30 24h6M16 16l4 4M28 28l4 4M16 32l4-4M28 20l4-4" },
  { codes: ["blurred"], good: tx("Sharp"), sketch: "M14 30l6-12 6 12M16 26h8M29 19h6M29 25h6M29 30h6" },
  { codes: ["too_low"], good: tx("Seen from above"), sketch: "M10 34h28M24 12l6 5-3 3-6-5zM21 17l-6 14" },
];

/** Which fault each sentence of advice is about, as the server orders both.
 * @param {any} camera @returns {Map<string, string>}
 */
function saidOf(camera) {
  const advice = camera.advice ?? [];
  return new Map((camera.health?.faults ?? []).map((/** @type {string} */ code, /** @type {number} */ i) => [code, advice[i] ?? camera.error?.message ?? ""]));
}

/** Whether a picture of a game shows neither board nor tile. @param {any} health */
export const seesNothing = (health) => health?.boards === 0 && health.loose === 0;

/** @param {any} camera what the state says of it; null: none yet @param {boolean} loose tiles without a board @returns {HTMLElement[]} */
export function viewChecks(camera, loose) {
  const seen = Boolean(camera?.size);
  const wrong = seen ? saidOf(camera) : new Map();
  const blind = seen && (loose ? seesNothing(camera.health) : (camera.corners ?? []).length === 0);
  const lines = CHECKS.filter((check) => !loose || !check.codes.some((code) => ["no_board", "cut_off", "too_low"].includes(code))).map((check) => {
    const code = check.codes.find((one) => wrong.has(one));
    const open = !seen || (blind && !code);
    const px = check.codes[0] === "too_far" && camera?.health?.smallest_square_px;
    const good = px ? tx("Close enough to read the letters: squares of {pixels} pixels", { pixels: Math.round(px) }) : check.good;
    const kind = code ? "bad" : open ? "open" : "good";
    return h("li", { class: kind }, sketchOf(check, kind), h("span", {}, h("b", {}, code ? NAMES[code] : good), code ? h("span", {}, wrong.get(code)) : open && seen ? h("span", { class: "small soft" }, tx("not seen yet")) : null));
  });
  return seen ? lines : [h("li", { class: "soft small wait" }, tx("Checked as soon as there is a picture.")), ...lines];
}

const NAMES = /** @type {Record<string, string>} */ ({
  no_board: tx("No board in the picture"), unclear: tx("The squares are hard to make out"), cut_off: tx("The board is cut off"), too_far: tx("Too far away"),
  too_dark: tx("Too dark"), too_bright: tx("Washed out"), glare: tx("Glare"), blurred: tx("Blurred"), too_low: tx("Seen from too low"),
  other_script: tx("Letters of another script"), other_size: tx("Another number of squares"),
});

/** @param {Check} check @param {string} kind */
function sketchOf(check, kind) {
  const mark = kind === "good" ? "M34 40l4 4 7-9" : kind === "bad" ? "M36 36l8 8M44 36l-8 8" : "";
  return /** @type {any} */ (s("svg", { class: "sketch", viewBox: "0 0 48 48", "aria-hidden": "true" }, s("path", { class: "frame", d: FRAME }), s("path", { class: "it", d: check.sketch }), s("path", { class: "it", d: mark, "stroke-width": 4 })));
}

/** The boards that were found, and where glare lies, over the picture. @param {any} camera @param {number} rows squares a side */
export function outlineOf(camera, rows) {
  const [w, v] = camera.size;
  const boards = (camera.corners ?? []).map((/** @type {number[][]} */ corners) => corners.map(([x, y]) => [x * w, y * v]));
  const bad = (camera.health?.faults ?? []).length > 0;
  const parts = boards.flatMap((/** @type {number[][]} */ points) => {
    const d = `M${points.map((p) => p.join(" ")).join("L")}Z`;
    return [s("path", { class: "under", d }), s("path", { class: bad ? "bad" : "", d })];
  });
  const glare = (camera.health?.glare ?? []).flatMap((/** @type {number[]} */ [board, row, col]) => {
    if (!boards[board]) return [];
    const at = projection(boards[board]);
    return [s("path", { class: "glare", d: `M${[[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => at((col + x) / rows, (row + y) / rows)).join("L")}Z` })];
  });
  return s("svg", { class: "outline", viewBox: `0 0 ${w} ${v}`, preserveAspectRatio: "xMidYMid meet", "aria-hidden": "true" }, ...parts, ...glare);
}
