// @ts-check
/** The camera's newest picture, with the reading drawn on it or without. */

import { byId, fill, h } from "./dom.js";

export class Photo {
  /** @param {string} table @param {string} token */
  constructor(table, token) {
    this.table = table;
    this.token = token;
    this.overlay = true;
    this.frame = -1;
    this.busy = false;
    this.image = /** @type {HTMLImageElement} */ (h("img", { alt: "The newest picture of the table" }));
    const button = byId("overlay");
    button.addEventListener("click", () => {
      this.overlay = !this.overlay;
      button.setAttribute("aria-pressed", String(this.overlay));
      this.frame = -1;
      if (this.camera) this.show(this.camera);
    });
  }

  /** @param {any} camera what the state says of the camera */
  show(camera) {
    this.camera = camera;
    byId("photo").hidden = !camera?.size;
    if (!camera?.size) return;
    const place = byId("picture");
    const note = camera.error ? camera.error.message : camera.advice.join(" ");
    byId("camera-note").textContent = note || (camera.settled ? "The view is good." : "Waiting until hands are still…");
    if (camera.frame === this.frame || this.busy) return;
    this.load(camera.frame, place);
  }

  /** @param {number} frame @param {HTMLElement} place */
  async load(frame, place) {
    this.busy = true;
    try {
      const path = `/api/tables/${this.table}/frame.jpg?overlay=${this.overlay ? 1 : 0}`;
      const answer = await fetch(path, { headers: { Authorization: `Bearer ${this.token}` } });
      if (answer.ok) {
        const old = this.image.src;
        this.image.src = URL.createObjectURL(await answer.blob());
        await this.image.decode().catch(() => null);
        if (!place.contains(this.image)) fill(place, this.image);
        if (old) URL.revokeObjectURL(old);
        this.frame = frame;
      }
    } catch { /* the next frame tries again */ }
    this.busy = false;
    if (this.camera && this.camera.frame !== frame) this.show(this.camera);
  }
}
