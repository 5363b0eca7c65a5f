// @ts-check
/** The best scoring plays of a finished game's turns, beside what was played. */

import { call } from "./api.js";
import { fill, h } from "./dom.js";
import { tileRow } from "./extras.js";
import { tn, tx } from "./language.js";

/** @typedef {{place: string, word: string, score: number}} Play */
/** @typedef {Play & {turn: number, player: string, kind: string, not_in_list: string[], came_off: boolean, tiles: string, known: "rack" | "part" | "played", missed: number, whole: boolean, best: Play[]}} Turn */
/** @typedef {{turns: Turn[], players: Record<string, {missed: number, racks: number, best: number}>}} Analysis */

/** Offers the list where there can be one. @param {HTMLElement} card @param {string} table @param {string} token */
export function bestPlays(card, table, token) {
  const place = h("div", {});
  let offered = -1;
  card.append(place);
  return {
    /** @param {any} state */
    update(state) {
      card.hidden = !(state.over && state.facts.gcg && state.word_list);
      if (card.hidden || state.seq === offered) return;
      offered = state.seq;
      offer();
    },
  };

  function offer() {
    const note = h("p", { class: "small soft", role: "status" });
    const button = h("button", { type: "button", onclick: look }, tx("Best plays"));
    fill(place, button, note);

    async function look() {
      button.setAttribute("disabled", "");
      note.textContent = tx("Looking for the best plays…");
      try {
        fill(place, ...listOf(await call(`/api/tables/${table}/analysis`, { token })));
      } catch (error) {
        button.removeAttribute("disabled");
        note.textContent = /** @type {Error} */ (error).message;
      }
    }
  }
}

/** @param {Analysis} told */
function listOf(told) {
  if (!told.turns.length) return [h("p", { class: "soft" }, tx("No play yet."))];
  return [
    h("p", { class: "small soft" }, tx("Points alone are compared: what stays on the rack and what a play opens count nothing. The camera does not see racks: the best plays are those of the tiles that are known.")),
    h("ul", { class: "best-sums" }, ...Object.entries(told.players).map(([player, sums]) => h("li", {}, sumOf(player, sums)))),
    h("div", { class: "sheet-box", tabindex: "0", role: "group", "aria-label": tx("Best plays") },
      h("ol", { class: "sheet-list best-plays" }, ...told.turns.map(turnOf))),
  ];
}

/** @param {string} player @param {{missed: number, racks: number, best: number}} sums */
function sumOf(player, sums) {
  const missed = tn("{player}: at least {count} point missed", "{player}: at least {count} points missed", sums.missed, { player });
  return sums.racks ? `${missed}; ${tn("the best score in {best} of {count} known rack", "the best score in {best} of {count} known racks", sums.racks, { best: sums.best })}` : missed;
}

/** @param {Turn} turn */
function turnOf(turn) {
  const did = turn.kind === "play" ? [h("b", {}, turn.word), " ", h("small", {}, turn.place)] : [h("em", {}, turn.kind === "pass" ? tx("pass") : tx("exchange"))];
  return h("li", {},
    h("div", { class: "play" }, h("span", { class: "who" }, `${turn.turn}. ${turn.player}`), h("span", { class: "word" }, ...did), h("span", { class: "points num" }, turn.kind === "play" ? turn.score : "")),
    turn.not_in_list.length ? h("p", { class: "small" }, tx("Not in the list: {words}", { words: turn.not_in_list.join(", ") })) : null,
    turn.came_off ? h("p", { class: "small" }, tx("The play came off again.")) : null,
    h("p", { class: "small soft" }, rackOf(turn), " ", turn.tiles ? tileRow(turn.tiles) : null),
    turn.whole ? null : h("p", { class: "small soft" }, tx("Not every play was looked at: with these blanks there are too many.")),
    turn.best.length ? h("ol", { class: "best-of-turn", "aria-label": tx("Best plays of turn {number}", { number: turn.turn }) }, ...turn.best.map((one) =>
      h("li", {}, h("span", { class: "word" }, one.word), " ", h("small", {}, one.place), " ", h("span", { class: "points num" }, one.score)))) : null);
}

/** How much is known of a rack. @param {Turn} turn */
function rackOf(turn) {
  if (!turn.tiles) return tx("The rack is not known.");
  return { rack: tx("The rack:"), part: tx("Known of the rack:"), played: tx("Known are the tiles played:") }[turn.known];
}
