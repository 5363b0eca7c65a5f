// @ts-check
/** How the scores ran, as lines. */

import { s } from "./dom.js";
import { tn, tx } from "./language.js";

const W = 560, H = 240, LEFT = 40, RIGHT = 90, TOP = 12, BOTTOM = 26;
const DASHES = ["", "7 4", "2 4", "10 3 2 3"];

/**
 * @param {string[]} players @param {Record<string, number>[]} totals after each play, the first all 0
 * @param {number} here which play is shown
 */
export function scoreGraph(players, totals, here) {
  const values = totals.flatMap((t) => players.map((p) => t[p] ?? 0));
  const [low, high] = [Math.min(0, ...values), Math.max(10, ...values)];
  const x = (/** @type {number} */ i) => LEFT + (i / Math.max(1, totals.length - 1)) * (W - LEFT - RIGHT);
  const y = (/** @type {number} */ v) => TOP + (1 - (v - low) / (high - low)) * (H - TOP - BOTTOM);
  const step = [5, 10, 20, 50, 100, 200, 500].find((n) => (high - low) / n <= 5) ?? 1000;
  const ticks = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) {
    ticks.push(s("path", { class: "axis", d: `M${LEFT} ${y(v)}H${W - RIGHT}` }), s("text", { class: "tick", x: LEFT - 6, y: y(v) + 4, "text-anchor": "end" }, v));
  }
  const ends = players.map((p, i) => ({ p, i, at: y(totals[totals.length - 1]?.[p] ?? 0) })).sort((a, b) => a.at - b.at);
  ends.forEach((end, k) => { if (k) end.at = Math.max(end.at, ends[k - 1].at + 15); });
  const summary = players.map((p) => `${p} ${totals[totals.length - 1]?.[p] ?? 0}`).join(", ");
  return s("svg", { class: "graph", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": tn("Scores over {count} play: {scores}", "Scores over {count} plays: {scores}", totals.length - 1, { scores: summary }) },
    ...ticks,
    s("path", { class: "here", d: `M${x(here)} ${TOP}V${H - BOTTOM}` }),
    s("text", { class: "tick", x: LEFT, y: H - 6 }, tx("begin")), s("text", { class: "tick", x: W - RIGHT, y: H - 6, "text-anchor": "end" }, tx("play {number}", { number: totals.length - 1 })),
    ...players.map((p, i) => s("path", { class: `run c${i % 4}`, "stroke-dasharray": DASHES[i % 4], d: totals.map((t, k) => `${k ? "L" : "M"}${x(k)} ${y(t[p] ?? 0)}`).join("") })),
    ...ends.map((end) => s("text", { class: `name c${end.i % 4}`, x: W - RIGHT + 6, y: end.at + 4 }, `${end.p.slice(0, 10)}`)));
}
