// @ts-check
/** Says announcements aloud with the browser's own voices: off, which language and voice, how fast. */

import { ask, fill, h } from "./dom.js";
import { keep, kept } from "./api.js";
import { code, pattern, tx } from "./language.js";

const speech = globalThis.speechSynthesis;
/** What waits longer than so many lines is old news: only the newest step is said whole. */
const MOST_WAITING = 6;
/** What a player says of an own ship is said in another voice. */
const OWN_WORDS = new RegExp(`^${pattern(tx("{player}: You sunk my {ship}!"), { player: ".+", ship: ".+" })}$`);
const DEEPER = 0.6;
/** A square as it is written: a voice that reads it in one would say another word, as "oh" for O8 or "one A" for 1A. */
const SQUARE = /(?<![\p{L}\p{N}])(?:([A-Z])(\d{1,2})|(\d{1,2})([A-Z]))(?![\p{L}\p{N}])/gu;

export class Speech {
  /** @param {string} table one page at a time speaks for it */
  constructor(table) {
    this.table = table;
    this.on = kept("kibitz.speech") === "on";
    this.rate = Number(kept("kibitz.speech.rate")) || 1;
    this.voice = kept("kibitz.speech.voice") ?? "";
    // empty: the language of the page, also when that changes
    this.language = kept("kibitz.speech.language") || code;
    /** @type {number | null} the newest step that was said or shown */
    this.seen = null;
    this.away = false;
    /** @type {string[]} lines that wait for their turn */
    this.waiting = [];
    this.speaking = false;
    /** @type {"unasked" | "asked" | "mine" | "another's"} which page of this browser speaks for the table */
    this.turn = navigator.locks ? "unasked" : "mine";
    if (this.on) this.takeTurn();
  }

  get possible() {
    return Boolean(speech);
  }

  /** Two pages of one browser would say everything twice: the first that asks speaks until it closes. */
  takeTurn() {
    if (this.turn !== "unasked") return;
    this.turn = "asked";
    const lock = `kibitz.voice.${this.table}`;
    const speak = () => {
      this.turn = "mine";
      if (!this.speaking) this.next();
      return new Promise(() => { /* held until this page closes */ });
    };
    navigator.locks.request(lock, { ifAvailable: true }, (free) => {
      if (free) return speak();
      this.turn = "another's";
      this.waiting = [];
      navigator.locks.request(lock, speak).catch(speak);
    }).catch(speak);
  }

  /** Say what is new; what was said before this page came is not said again.
   * @param {{seq: number, lines: string[]}[]} said
   * @param {any} camera a game that goes on unseen is said as well, once, and why
   */
  follow(said, camera) {
    const newest = said.length ? said[said.length - 1].seq : 0;
    const away = ["camera_away", "unseen"].includes(camera?.error?.code);
    if (this.seen !== null && this.on) {
      for (const one of said) if (one.seq > this.seen) this.sayAll(one.lines);
      if (away && !this.away) this.say(camera.error.message);
    }
    this.away = away;
    this.seen = Math.max(newest, this.seen ?? 0);
  }

  /** Say it when what is being said has ended. @param {string} text */
  say(text) {
    this.sayAll([text]);
  }

  /** Say the lines of one step; older ones that still wait make room. What comes before it is known
   * who speaks waits for that. @param {string[]} lines
   */
  sayAll(lines) {
    if (!speech || this.turn === "another's") return;
    this.waiting.splice(0, Math.max(0, this.waiting.length - Math.max(0, MOST_WAITING - lines.length)));
    this.waiting.push(...lines);
    if (!this.speaking && this.turn === "mine") this.next();
  }

  next() {
    const text = this.waiting.shift();
    this.speaking = text !== undefined;
    if (text === undefined) return;
    const spoken = new SpeechSynthesisUtterance(text.replace(SQUARE, (_, ...parts) => parts.slice(0, 4).filter(Boolean).join(" ")));
    spoken.rate = this.rate;
    spoken.pitch = OWN_WORDS.test(text) ? DEEPER : 1;
    const voice = this.voices().find((v) => v.voiceURI === this.voice) ?? this.voices()[0];
    if (voice) spoken.voice = voice;
    spoken.lang = voice?.lang ?? this.language;
    let ended = false;
    const on = () => {
      if (ended) return;
      ended = true;
      clearTimeout(guard);
      this.next();
    };
    // a browser that never tells the end must not silence the rest of the game
    const guard = setTimeout(on, 4000 + (150 * text.length) / this.rate);
    spoken.onend = on;
    spoken.onerror = on;
    speech.speak(spoken);
  }

  /** The voices of the chosen language. @returns {SpeechSynthesisVoice[]} */
  voices() {
    return (speech?.getVoices() ?? []).filter((v) => v.lang.toLowerCase().startsWith(this.language));
  }

  /** @param {boolean} on */
  setOn(on) {
    this.on = on;
    keep("kibitz.speech", on ? "on" : "off");
    if (on) return this.takeTurn();
    this.waiting = [];
    speech?.cancel();
  }

  /** The dialog with language, voice and speed. @param {() => void} changed */
  settings(changed) {
    const on = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: this.on }));
    const all = speech ? speech.getVoices() : [];
    const names = new Intl.DisplayNames([code], { type: "language" });
    const languages = [...new Set([code, ...all.map((v) => v.lang.slice(0, 2).toLowerCase())])].sort();
    const language = /** @type {HTMLSelectElement} */ (h("select", { onchange: () => offer() },
      ...languages.map((x) => h("option", { value: x, selected: x === this.language }, names.of(x) ?? x))));
    const voice = /** @type {HTMLSelectElement} */ (h("select", {}));
    const offer = () => fill(voice, h("option", { value: "" }, tx("The browser's own")), ...all.filter((v) => v.lang.toLowerCase().startsWith(language.value)).map((v) =>
      h("option", { value: v.voiceURI, selected: v.voiceURI === this.voice }, `${v.name} (${v.lang})`)));
    offer();
    const rate = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: "0.6", max: "1.6", step: "0.1", value: this.rate, "aria-label": tx("Speed") }));
    const choose = () => {
      this.language = language.value;
      this.voice = voice.value;
      this.rate = Number(rate.value);
    };
    const apply = () => {
      choose();
      keep("kibitz.speech.language", this.language === code ? "" : this.language);
      keep("kibitz.speech.voice", this.voice);
      keep("kibitz.speech.rate", rate.value);
      this.setOn(on.checked);
      changed();
    };
    const tried = h("p", { class: "soft small", role: "status" });
    const tryIt = () => {
      choose();
      const turn = this.turn;
      this.turn = "mine"; // asked for here, so it is said here
      this.say(tx("Twenty for garden; twenty."));
      this.turn = turn;
      tried.textContent = tx("That is how it sounds.");
    };
    ask(tx("Spoken announcements"), [
      h("label", { class: "tick" }, on, tx("Say plays, scores and questions aloud")),
      h("label", { class: "field" }, tx("Language of the voice"), language, h("span", { class: "soft" }, tx("What is said is in the language of the page; the words are those of the game."))),
      h("label", { class: "field" }, tx("Voice"), voice),
      h("label", { class: "field" }, tx("Speed"), rate),
      h("div", { class: "row" }, h("button", { type: "button", onclick: tryIt }, tx("Try it")), tried),
      all.length ? null : h("p", { class: "note" }, tx("This browser offers no list of voices; its own is used.")),
    ], [{ label: tx("Keep"), act: apply }]);
  }
}
