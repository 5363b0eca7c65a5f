// @ts-check
/** The scrab of Scrabbage (SB-26): up to four tiles, square by square, in one line or in several. */

import { BoardView, squareName } from "./board.js";
import { ask, fill, h } from "./dom.js";
import { boardsOf, faceOf } from "./marks.js";
import { who } from "./doings.js";

/** @typedef {import("./doings.js").Act} Act */
/** @typedef {import("./doings.js").Doing} Doing */

const MOST = 4;

/** @param {any} state @param {Act} act @returns {Doing[]} */
export const scrabDoing = (state, act) => (state.view.phase === "clean_up" ? [] : [{ label: "Lay the scrab", run: () => openScrab(state, act) }]);

/** @param {any} state @param {Act} act @returns {Doing} */
export const fragmentDoing = (state, act) => ({ label: "Rule on a fragment", kind: "quiet", run: () => rulingOnFragment(state, act) });

/** What the players agree on about a fragment (SB-15). @param {any} state @param {Act} act */
function rulingOnFragment(state, act) {
  const person = who({ ...state, you: { role: "host" } }, "Whose fragment");
  const points = /** @type {HTMLInputElement} */ (h("input", { type: "number", value: "-2", inputmode: "numeric" }));
  ask("Rule on a fragment", [person.field, h("label", { class: "field" }, "Points, with a minus for points off", points)], [
    { label: "Rule", act: () => act({ action: "rule_fragment", player: person.value(), points: Number(points.value) }) },
  ]);
}

/**
 * A board to tap on, and a letter for each square that was tapped.
 * @param {any} state @param {Act} act @param {string} [first] a square that was tapped already
 */
export function openScrab(state, act, first) {
  const [shown] = boardsOf(state);
  const person = who(state, "Whose scrab", [state.view.dealer]);
  /** @type {Record<string, string>} */
  const tiles = {};
  let picked = first ?? "";
  const lying = (/** @type {number} */ r, /** @type {number} */ c) => shown.rows[r][c];
  const board = new BoardView({ ...faceOf(state, ""), label: "Board for the scrab" }, (name) => pick(name));
  const letters = h("div", { class: "stack", role: "status" });

  /** @param {string} name */
  function pick(name) {
    picked = name;
    draw();
  }

  /** @param {string} letter a small one for a blank, or nothing to take the tile off again */
  function put(letter) {
    if (letter) tiles[picked] = letter;
    else delete tiles[picked];
    picked = "";
    draw();
  }

  function draw() {
    const rows = shown.rows.map((row, r) => [...row].map((x, c) => tiles[squareName(r, c, shown.rows.length)] ?? x).join(""));
    board.update(rows, { last: Object.keys(tiles), ask: picked ? [picked] : [], blanks: [] });
    fill(letters, ...choices());
  }

  function choices() {
    const laid = Object.entries(tiles).map(([square, letter]) => `${letter} on ${square}`).join(", ");
    if (!picked) return [h("p", {}, laid ? `${laid}. Tap another square, or lay them.` : "Tap a square for each tile. Nothing at all is allowed too.")];
    const [r, c] = [picked.charCodeAt(0) - 65, Number(picked.slice(1)) - 1];
    if (lying(r, c) !== ".") return [h("p", {}, `${picked} holds ${lying(r, c).toUpperCase()} already.`)];
    if (!tiles[picked] && Object.keys(tiles).length >= MOST) return [h("p", {}, "The scrab has four tiles; tap one of them to change it.")];
    const blank = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
    return [
      h("p", {}, `Which tile on ${picked}?`),
      h("div", { class: "letters" }, ...state.letters.map((/** @type {string} */ x) => h("button", { type: "button", onclick: () => put(blank.checked ? x.toLowerCase() : x) }, x))),
      h("label", { class: "tick" }, blank, "It is a blank standing for this letter"),
      tiles[picked] ? h("button", { type: "button", class: "quiet", onclick: () => put("") }, "Take it off again") : null,
    ];
  }

  const dialog = ask("Lay the scrab", [person.field, board.element, letters], [{
    label: "Lay the scrab",
    act: () => act({ action: "scrab", player: person.value(), tiles }),
  }]);
  dialog.classList.add("wide");
  draw();
}
