// @ts-check
/** The page on which an overlay's parts are dragged: with mouse, finger and keyboard, on a grid. */

import { call, kept, leadTo, tokenOfPage } from "./api.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";
import { byId, fill, h, toast } from "./dom.js";
import { COLUMNS, FRESH, ROWS, USUAL, lay, moved, sized } from "./layout_parts.js";
import { tx } from "./language.js";

/** @typedef {import("./layout_parts.js").Place} Place */

const NAMES = /** @type {Record<string, string>} */ ({
  board: tx("Board"), scores: tx("Scores"), play: tx("Last play"), clock: tx("Clocks"), camera: tx("Camera picture"), sheet: tx("Score sheet"), unseen: tx("Tiles not on the board"),
});
const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
const table = location.pathname.split("/")[2] ?? "";
const path = table ? `/api/tables/${table}/layout` : "/api/air/layout";
const token = table ? tokenOfPage("table", table) ?? kept("kibitz.key") : kept("kibitz.key");
const stage = byId("stage");
/** @type {Record<string, Place>} */
let layout = {};

useTheme();
const back = table ? h("a", {}, tx("To the table")) : null;
if (back) leadTo(back, `/table/${table}`, token ?? "");
fill(byId("tools"), back, languageButton(), themeButton());
byId("whose").textContent = table ? tx("This layout is for this table only.") : tx("This layout is for the address of the newest game, and for tables without a layout of their own.");
byId("save").addEventListener("click", () => save(layout));
byId("reset").addEventListener("click", () => save(null));
open();

async function open() {
  try {
    show((await call(path, { token })).layout ?? USUAL);
    for (const id of ["save", "reset"]) byId(id).removeAttribute("disabled"); // before, there is nothing to save
  } catch (error) {
    byId("problem").textContent = /** @type {Error} */ (error).message;
    byId("problem").hidden = false;
  }
}

/** @param {Record<string, Place> | null} wanted */
async function save(wanted) {
  try {
    await call(path, { method: "PUT", token, body: { layout: wanted } });
    if (!wanted) await open();
    byId("note").textContent = wanted ? tx("Saved; open overlays show it now.") : tx("The layout is as it was at first.");
  } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
}

/** @param {Record<string, Place>} wanted */
function show(wanted) {
  layout = { ...wanted };
  fill(stage, Object.keys(layout).map(box));
  fill(byId("parts"), h("legend", {}, tx("What is shown")), Object.keys(NAMES).map((part) => h("label", {}, h("input", { type: "checkbox", checked: part in layout, onchange: (/** @type {Event} */ event) => {
    const { [part]: _, ...others } = layout;
    show(/** @type {HTMLInputElement} */ (event.target).checked ? { ...others, [part]: FRESH[part] } : others);
    /** @type {HTMLElement} */ (byId("parts").querySelectorAll("input")[Object.keys(NAMES).indexOf(part)]).focus();
  } }), NAMES[part])));
}

/** @param {string} part */
function box(part) {
  const element = h("button", { type: "button", class: "box", "data-part": part, onkeydown: (/** @type {KeyboardEvent} */ event) => {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    put((event.shiftKey ? sized : moved)(layout[part], ...way));
  } }, NAMES[part], h("span", { class: "corner", "aria-hidden": "true" }));
  const put = (/** @type {Place} */ place) => {
    layout[part] = place;
    lay(element, place);
    const [left, top, width, height] = place;
    element.setAttribute("aria-label", tx("{part}: {left} from the left, {top} from the top, {width} wide, {height} high", { part: NAMES[part], left, top, width, height }));
    byId("note").textContent = "";
  };
  element.addEventListener("pointerdown", (event) => drag(element, event, layout[part], put));
  put(layout[part]);
  return element;
}

/** Follow a pointer until it is lifted. @param {HTMLElement} element @param {PointerEvent} begin @param {Place} from @param {(place: Place) => void} put */
function drag(element, begin, from, put) {
  if (begin.button) return;
  const { width, height } = stage.getBoundingClientRect();
  const change = /** @type {HTMLElement} */ (begin.target).classList.contains("corner") ? sized : moved;
  const follow = (/** @type {PointerEvent} */ now) => put(change(from, ((now.clientX - begin.clientX) * COLUMNS) / width, ((now.clientY - begin.clientY) * ROWS) / height));
  const stop = () => {
    element.removeEventListener("pointermove", follow);
    for (const end of ["pointerup", "pointercancel"]) element.removeEventListener(end, stop);
  };
  element.setPointerCapture(begin.pointerId);
  element.addEventListener("pointermove", follow);
  for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, stop);
}
