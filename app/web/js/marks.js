// @ts-check
/** What is marked on a board, and what a board looks like in each game. */

import { nameSquares } from "./board.js";
import { tx } from "./language.js";

/** A ship's name for people. @param {string} ship */
export const shipName = (ship) => tx(ship === "scrabbleship" ? "ScrabbleShip" : ship);

/** @param {any} state @returns {{title: string, rows: string[], blanks: string[]}[]} */
export function boardsOf(state) {
  const view = state.view;
  if (view.boards) {
    return view.boards.map((/** @type {string[]} */ rows, /** @type {number} */ i) => ({
      title: view.boards.length > 1 ? titleOf(state, i) : "", rows, blanks: i === 0 ? view.blanks ?? [] : view.blanks_2 ?? [],
    }));
  }
  const rows = view.board45 ?? view.board;
  return rows ? [{ title: "", rows, blanks: [] }] : [];
}

/** Who plays at one of two boards, or who has won there. @param {any} state @param {number} i */
function titleOf(state, i) {
  const won = state.view.results?.[i];
  const names = { number: i + 1, one: state.players[2 * i], other: state.players[2 * i + 1], winner: won };
  return won ? tx("Board {number}: {one} and {other}. {winner} has won", names) : tx("Board {number}: {one} and {other}", names);
}

/** The heading over one of several boards follows the game. @param {HTMLElement} place @param {{title: string}[]} shown */
export function showTitles(place, shown) {
  place.querySelectorAll("h3").forEach((head, i) => { if (head.textContent !== shown[i].title) head.textContent = shown[i].title; });
}

/** @param {any} state @param {number} index which board */
export function marksOf(state, index) {
  const first = index === 0;
  const of = (/** @type {string} */ kind) => first ? state.tasks.filter((/** @type {any} */ t) => t.task === kind).flatMap((/** @type {any} */ t) => t.squares) : [];
  const sunk = new Set((state.view.sunk ?? []).map((/** @type {string[]} */ x) => x.join(" ")));
  const ships = Object.entries(state.view.fleets ?? {}).flatMap(([owner, fleet]) =>
    Object.entries(/** @type {Record<string, string[]>} */ (fleet)).map(([ship, squares]) => ({
      squares, name: `${owner}: ${shipName(ship)}`, sunk: sunk.has(`${owner} ${ship}`), look: `owner-${state.players.indexOf(owner)}`,
    })));
  return {
    last: first ? state.last : [],
    lift: of("lift"), turn: of("turn"), wrong: of("refused"),
    cards: state.tasks.filter((/** @type {any} */ t) => t.task === "lay_card").map((/** @type {any} */ t) => ({ squares: t.squares })),
    ask: first ? state.questions.map((/** @type {any} */ q) => q.square).filter(Boolean) : [],
    hits: state.view.hits ?? [],
    ships,
  };
}

/** @param {any} state @param {string} title @returns {import("./board.js").Face} */
export function faceOf(state, title) {
  nameSquares(state.facts.notation);
  return {
    size: state.facts.rows,
    premiums: state.premiums,
    values: state.facts.letter_values && !state.facts.tile_by_tile ? state.tile_values : null,
    prints: state.prints,
    facing: state.facts.facing,
    label: title || tx("{game} board", { game: state.title }),
  };
}
