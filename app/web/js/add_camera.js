// @ts-check
/** How a table gets its camera: this device, a phone, or a camera in the house. */

import { call, kept, leadTo } from "./api.js";
import { Import, fileButton, usable } from "./drop.js";
import { ask, fill, h, toast } from "./dom.js";
import { tx } from "./language.js";

/** Where other devices reach the server: as this page did, unless it was opened on the server's own machine. @param {{address?: string | null}} made a fresh token's answer */
export const originFor = (made) => (isLocal() && made.address) || location.origin;

const isLocal = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** The button that leads to the camera's set-up, for a table that nothing looks at. @param {any} state @param {string} token */
export function cameraDoing(state, token) {
  if (state.you.role !== "host" || state.over || state.camera) return [];
  return [{ label: tx("Set up the camera"), kind: "first", always: true, run: () => location.assign(`/setup/${state.table}#t=${token}`) }];
}

/** The choices, for a table that has no picture yet.
 * @param {string} table @param {string} token @param {boolean} loose whether tiles lie without a board @param {() => unknown} watch begins with this device's own camera @returns {HTMLElement[]}
 */
export function cameraChoices(table, token, loose, watch) {
  const by = loose ? tx("Turn a tile, Claim a word.") : tx("tap a square.");
  return [
    h("p", {}, tx("No camera looks at this table yet. Plays can also be typed: {way}", { way: by })),
    choicesOf(table, token, watch),
    h("p", { class: "small soft" }, tx("To play on their own phones, players scan a code: press Invite at the top.")),
  ];
}

/** The ways to a camera as buttons. @param {string} table @param {string} token @param {() => unknown} watch */
export function choicesOf(table, token, watch) {
  return h("div", { class: "choices" },
    choice(tx("This device"), tx("its own or a plugged-in camera"), watch),
    choice(tx("A phone"), tx("scan a code, allow the camera"), () => phone(table, token)),
    choice(tx("A camera in the house"), tx("plugged into the computer with Kibitz, or on the network"), () => house(table, token)),
    choice(tx("Photographs or a film"), tx("of a game that was played; or drop them here"), () => files(table, token)));
}

/** @param {string} title @param {string} text @param {() => unknown} run */
function choice(title, text, run) {
  const act = async () => {
    try { await run(); } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
  };
  return h("button", { type: "button", class: "choice", onclick: act }, h("b", {}, title), h("span", { class: "soft small" }, text));
}

/** @param {string} table @param {string} token */
async function phone(table, token) {
  const made = await call(`/api/tables/${table}/tokens`, { token, body: { role: "camera" } });
  const link = `${originFor(made)}/camera/${table}#t=${made.token}`;
  const svg = await call("/api/qr", { body: { text: link }, raw: true });
  ask(tx("A phone as camera"), [
    h("p", {}, tx("Scan this with the phone, allow the camera, and lay the phone so that the whole game is in the picture.")),
    h("img", { class: "one-code", alt: tx("Code for the camera's page"), src: URL.createObjectURL(await svg.blob()) }),
    phoneNote(link),
  ], [{ label: tx("Done"), act: () => null }]);
}

/** A text whose options of the command line are never broken. @param {string} text */
const whole = (text) => text.split(/(--\w+)/).map((part, i) => (i % 2 ? h("code", { class: "option" }, part) : part));

/** What a phone needs that opens a link: a server that it can reach, over https, whose certificate it trusts. @param {string} link */
export function phoneNote(link) {
  const { protocol, hostname } = new URL(link);
  if (isLocal() && hostname === location.hostname) return h("p", { class: "note warn" }, ...whole(tx("This page was opened on the server's own machine, so its links work only here. Start Kibitz with --home and open the page by the address that is printed.")));
  if (protocol !== "https:") return h("p", { class: "note warn" }, ...whole(tx("Phones give a page their camera only over https: start Kibitz with --home.")));
  return h("p", { class: "small soft" }, tx("The phone warns of this house's own certificate the first time. "), h("a", { href: "/trust", target: "_blank" }, tx("What to do then")));
}

/** @param {string} table @param {string} token */
function house(table, token) {
  const address = /** @type {HTMLInputElement} */ (h("input", { value: "0", autocomplete: "off", spellcheck: "false", maxlength: "400" }));
  const put = (/** @type {string | null} */ source) => call(`/api/tables/${table}/source`, { method: "PUT", token, hostKey: kept("kibitz.key"), body: { source } });
  ask(tx("A camera in the house"), [
    h("label", { class: "field" }, tx("Number or address"), address,
      h("span", { class: "soft" }, tx("0 is the first camera plugged into the computer that runs Kibitz; rtsp:// or http:// a camera on the network."))),
    networkCameras((source) => { address.value = source; }),
  ], [{ label: tx("Disconnect"), act: () => put(null) }, { label: tx("Open it"), act: () => put(address.value.trim()) }]);
}

/** Cameras of the home network that answer a search, and the streams of one of them. @param {(source: string) => void} take */
function networkCameras(take) {
  const token = kept("kibitz.key"), list = h("div", { class: "stack", role: "status" });
  const field = (/** @type {string} */ label, /** @type {Record<string, any>} */ more) => {
    const input = /** @type {HTMLInputElement} */ (h("input", { autocomplete: "off", maxlength: "100", ...more }));
    return { input, element: h("label", { class: "field" }, label, input) };
  };
  const user = field(tx("User name of the camera"), { spellcheck: "false" }), password = field(tx("Password"), { type: "password" });
  /** @param {() => Promise<import("./dom.js").Child[]>} make */
  const fillWith = async (make) => {
    fill(list, h("p", { class: "small soft" }, tx("Looking…")));
    try { fill(list, ...await make()); } catch (error) { fill(list, h("p", { class: "note bad" }, /** @type {Error} */ (error).message)); }
  };
  const pick = (/** @type {string} */ title, /** @type {string} */ more, /** @type {() => void} */ run) => h("button", { type: "button", class: "choice", onclick: run }, h("b", {}, title), h("span", { class: "soft small" }, more));
  const streams = (/** @type {string} */ address) => fillWith(async () => {
    const found = (await call("/api/cameras/streams", { token, body: { address, user: user.input.value, password: password.input.value } })).streams;
    const login = user.input.value ? `${encodeURIComponent(user.input.value)}:${encodeURIComponent(password.input.value)}@` : "";
    return found.map((/** @type {any} */ one) => pick(one.name, `${one.size ? `${one.size.join(" × ")} · ` : ""}${one.source}`, () => take(one.source.replace("://", `://${login}`))));
  });
  const look = () => fillWith(async () => {
    const { cameras } = await call("/api/cameras/found", { token });
    if (!cameras.length) return [h("p", {}, tx("No camera answered. Some have ONVIF switched off: see the camera's settings."))];
    return cameras.map((/** @type {any} */ one) => pick(one.name, one.address, () => streams(one.address)));
  });
  return h("details", {}, h("summary", {}, tx("Look for cameras on the network")), h("div", { class: "stack" }, user.element, password.element,
    h("span", { class: "soft small" }, tx("As set in the camera; ONVIF cameras tell their streams to a user only.")), h("button", { type: "button", onclick: look }, tx("Look for cameras")), list));
}

/** @param {string} table @param {string} token */
function files(table, token) {
  const dialog = ask(tx("Photographs or a film"), [
    h("p", {}, tx("Photographs are read in the order of their names, each as one position; a film is read as if the camera had been here.")),
    fileButton(tx("Choose files"), (chosen) => { dialog.close(); readInto(table, token, chosen); }),
  ], []);
}

/** Read files into a table's game, in a dialog that shows how far it is. @param {string} table @param {string} token @param {File[]} chosen */
export function readInto(table, token, chosen) {
  if (!usable(chosen).length) return toast(tx("Expected photographs (JPEG, PNG, WebP) or a film (MP4, WebM)."), "bad");
  const place = h("div", {});
  const reading = new Import(table, token, place);
  const dialog = ask(tx("The game in your files"), [place], [{ label: tx("Close"), act: () => null }]);
  dialog.classList.add("wide");
  dialog.addEventListener("close", () => { reading.stopped = true; });
  reading.read(chosen);
}

/** For a table that has pictures: another camera. @param {string} table @param {string} token @param {() => unknown} watch */
export function changeCamera(table, token, watch) {
  const setUp = h("a", {}, tx("Set up the camera"));
  leadTo(setUp, `/setup/${table}`, token);
  const dialog = ask(tx("Another camera"), [choicesOf(table, token, () => { dialog.close(); watch(); }),
    h("p", {}, setUp, h("br"), h("span", { class: "soft small" }, tx("The view, who sits where, and tiles of your own.")))], [{ label: tx("Done"), act: () => null }]);
}
