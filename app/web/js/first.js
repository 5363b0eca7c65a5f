// @ts-check
/** Who begins: tiles drawn and told, Kibitz draws for all, or it is simply said. */

import { ask, h, toast } from "./dom.js";
import { letterGrid } from "./squares.js";
import { tx } from "./language.js";

/** @typedef {import("./doings.js").Doing} Doing */
/** @typedef {import("./doings.js").Act} Act */

const BLANK = "?";

/** The button, as long as nothing was played. @param {any} state @param {Act} act @returns {Doing[]} */
export function firstDoing(state, act) {
  const first = state.view.first_turn;
  if (!first?.open || state.over) return [];
  return [{ label: tx("Who begins"), kind: "quiet", always: true, run: () => openFirst(state, act) }];
}

/** @param {any} state @param {Act} act */
function openFirst(state, act) {
  const { drawn, waiting, begins } = state.view.first_turn;
  const known = Object.entries(drawn).map(([name, letter]) => tx("{player} drew {letter}.", { player: name, letter: letter === BLANK ? tx("a blank") : letter }));
  const lines = [...known, begins ? tx("{player} begins.", { player: begins }) : tx("{players}: draw a tile. The letter nearest to A begins, a blank before A.", { players: waiting.join(", ") })];
  const say = async (/** @type {Record<string, any>} */ action) => toast((await act(action)).say.join(" "), "good");
  const lots = { label: tx("Kibitz draws"), act: () => say({ action: "draw_lots" }) };
  if (state.you.role === "seat") {
    const own = state.you.player;
    const tell = async (/** @type {string} */ letter) => {
      try {
        await say({ action: "draw", seat: own, letter });
        dialog.close();
      } catch (error) {
        toast(/** @type {Error} */ (error).message, "bad");
      }
    };
    const mine = waiting.includes(own) ? [h("p", {}, tx("Which tile did you draw?")), letterGrid([...state.letters, BLANK], state.prints, tell)] : [];
    const dialog = ask(tx("Who begins?"), [h("p", {}, lines.join(" ")), ...mine], [lots]);
    return;
  }
  const option = (/** @type {string} */ value, text = value) => h("option", { value }, text);
  const tiles = waiting.map((/** @type {string} */ name) => [name, h("select", {}, option("", tx("not told")), option(BLANK, tx("a blank")), ...state.letters.map((/** @type {string} */ x) => option(x)))]);
  const simply = /** @type {HTMLSelectElement} */ (h("select", {}, option("", tx("as drawn")), ...state.players.map((/** @type {string} */ p) => option(p))));
  ask(tx("Who begins?"), [
    h("p", {}, lines.join(" ")),
    ...tiles.map((/** @type {[string, HTMLElement]} */ [name, select]) => h("label", { class: "field" }, tx("{player}'s tile", { player: name }), select)),
    h("label", { class: "field" }, tx("Or without a draw"), simply),
  ], [lots, {
    label: tx("Enter"),
    act: async () => {
      if (simply.value) return say({ action: "begin", seat: simply.value });
      const told = tiles.filter((/** @type {[string, HTMLSelectElement]} */ [, select]) => select.value);
      if (!told.length) throw new Error(tx("Say which tiles were drawn, or who begins."));
      for (const [seat, select] of told) await say({ action: "draw", seat, letter: select.value });
    },
  }]);
}
