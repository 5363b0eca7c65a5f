// @ts-check
/** A stream's overlay laid out by its address: each part where it was asked for, as wide as it was asked. */

import { call } from "./api.js";
import { byId, fill, h, refresh } from "./dom.js";
import { clockOf } from "./clocks.js";
import { tx } from "./language.js";

/** Places in rows from the top, each from the left. */
const ROWS = [["top-left", "top", "top-right"], ["left", "middle", "right"], ["bottom-left", "bottom", "bottom-right"]];
const PLACES = ROWS.flat();
/** Which part of the page is meant by each name; the others are made here. */
const PARTS = /** @type {Record<string, (page: Document) => Element | null>} */ ({
  scores: (page) => page.getElementById("players"),
  play: (page) => page.querySelector(".now"),
  board: (page) => page.getElementById("board"),
  sheet: (page) => page.getElementById("sheet")?.closest(".card") ?? null,
  unseen: (page) => page.getElementById("unseen-card"),
});
const WIDTHS = /** @type {Record<string, number>} */ ({ board: 40, camera: 30, sheet: 25, unseen: 25, clock: 0, scores: 0, play: 0 });
/** Between parts, and around them. */
const GAP_PX = 16;
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

/** How high each part of a zone may be beside the others there. @param {HTMLElement} zone @param {number} room */
function setRoom(zone, room) {
  const parts = /** @type {HTMLElement[]} */ ([...zone.children]);
  const all = parts.reduce((sum, part) => sum + part.offsetHeight, (parts.length + 1) * GAP_PX);
  for (const part of parts) part.style.setProperty("--room", `${room - all + part.offsetHeight}px`);
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
    this.zones = ROWS.map((row) => row.map((place) => h("div", { class: `zone ${place.split("-").map((x) => `at-${x}`).join(" ")}` })));
    const zones = new Map(PLACES.map((place, i) => [place, this.zones.flat()[i]]));
    const own = /** @type {Record<string, HTMLElement>} */ ({ camera: this.camera, clock: this.clocks });
    for (const { part, place, width } of layout) {
      const element = own[part] ?? PARTS[part]?.(document);
      if (!element) continue;
      const box = h("div", { class: `part part-${part}` }, element);
      if (width) box.style.width = `calc(${width}vw * var(--fit, 1))`;
      zones.get(place)?.append(box);
    }
    fill(byId("main"), ...[...byId("main").children].map((child) => { child.classList.add("unasked"); return child; }), ...zones.values());
    const watch = new ResizeObserver(() => requestAnimationFrame(() => this.arrange()));
    [document.documentElement, ...byId("main").querySelectorAll(".part")].forEach((one) => watch.observe(one));
    this.wanted = layout.map((one) => one.part);
    if (this.wanted.includes("clock")) document.documentElement.classList.add("own-clocks");
    const theme = new URLSearchParams(location.search).get("theme");
    if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
    const size = Number(new URLSearchParams(location.search).get("size"));
    if (size >= 50 && size <= 400) document.documentElement.style.fontSize = `${size}%`;
  }

  /** No part lies over another: where there is too little room, boards, pictures and sheets become smaller. */
  arrange() {
    const box = (/** @type {HTMLElement} */ zone) => zone.getBoundingClientRect();
    const [top, middle, bottom] = this.zones.map((row) => row.filter((zone) => zone.childElementCount));
    for (const row of this.zones) {
      row.forEach((zone) => zone.style.setProperty("--fit", "1"));
      const [left, centre, right] = row.map((zone) => (zone.childElementCount ? zone.scrollWidth : 0));
      const fit = innerWidth / (centre ? centre + 2 * Math.max(left, right) : left + right);
      row.forEach((zone) => zone.style.setProperty("--fit", String(Math.min(1, fit))));
    }
    /** Those of a row that a zone would meet if it were high enough. @param {HTMLElement} zone @param {HTMLElement[]} row */
    const met = (zone, row) => row.map(box).filter((other) => other.left < box(zone).right && box(zone).left < other.right);
    for (const zone of top) setRoom(zone, innerHeight - Math.max(0, ...met(zone, bottom).map((other) => other.height)));
    for (const zone of bottom) setRoom(zone, innerHeight - Math.max(0, ...met(zone, top).map((other) => other.height)));
    for (const zone of middle) {
      const high = Math.max(0, ...met(zone, top).map((other) => other.bottom)), low = Math.min(innerHeight, ...met(zone, bottom).map((other) => other.top));
      [zone.style.top, zone.style.bottom] = [`${high}px`, `${innerHeight - low}px`];
      setRoom(zone, low - high);
    }
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
