// @ts-check
/** One lasting link for spectators: the page that follows the newest game, and the link itself for the server's host. */

import { call, kept, tokenOfPage } from "./api.js";
import { closed } from "./chrome.js";
import { copyButton } from "./clipboard.js";
import { h, toast } from "./dom.js";
import { tx } from "./language.js";
import { originFor } from "./add_camera.js";

const EVERY_MS = 2000;

/** Whether this page follows the newest game. */
export const FOLLOWS = location.pathname === "/air";

/** The table that is on air now and the token that opens it; another one is gone over to by itself.
 * @returns {Promise<[string, string | null]>}
 */
export async function newestTable() {
  const token = tokenOfPage("air", "newest");
  const first = token && await look(token, closed);
  if (token) watch(first, token);
  return first ? [first, token] : ["", null];
}

/** @param {string} token @param {(text: string, ended: boolean) => void} tell @returns {Promise<string>} empty where there is none */
async function look(token, tell) {
  try {
    const { table } = await call("/api/air", { token });
    if (!table) tell(tx("No game is on air yet; this page goes on by itself."), false);
    return table ?? "";
  } catch (error) {
    const ended = /** @type {any} */ (error).status === 404;
    tell(ended ? tx("This link no longer opens the table. Ask the host for a new one.") : /** @type {Error} */ (error).message, ended);
    return "";
  }
}

/** @param {string | null} shown @param {string} token */
function watch(shown, token) {
  setInterval(async () => {
    const now = await look(token, (text, ended) => { if (ended || !shown) closed(text); });
    if (now && now !== shown) location.reload();
  }, EVERY_MS);
}

/** The link with its code, to copy, renew and end; null for who is not the server's host.
 * @param {{method?: string, body?: any, raw?: boolean}} [change] @returns {Promise<HTMLElement | null>}
 */
export async function lastingLink(change = { body: {} }) {
  const name = tx("Always the newest game");
  let made;
  try {
    made = await call("/api/air/link", { token: kept("kibitz.key"), ...change });
  } catch { return null; }
  const figure = h("figure", {});
  const again = (/** @type {any} */ other) => async () => {
    for (const button of figure.querySelectorAll("button")) button.disabled = true;
    const next = await lastingLink(other);
    if (next) figure.replaceWith(next);
    else toast(tx("The server did not answer as expected."), "bad");
  };
  const renew = h("button", { type: "button", class: "quiet", "aria-label": tx("New link for {name}; the old one ends", { name }), onclick: again({ body: { renew: true } }) }, tx("New link"));
  if (change.raw) {
    figure.append(h("p", { class: "small soft", role: "status" }, tx("No link opens this place now.")), h("figcaption", {}, h("b", {}, name), h("br"), renew));
    return figure;
  }
  const address = (/** @type {string} */ view) => `${originFor(made)}/air${view}#t=${made.token}`;
  const svg = await call("/api/qr", { body: { text: address("") }, raw: true });
  const end = h("button", { type: "button", class: "quiet", "aria-label": tx("End the link for {name}", { name }), onclick: again({ method: "DELETE", raw: true }) }, tx("End it"));
  figure.append(h("img", { alt: tx("Code for {name}", { name }), src: URL.createObjectURL(await svg.blob()) }), h("figcaption", {}, h("b", {}, name), h("br"),
    copyButton(tx("Copy link"), address(""), tx("Copy the link for {name}", { name })), copyButton(tx("Copy overlay"), address("?view=overlay"), tx("Copy the overlay's address for {name}", { name })), renew, end));
  return figure;
}
