// @ts-check
/** A published game for everybody: its snapshot once, then what came after each step. */

import { BoardView } from "./board.js";
import { boardsOf, faceOf } from "./marks.js";
import { byId, fill, h, refresh } from "./dom.js";
import { playerCards } from "./players.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";
import { tx } from "./language.js";

const AGAIN_MS = 2000;
const key = location.pathname.split("/")[2];
/** @type {any} */
let game = null;
/** @type {BoardView[]} */
let boards = [];

useTheme();
fill(byId("tools"), languageButton(), themeButton());
follow();

async function follow() {
  for (;;) {
    try {
      const cached = await begin();
      byId("problem").hidden = true;
      await (cached ? ask() : listen());
    } catch (error) {
      byId("problem").hidden = false;
      byId("problem").textContent = /** @type {Error} */ (error).message;
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

/** Take the snapshot; whether a cache stands before the server, which hands changes to many at once. */
async function begin() {
  const answer = await fetch(`/public/${key}.json`);
  if (!answer.ok) throw new Error(answer.status === 404 ? tx("This game is not public, or not any more.") : tx("The server does not answer as expected; trying again."));
  game = await answer.json();
  show();
  return answer.headers.has("X-Kibitz-Cache");
}

/** What came after each step, asked for one after the other, until the snapshot has to be taken anew. */
async function ask() {
  for (;;) {
    const answer = await fetch(`/public/${key}/after/${game.seq}`);
    if (answer.status === 404) return;
    if (answer.status !== 204 && !answer.ok) throw new Error(tx("The server cannot be reached; trying again."));
    if (answer.ok && answer.status !== 204) take(await answer.json());
  }
}

/** The same as the server sends it, until the line breaks. @returns {Promise<void>} */
function listen() {
  return new Promise((done, fail) => {
    const stream = new EventSource(`/public/${key}/stream/${game.seq}`);
    stream.addEventListener("message", (event) => {
      const change = JSON.parse(event.data);
      if (change.after === game.seq) return take(change);
      stream.close();
      done();
    });
    stream.addEventListener("error", () => { stream.close(); fail(new Error(tx("The connection to the server was lost; trying again."))); });
  });
}

/** @param {any} change */
function take(change) {
  game = { ...game, ...change.set, history: [...game.history.slice(0, change.history.keep), ...change.history.add] };
  show();
}

/** What the boards and the players' cards need beside what is public. */
const shown = () => ({ ...game, table: "", you: { role: "watch", player: null }, questions: [], tasks: [], notices: [], camera: null, seats: {}, pictures: [] });

function show() {
  const state = shown();
  document.title = `${state.title}: ${state.players.join(", ")} – Kibitz`;
  byId("title").textContent = `${state.title} · ${state.players.join(", ")}`;
  const lying = boardsOf(state);
  if (boards.length !== lying.length) {
    boards = lying.map((one) => new BoardView(faceOf(state, one.title)));
    fill(byId("boards"), boards.map((b) => b.element));
  }
  lying.forEach((one, i) => boards[i].update(one.rows, { last: i ? [] : state.last, blanks: one.blanks }));
  refresh(byId("players"), [state.view, state.over, state.provisional], () => playerCards(state, () => null));
  const said = state.said[state.said.length - 1];
  byId("newest").textContent = said ? said.lines.join(" ") : tx("Nothing was played yet.");
  refresh(byId("plays"), state.history, () => [...state.history].reverse().map((/** @type {any} */ entry) => h("li", {}, entry.say?.join(" ") || `${entry.player ?? ""} ${entry.action}`)));
}
