// @ts-check
/** The first page: set up a table, or go back to one. */

import { call, keep, keepPlace, kept, leadTo } from "./api.js";
import { ask, byId, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { Import, fileButton, takeDrops, usable } from "./drop.js";
import { Lists } from "./lists.js";
import { listName, nameOf } from "./materials.js";
import { settingField } from "./settings.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";
import { code, region, tn, tx } from "./language.js";

useTheme();
fill(byId("tools"), languageButton(), themeButton());
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given) {
  keep("kibitz.key", given);
  history.replaceState(null, "", "/");
}
const key = given ?? kept("kibitz.key");

/** @type {any} */
let chosen = null;
/** @type {string[]} */
let names = (kept("kibitz.names") ?? "").split("\n").filter(Boolean);
/** @type {Record<string, any>} settings that are usual for a new table, or were chosen */
let settings = {};
/** @type {Record<string, string>} slugs to titles */
let titles = {};

start();

async function start() {
  try {
    const offer = await call("/api/games", { token: key });
    titles = Object.fromEntries(offer.games.map((/** @type {any} */ g) => [g.game, g.title]));
    byId("setup").hidden = byId("drop").hidden = !offer.may_create;
    byId("not-host").hidden = offer.may_create;
    if (offer.may_create) showSetup(offer);
    await Promise.all([showTables(offer.may_create), offer.demo ? showDemo() : null]);
  } catch (error) {
    byId("not-host").hidden = false;
    byId("not-host").textContent = /** @type {Error} */ (error).message;
  } finally {
    byId("main").classList.remove("waiting");
  }
}

/** @param {any} offer */
function showSetup(offer) {
  fill(byId("games"), offer.games.map((/** @type {any} */ game, /** @type {number} */ i) => h("label", { class: "game" },
    h("input", { type: "radio", name: "game", value: game.game, checked: i === 0, onchange: () => choose(game) }),
    h("b", {}, game.title), h("span", { class: "soft small" }, game.sentence))));
  const usual = kept("kibitz.tiles") ?? code; // people who read German mostly have German tiles
  fill(byId("tiles"), offer.tiles.map((/** @type {string} */ t) => h("option", { value: t, selected: t === usual }, nameOf(t))));
  fill(byId("lexicon"), offer.lexicons.map((/** @type {string} */ x) => h("option", { value: x }, listName(x))));
  new Lists(/** @type {HTMLSelectElement} */ (byId("tiles")), /** @type {HTMLSelectElement} */ (byId("lexicon")), byId("words"), key).begin();
  byId("add").addEventListener("click", () => { names.push(""); showNames(); focusLast(); });
  byId("setup").addEventListener("submit", open);
  byId("drop").append(fileButton(tx("Choose files"), readFiles));
  takeDrops(document.body, readFiles, () => !reading);
  choose(offer.games[0]);
}

/** @param {any} game */
function choose(game) {
  chosen = game;
  settings = Object.fromEntries(game.settings.filter((/** @type {any} */ s) => s.usual !== null).map((/** @type {any} */ s) => [s.name, s.usual]));
  const least = Math.max(game.players[0], Math.min(2, game.players[game.players.length - 1]));
  const most = game.players[game.players.length - 1];
  names = names.slice(0, most);
  while (names.length < least) names.push("");
  if (!game.players.includes(names.length)) {
    const next = game.players.find((/** @type {number} */ n) => n >= names.length) ?? most;
    while (names.length < next) names.push("");
  }
  showNames();
  /** @type {HTMLSelectElement} */ (byId("notation")).value = game.notation;
  byId("squares").hidden = game.surfaces === "loose";
  fill(byId("settings"), game.settings.filter((/** @type {any} */ s) => s.name !== "lexicon").map((/** @type {any} */ s) =>
    settingField(s, (value) => { settings[s.name] = value; })));
}

function showNames() {
  const most = chosen.players[chosen.players.length - 1];
  fill(byId("players"), names.map((name, i) => h("div", { class: "seat" },
    h("span", { class: "soft num" }, i + 1),
    h("input", { value: name, maxlength: "40", "aria-label": tx("Name of player {number}", { number: i + 1 }), placeholder: tx("Player {number}", { number: i + 1 }), autocomplete: "off",
      oninput: (/** @type {Event} */ e) => { names[i] = /** @type {HTMLInputElement} */ (e.target).value; } }),
    h("button", { type: "button", class: "quiet square", "aria-label": tx("Move {name} up", { name: name || tx("player {number}", { number: i + 1 }) }), disabled: i === 0,
      onclick: () => { [names[i - 1], names[i]] = [names[i], names[i - 1]]; showNames(); } }, icon("up")),
    h("button", { type: "button", class: "quiet square", "aria-label": tx("Remove {name}", { name: name || tx("player {number}", { number: i + 1 }) }), disabled: names.length <= chosen.players[0],
      onclick: () => { names.splice(i, 1); showNames(); } }, icon("cross")))));
  /** @type {HTMLButtonElement} */ (byId("add")).disabled = names.length >= most;
  const fits = chosen.players.includes(names.length);
  byId("players-note").textContent = fits ? "" : tx("{game} takes {numbers} players.", { game: chosen.title, numbers: chosen.players.join(tx(" or ")) });
}

function focusLast() {
  const inputs = byId("players").querySelectorAll("input");
  inputs[inputs.length - 1]?.focus();
}

let reading = false;

/** A game that was photographed or filmed becomes a table of its own. @param {File[]} files */
async function readFiles(files) {
  if (reading) return;
  const note = byId("drop-note");
  note.hidden = Boolean(usable(files).length);
  note.textContent = tx("Expected photographs (JPEG, PNG, WebP) or a film (MP4, WebM).");
  if (!note.hidden) return;
  reading = true;
  const made = await setUp();
  if (made) {
    byId("setup").hidden = byId("drop").hidden = true;
    byId("reading").hidden = false;
    byId("reading").scrollIntoView({ block: "start" });
    await new Import(made.table, made.host_token, byId("import")).read(files);
  }
  reading = false;
}

/** @param {Event} event */
async function open(event) {
  event.preventDefault();
  const made = await setUp();
  if (made) location.assign(`/setup/${made.table}`);
}

/** The table as the form says; null: what is wrong stands in the form. */
async function setUp() {
  const problem = byId("problem");
  problem.hidden = true;
  const players = names.map((name, i) => name.trim() || tx("Player {number}", { number: i + 1 }));
  const value = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (byId(id)).value;
  try {
    const made = await call("/api/tables", { token: key, body: { game: chosen.game, players, settings, tiles: value("tiles"), lexicon: value("lexicon"), pace: value("pace"), notation: value("notation") } });
    keep("kibitz.names", players.join("\n"));
    keep("kibitz.tiles", value("tiles"));
    keepPlace(made.table, made.host_token);
    return made;
  } catch (error) {
    problem.textContent = /** @type {Error} */ (error).message;
    problem.hidden = false;
    return null;
  }
}

/** @type {any[]} the tables that are shown, the newest first */
let tables = [];
const MOST_SHOWN = 30;
const TYPING_MS = 150;
let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/** @param {boolean} host */
async function showTables(host) {
  if (!host) return;
  await loadTables();
  byId("tables-card").hidden = !tables.length;
  byId("search").addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(loadTables, TYPING_MS); });
  byId("away").addEventListener("change", loadTables);
}

async function loadTables() {
  const words = /** @type {HTMLInputElement} */ (byId("search")).value.trim();
  const away = /** @type {HTMLInputElement} */ (byId("away")).checked;
  const mine = ++asked;
  const found = await call(`/api/tables?${new URLSearchParams({ limit: String(MOST_SHOWN), search: words, away: String(away) })}`, { token: key });
  if (mine !== asked) return; // somebody typed on
  tables = found.tables;
  if (tables.length) byId("tables-card").hidden = false;
  listTables(found.more);
}

/** @param {any} t */
const titleOf = (t) => t.name || t.players.join(", ");

/** @param {boolean} more there are others */
function listTables(more) {
  fill(byId("tables"), tables.map((t) => h("li", {},
    h("span", {}, h("b", {}, titleOf(t)), h("br"),
      h("span", { class: "soft small" }, `${t.name ? `${t.players.join(", ")} · ` : ""}${titles[t.game] ?? t.game} · ${new Date(t.created * 1000).toLocaleString(region, { dateStyle: "medium", timeStyle: "short" })}${t.over ? tx(" · over") : ""}${t.archived ? tx(" · archived") : ""}`)),
    h("span", { class: "row" },
      h("button", { type: "button", "aria-label": tx("Open {table}", { table: titleOf(t) }), onclick: () => enter(t.table) }, tx("Open")),
      h("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", "aria-label": tx("Change {table}", { table: titleOf(t) }), onclick: () => changeTable(t) }, tx("Change"))))));
  byId("tables-note").textContent = !tables.length ? tx("No tables found.") : more ? tx("There are more; search for them.") : "";
}

/** Name a table, put it away, or take it away for good. @param {any} t */
function changeTable(t) {
  const path = `/api/tables/${t.table}`;
  const name = /** @type {HTMLInputElement} */ (h("input", { value: t.name, maxlength: "80", placeholder: t.players.join(", "), autocomplete: "off" }));
  const change = async (/** @type {any} */ body) => { await call(path, { method: "PATCH", token: key, body }); await loadTables(); };
  const dialog = ask(tx("Change this table"), [h("label", { class: "field" }, tx("Name"), name)], [
    { label: tx("Delete…"), kind: "danger", act: () => { dialog.addEventListener("close", () => deleteTable(t)); } },
    { label: t.archived ? tx("Unarchive") : tx("Archive"), act: () => change({ archived: !t.archived }) },
    { label: tx("Save the name"), act: () => change({ name: name.value }) },
  ]);
}

/** @param {any} t */
function deleteTable(t) {
  ask(tx("Delete {table}?", { table: titleOf(t) }), [h("p", {}, tx("Its game, pictures and links are deleted for good. Everyone at it is disconnected."))], [
    { label: tx("Delete it"), kind: "danger", act: async () => { await call(`/api/tables/${t.table}`, { method: "DELETE", token: key, raw: true }); forgetPlace(t.table); await loadTables(); } },
  ]);
}

/** @param {string} table */
function forgetPlace(table) {
  try {
    for (const name of [`kibitz.table.${table}`, `kibitz.host.${table}`]) localStorage.removeItem(name);
    sessionStorage.removeItem(`kibitz.table.${table}`);
  } catch { /* nothing is kept */ }
}

/** @param {string} table */
async function enter(table) {
  const before = kept(`kibitz.host.${table}`);
  keepPlace(table, before ?? (await call(`/api/tables/${table}/tokens`, { token: key, body: { role: "host" } })).token);
  location.assign(`/table/${table}`);
}

async function showDemo() {
  const demo = await call("/api/demo", { token: key });
  byId("demo").hidden = false;
  leadTo(byId("demo-link"), `/table/${demo.table}`, demo.host_token);
  byId("demo-again").addEventListener("click", async () => {
    const again = await call("/api/demo/again", { method: "POST", token: key });
    location.assign(`/table/${again.table}#t=${again.host_token}`);
  });
}
