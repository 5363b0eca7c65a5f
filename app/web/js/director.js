// @ts-check
/** The director's page: every table of a hall, who calls for a judge, rounds in and results out. */

import { call, keep, kept } from "./api.js";
import { copyButton } from "./clipboard.js";
import { ask, byId, fill, h, refresh, s, toast } from "./dom.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";
import { lastingLink } from "./lasting.js";
import { tn, tx } from "./language.js";

const EVERY_MS = 2000;
const KINDS = /** @type {Record<string, {label: string, is: (t: any) => boolean}>} */ ({
  judge: { label: tx("call a judge"), is: (t) => Boolean(t.judge) },
  trouble: { label: tx("need a look"), is: (t) => Boolean(t.camera?.error || t.notices.length || t.questions.length) },
  playing: { label: tx("are playing"), is: (t) => !t.over },
  over: { label: tx("are over"), is: (t) => t.over },
});

useTheme();
fill(byId("tools"), languageButton(), themeButton());
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given) {
  keep("kibitz.key", given);
  history.replaceState(null, "", "/director");
}
const key = given ?? kept("kibitz.key");

/** @type {{tables: any[], servers: any[], divisions: any[]}} */
let hall = { tables: [], servers: [], divisions: [] };
/** @type {Set<string>} */
const only = new Set();

fill(byId("kinds"), h("legend", { class: "hush" }, tx("Only tables that")), Object.entries(KINDS).map(([name, kind]) => h("label", {},
  h("input", { type: "checkbox", onchange: (/** @type {Event} */ e) => {
    /** @type {HTMLInputElement} */ (e.target).checked ? only.add(name) : only.delete(name);
    show();
  } }), kind.label)));
byId("search").addEventListener("input", show);
byId("round").addEventListener("change", show);
byId("import").addEventListener("submit", takeIn);
lastingLink().then((link) => {
  if (link) fill(byId("air"), link);
  byId("air-card").hidden = !link;
});
look();

async function look() {
  try {
    hall = await call("/api/director", { token: key });
    byId("problem").hidden = true;
    show();
  } catch (error) {
    byId("problem").hidden = false;
    byId("problem").textContent = /** @type {Error} */ (error).message;
  }
  setTimeout(look, EVERY_MS);
}

/** @param {any} t */
const titleOf = (t) => t.name || t.players.join(" – ");
/** @param {any} t */
const roundOf = (t) => t.round ? `${t.round.division} ${t.round.round}` : "";

function show() {
  const rounds = [...new Set(hall.tables.map(roundOf).filter(Boolean))].sort((a, b) => b.localeCompare(a, undefined, { numeric: true }));
  const select = /** @type {HTMLSelectElement} */ (byId("round"));
  const chosen = select.value;
  if (refresh(select, rounds, () => [h("option", { value: "" }, tx("Every round")), ...rounds.map((r) => h("option", { value: r }, r))])) select.value = rounds.includes(chosen) ? chosen : "";
  const words = /** @type {HTMLInputElement} */ (byId("search")).value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = hall.tables.filter((t) => {
    const text = [t.table, t.name, t.title, t.server ?? "", ...t.players].join(" ").toLowerCase();
    return words.every((word) => text.includes(word)) && (!select.value || roundOf(t) === select.value) && [...only].every((name) => KINDS[name].is(t));
  });
  const judges = hall.tables.filter(KINDS.judge.is).length;
  byId("count").textContent = [tn("{shown} of {count} table", "{shown} of {count} tables", hall.tables.length, { shown: found.length }),
    judges ? tn("{count} calls for a judge", "{count} call for a judge", judges) : ""].filter(Boolean).join(" · ");
  document.title = `${judges ? `(${judges}) ` : ""}${tx("All tables – Kibitz")}`;
  showTables(found);
  refresh(byId("divisions"), hall.divisions, () => hall.divisions.map(division));
  byId("servers-card").hidden = !hall.servers.length;
  refresh(byId("servers"), hall.servers, () => hall.servers.map((one) => h("li", {}, h("b", {}, one.name), " ", one.reach, one.answers ? "" : h("span", { class: "bad" }, " ", tx("does not answer")))));
}

/** Cards that have not changed stay as they are, so that nothing flickers under a finger. @param {any[]} found */
function showTables(found) {
  const place = byId("tables");
  if (!found.length) {
    refresh(place, [], () => [h("li", { class: "card soft" }, hall.tables.length ? tx("No table matches.") : tx("Nobody plays yet."))]);
    return;
  }
  place.removeAttribute("data-key");
  const there = new Map([...place.children].map((c) => [c.getAttribute("data-table"), c]));
  fill(place, found.map((t) => {
    const card = there.get(t.table) ?? h("li", { "data-table": t.table });
    const { clock: _, watching: __, ...lasting } = t;
    refresh(card, lasting, () => contents(t));
    card.className = `seat-card${t.judge ? " calls" : ""}${t.over ? " over" : ""}`;
    return card;
  }));
}

/** @param {any} t */
function contents(t) {
  const moves = new Set([t.to_move ?? []].flat());
  return [
    h("h2", {}, titleOf(t), h("span", { class: "soft" }, t.over ? tx("over") : t.paused ? tx("paused") : t.seq ? tn("{count} step", "{count} steps", t.seq) : tx("not begun"))),
    t.rows ? little(t.rows) : h("span", { class: "soft small" }, t.title),
    h("div", { class: "score" }, t.players.flatMap((/** @type {string} */ name) => [
      h("span", { class: moves.has(name) && !t.over ? "moves" : "" }, name, t.clocks ? h("small", { class: "soft num" }, ` ${clockOf(t, name)}`) : null),
      h("span", { class: "num" }, t.scores?.[name] ?? ""),
    ])),
    h("ul", { class: "facts small" },
      t.provisional ? h("li", { class: "warn" }, tx("The scores are not settled yet.")) : null,
      t.judge ? h("li", { class: "bad" }, callOf(t.judge)) : null,
      t.camera?.error ? h("li", { class: "bad" }, tx("Camera: {message}", { message: t.camera.error.message })) : null,
      ...(t.camera?.advice ?? []).slice(0, 1).map((/** @type {any} */ a) => h("li", { class: "warn" }, tx("Camera: {message}", { message: a.message ?? a }))),
      t.camera && !t.camera.error && !t.camera.advice.length ? h("li", { class: "soft" }, tx("Camera sees the board")) : null,
      ...t.notices.map((/** @type {string} */ n) => h("li", { class: "bad" }, n)),
      ...t.questions.slice(0, 2).map((/** @type {string} */ q) => h("li", { class: "warn" }, q)),
      t.server ? h("li", { class: "soft" }, t.server) : null),
    h("div", { class: "row" },
      h("button", { type: "button", "aria-label": tx("Open {table}", { table: titleOf(t) }), onclick: () => enter(t.table) }, tx("Open")),
      t.judge ? h("button", { type: "button", class: "first", "aria-label": tx("A judge is at {table}", { table: titleOf(t) }), onclick: () => came(t.table) }, tx("Judge is there")) : null,
      h("button", { type: "button", class: "quiet", "aria-label": tx("Let everybody watch {table}", { table: titleOf(t) }), onclick: () => publish(t) }, tx("Publish"))),
  ];
}

/** @param {{by: string, why: string}} judge */
function callOf({ by, why }) {
  if (by === "host") return why ? tx("The host calls for a judge: {why}", { why }) : tx("The host calls for a judge");
  return why ? tx("{player} calls for a judge: {why}", { player: by, why }) : tx("{player} calls for a judge", { player: by });
}

/** @param {any} t @param {string} name */
function clockOf(t, name) {
  const left = t.clocks[name]?.left ?? t.clocks[name];
  if (typeof left !== "number") return "";
  const seconds = Math.max(0, Math.round(left));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A small board: tiles with their letters, nothing to tap. @param {string[]} rows */
function little(rows) {
  const size = rows.length;
  const lying = rows.flatMap((row, r) => [...row].map((letter, c) => ({ letter, r, c })).filter((x) => x.letter !== "."));
  const svg = s("svg", { class: "little", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": tn("Board with {count} tile", "Board with {count} tiles", lying.length) });
  for (const { letter, r, c } of lying) {
    svg.append(s("rect", { class: "lies", x: c + 0.04, y: r + 0.04, width: 0.92, height: 0.92, rx: 0.12 }), s("text", { x: c + 0.5, y: r + 0.55 }, letter.toUpperCase()));
  }
  return svg;
}

/** The host's token of a table, for the director. @param {string} table */
async function tokenFor(table) {
  return kept(`kibitz.host.${table}`) ?? (await call(`/api/tables/${table}/tokens`, { token: key, body: { role: "host" } })).token;
}

/** @param {string} table */
async function enter(table) {
  try {
    location.assign(`/table/${table}#t=${await tokenFor(table)}`);
  } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
}

/** @param {string} table */
async function came(table) {
  try {
    await call(`/api/tables/${table}/judge`, { token: key, body: { wanted: false } });
    hall.tables = hall.tables.map((t) => t.table === table ? { ...t, judge: null } : t);
    show();
  } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
}

/** @param {any} t */
async function publish(t) {
  try {
    const path = `/api/tables/${t.table}/public`;
    const made = await call(path, { method: "PUT", token: key, body: { public: true } });
    const link = `${location.origin}${made.page}`;
    ask(tx("Everybody may watch {table}", { table: titleOf(t) }), [
      h("p", {}, tx("Whoever has this address sees the board and the score, and nothing secret:")), copyable(link, tx("Copy the address")),
      ...(made.gcg ? [h("p", {}, tx("The game as GCG, as it stands, for programs that ask again and again:")), copyable(location.origin + made.gcg, tx("Copy the address of the GCG"))] : []),
    ], [
      { label: tx("Stop it"), kind: "danger", act: () => call(path, { method: "PUT", token: key, body: { public: false } }) },
      { label: tx("Done"), act: () => null },
    ]);
  } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
}

/** An address to open or to copy. @param {string} address @param {string} name what the button does */
function copyable(address, name) {
  return h("p", { class: "row" }, h("a", { class: "address", href: address }, address), copyButton(tx("Copy link"), address, name));
}

/** @param {any} one */
function division(one) {
  const path = `/api/director/divisions/${encodeURIComponent(one.division)}`;
  const rounds = Array.from({ length: one.rounds }, (_, i) => i + 1).reverse();
  return h("section", {}, h("h3", {}, tn("Division {name}, {count} player", "Division {name}, {count} players", one.players.length, { name: one.division })),
    ...rounds.map((round) => {
      const games = one.games.filter((/** @type {any} */ g) => g.round === round);
      const open = games.filter((/** @type {any} */ g) => g.table).length;
      return h("div", { class: "round-row" }, h("span", { class: "grow" }, tn("Round {round}: {open} of {count} table is set up", "Round {round}: {open} of {count} tables are set up", games.length, { round, open })),
        open < games.length ? h("button", { type: "button", "aria-label": tx("Set up the tables of round {round} of {name}", { round, name: one.division }), onclick: () => openRound(path, round) }, tx("Set up the tables")) : null);
    }),
    h("div", { class: "row" }, ...["tsh", "csv"].map((format) => h("button", { type: "button", class: "quiet", "aria-label": tx("Results of {name} as {format}", { name: one.division, format: format.toUpperCase() }), onclick: () => save(`${path}?format=${format}`, `${one.division}.${format === "tsh" ? "t" : "csv"}`) }, tx("Results as {format}", { format: format.toUpperCase() }))),
      h("button", { type: "button", class: "quiet", "aria-label": tx("Forget the pairings of {name}", { name: one.division }), onclick: () => forget(one.division, path) }, tx("Forget"))));
}

/** @param {string} path @param {number} round */
async function openRound(path, round) {
  try {
    await call(`${path}/rounds/${round}`, { token: key, body: {} });
    hall = await call("/api/director", { token: key });
    show();
  } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
}

/** @param {string} name @param {string} path */
function forget(name, path) {
  ask(tx("Forget the pairings of {name}?", { name }), [h("p", {}, tx("Its tables and games stay; results are no longer written for its rounds."))], [
    { label: tx("Forget them"), kind: "danger", act: async () => { await call(path, { method: "DELETE", token: key, raw: true }); } },
  ]);
}

/** @param {string} path @param {string} name */
async function save(path, name) {
  try {
    const answer = await call(path, { token: key, raw: true });
    const link = /** @type {HTMLAnchorElement} */ (h("a", { href: URL.createObjectURL(await answer.blob()), download: name }));
    document.body.append(link);
    link.click();
    link.remove();
  } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
}

/** @param {Event} event */
async function takeIn(event) {
  event.preventDefault();
  const problem = byId("import-problem");
  problem.hidden = true;
  const file = /** @type {HTMLInputElement} */ (byId("file")).files?.[0];
  const name = /** @type {HTMLInputElement} */ (byId("division")).value.trim();
  try {
    const text = file ? await file.text() : "";
    const made = await call(`/api/director/divisions/${encodeURIComponent(name)}`, { method: "PUT", token: key, body: { text } });
    hall.divisions = [...hall.divisions.filter((d) => d.division !== name), made];
    show();
    toast(tx("Imported: {players} players, {rounds} rounds.", { players: made.players.length, rounds: made.rounds }), "good");
  } catch (error) {
    problem.textContent = /** @type {Error} */ (error).message;
    problem.hidden = false;
  }
}
