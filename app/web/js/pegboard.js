// @ts-check
/** Scrabbage: the pegs on their way to 121, and where the hand stands. */

import { h, s } from "./dom.js";

const HOLES = 121, ROW = 30, STEP = 11, LANE = 10;

/** @param {any} state */
export function pegboard(state) {
  const view = state.view;
  const names = Object.keys(view.scores ?? {});
  /** @type {Record<string, number[]>} */
  const run = Object.fromEntries(names.map((n) => [n, [0]]));
  for (const entry of state.history) {
    for (const name of names) {
      const now = entry.scores?.[name];
      if (now !== undefined && now !== run[name][run[name].length - 1]) run[name].push(now);
    }
  }
  const rows = Math.ceil(HOLES / ROW);
  const height = rows * (names.length * LANE + 14) + 6;
  const spot = (/** @type {number} */ points, /** @type {number} */ lane) => {
    const n = Math.min(HOLES, points) - 1;
    const row = Math.min(rows - 2, Math.floor(n / ROW));
    const step = n - row * ROW;
    // every second row runs back, as on a board of wood; the 121st hole stands alone at its end
    const along = row % 2 ? ROW - 1 - step : step;
    return [14 + along * STEP + (along > 0 ? Math.floor(along / 5) * 4 : along < 0 ? -6 : 0), 12 + row * (names.length * LANE + 14) + lane * LANE];
  };
  const holes = [];
  for (let lane = 0; lane < names.length; lane++) {
    for (let p = 1; p <= HOLES; p++) {
      const [x, y] = spot(p, lane);
      holes.push(s("circle", { class: `hole${p === HOLES ? " goal" : ""}`, cx: x, cy: y, r: p === HOLES ? 3.2 : 2 }));
    }
  }
  const pegs = names.flatMap((name, lane) => run[name].slice(-2).filter((p) => p > 0).map((p, i, all) => {
    const [x, y] = spot(p, lane);
    return s("circle", { class: `peg p${lane}${i < all.length - 1 ? " back" : ""}`, cx: x, cy: y, r: 4 }, s("title", {}, `${name}: ${p}`));
  }));
  const said = names.map((n) => `${n} ${view.scores[n]}`).join(", ");
  const phase = /** @type {Record<string, string>} */ ({ play: "tiles are laid one by one", scrab: "the dealer lays the scrab", clean_up: "clean up and draw" })[view.phase] ?? view.phase;
  return [
    h("h2", {}, "To one hundred and twenty-one"),
    /** @type {any} */ (s("svg", { class: "pegs", viewBox: `0 0 ${28 + ROW * STEP + 24} ${height - names.length * LANE - 10}`, role: "img", "aria-label": `Pegs: ${said}` }, ...holes, ...pegs)),
    h("p", { class: "row small" }, ...names.map((n, i) => h("span", { class: `key p${i}` }, `${n} ${view.scores[n]}`))),
    h("p", { class: "soft small" }, `${view.dealer} deals; ${phase}. ${Object.entries(view.tiles_left ?? {}).map(([p, n]) => `${p} holds ${n}`).join(", ")}.`),
  ];
}
