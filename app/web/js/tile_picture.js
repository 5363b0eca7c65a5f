// @ts-check
/** A tile as the camera sees it, with the letters that it thinks likely. */

import { call } from "./api.js";
import { squareText } from "./board.js";
import { h } from "./dom.js";
import { tx } from "./language.js";

/**
 * What the cameras see on a square: its picture, and letters to tap, the likeliest first.
 * @param {any} state @param {string} token @param {string} square @param {number} board which of two, from 1
 * @param {((letter: string) => unknown) | null} pick what a tap on a letter does; null: only the picture
 * @returns {HTMLElement} empty until it has come, and where no camera sees the square
 */
export function tilePicture(state, token, square, board, pick) {
  const place = h("div", { class: "tile-picture" });
  if (state.camera?.frame) show(place, `/api/tables/${state.table}/squares/${encodeURIComponent(square)}?board=${board}`, token, square, pick).catch(() => place.remove());
  return place;
}

/**
 * The loose tile that is asked about, as a camera sees it.
 * @param {any} state @param {string} token @param {string} asked what is asked
 * @returns {HTMLElement} empty until it has come, and where no camera sees the tile
 */
export function loosePicture(state, token, asked) {
  const place = h("div", { class: "tile-picture" });
  if (state.camera?.frame) fetched(`/api/tables/${state.table}/tile.jpg`, token, asked).then((image) => place.append(image)).catch(() => place.remove());
  return place;
}

/** @param {string} path @param {string} token @param {string} alt @returns {Promise<HTMLImageElement>} */
async function fetched(path, token, alt) {
  const shot = await call(path, { token, raw: true });
  const image = /** @type {HTMLImageElement} */ (h("img", { alt, width: 120, height: 120, src: URL.createObjectURL(await shot.blob()) }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src));
  return image;
}

/** @param {HTMLElement} place @param {string} path @param {string} token @param {string} square @param {((letter: string) => unknown) | null} pick */
async function show(place, path, token, square, pick) {
  const seen = await call(path, { token });
  if (!seen.picture) return place.remove();
  place.append(await fetched(seen.picture, token, tx("The tile on {square} as the camera sees it", { square: squareText(square) })));
  if (!pick || !seen.letters.length) return;
  place.append(h("div", { class: "likely", role: "group", "aria-label": tx("The likeliest letters") },
    ...seen.letters.map((/** @type {{letter: string, share: number}} */ one) => h("button", { type: "button", "aria-label": `${nameOf(one.letter)}, ${percent(one.share)}`, onclick: () => pick(one.letter) },
      h("b", {}, one.letter === "?" ? tx("blank") : one.letter), h("small", { class: "soft" }, percent(one.share))))));
}

/** @param {string} letter */
const nameOf = (letter) => (letter === "?" ? tx("a blank") : letter);

/** @param {number} share */
const percent = (share) => (share < 0.01 ? "< 1 %" : share > 0.995 ? "> 99 %" : `${Math.round(100 * share)} %`);
