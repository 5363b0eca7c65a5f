// @ts-check
/** Questions with their likely answers as buttons, tasks on the table, and troubles. */

import { ask, h } from "./dom.js";
import { letterGrid } from "./squares.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** @param {any} state @param {Act} act @returns {HTMLElement[]} */
export function asksOf(state, act) {
  const may = ["host", "seat"].includes(state.you.role) && !state.over;
  return [
    ...state.notices.map((/** @type {any} */ n) => h("div", { class: "note warn", role: "alert" }, n.message)),
    ...state.questions.map((/** @type {any} */ q) => question(state, q, act, may)),
    ...state.tasks.map((/** @type {any} */ t) => task(t, act, may)),
  ];
}

/** @param {any} state @param {any} q @param {Act} act @param {boolean} may */
function question(state, q, act, may) {
  const answer = (/** @type {string} */ value) => act({ action: "answer", field: q.field, square: q.square ?? undefined, value });
  const other = () => {
    const dialog = ask(q.prompt, [letterGrid(state.letters, async (letter) => { await answer(letter); dialog.close(); })], []);
  };
  return h("div", { class: "ask" }, h("p", {}, q.prompt), may ? h("div", { class: "row" },
    ...q.choices.slice(0, 6).map((/** @type {string} */ choice, /** @type {number} */ i) =>
      h("button", { type: "button", class: i === 0 ? "first" : "", onclick: () => answer(choice) }, choice)),
    q.field === "blank" ? h("button", { type: "button", onclick: other }, q.choices.length ? "Another letter" : "Choose the letter") : null) : null);
}

/** @param {any} t @param {Act} act @param {boolean} may */
function task(t, act, may) {
  const squares = t.squares.join(", ");
  if (t.task === "refused") {
    return h("div", { class: "ask bad" }, h("p", {}, t.message),
      h("p", { class: "small" }, `Take off the tiles at ${squares}, or let them count.`),
      may && t.words ? h("div", { class: "row" }, ...t.words.map((/** @type {string} */ word) =>
        h("button", { type: "button", onclick: () => act({ action: "allow_word", word }) }, `Allow ${word}`))) : null);
  }
  const text = /** @type {Record<string, string>} */ ({
    lift: `Lift off the tiles at ${squares}.`, turn: `Turn round the tiles at ${squares}.`, lay_card: `Lay the ship's strip on ${squares}.`,
  })[t.task] ?? `${t.task} ${squares}`;
  return h("div", { class: "ask task" }, h("p", {}, text), h("div", { class: "row" },
    h("span", { class: "soft small grow" }, "The camera sees it when it is done."),
    may ? h("button", { type: "button", onclick: () => act({ action: "task_done" }) }, "It is done") : null));
}
