// @ts-check
/** Placing a fleet in secret: pick a ship, tap where it begins, turn it, keep it. */

import { BoardView, places, squareAt, squareName } from "./board.js";
import { fill, h } from "./dom.js";
import { shipName } from "./marks.js";
import { keepHere, keptHere } from "./api.js";
import { tn, tx } from "./language.js";

export const SHIPS = /** @type {[string, number][]} */ ([["carrier", 5], ["scrabbleship", 4], ["submarine", 3], ["destroyer", 3], ["patrol", 2]]);

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** Where a fleet waits while it is not yet kept. @param {any} state */
const draftOf = (state) => `kibitz.fleet.${state.table}.${state.you.player}`;

/** What is laid here is the game's now, and nothing of it stays on the phone. @param {any} state */
export const dropDraft = (state) => keepHere(draftOf(state), "");

/** A fleet that was not yet kept. @param {string} name @returns {Map<string, string[]>} */
function drafted(name) {
  try { return new Map(JSON.parse(keptHere(name) || "[]")); } catch { return new Map(); }
}

/** The rows and columns in which a player's ships lie. @param {any} state @param {string} [player] */
export function zoneOf(state, player = state.you.player) {
  const players = state.players;
  const told = state.settings["ss.zones"];
  const index = Array.isArray(told) ? told.indexOf(player) : told?.[player] ? Number(told[player]) - 1 : players.indexOf(player);
  if (players.length === 2) return { rows: index === 0 ? [0, 6] : [8, 14], cols: [0, 14] };
  return { rows: index < 2 ? [0, 6] : [8, 14], cols: index % 2 === 0 ? [0, 6] : [8, 14] };
}

/** @param {any} state @param {Act} act */
export function fleetEditor(state, act) {
  const zone = zoneOf(state);
  const draft = draftOf(state);
  /** @type {Map<string, string[]>} what is laid so far; a phone that reloads finds it again */
  const fleet = drafted(draft);
  let chosen = Math.max(0, SHIPS.findIndex(([ship]) => !fleet.has(ship)));
  let down = false;
  const board = new BoardView({ size: 15, premiums: null, values: null, facing: false, label: tx("Your part of the sea") }, tap);
  const ships = h("div", { class: "fleet-ships", role: "group", "aria-label": tx("Ships") });
  const turn = h("button", { type: "button", onclick: turnShip });
  const done = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "first", onclick: send }, tx("Keep this fleet")));
  const told = h("p", { class: "note told", role: "status" });

  /** Where the chosen ship lies when it begins here; near the edge it slides back inside.
   * @param {number} r @param {number} c
   */
  function squaresFrom(r, c) {
    const [, length] = SHIPS[chosen];
    const [r0, c0] = down ? [Math.min(r, zone.rows[1] - length + 1), c] : [r, Math.min(c, zone.cols[1] - length + 1)];
    return Array.from({ length }, (_, i) => squareName(r0 + (down ? i : 0), c0 + (down ? 0 : i), 15));
  }

  /** Which ship lies on a square; -1: none. @param {string} name */
  function shipOn(name) {
    return SHIPS.findIndex(([ship]) => fleet.get(ship)?.includes(name));
  }

  /** The way a placed ship lies. @param {number} i */
  function liesDown(i) {
    const squares = fleet.get(SHIPS[i][0]);
    return squares ? squareAt(squares[0])[1] === squareAt(squares[1])[1] : down;
  }

  function turnShip() {
    down = !down;
    const [ship] = SHIPS[chosen];
    const old = fleet.get(ship);
    if (old) {
      const squares = squaresFrom(...squareAt(old[0]));
      const problem = wrong(ship, squares);
      if (problem) { down = !down; say(problem, "bad"); } else fleet.set(ship, squares);
    }
    draw();
  }

  /** @param {string} name */
  function tap(name) {
    const there = shipOn(name);
    if (there >= 0 && there !== chosen) {
      chosen = there;
      down = liesDown(there);
      say(tx("The {ship}: drag it, turn it, or tap where it shall begin.", { ship: shipName(SHIPS[there][0]) }), "");
      return draw();
    }
    const [ship] = SHIPS[chosen];
    const squares = squaresFrom(...squareAt(name));
    const problem = wrong(ship, squares);
    if (problem) return say(problem, "bad");
    fleet.set(ship, squares);
    const next = SHIPS.findIndex(([other]) => !fleet.has(other));
    if (next >= 0) chosen = next;
    say(fleet.size === 5 ? tx("All ships are placed.") : tx("The {ship} is placed.", { ship: shipName(ship) }), "good");
    draw();
  }

  /** @param {string} ship @param {string[]} squares */
  function wrong(ship, squares) {
    for (const name of squares) {
      const [r, c] = squareAt(name);
      if (r < zone.rows[0] || r > zone.rows[1] || c < zone.cols[0] || c > zone.cols[1]) return tx("The {ship} would leave your part of the sea.", { ship: shipName(ship) });
      for (const [other, taken] of fleet) if (other !== ship && taken.includes(name)) return tx("The {ship} lies there already.", { ship: shipName(other) });
    }
    return "";
  }

  function scatter() {
    const pick = (/** @type {number} */ most) => crypto.getRandomValues(new Uint32Array(1))[0] % most;
    fleet.clear();
    for (const [ship, length] of SHIPS) {
      for (;;) {
        const upright = pick(2) === 1;
        const height = zone.rows[1] - zone.rows[0] + 2 - (upright ? length : 1);
        const width = zone.cols[1] - zone.cols[0] + 2 - (upright ? 1 : length);
        const [r, c] = [zone.rows[0] + pick(height), zone.cols[0] + pick(width)];
        const squares = Array.from({ length }, (_, i) => squareName(r + (upright ? i : 0), c + (upright ? 0 : i), 15));
        if (!wrong(ship, squares)) { fleet.set(ship, squares); break; }
      }
    }
    say(tx("All ships are placed."), "good");
    draw();
  }

  async function send() {
    done.blur(); // a part of the page that holds the focus is not drawn anew
    done.disabled = true;
    try {
      await act({ action: "enter_fleet", fleet: Object.fromEntries(fleet) });
    } catch (error) {
      say(/** @type {Error} */ (error).message, "bad");
      done.disabled = false;
      done.focus();
    }
  }

  /** @param {string} text @param {string} kind */
  function say(text, kind) {
    told.textContent = text;
    told.className = `note told ${kind}`;
  }

  function draw() {
    keepHere(draft, JSON.stringify([...fleet]));
    fill(ships, SHIPS.map(([ship, length], i) => h("button", { type: "button", class: fleet.has(ship) ? "placed" : "", "aria-pressed": String(i === chosen),
      onclick: () => { chosen = i; draw(); } }, shipName(ship), h("span", { class: "dots", "aria-label": tn("{count} square", "{count} squares", length) }, "●".repeat(length)))));
    turn.textContent = down ? tx("Lies down") : tx("Lies across");
    done.disabled = fleet.size < 5;
    const [ship] = SHIPS[chosen];
    const lit = [];
    for (let r = zone.rows[0]; r <= zone.rows[1]; r++) {
      for (let c = zone.cols[0]; c <= zone.cols[1]; c++) if (!wrong(ship, squaresFrom(r, c))) lit.push(squareName(r, c, 15));
    }
    board.update(Array(15).fill("."), {
      legal: fleet.size < 5 ? lit : [],
      ships: [...fleet].map(([name, squares]) => ({ squares, name: shipName(name), look: name === ship ? (over ? (over.problem ? "lifted bad" : "lifted") : "chosen") : "" })),
    });
    // the rim beside the own part, nothing of the other's
    const [up, left] = [zone.rows[0] ? 0 : 30, zone.cols[0] ? 0 : 30];
    board.look([30 + zone.cols[0] * 40 - left, 30 + zone.rows[0] * 40 - up, (zone.cols[1] - zone.cols[0] + 1) * 40 + left + (zone.cols[1] === 14 ? 30 : 0), (zone.rows[1] - zone.rows[0] + 1) * 40 + up + (zone.rows[1] === 14 ? 30 : 0)]);
    board.svg.classList.add("part");
  }

  /** @type {{squares: string[], grip: number, moved: boolean, problem: string} | null} a ship being dragged */
  let over = null;
  board.svg.classList.add("fleet-board");
  board.svg.addEventListener("pointerdown", (event) => {
    board.dragged = false;
    const at = board.squareUnder(/** @type {PointerEvent} */ (event));
    const name = at ? squareName(at[0], at[1], 15) : "";
    const there = shipOn(name);
    if (there < 0) return;
    chosen = there;
    down = liesDown(there);
    const squares = /** @type {string[]} */ (fleet.get(SHIPS[there][0]));
    over = { squares, grip: squares.indexOf(name), moved: false, problem: "" };
    board.svg.setPointerCapture(/** @type {PointerEvent} */ (event).pointerId);
    draw();
  });
  board.svg.addEventListener("pointermove", (event) => {
    const at = over && board.squareUnder(/** @type {PointerEvent} */ (event));
    if (!over || !at) return;
    const [ship, length] = SHIPS[chosen];
    const keep = (/** @type {number} */ v, /** @type {number[]} */ part, /** @type {boolean} */ along) => Math.min(part[1] - (along ? length - 1 : 0), Math.max(part[0], v));
    const squares = squaresFrom(keep(at[0] - (down ? over.grip : 0), zone.rows, down), keep(at[1] - (down ? 0 : over.grip), zone.cols, !down));
    if (squares[0] === fleet.get(ship)?.[0]) return;
    over.moved = true;
    over.problem = wrong(ship, squares);
    fleet.set(ship, squares);
    draw();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    board.svg.addEventListener(end, () => {
      if (!over) return;
      const { squares, moved, problem } = over;
      over = null;
      board.dragged = moved; // a drag is no tap
      if (problem) {
        fleet.set(SHIPS[chosen][0], squares);
        say(problem, "bad");
      } else if (moved) say(tx("The {ship} is placed.", { ship: shipName(SHIPS[chosen][0]) }), "good");
      draw();
    });
  }

  const [[first, left], [last, right]] = [0, 1].map((end) => places(zone.rows[end], zone.cols[end]));
  say(tx("Pick a ship and tap where it begins. Your ships lie in rows {first} to {last}, columns {left} to {right}. Nobody else sees this.", { first, last, left, right }), "");
  draw();
  return h("div", { class: "card stack" }, h("h2", {}, tx("Place your fleet")), ships,
    h("div", { class: "row" }, turn, h("button", { type: "button", onclick: scatter }, tx("Scatter them"))), board.element, told, done,
    h("p", { class: "small soft" }, tx("Once kept, a fleet never moves.")));
}
