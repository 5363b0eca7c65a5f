// @ts-check
/** Placing a fleet in secret: pick a ship, tap where it begins, turn it, keep it. */

import { BoardView, squareAt, squareName } from "./board.js";
import { fill, h } from "./dom.js";

const SHIPS = /** @type {[string, number][]} */ ([["carrier", 5], ["scrabbleship", 4], ["submarine", 3], ["destroyer", 3], ["patrol", 2]]);

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** The rows and columns in which a player's ships lie. @param {any} state */
export function zoneOf(state) {
  const players = state.players;
  const told = state.settings["ss.zones"];
  let index = players.indexOf(state.you.player);
  if (told && typeof told === "object" && told[state.you.player]) index = Number(told[state.you.player]) - 1;
  if (players.length === 2) return { rows: index === 0 ? [0, 6] : [8, 14], cols: [0, 14] };
  return { rows: index < 2 ? [0, 6] : [8, 14], cols: index % 2 === 0 ? [0, 6] : [8, 14] };
}

/** @param {any} state @param {Act} act */
export function fleetEditor(state, act) {
  const zone = zoneOf(state);
  /** @type {Map<string, string[]>} */
  const fleet = new Map();
  let chosen = 0;
  let down = false;
  const board = new BoardView({ size: 15, premiums: null, values: null, facing: false, label: "Your part of the sea" }, tap);
  const ships = h("div", { class: "fleet-ships", role: "group", "aria-label": "Ships" });
  const turn = h("button", { type: "button", onclick: () => { down = !down; draw(); } });
  const done = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "first", onclick: send }, "Keep this fleet"));
  const told = h("p", { class: "note", role: "status" });

  /** @param {string} name */
  function tap(name) {
    const [ship, length] = SHIPS[chosen];
    const [r, c] = squareAt(name);
    // the tapped square is the ship's end; near the edge it slides back inside
    const [r0, c0] = down ? [Math.min(r, zone.rows[1] - length + 1), c] : [r, Math.min(c, zone.cols[1] - length + 1)];
    const squares = Array.from({ length }, (_, i) => squareName(r0 + (down ? i : 0), c0 + (down ? 0 : i), 15));
    const problem = wrong(ship, squares);
    if (problem) return say(problem, "bad");
    fleet.set(ship, squares);
    const next = SHIPS.findIndex(([other]) => !fleet.has(other));
    if (next >= 0) chosen = next;
    say(fleet.size === 5 ? "All ships are placed." : `The ${ship} is placed.`, "good");
    draw();
  }

  /** @param {string} ship @param {string[]} squares */
  function wrong(ship, squares) {
    for (const name of squares) {
      const [r, c] = squareAt(name);
      if (r < zone.rows[0] || r > zone.rows[1] || c < zone.cols[0] || c > zone.cols[1]) return `The ${ship} would leave your part of the sea.`;
      for (const [other, taken] of fleet) if (other !== ship && taken.includes(name)) return `The ${other} lies there already.`;
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
    say("All ships are placed.", "good");
    draw();
  }

  async function send() {
    done.disabled = true;
    try {
      await act({ action: "enter_fleet", fleet: Object.fromEntries(fleet) });
    } catch (error) {
      say(/** @type {Error} */ (error).message, "bad");
      done.disabled = false;
    }
  }

  /** @param {string} text @param {string} kind */
  function say(text, kind) {
    told.textContent = text;
    told.className = `note ${kind}`;
  }

  function draw() {
    fill(ships, SHIPS.map(([ship, length], i) => h("button", { type: "button", class: fleet.has(ship) ? "placed" : "", "aria-pressed": String(i === chosen),
      onclick: () => { chosen = i; draw(); } }, ship, h("span", { class: "dots", "aria-label": `${length} squares` }, "●".repeat(length)))));
    turn.textContent = down ? "Lies down the board" : "Lies across the board";
    done.disabled = fleet.size < 5;
    board.update(Array(15).fill("."), { ships: [...fleet].map(([ship, squares]) => ({ squares, name: ship })) });
    board.look([30 + zone.cols[0] * 40 - 30, 30 + zone.rows[0] * 40 - 30, (zone.cols[1] - zone.cols[0] + 1) * 40 + 60, (zone.rows[1] - zone.rows[0] + 1) * 40 + 60]);
    board.svg.classList.add("part");
  }

  say(`Pick a ship and tap where it begins. Your ships lie in rows ${String.fromCharCode(65 + zone.rows[0])} to ${String.fromCharCode(65 + zone.rows[1])}, columns ${zone.cols[0] + 1} to ${zone.cols[1] + 1}. Nobody else sees this.`, "");
  draw();
  return h("div", { class: "card stack" }, h("h2", {}, "Place your fleet"), told, ships,
    h("div", { class: "row" }, turn, h("button", { type: "button", onclick: scatter }, "Scatter them")), board.element,
    h("p", { class: "small soft" }, "Once kept, a fleet never moves."), done);
}
