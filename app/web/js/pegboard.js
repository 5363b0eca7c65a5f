// @ts-check
/** Scrabbage: the pegs on their way to 121, and where the hand stands. */

import { h, s } from "./dom.js";
import { tx } from "./language.js";

const ROW = 30, GOAL = 121, STEP = 12, FIVE = 7, LANE = 12, LEFT = 34, TOP = 20;
const WIDTH = 2 * LEFT + (ROW - 1) * STEP + (ROW / 5 - 1) * FIVE;

/** @param {any} state */
export function pegboard(state) {
  const view = state.view;
  const names = Object.keys(view.scores ?? {});
  const track = names.length * LANE + 16;
  const height = TOP + 4 * track + 2;

  /** Where a hole is; 0 is the place to start from. Every second row runs back, as on a board of wood.
   * @param {number} points @param {number} lane
   */
  const spot = (points, lane) => {
    const n = Math.min(GOAL, points) - 1;
    const row = Math.min(3, Math.max(0, Math.floor(n / ROW)));
    const step = n - row * ROW;
    const along = row % 2 ? ROW - 1 - step : step;
    const x = LEFT + along * STEP + Math.floor(Math.min(ROW - 1, Math.max(0, along)) / 5) * FIVE;
    return [x, TOP + row * track + lane * LANE + (points >= GOAL ? ((names.length - 1) / 2 - lane) * LANE : 0)];
  };
  const holes = names.flatMap((_, lane) => Array.from({ length: GOAL }, (_none, p) => {
    const [x, y] = spot(p, lane);
    return s("circle", { class: "hole", cx: x, cy: y, r: 2.2 });
  }));
  const tracks = names.flatMap((_, lane) => [0, 1, 2, 3].map((row) => {
    const [[x1, y], [x2]] = [spot(row * ROW + 1, lane), spot((row + 1) * ROW, lane)];
    return s("path", { class: `track p${lane}`, d: `M${x1} ${y}H${x2}` });
  }));
  const marks = [[30, 0], [60, 1], [90, 2]].map(([points, row]) => {
    const [x] = spot(points, 0);
    return s("text", { class: "count", x: x + (row % 2 ? -20 : 20), y: TOP + row * track + ((names.length - 1) * LANE) / 2 }, points);
  });
  const [gx, gy] = spot(GOAL, 0);
  const goal = [s("circle", { class: "goal", cx: gx, cy: gy, r: 7 }), s("text", { class: "count", x: gx, y: gy - 12 }, GOAL)];
  const pegs = names.flatMap((name, lane) => lastTwo(state, name).map((p, i, all) => {
    const [x, y] = spot(p, lane);
    return s("g", { class: `peg p${lane}${i < all.length - 1 ? " back" : ""}` },
      s("circle", { class: "shade", cx: x + 1, cy: y + 1.6, r: 5.2 }), s("circle", { class: "head", cx: x, cy: y, r: 5.2 }, s("title", {}, `${name}: ${p}`)), s("circle", { class: "shine", cx: x - 1.6, cy: y - 1.8, r: 1.5 }));
  }));
  const said = names.map((n) => `${n} ${view.scores[n]}`).join(", ");
  const phase = /** @type {Record<string, string>} */ ({ play: tx("tiles are laid one by one"), scrab: tx("the dealer lays the scrab"), clean_up: tx("clean up and draw") })[view.phase] ?? view.phase;
  return [
    h("h2", {}, tx("To one hundred and twenty-one")),
    /** @type {any} */ (s("svg", { class: "pegs", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": tx("Pegs: {scores}", { scores: said }) }, ...tracks, ...holes, ...marks, ...goal, ...pegs)),
    h("p", { class: "row keys" }, ...names.map((n, i) => h("span", { class: `key p${i}` }, n, " ", h("b", { class: "num" }, view.scores[n]), h("span", { class: "soft" }, tx(" {points} to go", { points: GOAL - Math.min(GOAL, view.scores[n]) }))))),
    ...(state.over ? [] : [h("p", { class: "soft small" }, tx("{player} deals; {phase}. {hands}.", { player: view.dealer, phase, hands: Object.entries(view.tiles_left ?? {}).map(([p, n]) => tx("{player} holds {tiles}", { player: p, tiles: n })).join(", ") }))]),
  ];
}

/** The holes of both pegs: where the score was before it last rose, and where it is. @param {any} state @param {string} name */
function lastTwo(state, name) {
  const run = [0, 0];
  for (const entry of state.history) {
    const now = entry.scores?.[name];
    if (now !== undefined && now !== run[run.length - 1]) run.push(now);
  }
  return run.slice(-2);
}
