// @ts-check
/** The calls of the server, drawn from its own openapi.json without any help from the network. */

import { byId, fill, h } from "./dom.js";
import { useTheme } from "./chrome.js";

useTheme();
start();

async function start() {
  const api = await (await fetch("/openapi.json")).json();
  /** @type {Record<string, [string, string, any][]>} */
  const groups = {};
  for (const [path, calls] of Object.entries(api.paths)) {
    for (const [method, facts] of Object.entries(/** @type {any} */ (calls))) {
      const group = /** @type {any} */ (facts).tags?.[0] ?? "other";
      (groups[group] ??= []).push([method, path, facts]);
    }
  }
  fill(byId("main"), h("h1", {}, `${api.info.title} ${api.info.version}`), ...api.info.description.trim().split("\n\n").map((/** @type {string} */ p) => h("p", {}, ...withCode(p))),
    ...Object.entries(groups).flatMap(([name, calls]) => [h("h2", {}, name), ...calls.map(([method, path, facts]) => one(api, method, path, facts))]),
    h("h2", {}, "sockets"),
    socket("/api/tables/{table_id}/live?token=", "Any token: the first message is the whole table; then every change, the camera's health, and a beat."),
    socket("/api/tables/{table_id}/camera?token=", "The camera's token: send JPEG frames as binary messages, get health and advice for each one read."));
}

/** What stands between backticks is code. @param {string} text */
function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}

/** @param {string} path @param {string} text */
function socket(path, text) {
  return h("div", { class: "card call" }, h("p", {}, h("span", { class: "method" }, "WS "), h("code", {}, path)), h("p", { class: "soft" }, text));
}

/** @param {any} api @param {string} method @param {string} path @param {any} facts */
function one(api, method, path, facts) {
  const body = Object.entries(facts.requestBody?.content ?? {});
  return h("details", { class: "card call" },
    h("summary", {}, h("span", { class: "method" }, method.toUpperCase()), h("code", {}, path), h("p", {}, ...withCode(facts.description ?? facts.summary ?? ""))),
    facts.security ? h("p", { class: "small soft" }, "Needs a token: ", h("code", {}, "Authorization: Bearer TOKEN")) : null,
    (facts.parameters ?? []).length ? h("table", {}, h("tbody", {}, ...facts.parameters.map((/** @type {any} */ p) =>
      h("tr", {}, h("th", {}, p.name), h("td", {}, p.in), h("td", {}, ...withCode(p.description ?? "")), h("td", {}, p.example === undefined ? "" : h("code", {}, String(p.example))))))) : null,
    ...body.map(([kind, content]) => h("div", {}, h("p", { class: "small soft" }, `Body: ${kind}`), fields(api, resolve(api, /** @type {any} */ (content).schema)), ...examples(api, content))),
    ...Object.entries(facts.responses).filter(([status]) => status.startsWith("2")).flatMap(([, answer]) => Object.entries(/** @type {any} */ (answer).content ?? {}).map(([kind, content]) =>
      h("div", {}, h("p", { class: "small soft" }, `Answer: ${kind}`), ...examples(api, content)))),
    h("table", {}, h("tbody", {}, ...Object.entries(facts.responses).map(([status, answer]) =>
      h("tr", {}, h("th", { class: "num" }, status), h("td", {}, /** @type {any} */ (answer).description))))));
}

/** @param {any} api @param {any} schema */
function resolve(api, schema) {
  const name = schema?.$ref?.split("/").pop();
  return name ? api.components.schemas[name] : schema;
}

/** What is sent or answered, to be copied. @param {any} api @param {any} content */
function examples(api, content) {
  const named = Object.entries(content.examples ?? {}).map(([name, x]) => [name, /** @type {any} */ (x).value]);
  const shapes = named.length ? [] : (resolve(api, content.schema)?.examples ?? []);
  const all = [...named, ...(content.example === undefined ? shapes : [content.example]).map((/** @type {any} */ x) => ["", x])];
  return all.map(([name, x]) => h("div", {}, name ? h("p", { class: "small" }, name) : null,
    h("pre", { tabindex: "0" }, typeof x === "string" ? x : JSON.stringify(x, null, 1))));
}

/** @param {any} api @param {any} schema */
function fields(api, schema) {
  if (!schema?.properties) return h("p", { class: "small" }, schema?.format ?? schema?.type ?? "");
  return h("div", {}, h("table", {}, h("tbody", {}, ...Object.entries(schema.properties).map(([name, facts]) => {
    const p = /** @type {any} */ (facts);
    return h("tr", {}, h("th", {}, name), h("td", {}, p.type ?? (p.anyOf ?? []).map((/** @type {any} */ x) => resolve(api, x)?.type ?? "").join(" or ")), h("td", {}, p.description ?? (schema.required?.includes(name) ? "needed" : "")));
  }))));
}
