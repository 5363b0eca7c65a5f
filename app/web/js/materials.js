// @ts-check
/** Tile sets and word lists as people know them. */

import { tx } from "./language.js";

export const TILES = /** @type {Record<string, string>} */ ({ en: tx("English"), de: tx("German"), fr: tx("French"), ro: tx("Romanian"), pl: tx("Polish"), fi: tx("Finnish") });
export const LISTS = /** @type {Record<string, string>} */ ({ default: tx("The English list that comes with Kibitz"), none: tx("Any word is good") });
