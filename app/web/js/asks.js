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
    ...state.tasks.filter((/** @type {any} */ t) => t.task === "refused").map((/** @type {any} */ t) => refusedWord(t, act, may)),
    ...tasks(state.tasks.filter((/** @type {any} */ t) => t.task !== "refused"), act, may),
  ];
}

/** @param {any} state @param {any} q @param {Act} act @param {boolean} may */
function question(state, q, act, may) {
  const answer = (/** @type {string} */ value) => act({ action: "answer", field: q.field, square: q.square ?? undefined, value });
  const other = () => {
    const dialog = ask(q.prompt, [letterGrid(state.letters, async (letter) => { await answer(letter); dialog.close(); })], []);
  };
  const goesOn = q.field === "plays" && !q.choices.length ? h("p", { class: "small" }, "The game goes on from this board; the scores stay as they were.") : null;
  return h("div", { class: "ask" }, h("p", {}, q.prompt), goesOn, may ? h("div", { class: "row" },
    ...q.choices.slice(0, 6).map((/** @type {string} */ choice, /** @type {number} */ i) =>
      h("button", { type: "button", class: i === 0 ? "first" : "", onclick: () => answer(choice) }, choice)),
    ["blank", "letter"].includes(q.field) ? h("button", { type: "button", onclick: other }, q.choices.length ? "Another letter" : "Choose the letter") : null) : null);
}

/** Tiles that make no play. @param {any} t @param {Act} act @param {boolean} may */
function refusedWord(t, act, may) {
  return h("div", { class: "ask bad" }, h("p", {}, t.message),
    h("p", { class: "small" }, `Take off the tiles at ${t.squares.join(", ")}, or let them count.`),
    may && t.words ? h("div", { class: "row" }, ...t.words.map((/** @type {string} */ word) =>
      h("button", { type: "button", onclick: () => act({ action: "allow_word", word }) }, `Allow ${word}`))) : null);
}

const TASKS = /** @type {Record<string, string>} */ ({ lift: "Lift off the tiles at", turn: "Turn round the tiles at", lay_card: "Lay the ship's strip on" });

/** What is to be done on the table, in one box. @param {any[]} open @param {Act} act @param {boolean} may */
function tasks(open, act, may) {
  if (!open.length) return [];
  return [h("div", { class: "ask task" },
    ...open.map((t) => h("p", {}, h("b", {}, TASKS[t.task] ?? t.task), ` ${t.squares.join(", ")}`)),
    h("div", { class: "row" }, h("span", { class: "soft small grow" }, "The camera sees when it is done."),
      may ? h("button", { type: "button", onclick: () => act({ action: "task_done" }) }, "It is done") : null))];
}
