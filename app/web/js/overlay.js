// @ts-check
/** A stream's overlay laid out by its address: each part where it was asked for, as wide as it was asked. */

import { call } from "./api.js";
import { byId, fill, h, refresh } from "./dom.js";
import { clockOf } from "./clocks.js";
import { FOLLOWS } from "./lasting.js";
import { lay } from "./layout_parts.js";
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
/** Parts whose shape is given, and how small and large the type of the others becomes. */
const SHAPED = ["board", "camera"], SIZES = [0.3, 4];
const LOOK_MS = 2000;

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

/** As large as its part allows: what has no fixed shape is set in larger or smaller type. @param {HTMLElement} box */
function fitInto(box) {
  const inner = /** @type {HTMLElement | null} */ (box.firstElementChild);
  const part = box.dataset.part ?? "", { clientWidth: width, clientHeight: height } = box;
  if (!inner || !width || !height) return;
  box.style.setProperty("--room", `${height}px`);
  if (SHAPED.includes(part)) {
    const side = Math.min(width, height);
    inner.style.width = `${side}px`;
    const high = inner.offsetHeight;
    if (high > height) inner.style.width = `${side - (high - height)}px`;
    return;
  }
  let [low, high] = SIZES;
  for (let i = 0; i < 7; i++) {
    const size = (low + high) / 2;
    inner.style.setProperty("zoom", String(size));
    inner.style.width = `${width / size}px`;
    const fits = inner.scrollHeight * size <= height && inner.scrollWidth * size <= width + 1;
    [low, high] = fits ? [size, high] : [low, size];
  }
  inner.style.setProperty("zoom", String(low));
  inner.style.width = `${width / low}px`;
}

export class Overlay {
  /** @param {string} table @param {string} token */
  constructor(table, token) {
    this.table = table;
    this.token = token;
    this.frame = -1;
    this.camera = h("div", { class: "overlay-camera", hidden: true });
    this.clocks = h("div", { class: "overlay-clocks" });
    /** @type {Record<string, Element | null>} */
    this.elements = { camera: this.camera, clock: this.clocks };
    for (const [part, find] of Object.entries(PARTS)) this.elements[part] = find(document);
    this.columns = [...byId("main").children];
    for (const column of this.columns) column.classList.add("unasked");
    /** What is not shown now. */
    this.rest = h("div", { class: "unasked" });
    /** @type {HTMLElement[][]} */
    this.zones = [];
    /** @type {HTMLElement[]} */
    this.placed = [];
    this.watch = new ResizeObserver(() => requestAnimationFrame(() => this.arrange()));
    this.layOut(layoutOf(location.search));
    const asked = new URLSearchParams(location.search);
    if (![...asked.keys()].some((part) => part in WIDTHS)) this.follow();
    const theme = asked.get("theme");
    if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
    const size = Number(asked.get("size"));
    if (size >= 50 && size <= 400) document.documentElement.style.fontSize = `${size}%`;
  }

  /** Each part in a zone of the window, as an address says. @param {ReturnType<typeof layoutOf>} layout */
  layOut(layout) {
    this.zones = ROWS.map((row) => row.map((place) => h("div", { class: `zone ${place.split("-").map((x) => `at-${x}`).join(" ")}` })));
    const zones = new Map(PLACES.map((place, i) => [place, this.zones.flat()[i]]));
    this.placed = [];
    for (const { part, place, width } of layout) {
      const box = h("div", { class: `part part-${part}` }, this.elements[part]);
      if (width) box.style.width = `calc(${width}vw * var(--fit, 1))`;
      zones.get(place)?.append(box);
    }
    this.show(layout.map((one) => one.part), [...zones.values()]);
  }

  /** Each part where it was dragged to, as large as it was made. @param {import("./layout_parts.js").Layout} layout */
  place(layout) {
    this.zones = [];
    this.placed = Object.entries(layout).map(([part, place]) => {
      const box = h("div", { class: `part part-${part} placed`, "data-part": part }, this.elements[part]);
      lay(box, place);
      return box;
    });
    this.show(Object.keys(layout), this.placed);
  }

  /** @param {string[]} wanted @param {HTMLElement[]} boxes that hold them */
  show(wanted, boxes) {
    this.wanted = wanted;
    for (const [part, element] of Object.entries(this.elements)) if (element && !wanted.includes(part)) this.rest.append(element);
    fill(byId("main"), ...this.columns, this.rest, ...boxes);
    document.documentElement.classList.toggle("own-clocks", wanted.includes("clock"));
    this.watch.disconnect();
    [document.documentElement, ...byId("main").querySelectorAll(".part")].forEach((one) => this.watch.observe(one));
  }

  /** The layout that the host made for it, as soon as it is another one. */
  async follow() {
    const path = FOLLOWS ? "/api/air" : `/api/tables/${this.table}/layout`;
    const answer = await call(path, { token: this.token }).catch(() => null);
    const key = JSON.stringify(answer?.layout ?? null);
    if (answer && key !== (this.key ?? "null")) {
      this.key = key;
      if (answer.layout) this.place(answer.layout);
      else this.layOut(layoutOf(""));
      this.again?.();
    }
    setTimeout(() => this.follow(), LOOK_MS);
  }

  /** No part lies over another: where there is too little room, boards, pictures and sheets become smaller. */
  arrange() {
    for (const box of this.placed) fitInto(box);
    if (!this.zones.length) return;
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
    this.again = () => this.update(state, now);
    if (this.placed.length) requestAnimationFrame(() => this.arrange());
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
