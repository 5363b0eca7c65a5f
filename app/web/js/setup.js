// @ts-check
/** Sets up a table's camera: choose one, see what it sees and what is wrong, say who sits where, go. */

import { Live, act as send, tableOfPage, tokenOfPage } from "./api.js";
import { nameSquares } from "./board.js";
import { byId, fill, h, refresh, toast } from "./dom.js";
import { choicesOf, readInto } from "./add_camera.js";
import { closed, languageButton, showLink, themeButton, useTheme } from "./chrome.js";
import { Finder } from "./finder.js";
import { openCorners } from "./corners.js";
import { takeDrops } from "./drop.js";
import { tn, tx } from "./language.js";
import { listName, nameOf } from "./materials.js";
import { Lesson } from "./teach.js";
import { Trial, keepSetup, restoreButton } from "./trial.js";
import { outlineOf, seesNothing, viewChecks } from "./view_checks.js";

const WORDS = /** @type {Record<string, string>} */ ({ default: tx("Words are checked in the list that comes with Kibitz."), none: tx("Any word is good.") });
const SIDES = { top: tx("top"), right: tx("right"), bottom: tx("bottom"), left: tx("left") };

useTheme();
const table = tableOfPage();
const token = tokenOfPage("table", table);
/** @type {any} */
let state = null;
/** @type {Finder | null} this device's own camera, while it watches */
let finder = null;
/** @type {Lesson | null} */
let lesson = null;
let shown = -1, busy = false;
const trial = new Trial(table, token ?? "", byId("trial"));
const image = /** @type {HTMLImageElement} */ (h("img", { alt: tx("The newest picture of the table") }));

fill(byId("tools"), languageButton(), themeButton());
if (!token) closed(tx("Open this page with the table's full link; the address alone is not enough."));
else {
  byId("go").setAttribute("href", `/table/${table}`);
  byId("go").addEventListener("click", async (event) => {
    event.preventDefault();
    if (state) await keepSetup(table, state, finder !== null);
    location.assign(`/table/${table}#t=${token}`);
  });
  fill(byId("choices"), choicesOf(table, token, watch));
  takeDrops(document.body, (files) => readInto(table, token, files), () => state !== null);
  const again = restoreButton(table, token, () => state, watch);
  if (again) byId("choices").firstElementChild?.prepend(again);
  byId("aim").addEventListener("click", () => openCorners(table, token, state).catch((error) => toast(error.message, "bad")));
  new Live(table, token, (message) => {
    if (message.type === "state") nameSquares((state = message).facts.notation);
    else if (state && message.type === "camera") state = { ...state, camera: message.camera };
    if (state) show();
  }, showLink);
}

function show() {
  if (state.you.role !== "host") return closed(tx("Only the table's host sets up its camera."));
  byId("main").hidden = false;
  if (!lesson) {
    lesson = new Lesson(table, token ?? "", byId("teach-step"), byId("teach"));
    lesson.begin();
  }
  trial.show(state);
  byId("title").textContent = `${state.title} · ${state.players.join(", ")}`;
  const camera = state.camera, loose = state.facts.loose;
  refresh(byId("checks"), [camera?.size, camera?.advice, camera?.health?.faults, camera?.error, (camera?.corners ?? []).length], () => viewChecks(camera, loose));
  showVerdict(camera);
  byId("aim").hidden = !camera?.size || loose || (state.view.boards ?? []).length > 1;
  byId("seats-step").hidden = !Object.keys(state.seats).length;
  refresh(byId("seats"), state.seats, () => state.players.map(seatOf));
  byId("tiles").textContent = [tn("The tile set is {set}, with {count} letter.", "The tile set is {set}, with {count} letters.", state.letters.length, { set: nameOf(state.tiles) }),
    WORDS[state.lexicon] ?? tx("Words are checked in the list {name}.", { name: listName(state.lexicon) }), tx("To use others, set up a new table.")].join(" ");
  if (!finder && camera?.size && camera.frame !== shown && !busy) load(camera);
}

/** @param {any} camera */
function showVerdict(camera) {
  const verdict = byId("verdict");
  if (finder) { verdict.hidden = true; return; } // it says so itself
  const first = camera?.error?.message ?? camera?.advice?.[0];
  verdict.hidden = false;
  verdict.className = `verdict ${!camera?.size || (!first && seesNothing(camera.health)) ? "" : first ? "bad" : "good"}`;
  const text = !camera?.size ? camera?.error?.message ?? tx("Choose a camera.") : first ?? (seesNothing(camera.health) ? tx("No tiles are seen yet.") : tx("The view is good."));
  if (verdict.textContent !== text) verdict.textContent = text;
}

/** @param {string} player */
function seatOf(player) {
  const seat = state.seats[player];
  return h("div", { class: "who" }, h("b", {}, player), h("div", { class: "row", role: "group", "aria-label": tx("Where {player} sits", { player }) },
    ...Object.entries(SIDES).map(([side, label]) => h("button", { type: "button", "aria-pressed": String(seat?.side === side), onclick: () => send(table, token ?? "", { action: "seat", player, side }).catch((error) => toast(error.message, "bad")) }, label))));
}

/** @param {any} camera */
async function load(camera) {
  busy = true;
  const answer = await fetch(`/api/tables/${table}/frame.jpg`, { headers: { Authorization: `Bearer ${token}` } }).catch(() => null);
  if (answer?.ok) {
    const old = image.src;
    image.src = URL.createObjectURL(await answer.blob());
    await image.decode().catch(() => null);
    if (old) URL.revokeObjectURL(old);
    const place = byId("picture");
    place.classList.remove("waiting");
    place.style.setProperty("--shape", camera.size.join(" / "));
    if (!finder) fill(place, image, /** @type {any} */ (outlineOf(camera, state.facts.rows)));
    shown = camera.frame;
  }
  busy = false;
}

/** This device's own camera. */
async function watch() {
  if (finder) return;
  finder = new Finder(table, token ?? "", { changed, refused: () => toast(tx("This link may not send pictures."), "bad") });
  byId("picture").classList.add("waiting");
  fill(byId("picture"), finder.element);
  await finder.start();
}

/** @param {boolean} running */
async function changed(running) {
  const all = running ? await finder?.capture.cameras() ?? [] : [];
  byId("here").hidden = !finder;
  fill(byId("here"), all.length > 1 ? h("select", { "aria-label": tx("Which camera"), class: "grow", onchange: (/** @type {Event} */ e) => finder?.start(/** @type {HTMLSelectElement} */ (e.target).value) },
    ...all.map((c) => h("option", { value: c.id, selected: c.now }, c.label))) : h("span", { class: "soft small grow" }, running ? tx("Open the table on this device: it keeps watching there.") : ""),
  h("button", { type: "button", onclick: stop }, tx("Another camera")));
  try { sessionStorage.setItem(`kibitz.here.${table}`, running ? "yes" : ""); } catch { /* it is started by hand then */ }
}

function stop() {
  finder?.stop();
  finder = null;
  byId("here").hidden = true;
  fill(byId("picture"), h("p", { class: "soft" }, tx("No picture yet.")));
  shown = -1;
  show();
}
