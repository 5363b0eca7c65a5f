// @ts-check
/** One setting of a game as a field that explains itself. */

import { h } from "./dom.js";
import { tx } from "./language.js";

/** @typedef {{name: string, default: any, usual: any, sentence: string, choices: any[] | null, rule: string, minimum: number | null, maximum: number | null}} Setting */

/** @param {Setting} setting @param {(value: any) => void} change @returns {HTMLElement} */
export function settingField(setting, change) {
  const told = h("span", {}, setting.sentence);
  const value = setting.usual ?? setting.default;
  if (typeof value === "boolean") {
    const box = h("input", { type: "checkbox", checked: value, onchange: (/** @type {Event} */ e) => change(/** @type {HTMLInputElement} */ (e.target).checked) });
    return h("label", { class: "tick" }, box, told);
  }
  if (setting.choices) {
    const choices = setting.choices;
    const select = h("select", { onchange: (/** @type {Event} */ e) => change(choices[/** @type {HTMLSelectElement} */ (e.target).selectedIndex]) },
      ...choices.map((c) => h("option", { selected: c === value }, name(c))));
    return h("label", { class: "field" }, told, select);
  }
  if (typeof value === "number") {
    const input = h("input", { type: "number", inputmode: "numeric", value, min: setting.minimum, max: setting.maximum,
      onchange: (/** @type {Event} */ e) => change(Number(/** @type {HTMLInputElement} */ (e.target).value)) });
    return h("label", { class: "field" }, told, input);
  }
  const list = Array.isArray(value);
  const input = h("input", { value: list ? value.join(" ") : typeof value === "string" ? value : "", autocomplete: "off", spellcheck: "false",
    placeholder: list ? tx("words, with a space between") : "",
    onchange: (/** @type {Event} */ e) => {
      const text = /** @type {HTMLInputElement} */ (e.target).value.trim();
      change(list ? text.split(/[\s,]+/).filter(Boolean) : text);
    } });
  return h("label", { class: "field" }, told, input);
}

/** @param {any} choice */
function name(choice) {
  if (choice === true) return tx("yes");
  if (choice === false) return tx("no");
  return String(choice).replaceAll("_", " ");
}
