// @ts-check
/** One line of the score sheet, opened: its words and points, and ways to put it right. */

import { ask, h, toast } from "./dom.js";
import { wordOf } from "./sheet.js";
import { tx } from "./language.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

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
  const others = host && state.facts.takes_turns && entry.tiles ? state.players.filter((/** @type {string} */ p) => p !== entry.player) : [];
  const give = async (/** @type {string} */ player) => {
    await act({ action: "correct", entry: entry.entry, player });
    toast(tx("Put down to {player}; whoever was left out passed.", { player }), "good");
  };
  ask(`${entry.player ?? tx("Table")}: ${wordOf(entry)}`, [
    words.length ? h("table", { class: "sheet" }, h("tbody", {}, ...words.map((/** @type {any} */ w) =>
      h("tr", {}, h("th", { scope: "row", class: "word" }, w.word), h("td", { class: "num" }, w.score ?? ""))))) : null,
    entry.bonus ? h("p", {}, tx("All tiles laid: {points} more.", { points: entry.bonus })) : null,
    entry.tiles ? h("p", { class: "soft" }, tx("Laid: {tiles}.", { tiles: Object.entries(entry.tiles).map(([square, letter]) => tx("{letter} on {square}", { letter, square })).join(", ") })) : null,
    ...(entry.say ?? []).map((/** @type {string} */ line) => h("p", {}, line)),
    h("p", { class: "small soft" }, entry.seen ? tx("The camera saw this.") : tx("Somebody told this.")),
  ], host && !entry.private ? [...others.map((/** @type {string} */ player) => ({ label: tx("{player} played it", { player }), act: () => give(player) })), { label: tx("Leave this out"), kind: "bad", act: remove }] : [{ label: tx("Close"), act: () => null }]);
}
