// @ts-check
/** One setting of a game as a field that explains itself. */

import { h } from "./dom.js";
import { tx } from "./language.js";

/** What a setting's choices are called, where the value itself says it to programs only. */
const NAMES = /** @type {Record<string, Record<string, string>>} */ ({
  clock: { off: tx("without clocks"), down: tx("counting down"), up: tx("counting up") },
  challenge: { double: tx("the next turn"), single: tx("nothing"), 5: tx("5 points"), 10: tx("10 points"), void: tx("the list decides at once") },
  "cl.endgame": { transfer: tx("own loss, sum to whoever went out"), double_to_out: tx("twice the rest to whoever went out") },
  "cl.tie": { pre_rack: tx("the score before the racks"), draw: tx("a draw") },
  "fs.connect": { star_group: tx("by star groups"), any_crossing: tx("by any tiles across a seam") },
  "fs.exchange": { free: tx("cost nothing"), counts: tx("count as a play"), off: tx("not allowed") },
  "gs.count": { held: tx("held at the end"), won_total: tx("won on the way") },
  "gs.end_tie": { shared: tx("shared"), letters: tx("more letters") },
  "gs.root_test": { affix: tx("by affixes"), ask: tx("by asking"), off: tx("not at all") },
  "gs.tie": { flip_back: tx("the tile goes back"), dismiss: tx("the words are out") },
  "sb.end_tie": { shared: tx("shared"), play_off: tx("play-off") },
  "sb.scrab_line": { free: tx("anywhere"), single: tx("in one line") },
  "sb.scrab_word_squares": { multiply: tx("multiply"), highest: tx("only the highest") },
  "sb.working_check": { off: tx("not checked"), hands: tx("against the hand"), end: tx("at the end of the hand") },
  "sh.anchor": { any: tx("any tile"), own: tx("own tiles only") },
  "sh.clocks": { on: tx("refused"), off: tx("without clocks") },
  "sh.exchange": { on: tx("yes"), off: tx("no") },
  "sh.explode": { always: tx("always"), optional: tx("the player decides") },
  "sh.leftover": { two_letter_hook: tx("those of two-letter words"), remove_all: tx("all"), tolerate: tx("none of them") },
  "sh.leftover_piece": { stay: tx("stay"), cut: tx("go, with what hangs on them") },
  "sh.look": { unknown_words: tx("words that are not in the list"), always: tx("always") },
  "sh.match_end": { first_board: tx("the first board"), both: tx("both boards") },
  "sh.opening": { diagonal: tx("two who sit diagonally opposite"), any: tx("anybody") },
  "sh.rounds": { simultaneous: tx("together"), one_by_one: tx("one by one") },
  "ss.challenge": { unknown_words: tx("those that are not in the list"), any_word: tx("any word") },
  "ss.fleets": { entered: tx("entered in secret"), told: tx("called by their owners") },
  "ss.kwyjibo": { multiplier: tx("double"), flat: tx("its plain value once more"), face: tx("each tile double"), off: tx("no word") },
  "ss.own_penalty_per": { ship: tx("for each ship"), turn: tx("once a turn") },
  "ss.own_sunk_cancels": { all: tx("all of them"), own: tx("only its own") },
  "ss.premium_under_ship": { keep: tx("stay in force"), void: tx("no longer count") },
  "ss.reveal": { after_challenge: tx("after the challenge window"), immediate: tx("at once") },
  "ss.ship_bonus_scope": { through_hit: tx("words through the hit"), main_word: tx("the main word"), turn: tx("all words of the turn") },
  "ss.ship_bonus_stack": { multiply: tx("multiply"), add: tx("are added first") },
});

/** @typedef {{name: string, default: any, usual: any, sentence: string, choices: any[] | null, rule: string, minimum: number | null, maximum: number | null}} Setting */

/** @param {Setting} setting @param {(value: any) => void} change @returns {HTMLElement} */
export function settingField(setting, change) {
  const told = h("span", {}, setting.sentence);
  const value = setting.usual ?? setting.default;
  if (typeof value === "boolean") {
    const box = h("input", { type: "checkbox", checked: value, onchange: (/** @type {Event} */ e) => change(/** @type {HTMLInputElement} */ (e.target).checked) });
    return h("label", { class: "tick" }, box, told);
  }
  if (setting.choices) {
    const choices = setting.choices;
    const select = h("select", { onchange: (/** @type {Event} */ e) => change(choices[/** @type {HTMLSelectElement} */ (e.target).selectedIndex]) },
      ...choices.map((c) => h("option", { selected: c === value }, NAMES[setting.name]?.[c] ?? name(c))));
    return h("label", { class: "field" }, told, select);
  }
  if (typeof value === "number") {
    const input = h("input", { type: "number", inputmode: "numeric", value, min: setting.minimum, max: setting.maximum,
      onchange: (/** @type {Event} */ e) => change(Number(/** @type {HTMLInputElement} */ (e.target).value)) });
    return h("label", { class: "field" }, told, input);
  }
  const list = Array.isArray(value);
  const input = h("input", { value: list ? value.join(" ") : "", autocomplete: "off", spellcheck: "false",
    placeholder: list ? tx("words, with a space between") : tx("as usual"),
    onchange: (/** @type {Event} */ e) => {
      const text = /** @type {HTMLInputElement} */ (e.target).value.trim();
      change(list ? text.split(/[\s,]+/).filter(Boolean) : text || value || "");
    } });
  return h("label", { class: "field" }, told, input);
}

/** @param {any} choice */
function name(choice) {
  if (choice === true) return tx("yes");
  if (choice === false) return tx("no");
  return String(choice).replaceAll("_", " ");
}
