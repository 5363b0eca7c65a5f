// @ts-check
/** Teaches a table its tiles: how the set is laid out, what was learnt of it, and what is wrong. */

import { ApiError, call } from "./api.js";
import { fileButton } from "./drop.js";
import { ask, fill, h, s } from "./dom.js";
import { tn, tx } from "./language.js";

const BLANK = "?";
/** So much of the board is shown around the tiles, in tiles. */
const AROUND = 2;

/**
 * @typedef {{letter: string, name: string, picture: string, place: number[][]}} Tile
 * @typedef {{possible: boolean, needed: boolean, rows: string[], letters: string[], tiles: Tile[], say: string[]}} Answer
 */

export class Lesson {
  /** @param {string} table @param {string} token its host's @param {HTMLElement} step the whole step, hidden where no tiles can be taught @param {HTMLElement} place where its content goes */
  constructor(table, token, step, place) {
    this.path = `/api/tables/${table}/taught`;
    this.frame = `/api/tables/${table}/frame.jpg?overlay=0`;
    this.token = token;
    this.step = step;
    /** @type {Answer | null} */
    this.answer = null;
    /** @type {string} the picture that was looked at last */
    this.picture = "";
    this.say = h("div", { class: "note", role: "status", "aria-live": "polite" });
    this.seen = h("div", { class: "stack" });
    this.how = h("div", { class: "stack", hidden: true });
    this.doings = h("div", { class: "row" });
    fill(place, this.say, this.seen, this.how, this.doings);
  }

  /** Ask what was taught, once the table is known. */
  async begin() {
    try {
      this.take(await call(this.path, { token: this.token }));
    } catch (error) {
      this.tell([/** @type {Error} */ (error).message], "bad");
      this.step.hidden = false;
    }
  }

  /** @param {Answer} answer */
  take(answer) {
    this.answer = answer;
    this.step.hidden = !answer.possible;
    if (answer.letters.length) this.tell([...answer.say, tx("Clear the board before the game begins.")], "good");
    else this.tell(answer.say, answer.needed ? "warn" : "");
    this.show(answer.needed);
  }

  /** What is said of it. @param {string[]} lines @param {"" | "good" | "warn" | "bad"} kind */
  tell(lines, kind) {
    this.say.className = `note ${kind}`;
    fill(this.say, ...lines.map((line) => h("p", {}, line)));
  }

  /** @param {boolean} open whether the tiles are being laid out @param {boolean} [again] whether it was tried already */
  show(open, again = false) {
    const answer = this.answer;
    if (!answer) return;
    const taught = answer.letters.length > 0;
    this.how.hidden = !open;
    if (open) fill(this.how, ...howOf(answer.rows));
    if (!again) fill(this.seen, ...(taught ? learntOf(answer, this.picture) : []));
    fill(this.doings, ...(open ? [
      h("button", { type: "button", class: "first", onclick: () => this.learn(null) }, again ? tx("Try again") : tx("Learn these tiles")),
      fileButton(tx("From a photograph"), ([file]) => this.learn(file), "image/*"),
      answer.needed ? null : h("button", { type: "button", class: "quiet", onclick: () => this.leave() }, taught ? tx("Keep what was learnt") : tx("Leave it out")),
    ] : [
      h("button", { type: "button", onclick: () => this.lay() }, taught ? tx("Teach them once more") : tx("Teach the tiles")),
    ]), taught ? h("button", { type: "button", class: "quiet bad", onclick: () => this.forget() }, tx("Forget what was learnt")) : null);
  }

  /** Show how they are laid; the button that was pressed is gone, so that the keys go on here. */
  lay() {
    this.show(true);
    const order = this.how.querySelector("p");
    order?.setAttribute("tabindex", "-1");
    /** @type {HTMLElement | null} */ (order)?.focus();
  }

  /** The step is left out; what was taught before stays. */
  leave() {
    if (this.answer) this.take(this.answer);
    this.doings.querySelector("button")?.focus();
  }

  /** @param {Blob | null} photo what is looked at; null: the camera's newest picture */
  async learn(photo) {
    for (const button of this.doings.querySelectorAll("button")) button.disabled = true;
    this.tell([tx("Looking at the tiles…")], "");
    try {
      await this.look(photo);
      this.take(await call(this.path, photo ? { token: this.token, blob: photo } : { method: "POST", token: this.token }));
    } catch (error) {
      const found = error instanceof ApiError ? error.details.tiles ?? [] : [];
      this.tell([/** @type {Error} */ (error).message], "bad");
      fill(this.seen, ...foundOf(this.picture, found));
      this.show(true, true);
    }
    this.doings.querySelector("button")?.focus({ preventScroll: true });
    this.say.scrollIntoView({ block: "nearest" });
  }

  /** Keep the picture that is looked at, to show it. @param {Blob | null} photo */
  async look(photo) {
    const old = this.picture;
    this.picture = "";
    if (old) URL.revokeObjectURL(old);
    const answer = photo ? null : await call(this.frame, { token: this.token, raw: true }).catch(() => null);
    const shot = photo ?? await answer?.blob();
    if (shot) this.picture = URL.createObjectURL(shot);
  }

  forget() {
    ask(tx("Forget what was learnt?"), [h("p", {}, tx("To teach the tiles again, the whole set has to be laid out once more."))], [
      { label: tx("Forget it"), kind: "first", act: async () => {
        this.take(await call(this.path, { method: "DELETE", token: this.token }));
        this.doings.querySelector("button")?.focus();
      } },
    ]);
  }
}

/** How a set is laid out: in words, and drawn. @param {string[]} rows @returns {HTMLElement[]} */
function howOf(rows) {
  return [
    h("p", {}, tx("Empty the board and lay each tile of the set on it once, in this order, row by row from left to right. The camera's picture must show them upright. Rows may be shorter or longer, and rows may stay free.")),
    h("ol", { class: "tray", dir: "ltr", "aria-label": tx("The order of the tiles") }, ...rows.map((row) => {
      const tiles = row.split(" ");
      return h("li", {}, h("span", { class: "hush" }, tiles.map((tile) => (tile === BLANK ? tx("blank") : tile)).join(" ")),
        ...tiles.map((tile) => h("span", { class: "tile-chip", "aria-hidden": "true" }, tile === BLANK ? "" : tile)));
    })),
    h("p", { class: "small soft" }, tx("The tile without a letter is a blank. Take your hands away before you press the button.")),
  ];
}

/** What was learnt: the picture, and each tile beside its letter. @param {Answer} answer @param {string} picture @returns {HTMLElement[]} */
function learntOf(answer, picture) {
  const tiles = answer.tiles;
  if (!tiles.length) return [];
  return [
    ...pictured(picture, tiles.map((tile) => tile.place), tx("The tiles that were learnt, as the camera sees them")),
    h("p", {}, tx("Is each tile beside its own letter? If one is not, lay them in the order shown and teach them once more.")),
    h("ul", { class: "learnt" }, ...tiles.map((tile) => h("li", {},
      h("img", { src: tile.picture, alt: tx("The tile taken for {letter}", { letter: tile.name }), width: 48, height: 48 }), h("b", { "aria-hidden": "true", class: tile.letter === BLANK ? "word" : "" }, tile.name)))),
  ];
}

/** What was found where another number of tiles lies. @param {string} picture @param {number[][][]} places @returns {HTMLElement[]} */
function foundOf(picture, places) {
  if (!picture) return [];
  const said = places.length ? tn("{count} tile was found: the one in a frame.", "{count} tiles were found: those in frames.", places.length) : tx("The picture that was looked at");
  return [...pictured(picture, places, said), ...(places.length ? [h("p", { class: "small soft" }, said)] : [])];
}

/** A part of a picture with tiles in frames. @param {string} picture @param {number[][][]} places corners as parts of the picture @param {string} name @returns {HTMLElement[]} */
function pictured(picture, places, name) {
  if (!picture) return [];
  const image = /** @type {HTMLImageElement} */ (h("img", { src: picture, alt: name, class: "looked-at" }));
  if (places.length) image.decode().then(() => image.replaceWith(framed(image, places, name)), () => null);
  return [image];
}

/** @param {HTMLImageElement} image @param {number[][][]} places @param {string} name */
function framed(image, places, name) {
  const [w, v] = [image.naturalWidth, image.naturalHeight];
  const all = places.map((corners) => corners.map(([x, y]) => [x * w, y * v]));
  const side = Math.max(...all.map(([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1])));
  const [xs, ys] = [0, 1].map((axis) => all.flat().map((point) => point[axis]));
  const [left, top] = [Math.max(0, Math.min(...xs) - AROUND * side), Math.max(0, Math.min(...ys) - AROUND * side)];
  const [right, foot] = [Math.min(w, Math.max(...xs) + AROUND * side), Math.min(v, Math.max(...ys) + AROUND * side)];
  const d = all.map((corners) => `M${corners.map((point) => point.join(" ")).join("L")}Z`).join("");
  return s("svg", { class: "looked-at", role: "img", "aria-label": name, viewBox: `${left} ${top} ${right - left} ${foot - top}` },
    s("image", { href: image.src, width: w, height: v }), s("path", { class: "under", d }), s("path", { d }));
}
