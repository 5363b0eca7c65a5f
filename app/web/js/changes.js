// @ts-check
/** Every change of the game with its cause, and why: the readings and what else was weighed. */

import { call } from "./api.js";
import { squareText } from "./board.js";
import { ask, fill, h } from "./dom.js";
import { readable } from "./said.js";
import { wordOf } from "./sheet.js";
import { tn, tx } from "./language.js";

/** @typedef {{seq: number, at: number, cause: string, by: string | null, what: string, photo: number | null, first: number, entries: number, before: Record<string, number>, after: Record<string, number>, say: string[]}} Change */

const CAUSES = /** @type {Record<string, string>} */ ({ picture: tx("the camera saw it"), rule: tx("the rules") });

/** Where the list is shown, and of which table. @param {Element} element @param {string} table @param {string} token */
export function changeList(element, table, token) {
  let seen = -1;
  return {
    /** Ask for the list again when something happened. @param {any} state */
    async update(state) {
      if (state.seq === seen) return;
      seen = state.seq;
      try {
        const { changes } = await call(`/api/tables/${table}/changes`, { token });
        fill(element, ...list(changes, table, token, state.history));
      } catch (error) {
        fill(element, h("p", { class: "soft" }, /** @type {Error} */ (error).message));
      }
    },
  };
}

/** @param {Change[]} changes @param {string} table @param {string} token @param {any[]} history */
function list(changes, table, token, history) {
  if (!changes.length) return [h("p", { class: "soft" }, tx("Nothing has changed yet."))];
  return [h("div", { class: "sheet-box", tabindex: "0", role: "group", "aria-label": tx("Every change of the game") },
    h("ol", { class: "sheet-list changes" }, ...[...changes].reverse().map((one) => h("li", {},
      h("div", { class: "grow" }, h("p", {}, readable(one.say) || lineOf(one, history)),
        h("p", { class: "small soft" }, [causeOf(one), pointsOf(one)].filter(Boolean).join(" · "))),
      h("button", { type: "button", class: "quiet", "aria-label": tx("Why: {change}", { change: readable(one.say) || lineOf(one, history) }), onclick: () => showWhy(one, table, token) }, tx("Why?"))))))];
}

/** What a change without words was: what was played, as the score sheet names it. @param {Change} one @param {any[]} history */
function lineOf(one, history) {
  const entry = history[one.first];
  const what = (entry && wordOf(entry)) || tx("a change");
  return entry?.player ? `${entry.player}: ${what}` : what;
}

/** @param {Change} one */
function causeOf(one) {
  if (one.cause === "person") return tx("entered by {person}", { person: one.by === "host" ? tx("the host") : one.by || tx("somebody") });
  return CAUSES[one.cause] ?? one.cause;
}

/** Whose points changed, from what to what. @param {Change} one */
function pointsOf(one) {
  return Object.entries(one.after).filter(([player, now]) => now !== (one.before[player] ?? 0))
    .map(([player, now]) => `${player} ${one.before[player] ?? 0} → ${now}`).join(", ");
}

/** @param {Change} one @param {string} table @param {string} token */
async function showWhy(one, table, token) {
  const found = await call(`/api/tables/${table}/changes/${one.seq}`, { token });
  const parts = [h("p", {}, `${causeOf(found)}${found.say.length ? `: ${readable(found.say)}` : ""}`)];
  if (pointsOf(found)) parts.push(h("p", {}, h("b", {}, tx("Scores")), " ", pointsOf(found)));
  if (found.entries > 1) parts.push(h("p", { class: "small" }, tn("{count} entry was worked out anew from number {first} on.", "{count} entries were worked out anew from number {first} on.", found.entries, { first: found.first + 1 })));
  if (found.alternatives.length) parts.push(weighed(found.alternatives));
  if (found.readings.length) parts.push(readings(found.readings));
  if (found.picture) parts.push(await picture(found.picture, token));
  ask(tx("Why?"), parts, [{ label: tx("Close"), act: () => undefined }]);
}

/** @param {{means: string, weight: number, share: number}[]} alternatives */
function weighed(alternatives) {
  return h("table", { class: "why" }, h("caption", {}, tx("What the picture may have meant")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, tx("Meaning")), h("th", { scope: "col" }, tx("Share")), h("th", { scope: "col" }, tx("Weight")))),
    h("tbody", {}, ...alternatives.map((one) => h("tr", {}, h("td", {}, one.means), h("td", { class: "num" }, percent(one.share)), h("td", { class: "num" }, String(one.weight))))));
}

/** @param {{square: string, empty: number, tile: number, covered: number, letters: Record<string, number>}[]} found */
function readings(found) {
  return h("table", { class: "why" }, h("caption", {}, tx("What was read")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, tx("Where")), h("th", { scope: "col" }, tx("Tile")), h("th", { scope: "col" }, tx("Hidden")), h("th", { scope: "col" }, tx("Letters")))),
    h("tbody", {}, ...found.map((one) => h("tr", {}, h("td", {}, squareText(one.square)), h("td", { class: "num" }, percent(one.tile)), h("td", { class: "num" }, percent(one.covered)),
      h("td", {}, Object.entries(one.letters).map(([x, p]) => `${x === "?" ? tx("blank") : x} ${percent(p)}`).join(", "))))));
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;

/** The picture of a change, for who may see it. @param {string} path @param {string} token */
export async function picture(path, token) {
  const answer = await fetch(path, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) return h("p", { class: "small soft" }, tx("Its picture is no longer kept."));
  const image = /** @type {HTMLImageElement} */ (h("img", { alt: tx("The table at this change"), class: "why-picture", src: URL.createObjectURL(await answer.blob()) }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src));
  return image;
}
