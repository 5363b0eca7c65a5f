// @ts-check
/** A board drawn crisply: premiums, tiles, what is new, and a cursor for keys. */

import { h, s } from "./dom.js";
import { tx } from "./language.js";

const SIDE = 40;
const RIM = 30;
/** Squares along a side of nine joined boards. */
const JOINED = 45;

/** Squares along a side of one board. @param {number} size of all of it */
export const sideOf = (size) => size === JOINED ? JOINED / 3 : size;

/**
 * @typedef {object} Face What a board looks like in one game.
 * @property {number} size squares along a side, 45 where nine boards are joined
 * @property {string[] | null} premiums rows of Q W w q L l * and dots
 * @property {Record<string, number> | null} values letter to face value; null: tiles show none
 * @property {Record<string, string>} [prints] what stands on tiles of several letters, by their sign
 * @property {boolean} facing small letters face North (Scrabble House)
 * @property {string} label what a screen reader calls it
 */

/** @typedef {{last?: string[], lift?: string[], turn?: string[], ask?: string[], wrong?: string[], cards?: {squares: string[], kind?: string}[], ships?: {squares: string[], name: string, sunk?: boolean, look?: string}[], hits?: string[], blanks?: string[], groups?: Map<string, string>, legal?: string[]}} Marks */

/** `H8`, or `4:B8` on the joined boards. @param {number} row @param {number} col @param {number} size */
export function squareName(row, col, size) {
  const side = sideOf(size);
  const local = `${String.fromCharCode(65 + (row % side))}${(col % side) + 1}`;
  return size > side ? `${3 * Math.floor(row / side) + Math.floor(col / side) + 1}:${local}` : local;
}

/** How the table names squares to people: `A1` letters the rows, `1A` the columns. */
let notation = "A1";
/** From now on squares are named so. @param {string} told */
export const nameSquares = (told) => { notation = told; };
/** A row and a column from 0 as people are told them. @param {number} row @param {number} column @returns {[string, string]} */
export function places(row, column) {
  const letter = (/** @type {number} */ n) => String.fromCharCode(65 + n);
  return notation === "1A" ? [`${row + 1}`, letter(column)] : [letter(row), `${column + 1}`];
}

/** A square's name for people. @param {string} name @param {string} [between] what stands between row and column */
export function squareText(name, between = "") {
  const [, board, local] = /** @type {RegExpExecArray} */ (/^(\d+:)?(.*)$/.exec(name));
  return (board ?? "") + places(local.charCodeAt(0) - 65, Number(local.slice(1)) - 1).join(between);
}
/** Several squares for people. @param {string[]} names */
export const squaresText = (names) => names.map((name) => squareText(name)).join(", ");

/** @param {string} name @returns {[number, number]} */
export function squareAt(name) {
  const [panel, local] = name.includes(":") ? name.split(":") : ["1", name];
  const p = Number(panel) - 1;
  return [local.charCodeAt(0) - 65 + 15 * Math.floor(p / 3), Number(local.slice(1)) - 1 + 15 * (p % 3)];
}

const PREMIUM_TEXT = /** @type {Record<string, [string, string]>} */ ({
  Q: ["w4", "4W"], W: ["w3", "3W"], w: ["w2", "2W"], q: ["l4", "4L"], L: ["l3", "3L"], l: ["l2", "2L"], "*": ["w2", "★"],
});
const PREMIUM_WORDS = /** @type {Record<string, string>} */ ({
  Q: tx("quadruple word"), W: tx("triple word"), w: tx("double word"), q: tx("quadruple letter"), L: tx("triple letter"), l: tx("double letter"), "*": tx("star, double word"),
});

export class BoardView {
  /**
   * @param {Face} face
   * @param {(name: string) => void} [onPick] a square was tapped or entered
   */
  constructor(face, onPick) {
    this.face = face;
    this.onPick = onPick;
    /** Whether it is nine boards joined. */
    this.isJoined = face.size > sideOf(face.size);
    this.cursor = [Math.floor(face.size / 2), Math.floor(face.size / 2)];
    this.dragged = false;
    /** @type {string[]} the squares of the newest play */
    this.newest = [];
    /** @type {(() => void) | null} called after each change */
    this.onUpdate = null;
    /** @type {string[]} */
    this.rows = [];
    /** @type {Map<string, {char: string, node: SVGElement}>} */
    this.tiles = new Map();
    const whole = face.size * SIDE + 2 * RIM;
    this.whole = whole;
    this.view = [0, 0, whole, whole];
    this.below = s("g", {});
    this.lying = s("g", {});
    this.above = s("g", { "pointer-events": "none" });
    this.mark = s("rect", { class: "cursor", width: SIDE, height: SIDE, rx: 5 });
    this.svg = s("svg", { class: `board${this.isJoined ? " large" : ""}`, viewBox: this.view.join(" "), role: "application", tabindex: "0",
      "aria-label": tx("{board}. Arrow keys move from square to square, Enter opens one.", { board: face.label }) },
    ...this.ground(), this.below, this.lying, this.above, this.mark);
    this.spoken = h("div", { class: "hush", role: "status", "aria-live": "polite" });
    this.element = h("div", { class: "board-box" }, this.svg, this.spoken);
    this.listen();
    this.placeCursor(false);
  }

  /** The empty board. */
  ground() {
    const { size, premiums } = this.face;
    const side = sideOf(size);
    const span = size * SIDE;
    const out = [
      s("rect", { class: "rim", width: this.whole, height: this.whole, rx: 14 }),
      s("rect", { class: "squares", x: RIM, y: RIM, width: span, height: span }),
    ];
    for (let r = 0; r < size; r++) {
      for (let c = 0; c < size; c++) {
        const sign = premiums ? premiums[r % side][c % side] : (size > side && r % side === 7 && c % side === 7 ? "*" : ".");
        if (sign === ".") continue;
        const [kind, text] = PREMIUM_TEXT[sign];
        const [x, y] = [RIM + c * SIDE, RIM + r * SIDE];
        out.push(s("rect", { class: `premium ${kind}`, x, y, width: SIDE, height: SIDE }));
        out.push(s("text", { class: `premium-text ${kind}${text === "★" ? " star" : ""}`, x: x + SIDE / 2, y: y + SIDE / 2 }, text));
      }
    }
    let lines = "";
    for (let i = 0; i <= size; i++) {
      lines += `M${RIM + i * SIDE} ${RIM}v${span}M${RIM} ${RIM + i * SIDE}h${span}`;
    }
    out.push(s("path", { class: "lines", d: lines }));
    if (size > side) {
      let seams = "";
      for (const i of [side, 2 * side]) seams += `M${RIM + i * SIDE} ${RIM}v${span}M${RIM} ${RIM + i * SIDE}h${span}`;
      out.push(s("path", { class: "seams", d: seams }));
      for (let p = 0; p < 9; p++) {
        out.push(s("text", { class: "panel-number", x: RIM + ((p % 3) + 0.5) * side * SIDE, y: RIM + (Math.floor(p / 3) + 0.5) * side * SIDE }, p + 1));
      }
    }
    for (let i = 0; i < size; i++) {
      const at = RIM + (i + 0.5) * SIDE;
      const [row, column] = places(i % side, i % side);
      for (const far of [RIM / 2, this.whole - RIM / 2]) {
        out.push(s("text", { class: "coordinate", x: at, y: far }, column));
        out.push(s("text", { class: "coordinate", x: far, y: at }, row));
      }
    }
    return out;
  }

  /** Draw a position. @param {string[]} rows @param {Marks} marks */
  update(rows, marks) {
    this.rows = rows;
    this.newest = marks.last ?? [];
    const wanted = new Map();
    const last = new Set(marks.last ?? []);
    const blanks = new Set(marks.blanks ?? []);
    rows.forEach((row, r) => [...row].forEach((char, c) => {
      if (char !== ".") wanted.set(squareName(r, c, this.face.size), [r, c, char]);
    }));
    for (const [name, tile] of this.tiles) {
      const now = wanted.get(name);
      if (!now || now[2] !== tile.char) {
        tile.node.remove();
        this.tiles.delete(name);
      }
    }
    for (const [name, [r, c, char]] of wanted) {
      let tile = this.tiles.get(name);
      if (!tile) {
        tile = { char, node: this.tile(r, c, char, blanks.has(name)) };
        this.tiles.set(name, tile);
        this.lying.append(tile.node);
      }
      tile.node.classList.toggle("new", last.has(name));
      const group = marks.groups?.get(name) ?? "";
      tile.node.setAttribute("data-group", group);
    }
    this.drawMarks(marks);
    this.placeCursor(false);
    this.onUpdate?.();
  }

  /** @param {number} r @param {number} c @param {string} char @param {boolean} bare */
  tile(r, c, char, bare) {
    const { facing, prints, values } = this.face;
    const lower = char !== char.toUpperCase();
    const north = facing && lower;
    const blank = char === "?" || bare || (!facing && lower);
    const letter = char === "?" ? "" : char.toUpperCase();
    const value = values && !blank ? values[letter] ?? "" : "";
    const printed = char === "?" ? char : prints?.[letter] ?? letter;
    const [x, y] = [RIM + c * SIDE, RIM + r * SIDE];
    const turn = north ? ` rotate(180 ${SIDE / 2} ${SIDE / 2})` : "";
    return s("g", { class: `tile${blank ? " blank" : ""}${north ? " north" : ""}`, transform: `translate(${x} ${y})${turn}` },
      s("rect", { class: "edge", x: 1, y: 1, width: SIDE - 2, height: SIDE - 2, rx: 5 }),
      s("rect", { class: "face", x: 1.5, y: 1, width: SIDE - 3, height: SIDE - 4, rx: 5 }),
      s("text", { class: `letter${printed.length > 1 ? " several" : ""}`, x: SIDE / 2 - (value === "" ? 0 : 2), y: SIDE / 2 }, printed),
      value === "" ? null : s("text", { class: "value", x: SIDE - 6, y: SIDE - 8 }, value));
  }

  /** @param {Marks} marks */
  drawMarks(marks) {
    const box = (/** @type {string} */ name, /** @type {string} */ kind) => {
      const [r, c] = squareAt(name);
      return s("rect", { class: `mark ${kind}`, x: RIM + c * SIDE + 1.5, y: RIM + r * SIDE + 1.5, width: SIDE - 3, height: SIDE - 3, rx: 5 });
    };
    const span = (/** @type {string[]} */ squares, /** @type {string} */ kind, /** @type {string} */ title) => {
      const at = squares.map(squareAt);
      const [r0, c0] = [Math.min(...at.map((x) => x[0])), Math.min(...at.map((x) => x[1]))];
      const [r1, c1] = [Math.max(...at.map((x) => x[0])), Math.max(...at.map((x) => x[1]))];
      return s("rect", { class: kind, x: RIM + c0 * SIDE + 4, y: RIM + r0 * SIDE + 4, width: (c1 - c0 + 1) * SIDE - 8, height: (r1 - r0 + 1) * SIDE - 8, rx: 14 }, s("title", {}, title));
    };
    this.below.replaceChildren(
      ...(marks.legal ?? []).map((name) => box(name, "legal")),
      ...(marks.ships ?? []).map((ship) => span(ship.squares, `ship${ship.sunk ? " sunk" : ""}${ship.look ? ` ${ship.look}` : ""}`, ship.name)),
    );
    this.above.replaceChildren(
      ...(marks.hits ?? []).map((name) => {
        const [r, c] = squareAt(name);
        return s("circle", { class: "hit", cx: RIM + (c + 1) * SIDE - 8, cy: RIM + r * SIDE + 8, r: 5 });
      }),
      // a wreck lies under the tiles that struck it: its outline is drawn over them
      ...(marks.ships ?? []).filter((ship) => ship.sunk).map((ship) => span(ship.squares, "wreck", tx("{ship}, sunk", { ship: ship.name }))),
      ...(marks.cards ?? []).map((card) => span(card.squares, "card-mark", card.kind ?? tx("ship card"))),
      ...(marks.lift ?? []).map((name) => box(name, "lift")),
      ...(marks.turn ?? []).map((name) => box(name, "turn")),
      ...(marks.wrong ?? []).map((name) => box(name, "wrong")),
      ...(marks.ask ?? []).map((name) => box(name, "asking")),
    );
  }

  listen() {
    this.svg.addEventListener("click", (event) => {
      if (this.dragged) return;
      const at = this.squareUnder(/** @type {MouseEvent} */ (event));
      if (!at) return;
      this.cursor = at;
      this.placeCursor(true);
      this.onPick?.(squareName(at[0], at[1], this.face.size));
    });
    this.svg.addEventListener("keydown", (event) => {
      const key = /** @type {KeyboardEvent} */ (event).key;
      const step = /** @type {Record<string, number[]>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] })[key];
      if (step) {
        const most = this.face.size - 1;
        this.cursor = [Math.min(most, Math.max(0, this.cursor[0] + step[0])), Math.min(most, Math.max(0, this.cursor[1] + step[1]))];
        this.placeCursor(true);
        event.preventDefault();
      } else if (key === "Enter" || key === " ") {
        this.onPick?.(squareName(this.cursor[0], this.cursor[1], this.face.size));
        event.preventDefault();
      }
    });
  }

  /** @param {MouseEvent} event @returns {[number, number] | null} */
  squareUnder(event) {
    const box = this.svg.getBoundingClientRect();
    const [vx, vy, vw, vh] = this.view;
    const x = vx + ((event.clientX - box.left) / box.width) * vw - RIM;
    const y = vy + ((event.clientY - box.top) / box.height) * vh - RIM;
    const [r, c] = [Math.floor(y / SIDE), Math.floor(x / SIDE)];
    return r >= 0 && c >= 0 && r < this.face.size && c < this.face.size ? [r, c] : null;
  }

  /** @param {boolean} say */
  placeCursor(say) {
    const [r, c] = this.cursor;
    this.mark.setAttribute("x", String(RIM + c * SIDE));
    this.mark.setAttribute("y", String(RIM + r * SIDE));
    if (!say) return;
    const name = squareName(r, c, this.face.size);
    const char = this.rows[r]?.[c] ?? ".";
    const side = sideOf(this.face.size);
    const sign = this.face.premiums?.[r % side]?.[c % side] ?? ".";
    const what = char === "." ? (PREMIUM_WORDS[sign] ?? tx("empty")) : char === "?" ? tx("blank") : this.face.prints?.[char.toUpperCase()] ?? char.toUpperCase();
    this.spoken.textContent = `${squareText(name, " ")}: ${what}`;
  }

  /** Look at a part only. @param {number[] | null} view x, y, width, height in board units; null: all */
  look(view) {
    this.view = view ?? [0, 0, this.whole, this.whole];
    this.svg.setAttribute("viewBox", this.view.join(" "));
    // seen from afar the letters are drawn as large as their tiles allow
    this.svg.classList.toggle("close", this.view[2] < this.whole / 2);
  }
}
