// @ts-check
/** What a tap on a square opens: put a tile right, or type a play that starts there. */

import { ask, fill, h, toast } from "./dom.js";
import { squareAt, squareName, squareText } from "./board.js";
import { asReadBy, atBoard, preview } from "./own_view.js";
import { who } from "./doings.js";
import { tilesIn } from "./extras.js";
import { openScrab } from "./scrab.js";
import { tilePicture } from "./tile_picture.js";
import { tokenHere } from "./api.js";
import { tx } from "./language.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/**
 * @param {any} state @param {string} name @param {Act} act @param {string[]} rows the board that was tapped
 * @param {number} board which of the boards it is, from 0
 */
export function openSquare(state, name, act, rows, board) {
  if (!["host", "seat"].includes(state.you.role)) return;
  const [r, c] = squareAt(name);
  const char = rows[r]?.[c] ?? ".";
  const scrab = state.facts.tile_by_tile && state.view.phase === "scrab";
  if (char !== ".") correctSquare(state, name, char, act, board, rows);
  else if (scrab) openScrab(state, act, name);
  else typePlay(state, name, act, rows);
}

/** A grid of letters to tap. @param {string[]} letters @param {Record<string, string>} prints what stands on tiles of several @param {(letter: string) => void} pick */
export function letterGrid(letters, prints, pick) {
  return h("div", { class: "letters" }, ...letters.map((letter) => h("button", { type: "button", onclick: () => pick(letter) }, prints[letter] ?? letter)));
}

/** Two boards need their number, and there a small letter faces North; blanks are listed.
 * @param {any} state @param {string} name @param {string} char @param {Act} act @param {number} board @param {string[]} rows
 */
function correctSquare(state, name, char, act, board, rows) {
  const facing = state.facts.facing;
  const listed = (board ? state.view.blanks_2 : state.view.blanks) ?? [];
  const isBlank = char === "?" || (facing ? listed.includes(name) : char !== char.toUpperCase());
  const which = (state.view.boards ?? []).length > 1 ? { board: board + 1 } : {};
  const blank = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: isBlank }));
  const anyway = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  const force = h("label", { class: "tick", hidden: true }, anyway, tx("Correct it anyway and drop what no longer holds"));
  const problem = h("p", { class: "note bad", role: "alert", hidden: true });
  const put = async (/** @type {Record<string, string>} */ what) => {
    try {
      await act({ action: "correct", square: name, ...what, ...which, ...(anyway.checked ? { anyway: true } : {}) });
      dialog.close();
      toast(tx("{square} is corrected.", { square: squareText(name) }), "good");
    } catch (error) {
      const e = /** @type {any} */ (error);
      problem.textContent = e.message;
      problem.hidden = false;
      if (e.code === "later_plays") force.hidden = false;
    }
  };
  const from = state.over ? null : h("button", { type: "button", onclick: () => { dialog.close(); typePlay(state, name, act, rows); } }, tx("Play from here"));
  const dialog = ask(tx("Correct {square}", { square: squareText(name) }), [
    from,
    h("p", {}, char === "?" ? tx("A blank lies here.") : tx("The reading here is {letter}. Tap what it really is; every score after it is worked out again.", { letter: char.toUpperCase() })),
    tilePicture(state, tokenHere(state), name, board + 1, (letter) => put({ letter: blank.checked && letter !== "?" ? letter.toLowerCase() : letter })),
    letterGrid(state.letters, state.prints, (letter) => put({ letter: blank.checked ? letter.toLowerCase() : letter })),
    h("label", { class: "tick" }, blank, tx("It is a blank standing for this letter")),
    force, problem,
    h("button", { type: "button", class: "bad", onclick: () => put({ letter: "" }) }, tx("There is no tile here")),
    facing ? h("div", { class: "letters" },
      h("button", { type: "button", onclick: () => put({ set: "own" }) }, tx("This board's colour")),
      h("button", { type: "button", onclick: () => put({ set: "other" }) }, tx("The other colour"))) : null,
  ], []);
}

/** @param {any} state @param {string} name @param {Act} act @param {string[]} rows */
function typePlay(state, name, act, rows) {
  if (state.over || state.facts.loose) return;
  const person = who(state, tx("Who plays"), atBoard(state, rows));
  const word = /** @type {HTMLInputElement} */ (h("input", { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: String(rows.length), "aria-describedby": "type-help" }));
  const across = /** @type {HTMLInputElement} */ (h("input", { type: "radio", name: "way", checked: true }));
  const down = /** @type {HTMLInputElement} */ (h("input", { type: "radio", name: "way" }));
  const laid = () => asReadBy(state, person.value(), newTiles)(tilesIn(word.value.trim(), state.prints), name, down.checked, rows);
  const { shown, draw } = preview(state, person.value, () => down.checked, laid);
  const bonus = bonusField(state, person.value, laid);
  const dialog = ask(tx("Type a play from {square}", { square: squareText(name) }), [
    person.field,
    h("label", { class: "field" }, tx("Word, with the letters that lie there already"), word,
      h("span", { class: "soft", id: "type-help" }, tx("A blank: a small letter, as in WhALE.") + (lies(rows, name) ? tx(" From a tile on, letters that lie there may be left out.") : ""))),
    h("fieldset", { class: "row" }, h("legend", { class: "hush" }, tx("Direction")),
      h("label", { class: "tick" }, across, tx("across")), h("label", { class: "tick" }, down, tx("down"))),
    shown, bonus.field,
  ], [{
    label: tx("Lay it"),
    act: () => {
      const tiles = laid();
      const letters = Object.entries(tiles);
      if (state.facts.tile_by_tile && state.view.phase === "scrab") return act({ action: "scrab", player: person.value(), tiles });
      if (state.facts.tile_by_tile && letters.length === 1) {
        return act({ action: "tile", player: person.value(), square: letters[0][0], letter: letters[0][1] });
      }
      return act({ action: "place", player: person.value(), tiles, ...bonus.value() });
    },
  }]);
  dialog.addEventListener("input", () => { draw(); bonus.draw(); });
}

/** Which of the new tiles are of the other colour, for who holds some after an explosion (SH-21).
 * @param {any} state @param {() => string} player @param {() => Record<string, string>} laid */
function bonusField(state, player, laid) {
  const field = h("fieldset", { class: "row", hidden: true });
  let squares = "";
  const draw = () => {
    /** @type {Record<string, string>} */
    let tiles = {};
    try { tiles = laid(); } catch { /* the word is not finished */ }
    const holds = (state.view.hands?.[player()]?.other_colour ?? 0) > 0;
    const now = holds ? Object.entries(tiles).map(([square, letter]) => `${letter.toUpperCase()} ${square}`).join(",") : "";
    if (now === squares) return;
    squares = now;
    field.hidden = !now;
    fill(field, h("legend", {}, tx("Tiles of the other colour")), ...now.split(",").map((text) => h("label", { class: "tick" },
      h("input", { type: "checkbox", value: text.replace(/^.* /, "") }), tx("{letter} on {square}", { letter: text.split(" ")[0], square: squareText(text.split(" ")[1]) }))));
  };
  const ticked = () => [.../** @type {NodeListOf<HTMLInputElement>} */ (field.querySelectorAll("input:checked"))].map((box) => box.value);
  // without a tick the rules work it out from the hand
  return { field, draw, value: () => (ticked().length ? { bonus: ticked() } : {}) };
}

/** The squares that the word adds. @param {string} word @param {string} start @param {boolean} down @param {string[]} rows */
function wholeWord(word, start, down, rows) {
  const [r, c] = squareAt(start);
  // all small letters: somebody types without the shift key, not seven blanks
  const text = word === word.toLowerCase() ? word.toUpperCase() : word;
  /** @type {Record<string, string>} */
  const tiles = {};
  [...text].forEach((letter, i) => {
    const [y, x] = down ? [r + i, c] : [r, c + i];
    const lying = rows[y]?.[x];
    if (lying === undefined) throw new Error(tx("The word runs off the board."));
    if (lying === ".") tiles[squareName(y, x, rows.length)] = letter;
    else if (lying.toUpperCase() !== letter.toUpperCase()) {
      throw new Error(tx("{square} holds {lying}, not {letter}.", { square: squareText(squareName(y, x, rows.length)), lying: lying.toUpperCase(), letter: letter.toUpperCase() }));
    }
  });
  if (!Object.keys(tiles).length) throw new Error(tx("Type the word that is laid."));
  return tiles;
}

/** Whether a tile lies on a square. @param {string[]} rows @param {string} name */
function lies(rows, name) {
  const [r, c] = squareAt(name);
  return (rows[r]?.[c] ?? ".") !== ".";
}

/** The squares that a play adds; from a tile on, what is typed may leave out the letters that lie there already.
 * @param {string} word @param {string} start @param {boolean} down @param {string[]} rows */
export function newTiles(word, start, down, rows) {
  const [r, c] = squareAt(start);
  if (!lies(rows, start)) return wholeWord(word, start, down, rows);
  try {
    return wholeWord(word, start, down, rows);
  } catch (error) {
    let whole = "", [y, x] = [r, c];
    for (const letter of word) {
      for (; (rows[y]?.[x] ?? ".") !== "."; [y, x] = down ? [y + 1, x] : [y, x + 1]) whole += rows[y][x].toUpperCase();
      whole += letter;
      [y, x] = down ? [y + 1, x] : [y, x + 1];
    }
    if (!word) throw error;
    return wholeWord(word === word.toLowerCase() ? whole.toUpperCase() : whole, start, down, rows);
  }
}
