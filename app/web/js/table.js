// @ts-check
/** The table's page. */

import { BoardView } from "./board.js";
import { Live, act as send, dropToken, leadTo, settleToken, tableOfPage, tokenOfPage } from "./api.js";
import { Photo } from "./photo.js";
import { Speech } from "./speech.js";
import { asksOf } from "./asks.js";
import { boardsOf, faceOf, marksOf, showTitles } from "./marks.js";
import { byId, fill, h, refresh, toast } from "./dom.js";
import { clockOf, warnOfTime } from "./clocks.js";
import { closed, languageButton, showLink, showLive, speechButton, themeButton, useTheme } from "./chrome.js";
import { buttonsOf } from "./doings.js";
import { doings } from "./actions.js";
import { takeDrops } from "./drop.js";
import { Explosion } from "./explosion.js";
import { extraOf } from "./extras.js";
import { openEntry } from "./entry.js";
import { openSquare } from "./squares.js";
import { moversOf, playerCards, withoutFleet } from "./players.js";
import { seatButton } from "./seats.js";
import { fit, headlineOf, known, newestOf, readable, settled } from "./said.js";
import { poolTable } from "./pool.js";
import { FOLLOWS, newestTable } from "./lasting.js";
import { Overlay } from "./overlay.js";
import { Overview, SHOWN, screenButton, useScreen } from "./screen.js";
import { scoreSheet, showNewest } from "./sheet.js";
import { shareButton } from "./share.js";
import { startDoing } from "./start.js";
import { cameraDoing, readInto } from "./add_camera.js";
import { NEAR, zoomable } from "./zoom.js";
import { region, row, tn, tx } from "./language.js";

useTheme();
const kind = useScreen();
const [table, token] = FOLLOWS ? await newestTable() : [tableOfPage(), tokenOfPage(kind, tableOfPage())];
const speech = new Speech(table);
const photo = new Photo(table, token ?? "");
const explosion = new Explosion();
const overlay = kind === "overlay" ? new Overlay(table, token ?? "") : null;
warnOfTime(() => state, (text) => { if (speech.on) speech.say(text); });
/** @type {any} */
let state = null;
/** @type {BoardView[]} */
let boards = [];
/** @type {[string, number]} what a screen shows of a large board */
const NEWEST = ["newest", NEAR];
/** @type {Overview | null} of a board that is too large for a hall's screen */
let overview = null;

const act = async (/** @type {Record<string, any>} */ action) => {
  const answer = await send(table, token ?? "", action);
  if (!answer.saved) toast(tx("The disk cannot be written to right now: this is kept in memory and will be tried again."), "bad");
  return answer;
};

/** The same, for buttons that have no dialog to show an error in. */
const actAndTell = async (/** @type {Record<string, any>} */ action) => {
  try { return await act(action); } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
};

if (!token && !FOLLOWS) closed(tx("Open this page with the table's full link; the address alone is not enough."));
else if (token) {
  leadTo(byId("history"), `/history/${table}`, token);
  takeDrops(document.body, (files) => readInto(table, token, files), () => state?.you.role === "host" && !state.over);
  new Live(table, token, take, (link) => {
    if (FOLLOWS && link === "refused") return; // the next table is looked for, or the end of the link is told
    if (link === "refused") dropToken(kind, table, token);
    if (link !== "open") showLink(link);
  });
}

/** @param {any} message */
function take(message) {
  if (message.type === "state") {
    if (SHOWN && message.you.role !== "watch") return closed(tx("This page opens only with a spectator's link."));
    state = { ...message, came: performance.now() };
    showLive(state);
    settleToken(kind, table, token ?? "", state.you.role);
    show();
  } else if (state && message.type === "camera") {
    state = { ...state, camera: message.camera, tasks: message.tasks };
    showLive(state);
    photo.show(state);
    overlay?.update(state, () => state);
    showHeadline();
    showAsks();
    showBoards();
    speech.follow(state.said, state.camera);
  }
}

function show() {
  byId("main").hidden = false;
  document.title = `${state.title}: ${state.players.join(", ")} – Kibitz`;
  byId("title").textContent = `${state.title} · ${state.players.join(", ")}`;
  refresh(byId("tools"), [state.you, state.table, state.delay_s], () => [
    speechButton(speech), shareButton(state, token ?? ""), screenButton(state, token ?? ""), languageButton(), themeButton(),
  ]);
  photo.place(state);
  // the picture can wait until what was played is drawn
  requestAnimationFrame(() => setTimeout(() => photo.show(state)));
  showHeadline();
  byId("sheet-title").textContent = state.facts.score_columns ? tx("Score sheet") : tx("What was played");
  showAsks();
  showBoards();
  refresh(byId("players"), [state.view, state.over, state.provisional, state.paused, state.history.length, state.seats, Boolean(state.camera?.size)], () => playerCards(state, (player) => clockOf(() => state, player), (player) => seatButton(state, actAndTell, player)));
  refresh(byId("sheet"), [state.history, state.view.scores, state.start], () => [scoreSheet(state, (entry) => openEntry(state, entry, act))]);
  showNewest(byId("sheet"));
  refresh(byId("said"), [state.said, state.history, state.questions], () => !state.said.length ? [h("li", { class: "soft" }, tx("Nothing yet."))] : [...settled(state)].reverse().map((one) => h("li", {},
    h("time", { datetime: new Date(one.at * 1000).toISOString() }, new Date(one.at * 1000).toLocaleTimeString(region, { hour: "2-digit", minute: "2-digit" })),
    readable(known(state, one.lines)))));
  refresh(byId("actions"), [state.view, state.seq, state.over, state.paused, state.you, state.redo, Boolean(state.camera?.frame)], () =>
    buttonsOf([...cameraDoing(state, token ?? ""), ...doings(state, act), ...startDoing(state, act, token ?? "")]));
  showUnseen();
  overlay?.update(state, () => state);
  const extra = extraOf(state, () => explosion.play(state, (i) => boards[i], tellStep, show));
  byId("extra").hidden = !extra;
  if (extra) refresh(byId("extra"), [state.view], () => extra);
  speech.follow(state.said, state.camera);
}

/** @param {string} text */
function tellStep(text) {
  if (refresh(byId("headline"), [text], () => [text])) fit(byId("headline"));
}

function showHeadline() {
  if (explosion.running) return;
  const newest = newestOf(state);
  const [first, more] = headlineOf(newest.length ? newest : opening());
  if (refresh(byId("headline"), [first, more], () => [first, more ? h("span", { class: "more" }, ` ${more}`) : null])) fit(byId("headline"));
}

/** What the game waits for, and what a newcomer does about it. */
function opening() {
  if (withoutFleet(state).length) return [tx("Everybody places a fleet in secret."), ...(state.you.role === "host" ? [tx("Each on their own phone: press Invite at the top for the codes.")] : [])];
  const to = moversOf(state);
  if (!to.length) return [tx("Ready."), ...(state.view.clocks && !state.over ? [tx("Whoever does not begin presses the clock first.")] : [])];
  if (state.history.length) return [tx("{players} to move.", { players: row(to) })];
  return [tn("{players} begins.", "{players} begin.", to.length, { players: row(to) })];
}

function showAsks() {
  refresh(byId("asks"), [state.questions, state.tasks, state.notices, state.over, Boolean(state.camera?.size)], () => asksOf(state, actAndTell));
}

function showBoards() {
  const place = byId("board");
  if (state.facts.loose) {
    refresh(place, state.view, () => [poolTable(state, actAndTell)]);
    return;
  }
  const shown = boardsOf(state);
  byId("main").classList.toggle("wide", shown.length > 1);
  if (boards.length !== shown.length) {
    boards = shown.map((one, i) => new BoardView(faceOf(state, one.title), (name) => openSquare(state, name, act, boardsOf(state)[i].rows, i)));
    place.classList.toggle("boards-two", shown.length > 1);
    fill(place, shown.map((one, i) => h("div", {}, one.title ? h("h3", {}, one.title) : null, boards[i].element,
      boards[i].isJoined ? zoomable(boards[i], ...(kind === "screen" ? NEWEST : [])) : null)));
    if (kind === "screen" && boards[0].isJoined) overview = new Overview(boards[0], byId("overview"));
  }
  showTitles(place, shown);
  explosion.follow(state, (i) => boards[i], tellStep, show);
  if (explosion.running) return;
  shown.forEach((one, i) => boards[i].update(one.rows, { ...marksOf(state, i), blanks: one.blanks }));
  overview?.update(shown[0].rows, { last: state.last });
}

function showUnseen() {
  const unseen = Object.entries(state.view.unseen ?? {});
  byId("unseen-card").hidden = !unseen.length;
  const count = unseen.reduce((sum, [, n]) => sum + Number(n), 0);
  const bag = state.view.bag_count;
  byId("unseen-count").textContent = bag === undefined || bag > count ? tn("{count} tile", "{count} tiles", count) : tn("{count} tile, {bag} of them in the bag", "{count} tiles, {bag} of them in the bag", count, { bag });
  refresh(byId("unseen"), unseen, () => unseen.map(([letter, n]) => h("span", {}, h("b", {}, letter === "?" ? tx("blank") : letter), h("i", { class: "num" }, `×${n}`))));
}

// type that comes later, or another window, changes how much goes into a line
document.fonts.ready.then(settle);
addEventListener("resize", settle);
function settle() {
  if (!state) return;
  fit(byId("headline"));
  showNewest(byId("sheet"));
}
