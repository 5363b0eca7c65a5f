// @ts-check
/** From the photograph of a finished board back to its game. */

import { BoardView, nameSquares, squaresText, squareText } from "./board.js";
import { call, kept } from "./api.js";
import { ask, byId, fill, h } from "./dom.js";
import { fileButton } from "./drop.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";
import { icon } from "./icons.js";
import { tn, tx } from "./language.js";
import { listName, nameOf } from "./materials.js";

useTheme();
fill(byId("tools"), languageButton(), themeButton());
const key = kept("kibitz.key");
/** @type {string[]} the board as it was read */
let rows = [];
/** @type {Map<string, string>} letters that people put right, by square */
const letters = new Map();
/** @type {BoardView | null} */
let board = null;
/** @type {{field: HTMLElement, value: () => {turn: number, word: string}}[]} */
let remembered = [];

const value = (/** @type {string} */ id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id)).value.trim();
const players = () => value("players").split(",").map((name) => name.trim()).filter(Boolean);

byId("players").addEventListener("change", showPlayers);
byId("add").addEventListener("click", () => { remembered.push(turnField()); showTurns(); });
byId("known").addEventListener("submit", (event) => { event.preventDefault(); find(); });
offer();

async function offer() {
  await trying("", async () => {
    const known = await call("/api/games", { token: key });
    nameSquares(known.games[0].notation); // what is traced is the first of them, Scrabble
    fill(byId("tiles"), known.tiles.map((/** @type {string} */ t) => h("option", { value: t }, nameOf(t))));
    fill(byId("lexicon"), known.lexicons.map((/** @type {string} */ x) => h("option", { value: x }, listName(x))));
    // a photograph is read with the tiles that are chosen, so that it can be chosen only now
    fill(byId("choose"), fileButton(tx("Choose the photograph"), ([file]) => read(file), "image/*"));
  });
}

/** Do something that takes a while; what goes wrong is said beside it. @param {string} doing @param {() => Promise<void>} run */
async function trying(doing, run) {
  const problem = byId("problem");
  problem.hidden = true;
  byId("status").textContent = doing;
  try {
    await run();
  } catch (error) {
    problem.textContent = /** @type {Error} */ (error).message;
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
  }
  byId("status").textContent = "";
}

/** @param {File} file */
const read = (file) => trying(tx("The photograph is being read…"), async () => {
  const headers = { "content-type": file.type || "image/jpeg", ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const answer = await fetch(`/api/trace/board?${new URLSearchParams({ tiles: value("tiles") })}`, { method: "POST", headers, body: file });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error.message);
  rows = told.board;
  letters.clear();
  board = new BoardView({ size: rows.length, premiums: told.premiums, values: null, facing: false, label: tx("The board") }, putRight);
  fill(byId("board"), board.element);
  byId("found").hidden = false;
  showPlayers();
  showBoard();
  await find();
});

function showBoard() {
  const shown = rows.map((row, r) => [...row].map((char, c) => letters.get(`${String.fromCharCode(65 + r)}${c + 1}`) ?? char).join(""));
  const asked = shown.flatMap((row, r) => [...row].map((char, c) => ("#?".includes(char) ? `${String.fromCharCode(65 + r)}${c + 1}` : "")).filter(Boolean));
  board?.update(shown.map((row) => row.replaceAll("#", ".")), { ask: asked });
}

/** @param {string} square */
function putRight(square) {
  const letter = /** @type {HTMLInputElement} */ (h("input", { maxlength: "2", autocomplete: "off", spellcheck: "false", value: letters.get(square) ?? "" }));
  ask(tx("What lies on {square}?", { square: squareText(square) }), [h("label", { class: "field" }, tx("Its letter, small for a blank; empty where no tile lies"), letter)], [
    { label: tx("Correct it"), act: () => { letters.set(square, letter.value.trim() || "."); showBoard(); } },
  ]);
}

function showPlayers() {
  const began = value("began");
  fill(byId("began"), h("option", { value: "" }, tx("Not known")), ...players().map((name) => h("option", { selected: name === began }, name)));
}

function turnField() {
  const turn = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: "1", max: "60", value: "1", inputmode: "numeric" }));
  const word = /** @type {HTMLInputElement} */ (h("input", { autocapitalize: "characters", autocomplete: "off", spellcheck: "false" }));
  const field = h("div", { class: "remembered" }, h("label", { class: "field" }, tx("Turn"), turn), h("label", { class: "field" }, tx("Word"), word),
    h("button", { type: "button", class: "quiet square", "aria-label": tx("Remove"), onclick: () => { remembered = remembered.filter((one) => one.field !== field); showTurns(); } }, icon("cross")));
  return { field, value: () => ({ turn: Number(turn.value), word: word.value.trim().toUpperCase() }) };
}

function showTurns() {
  fill(byId("turns"), remembered.map((one) => one.field));
}

const find = () => trying(tx("The game is being looked for…"), async () => {
  byId("games").hidden = true;
  const points = (value("points").match(/\d+|[-–?]/g) ?? []).map((x) => (/\D/.test(x) ? null : Number(x)));
  const told = [
    ...(points.length ? [{ points }] : []),
    ...(value("began") ? [{ began: value("began") }] : []),
    ...remembered.map((one) => one.value()).filter((one) => one.word),
    ...[...letters].map(([square, letter]) => ({ square, value: letter })),
  ];
  const found = await call("/api/trace", { token: key, body: { board: rows, players: players(), told, tiles: value("tiles"), lexicon: value("lexicon") } });
  byId("count").textContent = [
    found.count === null ? tx("There are more orders than could be tried; what you remember narrows them down.") : tn("{count} order leads to it.", "{count} orders lead to it.", found.count),
    found.hidden.length ? tx("Treated as empty because they could not be read: {squares}.", { squares: squaresText(found.hidden) }) : "",
  ].join(" ");
  fill(byId("orders"), found.orders.map(order));
  byId("games").hidden = false;
});

/** @param {any} one @param {number} at */
function order(one, at) {
  const totals = /** @type {Record<string, number>} */ ({});
  const scores = Object.entries(one.scores).map(([name, points]) => `${name} ${points}`).join(" · ");
  const row = (/** @type {any} */ play) => {
    totals[play.player] = (totals[play.player] ?? 0) + play.turn_score;
    return h("tr", {}, h("td", { class: "num" }, play.turn), h("td", {}, play.player), h("td", {}, play.place),
      h("td", {}, play.words.map((/** @type {any} */ w) => w.word).join(", ")), h("td", { class: "num" }, play.turn_score), h("td", { class: "num" }, totals[play.player]));
  };
  return h("details", { class: "order", open: at === 0 },
    h("summary", {}, h("b", {}, tx("Game {number}", { number: at + 1 })), h("span", {}, scores), h("span", { class: "soft" }, tx("{percent} % of what was found", { percent: Math.round(1000 * one.weight) / 10 }))),
    h("table", {}, h("thead", {}, h("tr", {}, ...[tx("Turn"), tx("Who"), tx("Place"), tx("Words"), tx("Points"), tx("Total")].map((label, i) => h("th", { scope: "col", class: [0, 4, 5].includes(i) ? "num" : "" }, label)))),
      h("tbody", {}, ...one.plays.map(row))),
    one.gcg ? h("a", { class: "button", download: `game-${at + 1}.gcg`, href: URL.createObjectURL(new Blob([one.gcg], { type: "text/plain" })) }, tx("Download as GCG")) : null);
}
