// @ts-check
/** Says announcements aloud with the browser's own voices: off, which voice, how fast. */

import { ask, h } from "./dom.js";
import { keep, kept } from "./api.js";

const speech = globalThis.speechSynthesis;

export class Speech {
  constructor() {
    this.on = kept("kibitz.speech") === "on";
    this.rate = Number(kept("kibitz.speech.rate")) || 1;
    this.voice = kept("kibitz.speech.voice") ?? "";
    /** @type {number | null} the newest step that was said or shown */
    this.seen = null;
  }

  get possible() {
    return Boolean(speech);
  }

  /** Say what is new; what was said before this page came is not said again.
   * @param {{seq: number, lines: string[]}[]} said
   */
  follow(said) {
    const newest = said.length ? said[said.length - 1].seq : 0;
    if (this.seen !== null && this.on) {
      for (const one of said) if (one.seq > this.seen) one.lines.forEach((line) => this.say(line));
    }
    this.seen = Math.max(newest, this.seen ?? 0);
  }

  /** @param {string} text */
  say(text) {
    if (!speech) return;
    const spoken = new SpeechSynthesisUtterance(text);
    spoken.rate = this.rate;
    const voice = speech.getVoices().find((v) => v.voiceURI === this.voice);
    if (voice) spoken.voice = voice;
    speech.speak(spoken);
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    keep("kibitz.speech", on ? "on" : "off");
    if (!on) speech?.cancel();
  }

  /** The dialog with voice and speed. @param {() => void} changed */
  settings(changed) {
    const on = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: this.on }));
    const voices = speech ? speech.getVoices() : [];
    const voice = /** @type {HTMLSelectElement} */ (h("select", {},
      h("option", { value: "" }, "The browser's own"),
      ...voices.map((v) => h("option", { value: v.voiceURI, selected: v.voiceURI === this.voice }, `${v.name} (${v.lang})`))));
    const rate = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: "0.6", max: "1.6", step: "0.1", value: this.rate }));
    const apply = () => {
      this.voice = voice.value;
      this.rate = Number(rate.value);
      keep("kibitz.speech.voice", this.voice);
      keep("kibitz.speech.rate", rate.value);
      this.turn(on.checked);
      changed();
    };
    ask("Saying things aloud", [
      h("label", { class: "tick" }, on, "Say plays, scores and questions aloud"),
      h("label", { class: "field" }, "Voice", voice),
      h("label", { class: "field" }, "Speed", rate),
      voices.length ? null : h("p", { class: "note" }, "This browser offers no list of voices; its own is used."),
    ], [
      { label: "Try it", kind: "", act: () => { this.voice = voice.value; this.rate = Number(rate.value); this.say("Twenty for garden; twenty."); throw new Error("That is how it sounds."); } },
      { label: "Keep", act: apply },
    ]);
  }
}
