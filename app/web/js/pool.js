// @ts-check
/** GrabScrab: the tiles that lie open in the middle, and everybody's words. */

import { ask, h } from "./dom.js";
import { letterGrid } from "./squares.js";
import { tileRow, tilesIn } from "./extras.js";
import { tn, tx } from "./language.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** @param {any} state @param {Act} act @returns {HTMLElement} */
export function poolTable(state, act) {
  const view = state.view;
  const may = ["host", "seat"].includes(state.you.role) && !state.over;
  const flip = () => {
    const dialog = ask(tx("{player} turns a tile", { player: view.flipper ?? tx("Somebody") }), [h("p", {}, tx("Which letter came up? A camera sees it by itself.")),
      letterGrid([...state.letters, "?"], state.prints, async (letter) => { await act({ action: "flip", letter }); dialog.close(); })], []);
  };
  return h("div", { class: "felt" },
    h("div", { class: "pool" },
      h("h3", {}, tx("In the middle")),
      view.pool ? h("p", { class: "loose" }, tileRow([...view.pool].sort().join(""), state.prints)) : h("p", {}, tx("No tile is turned up.")),
      h("p", { class: "small" }, view.face_down ? tn("One tile lies face down.", "{count} tiles lie face down.", view.face_down) : tx("All tiles are turned up.")),
      view.dismissed?.length ? h("p", { class: "small" }, tx("Out until a tile is turned: {words}.", { words: view.dismissed.join(", ") })) : null,
      may && view.face_down && (state.you.role !== "seat" || state.you.player === view.flipper) ? h("button", { type: "button", onclick: flip }, tx("Turn a tile")) : null),
    ...state.players.map((/** @type {string} */ player) => {
      const words = view.words?.[player] ?? [];
      const tiles = view.tiles?.[player] ?? [];
      return h("div", { class: `hold${player === view.flipper && !state.over ? " turn" : ""}` },
        h("h3", {}, player, player === view.flipper && !state.over ? h("span", { class: "small" }, tx(" flips next")) : null),
        words.length ? h("ul", {}, ...words.map((/** @type {string} */ word, /** @type {number} */ i) =>
          heldWord(state, player, word, spelled(tilesIn(word, state.prints), tiles[i])))) : h("p", { class: "small" }, tx("no words yet")));
    }));
}

/** A word before its owner, with the words that it was made of; the newest is lit.
 * @param {any} state @param {string} player @param {string} word @param {string} faces
 */
function heldWord(state, player, word, faces) {
  const { history, prints } = state;
  const chain = wonFrom(history, player, word);
  const last = [...history].reverse().find((e) => e.events?.some((/** @type {any} */ x) => ["won", "stolen"].includes(x.event)));
  const fresh = last?.events.some((/** @type {any} */ x) => x.player === player && x.word === word);
  return h("li", { class: fresh ? "fresh" : "" }, tileRow(faces, prints), h("span", { class: "hush" }, word),
    chain.length ? h("span", { class: "from" }, chain.join(" ← ")) : null);
}

/** Where a word came from, the newest first: `TRAIN of Cyd`, `RAIN of Ann`.
 * @param {any[]} history @param {string} player @param {string} word @returns {string[]}
 */
function wonFrom(history, player, word) {
  const events = history.flatMap((e) => e.events ?? []);
  const out = [];
  let [owner, text, before] = [player, word, events.length];
  for (;;) {
    const at = events.slice(0, before).findLastIndex((x) => x.event === "stolen" && x.player === owner && x.word === text);
    const old = at < 0 ? null : events[at].taken?.[0];
    if (!old) return out;
    out.push(tx("{word} of {player}", { word: old.word, player: old.player }));
    [owner, text, before] = [old.player, old.word, at];
  }
}

/** The signs of a word's tiles, those of blanks small. @param {string} signs @param {string} [tiles] as they lie, `?` a blank */
function spelled(signs, tiles = signs) {
  return [...signs].map((x, i) => (tiles[i] === "?" ? x.toLowerCase() : x)).join("");
}
