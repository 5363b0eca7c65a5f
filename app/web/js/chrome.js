// @ts-check
/** What every table page has: link state, speech, light or dark, the line that says it is closed. */

import { ask, byId, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { call, keep, kept } from "./api.js";
import { Speech } from "./speech.js";
import { choose, code, tn, tx } from "./language.js";

/** Put the chosen light in force before anything is drawn. */
export function useTheme() {
  const theme = kept("kibitz.theme");
  if (theme) document.documentElement.setAttribute("data-theme", theme);
}

/** @returns {HTMLElement} the button that goes from light to dark and back */
export function themeButton() {
  const dark = () => {
    const theme = document.documentElement.getAttribute("data-theme");
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const button = h("button", { type: "button", class: "square", onclick: () => {
    const theme = dark() ? "light" : "dark";
    document.documentElement.setAttribute("data-theme", theme);
    keep("kibitz.theme", theme);
    name();
  } });
  const name = () => {
    fill(button, icon(dark() ? "sun" : "moon"));
    button.setAttribute("aria-label", dark() ? tx("Light colours") : tx("Dark colours"));
    button.setAttribute("title", dark() ? tx("Light colours") : tx("Dark colours"));
  };
  name();
  return button;
}

/** The page's language, in two letters; it opens the list. @returns {HTMLElement} */
export function languageButton() {
  const open = async () => {
    const { languages } = await call("/api/languages");
    const names = /** @type {[string, string][]} */ (Object.entries(languages));
    ask(tx("Language of this page"), [h("div", { class: "choices" }, ...names.map(([one, name]) =>
      h("button", { type: "button", class: one === code ? "choice first" : "choice", lang: one, onclick: () => choose(one) }, name)))], [{ label: tx("Close"), act: () => null }]);
  };
  return h("button", { type: "button", class: "square", "aria-haspopup": "dialog", title: tx("Language of this page"), "aria-label": tx("Language of this page"), onclick: open }, code.toUpperCase());
}

/** A button of the bar: a drawing, and its words where there is room.
 * @param {string} drawing @param {string} label @param {() => void} run @param {Record<string, any>} [more]
 */
export function toolButton(drawing, label, run, more = {}) {
  return h("button", { type: "button", class: "tool", title: label, onclick: run, ...more }, icon(drawing), h("span", { class: "words" }, label));
}

/** @param {Speech} speech @returns {HTMLElement} */
export function speechButton(speech) {
  const button = h("button", { type: "button", class: "tool", "aria-haspopup": "dialog", onclick: () => speech.settings(name) });
  const name = () => {
    const label = speech.on ? tx("Voice on") : tx("Voice off");
    fill(button, icon(speech.on ? "voice" : "mute"), h("span", { class: "words" }, label));
    button.setAttribute("title", label);
  };
  name();
  button.hidden = !speech.possible;
  return button;
}

/** That page and table are in touch, or why nothing new comes. @param {any} state */
export function showLive(state) {
  const away = state.camera?.error?.code === "camera_away" && !state.over && state.you.role !== "watch";
  const minutes = Math.round((state.you.role === "watch" ? state.delay_s : 0) / 6) / 10;
  const live = minutes ? tn("{count} minute behind", "{count} minutes behind", minutes) : tx("Live");
  tellLink(away ? "lost" : "open", away ? tx("No camera picture") : live);
}

/** @param {"open" | "lost" | "refused"} link */
export function showLink(link) {
  tellLink(link, link === "open" ? tx("Live") : tx("Reconnecting…"));
  if (link === "refused") closed(tx("This link no longer opens the table. Ask the host for a new one."));
}

/** @param {string} link @param {string} text */
function tellLink(link, text) {
  const place = byId("link");
  if (place.textContent !== text) place.textContent = text;
  place.className = `link ${link}`;
}

/** @param {string} text */
export function closed(text) {
  byId("main").hidden = true;
  const tools = document.getElementById("tools");
  if (tools && !tools.firstElementChild) fill(tools, languageButton(), themeButton());
  document.getElementById("link")?.setAttribute("hidden", "");
  const place = byId("closed");
  fill(place, text, " ", h("a", { href: "/" }, tx("To the start")));
  place.hidden = false;
}
