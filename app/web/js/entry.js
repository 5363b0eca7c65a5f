// @ts-check
/** One line of the score sheet, opened: its words and points, and ways to put it right. */

import { squareText } from "./board.js";
import { ask, h, toast } from "./dom.js";
import { wordOf } from "./sheet.js";
import { tx } from "./language.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** A button that gives what was played to somebody else; the message that says so takes it back.
 * @param {string} player @param {Act} act @param {Record<string, any>} action
 */
const credit = (player, act, action) => ({
  label: tx("Credit to {player}", { player }),
  act: async () => {
    await act(action);
    toast(tx("Credited to {player}.", { player }), "good", { label: tx("Undo"), act: () => act({ action: "undo" }).catch((/** @type {Error} */ error) => toast(error.message, "bad")) });
  },
});

/** To whom else a play may be credited, and what that does. @param {any} state @param {any} entry @param {Act} act */
function credits(state, entry, act) {
  const host = state.you.role === "host";
  const others = (/** @type {string[]} */ names) => names.filter((p) => p && p !== entry.player);
  const side = state.seats?.[entry.player]?.side;
  // between players who share a side of the picture no seat tells whose a word is
  if (entry.action === "claim" && side && !state.over) return {
    text: tx("Somebody else claimed it? Kibitz then takes that player to sit where the word lies."),
    choices: others(host ? state.players : [state.you.player]).map((player) => credit(player, act, { action: "seat", player, side })),
  };
  if (host && state.facts.takes_turns && entry.tiles && !entry.private) return {
    text: tx("Somebody else played it? The points go to that player, and whoever was skipped counts as having passed."),
    choices: others(state.players).map((player) => credit(player, act, { action: "correct", entry: entry.entry, player })),
  };
  return { text: null, choices: [] };
}

/** @param {any} state @param {any} entry @param {Act} act */
export function openEntry(state, entry, act) {
  const words = (entry.words ?? []).filter((/** @type {any} */ w) => w.word);
  const remove = async () => {
    try {
      await act({ action: "correct", entry: entry.entry, with: null });
    } catch (error) {
      const e = /** @type {any} */ (error);
      if (e.code !== "later_plays" || !confirm(`${e.message}\n\n${tx("Leave it out anyway?")}`)) throw error;
      await act({ action: "correct", entry: entry.entry, with: null, anyway: true });
    }
    toast(tx("Left out; everything after it was worked out again."), "good");
  };
  const host = state.you.role === "host";
  const others = credits(state, entry, act);
  ask(`${entry.player ?? tx("Table")}: ${wordOf(entry)}`, [
    words.length ? h("table", { class: "sheet" }, h("tbody", {}, ...words.map((/** @type {any} */ w) =>
      h("tr", {}, h("th", { scope: "row", class: "word" }, w.word), h("td", { class: "num" }, w.score ?? ""))))) : null,
    entry.bonus ? h("p", {}, tx("All tiles laid: {points} more.", { points: entry.bonus })) : null,
    entry.tiles ? h("p", { class: "soft" }, tx("Laid: {tiles}.", { tiles: Object.entries(entry.tiles).map(([square, letter]) => tx("{letter} on {square}", { letter, square: squareText(square) })).join(", ") })) : null,
    ...(entry.say ?? []).map((/** @type {string} */ line) => h("p", {}, line)),
    h("p", { class: "small soft" }, entry.seen ? tx("The camera saw this.") : tx("This was entered by hand.")),
    others.text ? h("p", { class: "soft" }, others.text) : null,
  ], host && !entry.private ? [...others.choices, { label: tx("Leave this out"), kind: "bad", act: remove }] : others.choices.length ? others.choices : [{ label: tx("Close"), act: () => null }]);
}
