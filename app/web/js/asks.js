// @ts-check
/** Questions with their likely answers as buttons, tasks on the table, and troubles. */

import { tokenHere } from "./api.js";
import { squaresText } from "./board.js";
import { picture } from "./changes.js";
import { ask, h, toast } from "./dom.js";
import { letterGrid } from "./squares.js";
import { startChoice } from "./start.js";
import { loosePicture, tilePicture } from "./tile_picture.js";
import { tx } from "./language.js";

/** @typedef {(action: Record<string, any>) => Promise<any>} Act */

/** @param {any} state @param {Act} act @returns {HTMLElement[]} */
export function asksOf(state, act) {
  const may = ["host", "seat"].includes(state.you.role);
  const refused = state.tasks.filter((/** @type {any} */ t) => t.task === "refused");
  // what is asked of refused tiles stands with them
  const ofTiles = refused.length === 1 ? state.questions.find((/** @type {any} */ q) => q.field === "play") : null;
  // on a player's own page stands what concerns that player; the table's page asks everything
  const mine = state.questions.filter((/** @type {any} */ q) => state.you.role !== "seat" || !q.player || q.player === state.you.player);
  return [
    ...state.notices.map((/** @type {any} */ n) => h("div", { class: "note warn", role: "alert" }, n.message)),
    ...mine.filter((/** @type {any} */ q) => q !== ofTiles).map((/** @type {any} */ q) => question(state, q, act, may)),
    ...refused.map((/** @type {any} */ t) => refusedTiles(state, t, ofTiles, act, may)),
    ...tasks(state.tasks.filter((/** @type {any} */ t) => t.task !== "refused"), act, may, Boolean(state.camera?.size)),
  ];
}

/** @param {any} q @param {Act} act @returns {(value: string) => Promise<any>} */
const answerTo = (q, act) => (value) => act({
  action: "answer", field: q.field, value, ...(q.square ? { square: q.square } : {}), ...(q.board ? { board: q.board } : {}),
  ...(q.photo === undefined ? {} : { photo: q.photo }),
});

/** Questions that any letter answers. */
const LETTERS = ["blank", "letter", "tile"];

/** @param {any} state @param {any} q @param {Act} act @param {boolean} may */
function question(state, q, act, may) {
  const answer = answerTo(q, act);
  const other = () => {
    const dialog = ask(q.prompt, [letterGrid(state.letters, state.prints, async (letter) => { await answer(letter); dialog.close(); })], []);
  };
  if (q.field === "plays") {
    return h("div", { class: "ask" }, h("p", {}, q.prompt),
      may ? choices(state, q, answer, [fromPaper(state, q, act)]) : null,
      !may ? null : h("p", { class: "small" }, tx("A tile that was read wrongly is put right by tapping it. Plays that are not named here: press Undo, then tap the square where each began, and type them in their order.")));
  }
  const seen = may && q.square ? tilePicture(state, tokenHere(state), q.square, q.board ?? 1, null) : may && q.field === "tile" ? loosePicture(state, tokenHere(state), q.prompt) : null;
  return h("div", { class: `ask${seen ? " of-tile" : ""}` }, h("p", {}, q.prompt), seen, may ? h("div", { class: "row" },
    ...q.choices.slice(0, 6).map((/** @type {string} */ choice, /** @type {number} */ i) =>
      h("button", { type: "button", class: i === 0 ? "first" : "", onclick: () => answer(choice) }, q.labels?.[i] ?? choice)),
    LETTERS.includes(q.field) ? h("button", { type: "button", onclick: other }, q.choices.length ? tx("Another letter") : tx("Choose the letter")) : null,
    hasPicture(state, q) ? h("button", { type: "button", class: "quiet", onclick: () => showPicture(state, q) }, tx("Show the picture")) : null) : null);
}

/** Whether the picture in which a tile was read is kept, and shown to this person. @param {any} state @param {any} q */
const hasPicture = (state, q) => state.pictures.some((/** @type {any} */ p) => p.seq === q.seq);

/** @param {any} state @param {any} q */
async function showPicture(state, q) {
  const shown = await picture(`/api/tables/${state.table}/pictures/${q.seq}.jpg`, tokenHere(state));
  ask(q.prompt, [shown], [{ label: tx("Close"), act: () => undefined }]);
}

/** What a choice is called on its button, and what it means. @param {any} state @returns {Record<string, [string, string]>} */
const meanings = (state) => ({
  "go on from this board": [state.history.some((/** @type {any} */ e) => e.tiles) ? tx("Go on from this board") : tx("Start from this board"), tx("The tiles stay; nothing is scored for them.")],
  "take it back": [tx("Take them off"), tx("Nothing is counted; the game waits until they are gone.")],
  "it counts": [tx("It counts"), tx("The word is allowed in this game, and scored.")],
});

/** "J11 is an E": which letter a tile is that was read wrongly. */
const IS_LETTER = / is an? \S$/;

/** A board with tiles on it may be a game begun on paper. @param {any} state @param {any} q @param {Act} act */
const fromPaper = (state, q, act) => q.choices.includes("go on from this board") ? startChoice(state, act, tokenHere(state)) : null;

/** Each choice on a line of its own, the orders of plays first.
 * @param {any} state @param {any} q @param {(value: string) => Promise<any>} answer @param {(HTMLElement | null)[]} more
 */
function choices(state, q, answer, more) {
  return h("div", { class: "choices" },
    ...q.choices.map((/** @type {string} */ choice, /** @type {number} */ i) => {
      const [plays, strange] = choice.replace(/\)$/, "").split(" (");
      const allowed = strange ? tx(" {words}: allowed with this choice.", { words: strange }) : "";
      const said = q.labels?.[i] ?? plays;
      const [label, meaning] = meanings(state)[choice] ?? (IS_LETTER.test(choice)
        ? [said, tx("This tile was read wrongly; the play is scored with this letter.")]
        : [said, tx("These plays are scored, in this order.") + allowed]);
      return h("button", { type: "button", onclick: () => answer(choice) }, h("b", {}, label), h("small", {}, meaning));
    }), ...more);
}

/** Tiles that make no play, with what is asked of them, if it is not answered yet.
 * @param {any} state @param {any} t @param {any} q @param {Act} act @param {boolean} may
 */
function refusedTiles(state, t, q, act, may) {
  const again = state.camera?.size ? [h("button", { type: "button", onclick: () => lookAgain(act) },
    h("b", {}, tx("Look again")), h("small", {}, tx("They were read wrongly: the board is read anew.")))] : [];
  const allow = (t.words ?? []).filter(() => !q?.choices.includes("it counts")).map((/** @type {string} */ word) =>
    h("button", { type: "button", onclick: () => act({ action: "allow_word", word }) }, h("b", {}, tx("Allow {word}", { word })), h("small", {}, tx("The word is good in this game."))));
  const read = t.read ? tx(" Read there: {letters}.", { letters: t.read.map((/** @type {string} */ x) => (x === "?" ? tx("a blank") : x)).join(" ") }) : "";
  return h("div", { class: "ask bad" }, h("p", {}, t.message),
    // more than a play has are seen on the board, and nobody reads them one by one
    t.squares.length > state.facts.most_tiles ? null : h("p", { class: "small" }, tx("The tiles at {squares} are not counted.", { squares: squaresText(t.squares) }) + read),
    may ? choices(state, q ?? { choices: [] }, q ? answerTo(q, act) : act, [q ? fromPaper(state, q, act) : null, ...allow, ...again]) : null,
    may ? h("p", { class: "small" }, tx("Or tap the square where a play begins, and type it.")) : null);
}

/** @param {Act} act */
async function lookAgain(act) {
  const answer = await act({ action: "look" });
  if (["question", "no_change"].includes(answer?.result.status)) toast(tx("It looks the same as before."));
}

const TASKS = /** @type {Record<string, string>} */ ({ lift: tx("Lift off the tiles at"), turn: tx("Turn round the tiles at"), lay_card: tx("Lay the ship's strip on") });

/** What is to be done on the table, in one box. @param {any[]} open @param {Act} act @param {boolean} may @param {boolean} seen whether a camera sees it */
function tasks(open, act, may, seen) {
  if (!open.length) return [];
  return [h("div", { class: "ask task" },
    ...open.map((t) => h("p", {}, h("b", {}, TASKS[t.task] ?? t.task), ` ${squaresText(t.squares)}`)),
    h("div", { class: "row" }, h("span", { class: "soft small grow" }, seen ? tx("The camera sees when it is done.") : ""),
      may ? h("button", { type: "button", onclick: () => act({ action: "task_done" }) }, tx("It is done")) : null))];
}
