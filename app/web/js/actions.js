// @ts-check
/** What people can do in each game beside laying tiles: the buttons under the board. */

import { ask, h } from "./dom.js";

/**
 * @typedef {object} Doing
 * @property {string} label
 * @property {string} [kind] the button's look
 * @property {() => void} run
 */

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** The buttons for this moment. @param {any} state @param {Act} act @returns {Doing[]} */
export function doings(state, act) {
  if (!["host", "seat"].includes(state.you.role)) return [];
  const make = GAMES[state.game] ?? (() => []);
  const waits = state.game === "scrabbleship" && (state.view.fleets_ready ?? []).length < state.players.length;
  const out = state.over || waits ? [] : make(state, act);
  if (state.seq > 0) out.push({ label: "Undo", kind: "quiet", run: () => undo(state, act) });
  return out;
}

/** @param {any} state @param {Act} act */
function undo(state, act) {
  const last = state.history[state.history.length - 1];
  const what = last ? `${last.player ?? ""} ${last.action.replaceAll("_", " ")}` : "the last step";
  ask("Take back the last step?", [h("p", {}, `The last entry is: ${what.trim()}. Everything is worked out again without the last step.`)], [
    { label: "Take it back", act: () => act({ action: "undo" }) },
  ]);
}

/** Who does it: the seat itself, or whom the host names. @param {any} state @param {string} label @param {string[]} [among] */
export function who(state, label, among) {
  if (state.you.role === "seat") return { field: null, value: () => state.you.player };
  const names = among ?? state.players;
  const now = state.view.to_move;
  const select = /** @type {HTMLSelectElement} */ (h("select", {}, ...names.map((/** @type {string} */ p) =>
    h("option", { value: p, selected: p === now }, p))));
  return { field: h("label", { class: "field" }, label, select), value: () => select.value };
}

/** @param {string} title @param {string} text @param {any} state @param {Act} act @param {Record<string, any>} action @param {string} yes */
function confirm(title, text, state, act, action, yes) {
  const person = who(state, "Who");
  ask(title, [h("p", {}, text), person.field], [{ label: yes, act: () => act({ ...action, player: person.value() }) }]);
}

/** @param {any} state @param {Act} act @returns {Doing} */
const pass = (state, act) => ({ label: "Pass", run: () => confirm("Pass", "The turn goes on to the next player.", state, act, { action: "pass" }, "Pass") });

/** @param {any} state @param {Act} act @returns {Doing} */
const exchange = (state, act) => ({
  label: "Exchange",
  run: () => {
    const person = who(state, "Who");
    const count = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: "1", max: state.game === "frankenscrabbards" ? "15" : "7", value: "1", inputmode: "numeric" }));
    ask("Exchange tiles", [person.field, h("label", { class: "field" }, "How many tiles", count)], [
      { label: "Exchange", act: () => act({ action: "exchange", player: person.value(), count: Number(count.value) }) },
    ]);
  },
});

/** @param {any} state @param {Act} act @param {boolean} ruled @returns {Doing} */
const challenge = (state, act, ruled) => ({
  label: "Challenge",
  kind: state.view.pending_challenge ? "" : "quiet",
  run: () => {
    const last = [...state.history].reverse().find((e) => e.tiles);
    const others = state.players.filter((/** @type {string} */ p) => p !== last?.player);
    const person = who(state, "Who challenges", others);
    const words = (last?.words ?? []).map((/** @type {any} */ w) => w.word).join(", ");
    const send = (/** @type {Record<string, any>} */ more) => act({ action: "challenge", player: person.value(), ...more });
    ask("Challenge", [h("p", {}, words ? `The words of the last play: ${words}.` : "There is no play to challenge."), person.field,
      h("p", { class: "soft small" }, "The word list decides, unless you say what you agreed on.")], [
      ...(ruled ? [
        { label: "We say: no word", act: () => send({ verdict: "not_a_word" }) },
        { label: "We say: good", act: () => send({ verdict: "valid" }) },
      ] : []),
      { label: "Ask the word list", act: () => send({}) },
    ]);
  },
});

/** @param {string} label @param {Act} act @param {Record<string, any>} action @param {string} [text] @returns {Doing} */
const told = (label, act, action, text) => ({
  label,
  run: () => ask(label, [h("p", {}, text ?? "This is told for the whole table.")], [{ label, act: () => act(action) }]),
});

/** @param {any} state @param {Act} act @returns {Doing} */
const end = (state, act) => ({
  label: "End the game", kind: "quiet",
  run: () => {
    const out = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", { value: "" }, "Nobody went out"), ...state.players.map((/** @type {string} */ p) => h("option", {}, p))));
    const racks = state.players.map((/** @type {string} */ p) => [p, h("input", { autocapitalize: "characters", maxlength: "7", placeholder: "letters left, ? a blank" })]);
    ask("End the game", [
      h("label", { class: "field" }, "Who has no tiles left", out),
      ...racks.map((/** @type {[string, HTMLElement]} */ [p, input]) => h("label", { class: "field" }, `Left on ${p}'s rack`, input)),
    ], [{
      label: "Count up",
      act: async () => {
        const given = Object.fromEntries(racks.map((/** @type {[string, HTMLInputElement]} */ [p, input]) => [p, [...input.value.trim().toUpperCase()]]));
        await act({ action: "racks", racks: given });
        await act({ action: "end_game", ...(out.value ? { out: out.value } : {}) });
      },
    }]);
  },
});

/** @type {Record<string, (state: any, act: Act) => Doing[]>} */
const GAMES = {
  scrabble: (state, act) => [pass(state, act), exchange(state, act), challenge(state, act, true), end(state, act)],
  scrabbleship: (state, act) => [
    pass(state, act), exchange(state, act), challenge(state, act, true),
    ...(state.view.pending_challenge ? [told("Go on", act, { action: "go_on" }, "The word stands; hits and misses are called.")] : []),
    told("No play possible", act, { action: "no_plays" }, "All agree that nothing can be laid. The game ends."),
  ],
  frankenscrabbards: (state, act) => [
    pass(state, act), exchange(state, act), challenge(state, act, true),
    told("Abandon", act, { action: "abandon" }, "The attempt is kept as unfinished and never compared."),
  ],
  grabscrab: (state, act) => [claim(state, act), tie(state, act), giveUp(state, act),
    told("No more words", act, { action: "no_more_words" }, "All tiles are turned and nobody sees another word.")],
  "scrabble-house": (state, act) => [
    ...(state.you.role === "seat" ? [] : [{ label: "Press the clock", kind: "first", run: () => confirm("Press the clock", "Whose clock is pressed?", state, act, { action: "press_clock" }, "Press") }]),
    pass(state, act),
    { label: "Object", run: () => confirm("Object", "The word list decides, and the game ends.", state, act, { action: "challenge" }, "Object") },
    { label: "Flag has fallen", kind: "quiet", run: () => confirm("Flag has fallen", "This player's time has run out.", state, act, { action: "flag_fall" }, "Out of time") },
  ],
  scrabbage: (state, act) => [
    { label: "Go", run: () => confirm("Go", "This player cannot lay a tile.", state, act, { action: "go" }, "Go") },
    told("End of play", act, { action: "end_of_play" }, "All tiles of this hand are laid; the scrab is next."),
    told("End of hand", act, { action: "end_of_hand" }, "The scrab is done; the deal passes on."),
    told("Draw", act, { action: "draw" }, "New tiles are drawn for the next hand."),
  ],
};

/** @param {any} state @param {Act} act @returns {Doing} */
function claim(state, act) {
  return {
    label: "Claim a word", kind: "first",
    run: () => {
      const person = who(state, "Who spoke first");
      const word = /** @type {HTMLInputElement} */ (h("input", { autocapitalize: "characters", autocomplete: "off", maxlength: "30", required: true }));
      const from = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", { value: "" }, "from the pool"),
        ...Object.entries(state.view.words ?? {}).flatMap(([owner, words]) => /** @type {string[]} */ (words).map((w) =>
          h("option", { value: JSON.stringify([owner, w]) }, `steals ${w} of ${owner}`)))));
      const overrule = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
      ask("Claim a word", [person.field, h("label", { class: "field" }, "Word", word), h("label", { class: "field" }, "Made", from),
        h("label", { class: "tick" }, overrule, "We agree that its root is another one")], [{
        label: "Claim",
        act: () => {
          const [owner, old] = from.value ? JSON.parse(from.value) : [null, null];
          return act({ action: "claim", player: person.value(), word: word.value.trim().toUpperCase(),
            ...(old ? { steal: old, from_player: owner } : {}), ...(overrule.checked ? { override: true } : {}) });
        },
      }]);
    },
  };
}

/** @param {any} state @param {Act} act @returns {Doing} */
function tie(state, act) {
  return {
    label: "Tie",
    run: () => {
      const rows = [0, 1].map((i) => {
        const name = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "Player" }, ...state.players.map((/** @type {string} */ p, /** @type {number} */ j) => h("option", { selected: i === j }, p))));
        const word = /** @type {HTMLInputElement} */ (h("input", { "aria-label": "Word", autocapitalize: "characters", maxlength: "30" }));
        return { name, word, row: h("div", { class: "row" }, name, word) };
      });
      ask("Two spoke at once", rows.map((r) => r.row), [{
        label: "Tie",
        act: () => act({ action: "tie", claims: rows.map((r) => ({ player: r.name.value, word: r.word.value.trim().toUpperCase() })) }),
      }]);
    },
  };
}

/** @param {any} state @param {Act} act @returns {Doing} */
function giveUp(state, act) {
  return {
    label: "Give up a word", kind: "quiet",
    run: () => {
      const select = /** @type {HTMLSelectElement} */ (h("select", {}, ...Object.entries(state.view.words ?? {}).flatMap(([owner, words]) =>
        /** @type {string[]} */ (words).map((w) => h("option", { value: JSON.stringify([owner, w]) }, `${owner}: ${w}`)))));
      ask("Give up a word", [h("label", { class: "field" }, "Which", select)], [{
        label: "Give up",
        act: () => { const [player, word] = JSON.parse(select.value); return act({ action: "give_up", player, word }); },
      }]);
    },
  };
}
