// @ts-check
/** One line of the score sheet, opened: its words and points, and ways to put it right. */

import { ask, h, toast } from "./dom.js";
import { wordOf } from "./sheet.js";
import { tx } from "./language.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** What the host may do with a play that somebody else made. @param {any} state @param {any} entry @param {Act} act */
function givings(state, entry, act) {
  if (state.you.role !== "host" || !state.facts.takes_turns || !entry.tiles || entry.private) return [];
  return state.players.filter((/** @type {string} */ p) => p !== entry.player).map((/** @type {string} */ player) => ({
    label: tx("{player} played it", { player }),
    act: async () => {
      await act({ action: "correct", entry: entry.entry, player });
      toast(tx("Put down to {player}; whoever was left out passed.", { player }), "good");
    },
  }));
}

/** Who else may have claimed a word that a camera saw: then they sit where it lies.
 * Between players who share a side of the picture no seat tells, so nothing is offered there.
 * @param {any} state @param {any} entry @param {Act} act
 */
function claimers(state, entry, act) {
  const side = state.seats?.[entry.player]?.side;
  if (entry.action !== "claim" || !side) return [];
  const may = state.you.role === "host" ? state.players : [state.you.player];
  return may.filter((/** @type {string} */ p) => p && p !== entry.player).map((/** @type {string} */ player) => ({
    label: tx("{player} claimed {word}", { player, word: wordOf(entry) }),
    act: async () => {
      await act({ action: "seat", player, side });
      toast(tx("{player} sits there now, and has the words that lie there.", { player }), "good");
    },
  }));
}

/** The newest play, if a camera saw it: one tap puts it down to whoever made it.
 * @param {any} state @param {Act} act @returns {import("./doings.js").Doing[]}
 */
export function playedBy(state, act) {
  const newest = state.history[state.history.length - 1];
  if (!newest?.seen || state.over) return [];
  return [...givings(state, newest, act), ...claimers(state, newest, act)].map(({ label, act: give }) => ({
    label, run: () => give().catch((/** @type {Error} */ error) => toast(error.message, "bad")),
  }));
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
  ask(`${entry.player ?? tx("Table")}: ${wordOf(entry)}`, [
    words.length ? h("table", { class: "sheet" }, h("tbody", {}, ...words.map((/** @type {any} */ w) =>
      h("tr", {}, h("th", { scope: "row", class: "word" }, w.word), h("td", { class: "num" }, w.score ?? ""))))) : null,
    entry.bonus ? h("p", {}, tx("All tiles laid: {points} more.", { points: entry.bonus })) : null,
    entry.tiles ? h("p", { class: "soft" }, tx("Laid: {tiles}.", { tiles: Object.entries(entry.tiles).map(([square, letter]) => tx("{letter} on {square}", { letter, square })).join(", ") })) : null,
    ...(entry.say ?? []).map((/** @type {string} */ line) => h("p", {}, line)),
    h("p", { class: "small soft" }, entry.seen ? tx("The camera saw this.") : tx("Somebody told this.")),
  ], host && !entry.private ? [...givings(state, entry, act), { label: tx("Leave this out"), kind: "bad", act: remove }] : [{ label: tx("Close"), act: () => null }]);
}
