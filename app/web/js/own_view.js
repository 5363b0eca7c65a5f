// @ts-check
/**
 * Plays as their player reads them. Where two players face each other (Scrabble House) the far one
 * reads the board turned by half a turn: from right to left, and from the last row up.
 */

import { squareAt, squareName, squareText } from "./board.js";
import { tileRow } from "./extras.js";
import { fill, h } from "./dom.js";
import { tx } from "./language.js";

/** @typedef {(word: string, start: string, down: boolean, rows: string[]) => Record<string, string>} Laying */

/** Who sits at the board that was tapped; undefined where everybody sits at the same one.
 * @param {any} state @param {string[]} rows @returns {string[] | undefined} */
export function atBoard(state, rows) {
  const board = (state.view.boards ?? []).indexOf(rows);
  return board < 0 ? undefined : state.players.slice(2 * board, 2 * board + 2);
}

/** @param {any} state @param {string} player */
const readsTurned = (state, player) => state.facts.facing && state.players.indexOf(player) % 2 === 1;

/** @param {string} name @param {number} size */
function across(name, size) {
  const [r, c] = squareAt(name);
  return squareName(size - 1 - r, size - 1 - c, size);
}

/** The squares of a word, typed as this player reads it.
 * @param {any} state @param {string} player @param {Laying} laying what lays a word for who reads the board upright
 * @returns {Laying} */
export function asReadBy(state, player, laying) {
  if (!readsTurned(state, player)) return laying;
  return (word, start, down, rows) => {
    const size = rows.length;
    const seen = [...rows].reverse().map((row) => [...row].reverse().join(""));
    try {
      const tiles = laying(word, across(start, size), down, seen);
      return Object.fromEntries(Object.entries(tiles).map(([name, letter]) => [across(name, size), letter]));
    } catch (error) {
      const message = /** @type {Error} */ (error).message;
      throw new Error(message.replace(/\b[A-O]\d{1,2}\b/g, (name) => across(name, size)), { cause: error });
    }
  };
}

/** Shows the new tiles as they will lie, turned if they are, while the play is typed.
 * @param {any} state @param {() => string} player @param {() => boolean} down @param {() => Record<string, string>} tiles */
export function preview(state, player, down, tiles) {
  const shown = h("div", { class: "lies", role: "status" });
  const draw = () => {
    /** @type {[string, string][]} */
    let laid = [];
    try {
      laid = Object.entries(tiles());
    } catch {
      // the word is not finished; what is wrong with it is said when it is laid
    }
    const turned = readsTurned(state, player());
    const row = h("span", { class: `${turned ? "turned" : ""} ${down() ? "stands" : ""}` }, tileRow(laid.map(([, letter]) => letter).join(""), state.prints));
    const told = laid.map(([name, letter]) => tx("{letter} on {square}", { letter: state.prints[letter] ?? letter, square: squareText(name) })).join(", ");
    fill(shown, ...(laid.length ? [row, h("span", { class: "soft small" }, turned ? tx("{tiles}; upright for {player}", { tiles: told, player: player() }) : told)] : []));
  };
  return { shown, draw };
}
