// @ts-check
/** Frankenscrabbards: which of the nine boards are joined, how many words it took, who is the Frank. */

import { h, s } from "./dom.js";
import { tn, tx } from "./language.js";

const COLOURS = ["main", "side-1", "side-2", "side-3", "side-4"];

/** @param {any} state */
export function clusterMap(state) {
  const view = state.view;
  const main = new Set(view.main_cluster ?? []);
  const sides = (view.clusters ?? []).filter((/** @type {number[]} */ c) => c.length > 1 && !c.some((b) => main.has(b)));
  const stars = new Set((view.clusters ?? []).flat());
  const group = (/** @type {number} */ b) => main.has(b) ? "main" : COLOURS[1 + sides.findIndex((/** @type {number[]} */ c) => c.includes(b))] ?? "";
  const cells = Array.from({ length: 9 }, (_, i) => {
    const b = i + 1;
    const side = sides.some((/** @type {number[]} */ c) => c.includes(b));
    const kind = main.has(b) ? "main" : side ? group(b) : stars.has(b) ? "covered" : "open";
    const [x, y] = [(i % 3) * 62 + 2, Math.floor(i / 3) * 62 + 2];
    return s("g", { class: `cell ${kind}` }, s("rect", { x, y, width: 58, height: 58, rx: 8 }), s("text", { x: x + 29, y: y + 26 }, b),
      s("text", { class: "tag", x: x + 29, y: y + 46 }, main.has(b) ? tx("main") : side ? tx("side") : stars.has(b) ? tx("star") : tx("free")));
  });
  // only games of as many players with the same game set are compared (FS-22)
  const compared = (view.records ?? []).filter((/** @type {any} */ r) => r.players === state.players.length && (r.game_set ?? "") === (state.settings["fs.game_set"] ?? ""));
  const joined = main.size ? tx("Boards {boards} are joined.", { boards: [...main].join(", ") }) : tx("No boards are joined yet.");
  const left = tn("{count} star is free.", "{count} stars are free.", view.stars_left);
  return [
    h("div", { class: "head" }, h("h2", {}, tn("{count} word", "{count} words", view.total_words)), h("span", { class: "frank" }, view.final_frank ? tx("Final Frank: {player}", { player: view.final_frank }) : view.frank ? tx("Frank: {player}", { player: view.frank }) : tx("nobody is the Frank yet"))),
    /** @type {any} */ (s("svg", { class: "clusters", viewBox: "0 0 188 188", role: "img", "aria-label": `${joined} ${left}` }, ...cells)),
    h("p", { class: "soft small" }, joined, " ", view.stars_left ? left : tx("All stars are covered.")),
    ...(view.final_frank ? [h("p", { class: "small" }, tx("The game is in the "), h("a", { href: "/fame" }, tx("hall of fame")), tx(". A photograph of the final grid that is taken now is kept there with it."))] : []),
    ...(compared.length ? [h("p", { class: "small" }, tn("The record is {count} word.", "The record is {count} words.", Math.min(...compared.map((/** @type {any} */ r) => r.total_words ?? r.total))))] : []),
  ];
}
