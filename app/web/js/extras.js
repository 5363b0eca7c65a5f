// @ts-check
/** What a game has beside board and score: clusters, ships, pegs, hands. */

import { h } from "./dom.js";
import { clusterMap } from "./clusters.js";
import { pegboard } from "./pegboard.js";

/** @param {any} state @returns {HTMLElement[] | null} */
export function extraOf(state) {
  return EXTRAS[state.game]?.(state) ?? null;
}

/** @param {string} text */
export function tileRow(text) {
  return h("span", { class: "tile-row" }, ...[...text].map((x) => h("span", { class: `tile-chip${x !== x.toUpperCase() ? " blank" : ""}` }, x === "?" ? " " : x.toUpperCase())));
}

const SHIPS = ["carrier", "scrabbleship", "submarine", "destroyer", "patrol"];

/** @type {Record<string, (state: any) => HTMLElement[]>} */
const EXTRAS = {
  frankenscrabbards: (state) => clusterMap(state),
  scrabbage: (state) => pegboard(state),
  scrabbleship: (state) => {
    const sunk = new Set((state.view.sunk ?? []).map((/** @type {string[]} */ x) => x.join(" ")));
    return [
      h("h2", {}, "Ships afloat"),
      h("table", { class: "facts" },
        h("thead", {}, h("tr", {}, h("th", {}), ...state.players.map((/** @type {string} */ p) => h("th", { scope: "col" }, p)))),
        h("tbody", {}, ...SHIPS.map((ship) => h("tr", {}, h("th", { scope: "row" }, ship), ...state.players.map((/** @type {string} */ p) =>
          h("td", {}, !state.view.fleets_ready?.includes(p) ? "…" : sunk.has(`${p} ${ship}`) ? h("s", { class: "sunk" }, "sunk") : "afloat")))))),
    ];
  },
  "scrabble-house": (state) => {
    const last = [...state.history].reverse().find((e) => (e.events ?? []).some((/** @type {any} */ x) => x.event === "exploded"));
    return [
      h("h2", {}, "Hands and bags"),
      h("table", { class: "facts" },
        h("thead", {}, h("tr", {}, h("th", {}), h("th", { scope: "col" }, "own colour"), h("th", { scope: "col" }, "bonus"))),
        h("tbody", {}, ...Object.entries(state.view.hands ?? {}).map(([player, hand]) => h("tr", {}, h("th", { scope: "row" }, player),
          h("td", { class: "num" }, count(hand.own_colour)), h("td", { class: "num" }, count(hand.other_colour)))))),
      h("p", { class: "soft small" }, `In the bags: ${(state.view.bags ?? []).join(" and ")} tiles.`),
      ...(last ? explosion(last) : []),
    ];
  },
};

/** @param {any} hand a number of tiles, or the tiles */
function count(hand) {
  return typeof hand === "number" ? hand : (hand ?? []).length;
}

const STAGES = /** @type {Record<string, string>} */ ({ mixed: "Words facing both ways fall", leftover: "What is left spells nothing" });

/** The steps of an explosion, in order. @param {any} entry */
function explosion(entry) {
  const steps = entry.events.filter((/** @type {any} */ e) => ["rotated", "exploded", "passed_to_partner"].includes(e.event));
  return [h("h3", {}, `The explosion after ${(entry.words ?? []).map((/** @type {any} */ w) => w.word).join(", ")}`),
    h("ol", { class: "explosion" }, ...steps.map((/** @type {any} */ e) => h("li", {},
      e.event === "rotated" ? `Turn ${e.squares.join(", ")}.`
        : e.event === "passed_to_partner" ? `${e.count} tiles go to ${e.partner ?? e.player ?? "the partner"}.`
          : `${STAGES[e.stage] ?? "Then words that lost a tile fall"}: ${e.tiles.map((/** @type {any} */ t) => (typeof t === "string" ? t : Object.values(t).join(" "))).join(", ")}.`)))];
}
