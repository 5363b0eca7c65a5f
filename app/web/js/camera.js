// @ts-check
/** A phone or laptop as the table's camera: frames out, advice on light, sharpness and framing in. */

import { byId, fill, h } from "./dom.js";
import { closed, languageButton, themeButton, useTheme } from "./chrome.js";
import { Finder } from "./finder.js";
import { installButton } from "./install.js";
import { keepHere, keptHere, tableOfPage, tokenOfPage } from "./api.js";
import { tn, tx } from "./language.js";

useTheme();
fill(byId("tools"), languageButton(), themeButton());
const table = tableOfPage();
const token = tokenOfPage("camera", table);
const finder = new Finder(table, token ?? "", {
  changed,
  refused: () => closed(tx("This camera link no longer works. Ask the host for a new one.")),
  heard,
  link: (text) => { byId("link").textContent = text; },
});
fill(byId("finder"), finder.element);
finder.say(tx("Start the camera and lay the phone so that the whole game is in the picture."), "");

if (!token) closed(tx("Open this page with the camera's full link; the address alone is not enough."));
else fill(byId("install"), installButton(token));
byId("start").addEventListener("click", () => finder.start());
byId("stop").addEventListener("click", () => { keepHere("kibitz.camera.runs", ""); finder.stop(); });
byId("cameras").addEventListener("change", (event) => finder.start(/** @type {HTMLSelectElement} */ (event.target).value));
byId("torch").addEventListener("click", torch);
byId("file").addEventListener("change", sendFile);
if (!navigator.mediaDevices) {
  /** @type {HTMLButtonElement} */ (byId("start")).disabled = true;
  byId("secure").hidden = false;
  finder.say(tx("Here the camera can only send photographs."), "bad");
} else if (token && keptHere("kibitz.camera.runs") === "yes") finder.start(); // it was reloaded while it ran

/** @param {boolean} running */
async function changed(running) {
  byId("start").hidden = running;
  byId("stop").hidden = !running;
  byId("torch").hidden = !running || !finder.capture.hasTorch;
  byId("torch").setAttribute("aria-pressed", "false");
  if (!running) {
    byId("link").textContent = "";
    return;
  }
  keepHere("kibitz.camera.runs", "yes");
  const all = await finder.capture.cameras();
  byId("pick").hidden = all.length < 2;
  fill(byId("cameras"), all.map((c) => h("option", { value: c.id, selected: c.now }, c.label)));
}

/** A lamp beside the lens, where the phone has one and lets a page use it. */
async function torch() {
  const on = byId("torch").getAttribute("aria-pressed") !== "true";
  try {
    await finder.capture.torch(on);
    byId("torch").setAttribute("aria-pressed", String(on));
  } catch { byId("torch").hidden = true; }
}

/** @param {any} message */
function heard(message) {
  fill(byId("advice"), (message.advice ?? []).slice(1).map((/** @type {string} */ line) => h("li", { class: "note warn" }, line)));
  const health = message.health ?? {};
  const sent = tn("{count} picture sent", "{count} pictures sent", finder.capture.sent);
  byId("facts").hidden = false;
  byId("facts").textContent = health.square_px ? tx("{sent} · a square is {pixels} pixels wide · read in {ms} ms", { sent, pixels: Math.round(health.square_px), ms: Math.round(health.ms) }) : sent;
  const said = message.line?.say ?? [];
  if (said.length) {
    byId("newest").textContent = said.join(" ");
    byId("newest").hidden = false;
  }
}

/** @param {Event} event */
async function sendFile(event) {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const file = input.files?.[0];
  if (!file) return;
  finder.say(tx("Reading the photograph…"), "");
  const kind = ["image/jpeg", "image/png", "image/webp"].includes(file.type) ? file.type : "image/jpeg";
  const answer = await fetch(`/api/tables/${table}/frames`, { method: "POST", body: file, headers: { "Content-Type": kind, Authorization: `Bearer ${token}` } }).catch(() => null);
  const told = answer ? await answer.json().catch(() => ({})) : {};
  input.value = "";
  finder.capture.sent += 1;
  if (!answer) return finder.say(tx("The server cannot be reached."), "bad");
  heard(told);
  const advice = told.advice?.[0] ?? told.error?.message;
  finder.say(told.line?.say?.length ? told.line.say.join(" ") : advice ?? tx("The photograph was read; nothing new is on it."), advice ? "bad" : "good");
}
