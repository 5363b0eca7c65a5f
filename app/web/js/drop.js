// @ts-check
/** Photographs or a film of a game, dropped onto a page: read one after the other into a table's game. */

import { ApiError, act as send, call, leadTo } from "./api.js";
import { asksOf } from "./asks.js";
import { fill, h, refresh } from "./dom.js";
import { tn, tx } from "./language.js";
import { readable } from "./said.js";
import { wordOf } from "./sheet.js";

const PHOTOS = ["image/jpeg", "image/png", "image/webp"];
const BUSY_MS = 1500, LOOK_MS = 1000;
const EXPORTS = /** @type {[string, string][]} */ ([["gcg", "GCG"], ["csv", tx("Spreadsheet (CSV)")], ["html", tx("Replay page (HTML)")], ["json", tx("Everything (JSON)")]]);

/** @param {File} file */
const isFilm = (file) => file.type.startsWith("video/") || /\.(mp4|mov|webm|mkv|avi|mpe?g|m4v)$/i.test(file.name);
/** @param {File} file */
const isPhoto = (file) => file.type.startsWith("image/") || /\.(jpe?g|png|webp|hei[cf])$/i.test(file.name);

/** What can be read of some files, in the order in which a camera numbered them. @param {Iterable<File>} files */
export function usable(files) {
  const order = new Intl.Collator(undefined, { numeric: true });
  return [...files].filter((file) => isFilm(file) || isPhoto(file)).sort((a, b) => order.compare(a.name, b.name));
}

/** Files that are dropped onto an element, or chosen by hand.
 * @param {HTMLElement} element where they may be dropped @param {(files: File[]) => unknown} take @param {() => boolean} [wanted]
 */
export function takeDrops(element, take, wanted = () => true) {
  let inside = 0;
  const carries = (/** @type {DragEvent} */ event) => wanted() && [...(event.dataTransfer?.types ?? [])].includes("Files");
  const mark = (/** @type {number} */ by) => { inside = Math.max(0, inside + by); element.classList.toggle("dropping", inside > 0); };
  element.addEventListener("dragenter", (event) => { if (carries(/** @type {DragEvent} */ (event))) mark(1); });
  element.addEventListener("dragleave", (event) => { if (carries(/** @type {DragEvent} */ (event))) mark(-1); });
  element.addEventListener("dragover", (event) => { if (carries(/** @type {DragEvent} */ (event))) event.preventDefault(); });
  element.addEventListener("drop", (event) => {
    const drop = /** @type {DragEvent} */ (event);
    if (!carries(drop)) return;
    event.preventDefault();
    mark(-inside);
    take([...(drop.dataTransfer?.files ?? [])]);
  });
}

/** A button that lets people choose the files. @param {string} label @param {(files: File[]) => unknown} take @param {string} [kinds] which are offered */
export function fileButton(label, take, kinds = "image/*,video/*") {
  const input = /** @type {HTMLInputElement} */ (h("input", { class: "hush", type: "file", multiple: kinds.includes(","), accept: kinds,
    onchange: () => { if (input.files?.length) take([...input.files]); } }));
  return h("label", { class: "button" }, label, input);
}

/** A game out of files: what is being read, a picture a play, what only people can tell, and what to take away. */
export class Import {
  /** @param {string} table @param {string} token its host's @param {HTMLElement} place */
  constructor(table, token, place) {
    this.table = table;
    this.token = token;
    this.stopped = false;
    this.path = `/api/tables/${table}`;
    this.bar = /** @type {HTMLProgressElement} */ (h("progress", { max: "1", value: "0", "aria-label": tx("How much has been read") }));
    this.line = h("p", { role: "status", "aria-live": "polite" });
    this.troubles = h("ul", { class: "small soft stack" });
    this.asks = h("div", { class: "stack" });
    this.plays = h("ol", { class: "strip", tabindex: "0", "aria-label": tx("What was played") });
    this.end = h("div", { class: "row" });
    this.stop = h("button", { type: "button", class: "quiet", onclick: () => this.halt() }, tx("Stop"));
    fill(place, h("div", { class: "import stack" }, h("div", { class: "row" }, this.bar, this.stop), this.line, this.troubles, this.asks, this.plays, this.end));
    /** @type {Map<number, string>} pictures by the step that they were kept with */
    this.pictures = new Map();
  }

  /** Read the files one after the other. @param {File[]} files */
  async read(files) {
    const all = usable(files);
    const other = files.length - all.length;
    if (other) this.trouble(tn("{count} file is neither a photograph nor a film.", "{count} files are neither a photograph nor a film.", other));
    for (const [i, file] of all.entries()) {
      if (this.stopped) break;
      this.line.textContent = tx("Reading {file}, {number} of {all}…", { file: file.name, number: i + 1, all: all.length });
      try {
        await (isFilm(file) ? this.film(file, i, all.length) : this.photo(file));
      } catch (error) {
        this.trouble(`${file.name}: ${/** @type {Error} */ (error).message}`);
      }
      this.bar.value = (i + 1) / all.length;
      await this.show();
    }
    this.finish(all.length);
  }

  /** @param {File} file */
  async photo(file) {
    const body = PHOTOS.includes(file.type) ? file : await asJpeg(file);
    for (;;) {
      try {
        const answer = await call(`${this.path}/frames`, { token: this.token, blob: body });
        if (answer.error) this.trouble(`${file.name}: ${answer.error.message}`);
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 429) || this.stopped) throw error;
        await new Promise((done) => setTimeout(done, BUSY_MS));
      }
    }
  }

  /** @param {File} file @param {number} before @param {number} all */
  async film(file, before, all) {
    let film = await call(`${this.path}/film?name=${encodeURIComponent(file.name.slice(-200))}`, { token: this.token, blob: file });
    while (film.state === "reading" && !this.stopped) {
      await new Promise((done) => setTimeout(done, LOOK_MS));
      film = await call(`${this.path}/film`, { token: this.token });
      if (film.of_s) {
        this.bar.value = (before + Math.min(1, film.at_s / film.of_s)) / all;
        this.line.textContent = tx("Reading {file}: {time} of {length}…", { file: film.name, time: clock(film.at_s), length: clock(film.of_s) });
      }
      await this.show();
    }
    if (film.state === "failed") throw new Error(film.message);
  }

  async halt() {
    this.stopped = true;
    await call(`${this.path}/film`, { method: "DELETE", token: this.token }).catch(() => null);
  }

  /** @param {string} text */
  trouble(text) {
    this.troubles.append(h("li", {}, text));
  }

  /** What is known by now. */
  async show() {
    const state = await call(this.path, { token: this.token });
    this.state = state;
    const act = async (/** @type {Record<string, any>} */ action) => {
      try {
        return await send(this.table, this.token, action);
      } catch (error) {
        this.trouble(/** @type {Error} */ (error).message);
        return null;
      } finally {
        await this.show();
      }
    };
    refresh(this.asks, [state.questions, state.tasks], () => asksOf(state, act));
    const plays = state.history.filter((/** @type {any} */ e) => e.tiles || e.words?.length);
    if (refresh(this.plays, plays, () => plays.map((/** @type {any} */ e) => this.play(state, e)))) this.plays.scrollLeft = this.plays.scrollWidth;
  }

  /** One play with its picture. @param {any} state @param {any} entry */
  play(state, entry) {
    const image = /** @type {HTMLImageElement} */ (h("img", { alt: "", width: 176, height: 132 }));
    const found = [...state.pictures].reverse().find((p) => p.photo <= entry.photo);
    if (found) this.picture(found.seq).then((url) => { if (url) image.src = url; });
    return h("li", {}, image, h("b", {}, [entry.player, wordOf(entry)].filter(Boolean).join(": ")), h("span", { class: "small soft" }, readable(entry.say ?? [])));
  }

  /** @param {number} seq */
  async picture(seq) {
    const kept = this.pictures.get(seq);
    if (kept) return kept;
    const answer = await call(`${this.path}/pictures/${seq}.jpg`, { token: this.token, raw: true }).catch(() => null);
    if (!answer) return "";
    const url = URL.createObjectURL(await answer.blob());
    this.pictures.set(seq, url);
    return url;
  }

  /** @param {number} count */
  finish(count) {
    this.stop.hidden = true;
    const plays = this.plays.children.length, asked = this.asks.children.length;
    this.line.textContent = !count ? tx("There is nothing to read in these files.") : [
      this.stopped ? tx("Stopped.") : tx("Everything has been read."), tn("{count} play.", "{count} plays.", plays),
      asked ? tn("One question waits for you.", "{count} questions wait for you.", asked) : ""].filter(Boolean).join(" ");
    const open = /** @type {HTMLAnchorElement} */ (h("a", { class: "button first" }, tx("Open the game")));
    const replay = /** @type {HTMLAnchorElement} */ (h("a", { class: "button" }, tx("Replay and graph")));
    leadTo(open, `/table/${this.table}`, this.token);
    leadTo(replay, `/history/${this.table}`, this.token);
    fill(this.end, open, replay, ...(plays ? EXPORTS.filter(([kind]) => kind !== "gcg" || this.state?.facts.gcg).map(([kind, label]) =>
      h("button", { type: "button", onclick: () => this.save(kind).catch((error) => this.trouble(error.message)) }, label)) : []));
  }

  /** @param {string} kind */
  async save(kind) {
    const answer = await call(`${this.path}/record?format=${kind}`, { token: this.token, raw: true });
    h("a", { href: URL.createObjectURL(await answer.blob()), download: `kibitz-${this.table}.${kind}` }).click();
  }
}

/** A photograph in another format as JPEG, where this browser can read it. @param {File} file */
async function asJpeg(file) {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(tx("this browser cannot read its format; save it as JPEG."));
  });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error(tx("it could not be turned into a JPEG.")))), "image/jpeg", 0.92));
}

/** @param {number} seconds */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
