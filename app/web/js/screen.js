// @ts-check
/** The table for many eyes: on a hall's screen, or laid over a stream with nothing behind it. */

import { ask, h } from "./dom.js";
import { call } from "./api.js";
import { toolButton } from "./chrome.js";
import { tx } from "./language.js";

/** `screen` for a hall, `overlay` for a stream; anything else is the page itself.
 * @returns {string} under which name the page's token is kept
 */
export function useScreen() {
  const view = new URLSearchParams(location.search).get("view");
  if (view !== "screen" && view !== "overlay") return "table";
  document.documentElement.setAttribute("data-view", view);
  return view;
}

/** @param {string} table @param {string} token */
export function screenButton(table, token) {
  return toolButton("screen", tx("Screen"), () => choose(table, token), { "aria-haspopup": "dialog" });
}

/** @param {string} table @param {string} token */
function choose(table, token) {
  const show = async (/** @type {string} */ view) => {
    open(`${location.origin}/table/${table}?view=${view}#t=${await watchToken(table, token)}`, "_blank", "noopener");
  };
  const field = h("input", { readonly: true, "aria-label": tx("Address for the streaming program"), hidden: true });
  const copy = async () => {
    /** @type {HTMLInputElement} */ (field).value = `${location.origin}/table/${table}?view=overlay#t=${await watchToken(table, token)}`;
    field.hidden = false;
    /** @type {HTMLInputElement} */ (field).select();
  };
  ask(tx("Show it to everybody"), [
    h("p", {}, tx("Both show what a watcher may see, never a fleet or a rack.")),
    h("div", { class: "choices" },
      h("button", { type: "button", class: "choice", onclick: () => show("screen") }, h("b", {}, tx("Big screen")), h("span", { class: "soft small" }, tx("board, scores and what was said, large, for a hall"))),
      h("button", { type: "button", class: "choice", onclick: () => show("overlay") }, h("b", {}, tx("Stream overlay")), h("span", { class: "soft small" }, tx("nothing behind it, to be laid over a picture"))),
      h("button", { type: "button", class: "choice", onclick: copy }, h("b", {}, tx("Address of the overlay")), h("span", { class: "soft small" }, tx("for a browser source of a streaming program")))),
    field,
  ], [{ label: tx("Done"), act: () => null }]);
}

/** A watcher's token: what is shown to everybody carries no rights. @param {string} table @param {string} token */
async function watchToken(table, token) {
  try {
    return (await call(`/api/tables/${table}/tokens`, { token, body: { role: "watch" } })).token;
  } catch {
    return token; // a watcher has its own already
  }
}
