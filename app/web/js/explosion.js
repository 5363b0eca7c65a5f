// @ts-check
/** Scrabble House: an explosion shown step by step on the board, from the laid tiles to what stays. */

import { h } from "./dom.js";
import { squareAt, squaresText } from "./board.js";
import { tn, tx } from "./language.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {{rows: string[], marks: import("./board.js").Marks, text: string}} Frame */

const STAGES = /** @type {Record<string, string>} */ ({ mixed: tx("Words facing both ways fall"), leftover: tx("What is left spells nothing") });
const STEP_MS = 1300;

/** The newest entry with an explosion. @param {any} state */
export function lastExplosion(state) {
  return [...state.history].reverse().find((e) => (e.events ?? []).some((/** @type {any} */ x) => x.event === "exploded")) ?? null;
}

/** Which board it was on, counted from 0. @param {any} entry */
export function boardOf(entry) {
  return (entry.events.find((/** @type {any} */ e) => e.board)?.board ?? 1) - 1;
}

/** The steps in words. @param {any} entry @returns {string[]} */
export function stepsOf(entry) {
  return entry.events.filter((/** @type {any} */ e) => ["rotated", "exploded", "passed_to_partner"].includes(e.event)).map((/** @type {any} */ e) =>
    e.event === "rotated" ? tx("Turn {squares}.", { squares: squaresText(e.squares) })
      : e.event === "passed_to_partner" ? tn("One tile goes to {partner}.", "{count} tiles go to {partner}.", e.count, { partner: e.partner ?? tx("the partner") })
        : `${STAGES[e.stage] ?? tx("Then words that lost a tile fall")}: ${(e.strings ?? []).join(", ")}.`);
}

/** The steps as a list. @param {any} entry @param {(() => void) | null} again @returns {HTMLElement[]} */
export function explosionList(entry, again) {
  return [
    h("h3", {}, tx("The explosion after {words}", { words: (entry.words ?? []).map((/** @type {any} */ w) => w.word).join(", ") })),
    h("ol", { class: "explosion" }, ...stepsOf(entry).map((text) => h("li", {}, text))),
    ...(again ? [h("button", { type: "button", onclick: again }, tx("Show it on the board"))] : []),
  ];
}

/** The board at each step. @param {any} state @param {any} entry @returns {Frame[]} */
export function framesOf(state, entry) {
  const index = boardOf(entry);
  const before = state.history[entry.entry - 1]?.boards?.[index] ?? null;
  const cells = entry.boards[index].map((/** @type {string} */ row) => [...row]);
  const laid = Object.keys(entry.tiles ?? {});
  const stays = laid.map((name) => { const [r, c] = squareAt(name); return cells[r][c]; }).find((x) => x !== ".") ?? "A";
  const faces = (/** @type {string} */ letter, /** @type {boolean} */ own) => ((stays === stays.toUpperCase()) === own ? letter.toUpperCase() : letter.toLowerCase());
  const turned = entry.events.filter((/** @type {any} */ e) => e.event === "rotated").flatMap((/** @type {any} */ e) => e.squares);
  const swap = (/** @type {string} */ x) => (x === x.toUpperCase() ? x.toLowerCase() : x.toUpperCase());
  // from what stays back to what lay there when the tiles had just been laid
  for (const e of entry.events) {
    if (e.event !== "exploded") continue;
    for (const tile of e.tiles) {
      const [, name, letter] = /** @type {RegExpMatchArray} */ (tile.match(/^([A-O]\d+)(.+)$/u));
      const [r, c] = squareAt(name);
      const known = before?.[r]?.[c] ?? ".";
      cells[r][c] = known !== "." ? known : faces(letter, laid.includes(name));
    }
  }
  for (const name of turned) {
    const [r, c] = squareAt(name);
    const known = before?.[r]?.[c] ?? ".";
    cells[r][c] = known !== "." ? known : swap(cells[r][c]);
  }
  const rows = () => cells.map((/** @type {string[]} */ row) => row.join(""));
  /** @type {Frame[]} */
  const frames = [{ rows: rows(), marks: { last: laid }, text: `${(entry.words ?? []).map((/** @type {any} */ w) => w.word).join(", ")}.` }];
  const texts = stepsOf(entry);
  let step = 0;
  for (const e of entry.events) {
    if (e.event === "rotated") {
      for (const name of e.squares) { const [r, c] = squareAt(name); cells[r][c] = faces(cells[r][c], true); }
      frames.push({ rows: rows(), marks: { last: laid, turn: e.squares }, text: texts[step++] });
    } else if (e.event === "exploded") {
      const names = e.tiles.map((/** @type {string} */ t) => /** @type {RegExpMatchArray} */ (t.match(/^[A-O]\d+/))[0]);
      frames.push({ rows: rows(), marks: { last: laid, wrong: names }, text: texts[step++] });
      for (const name of names) { const [r, c] = squareAt(name); cells[r][c] = "."; }
    }
  }
  frames.push({ rows: rows(), marks: {}, text: texts[step] ?? "" });
  return frames;
}

export class Explosion {
  constructor() {
    this.running = false;
    /** @type {number | undefined} the newest entry that was there when the page opened or was shown */
    this.seen = undefined;
  }

  /** Show an explosion that has just come. @param {any} state @param {(index: number) => BoardView | undefined} board @param {(text: string) => void} tell @param {() => void} done */
  follow(state, board, tell, done) {
    if (!state.facts.facing) return;
    const newest = lastExplosion(state)?.entry ?? -1;
    const fresh = this.seen !== undefined && newest > this.seen;
    this.seen = Math.max(newest, this.seen ?? -1);
    if (fresh && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(state, board, tell, done);
  }

  /** @param {any} state @param {(index: number) => BoardView | undefined} board @param {(text: string) => void} tell @param {() => void} done */
  play(state, board, tell, done) {
    const entry = lastExplosion(state);
    const view = entry && entry.boards ? board(boardOf(entry)) : undefined;
    if (!view || this.running) return;
    this.running = true;
    const frames = framesOf(state, entry);
    const show = (/** @type {number} */ i) => {
      if (i >= frames.length) {
        this.running = false;
        return done();
      }
      view.update(frames[i].rows, frames[i].marks);
      tell(frames[i].text);
      setTimeout(() => show(i + 1), STEP_MS);
    };
    show(0);
  }
}
