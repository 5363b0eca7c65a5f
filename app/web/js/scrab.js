// @ts-check
/** The scrab of Scrabbage (SB-26): up to four tiles, square by square, in one line or in several. */

import { BoardView, squareName, squareText } from "./board.js";
import { ask, fill, h } from "./dom.js";
import { boardsOf, faceOf } from "./marks.js";
import { inTurn, who } from "./doings.js";
import { tx } from "./language.js";

/** @typedef {import("./doings.js").Act} Act */
/** @typedef {import("./doings.js").Doing} Doing */

const MOST = 4;

/** Whether a player can lay no more tiles of this hand. @param {any} state @param {string} player */
const isDone = (state, player) => state.view.tiles_left[player] <= 0 || state.view.stuck.includes(player);

/** Whether the hand's play is over, told or not. @param {any} state */
export const playedOut = (state) => state.view.phase !== "play" || state.players.every((/** @type {string} */ p) => isDone(state, p));

/** Who may say go now, of those for whom this page speaks. @param {any} state */
export const mayGo = (state) => state.view.phase === "play" ? inTurn(state).filter((p) => !isDone(state, p)) : [];

/** For the dealer once the hand is played. @param {any} state @param {Act} act @returns {Doing[]} */
export const scrabDoing = (state, act) => (playedOut(state) && state.view.phase !== "clean_up" && (state.you.role !== "seat" || state.you.player === state.view.dealer)
  ? [{ label: tx("Lay the scrab"), run: () => openScrab(state, act) }] : []);

/** A seat does not rule on the others'. @param {any} state @param {Act} act @returns {Doing[]} */
export const fragmentDoing = (state, act) => (state.you.role === "seat" ? [] : [{ label: tx("Rule on a fragment"), kind: "quiet", run: () => rulingOnFragment(state, act) }]);

/** What the players agree on about a fragment (SB-15). @param {any} state @param {Act} act */
function rulingOnFragment(state, act) {
  const person = who(state, tx("Whose fragment"));
  const points = /** @type {HTMLInputElement} */ (h("input", { type: "number", value: "-2", inputmode: "numeric" }));
  ask(tx("Rule on a fragment"), [person.field, h("label", { class: "field" }, tx("Points, with a minus for points off"), points)], [
    { label: tx("Rule"), act: () => act({ action: "rule_fragment", player: person.value(), points: Number(points.value) }) },
  ]);
}

/**
 * A board to tap on, and a letter for each square that was tapped.
 * @param {any} state @param {Act} act @param {string} [first] a square that was tapped already
 */
export function openScrab(state, act, first) {
  const [shown] = boardsOf(state);
  const person = who(state, tx("Whose scrab"), [state.view.dealer]);
  /** @type {Record<string, string>} */
  const tiles = {};
  let picked = first ?? "";
  const lying = (/** @type {number} */ r, /** @type {number} */ c) => shown.rows[r][c];
  const board = new BoardView({ ...faceOf(state, ""), label: tx("Board for the scrab") }, (name) => pick(name));
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
    const laid = Object.entries(tiles).map(([square, letter]) => tx("{letter} on {square}", { letter, square: squareText(square) })).join(", ");
    if (!picked) return [h("p", {}, laid ? tx("{tiles}. Tap another square, or lay them.", { tiles: laid }) : tx("Tap a square for each tile. Nothing at all is allowed too."))];
    const [r, c] = [picked.charCodeAt(0) - 65, Number(picked.slice(1)) - 1];
    if (lying(r, c) !== ".") return [h("p", {}, tx("{square} holds {letter} already.", { square: squareText(picked), letter: lying(r, c).toUpperCase() }))];
    if (!tiles[picked] && Object.keys(tiles).length >= MOST) return [h("p", {}, tx("The scrab has four tiles; tap one of them to change it."))];
    const blank = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
    return [
      h("p", {}, tx("Which tile on {square}?", { square: squareText(picked) })),
      h("div", { class: "letters" }, ...state.letters.map((/** @type {string} */ x) => h("button", { type: "button", onclick: () => put(blank.checked ? x.toLowerCase() : x) }, x))),
      h("label", { class: "tick" }, blank, tx("It is a blank standing for this letter")),
      tiles[picked] ? h("button", { type: "button", class: "quiet", onclick: () => put("") }, tx("Take it off again")) : null,
    ];
  }

  const dialog = ask(tx("Lay the scrab"), [person.field, board.element, letters], [{
    label: tx("Lay the scrab"),
    act: () => act({ action: "scrab", player: person.value(), tiles }),
  }]);
  dialog.classList.add("wide");
  draw();
}
