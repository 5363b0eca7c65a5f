// @ts-check
/** What people take along by pasting it elsewhere. */

import { h } from "./dom.js";
import { tx } from "./language.js";

/** Put a text on the clipboard, also where a page without https has none. @param {string} text */
export async function copied(text) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch { /* the older way is tried */ }
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "hush", value: text }));
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/** A button that copies a text, and says so. @param {string} label @param {string} text @param {string} [name] what it is called where its label alone does not say which */
export function copyButton(label, text, name) {
  const button = h("button", { type: "button", class: "quiet", ...(name ? { "aria-label": name } : {}), onclick: async () => {
    button.textContent = (await copied(text)) ? tx("Copied") : tx("It could not be copied.");
    button.removeAttribute("aria-label");
  } }, label);
  return button;
}
