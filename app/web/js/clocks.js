// @ts-check
/** Chess clocks: counted on between two messages from the server. */

import { h } from "./dom.js";

/** @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 20) return left.toFixed(1);
  return `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}

/** @param {() => any} now the newest state @param {string} player @returns {HTMLElement | null} */
export function clockOf(now, player) {
  const clocks = now()?.view.clocks;
  if (!clocks || clocks[player] === undefined) return null;
  const face = h("span", { class: "clock", role: "timer", "aria-label": `${player}'s clock` });
  const since = performance.now();
  const left = () => {
    const state = now();
    const running = state.view.running ?? [];
    const base = Number(state.view.clocks[player] ?? 0);
    return running.includes(player) ? base - (performance.now() - since) / 1000 : base;
  };
  const draw = () => {
    const seconds = left();
    face.textContent = clockText(seconds);
    face.classList.toggle("low", seconds < 30);
  };
  draw();
  const timer = setInterval(() => { if (face.isConnected) draw(); else clearInterval(timer); }, 200);
  setTimeout(draw, 0);
  return face;
}
