// @ts-check
/** The hall of fame of Frankenscrabbards: records, titles, and the final grids. */

import { BoardView } from "./board.js";
import { call, kept } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";
import { tn, tx } from "./language.js";

useTheme();
fill(byId("tools"), languageButton(), themeButton());
const key = kept("kibitz.key");
start();

async function start() {
  try {
    const { groups } = await call("/api/fame", { token: key });
    fill(byId("groups"), groups.length ? groups.map(group)
      : h("p", { class: "card" }, tx("Nobody is in the hall yet. A game of Frankenscrabbards gets here when its last star is joined.")));
  } catch (error) {
    fill(byId("groups"), h("p", { class: "note warn", role: "alert" }, /** @type {Error} */ (error).message));
  }
}

/** @param {any} one games that are compared with each other */
function group(one) {
  const title = `${tn("One player", "{count} players", one.players)}${one.game_set ? `, ${one.game_set}` : ""}`;
  return h("section", { class: "card group" }, h("h2", {}, title),
    h("div", { class: "champion" }, h("span", {}, h("b", { class: "num" }, one.record), tx(" words is the record")), h("span", {}, h("b", {}, one.title_holder), tx(" is the Final Frank"))),
    ...one.games.map(game));
}

/** @param {any} one */
function game(one) {
  const board = new BoardView({ size: 45, premiums: null, values: null, facing: false, label: tx("Final grid of {date}", { date: one.date }) });
  board.update(one.board45, {});
  const picture = h("div", {});
  if (one.photo) showPicture(one.table, picture);
  return h("article", { class: "finished" },
    h("div", { class: "grid" }, board.element, picture),
    h("div", {}, h("h3", {}, tn("{count} word", "{count} words", one.total_words), " ", one.was_record ? h("span", { class: "badge" }, tx("record")) : null),
      h("p", {}, tx("{players} · Final Frank: {player}", { players: one.names.join(", "), player: one.final_frank })), h("p", { class: "soft small" }, one.date),
      h("ol", { class: "words" }, ...one.words.map((/** @type {any} */ w) => h("li", {}, w.word, h("span", { class: "soft small" }, ` ${w.player}`))))));
}

/** @param {string} table @param {HTMLElement} place */
async function showPicture(table, place) {
  const answer = await fetch(`/api/fame/${table}/picture.jpg`, { headers: key ? { Authorization: `Bearer ${key}` } : {} });
  if (!answer.ok) return;
  const image = /** @type {HTMLImageElement} */ (h("img", { alt: tx("The final grid as the camera saw it"), src: URL.createObjectURL(await answer.blob()) }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src));
  place.append(image);
}
