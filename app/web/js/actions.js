// @ts-check
/** What people can do in each game beside laying tiles: the buttons under the board. */

import { challenge, confirm, end, exchange, judges, judgesWinner, pass, playAgain, redo, rulingOnWord, told, undo } from "./doings.js";
import { callsDoing } from "./calls.js";
import { judgeDoing } from "./judge.js";
import { toast } from "./dom.js";
import { firstDoing } from "./first.js";
import { withoutFleet } from "./players.js";
import { claim, giveUp, overruleRoot, tie } from "./words_won.js";
import { fragmentDoing, mayGo, playedOut, scrabDoing } from "./scrab.js";
import { tx } from "./language.js";

/** @typedef {import("./doings.js").Doing} Doing */
/** @typedef {import("./doings.js").Act} Act */

/** The buttons for this moment. @param {any} state @param {Act} act @returns {Doing[]} */
export function doings(state, act) {
  if (!["host", "seat"].includes(state.you.role)) return [];
  const make = GAMES[state.game] ?? tellings;
  const out = state.over || withoutFleet(state).length ? [] : make(state, act);
  const clocked = state.settings.clock !== undefined && state.settings.clock !== "off";
  // a seat has its own large button for its clock
  const presses = clocked ? state.you.role !== "seat" : state.facts.press_setting && state.settings[state.facts.press_setting];
  if (presses && out.length) out.unshift({ ...atOnce(tx("Press the clock"), act, { action: "press_clock" }), kind: "first" });
  if (state.view.clocks && !state.over) out.push(state.paused ? { ...atOnce(tx("Clocks go on"), act, { action: "resume_clock" }), kind: "first" } : atOnce(tx("Pause the clocks"), act, { action: "pause_clock" }));
  if (state.view.ship_count && state.over && !state.view.winner?.length) out.push(judgesWinner(state, act));
  if (state.over && state.you.role === "host") out.push(playAgain(state));
  out.push(...firstDoing(state, act));
  if (state.camera?.size && !state.over) out.push({ label: tx("Look now"), always: true, run: () => look(act) });
  if (state.directed) out.push(judgeDoing(state));
  if (state.seq > 0) out.push({ label: tx("Undo"), kind: "quiet", always: true, run: () => undo(state, act) });
  if (state.redo) out.push({ label: tx("Redo"), kind: "quiet", always: true, run: () => redo(act) });
  return out;
}

/** A button that asks nothing. @param {string} label @param {Act} act @param {Record<string, any>} action @returns {Doing} */
const atOnce = (label, act, action) => ({ label, run: () => act(action).catch((error) => toast(error.message, "bad")) });

/** The same of what counts once all have said so: a seat that is not the last to say it is told so, which is no refusal. @param {Act} act @returns {Act} */
const agreed = (act) => async (action) => {
  try {
    return await act(action);
  } catch (error) {
    if (/** @type {any} */ (error).code !== "not_agreed") throw error;
    toast(/** @type {Error} */ (error).message, "good");
    return null;
  }
};

/** The tiles lie there: the camera need not wait any longer. @param {Act} act */
async function look(act) {
  try {
    const answer = await act({ action: "look" });
    if (answer.result.status === "no_change") toast(tx("Nothing new lies there."));
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
  }
}

/** The buttons of a game that has none of its own here: what its facts say that players tell. @param {any} state @param {Act} act @returns {Doing[]} */
const tellings = (state, act) => state.facts.tellings.map((/** @type {{action: string, label: string, sentence: string}} */ one) => (
  { label: one.label, run: () => confirm(one.label, one.sentence, state, act, { action: one.action }, one.label) }));

/** Nothing is challenged where wrong words are refused at once, nor by a seat its own play. @param {any} state @param {Act} act */
const ifChallengeable = (state, act) => (state.view.pending_challenge && judges(state).length ? [challenge(state, act)] : []);

/** @type {Record<string, (state: any, act: Act) => Doing[]>} */
const GAMES = {
  scrabble: (state, act) => [...pass(state, act), ...ifChallengeable(state, act), ...exchange(state, act), end(state, act)],
  scrabbleship: (state, act) => [
    ...callsDoing(state, act),
    ...(state.view.pending_challenge && !state.view.waits_for_calls ? [told(tx("Go on"), act, { action: "go_on" }, tx("The word stands; hits and misses are called."))] : []),
    ...ifChallengeable(state, act), ...pass(state, act), ...exchange(state, act), rulingOnWord(state, act),
    told(tx("No play possible"), agreed(act), { action: "no_plays" }, tx("All agree that nothing can be laid. The game ends.")),
  ],
  frankenscrabbards: (state, act) => [
    ...pass(state, act), ...(state.view.total_words ? [challenge(state, act)] : []), ...exchange(state, act),
    told(tx("Abandon"), act, { action: "abandon" }, tx("The attempt is kept as unfinished and never compared.")),
  ],
  grabscrab: (state, act) => [
    // a seat has its own form for claims
    ...(state.you.role === "seat" ? [] : [claim(state, act)]), tie(state, act),
    ...(state.settings["gs.penalty"] ? [giveUp(state, act)] : []),
    overruleRoot(state, act), rulingOnWord(state, act),
    state.view.face_down ? { ...told(tx("End the game"), act, { action: "end_game" }), kind: "quiet" } : told(tx("No more words"), act, { action: "no_more_words" }, tx("All tiles are turned and nobody sees another word. The game ends.")),
  ],
  "scrabble-house": (state, act) => [
    ...(state.you.role === "seat" ? [] : [{ label: tx("Press the clock"), kind: "first", run: () => confirm(tx("Press the clock"), tx("Whose clock is pressed?"), state, act, { action: "press_clock" }, tx("Press")) }]),
    ...(state.view.pending_challenge && judges(state).length ? [
      { ...told(tx("Let it stand"), act, { action: "accept" }, tx("The opponent has looked: the words stand, and what they explode is removed.")), kind: "first" },
      { label: tx("Object"), kind: "first", run: () => confirm(tx("Object"), tx("The word list decides, and the game ends."), state, act, { action: "challenge" }, tx("Object"), judges(state)) },
    ] : []),
    ...pass(state, act),
    { label: tx("Flag has fallen"), kind: "quiet", run: () => confirm(tx("Flag has fallen"), tx("This player's time has run out."), state, act, { action: "flag_fall" }, tx("Out of time")) },
    { ...told(tx("End the game"), act, { action: "end_game" }), kind: "quiet" },
  ],
  scrabbage: (state, act) => [
    // a seat has its own large button
    ...(state.you.role === "seat" || !mayGo(state).length ? [] : [{ label: tx("Go"), run: () => confirm(tx("Go"), tx("This player cannot lay a tile."), state, act, { action: "go" }, tx("Go"), mayGo(state)) }]),
    ...scrabDoing(state, act),
    { ...atOnce(tx("Who is working?"), act, { action: "working_on" }), kind: "quiet" },
    ...(state.view.phase === "play" ? [told(tx("End of play"), act, { action: "end_of_play" }, tx("All tiles of this hand are laid; the scrab is next."))] : []),
    ...fragmentDoing(state, act),
    ...(playedOut(state) ? [told(tx("End of hand"), act, { action: "end_of_hand" }, tx("The scrab is done; the deal passes on."))] : []),
    ...(state.view.phase === "play" && !state.view.dealt ? [told(tx("Draw"), act, { action: "draw" }, tx("New tiles are drawn for the next hand."))] : []),
    { ...told(tx("End the game"), act, { action: "end_game" }), kind: "quiet" },
  ],
};
