// @ts-check
/** The camera's newest picture, with the reading drawn on it or without; where it is set up. */

import { byId, fill, h, refresh, toast } from "./dom.js";
import { cameraChoices, changeCamera } from "./add_camera.js";
import { openCorners } from "./corners.js";

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
      if (this.camera) this.load(this.camera.frame, byId("picture"));
    });
    byId("aim").addEventListener("click", async () => {
      try { await openCorners(table, token, this.camera); } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
    });
    byId("change").addEventListener("click", () => changeCamera(table, token));
  }

  /** @param {any} state */
  show(state) {
    const camera = state.camera;
    this.camera = camera;
    const host = state.you.role === "host";
    const pictured = Boolean(camera?.size);
    byId("photo").hidden = !pictured && (!host || state.over);
    byId("photo-tools").hidden = !pictured;
    byId("change").hidden = !host;
    byId("aim").hidden = state.game === "grabscrab" || (state.view.boards ?? []).length > 1;
    const place = byId("picture");
    place.classList.toggle("waiting", !pictured);
    if (!pictured) {
      if (!byId("photo").hidden) refresh(place, "none", () => [h("div", { class: "stack none-yet" }, ...cameraChoices(this.table, this.token))]);
      byId("camera-note").textContent = camera?.error?.message ?? "";
      return;
    }
    const note = camera.error ? camera.error.message : camera.advice.join(" ");
    byId("camera-note").textContent = note || (camera.settled ? "The view is good." : "Waiting until hands are still…");
    if (camera.frame !== this.frame && !this.busy) this.load(camera.frame, place);
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
        if (!place.contains(this.image)) {
          place.removeAttribute("data-key");
          fill(place, this.image);
        }
        if (old) URL.revokeObjectURL(old);
        this.frame = frame;
      }
    } catch { /* the next frame tries again */ }
    this.busy = false;
    if (this.camera?.size && this.camera.frame !== frame) this.load(this.camera.frame, place);
  }
}
