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
  const left = () => {
    const state = now();
    const base = Number(state.view.clocks[player] ?? 0);
    const at = (state.view.running ?? []).indexOf(player);
    if (at < 0) return base;
    // the server's clock when the message came, and what has gone by here since
    const gone = state.clock - Number(state.view.running_since?.[at] ?? state.clock);
    return base - gone - (performance.now() - (state.came ?? performance.now())) / 1000;
  };
  const draw = () => {
    const seconds = left();
    face.textContent = clockText(seconds);
    face.classList.toggle("low", seconds < 30);
    face.classList.toggle("runs", (now().view.running ?? []).includes(player));
  };
  draw();
  const timer = setInterval(() => { if (face.isConnected) draw(); else clearInterval(timer); }, 200);
  setTimeout(draw, 0);
  return face;
}
