// @ts-check
/** Hits and misses of ScrabbleShip, where fleets lie on paper and their owners call them out. */

import { ask, fill, h } from "./dom.js";
import { SHIPS, zoneOf } from "./fleet.js";
import { shipName } from "./marks.js";
import { squareAt, squareName, squareText } from "./board.js";
import { tx } from "./language.js";

/** @typedef {import("./doings.js").Act} Act */
/** @typedef {import("./doings.js").Doing} Doing */
/** @typedef {{owner: string, ship?: string, sunk?: boolean, squares?: string[]}} Call */

/** The button, while a play waits for its calls. @param {any} state @param {Act} act @returns {Doing[]} */
export const callsDoing = (state, act) => (state.view.waits_for_calls ? [{ label: tx("Hits and misses"), kind: "first", run: () => openCalls(state, act) }] : []);

/** @param {any} state @param {Act} act */
function openCalls(state, act) {
  const tiles = /** @type {Record<string, string>} */ (state.history.findLast((/** @type {any} */ e) => e.tiles).tiles);
  const rows = Object.entries(tiles).map(([square, letter]) => callOf(state, square, letter));
  ask(tx("Hits and misses"), [h("p", {}, tx("The owners call out what each new tile hit; the score counts it.")), ...rows.map((row) => row.element)], [{
    label: tx("Enter"),
    act: () => act({ action: "call", calls: Object.fromEntries(rows.map((row) => [row.square, row.value()]).filter(([, call]) => call)) }),
  }]);
}

/** What one tile hit, and where the ship lies that it sank. @param {any} state @param {string} square @param {string} letter */
function callOf(state, square, letter) {
  const wrecks = new Set(state.view.sunk.map((/** @type {string[]} */ one) => one.join(" ")));
  /** @type {Call[]} */
  const calls = [];
  const option = (/** @type {Call} */ call, /** @type {string} */ text) => h("option", { value: calls.push(call) - 1 }, text);
  const what = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", { value: "" }, tx("miss")), ...state.players.filter((/** @type {string} */ owner) => inZone(state, owner, squareAt(square))).map((/** @type {string} */ owner) => h("optgroup", { label: owner },
    state.settings["ss.sink_mode"] === 2 ? option({ owner }, tx("hit on {player}", { player: owner })) : null,
    ...SHIPS.map(([ship]) => wrecks.has(`${owner} ${ship}`)
      ? option({ owner, ship }, tx("{player}'s {ship}, sunk before", { player: owner, ship: shipName(ship) }))
      : option({ owner, ship, sunk: true }, tx("{player}'s {ship} is sunk", { player: owner, ship: shipName(ship) })))))));
  const where = /** @type {HTMLSelectElement} */ (h("select", {}));
  const lies = h("label", { class: "field", hidden: true }, tx("Where the ship lies"), where);
  /** @type {string[][]} */
  let places = [];
  what.addEventListener("change", () => {
    const call = calls[Number(what.value)];
    lies.hidden = !what.value || !call.sunk;
    places = lies.hidden ? [] : placesOf(state, call, square);
    fill(where, h("option", { value: "" }, tx("not told")), ...places.map((squares, i) => h("option", { value: i }, `${squareText(squares[0])} – ${squareText(squares[squares.length - 1])}`)));
  });
  return {
    square,
    element: h("div", { class: "row" }, h("label", { class: "field" }, tx("{letter} on {square}", { letter: state.prints[letter] ?? letter, square: squareText(square) }), what), lies),
    value: () => what.value && { ...calls[Number(what.value)], ...(where.value ? { squares: places[Number(where.value)] } : {}) },
  };
}

/** Whether a ship of this player may lie there. @param {any} state @param {string} player @param {number[]} at row and column */
function inZone(state, player, [r, c]) {
  const { rows, cols } = zoneOf(state, player);
  return r >= rows[0] && r <= rows[1] && c >= cols[0] && c <= cols[1];
}

/** All ways in which a ship may lie on a square, within its owner's part. @param {any} state @param {Call} call @param {string} square */
function placesOf(state, { owner, ship }, square) {
  const [r, c] = squareAt(square);
  const length = SHIPS.find(([name]) => name === ship)?.[1] ?? 1;
  return [[0, 1], [1, 0]].flatMap(([down, right]) => Array.from({ length }, (_, back) =>
    Array.from({ length }, (__, i) => [r + (i - back) * down, c + (i - back) * right])))
    .filter((squares) => squares.every((at) => inZone(state, owner, at)))
    .map((squares) => squares.map(([y, x]) => squareName(y, x, state.facts.rows)));
}
