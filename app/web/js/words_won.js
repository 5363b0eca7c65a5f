// @ts-check
/** GrabScrab told by tapping: claims, ties, penalties, rulings on roots. */

import { ask, h } from "./dom.js";
import { who } from "./doings.js";
import { tx } from "./language.js";

/** @typedef {import("./doings.js").Doing} Doing */
/** @typedef {import("./doings.js").Act} Act */

/** A field for a word. @param {string} label */
export function wordField(label) {
  const input = /** @type {HTMLInputElement} */ (h("input", { autocapitalize: "characters", autocomplete: "off", spellcheck: "false", maxlength: "30" }));
  return { field: h("label", { class: "field" }, label, input), value: () => input.value.trim().toUpperCase(), input };
}

/** Where a word may be made from: the pool, or a word that lies there. @param {any} state */
export function sourceField(state) {
  const select = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", { value: "" }, tx("from the middle")),
    ...Object.entries(state.view.words ?? {}).flatMap(([owner, words]) => /** @type {string[]} */ (words).map((w) =>
      h("option", { value: JSON.stringify([owner, w]) }, tx("steals {word} of {player}", { word: w, player: owner }))))));
  return {
    field: h("label", { class: "field" }, tx("Made from"), select),
    /** @returns {Record<string, any>} */
    value: () => {
      if (!select.value) return {};
      const [owner, old] = JSON.parse(select.value);
      return { steal: old, from_player: owner };
    },
  };
}

/** @param {any} state @param {Act} act @returns {Doing} */
export function claim(state, act) {
  return {
    label: tx("Claim a word"), kind: "first",
    run: () => {
      const person = who(state, tx("Who spoke first"));
      const word = wordField(tx("Word"));
      const from = sourceField(state);
      const overrule = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
      ask(tx("Claim a word"), [person.field, word.field, from.field,
        h("label", { class: "tick" }, overrule, tx("We agree that it has another root than the old word"))], [{
        label: tx("Claim"),
        act: () => act({ action: "claim", player: person.value(), word: word.value(), ...from.value(), ...(overrule.checked ? { override: true } : {}) }),
      }]);
    },
  };
}

/** @param {any} state @param {Act} act @returns {Doing} */
export function tie(state, act) {
  return {
    label: tx("Tie"),
    run: () => {
      const calls = state.players.slice(0, Math.max(2, Math.min(4, state.players.length))).map((/** @type {string} */ _, /** @type {number} */ i) => {
        const name = /** @type {HTMLSelectElement} */ (h("select", {}, ...state.players.map((/** @type {string} */ p, /** @type {number} */ j) => h("option", { selected: i === j }, p))));
        const word = wordField(tx("Word"));
        const from = sourceField(state);
        return { name, word, from, row: h("fieldset", { class: "call-row" }, h("label", { class: "field" }, tx("Player"), name), word.field, from.field) };
      });
      ask(tx("Two spoke at once"), [h("p", { class: "soft small" }, state.settings["gs.tie"] === "dismiss" ? tx("The words are out until another tile is turned.") : tx("The last tile goes back face down, and nobody wins it.")),
        ...calls.map((/** @type {any} */ c) => c.row)], [{
        label: tx("Tie"),
        act: () => act({ action: "tie", claims: calls.filter((/** @type {any} */ c) => c.word.value()).map((/** @type {any} */ c) => ({ player: c.name.value, word: c.word.value(), ...c.from.value() })) }),
      }]);
    },
  };
}

/** The penalty for a false call. @param {any} state @param {Act} act @returns {Doing} */
export function giveUp(state, act) {
  return {
    label: tx("Give up a word"), kind: "quiet",
    run: () => {
      const mine = Object.entries(state.view.words ?? {}).filter(([owner]) => state.you.role === "host" || owner === state.you.player);
      // who has no word gives up nothing, which is told as well
      const select = /** @type {HTMLSelectElement} */ (h("select", {}, ...mine.flatMap(([owner, words]) =>
        words.length ? /** @type {string[]} */ (words).map((w) => h("option", { value: JSON.stringify([owner, w]) }, `${owner}: ${w}`))
          : [h("option", { value: JSON.stringify([owner, null]) }, tx("{player}: no word", { player: owner }))])));
      ask(tx("Give up a word"), [h("p", {}, tx("After a false call one own word goes back among the tiles that lie face down.")),
        h("label", { class: "field" }, tx("Which"), select)], [{
        label: tx("Give it up"),
        act: () => { const [player, word] = JSON.parse(select.value); return act({ action: "give_up", player, ...(word ? { word } : {}) }); },
      }]);
    },
  };
}

/** @param {any} _state @param {Act} act @returns {Doing} */
export function overruleRoot(_state, act) {
  return {
    label: tx("Rule on a root"), kind: "quiet",
    run: () => {
      const [old, made] = [wordField(tx("Old word")), wordField(tx("New word"))];
      const rule = (/** @type {boolean} */ same) => () => act({ action: "overrule_root", old: old.value(), new: made.value(), same });
      ask(tx("Do they have the same root?"), [h("p", {}, tx("What you agree on holds for this pair from now on, in later games too.")), old.field, made.field], [
        { label: tx("The same: no steal"), act: rule(true) }, { label: tx("Different: a good steal"), act: rule(false) },
      ]);
    },
  };
}
