// @ts-check
/** A phone or laptop as the table's camera: frames out, advice on light, sharpness and framing in. */

import { byId, fill, h } from "./dom.js";
import { closed, useTheme } from "./chrome.js";
import { tableOfPage, tokenOfPage } from "./api.js";

const EVERY_MS = 250;
const LONGER_SIDE = 1600;

useTheme();
const table = tableOfPage();
const token = tokenOfPage("camera", table);
const video = /** @type {HTMLVideoElement} */ (byId("video"));
const canvas = document.createElement("canvas");
/** @type {MediaStream | null} */
let stream = null;
/** @type {WebSocket | null} */
let socket = null;
let waiting = 0;
let sent = 0;
let pause = 500;
/** @type {any} */
let lock = null;

if (!token) closed("This page needs the camera's link, with its token.");
byId("start").addEventListener("click", () => start());
byId("stop").addEventListener("click", stop);
byId("cameras").addEventListener("change", (event) => start(/** @type {HTMLSelectElement} */ (event.target).value));
byId("torch").addEventListener("click", torch);
byId("file").addEventListener("change", sendFile);
document.addEventListener("visibilitychange", keepAwake);
if (!navigator.mediaDevices) {
  /** @type {HTMLButtonElement} */ (byId("start")).disabled = true;
  verdict("This browser gives a page its camera only over https. Start Kibitz with --https, or send photographs.", "bad");
}

/** @param {string} [device] */
async function start(device) {
  stopStream();
  const size = { width: { ideal: 1920 }, height: { ideal: 1440 } };
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false, video: device ? { deviceId: { exact: device }, ...size } : { facingMode: { ideal: "environment" }, ...size },
    });
  } catch (error) {
    return verdict(whyNot(/** @type {DOMException} */ (error).name), "bad");
  }
  video.srcObject = stream;
  await video.play();
  byId("start").hidden = true;
  byId("stop").hidden = false;
  verdict("Looking…", "");
  await listCameras();
  offerTorch();
  keepAwake();
  if (!socket) connect();
}

/** @param {string} name */
function whyNot(name) {
  if (name === "NotAllowedError") return "The browser was not allowed to use the camera. Allow it in the address bar and start again.";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "There is no camera here. A photograph can be sent instead.";
  if (name === "NotReadableError") return "Another program is using the camera. Close it and start again.";
  return "The camera could not be started.";
}

async function listCameras() {
  const all = (await navigator.mediaDevices.enumerateDevices()).filter((d) => d.kind === "videoinput");
  const now = stream?.getVideoTracks()[0]?.getSettings().deviceId;
  byId("pick").hidden = all.length < 2;
  fill(byId("cameras"), all.map((d, i) => h("option", { value: d.deviceId, selected: d.deviceId === now }, d.label || `Camera ${i + 1}`)));
}

/** A lamp beside the lens, where the phone has one and lets a page use it. */
function offerTorch() {
  const track = stream?.getVideoTracks()[0];
  const can = /** @type {any} */ (track?.getCapabilities?.() ?? {}).torch;
  byId("torch").hidden = !can;
  byId("torch").setAttribute("aria-pressed", "false");
}

async function torch() {
  const on = byId("torch").getAttribute("aria-pressed") !== "true";
  try {
    await stream?.getVideoTracks()[0]?.applyConstraints(/** @type {any} */ ({ advanced: [{ torch: on }] }));
    byId("torch").setAttribute("aria-pressed", String(on));
  } catch { byId("torch").hidden = true; }
}

function stopStream() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
}

function stop() {
  stopStream();
  video.srcObject = null;
  socket?.close();
  socket = null;
  byId("start").hidden = false;
  byId("stop").hidden = true;
  lock?.release?.();
  byId("torch").hidden = true;
  verdict("The camera is off.", "");
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const here = new WebSocket(`${scheme}://${location.host}/api/tables/${table}/camera?token=${encodeURIComponent(token ?? "")}`);
  socket = here;
  here.onopen = () => { waiting = 0; pause = 500; byId("link").textContent = "Connected"; tick(here); };
  here.onmessage = (event) => { waiting = Math.max(0, waiting - 1); heard(JSON.parse(event.data)); };
  here.onclose = (event) => {
    if (event.code === 4401) return closed("This link is no camera's any more. Ask the host for a new one.");
    if (socket !== here) return;
    byId("link").textContent = "Reconnecting…";
    setTimeout(() => { if (socket === here) connect(); }, pause);
    pause = Math.min(8000, pause * 1.7);
  };
}

/** Send a frame now and then; never more than one that is not yet read. @param {WebSocket} here */
async function tick(here) {
  if (socket !== here || here.readyState !== WebSocket.OPEN) return;
  if (stream && video.videoWidth && waiting < 1) {
    const blob = await grab();
    if (blob && here.readyState === WebSocket.OPEN) {
      waiting += 1;
      sent += 1;
      here.send(blob);
    }
  }
  setTimeout(() => tick(here), EVERY_MS);
}

/** @returns {Promise<Blob | null>} */
function grab() {
  const scale = Math.min(1, LONGER_SIDE / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
}

/** @param {any} message */
function heard(message) {
  const error = message.error;
  if (error) verdict(error.message, "bad");
  else if (message.advice?.length) verdict(message.advice[0], "");
  else verdict(message.settled ? "The view is good." : "Reading…", "good");
  fill(byId("advice"), (message.advice ?? []).slice(1).map((/** @type {string} */ line) => h("li", { class: "note warn" }, line)));
  const health = message.health ?? {};
  byId("facts").textContent = health.square_px ? `${sent} pictures sent · a square is ${Math.round(health.square_px)} pixels wide · read in ${Math.round(health.ms)} ms` : `${sent} pictures sent`;
}

/** @param {Event} event */
async function sendFile(event) {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const file = input.files?.[0];
  if (!file) return;
  verdict("Reading the photograph…", "");
  const kind = ["image/jpeg", "image/png", "image/webp"].includes(file.type) ? file.type : "image/jpeg";
  const answer = await fetch(`/api/tables/${table}/frames`, { method: "POST", body: file, headers: { "Content-Type": kind, Authorization: `Bearer ${token}` } }).catch(() => null);
  const told = answer ? await answer.json().catch(() => ({})) : {};
  input.value = "";
  sent += 1;
  if (!answer) verdict("The server cannot be reached.", "bad");
  else heard(told);
  if (told.line?.say?.length) verdict(told.line.say.join(" "), "good");
}

/** @param {string} text @param {"" | "good" | "bad"} kind */
function verdict(text, kind) {
  const place = byId("verdict");
  place.textContent = text;
  place.className = `verdict ${kind}`;
}

async function keepAwake() {
  if (document.visibilityState !== "visible" || !stream || !("wakeLock" in navigator)) return;
  lock = await /** @type {any} */ (navigator).wakeLock.request("screen").catch(() => null);
}
