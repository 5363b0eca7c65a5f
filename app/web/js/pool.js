// @ts-check
/** GrabScrab: the tiles that lie open in the middle, and everybody's words. */

import { ask, h } from "./dom.js";
import { letterGrid } from "./squares.js";
import { tileRow } from "./extras.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** @param {any} state @param {Act} act @returns {HTMLElement} */
export function poolTable(state, act) {
  const view = state.view;
  const may = ["host", "seat"].includes(state.you.role) && !state.over;
  const flip = () => {
    const dialog = ask(`${view.flipper ?? "Somebody"} turns a tile`, [h("p", {}, "Which letter came up? A camera sees it by itself."),
      letterGrid([...state.letters, "?"], async (letter) => { await act({ action: "flip", letter }); dialog.close(); })], []);
  };
  return h("div", { class: "felt" },
    h("div", { class: "pool" },
      h("h3", {}, "In the middle"),
      view.pool ? h("p", { class: "loose" }, tileRow([...view.pool].sort().join(""))) : h("p", {}, "No tile is turned up."),
      h("p", { class: "small" }, view.face_down === 1 ? "One tile lies face down." : view.face_down ? `${view.face_down} tiles lie face down.` : "All tiles are turned up."),
      may && view.face_down ? h("button", { type: "button", onclick: flip }, "Turn a tile") : null),
    ...state.players.map((/** @type {string} */ player) => {
      const words = view.words?.[player] ?? [];
      const tiles = view.tiles?.[player] ?? words;
      return h("div", { class: "hold" }, h("h3", {}, player, player === view.flipper ? h("span", { class: "small" }, " flips next") : null),
        words.length ? h("ul", {}, ...words.map((/** @type {string} */ word, /** @type {number} */ i) => h("li", {}, tileRow(spelled(word, tiles[i] ?? word)), h("span", { class: "hush" }, word)))) : h("p", { class: "small" }, "no words"));
    }));
}

/** The word with its blanks as small letters. @param {string} word @param {string} tiles */
function spelled(word, tiles) {
  return [...word].map((x, i) => (tiles[i] === "?" ? x.toLowerCase() : x)).join("");
}
