// @ts-check
/** The first page: set up a table, or go back to one. */

import { call, keep, keepHere, kept, leadTo } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { settingField } from "./settings.js";
import { themeButton, useTheme } from "./chrome.js";

const TILES = /** @type {Record<string, string>} */ ({ en: "English", de: "German", fr: "French", ro: "Romanian", pl: "Polish", fi: "Finnish" });
const LISTS = /** @type {Record<string, string>} */ ({ default: "The English list that comes with Kibitz", none: "Any word is good" });

useTheme();
fill(byId("tools"), themeButton());
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
/** @type {Record<string, any>} settings that differ from their default */
let settings = {};
/** @type {Record<string, string>} slugs to titles */
let titles = {};

start();

async function start() {
  try {
    const offer = await call("/api/games", { token: key });
    titles = Object.fromEntries(offer.games.map((/** @type {any} */ g) => [g.game, g.title]));
    byId("setup").hidden = !offer.may_create;
    byId("not-host").hidden = offer.may_create;
    if (offer.may_create) showSetup(offer);
    await Promise.all([showTables(offer.may_create), showDemo()]);
  } catch (error) {
    byId("not-host").hidden = false;
    byId("not-host").textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {any} offer */
function showSetup(offer) {
  fill(byId("games"), offer.games.map((/** @type {any} */ game, /** @type {number} */ i) => h("label", { class: "game" },
    h("input", { type: "radio", name: "game", value: game.game, checked: i === 0, onchange: () => choose(game) }),
    h("b", {}, game.title), h("span", { class: "soft small" }, game.sentence))));
  fill(byId("tiles"), offer.tiles.map((/** @type {string} */ t) => h("option", { value: t }, TILES[t] ?? t)));
  fill(byId("lexicon"), offer.lexicons.map((/** @type {string} */ x) => h("option", { value: x }, LISTS[x] ?? x)));
  byId("tiles").addEventListener("change", () => {
    const english = /** @type {HTMLSelectElement} */ (byId("tiles")).value === "en";
    /** @type {HTMLSelectElement} */ (byId("lexicon")).value = english ? "default" : "none";
  });
  byId("add").addEventListener("click", () => { names.push(""); showNames(); focusLast(); });
  byId("setup").addEventListener("submit", open);
  choose(offer.games[0]);
}

/** @param {any} game */
function choose(game) {
  chosen = game;
  settings = {};
  const least = Math.max(game.players[0], Math.min(2, game.players[game.players.length - 1]));
  const most = game.players[game.players.length - 1];
  names = names.slice(0, most);
  while (names.length < least) names.push("");
  if (!game.players.includes(names.length)) {
    const next = game.players.find((/** @type {number} */ n) => n >= names.length) ?? most;
    while (names.length < next) names.push("");
  }
  showNames();
  fill(byId("settings"), game.settings.filter((/** @type {any} */ s) => s.name !== "lexicon").map((/** @type {any} */ s) =>
    settingField(s, (value) => { settings[s.name] = value; })));
}

function showNames() {
  const most = chosen.players[chosen.players.length - 1];
  fill(byId("players"), names.map((name, i) => h("div", { class: "seat" },
    h("span", { class: "soft num" }, i + 1),
    h("input", { value: name, maxlength: "40", "aria-label": `Name of player ${i + 1}`, placeholder: `Player ${i + 1}`, autocomplete: "off",
      oninput: (/** @type {Event} */ e) => { names[i] = /** @type {HTMLInputElement} */ (e.target).value; } }),
    h("button", { type: "button", class: "quiet square", "aria-label": `Move ${name || `player ${i + 1}`} up`, disabled: i === 0,
      onclick: () => { [names[i - 1], names[i]] = [names[i], names[i - 1]]; showNames(); } }, icon("up")),
    h("button", { type: "button", class: "quiet square", "aria-label": `Remove ${name || `player ${i + 1}`}`, disabled: names.length <= chosen.players[0],
      onclick: () => { names.splice(i, 1); showNames(); } }, icon("cross")))));
  /** @type {HTMLButtonElement} */ (byId("add")).disabled = names.length >= most;
  const fits = chosen.players.includes(names.length);
  byId("players-note").textContent = fits ? "" : `${chosen.title} takes ${chosen.players.join(" or ")} players.`;
}

function focusLast() {
  const inputs = byId("players").querySelectorAll("input");
  inputs[inputs.length - 1]?.focus();
}

/** @param {Event} event */
async function open(event) {
  event.preventDefault();
  const problem = byId("problem");
  problem.hidden = true;
  const players = names.map((name, i) => name.trim() || `Player ${i + 1}`);
  const value = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (byId(id)).value;
  try {
    const made = await call("/api/tables", { token: key, body: { game: chosen.game, players, settings, tiles: value("tiles"), lexicon: value("lexicon") } });
    keep("kibitz.names", players.join("\n"));
    keepPlace(made.table, made.host_token);
    location.assign(`/table/${made.table}`);
  } catch (error) {
    problem.textContent = /** @type {Error} */ (error).message;
    problem.hidden = false;
  }
}

/** @param {boolean} host */
async function showTables(host) {
  if (!host) return;
  const { tables } = await call("/api/tables", { token: key });
  byId("tables-card").hidden = !tables.length;
  fill(byId("tables"), tables.slice(0, 30).map((/** @type {any} */ t) => h("li", {},
    h("span", {}, h("b", {}, t.players.join(", ")), h("br"),
      h("span", { class: "soft small" }, `${titles[t.game] ?? t.game} · ${new Date(t.created * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}${t.over ? " · over" : ""}`)),
    h("button", { type: "button", onclick: () => enter(t.table) }, "Open"))));
}

/** @param {string} table @param {string} token */
function keepPlace(table, token) {
  keep(`kibitz.table.${table}`, token);
  keep(`kibitz.host.${table}`, token);
  keepHere(`kibitz.table.${table}`, token);
}

/** @param {string} table */
async function enter(table) {
  const before = kept(`kibitz.host.${table}`);
  keepPlace(table, before ?? (await call(`/api/tables/${table}/tokens`, { token: key, body: { role: "host" } })).token);
  location.assign(`/table/${table}`);
}

async function showDemo() {
  const demo = await call("/api/demo", { token: key }).catch(() => null);
  if (!demo) return;
  byId("demo").hidden = false;
  leadTo(byId("demo-link"), `/table/${demo.table}`, demo.host_token);
  byId("demo-again").addEventListener("click", async () => {
    const again = await call("/api/demo/again", { method: "POST", token: key });
    location.assign(`/table/${again.table}#t=${again.host_token}`);
  });
}
