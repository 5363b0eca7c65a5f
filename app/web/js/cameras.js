// @ts-check
/** Every camera of the server: its newest picture, how often one comes, what it costs, what went wrong. */

import { call, keep, kept } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { languageButton, themeButton, useTheme } from "./chrome.js";
import { region, tn, tx } from "./language.js";

const EVERY_MS = 2000;

useTheme();
fill(byId("tools"), languageButton(), themeButton());
const key = kept("kibitz.key");
/** @type {Map<string, {card: HTMLElement, image: HTMLImageElement, text: HTMLElement, pictures: number}>} */
const cards = new Map();
look();

async function look() {
  if (!document.hidden) {
    try {
      const { cameras, cores } = await call("/api/cameras", { token: key });
      byId("problem").hidden = true;
      byId("none").hidden = cameras.length > 0;
      for (const name of cards.keys()) if (!cameras.some((/** @type {any} */ c) => nameOf(c) === name)) { cards.get(name)?.card.remove(); cards.delete(name); }
      for (const camera of cameras) show(camera, cores);
    } catch (error) {
      byId("problem").textContent = /** @type {Error} */ (error).message;
      byId("problem").hidden = false;
    }
  }
  setTimeout(look, EVERY_MS);
}

/** @param {any} camera */
const nameOf = (camera) => `${camera.table}/${camera.number}`;

/** @param {any} camera @param {number} cores */
function show(camera, cores) {
  let card = cards.get(nameOf(camera));
  if (!card) {
    const image = /** @type {HTMLImageElement} */ (h("img", { alt: tx("The newest picture of camera {number} of {title}", { number: camera.number, title: camera.title }) }));
    const text = h("div", {});
    const place = h("div", { class: "picture" }, image);
    card = { image, text, pictures: -1, card: h("li", { class: "card" }, h("h2", {}, camera.title), place, text,
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => enter(camera.table, "setup") }, tx("Set up")), h("button", { type: "button", onclick: () => enter(camera.table, "table") }, tx("To the table")))) };
    cards.set(nameOf(camera), card);
    byId("cameras").append(card.card);
  }
  if (camera.size) card.image.parentElement?.style.setProperty("--shape", camera.size.join(" / "));
  const late = camera.last_at ? Date.now() / 1000 - camera.last_at : Infinity;
  const trouble = camera.trouble && !camera.trouble.over;
  const state = trouble ? ["off", tx("No pictures")] : late < 15 ? ["", camera.settled ? tx("Watches") : tx("Waits until hands are still")] : ["idle", tx("No recent picture")];
  fill(card.text, h("p", { class: `dot ${state[0]}` }, state[1]),
    h("dl", { class: "figures small" },
      ...line(tx("From"), camera.source || tx("not known")),
      ...line(tx("Camera"), camera.size ? tx("{number}, {size} pixels", { number: camera.number, size: camera.size.join(" × ") }) : String(camera.number)),
      ...line(tx("Pictures"), picturesOf(camera)),
      ...line(tx("Processor"), tn("{share} % of its core", "{share} % of one of {count} cores", cores, { share: Math.round(100 * camera.share) })),
      ...line(tx("View"), camera.advice.length ? camera.advice.join(" ") : camera.size ? tx("good") : tx("nothing seen yet")),
      ...line(tx("Last error"), camera.trouble ? troubleOf(camera.trouble) : tx("none"))));
  if (camera.picture && camera.pictures !== card.pictures) load(card, camera);
}

/** @param {any} camera */
function picturesOf(camera) {
  const values = { rate: camera.a_second.toLocaleString(region, { maximumFractionDigits: 1 }), pictures: camera.pictures, time: time(camera.last_at) };
  return camera.last_at ? tx("{rate} a second, {pictures} so far, the last at {time}", values) : tx("{rate} a second, {pictures} so far", values);
}

/** @param {{at: number, message: string, over: boolean}} trouble */
function troubleOf(trouble) {
  const problem = `${time(trouble.at)}: ${trouble.message}`;
  return trouble.over ? tx("{problem} (over)", { problem }) : problem;
}

/** @param {string} name @param {string} value */
const line = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
/** @param {number} at */
const time = (at) => new Date(1000 * at).toLocaleTimeString(region, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** @param {{image: HTMLImageElement, pictures: number}} card @param {any} camera */
async function load(card, camera) {
  card.pictures = camera.pictures;
  const answer = await call(camera.picture, { token: key, raw: true }).catch(() => null);
  if (!answer) return;
  const old = card.image.src;
  card.image.src = URL.createObjectURL(await answer.blob());
  if (old) URL.revokeObjectURL(old);
}

/** @param {string} table @param {string} page */
async function enter(table, page) {
  try {
    const token = kept(`kibitz.host.${table}`) ?? (await call(`/api/tables/${table}/tokens`, { token: key, body: { role: "host" } })).token;
    keep(`kibitz.host.${table}`, token);
    keep(`kibitz.table.${table}`, token);
    location.assign(`/${page}/${table}#t=${token}`);
  } catch (error) {
    byId("problem").textContent = /** @type {Error} */ (error).message;
    byId("problem").hidden = false;
  }
}
