// @ts-check
/** Small line drawings for buttons; drawn here so that no font has to have them. */

import { s } from "./dom.js";

const PATHS = /** @type {Record<string, string>} */ ({
  voice: "M4 9v6h4l5 4V5L8 9H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  mute: "M4 9v6h4l5 4V5L8 9H4zM16 9.5l5 5M21 9.5l-5 5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  screen: "M3 5h18v11H3zM8 20h8M12 16v4",
  invite: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2M14 18v2M17 17h3v3",
  first: "M6 5v14M19 5l-9 7 9 7z",
  before: "M16 5l-9 7 9 7z",
  after: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  up: "M12 19V5M6 11l6-6 6 6",
  cross: "M6 6l12 12M18 6L6 18",
  torch: "M8 3h8v4l-2 3v11h-4V10L8 7zM12 13v2",
});
const FILLED = new Set(["first", "before", "after", "last"]);

/** @param {string} name @returns {SVGElement} */
export function icon(name) {
  return s("svg", { class: `icon${FILLED.has(name) ? " filled" : ""}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
