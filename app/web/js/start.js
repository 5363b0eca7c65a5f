// @ts-check
/** A game that was begun on paper: the position from which the table's record goes on. */

import { ask, fill, h, toast } from "./dom.js";
import { call } from "./api.js";
import { tx } from "./language.js";

/** @typedef {import("./doings.js").Act} Act */
/** @typedef {import("./doings.js").Doing} Doing */
/** @typedef {{name: string, kind: string, label: string, sentence: string}} Fact what the game asks for */
/** @typedef {{element: HTMLElement, value: () => any, set?: (given: any) => void}} Field `value` is undefined where nothing was told */

const SIDE = 15;
/** An empty board. @param {number} side */
const bare = (side) => Array(side).fill(".".repeat(side));
/** What is asked for one board only, and for two. */
const ONE = ["board", "bag"], TWO = ["boards", "blanks_2", "bonus_2", "bags"];
const LATE = 4;

/** Whether this person may still say where the game began; nothing much may have been played yet. @param {any} state */
const mayBegin = (state) => state.you.role === "host" && !state.over && state.facts.start.length > 0 && state.history.length <= LATE;

/** The button. @param {any} state @param {Act} act @param {string} token @returns {Doing[]} */
export const startDoing = (state, act, token) => mayBegin(state) ? [{ label: tx("Go on from paper"), kind: "quiet", run: () => openStart(state, act, token) }] : [];

/** The same among the answers to what lay on the board before the first picture. @param {any} state @param {Act} act @param {string} token */
export const startChoice = (state, act, token) => mayBegin(state)
  ? h("button", { type: "button", onclick: () => openStart(state, act, token, true) },
    h("b", {}, tx("Start from here with the scores")), h("small", {}, tx("The tiles stay; you tell the old scores and whose turn it is.")))
  : null;

/** @param {any} state @param {Act} act @param {string} token @param {boolean} [seen] what the camera sees is filled in */
function openStart(state, act, token, seen = false) {
  const two = (state.view.boards ?? []).length > 1;
  const facts = /** @type {Fact[]} */ (state.facts.start).filter((f) => (f.name !== "clocks" || state.view.clocks) && (two || state.facts.facing ? !(two ? ONE : TWO).includes(f.name) : true));
  /** @type {Record<string, Field>} */
  const fields = Object.fromEntries(facts.map((f) => [f.name, MAKE[f.kind]?.(f, state) ?? line(f, f.name)]));
  const drop = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  const dropping = h("label", { class: "tick", hidden: true }, drop, tx("Discard what was recorded so far"));
  const note = h("p", { class: "small", role: "status" });
  const begin = async (/** @type {any} */ start) => {
    try {
      const done = await act({ action: "begin_from", start, ...(drop.checked ? { anyway: true } : {}) });
      toast(done.say.join(" "), done.result.not_words.length + done.result.too_many.length ? "bad" : "good");
    } catch (error) {
      if (/** @type {any} */ (error).code === "game_begun") dropping.hidden = false;
      throw error;
    }
  };
  const look = async () => {
    try {
      const seen = await call(`/api/tables/${state.table}/seen`, { token });
      for (const [name, value] of Object.entries(seen)) fields[name]?.set?.(value);
      fill(note, tx("Filled in. Give each blank its letter, small, and fill in what is marked #."));
    } catch (error) {
      fill(note, /** @type {Error} */ (error).message);
    }
  };
  const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".json,application/json" }));
  const dialog = ask(tx("Go on from paper"), [
    h("p", {}, tx("The record begins at this position. Leave empty whatever is as at the start of a game.")),
    h("div", { class: "row" },
      state.camera?.frame ? h("button", { type: "button", onclick: look }, tx("Fill in what the camera sees")) : null,
      h("label", { class: "field" }, tx("Or all of it from a file"), file)),
    note, ...Object.values(fields).map((field) => field.element), dropping,
  ], [{
    label: tx("Begin here"),
    act: async () => {
      const chosen = file.files?.[0];
      if (chosen) return begin(JSON.parse(await chosen.text()));
      const told = Object.entries(fields).map(([name, field]) => [name, field.value()]);
      return begin(Object.fromEntries(told.filter(([, value]) => value !== undefined)));
    },
  }]);
  dialog.classList.add("wide");
  if (seen && state.camera?.frame) look();
}

/** A legend with what it says. @param {Fact} fact @param {...HTMLElement} inner */
const group = (fact, ...inner) => h("fieldset", { class: "stack" }, h("legend", {}, h("b", {}, fact.label), " ", h("span", { class: "soft small" }, fact.sentence)), ...inner);

/** @param {string} label @param {Record<string, any>} more */
function box(label, more) {
  const input = /** @type {HTMLInputElement} */ (h("input", { autocomplete: "off", spellcheck: "false", ...more }));
  return { input, element: h("label", { class: "field" }, label, input) };
}

/** One line of text. @param {Fact} fact @param {string} [name] @returns {Field} */
function line(fact, name) {
  const { input, element } = box(fact.label, { autocapitalize: "characters", "data-start": name ?? fact.name });
  return {
    element: h("div", {}, element, h("span", { class: "soft small" }, fact.sentence)),
    value: () => input.value.trim() || undefined,
    set: (given) => { input.value = Array.isArray(given) ? given.join(" ") : String(given); },
  };
}

/** A box for each of several names; the value is an object of those that were filled in.
 * @param {Fact} fact @param {string[]} names @param {Record<string, any>} more @param {(text: string) => any} read @returns {Field}
 */
function boxes(fact, names, more, read) {
  const made = names.map((name) => /** @type {[string, ReturnType<typeof box>]} */ ([name, box(name, more)]));
  return {
    element: group(fact, h("div", { class: "row" }, ...made.map(([, one]) => one.element))),
    value: () => {
      const told = made.filter(([, one]) => one.input.value.trim()).map(([name, one]) => [name, read(one.input.value.trim())]);
      return told.length ? Object.fromEntries(told) : undefined;
    },
    set: (given) => made.forEach(([name, one]) => { one.input.value = [given[name] ?? ""].flat().join(" "); }),
  };
}

/** @param {string[]} rows @param {string} label */
function boardBox(rows, label) {
  const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "rows", rows: String(rows.length), cols: String(rows.length + 2), spellcheck: "false", autocapitalize: "characters", "aria-label": label }));
  area.value = rows.join("\n");
  return { area, read: () => area.value.replace(/\s+$/, "").split("\n"), bare: () => !/[^\s.]/.test(area.value) };
}

/** The rows of one of nine joined boards. @param {string[]} rows @param {number} n from 0 */
const panelOf = (rows, n) => rows.slice(SIDE * Math.floor(n / 3), SIDE * Math.floor(n / 3) + SIDE).map((row) => row.slice(SIDE * (n % 3), SIDE * (n % 3) + SIDE));

/** @param {Fact} fact @param {any} state @returns {Field} */
function boards(fact, state) {
  const whole = state.view.board45;
  const now = whole ? Array.from({ length: 9 }, (_, n) => panelOf(whole, n)) : fact.name === "boards" ? state.view.boards : [state.view.board ?? bare(state.facts.rows)];
  const made = now.map((/** @type {string[]} */ rows, /** @type {number} */ i) => boardBox(rows, now.length > 1 ? tx("Board {number}", { number: i + 1 }) : fact.label));
  const shown = made.map((/** @type {ReturnType<typeof boardBox>} */ one, /** @type {number} */ i) => now.length > 2
    ? h("details", { open: i === 4 }, h("summary", {}, tx("Board {number}", { number: i + 1 })), one.area) : one.area);
  return {
    element: group(fact, h("div", { class: "row" }, ...shown)),
    value: () => {
      if (made.every((/** @type {ReturnType<typeof boardBox>} */ one) => one.bare())) return undefined;
      const rows = made.map((/** @type {ReturnType<typeof boardBox>} */ one) => one.read());
      return whole || fact.name === "boards" ? rows : rows[0];
    },
    set: (given) => made.forEach((/** @type {ReturnType<typeof boardBox>} */ one, /** @type {number} */ i) => {
      const rows = whole ? panelOf(given, i) : fact.name === "boards" ? given[i] : given;
      one.area.value = rows.join("\n");
    }),
  };
}

/** @param {string} label @param {string[]} players */
function choice(label, players) {
  const select = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", { value: "" }, tx("not told")), ...players.map((p) => h("option", {}, p))));
  return { select, element: h("label", { class: "field" }, label, select) };
}

const NUMBER = { type: "number", inputmode: "numeric", class: "short" };
const LETTERS = { autocapitalize: "characters" };

/** How ships are typed: by their codes, which are the same in every language. */
const SHIPS = { placeholder: ["patrol", "submarine"].join(" ") };

/** @type {Record<string, (fact: Fact, state: any) => Field>} */
const MAKE = {
  board: boards,
  number: (fact) => {
    const field = line(fact);
    return { ...field, value: () => (field.value() === undefined ? undefined : Number(field.value())) };
  },
  numbers: (fact, state) => boxes(fact, fact.name === "scores" ? Object.keys(state.view.scores) : state.players, NUMBER, Number),
  hands: (fact, state) => boxes(fact, state.players, NUMBER, Number),
  racks: (fact, state) => boxes(fact, state.players, LETTERS, (text) => text.toUpperCase()),
  words: (fact, state) => boxes(fact, state.players, LETTERS, (text) => text.toUpperCase()),
  ships: (fact, state) => boxes(fact, state.players, SHIPS, (text) => text.toLowerCase()),
  player: (fact, state) => {
    const { select, element } = choice(fact.label, state.players);
    return { element, value: () => select.value || undefined };
  },
  players: (fact, state) => {
    const made = (state.view.boards ?? [0]).map((/** @type {any} */ _, /** @type {number} */ i) => choice(tx("On board {number}", { number: i + 1 }), state.players.slice(2 * i, 2 * i + 2)));
    return {
      element: group(fact, h("div", { class: "row" }, ...made.map((/** @type {any} */ one) => one.element))),
      value: () => {
        const told = made.map((/** @type {any} */ one) => one.select.value).filter(Boolean);
        return told.length ? told : undefined;
      },
    };
  },
  flags: (fact, state) => {
    const made = state.players.map((/** @type {string} */ p) => ({ p, input: /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" })) }));
    return {
      element: group(fact, h("div", { class: "row" }, ...made.map((/** @type {any} */ one) => h("label", { class: "tick" }, one.input, one.p)))),
      value: () => {
        const told = made.filter((/** @type {any} */ one) => one.input.checked).map((/** @type {any} */ one) => one.p);
        return told.length ? told : undefined;
      },
    };
  },
};
