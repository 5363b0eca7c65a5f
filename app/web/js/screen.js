// @ts-check
/** The table for many eyes: on a hall's screen, or laid over a stream with nothing behind it. */

import { BoardView } from "./board.js";
import { ask, fill, h, s, toast } from "./dom.js";
import { call } from "./api.js";
import { toolButton } from "./chrome.js";
import { tx } from "./language.js";

const LAYOUT = "&board=left,40&camera=bottom-right,25";

/** Other sites may hold this page in a frame: it takes watchers only. */
export const SHOWN = location.pathname.startsWith("/show/");

/** `screen` for a hall, `overlay` for a stream; anything else is the page itself.
 * @returns {string} under which name the page's token is kept
 */
export function useScreen() {
  const asked = new URLSearchParams(location.search).get("view");
  const view = asked !== "overlay" && SHOWN ? "screen" : asked;
  if (view !== "screen" && view !== "overlay") return "table";
  document.documentElement.setAttribute("data-view", view);
  return view;
}

/** The whole of a large board, small, with a frame round the part that is shown large. */
export class Overview {
  /** @param {BoardView} board the large one @param {HTMLElement} place */
  constructor(board, place) {
    this.large = board;
    this.small = new BoardView(board.face);
    this.frame = s("rect", { class: "shown", rx: 10 });
    this.small.svg.append(this.frame);
    this.small.svg.classList.add("mini");
    this.small.svg.setAttribute("tabindex", "-1");
    this.small.svg.setAttribute("role", "img");
    this.small.svg.setAttribute("aria-label", tx("All nine boards, with a frame round the part that is shown large"));
    fill(place, this.small.element);
    place.hidden = false;
  }

  /** @param {string[]} rows @param {import("./board.js").Marks} marks */
  update(rows, marks) {
    this.small.update(rows, marks);
    const [x, y, width, height] = this.large.view;
    for (const [name, value] of Object.entries({ x, y, width, height })) this.frame.setAttribute(name, String(value));
    this.frame.toggleAttribute("hidden", width >= this.large.whole);
  }
}

/** @param {any} state @param {string} token */
export function screenButton(state, token) {
  return toolButton("screen", tx("Screen"), () => choose(state, token), { "aria-haspopup": "dialog" });
}

/** How long spectators are behind; for the host. @param {any} state @param {string} token */
function delayField(state, token) {
  if (state.you.role !== "host") return null;
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "number", class: "short", min: "0", max: "15", step: "any", inputmode: "decimal", value: String(state.delay_s / 60), onchange: async () => {
    if (!input.reportValidity()) return;
    try {
      await call(`/api/tables/${state.table}/air`, { method: "PUT", token, body: { delay_s: Math.round(Number(input.value) * 60) } });
      toast(tx("Spectators are {minutes} minutes behind from now on.", { minutes: Number(input.value) }), "good");
    } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
  } }));
  return h("label", { class: "field" }, tx("Minutes that spectators are behind (0 to 15)"), input);
}

/** @param {any} state @param {string} token */
function choose(state, token) {
  const { table } = state;
  const show = async (/** @type {string} */ view) => {
    open(`${location.origin}/table/${table}?view=${view}#t=${await watchToken(table, token)}`, "_blank", "noopener");
  };
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { readonly: true, rows: "3", "aria-label": tx("To be copied"), hidden: true }));
  const give = (/** @type {(watch: string) => string} */ text) => async () => {
    field.value = text(await watchToken(table, token));
    field.hidden = false;
    field.select();
  };
  const overlay = give((watch) => `${location.origin}/table/${table}?view=overlay#t=${watch}`);
  const embed = give((watch) => `<iframe src="${location.origin}/show/${table}?view=screen#t=${watch}" width="960" height="600" title="${tx("A game watched by Kibitz")}"></iframe>`);
  ask(tx("Show it to everybody"), [
    h("p", {}, tx("All of these show only what spectators may see, never a fleet or a rack.")),
    h("div", { class: "choices" },
      h("button", { type: "button", class: "choice", onclick: () => show("screen") }, h("b", {}, tx("Big screen")), h("span", { class: "soft small" }, tx("board, scores and what was said, large, for a hall"))),
      h("button", { type: "button", class: "choice", onclick: () => show("overlay") }, h("b", {}, tx("Stream overlay")), h("span", { class: "soft small" }, tx("nothing behind it, to be laid over a picture"))),
      h("button", { type: "button", class: "choice", onclick: overlay }, h("b", {}, tx("Address of the overlay")), h("span", { class: "soft small" }, tx("for a browser source of a streaming program"))),
      h("button", { type: "button", class: "choice", onclick: embed }, h("b", {}, tx("Code for a web page")), h("span", { class: "soft small" }, tx("a frame that shows the game on your own site")))),
    state.you.role === "host" ? h("button", { type: "button", onclick: () => location.assign(`/layout/${table}#t=${token}`) }, tx("Arrange the overlay")) : null,
    field, delayField(state, token),
    h("details", {}, h("summary", {}, tx("More")), h("p", { class: "small soft" }, tx("What an overlay shows, and where, is said in its address: "), h("code", {}, LAYOUT), tx(". Parts: board, camera, scores, clock, play, sheet, unseen. Places: top, left, middle, right, bottom and the corners, as bottom-right; a number is the width in percent."))),
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
