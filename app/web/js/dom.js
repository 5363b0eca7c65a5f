// @ts-check
/** Small helpers to build pages out of elements. */

import { tx } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with attributes, listeners (`onclick`) and children.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  set(element, attributes);
  element.append(...flat(children));
  return element;
}

/**
 * The same for SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  set(element, attributes);
  element.append(...flat(children));
  return element;
}

/** @param {Element} element @param {Record<string, any>} attributes */
function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") /** @type {any} */ (element).value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function flat(children) {
  /** @type {(Node | string)[]} */
  const out = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    out.push(child instanceof Node ? child : String(child));
  }
  return out;
}

/** Replace what an element holds. @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
}

/** The element with an id; a page without it is broken. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Show only when something changed, so that what people are reading does not flicker.
 * @param {Element} element @param {unknown} key @param {() => (Child | Child[])[]} build
 */
export function refresh(element, key, build) {
  const text = JSON.stringify(key);
  if (element.getAttribute("data-key") === text) return false;
  element.setAttribute("data-key", text);
  fill(element, ...build());
  return true;
}

/** A passing message at the foot of the page, maybe with a button.
 * @param {string} text @param {"good" | "bad" | ""} [kind] @param {{label: string, act: () => unknown}} [button]
 */
export function toast(text, kind = "", button = undefined) {
  let place = document.querySelector(".toast");
  if (!place) {
    place = h("div", { class: "toast", role: "status", "aria-live": "polite" });
    document.body.append(place);
  }
  const note = h("div", { class: `note ${kind}` }, h("span", {}, text),
    button ? h("button", { type: "button", onclick: () => { note.remove(); button.act(); } }, button.label) : null);
  fill(place, note);
  setTimeout(() => note.remove(), button ? 15_000 : kind === "bad" ? 9000 : 5000);
}

/** What was told holds no more, and neither does its button. */
export const closeToast = () => document.querySelector(".toast")?.replaceChildren();

/**
 * A dialog that asks for something.
 * @param {string} title
 * @param {Child[]} body
 * @param {{label: string, kind?: string, act: () => (Promise<unknown> | unknown)}[]} choices
 * @returns {HTMLDialogElement}
 */
export function ask(title, body, choices) {
  const error = h("p", { class: "note bad", role: "alert", hidden: true });
  const dialog = /** @type {HTMLDialogElement} */ (
    h("dialog", { "aria-labelledby": "ask-title" }, h("h2", { id: "ask-title" }, title))
  );
  const form = h("form", { method: "dialog", class: "stack" }, ...body, error);
  const buttons = h("div", { class: "row end" });
  const only = choices.length === 1 && [tx("Done"), tx("Close")].includes(choices[0].label);
  if (!only) buttons.append(h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, tx("Cancel")));
  choices.forEach((choice, i) => {
    const last = i === choices.length - 1;
    const button = /** @type {HTMLButtonElement} */ (
      h("button", { type: last ? "submit" : "button", class: choice.kind ?? (last ? "first" : "") }, choice.label)
    );
    const act = async (/** @type {Event} */ event) => {
      event.preventDefault();
      error.hidden = true;
      button.disabled = true;
      try {
        await choice.act();
        dialog.close();
      } catch (problem) {
        fill(error, problem instanceof Error ? problem.message : String(problem));
        error.hidden = false;
      }
      button.disabled = false;
    };
    if (last) form.addEventListener("submit", act);
    else button.addEventListener("click", act);
    buttons.append(button);
  });
  form.append(buttons);
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
