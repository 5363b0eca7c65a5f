// @ts-check
/** A stream's overlay laid out by its address: each part where it was asked for, as wide as it was asked. */

import { call } from "./api.js";
import { byId, fill, h, refresh } from "./dom.js";
import { clockOf } from "./clocks.js";
import { tx } from "./language.js";

const PLACES = ["top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right"];
/** Which part of the page is meant by each name; the others are made here. */
const PARTS = /** @type {Record<string, (page: Document) => Element | null>} */ ({
  scores: (page) => page.getElementById("players"),
  play: (page) => page.querySelector(".now"),
  board: (page) => page.getElementById("board"),
  sheet: (page) => page.getElementById("sheet")?.closest(".card") ?? null,
  unseen: (page) => page.getElementById("unseen-card"),
});
const WIDTHS = /** @type {Record<string, number>} */ ({ board: 40, camera: 30, sheet: 25, unseen: 25, clock: 0, scores: 0, play: 0 });
const USUAL = "scores=bottom&play=bottom";

/**
 * What an address asks for.
 * @param {string} search the address's part after `?`
 * @returns {{part: string, place: string, width: number}[]} width in percent of the window; 0: as wide as it needs
 */
export function layoutOf(search) {
  const read = (/** @type {string} */ text) => [...new URLSearchParams(text)].flatMap(([part, value]) => {
    if (!(part in WIDTHS)) return [];
    const [place, width] = value.split(",");
    const wide = Number(width);
    return [{ part, place: PLACES.includes(place) ? place : "bottom", width: width && wide >= 5 && wide <= 100 ? wide : WIDTHS[part] }];
  });
  const asked = read(search);
  return asked.length ? asked : read(USUAL);
}

export class Overlay {
  /** @param {string} table @param {string} token */
  constructor(table, token) {
    this.table = table;
    this.token = token;
    this.frame = -1;
    const layout = layoutOf(location.search);
    this.camera = h("div", { class: "overlay-camera", hidden: true });
    this.clocks = h("div", { class: "overlay-clocks" });
    const own = /** @type {Record<string, HTMLElement>} */ ({ camera: this.camera, clock: this.clocks });
    /** @type {Map<string, HTMLElement>} */
    const zones = new Map();
    for (const { part, place, width } of layout) {
      const zone = zones.get(place) ?? h("div", { class: `zone ${place.split("-").map((x) => `at-${x}`).join(" ")}` });
      zones.set(place, zone);
      const element = own[part] ?? PARTS[part]?.(document);
      if (!element) continue;
      const box = h("div", { class: `part part-${part}` }, element);
      if (width) box.style.width = `${width}vw`;
      zone.append(box);
    }
    fill(byId("main"), ...[...byId("main").children].map((child) => { child.classList.add("unasked"); return child; }), ...zones.values());
    this.wanted = layout.map((one) => one.part);
    if (this.wanted.includes("clock")) document.documentElement.classList.add("own-clocks");
    const theme = new URLSearchParams(location.search).get("theme");
    if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
    const size = Number(new URLSearchParams(location.search).get("size"));
    if (size >= 50 && size <= 400) document.documentElement.style.fontSize = `${size}%`;
  }

  /** @param {any} state @param {() => any} now the newest state */
  update(state, now) {
    if (this.wanted.includes("clock")) {
      refresh(this.clocks, [state.view.clocks, state.view.running, state.paused, state.players], () => state.players.map((/** @type {string} */ player) =>
        h("div", { class: "overlay-clock" }, h("span", {}, player), clockOf(now, player))));
    }
    if (this.wanted.includes("camera") && state.camera && state.camera.frame !== this.frame) this.look(state.camera.frame);
  }

  /** The board as the camera sees it, straightened. @param {number} frame */
  async look(frame) {
    this.frame = frame;
    const answer = await call(`/api/tables/${this.table}/board.jpg`, { token: this.token, raw: true }).catch(() => null);
    if (!answer) return;
    const image = /** @type {HTMLImageElement} */ (h("img", { alt: tx("The board as the camera sees it"), src: URL.createObjectURL(await answer.blob()) }));
    await image.decode().catch(() => null);
    URL.revokeObjectURL(image.src);
    fill(this.camera, image);
    this.camera.hidden = false;
  }
}
