// @ts-check
/** Takes pictures with this device's camera and sends them: never more than one that is not yet read. */

import { tx } from "./language.js";

const EVERY_MS = 250;
const LONGER_SIDE = 1600;
const JPEG_QUALITY = 0.85;
/** A picture that is not answered for so long went into a line that is dead. */
const DEAF_MS = 15000;

/** What went wrong when a camera was asked for. @param {string} name */
export function whyNot(name) {
  if (name === "NotAllowedError") return tx("The browser was not allowed to use the camera. Allow it beside the address, then start again.");
  if (name === "NotFoundError" || name === "OverconstrainedError") return tx("There is no camera here. A photograph can be sent instead.");
  if (name === "NotReadableError") return tx("Another program is using the camera. Close it and start again.");
  return tx("The camera could not be started.");
}

/**
 * @typedef {object} Told what a capture tells the page it runs in
 * @property {(message: any) => void} heard the server's answer to a picture
 * @property {(text: string) => void} link how the line is
 * @property {() => void} refused the token is no camera's any more
 * @property {() => void} lost the camera was taken away
 */

export class Capture {
  /** @param {string} table @param {string} token @param {HTMLVideoElement} video @param {Told} told */
  constructor(table, token, video, told) {
    this.table = table;
    this.token = token;
    this.video = video;
    this.told = told;
    this.canvas = document.createElement("canvas");
    /** @type {MediaStream | null} */
    this.stream = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.waiting = 0;
    this.sent = 0;
    this.sentAt = 0;
    this.pause = 500;
    /** @type {any} */
    this.lock = null;
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("online", () => this.again()); // another network: the old line leads nowhere
  }

  get running() {
    return this.stream !== null;
  }

  /** @param {string} [device] one camera of several; throws what getUserMedia throws */
  async start(device) {
    this.release();
    const size = { width: { ideal: 1920 }, height: { ideal: 1440 } };
    this.stream = await navigator.mediaDevices.getUserMedia({
      audio: false, video: device ? { deviceId: { exact: device }, ...size } : { facingMode: { ideal: "environment" }, ...size },
    });
    this.stream.getVideoTracks()[0]?.addEventListener("ended", () => { this.release(); this.told.lost(); });
    this.video.srcObject = this.stream;
    await this.video.play();
    this.wake();
    if (!this.socket) this.connect();
  }

  stop() {
    this.release();
    this.video.srcObject = null;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lock?.release?.();
  }

  release() {
    this.stream?.getTracks().forEach((track) => track.stop());
    this.stream = null;
  }

  /** @returns {Promise<{id: string, label: string, now: boolean}[]>} */
  async cameras() {
    const all = (await navigator.mediaDevices.enumerateDevices()).filter((d) => d.kind === "videoinput");
    const now = this.stream?.getVideoTracks()[0]?.getSettings().deviceId;
    return all.map((d, i) => ({ id: d.deviceId, label: d.label || tx("Camera {number}", { number: i + 1 }), now: d.deviceId === now }));
  }

  /** Whether this camera has a lamp that a page may switch. */
  get hasTorch() {
    return Boolean(/** @type {any} */ (this.stream?.getVideoTracks()[0]?.getCapabilities?.() ?? {}).torch);
  }

  /** @param {boolean} on */
  async torch(on) {
    await this.stream?.getVideoTracks()[0]?.applyConstraints(/** @type {any} */ ({ advanced: [{ torch: on }] }));
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const here = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/camera?token=${encodeURIComponent(this.token)}`);
    this.socket = here;
    here.onopen = () => { this.waiting = 0; this.pause = 500; this.told.link(tx("Connected")); this.tick(here); };
    here.onmessage = (event) => { this.waiting = Math.max(0, this.waiting - 1); this.told.heard(JSON.parse(event.data)); };
    here.onclose = (event) => {
      if (this.socket !== here) return;
      if (event.code === 4401) { this.stop(); return this.told.refused(); }
      this.told.link(tx("Reconnecting…"));
      setTimeout(() => { if (this.socket === here) this.connect(); }, this.pause);
      this.pause = Math.min(8000, this.pause * 1.7);
    };
  }

  /** Give the line up and take a new one at once. */
  again() {
    const old = this.socket;
    if (!old) return;
    this.pause = 500;
    this.connect();
    old.close();
    this.told.link(tx("Reconnecting…"));
  }

  /** Send a picture now and then. @param {WebSocket} here */
  async tick(here) {
    if (this.socket !== here || here.readyState !== WebSocket.OPEN) return;
    if (this.waiting && Date.now() - this.sentAt > DEAF_MS) return this.again();
    if (this.stream && this.video.videoWidth && this.waiting < 1) {
      const blob = await this.grab();
      if (blob && here.readyState === WebSocket.OPEN) {
        this.waiting += 1;
        this.sent += 1;
        this.sentAt = Date.now();
        here.send(blob);
      }
    }
    setTimeout(() => this.tick(here), EVERY_MS);
  }

  /** @returns {Promise<Blob | null>} */
  grab() {
    const { canvas, video } = this;
    const scale = Math.min(1, LONGER_SIDE / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", JPEG_QUALITY));
  }

  /** Keep the screen on, and take the camera again where a sleeping phone has lost it. */
  async wake() {
    if (document.visibilityState !== "visible" || !this.stream) return;
    if (this.stream.getVideoTracks()[0]?.readyState === "ended") { this.release(); return this.told.lost(); }
    this.video.play().catch(() => null);
    if ("wakeLock" in navigator) this.lock = await /** @type {any} */ (navigator).wakeLock.request("screen").catch(() => null);
  }
}
