// @ts-check
/** Word lists in a table's set-up: what the chosen one means, and those that can be built here. */

import { call } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { code, tx } from "./language.js";
import { listName } from "./materials.js";

export class Lists {
  /** @param {HTMLSelectElement} tiles @param {HTMLSelectElement} lexicon @param {HTMLElement} place @param {string | null} key the server's */
  constructor(tiles, lexicon, place, key) {
    this.tiles = tiles;
    this.lexicon = lexicon;
    this.place = place;
    this.key = key;
    /** @type {{lists: any[], to_build: any[]}} */
    this.known = { lists: [], to_build: [] };
    tiles.addEventListener("change", () => this.suit());
    lexicon.addEventListener("change", () => this.show());
  }

  async begin() {
    this.suit();
    this.known = await call("/api/words", { token: this.key }).catch(() => this.known);
    this.show();
  }

  /** Choose the list of the tiles' language, where there is one. */
  suit() {
    const own = this.tiles.value === "en" ? "default" : this.tiles.value;
    this.lexicon.value = [...this.lexicon.options].some((option) => option.value === own) ? own : "none";
    this.show();
  }

  show() {
    const name = this.lexicon.value, kept = this.known.lists.find((list) => list.name === name);
    const here = new Set([...this.lexicon.options].map((option) => option.value));
    const more = this.known.to_build.filter((list) => list.tiles === this.tiles.value && !here.has(list.name));
    fill(this.place,
      name === "none" ? h("p", { class: "note" }, tx("No words are checked: any word is good, and whoever doubts one decides together with the others.")) : null,
      kept ? h("p", { class: "soft small" }, tx("{count} words; licence {licence}", { count: kept.words.toLocaleString(code), licence: kept.licence || "–" })) : null,
      ...more.map((list) => this.offer(list)));
  }

  /** @param {any} list */
  offer(list) {
    const size = tx("{size} MB, licence {licence}", { size: (list.bytes / 1e6).toLocaleString(code, { maximumFractionDigits: 1 }), licence: list.licence });
    const button = /** @type {HTMLButtonElement} */ (h("button", { type: "button" }, tx("Build the word list {name}", { name: listName(list.name) })));
    button.addEventListener("click", async () => {
      button.disabled = true;
      button.textContent = tx("Building…");
      try {
        const made = await call("/api/words", { token: this.key, body: { name: list.name } });
        this.known.lists.push(made);
        this.lexicon.append(h("option", { value: made.name }, listName(made.name)));
        this.lexicon.value = made.name;
      } catch (error) {
        toast(/** @type {Error} */ (error).message, "bad");
      }
      this.show();
    });
    return h("p", { class: "row" }, button, h("span", { class: "soft small" }, size));
  }
}
