// @ts-check
/** Drags the corners of the board into place on the camera's picture, with the squares drawn live. */

import { ApiError, call } from "./api.js";
import { sideOf, squareText } from "./board.js";
import { ask, fill, h, s } from "./dom.js";
import { tx } from "./language.js";

/** Squares along a side where the game does not say. */
const USUAL = 15;
const START = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];

/**
 * The dialog.
 * @param {string} table @param {string} token @param {any} state of the table
 */
export async function openCorners(table, token, state) {
  const { camera, facts } = state;
  const side = facts.rows ? sideOf(facts.rows) : USUAL;
  const last = String.fromCharCode(64 + side);
  const names = ["A1", `A${side}`, `${last}${side}`, `${last}1`].map((name) => squareText(name));
  const answer = await fetch(`/api/tables/${table}/frame.jpg`, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new ApiError(answer.status, { message: tx("No picture has come yet.") });
  const picture = URL.createObjectURL(await answer.blob());
  const [w, h0] = camera.size;
  /** @type {number[][]} */
  const points = (camera.corners[0] ?? START).map((/** @type {number[]} */ p) => [p[0] * w, p[1] * h0]);
  const lines = s("g", { class: "corner-lines" });
  const handles = points.map((_, i) => handle(i));
  const svg = s("svg", { class: "corners", viewBox: `0 0 ${w} ${h0}`, role: "group", "aria-label": tx("The picture with the board's corners") },
    s("image", { href: picture, width: w, height: h0 }), lines, ...handles);

  /** @param {number} i */
  function handle(i) {
    const g = s("g", { class: "handle", tabindex: "0", role: "slider", "aria-label": tx("Corner {square}", { square: names[i] }) },
      s("circle", { r: Math.max(w, h0) / 38 }), s("text", { y: Math.max(w, h0) / 120 }, names[i]));
    g.addEventListener("pointerdown", (event) => {
      g.setPointerCapture(/** @type {PointerEvent} */ (event).pointerId);
      event.preventDefault();
      /** @type {any} */ (g).focus();
    });
    g.addEventListener("pointermove", (event) => {
      const p = /** @type {PointerEvent} */ (event);
      if (!g.hasPointerCapture(p.pointerId)) return;
      const box = svg.getBoundingClientRect();
      move(i, ((p.clientX - box.left) / box.width) * w, ((p.clientY - box.top) / box.height) * h0);
    });
    g.addEventListener("keydown", (event) => {
      const key = /** @type {KeyboardEvent} */ (event);
      const by = (key.shiftKey ? 10 : 1) * Math.max(1, w / 800);
      const step = /** @type {Record<string, number[]>} */ ({ ArrowUp: [0, -by], ArrowDown: [0, by], ArrowLeft: [-by, 0], ArrowRight: [by, 0] })[key.key];
      if (!step) return;
      key.preventDefault();
      move(i, points[i][0] + step[0], points[i][1] + step[1]);
    });
    return g;
  }

  /** @param {number} i @param {number} x @param {number} y */
  function move(i, x, y) {
    points[i] = [Math.min(w * 1.2, Math.max(-w * 0.2, x)), Math.min(h0 * 1.2, Math.max(-h0 * 0.2, y))];
    draw();
  }

  function draw() {
    const map = projection(points);
    let path = "";
    for (let k = 0; k <= side; k++) {
      for (const [a, b] of [[map(k / side, 0), map(k / side, 1)], [map(0, k / side), map(1, k / side)]]) path += `M${a}L${b}`;
    }
    fill(lines, s("path", { class: "under", d: path }), s("path", { d: path }), s("path", { class: "edge", d: `M${points.map((p) => p.join(" ")).join("L")}Z` }));
    handles.forEach((g, i) => {
      g.setAttribute("transform", `translate(${points[i][0]} ${points[i][1]})`);
      g.setAttribute("aria-valuetext", tx("{across} percent from the left, {down} from the top", { across: Math.round((100 * points[i][0]) / w), down: Math.round((100 * points[i][1]) / h0) }));
      g.setAttribute("aria-valuenow", String(Math.round((100 * points[i][0]) / w)));
    });
  }

  const put = (/** @type {number[][] | null} */ corners) => call(`/api/tables/${table}/corners`, { method: "PUT", token, body: { corners } });
  draw();
  const dialog = ask(tx("Where the board lies"), [
    h("p", { class: "soft" }, tx("Drag the four corners until the lines lie on the lines of the board. With keys: Tab to a corner, then the arrows.")),
    /** @type {any} */ (h("div", { class: "corner-box" }, /** @type {any} */ (svg))),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => { points.push(/** @type {number[]} */ (points.shift())); draw(); } }, tx("Turn: the first row at the next side"))),
  ], [
    { label: tx("Find it automatically"), act: () => put(null) },
    { label: tx("Keep these corners"), act: () => put(points.map(([x, y]) => [x / w, y / h0])) },
  ]);
  dialog.classList.add("wide");
  dialog.addEventListener("close", () => URL.revokeObjectURL(picture));
}

/**
 * Where a point of the board lies in the picture.
 * @param {number[][]} p the pictures of (0, 0), (1, 0), (1, 1), (0, 1)
 * @returns {(u: number, v: number) => string}
 */
export function projection(p) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = p;
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [dx1, dx2, dy1, dy2] = [x1 - x2, x3 - x2, y1 - y2, y3 - y2];
  const whole = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const [g, k] = [(sx * dy2 - dx2 * sy) / whole, (dx1 * sy - sx * dy1) / whole];
  return (u, v) => {
    const d = g * u + k * v + 1;
    const x = ((x1 - x0 + g * x1) * u + (x3 - x0 + k * x3) * v + x0) / d;
    const y = ((y1 - y0 + g * y1) * u + (y3 - y0 + k * y3) * v + y0) / d;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
}
