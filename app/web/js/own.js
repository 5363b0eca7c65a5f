// @ts-check
/** What one player alone sees and does in each game. */

import { dropDraft, fleetEditor } from "./fleet.js";
import { clockOf } from "./clocks.js";
import { h } from "./dom.js";
import { mayGo } from "./scrab.js";
import { sourceField, wordField } from "./words_won.js";
import { tileRow } from "./extras.js";
import { tx } from "./language.js";

/** How many tiles are played from a hand of Scrabbage. */
const HAND = 4;

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** @param {any} state @param {Act} act throws @param {Act} tell shows what went wrong @param {() => any} now the newest state @returns {(HTMLElement | null)[]} */
export function ownPart(state, act, tell, now) {
  const held = state.view.rack ?? state.view.hand;
  return [
    held?.length ? h("div", { class: "card" }, h("h2", {}, tx("In your hand")), tileRow(held.join(""), state.prints)) : null,
    state.view.clocks && !state.over ? huge(tx("Press the clock"), () => tell({ action: "press_clock" }), clockOf(now, state.you.player)) : null,
    ...(OWN[state.game]?.(state, act, tell) ?? []),
  ];
}

/** @param {string} label @param {() => void} run @param {HTMLElement | null} [more] */
const huge = (label, run, more) => h("button", { type: "button", class: "first huge", onclick: run }, label, more);

/** A part that holds the focus is not drawn anew. */
const letGo = () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur();

/** @type {Record<string, (state: any, act: Act, tell: Act) => (HTMLElement | null)[]>} */
const OWN = {
  scrabbleship: (state, act) => {
    const me = state.you.player;
    if (!state.view.fleets_ready) return []; // fleets lie on paper
    if (state.view.fleets_ready?.includes(me)) {
      dropDraft(state);
      return state.over ? [] : [h("p", { class: "note good" }, tx("Your fleet is placed. Only you see it, on the board below."))];
    }
    return state.over ? [] : [fleetEditor(state, act)];
  },
  scrabbage: (state, act, tell) => state.over ? [] : [
    mayGo(state).length ? huge(tx("Go"), () => { letGo(); tell({ action: "go" }); }) : null,
    state.settings["sb.working_check"] === "hands" ? handForm(state, act) : null,
  ],
  grabscrab: (state, act) => state.over ? [] : [claimForm(state, act)],
};

/** The own hand, told in secret; the whole of it first, then what goes into the scrab (SB-4 to SB-6).
 * @param {any} state @param {Act} act */
function handForm(state, act) {
  const form = handFields(state, act);
  const known = (state.view.hand ?? []).length;
  return known && known <= HAND ? h("details", { class: "card" }, h("summary", {}, tx("Enter your hand again")), form) : form;
}

/** @param {any} state @param {Act} act */
function handFields(state, act) {
  const discards = (state.view.hand ?? []).length > HAND;
  const tiles = /** @type {HTMLInputElement} */ (h("input", { autocapitalize: "characters", autocomplete: "off", spellcheck: "false", maxlength: "12" }));
  const problem = h("p", { class: "note bad", role: "alert", hidden: true });
  return h("form", {
    class: "card stack",
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await act({ action: discards ? "discard" : "hand", tiles: [...tiles.value.toUpperCase().replace(/[\s,]/g, "")] });
        letGo();
      } catch (error) {
        problem.hidden = false;
        problem.textContent = /** @type {Error} */ (error).message;
      }
    },
  }, h("h2", {}, discards ? tx("Your discards") : tx("Enter your hand")),
  h("label", { class: "field" }, discards ? tx("What you put into the scrab") : tx("Your tiles, ? a blank; only you and the check see them"), tiles),
  h("button", {}, discards ? tx("Discard") : tx("Enter")), problem);
}

/** @param {any} state @param {Act} act */
function claimForm(state, act) {
  const word = wordField(tx("The word you call"));
  const from = sourceField(state);
  const said = h("p", { class: "note", role: "status", hidden: true });
  return h("form", {
    class: "card stack",
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      said.hidden = false;
      try {
        const done = await act({ action: "claim", word: word.value(), ...from.value() });
        said.className = "note good";
        said.textContent = done.say.join(" ") || tx("Claimed.");
        word.input.value = "";
      } catch (error) {
        said.className = "note bad";
        said.textContent = /** @type {Error} */ (error).message;
      }
    },
  }, h("h2", {}, tx("Call a word")), word.field, from.field, h("button", { class: "first huge" }, tx("Mine!")), said);
}
