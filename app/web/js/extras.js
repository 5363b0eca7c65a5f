// @ts-check
/** What a game has beside board and score: pool and words, clusters, ships, hands. */

import { h } from "./dom.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** @param {any} state @param {Act} _act @returns {HTMLElement[] | null} */
export function extraOf(state, _act) {
  const make = EXTRAS[state.game];
  return make ? make(state) : null;
}

/** @type {Record<string, (state: any) => HTMLElement[] | null>} */
const EXTRAS = {};

/** @param {string} text */
export function tileRow(text) {
  return h("span", { class: "tile-row" }, ...[...text].map((x) => h("span", { class: "tile-chip" }, x === "?" ? " " : x)));
}
