// @ts-check
/** The players with what counts in their game, whose turn it is, and their clocks. */

import { h } from "./dom.js";
import { tn, tx } from "./language.js";
import { sheetLines } from "./sheet.js";

/** @param {any} state @param {(player: string) => HTMLElement | null} clock @param {(player: string) => HTMLElement | null} [seat] */
export function playerCards(state, clock, seat) {
  return state.players.map((/** @type {string} */ name) => {
    const turn = !state.over && mayAct(state, name);
    const won = state.over && winners(state).includes(name);
    const main = mainCount(state, name);
    return h("div", { class: `player${turn ? " turn" : ""}${won ? " won" : ""}` },
      h("span", { class: "name", title: name }, name),
      main === "" ? null : h("span", { class: `score${String(main).length > 4 ? " small-score" : ""}` }, main,
        state.facts.loose ? h("small", {}, " ", tn("word", "words", Number(main))) : null),
      state.provisional && main !== "" ? h("span", { class: "small soft" }, tx("not settled yet")) : null,
      clock(name),
      h("div", { class: "foot" }, h("span", { class: "state" }, won ? tx("wins") : turn ? (state.facts.loose ? tx("flips next") : tx("to move")) : extra(state, name)),
        seat ? seat(name) : null));
  });
}

/** @param {any} state @param {string} name */
function mayAct(state, name) {
  return moversOf(state).includes(name);
}

/** At which of the boards a player sits. @param {any} state @param {string} player */
export const boardOf = (state, player) => (state.view.boards?.length > 1 ? Math.floor(state.players.indexOf(player) / 2) : 0);

/** Who has yet to place a fleet, before anybody may play. @param {any} state @returns {string[]} */
export const withoutFleet = (state) => (state.view.fleets_ready && !state.over ? state.players.filter((/** @type {string} */ p) => !state.view.fleets_ready.includes(p)) : []);

/** Whose move it is: one player, two on two boards, or nobody; not on a board that is won, nor before all fleets are placed. @param {any} state @returns {string[]} */
export function moversOf(state) {
  if (withoutFleet(state).length) return [];
  return [state.view.to_move ?? state.view.flipper].flat().filter((name) => name && !state.view.results?.[boardOf(state, name)]);
}

/** Who won; of a team (`Bob+Dee`) both partners. @param {any} state @returns {string[]} */
export function winners(state) {
  const won = [state.view.winner ?? []].flat();
  return won.flatMap((/** @type {string} */ one) => state.players.includes(one) ? [one] : one.split("+"));
}

/** @param {any} state @param {string} name */
function mainCount(state, name) {
  const view = state.view;
  if (state.facts.loose) return (view.words?.[name] ?? []).length;
  if (!state.facts.counts_points) return "frank" in view && view.frank === name ? tx("Frank") : "";
  return view.scores?.[name] ?? view.scores?.[teamOf(state, name)] ?? 0;
}

/** The team of four players that a player belongs to, as the scores name it. @param {any} state @param {string} name */
function teamOf(state, name) {
  return Object.keys(state.view.scores ?? {}).find((team) => team.split(/[^\p{L}\p{N}]+/u).includes(name)) ?? "";
}

/** @param {any} state @param {string} name */
function extra(state, name) {
  const view = state.view;
  if ("frank" in view) {
    const n = state.history.filter((/** @type {any} */ e) => e.player === name && e.tiles).length;
    return tn("{count} word", "{count} words", n);
  }
  if (view.ship_count) return shipsOf(view.ship_count[name] ?? 0);
  const lines = sheetLines(state.history, state.start?.scores);
  const last = [...lines].reverse().find(({ entry }) => entry.player === name && entry.turn_score);
  return last && !last.off ? tx("last +{points}", { points: last.entry.turn_score }) : "";
}

/** How many ships in words. @param {number} count */
export function shipsOf(count) {
  return tn("{count} ship", "{count} ships", count);
}
