// @ts-check
/** Calling for a judge, where somebody looks after several tables. */

import { ask, h, toast } from "./dom.js";
import { call, tokenOfPage } from "./api.js";

/** @param {any} state @returns {import("./doings.js").Doing} */
export function judgeDoing(state) {
  return { label: "Call a judge", kind: "quiet", run: () => open(state) };
}

/** @param {any} state */
function open(state) {
  const why = /** @type {HTMLInputElement} */ (h("input", { maxlength: "200", autocomplete: "off", placeholder: "Is this word good?" }));
  const page = state.you.role === "seat" ? "seat" : "table";
  ask("Call a judge", [h("p", {}, "Whoever looks after the tables sees it at once."), h("label", { class: "field" }, "What it is about", why)], [
    { label: "Call", kind: "first", act: async () => {
      await call(`/api/tables/${state.table}/judge`, { token: tokenOfPage(page, state.table), body: { why: why.value } });
      toast("A judge is called.", "good");
    } },
  ]);
}
