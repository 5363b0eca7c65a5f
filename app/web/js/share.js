// @ts-check
/** Links for the others at the table, as codes to scan; only the host has them to give. */

import { call } from "./api.js";
import { copied } from "./clipboard.js";
import { ask, fill, h, toast } from "./dom.js";
import { originFor, phoneNote } from "./add_camera.js";
import { toolButton } from "./chrome.js";
import { lastingLink } from "./lasting.js";
import { tx } from "./language.js";

/** @param {any} state @param {string} token */
export function shareButton(state, token) {
  if (state.you.role !== "host") return null;
  return toolButton("invite", tx("Invite"), () => open(state, token), { "aria-haspopup": "dialog" });
}

/** @param {any} state @param {string} token */
async function open(state, token) {
  const places = h("div", { class: "codes" }), note = h("div", {});
  const dialog = ask(tx("Invite to this table"), [
    h("p", {}, tx("Each code opens one place at the table. Scan it, or copy its link; whoever has it has that place, until you give the place a new link or end it.")), places, note,
  ], [{ label: tx("Done"), act: () => null }]);
  dialog.classList.add("wide");
  const wanted = [
    ...state.players.map((/** @type {string} */ p) => ({ name: p, role: "seat", player: p, page: "seat" })),
    { name: tx("Camera"), role: "camera", page: "camera" }, { name: tx("Watch"), role: "watch", page: "table" },
  ];
  for (const want of wanted) {
    const made = await call(`/api/tables/${state.table}/tokens`, { token, body: { role: want.role, ...(want.player ? { player: want.player } : {}) } });
    places.append(await place(state, token, want, made));
    fill(note, phoneNote(originFor(made)));
  }
  const lasting = await lastingLink();
  if (lasting) places.append(lasting);
}

/** One place: its code, and what the host may do with its link.
 * @param {any} state @param {string} token @param {{name: string, role: string, player?: string, page: string}} want @param {{token: string | null, address?: string | null}} made
 * @returns {Promise<HTMLElement>}
 */
async function place(state, token, want, made) {
  const figure = h("figure", {});
  const say = (/** @type {string} */ text) => h("p", { class: "small soft", role: "status" }, text);
  const change = (/** @type {"renew" | "revoke"} */ what) => async () => {
    const body = { [what]: want.player ?? want.role, role: want.role };
    try {
      const changed = await call(`/api/tables/${state.table}/links`, { token, body });
      figure.replaceWith(await place(state, token, want, { ...changed, address: made.address }));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
    }
  };
  const renew = h("button", { type: "button", class: "quiet", "aria-label": tx("New link for {name}; the old one ends", { name: want.name }), onclick: change("renew") }, tx("New link"));
  if (made.token === null) {
    figure.append(say(tx("No link opens this place now.")), h("figcaption", {}, h("b", {}, want.name), h("br"), renew));
    return figure;
  }
  const link = `${originFor(made)}/${want.page}/${state.table}#t=${made.token}`;
  const svg = await call("/api/qr", { body: { text: link }, raw: true });
  const image = h("img", { alt: tx("Code for {name}", { name: want.name }), src: URL.createObjectURL(await svg.blob()) });
  const copy = h("button", { type: "button", class: "quiet", onclick: async () => { copy.textContent = (await copied(link)) ? tx("Copied") : tx("Not allowed: scan it"); } }, tx("Copy link"));
  const end = h("button", { type: "button", class: "quiet", "aria-label": tx("End the link for {name}", { name: want.name }), onclick: change("revoke") }, tx("End it"));
  figure.append(image, h("figcaption", {}, h("b", {}, want.name), h("br"), copy, renew, end));
  return figure;
}
