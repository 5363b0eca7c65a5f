// @ts-check
/** Every camera of the server: its newest picture, how often one comes, what it costs, what went wrong. */

import { call, keep, kept } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { themeButton, useTheme } from "./chrome.js";

const EVERY_MS = 2000;

useTheme();
fill(byId("tools"), themeButton());
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
    const image = /** @type {HTMLImageElement} */ (h("img", { alt: `The newest picture of camera ${camera.number} of ${camera.title}` }));
    const text = h("div", {});
    const place = h("div", { class: "picture" }, image);
    card = { image, text, pictures: -1, card: h("li", { class: "card" }, h("h2", {}, camera.title), place, text,
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => enter(camera.table, "setup") }, "Set up"), h("button", { type: "button", onclick: () => enter(camera.table, "table") }, "To the table"))) };
    cards.set(nameOf(camera), card);
    byId("cameras").append(card.card);
  }
  if (camera.size) card.image.parentElement?.style.setProperty("--shape", camera.size.join(" / "));
  const late = camera.last_at ? Date.now() / 1000 - camera.last_at : Infinity;
  const trouble = camera.trouble && !camera.trouble.over;
  const state = trouble ? ["off", "No pictures"] : late < 15 ? ["", camera.settled ? "Watches" : "Waits until hands are still"] : ["idle", "No picture of late"];
  fill(card.text, h("p", { class: `dot ${state[0]}` }, state[1]),
    h("dl", { class: "figures small" },
      ...line("From", camera.source || "not known"), ...line("Camera", `${camera.number}${camera.size ? `, ${camera.size.join(" × ")} pixels` : ""}`),
      ...line("Pictures", `${camera.a_second.toFixed(1)} a second, ${camera.pictures} so far${camera.last_at ? `, the last at ${time(camera.last_at)}` : ""}`),
      ...line("Processor", `${Math.round(100 * camera.share)} % of one of ${cores} cores`),
      ...line("View", camera.advice.length ? camera.advice.join(" ") : camera.size ? "good" : "nothing seen yet"),
      ...line("Last error", camera.trouble ? `${time(camera.trouble.at)}: ${camera.trouble.message}${camera.trouble.over ? " (over)" : ""}` : "none")));
  if (camera.picture && camera.pictures !== card.pictures) load(card, camera);
}

/** @param {string} name @param {string} value */
const line = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
/** @param {number} at */
const time = (at) => new Date(1000 * at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

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
