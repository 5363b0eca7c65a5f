// @ts-check
/** The buttons that several games share: pass, exchange, challenge, the end. */

import { call, keepPlace, kept } from "./api.js";
import { ask, closeToast, h, toast } from "./dom.js";
import { boardOf } from "./players.js";
import { wordOf } from "./sheet.js";
import { tx } from "./language.js";

/**
 * @typedef {object} Doing
 * @property {string} label
 * @property {string} [kind] the button's look
 * @property {boolean} [always] whether it always shows, whatever else can be done
 * @property {() => void} run
 */

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** The one or two that matter, with undo, redo and the camera; the rest behind "More". @param {Doing[]} all */
export function buttonsOf(all) {
  const button = (/** @type {Doing} */ doing) => h("button", { type: "button", class: doing.kind ?? "", onclick: doing.run }, doing.label);
  const always = all.filter((doing) => doing.always);
  const others = all.filter((doing) => !doing.always);
  const firsts = others.filter((doing) => doing.kind === "first");
  const shown = [...firsts, ...others.filter((doing) => !doing.kind)].slice(0, Math.max(2, firsts.length));
  const rest = others.filter((doing) => !shown.includes(doing));
  return [...shown, ...always, rest.length ? h("details", { class: "more" }, h("summary", {}, tx("More")), h("div", { class: "row" }, ...rest.map(button))) : null]
    .map((one) => (one && "run" in one ? button(/** @type {Doing} */ (one)) : one));
}

/** Taken back with one tap; the message that says so has the way back, and what to do with tiles that lie there still. @param {any} state @param {Act} act */
export async function undo(state, act) {
  const last = state.history[state.history.length - 1];
  const what = [last?.player, last && wordOf(last)].filter(Boolean).join(": ") || tx("the last step");
  try {
    const done = await act({ action: "undo" });
    const said = done?.say?.length ? done.say[0] : tx("Taken back: {play}.", { play: what });
    const lie = done?.result.tiles_lie && state.camera?.size ? ` ${tx("Take its tiles off the board, or press Look now to have them counted again.")}` : "";
    toast(said + lie, "", { label: tx("Redo"), act: () => redo(act) });
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
  }
}

/** What was taken back last counts again. @param {Act} act */
export function redo(act) {
  closeToast();
  return act({ action: "redo" }).catch((/** @type {Error} */ error) => toast(error.message, "bad"));
}

/** Who does it: the seat itself, or whom the host names. @param {any} state @param {string} label @param {string[]} [among] */
export function who(state, label, among) {
  if (state.you.role === "seat") return { field: null, value: () => state.you.player };
  const names = among ?? state.players;
  const now = state.view.to_move;
  const select = /** @type {HTMLSelectElement} */ (h("select", {}, ...names.map((/** @type {string} */ p) =>
    h("option", { value: p, selected: [now].flat().includes(p) }, p))));
  return { field: h("label", { class: "field" }, label, select), value: () => select.value };
}

/** Who may act now of those for whom this page speaks. @param {any} state @returns {string[]} */
export const inTurn = (state) => (state.view.may_act ?? []).filter((/** @type {string} */ p) => state.you.role !== "seat" || p === state.you.player);

/** Who may object to the newest play at their board, of those for whom this page speaks: not its player. @param {any} state @returns {string[]} */
export function judges(state) {
  return state.players.filter((/** @type {string} */ p) => {
    const last = state.history.findLast((/** @type {any} */ e) => e.tiles && boardOf(state, e.player) === boardOf(state, p));
    return last && last.player !== p && (state.you.role !== "seat" || p === state.you.player);
  });
}

/** @param {string} title @param {string} text @param {any} state @param {Act} act @param {Record<string, any>} action @param {string} yes @param {string[]} [among] */
export function confirm(title, text, state, act, action, yes, among) {
  const person = who(state, tx("Who"), among);
  ask(title, [h("p", {}, text), person.field], [{ label: yes, act: () => act({ ...action, player: person.value() }) }]);
}

/** @param {any} state @param {Act} act @returns {Doing[]} */
export const pass = (state, act) => inTurn(state).length ? [{ label: tx("Pass"), run: () => confirm(tx("Pass"), tx("The turn goes on to the next player."), state, act, { action: "pass" }, tx("Pass"), inTurn(state)) }] : [];

/** @param {any} state @param {Act} act @returns {Doing[]} */
export const exchange = (state, act) => !inTurn(state).length ? [] : [{
  label: tx("Exchange"),
  run: () => {
    const person = who(state, tx("Who"), inTurn(state));
    const count = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: "1", max: String(state.facts.most_tiles), value: "1", inputmode: "numeric" }));
    ask(tx("Exchange tiles"), [person.field, h("label", { class: "field" }, tx("How many tiles"), count)], [
      { label: tx("Exchange"), act: () => act({ action: "exchange", player: person.value(), count: Number(count.value) }) },
    ]);
  },
}];

/** @param {any} state @param {Act} act @returns {Doing} */
export const challenge = (state, act) => ({
  label: tx("Challenge"),
  run: () => {
    const last = [...state.history].reverse().find((e) => e.tiles);
    const person = who(state, tx("Who challenges"), judges(state));
    const words = (last?.words ?? []).map((/** @type {any} */ w) => w.word).join(", ");
    const send = (/** @type {Record<string, any>} */ more) => act({ action: "challenge", player: person.value(), ...more });
    ask(tx("Challenge"), [h("p", {}, tx("The words of the last play: {words}.", { words })), person.field,
      h("p", { class: "soft small" }, tx("The word list decides, unless you say what you agreed on."))], [
      { label: tx("We say: no word"), act: () => send({ verdict: "not_a_word" }) },
      { label: tx("We say: good"), act: () => send({ verdict: "valid" }) },
      { label: tx("Ask the word list"), act: () => send({}) },
    ]);
  },
});

/** @param {string} label @param {Act} act @param {Record<string, any>} action @param {string} [text] @returns {Doing} */
export const told = (label, act, action, text) => ({
  label,
  run: () => ask(label, [h("p", {}, text ?? tx("The game ends as it stands now."))], [{ label, act: () => act(action) }]),
});

/** @param {any} state @param {Act} act @returns {Doing} */
export const end = (state, act) => ({
  label: tx("End the game"), kind: "quiet",
  run: () => {
    const out = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", { value: "" }, tx("Nobody went out")), ...state.players.map((/** @type {string} */ p) => h("option", {}, p))));
    const racks = state.players.map((/** @type {string} */ p) => [p, h("input", { autocapitalize: "characters", maxlength: "7", placeholder: tx("letters left, ? a blank") })]);
    ask(tx("End the game"), [
      h("label", { class: "field" }, tx("Who has no tiles left"), out),
      ...racks.map((/** @type {[string, HTMLElement]} */ [p, input]) => h("label", { class: "field" }, tx("Left on {player}'s rack", { player: p }), input)),
    ], [{
      label: tx("Count up"),
      act: async () => {
        const given = Object.fromEntries(racks.map((/** @type {[string, HTMLInputElement]} */ [p, input]) => [p, [...input.value.trim().toUpperCase()]]));
        await act({ action: "racks", racks: given });
        await act({ action: "end_game", ...(out.value ? { out: out.value } : {}) });
      },
    }]);
  },
});

/** The same game once more at a table of its own; who was second begins. @param {any} state @returns {Doing} */
export const playAgain = (state) => ({
  label: tx("Play again"), kind: "first",
  run: async () => {
    const { lexicon: _, ...settings } = state.settings;
    const [first, ...others] = state.players;
    const body = { game: state.game, players: [...others, first], settings, tiles: state.tiles, lexicon: state.lexicon, delay_s: state.delay_s };
    try {
      const made = await call("/api/tables", { token: kept("kibitz.key"), body });
      keepPlace(made.table, made.host_token);
      location.assign(`/setup/${made.table}`);
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
    }
  },
});

/** What people rule on a word against the list. @param {any} state @param {Act} act @returns {Doing} */
export const rulingOnWord = (state, act) => ({
  label: tx("Rule on a word"), kind: "quiet",
  run: () => {
    const last = [...state.history].reverse().find((e) => e.tiles);
    const word = /** @type {HTMLInputElement} */ (h("input", { autocapitalize: "characters", autocomplete: "off", spellcheck: "false", maxlength: "30", value: last?.words?.[0]?.word ?? "" }));
    const rule = (/** @type {boolean} */ valid) => () => act({ action: "judge_decision", word: word.value.trim().toUpperCase(), valid });
    ask(tx("The judge's ruling"), [h("p", {}, tx("The ruling holds for this game, whatever the word list says.")), h("label", { class: "field" }, tx("Word"), word)], [
      { label: tx("No word"), act: rule(false) }, { label: tx("A good word"), act: rule(true) },
    ]);
  },
});

/** Everything is equal: the judge names the winner. @param {any} state @param {Act} act @returns {Doing} */
export const judgesWinner = (state, act) => ({
  label: tx("The judge decides"), kind: "first",
  run: () => ask(tx("Ships and points are equal"), [h("p", {}, tx("The judge whom all have chosen names the winner."))],
    state.players.map((/** @type {string} */ winner) => ({ label: winner, act: () => act({ action: "judge_decision", winner }) }))),
});
