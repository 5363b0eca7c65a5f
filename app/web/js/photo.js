// @ts-check
/** The camera's newest picture, with the reading drawn on it or without; where it is set up. */

import { byId, fill, h, refresh, toast } from "./dom.js";
import { cameraChoices, changeCamera } from "./add_camera.js";
import { keepHere, keptHere } from "./api.js";
import { Finder } from "./finder.js";
import { openCorners } from "./corners.js";
import { openReport } from "./report.js";
import { tx } from "./language.js";

export class Photo {
  /** @param {string} table @param {string} token */
  constructor(table, token) {
    this.table = table;
    this.token = token;
    this.overlay = true;
    this.frame = -1;
    this.busy = false;
    /** @type {Finder | null} this device's own camera, while it watches */
    this.finder = null;
    this.here = h("div", { class: "row here", hidden: true });
    this.image = /** @type {HTMLImageElement} */ (h("img", { alt: tx("The newest picture of the table") }));
    byId("picture").after(this.here);
    byId("overlay").addEventListener("click", () => this.draw(!this.overlay));
    byId("aim").addEventListener("click", async () => {
      try { await openCorners(table, token, this.state); } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
    });
    byId("report").addEventListener("click", () => openReport(table, token));
    byId("change").addEventListener("click", () => changeCamera(table, token, () => this.watch()));
  }

  /** Draw the reading on the picture, or show the picture alone. @param {boolean} on */
  draw(on) {
    this.overlay = on;
    byId("overlay").setAttribute("aria-pressed", String(on));
    this.frame = -1;
    if (this.finder && !on) return this.show(this.state);
    if (this.camera) this.load(this.camera.frame, byId("picture"));
  }

  /** Give the picture its place, in its own shape, before it has come. @param {any} state */
  place(state) {
    const pictured = Boolean(state.camera?.size);
    byId("photo").hidden = !pictured && (state.you.role !== "host" || state.over);
    byId("photo-tools").hidden = !pictured;
    if (!pictured && !byId("photo").hidden && !this.finder) this.offer(state);
    if (pictured) byId("picture").style.setProperty("--shape", state.camera.size.join(" / "));
  }

  /** The ways to a camera, where there is none yet. @param {any} state */
  offer(state) {
    if (byId("photo").hidden) return;
    byId("picture").classList.add("waiting");
    refresh(byId("picture"), "none", () => [h("div", { class: "stack none-yet" }, ...cameraChoices(this.table, this.token, state.facts.loose, () => this.watch()))]);
  }

  /** @param {any} state */
  show(state) {
    const camera = state.camera;
    const first = this.state === undefined;
    this.state = state;
    this.camera = camera;
    const host = state.you.role === "host";
    this.place(state);
    if (first && host && !state.over && keptHere(`kibitz.here.${this.table}`) === "yes") this.watch();
    const pictured = Boolean(camera?.size);
    byId("change").hidden = !host;
    byId("report").hidden = !host || !pictured;
    byId("aim").hidden = state.facts.loose || (state.view.boards ?? []).length > 1;
    const place = byId("picture");
    const live = this.finder !== null && !this.overlay;
    place.classList.toggle("waiting", !pictured || live);
    const note = camera?.error ? camera.error.message : (camera?.advice ?? []).join(" ");
    byId("camera-note").textContent = live ? "" : note || (!pictured ? "" : camera.settled ? tx("The view is good.") : tx("Waiting until hands are still…"));
    if (live && this.finder) {
      refresh(place, "here", () => [/** @type {Finder} */ (this.finder).element]);
    } else if (!pictured) {
      this.offer(state);
    } else if (camera.frame !== this.frame && !this.busy) this.load(camera.frame, place);
  }

  /** This device's own camera becomes the table's. */
  async watch() {
    if (this.finder) return;
    this.finder = new Finder(this.table, this.token, {
      changed: (running) => this.changed(running),
      refused: () => toast(tx("This link may not send pictures. Ask the host for the camera's link."), "bad"),
    });
    this.draw(false);
    await this.finder.start();
  }

  /** @param {boolean} running */
  async changed(running) {
    keepHere(`kibitz.here.${this.table}`, running ? "yes" : "");
    const all = running ? await this.finder?.capture.cameras() ?? [] : [];
    this.here.hidden = !this.finder;
    const pick = h("select", { "aria-label": tx("Which camera"), class: "grow", onchange: (/** @type {Event} */ e) => this.finder?.start(/** @type {HTMLSelectElement} */ (e.target).value) },
      ...all.map((c) => h("option", { value: c.id, selected: c.now }, c.label)));
    fill(this.here, all.length > 1 ? pick : h("span", { class: "soft small grow" }, running ? tx("Keep this page open and in front while it watches.") : ""),
      running ? null : h("button", { type: "button", onclick: () => this.finder?.start() }, tx("Start again")),
      h("button", { type: "button", onclick: () => this.leave() }, running ? tx("Stop") : tx("Another way")));
  }

  /** This device's camera watches no more. */
  leave() {
    const finder = this.finder;
    if (finder?.capture.running) finder.stop();
    this.finder = null;
    this.here.hidden = true;
    byId("picture").removeAttribute("data-key");
    fill(byId("picture"));
    this.draw(true);
    this.show(this.state);
  }

  /** @param {number} frame @param {HTMLElement} place */
  async load(frame, place) {
    this.busy = true;
    try {
      const path = `/api/tables/${this.table}/frame.jpg?overlay=${this.overlay ? 1 : 0}`;
      const answer = await fetch(path, { headers: { Authorization: `Bearer ${this.token}` } });
      if (answer.ok && !(this.finder && !this.overlay)) {
        const old = this.image.src;
        this.image.src = URL.createObjectURL(await answer.blob());
        await this.image.decode().catch(() => null);
        if (!place.contains(this.image)) {
          place.removeAttribute("data-key");
          place.classList.remove("waiting");
          fill(place, this.image);
        }
        if (old) URL.revokeObjectURL(old);
        this.frame = frame;
      }
    } catch { /* the next frame tries again */ }
    this.busy = false;
    const live = this.finder !== null && !this.overlay;
    if (this.camera?.size && !live && this.camera.frame !== frame) this.load(this.camera.frame, place);
  }
}
