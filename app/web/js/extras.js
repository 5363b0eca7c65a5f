// @ts-check
/** What a game has beside board and score: clusters, ships, pegs, hands. */

import { explosionList, lastExplosion } from "./explosion.js";
import { h } from "./dom.js";
import { SHIPS } from "./fleet.js";
import { shipName } from "./marks.js";
import { clusterMap } from "./clusters.js";
import { pegboard } from "./pegboard.js";
import { row, tn, tx } from "./language.js";

/** @param {any} state @param {(() => void) | null} [again] shows the last explosion @returns {HTMLElement[] | null} */
export function extraOf(state, again = null) {
  return EXTRAS[state.game]?.(state, again) ?? null;
}

/** @param {string} text one sign a tile, or `[CH]` @param {Record<string, string>} [prints] what stands on tiles of several letters */
export function tileRow(text, prints = {}) {
  const tiles = (text.match(/\[[^\]]+\]|./gu) ?? []).map((tile) => tile.replace(/[[\]]/g, ""));
  return h("span", { class: "tile-row" }, ...tiles.map((x) => h("span", { class: `tile-chip${x !== x.toUpperCase() ? " blank" : ""}` }, x === "?" ? " " : prints[x.toUpperCase()] ?? x.toUpperCase())));
}

/** The tiles of a word as people write it, one sign each, blanks small: `CALLe` is `CAĹe`, and `PER-RO` has two tiles R.
 * @param {string} word @param {Record<string, string>} prints @returns {string}
 */
export function tilesIn(word, prints) {
  const signs = Object.entries(prints).flatMap(([sign, printed]) => [[sign, printed], [sign.toLowerCase(), printed.toLowerCase()]]);
  if (!signs.length) return word;
  signs.push(["", "-"]);
  signs.sort(([, a], [, b]) => b.length - a.length);
  let tiles = "";
  for (let rest = word; rest;) {
    const [sign, printed] = signs.find(([, text]) => rest.startsWith(text)) ?? [rest[0], rest[0]];
    tiles += sign;
    rest = rest.slice(printed.length);
  }
  return tiles;
}

/** @type {Record<string, (state: any, again: (() => void) | null) => HTMLElement[]>} */
const EXTRAS = {
  frankenscrabbards: (state) => clusterMap(state),
  scrabbage: (state) => pegboard(state),
  scrabbleship: (state) => {
    const sunk = new Set((state.view.sunk ?? []).map((/** @type {string[]} */ x) => x.join(" ")));
    const shown = Object.keys(state.view.fleets ?? {});
    return [
      h("h2", {}, state.over ? tx("What became of the fleets") : tx("Ships afloat")),
      h("table", { class: "facts" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, tx("Ship")), ...state.players.map((/** @type {string} */ p) => h("th", { scope: "col", title: p }, p)))),
        h("tbody", {}, ...SHIPS.map(([ship]) => h("tr", {}, h("th", { scope: "row" }, shipName(ship)), ...state.players.map((/** @type {string} */ p) =>
          h("td", {}, state.view.fleets_ready?.includes(p) === false ? "…" : sunk.has(`${p} ${ship}`) ? h("s", { class: "sunk" }, tx("sunk")) : tx("afloat"))))))),
      shown.length ? h("p", { class: "legend", "aria-label": tx("On the board") }, ...shown.map((p) => h("span", { class: `owner-${state.players.indexOf(p)}` }, tx("{player}'s ships", { player: p }))),
        h("span", { class: "wreck" }, tx("a wreck")), h("span", { class: "struck" }, tx("a hit"))) : null,
    ].filter((x) => x !== null);
  },
  "scrabble-house": (state, again) => {
    const last = lastExplosion(state);
    const hands = /** @type {[string, any][]} */ (Object.entries(state.view.hands ?? {}));
    const bags = (state.view.bags ?? []).map((/** @type {number} */ left, /** @type {number} */ i) =>
      hands.slice(2 * i, 2 * i + 2).reduce((rest, [, hand]) => rest - hand.drawn_unsaid, left));
    return [
      h("h2", {}, bags.length > 1 ? tx("Hands and bags") : tx("Hands and bag")),
      h("table", { class: "facts" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, tx("Player")), h("th", { scope: "col" }, tx("own colour")), h("th", { scope: "col" }, tx("bonus")))),
        h("tbody", {}, ...hands.map(([player, hand]) => h("tr", {}, h("th", { scope: "row" }, player),
          h("td", { class: "num" }, hand.own_colour + hand.drawn_unsaid), h("td", { class: "num" }, hand.other_colour))))),
      h("p", { class: "soft small" }, tn("In the bag: {tiles} tiles.", "In the bags: {tiles} tiles.", bags.length, { tiles: row(bags.map(String)) }) + tx(" No camera sees the hands: whoever laid tiles counts as having filled up to seven of the own colour.")),
      ...(last ? explosionList(last, again) : []),
    ];
  },
};
