// @ts-check
/** Links for the others at the table, as codes to scan; only the host has them to give. */

import { call } from "./api.js";
import { ask, h } from "./dom.js";
import { local } from "./add_camera.js";
import { toolButton } from "./chrome.js";

/** @param {any} state @param {string} token */
export function shareButton(state, token) {
  if (state.you.role !== "host") return null;
  return toolButton("invite", "Invite", () => open(state, token), { "aria-haspopup": "dialog" });
}

/** @param {any} state @param {string} token */
async function open(state, token) {
  const places = h("div", { class: "codes" });
  const dialog = ask("Invite to this table", [
    h("p", {}, "Each code opens one place at the table. Scan it, or copy its link; whoever has it has that place."), places,
    local() ?? (location.protocol === "https:" ? h("p", { class: "small soft" }, "Phones warn of this house's own certificate the first time. ", h("a", { href: "/trust", target: "_blank" }, "What to do then")) : null),
  ], [{ label: "Done", act: () => null }]);
  dialog.classList.add("wide");
  const wanted = [
    ...state.players.map((/** @type {string} */ p) => ({ name: p, role: "seat", player: p, page: "seat" })),
    { name: "Camera", role: "camera", page: "camera" }, { name: "Watch", role: "watch", page: "table" },
  ];
  for (const want of wanted) {
    const made = await call(`/api/tables/${state.table}/tokens`, { token, body: { role: want.role, ...(want.player ? { player: want.player } : {}) } });
    const link = `${location.origin}/${want.page}/${state.table}#t=${made.token}`;
    const svg = await call("/api/qr", { body: { text: link }, raw: true });
    const image = h("img", { alt: `Code for ${want.name}`, src: URL.createObjectURL(await svg.blob()) });
    const copy = h("button", { type: "button", class: "quiet", onclick: async () => { copy.textContent = (await copied(link)) ? "Copied" : "Not allowed: scan it"; } }, "Copy link");
    places.append(h("figure", {}, image, h("figcaption", {}, h("b", {}, want.name), h("br"), copy)));
  }
}

/** Put a text on the clipboard, also where a page without https has none. @param {string} text */
async function copied(text) {
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
