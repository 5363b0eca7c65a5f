// @ts-check
/** The hall of fame of Frankenscrabbards: records, titles, and the final grids. */

import { BoardView } from "./board.js";
import { call, kept } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { themeButton, useTheme } from "./chrome.js";

useTheme();
fill(byId("tools"), themeButton());
const key = kept("kibitz.key");
start();

async function start() {
  try {
    const { groups } = await call("/api/fame", { token: key });
    fill(byId("groups"), groups.length ? groups.map(group)
      : h("p", { class: "card" }, "Nobody is in the hall yet. A game of Frankenscrabbards gets here when its last star is joined."));
  } catch (error) {
    fill(byId("groups"), h("p", { class: "note warn", role: "alert" }, /** @type {Error} */ (error).message));
  }
}

/** @param {any} one games that are compared with each other */
function group(one) {
  const title = `${one.players === 1 ? "One player" : `${one.players} players`}${one.game_set ? `, ${one.game_set}` : ""}`;
  return h("section", { class: "card group" }, h("h2", {}, title),
    h("div", { class: "champion" }, h("span", {}, h("b", { class: "num" }, one.record), " words is the record"), h("span", {}, h("b", {}, one.title_holder), " is the Final Frank")),
    ...one.games.map(game));
}

/** @param {any} one */
function game(one) {
  const board = new BoardView({ size: 45, premiums: null, values: null, facing: false, label: `Final grid of ${one.date}` });
  board.update(one.board45, {});
  const picture = h("div", {});
  if (one.photo) showPicture(one.table, picture);
  return h("article", { class: "finished" },
    h("div", { class: "grid" }, board.element, picture),
    h("div", {}, h("h3", {}, `${one.total_words} words `, one.was_record ? h("span", { class: "badge" }, "record") : null),
      h("p", {}, `${one.names.join(", ")} · Final Frank: ${one.final_frank}`), h("p", { class: "soft small" }, one.date),
      h("ol", { class: "words" }, ...one.words.map((/** @type {any} */ w) => h("li", {}, w.word, h("span", { class: "soft small" }, ` ${w.player}`))))));
}

/** @param {string} table @param {HTMLElement} place */
async function showPicture(table, place) {
  const answer = await fetch(`/api/fame/${table}/picture.jpg`, { headers: key ? { Authorization: `Bearer ${key}` } : {} });
  if (!answer.ok) return;
  const image = /** @type {HTMLImageElement} */ (h("img", { alt: "The final grid as the camera saw it", src: URL.createObjectURL(await answer.blob()) }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src));
  place.append(image);
}
