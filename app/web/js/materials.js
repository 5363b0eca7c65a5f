// @ts-check
/** Tile sets and word lists as people know them. */

import { code, tx } from "./language.js";

const LANGUAGES = new Intl.DisplayNames(code, { type: "language", fallback: "none" });
/** What a tile set is called: its language, or the name of one of one's own. @param {string} tiles */
export function nameOf(tiles) {
  const name = /^[a-z]{2,3}$/.test(tiles) ? LANGUAGES.of(tiles) : undefined;
  return name ? name[0].toLocaleUpperCase(code) + name.slice(1) : tiles;
}
const LISTS = /** @type {Record<string, string>} */ ({ default: tx("The English list of Kibitz"), "en-common": tx("Common English words"), none: tx("Any word is good") });
/** What a word list is called: its language, or the name of one of one's own. @param {string} list */
export const listName = (list) => LISTS[list] ?? nameOf(list);
