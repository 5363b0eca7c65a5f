// @ts-check
/** What this device's camera sees, with the board that was found drawn on it and a word of advice. */

import { Capture, whyNot } from "./capture.js";
import { fill, h, s } from "./dom.js";
import { projection } from "./corners.js";
import { seesNothing } from "./view_checks.js";
import { tx } from "./language.js";

/** Between two tries to have the camera back. */
const AGAIN_MS = 3000;

/**
 * @typedef {object} Around what the page around it does
 * @property {(running: boolean) => void} changed the camera was started or stopped
 * @property {() => void} refused the token is no camera's any more
 * @property {(message: any) => void} [heard]
 * @property {(text: string) => void} [link]
 */

export class Finder {
  /** @param {string} table @param {string} token @param {Around} around */
  constructor(table, token, around) {
    this.around = around;
    this.video = /** @type {HTMLVideoElement} */ (h("video", { playsinline: true, muted: true, "aria-label": tx("What the camera sees now") }));
    this.video.muted = true;
    this.outline = s("svg", { class: "outline", "aria-hidden": "true" });
    this.verdict = h("p", { class: "verdict", role: "status", "aria-live": "polite" });
    this.view = h("div", { class: "view" }, this.video, /** @type {any} */ (this.outline));
    this.element = h("div", { class: "finder" }, this.view, this.verdict);
    this.moved = 0;
    this.wanted = false;
    /** @type {string | undefined} */
    this.device = undefined;
    /** @type {boolean | null} whether the picture stands upright; null: none came yet */
    this.upright = null;
    this.turned = false;
    this.video.addEventListener("resize", () => this.shape());
    this.video.addEventListener("loadedmetadata", () => this.shape());
    this.capture = new Capture(table, token, this.video, {
      heard: (message) => this.heard(message),
      link: (text) => around.link?.(text),
      refused: () => around.refused(),
      lost: () => { around.changed(false); this.regain(); },
    });
  }

  /** A call or another app took the camera: take it back as soon as this page is in front. */
  async regain() {
    this.say(tx("Another app took the camera. Waiting for it…"), "bad");
    while (this.wanted && !this.capture.running) {
      await new Promise((done) => setTimeout(done, AGAIN_MS));
      if (this.wanted && !this.capture.running && !document.hidden && await this.start(this.device)) return;
    }
  }

  /** @param {string} [device] @returns {Promise<boolean>} whether it runs */
  async start(device) {
    this.wanted = true;
    this.device = device;
    if (!navigator.mediaDevices) {
      this.say(tx("Browsers give a page the camera only over https. Start Kibitz with --home, or send photographs."), "bad");
      return false;
    }
    try {
      await this.capture.start(device);
    } catch (error) {
      this.say(whyNot(/** @type {DOMException} */ (error).name), "bad");
      this.around.changed(false);
      return false;
    }
    this.say(tx("Looking…"), "");
    this.around.changed(true);
    return true;
  }

  stop() {
    this.wanted = false;
    this.capture.stop();
    fill(this.outline);
    this.say(tx("The camera is off."), "");
    this.around.changed(false);
  }

  /** The place takes the picture's own shape, upright on a phone. */
  shape() {
    const { videoWidth: w, videoHeight: v } = this.video;
    if (!w || !v) return;
    if (this.upright !== null && this.upright !== v > w) {
      this.turned = true;
      this.say(tx("The phone was turned. Looking again…"), "bad");
    }
    this.upright = v > w;
    this.view.style.setProperty("aspect-ratio", `${w} / ${v}`);
    this.outline.setAttribute("viewBox", `0 0 ${w} ${v}`);
  }

  /** @param {any} message the server's answer to a picture */
  heard(message) {
    const advice = message.advice ?? [];
    this.moved = message.settled ? 0 : this.moved + 1;
    if (message.settled) this.turned = false;
    if (!this.capture.running) return this.around.heard?.(message); // what was sent before it was taken away
    if (this.turned) this.say(tx("The phone was turned. Looking again…"), "bad");
    else if (this.upright && (message.health?.faults ?? []).includes("too_far")) this.say(tx("Lay the phone on its side: everything is then larger in the picture."), "bad");
    else if (advice.length) this.say(advice[0], message.error ? "bad" : "");
    else if (message.error) this.say(message.error.message, "bad");
    else if (message.settled && seesNothing(message.health)) this.say(tx("No tiles are seen yet."), "");
    else if (message.settled) this.say(tx("The view is good."), "good");
    else this.say(this.moved > 8 ? tx("Something moves: hold the camera still.") : tx("Reading…"), "");
    this.draw(message.corners ?? [], !message.settled);
    this.around.heard?.(message);
  }

  /** @param {number[][][]} boards corners as parts of the picture @param {boolean} faint what was found before something moved */
  draw(boards, faint) {
    const { videoWidth: w, videoHeight: v } = this.video;
    if (!w) return;
    this.outline.setAttribute("class", `outline${faint ? " faint" : ""}`);
    fill(this.outline, boards.flatMap((corners) => {
      const points = corners.map(([x, y]) => [x * w, y * v]);
      const map = projection(points);
      const d = `M${points.map((p) => p.join(" ")).join("L")}Z`;
      const [x, y] = map(0.5 / 15, 0.5 / 15).split(" ");
      return [s("path", { class: "under", d }), s("path", { d }), s("circle", { class: "first-square", cx: x, cy: y, r: Math.max(w, v) / 110 })];
    }));
  }

  /** @param {string} text @param {"" | "good" | "bad"} kind */
  say(text, kind) {
    if (this.verdict.textContent !== text) this.verdict.textContent = text;
    this.verdict.className = `verdict ${kind}`;
  }
}
