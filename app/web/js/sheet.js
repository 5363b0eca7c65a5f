// @ts-check
/** The score sheet: a column a player like on paper, or a list where a game has no such sheet. */

import { squareText } from "./board.js";
import { h } from "./dom.js";
import { shipsOf } from "./players.js";
import { tx } from "./language.js";

/** @typedef {any} Entry one entry of the table's history */

const HIDDEN = new Set(["answer", "racks", "accept", "go_on", "call", "set_position", "tick", "press_clock", "deal_info", "working_on", "lay_card", "seat", "end_of_play", "tidy", "rule_fragment", "enter_fleet", "begin", "draw", "hand", "discard"]);
/** What else than a play changes scores, and what it is called on the sheet. */
const GAINS = /** @type {Record<string, string>} */ ({ challenge: tx("it is good"), racks: tx("racks"), end_game: tx("racks"), place: tx("by the other's play"), judge_decision: tx("the judge's ruling"), go: tx("for the go"), tick: tx("over time"), press_clock: tx("over time"), end_of_play: tx("last"), end_of_hand: tx("left unfinished"), rule_fragment: tx("ruled on a fragment") });
/** With what the next player lets a play stand that waited. */
const GOES_ON = new Set(["place", "pass", "exchange"]);
const TAKES_OFF = new Set(["challenge", "withdraw", "take_back"]);

/**
 * @typedef {object} Line one thing that stands on the sheet
 * @property {Entry} entry
 * @property {boolean} off whether it was taken off again
 * @property {string} why
 * @property {string} [player] in whose column, if it is not who did it
 * @property {string} [label] what it is called, if it is no play
 * @property {number} [gain] what it brought, if it is no play
 */

/**
 * What stands on the sheet: plays, each with whether it was taken off again, and what else changed scores.
 * @param {Entry[]} history @param {Record<string, number>} [first] the scores that it begins with @returns {Line[]}
 */
export function sheetLines(history, first = {}) {
  /** @type {Line[]} */
  const lines = [];
  /** @type {Record<string, number>} */
  let before = first;
  for (const entry of history) {
    playLines(lines, entry);
    otherGains(lines, entry, before);
    before = entry.scores ?? before;
  }
  return lines;
}

/** What an entry changed in the scores besides its own play: a failed challenge, racks at the end.
 * @param {Line[]} lines @param {Entry} entry @param {Record<string, number>} before
 */
function otherGains(lines, entry, before) {
  if (TAKES_OFF.has(entry.action) && (entry.removed ?? []).length) return;
  for (const [player, now] of Object.entries(entry.scores ?? {})) {
    const gain = now - (before[player] ?? 0);
    if (!gain || (player === entry.player && entry.turn_score) || entry.action === "take_back") continue;
    const waiting = GOES_ON.has(entry.action) && lines.findLast((line) => line.entry !== entry && line.entry.player === player && line.entry.tiles && !line.off);
    if (waiting && waiting.entry.turn_score === undefined) {
      waiting.entry = { ...waiting.entry, turn_score: gain, scores: entry.scores };
      continue;
    }
    if (!(entry.action in GAINS)) continue;
    const label = (entry.action === "challenge" && entry.say[0]?.replace(/\.$/, "")) || GAINS[entry.action];
    lines.push({ entry, off: false, why: "", player, label, gain });
  }
}

/** @param {Line[]} lines @param {Entry} entry */
function playLines(lines, entry) {
  if (TAKES_OFF.has(entry.action)) {
    const gone = (entry.removed ?? []).length || entry.action === "take_back";
    const play = [...lines].reverse().find((line) => line.entry.tiles && !line.off);
    if (gone && play) {
      for (const line of lines) {
        if (line.entry !== play.entry) continue;
        line.off = true;
        line.why = whyOff(entry);
      }
      return;
    }
    if (entry.action === "challenge") lines.push({ entry, off: false, why: "", label: tx("challenge fails") });
    return;
  }
  if (["go_on", "call"].includes(entry.action)) settle(lines, entry);
  if (HIDDEN.has(entry.action) || !wordOf(entry)) return;
  const before = lines[lines.length - 1];
  if (entry.action === "flip" && before?.entry.action === "flip") {
    before.entry = { ...entry, flipped: before.entry.flipped + letterOf(entry) };
    return;
  }
  lines.push({ entry: entry.action === "flip" ? { ...entry, flipped: letterOf(entry) } : entry, off: false, why: "" });
}

/** What a play brought that waited until its word stood. @param {Line[]} lines @param {Entry} entry */
function settle(lines, entry) {
  const play = lines.findLast((line) => line.entry.tiles && !line.off);
  if (play && entry.turn_score !== undefined) play.entry = { ...play.entry, turn_score: entry.turn_score, scores: entry.scores };
}

/** Why a play no longer counts. @param {Entry} entry */
function whyOff(entry) {
  if (entry.action === "challenge") return tx("challenged off");
  return entry.turn === "back" ? tx("withdrawn") : tx("taken off");
}

/** @param {Entry} entry a turned tile */
function letterOf(entry) {
  return entry.events?.[0]?.letter ?? "?";
}

/** Show the end of a sheet, with whole lines only: its height is that of as many as have room.
 * @param {HTMLElement} place what holds the sheet
 */
export function showNewest(place) {
  const box = /** @type {HTMLElement | null} */ (place.querySelector(".sheet-box"));
  if (!box) return;
  box.style.height = "";
  const rows = [...box.querySelectorAll("tbody tr, li")].map((row) => row.getBoundingClientRect().height);
  const all = rows.reduce((sum, height) => sum + height, 0);
  const room = box.clientHeight, around = box.scrollHeight - all; // the head and the totals stay
  if (box.scrollHeight > room && rows.length) {
    let height = around;
    for (let i = rows.length - 1; i >= 0 && height + rows[i] <= room; i--) height += rows[i];
    if (height > around) box.style.height = `${height}px`;
  }
  box.scrollTop = box.scrollHeight;
}

/** @param {any} state @param {(entry: Entry) => void} [onPick] */
export function scoreSheet(state, onPick) {
  const lines = sheetLines(state.history, state.start?.scores);
  const columns = state.players.length <= 4 && state.facts.score_columns;
  return columns ? inColumns(state, lines, onPick) : inList(state, lines, onPick);
}

/** @param {any} state @param {ReturnType<typeof sheetLines>} lines @param {((entry: Entry) => void) | undefined} onPick */
function inColumns(state, lines, onPick) {
  const players = /** @type {string[]} */ (state.players);
  /** @type {(typeof lines[number] | null)[][]} */
  const rounds = [];
  for (const line of lines) {
    const column = players.indexOf(line.player ?? line.entry.player);
    if (column < 0) continue;
    const now = rounds[rounds.length - 1];
    if (!now || now.slice(column).some(Boolean)) rounds.push(players.map(() => null));
    rounds[rounds.length - 1][column] = line;
  }
  const newest = lines.length ? lines[lines.length - 1].entry : null;
  return h("div", { class: "sheet-box", tabindex: "0", role: "group", "aria-label": tx("Score sheet") },
    h("table", { class: players.length > 2 ? "sheet many" : "sheet" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hush" }, tx("Round"))), ...players.map((p) => h("th", { scope: "col", title: p }, p)))),
      h("tbody", {}, state.start ? h("tr", {}, h("th", { scope: "row", title: tx("The record begins here") }, tx("from paper")), ...players.map((p) => h("td", { class: "num" }, state.start.scores?.[p] ?? ""))) : null,
        ...rounds.map((round, i) =>
        h("tr", {}, h("th", { scope: "row" }, i + 1), ...round.map((line) => cell(state, line, line?.entry === newest, onPick))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, h("span", { class: "hush" }, tx("Total"))), ...players.map((p) => h("td", { class: "num" }, total(state, p)))))),
    rounds.length ? null : h("p", { class: "soft" }, tx("No play yet.")));
}

/** @param {any} state @param {string} player */
function total(state, player) {
  const points = state.view.scores?.[player] ?? 0;
  const ships = state.view.ship_count?.[player];
  return ships === undefined ? String(points) : `${points} · ${shipsOf(ships)}`;
}

/** @param {any} state @param {Line | null} line @param {boolean} newest @param {((entry: Entry) => void) | undefined} onPick */
function cell(state, line, newest, onPick) {
  if (!line) return h("td", {});
  const { entry, off, why } = line;
  const inner = [
    line.label ? h("span", { class: "word" }, h("em", {}, line.label)) : h("span", { class: "word" }, ...wordsOf(entry), off ? h("em", {}, ` ${why}`) : null),
    h("span", { class: "points num" }, off ? "0" : line.gain ? signed(line.gain) : plus(entry)),
  ];
  const after = entry.scores?.[line.player ?? entry.player];
  const body = h("div", { class: "play" }, ...inner, h("span", { class: "after num" }, off || after === undefined ? "" : after));
  return h("td", { class: `${off ? "off" : ""} ${newest ? "newest" : ""}` }, pickable(body, entry, onPick));
}

/** @param {HTMLElement} body @param {Entry} entry @param {((entry: Entry) => void) | undefined} onPick */
function pickable(body, entry, onPick) {
  if (!onPick) return body;
  const button = h("button", { class: "quiet line", type: "button", onclick: () => onPick(entry), "aria-label": tx("{player} {word} {points}: open", { player: entry.player ?? "", word: wordOf(entry), points: plus(entry) }) });
  button.append(body);
  return button;
}

/** @param {Entry} entry */
export function wordOf(entry) {
  if (entry.private) return { enter_fleet: tx("fleet entered"), racks: tx("rack shown"), exchange: tx("exchange") }[/** @type {string} */ (entry.action)] ?? tx("in secret");
  const words = (entry.words ?? []).map((/** @type {any} */ w) => w.word);
  if (entry.action === "flip") return tx("turned up: {letters}", { letters: [...(entry.flipped ?? letterOf(entry))].join(" ") });
  if (words.length) return words.join(", ");
  const names = /** @type {Record<string, string>} */ ({ pass: tx("pass"), exchange: tx("exchange"), challenge: tx("challenge"), end_game: tx("end"), take_back: tx("taken off"), place: tx("tiles"), tile: tx("tile"), go: tx("go"), end_of_play: tx("End of play"), end_of_hand: tx("End of hand"), flag_fall: tx("out of time"), finish_game: tx("into the records"), tidy: tx("the board is put in order") });
  if (entry.action === "tile" && entry.tiles) return Object.entries(entry.tiles).map(([square, letter]) => tx("{letter} on {square}", { letter, square: squareText(square) })).join(", ");
  const event = entry.events?.find((/** @type {any} */ e) => e.word);
  return event?.word ?? names[entry.action] ?? (entry.say[0] ?? "").replace(/\.$/, "");
}

/** The main word, and the side words small after it. @param {Entry} entry */
function wordsOf(entry) {
  if (!entry.words?.length) return [wordOf(entry)];
  const [main, ...sides] = wordOf(entry).split(", ");
  const word = h("span", { class: "main" }, main);
  word.style.setProperty("--letters", String(main.length));
  return [word, sides.length ? h("small", {}, ` ${sides.join(", ")}`) : null];
}

/** @param {number} points */
const signed = (points) => (points > 0 ? `+${points}` : `−${-points}`);

/** @param {Entry} entry */
function plus(entry) {
  return entry.turn_score === undefined || entry.turn_score === null || !entry.tiles ? "" : `+${entry.turn_score}`;
}

/** @param {any} state @param {ReturnType<typeof sheetLines>} lines @param {((entry: Entry) => void) | undefined} onPick */
function inList(state, lines, onPick) {
  const rows = lines.map((line, i) => {
    const { entry, off, why } = line;
    const body = h("div", { class: "play" },
      h("span", { class: "who" }, line.player ?? entry.player ?? ""),
      h("span", { class: "word" }, ...(line.label ? [h("em", {}, line.label)] : wordsOf(entry)), off ? h("em", {}, ` ${why}`) : null),
      h("span", { class: "points num" }, off ? "" : line.gain ? signed(line.gain) : plus(entry)));
    return h("li", { class: `${off ? "off" : ""} ${i === lines.length - 1 ? "newest" : ""}` }, pickable(body, entry, onPick));
  });
  if (state.start) rows.unshift(h("li", {}, h("div", { class: "play" }, h("span", { class: "who" }), h("span", { class: "word" }, h("em", {}, tx("The record begins here."))), h("span", { class: "points num" }))));
  return h("div", { class: "sheet-box", tabindex: "0", role: "group", "aria-label": tx("Everything that was played") },
    rows.length ? h("ol", { class: "sheet-list" }, ...rows) : h("p", { class: "soft" }, tx("No play yet.")));
}
