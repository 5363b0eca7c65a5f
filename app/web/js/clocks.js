// @ts-check
/** Clocks: counted on between two messages from the server, which keeps the time. */

import { h } from "./dom.js";
import { tx } from "./language.js";

const LOW_SECONDS = 30;
const WARNINGS = /** @type {[number, string][]} */ ([[60, tx("one minute left")], [30, tx("thirty seconds left")], [10, tx("ten seconds left")]]);

/** @param {number} seconds */
export function clockText(seconds) {
  if (seconds >= 0 && seconds < 20) return seconds.toFixed(1);
  const whole = Math.floor(Math.abs(seconds));
  return `${seconds < 0 ? "-" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The seconds that a player has left just now; below zero what was used over time, or of a clock that counts up. @param {any} state @param {string} player */
export function secondsLeft(state, player) {
  const base = Number(state.view.clocks[player] ?? 0);
  const at = (state.view.running ?? []).indexOf(player);
  if (at < 0) return base;
  // the server's clock when the message came, and what has gone by here since
  const before = state.clock - Number(state.view.running_since?.[at] ?? state.clock);
  const since = state.paused ? 0 : (performance.now() - (state.came ?? performance.now())) / 1000;
  return base - before - since;
}

/** @param {() => any} now the newest state @param {string} player @returns {HTMLElement | null} */
export function clockOf(now, player) {
  const clocks = now()?.view.clocks;
  if (!clocks || clocks[player] === undefined) return null;
  const face = h("span", { class: "clock", role: "timer", "aria-label": tx("{player}'s clock", { player }) });
  const draw = () => {
    const state = now();
    const runs = (state.view.running ?? []).includes(player);
    const seconds = secondsLeft(state, player);
    const up = state.view.clocks_count_up;
    face.textContent = clockText(up ? -seconds : seconds);
    face.classList.toggle("low", !up && seconds < LOW_SECONDS);
    face.classList.toggle("runs", runs && !state.paused);
    face.classList.toggle("paused", runs && Boolean(state.paused));
  };
  draw();
  const timer = setInterval(() => { if (face.isConnected) draw(); else clearInterval(timer); }, 200);
  setTimeout(draw, 0);
  return face;
}

/** Warns of each running clock as it gets low. @param {() => any} now @param {(text: string) => void} say */
export function warnOfTime(now, say) {
  /** @type {Record<string, number>} */
  const before = {};
  setInterval(() => {
    const state = now();
    if (!state?.view.clocks || state.over || state.paused) return;
    for (const player of state.view.running ?? []) {
      const left = secondsLeft(state, player);
      for (const [limit, text] of WARNINGS) if (before[player] > limit && left <= limit) say(`${player}: ${text}.`);
      before[player] = left;
    }
  }, 500);
}
