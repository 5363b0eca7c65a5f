// @ts-check
/** Looks at a part of a large board: buttons for its nine boards, wheel, two fingers, dragging. */

import { h } from "./dom.js";

/** @typedef {import("./board.js").BoardView} BoardView */

/** @param {BoardView} board @returns {HTMLElement} the buttons */
export function zoomable(board) {
  const panels = h("div", { class: "panels", role: "group", "aria-label": "Which board to look at" });
  const buttons = /** @type {HTMLButtonElement[]} */ ([]);
  const show = (/** @type {number | null} */ panel) => {
    buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(panel === (i === 9 ? null : i))));
    if (panel === null) return board.look(null);
    const part = 15 * 40;
    board.look([30 + (panel % 3) * part - 50, 30 + Math.floor(panel / 3) * part - 50, part + 100, part + 100]);
  };
  for (let i = 0; i < 10; i++) {
    const button = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "square", onclick: () => show(i === 9 ? null : i) }, i === 9 ? "All" : String(i + 1)));
    buttons.push(button);
    panels.append(button);
  }
  show(null);
  gestures(board, () => buttons.forEach((b) => b.setAttribute("aria-pressed", "false")));
  return panels;
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
