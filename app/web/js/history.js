// @ts-check
/** The game from its beginning: the board after each play, the scores as a graph, downloads. */

import { BoardView, squareAt } from "./board.js";
import { Live, call, leadTo, tableOfPage, tokenOfPage } from "./api.js";
import { byId, fill, h, refresh } from "./dom.js";
import { icon } from "./icons.js";
import { closed, languageButton, showLink, themeButton, useTheme } from "./chrome.js";
import { bestPlays } from "./best_plays.js";
import { changeList } from "./changes.js";
import { copied } from "./clipboard.js";
import { boardsOf, faceOf } from "./marks.js";
import { tileRow, tilesIn } from "./extras.js";
import { scoreGraph } from "./graph.js";
import { readable } from "./said.js";
import { scoreSheet, wordOf } from "./sheet.js";
import { zoomable } from "./zoom.js";
import { tx } from "./language.js";

useTheme();
const table = tableOfPage();
const token = tokenOfPage("table", table);
/** @type {any} */
let state = null;
let at = Infinity;
/** @type {BoardView[]} */
let boards = [];
let picture = -1;
/** @type {ReturnType<typeof changeList> | null} */
let changes = null;
/** @type {ReturnType<typeof bestPlays> | null} */
let best = null;

if (!token) closed(tx("Open this page with the table's full link; the address alone is not enough."));
else {
  leadTo(byId("back"), `/table/${table}`, token);
  fill(byId("tools"), languageButton(), themeButton());
  changes = changeList(byId("changes"), table, token);
  best = bestPlays(byId("best"), table, token);
  new Live(table, token, (message) => { if (message.type === "state") { state = message; show(); } }, showLink);
  for (const id of ["first", "before", "after", "last"]) byId(id).append(icon(id));
  const slider = /** @type {HTMLInputElement} */ (byId("step"));
  slider.addEventListener("input", () => go(Number(slider.value)));
  byId("first").addEventListener("click", () => go(0));
  byId("before").addEventListener("click", () => go(at - 1));
  byId("after").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(Infinity));
}

/** @param {number} step */
function go(step) {
  at = Math.max(0, Math.min(step, state.history.length));
  show();
}

function show() {
  byId("main").hidden = false;
  byId("title").textContent = `${state.title} · ${state.players.join(", ")}`;
  downloads();
  const most = state.history.length;
  at = Math.min(at, most);
  const slider = /** @type {HTMLInputElement} */ (byId("step"));
  slider.max = String(most);
  slider.value = String(at);
  const entry = state.history[at - 1];
  slider.setAttribute("aria-valuetext", entry ? tx("play {number} of {most}: {said}", { number: at, most, said: entry.say.join(" ") }) : tx("the beginning"));
  byId("headline").textContent = entry ? readable(entry.say) || `${entry.player ?? ""} ${wordOf(entry)}`.trim() : state.start ? tx("The record begins here, in the middle of a game") : tx("The beginning");
  showBoard(entry);
  showGraph();
  refresh(byId("sheet"), [state.history], () => [scoreSheet(state, (picked) => go(state.history.findIndex((/** @type {any} */ e) => e.entry === picked.entry) + 1))]);
  showPicture(entry);
  best?.update(state);
  changes?.update(state);
}

/** @param {any} entry */
function showBoard(entry) {
  const shown = boardsOf(state);
  if (!shown.length) return showWords(entry);
  if (boards.length !== shown.length) {
    boards = shown.map((one) => new BoardView(faceOf(state, one.title)));
    byId("board").classList.toggle("boards-two", shown.length > 1);
    fill(byId("board"), shown.map((one, i) => h("div", {}, one.title ? h("h3", {}, one.title) : null, boards[i].element,
      boards[i].isJoined ? zoomable(boards[i]) : null)));
  }
  shown.forEach((one, i) => {
    const rows = at === state.history.length ? one.rows : entry?.boards?.[i] ?? boardAfter(one.rows.length, at, i);
    boards[i].update(rows, { last: entry?.tiles && i === 0 ? Object.keys(entry.tiles) : [], blanks: one.blanks });
  });
}

/** GrabScrab has no board: the words as they lay then. @param {any} entry */
function showWords(entry) {
  const words = at === state.history.length ? state.view.words : wordsAfter(at);
  refresh(byId("board"), [words, entry?.say], () => [h("div", { class: "felt" }, ...state.players.map((/** @type {string} */ player) =>
    h("div", { class: "hold" }, h("h3", {}, player), h("ul", {}, ...(words?.[player] ?? []).map((/** @type {string} */ word) => h("li", {}, tileRow(tilesIn(word, state.prints), state.prints)))))))]);
}

/** Everybody's words after so many entries, from what was won, stolen and given up. @param {number} count */
function wordsAfter(count) {
  /** @type {Record<string, string[]>} */
  const words = Object.fromEntries(state.players.map((/** @type {string} */ p) => [p, [...(state.start?.words?.[p] ?? [])]]));
  const take = (/** @type {string} */ player, /** @type {string} */ word) => { words[player] = (words[player] ?? []).filter((w) => w !== word); };
  for (const event of state.history.slice(0, count).flatMap((/** @type {any} */ e) => e.events ?? [])) {
    if (event.event === "penalty" && event.word) take(event.player, event.word);
    if (event.event !== "won" && event.event !== "stolen") continue;
    for (const old of event.taken ?? []) take(old.player, old.word);
    words[event.player]?.push(event.word);
  }
  return words;
}

/** The board after so many entries, from what each of them laid and took off.
 * @param {number} size @param {number} count @param {number} index which board */
function boardAfter(size, count, index) {
  const whole = [...state.history.slice(0, count)].reverse().find((/** @type {any} */ e) => e.boards);
  if (whole) return whole.boards[index];
  const entry = state.history[count - 1];
  if (entry?.board) return entry.board;
  const first = state.start?.boards?.[index] ?? state.start?.board45 ?? state.start?.board;
  const rows = Array.from({ length: size }, (_, r) => (first ? [...first[r]] : Array(size).fill(".")));
  /** @type {string[]} */
  let last = [];
  for (const one of state.history.slice(0, count)) {
    if (one.action === "take_back" || (["challenge", "withdraw"].includes(one.action) && one.removed?.length)) {
      for (const name of last) { const [r, c] = squareAt(name); rows[r][c] = "."; }
    }
    if (!one.tiles) continue;
    last = Object.keys(one.tiles);
    for (const name of last) { const [r, c] = squareAt(name); rows[r][c] = one.tiles[name]; }
  }
  return rows.map((row) => row.join(""));
}

function showGraph() {
  if (state.facts.loose) return showLetters();
  const counts = state.facts.counts_points;
  const key = counts && state.history.some((/** @type {any} */ e) => e.scores) ? "scores" : null;
  const start = state.start?.scores ?? Object.fromEntries(state.players.map((/** @type {string} */ p) => [p, 0]));
  const totals = [start, ...state.history.map((/** @type {any} */ e) => (key ? e[key] : null) ?? start)];
  const names = key && state.history.length ? Object.keys(state.history[0][key]) : state.players;
  refresh(byId("graph"), [totals, at, counts], () => key ? [scoreGraph(names, totals, at)] : [h("p", { class: "soft" }, counts ? tx("Nothing is scored yet.") : tx("This game counts no points."))]);
}

/** GrabScrab counts no points: how many letters lay before each player. */
function showLetters() {
  byId("graph-title").textContent = tx("Letters in everybody's words");
  const totals = Array.from({ length: state.history.length + 1 }, (_, i) => {
    const words = wordsAfter(i);
    return Object.fromEntries(state.players.map((/** @type {string} */ p) => [p, (words[p] ?? []).join("").length]));
  });
  refresh(byId("graph"), [totals, at], () => [scoreGraph(state.players, totals, at)]);
}

/** @param {any} entry */
async function showPicture(entry) {
  const found = entry ? [...state.pictures].reverse().find((p) => p.photo <= entry.photo) : state.pictures[0];
  byId("photo").hidden = !found;
  if (!found || found.seq === picture) return;
  picture = found.seq;
  const answer = await fetch(`/api/tables/${table}/pictures/${found.seq}.jpg`, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) return;
  const image = /** @type {HTMLImageElement} */ (h("img", { alt: tx("The table at this play"), src: URL.createObjectURL(await answer.blob()) }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src));
  fill(byId("picture"), image);
}

function downloads() {
  const kinds = /** @type {[string, string][]} */ ([["gcg", "GCG"], ["csv", tx("Spreadsheet (CSV)")], ["html", tx("Replay page (HTML)")], ["json", tx("Everything (JSON)")]]);
  refresh(byId("downloads"), [state.game, state.over], () => [...kinds.filter(([kind]) => kind !== "gcg" || state.facts.gcg).map(([kind, label]) => h("button", { type: "button", onclick: () => download(kind) }, label)),
    state.over && state.facts.gcg ? h("button", { type: "button", onclick: copyPosition }, tx("Copy position")) : null]);
}

/** The position that is shown goes to an analyser by the clipboard. */
async function copyPosition() {
  const note = byId("download-note");
  try {
    const answer = await call(`/api/tables/${table}/record?format=cgp&after=${at}`, { token, raw: true });
    const text = (await answer.text()).trim();
    note.textContent = (await copied(text)) ? tx("The position is copied, as CGP: paste it into an analyser.") : tx("It could not be copied.");
  } catch (error) {
    note.textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {string} kind */
async function download(kind) {
  const note = byId("download-note");
  note.textContent = "";
  try {
    const answer = await call(`/api/tables/${table}/record?format=${kind}`, { token, raw: true });
    const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: `kibitz-${state.game}-${table}.${kind}` });
    link.click();
  } catch (error) {
    note.textContent = /** @type {Error} */ (error).message;
  }
}
