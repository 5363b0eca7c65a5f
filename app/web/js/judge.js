// @ts-check
/** Calling for a judge, where somebody looks after several tables. */

import { ask, h, toast } from "./dom.js";
import { call, tokenOfPage } from "./api.js";
import { tx } from "./language.js";

/** @param {any} state @returns {import("./doings.js").Doing} */
export function judgeDoing(state) {
  return { label: tx("Call a judge"), kind: "quiet", run: () => open(state) };
}

/** @param {any} state */
function open(state) {
  const why = /** @type {HTMLInputElement} */ (h("input", { maxlength: "200", autocomplete: "off", placeholder: tx("Is this word good?") }));
  const page = state.you.role === "seat" ? "seat" : "table";
  ask(tx("Call a judge"), [h("p", {}, tx("Whoever looks after the tables sees it at once.")), h("label", { class: "field" }, tx("What it is about"), why)], [
    { label: tx("Call"), kind: "first", act: async () => {
      await call(`/api/tables/${state.table}/judge`, { token: tokenOfPage(page, state.table), body: { why: why.value } });
      toast(tx("A judge is called."), "good");
    } },
  ]);
}
