// @ts-check
/** A player's own page: whose turn it is, what only this player may see and do, the board. */

import { BoardView, nameSquares } from "./board.js";
import { Live, act as send, tableOfPage, tokenOfPage } from "./api.js";
import { Speech } from "./speech.js";
import { asksOf } from "./asks.js";
import { boardsOf, faceOf, marksOf, showTitles } from "./marks.js";
import { byId, fill, h, refresh, toast } from "./dom.js";
import { clockOf } from "./clocks.js";
import { closed, languageButton, showLink, showLive, speechButton, themeButton, useTheme } from "./chrome.js";
import { buttonsOf } from "./doings.js";
import { doings } from "./actions.js";
import { extraOf } from "./extras.js";
import { openEntry } from "./entry.js";
import { openSquare } from "./squares.js";
import { ownPart } from "./own.js";
import { poolTable } from "./pool.js";
import { moversOf, playerCards, winners, withoutFleet } from "./players.js";
import { installButton } from "./install.js";
import { headlineOf, newestOf } from "./said.js";
import { scoreSheet } from "./sheet.js";
import { zoomable } from "./zoom.js";
import { row, tn, tx } from "./language.js";

useTheme();
const table = tableOfPage();
const token = tokenOfPage("seat", table);
const install = token ? installButton(token) : null;
const speech = new Speech(table);
/** @type {any} */
let state = null;
/** @type {BoardView[]} */
let boards = [];

const act = async (/** @type {Record<string, any>} */ action) => {
  const answer = await send(table, token ?? "", action);
  if (!answer.saved) toast(tx("The disk cannot be written to right now: this is kept in memory and will be tried again."), "bad");
  return answer;
};
const actAndTell = async (/** @type {Record<string, any>} */ action) => {
  try { return await act(action); } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
};

if (!token) closed(tx("Open this page with your seat's full link; the address alone is not enough."));
else new Live(table, token, (message) => {
  if (message.type === "state") {
    state = { ...message, came: performance.now() };
    showLive(state);
    nameSquares(state.facts.notation); // the own part is drawn before the board
    show();
  } else if (state && message.type === "camera") {
    state = { ...state, camera: message.camera, tasks: message.tasks };
    showLive(state);
    showHeadline();
    showAsks();
    speech.follow(state.said, state.camera);
  }
}, (link) => { if (link !== "open") showLink(link); });

// what waited because something was being typed or placed is shown when that is done
byId("own").addEventListener("focusout", () => requestAnimationFrame(() => { if (state) show(); }));

function showHeadline() {
  const newest = newestOf(state);
  byId("headline").textContent = newest.length ? headlineOf(newest).join(" ").trim() : "";
}

function show() {
  const me = state.you.player;
  if (!me) return closed(tx("This link does not belong to a seat. Open it on the table's page."));
  byId("main").hidden = false;
  document.title = `${me} – Kibitz`;
  byId("name").textContent = me;
  byId("title").textContent = state.title;
  refresh(byId("tools"), state.table, () => [install, speechButton(speech), languageButton(), themeButton()]);
  const waitedFor = withoutFleet(state), early = waitedFor.includes(me);
  const mine = !state.over && !waitedFor.length && (state.view.may_act ?? []).includes(me);
  const turn = byId("turn");
  turn.className = `whose${mine && (!state.facts.loose || state.view.flipper === me) ? " mine" : ""}`;
  const won = winners(state);
  turn.textContent = state.over
    ? (won.includes(me) ? tx("You win.") : won.length ? tn("{players} wins.", "{players} win.", won.length, { players: row(won) }) : tx("The game is over."))
    : early ? tx("Your fleet, in secret") : waitedFor.length ? tx("Still to place a fleet: {players}", { players: row(waitedFor) }) : state.facts.loose ? (state.view.flipper === me ? tx("You flip the next tile") : tx("{player} flips the next tile", { player: state.view.flipper }))
      : mine ? ((state.view.stuck ?? []).includes(me) ? tx("You may come back in") : tx("Your turn")) : waitsFor();
  showHeadline();
  showAsks();
  refresh(byId("players"), [state.view, state.over, state.provisional, state.paused, state.history.length], () => playerCards(state, (player) => clockOf(() => state, player)));
  const own = byId("own");
  // what is being typed or placed stays while others play
  if (!own.contains(document.activeElement) || state.over) {
    refresh(own, [state.view.fleets, state.view.rack, state.view.hand, state.view.fleets_ready, state.view.words, state.over, state.view.running, state.view.phase, state.view.stuck, mine], () => ownPart(state, act, actAndTell, () => state));
  }
  refresh(byId("actions"), [state.view, state.seq, state.over, state.paused, state.redo], () => buttonsOf(doings(state, act)));
  for (const id of ["board", "sheet-card", "players"]) byId(id).hidden = early;
  const extra = early ? null : extraOf(state);
  byId("extra").hidden = !extra;
  if (extra) refresh(byId("extra"), [state.view], () => extra);
  showBoards();
  refresh(byId("sheet"), [state.history, state.view.scores], () => [scoreSheet(state, (entry) => openEntry(state, entry, act))]);
  speech.follow(state.said, state.camera);
}

function waitsFor() {
  const others = moversOf(state);
  return others.length ? tx("{players} to move", { players: row(others) }) : tx("Wait");
}

function showAsks() {
  refresh(byId("asks"), [state.questions, state.tasks, state.notices, state.over, Boolean(state.camera?.size)], () => asksOf(state, actAndTell));
}

function showBoards() {
  if (state.facts.loose) {
    refresh(byId("board"), state.view, () => [poolTable(state, actAndTell)]);
    return;
  }
  const shown = boardsOf(state);
  if (boards.length !== shown.length) {
    boards = shown.map((one, i) => new BoardView(faceOf(state, one.title), (name) => openSquare(state, name, act, boardsOf(state)[i].rows, i)));
    fill(byId("board"), shown.map((one, i) => h("div", {}, one.title ? h("h3", {}, one.title) : null, boards[i].element,
      boards[i].isJoined ? zoomable(boards[i]) : null)));
  }
  showTitles(byId("board"), shown);
  shown.forEach((one, i) => boards[i].update(one.rows, { ...marksOf(state, i), blanks: one.blanks }));
}
