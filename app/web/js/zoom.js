// @ts-check
/** Looks at a part of a large board: buttons for its nine boards, wheel, two fingers, dragging. */

import { h } from "./dom.js";
import { squareAt } from "./board.js";
import { tx } from "./language.js";

/** @typedef {import("./board.js").BoardView} BoardView */

const PART = 15 * 40, RIM = 30, AROUND = 60;
/** For a screen that is read from afar: eleven squares. */
export const NEAR = 11 * 40;

/** @param {BoardView} board @param {string} [first] what is shown first: `all`, `newest` or a board's number @param {number} [least] how much of it is shown round the newest play @returns {HTMLElement} the buttons */
export function zoomable(board, first = "all", least = PART) {
  const buttons = /** @type {Map<string, HTMLButtonElement>} */ (new Map());
  let chosen = "all";
  const show = (/** @type {string} */ what) => {
    chosen = what;
    buttons.forEach((b, name) => b.setAttribute("aria-pressed", String(name === what)));
    if (what === "all") return board.look(null);
    if (what === "newest") return lookAt(board, board.newest, least);
    const panel = Number(what) - 1;
    board.look([RIM + (panel % 3) * PART - AROUND, RIM + Math.floor(panel / 3) * PART - AROUND, PART + 2 * AROUND, PART + 2 * AROUND]);
  };
  const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ said) => {
    const made = /** @type {HTMLButtonElement} */ (h("button", { type: "button", "aria-label": said, onclick: () => show(name) }, label));
    buttons.set(name, made);
    return made;
  };
  const panels = h("div", { class: "panels", role: "group", "aria-label": tx("Which board to look at") },
    button("all", tx("All nine"), tx("All nine boards")), button("newest", tx("Newest play"), tx("The newest play, followed")),
    h("div", { class: "nine" }, ...Array.from({ length: 9 }, (_, i) => button(String(i + 1), String(i + 1), tx("Board {number}", { number: i + 1 })))));
  show(first);
  board.onUpdate = () => { if (chosen === "newest") lookAt(board, board.newest, least); };
  gestures(board, () => {
    chosen = "";
    buttons.forEach((b) => b.setAttribute("aria-pressed", "false"));
  });
  return panels;
}

/** Look at some squares with room around them. @param {BoardView} board @param {string[]} squares @param {number} least the side of what is shown */
function lookAt(board, squares, least) {
  if (!squares.length) return board.look(null);
  const at = squares.map(squareAt);
  const [rows, cols] = [at.map((x) => x[0]), at.map((x) => x[1])];
  const middle = (/** @type {number[]} */ line) => RIM + ((Math.min(...line) + Math.max(...line) + 1) / 2) * 40;
  const span = 40 * (Math.max(Math.max(...rows) - Math.min(...rows), Math.max(...cols) - Math.min(...cols)) + 1);
  const size = Math.max(least, span + 2 * AROUND);
  const most = board.whole - size;
  board.look([Math.min(most, Math.max(0, middle(cols) - size / 2)), Math.min(most, Math.max(0, middle(rows) - size / 2)), size, size]);
}

/** @param {BoardView} board @param {() => void} moved */
function gestures(board, moved) {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let gap = 0;
  const clamp = (/** @type {number[]} */ view) => {
    const size = Math.min(board.whole, Math.max(240, view[2]));
    const most = board.whole - size;
    board.look([Math.min(most, Math.max(0, view[0])), Math.min(most, Math.max(0, view[1])), size, size]);
    moved();
  };
  const zoom = (/** @type {number} */ factor, /** @type {number} */ px, /** @type {number} */ py) => {
    const box = board.svg.getBoundingClientRect();
    const [x, y, w] = board.view;
    const size = Math.min(board.whole, Math.max(240, w * factor));
    const [fx, fy] = [(px - box.left) / box.width, (py - box.top) / box.height];
    clamp([x + fx * (w - size), y + fy * (w - size), size, size]);
  };
  board.svg.addEventListener("wheel", (event) => {
    const wheel = /** @type {WheelEvent} */ (event);
    if (!wheel.ctrlKey && board.view[2] >= board.whole) return; // the page scrolls until one zooms
    event.preventDefault();
    zoom(wheel.deltaY > 0 ? 1.15 : 0.87, wheel.clientX, wheel.clientY);
  }, { passive: false });
  board.svg.addEventListener("pointerdown", (event) => {
    const p = /** @type {PointerEvent} */ (event);
    fingers.set(p.pointerId, { x: p.clientX, y: p.clientY });
    board.dragged = false;
  });
  board.svg.addEventListener("pointermove", (event) => {
    const p = /** @type {PointerEvent} */ (event);
    const old = fingers.get(p.pointerId);
    if (!old) return;
    const box = board.svg.getBoundingClientRect();
    if (fingers.size === 1 && board.view[2] < board.whole) {
      const [dx, dy] = [p.clientX - old.x, p.clientY - old.y];
      if (Math.hypot(dx, dy) > 3) board.dragged = true;
      const scale = board.view[2] / box.width;
      clamp([board.view[0] - dx * scale, board.view[1] - dy * scale, board.view[2], board.view[3]]);
    }
    fingers.set(p.pointerId, { x: p.clientX, y: p.clientY });
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()];
      const now = Math.hypot(a.x - b.x, a.y - b.y);
      if (gap) zoom(gap / now, (a.x + b.x) / 2, (a.y + b.y) / 2);
      gap = now;
      board.dragged = true;
    }
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    board.svg.addEventListener(end, (event) => {
      fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
      gap = 0;
    });
  }
}
