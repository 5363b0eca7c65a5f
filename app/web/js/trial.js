// @ts-check
/** The end of a camera's set-up: a word is laid, and what was read is right or can be mended; what was set up is kept for the next table. */

import { act as send, call, keep, kept } from "./api.js";
import { h, refresh, toast } from "./dom.js";
import { openReport } from "./report.js";
import { nameOf } from "./materials.js";
import { readable } from "./said.js";
import { tx } from "./language.js";

const KEPT = "kibitz.setup";
/** Cameras that a server can open again by themselves. */
const SOURCE = /^(\d+|\/dev\/.+|[a-z]+:\/\/.+)$/;

export class Trial {
  /** @param {string} table @param {string} token its host's @param {HTMLElement} place */
  constructor(table, token, place) {
    this.table = table;
    this.token = token;
    this.place = place;
    /** @type {"" | "right" | "wrong"} what people said of the reading */
    this.verdict = "";
    this.seq = -1;
  }

  /** @param {any} state */
  show(state) {
    const play = [...state.history].reverse().find((/** @type {any} */ entry) => entry.seen && entry.words?.length);
    if (play && play.entry !== this.seq) [this.seq, this.verdict] = [play.entry, ""];
    if (!play) this.verdict = "";
    const advice = state.camera?.error?.message ?? state.camera?.advice?.[0] ?? "";
    refresh(this.place, [state.camera?.size, play, this.verdict, advice], () => (!state.camera?.size ? [h("p", { class: "soft" }, tx("First choose a camera, above."))]
      : !play ? [h("p", {}, state.facts.loose ? tx("Turn some tiles up, make a word of them in front of you and take your hand away.") : tx("Lay a word on the board and take your hand away.")), h("p", { class: "soft small" }, advice || tx("Waiting for it…"))]
        : [h("p", { class: "note" }, readable(play.say)), ...this.answers(state, advice)]));
  }

  /** @param {any} state @param {string} advice */
  answers(state, advice) {
    const say = (/** @type {"right" | "wrong"} */ verdict) => () => { this.verdict = verdict; this.show(state); };
    const undo = h("button", { type: "button", onclick: () => this.undo() }, tx("It was only a test"));
    if (this.verdict === "right") return [h("p", { class: "note good" }, tx("Everything is ready. The word counts as the first play, unless it was only a test.")), h("p", { class: "row" }, undo)];
    if (!this.verdict) return [h("p", {}, tx("Is that right?")), h("p", { class: "row" }, h("button", { type: "button", class: "first", onclick: say("right") }, tx("That is right")), h("button", { type: "button", onclick: say("wrong") }, tx("That is wrong")))];
    return [h("ul", { class: "stack tips" },
      advice ? h("li", {}, advice) : null,
      h("li", {}, tx("Single letters are wrong: more light, nearer, and the tile set of your language. The set is {set}; it is chosen when a table is set up.", { set: nameOf(state.tiles) })),
      ...(state.facts.loose ? [] : [ // neither a board's corners nor its tiles are told there
        h("li", {}, tx("Letters made by hand or of an unusual look: teach them under “Tiles of your own”.")),
        h("li", {}, tx("The word lies elsewhere than read: check the board's outline in the picture, and set its corners with “Corners”."))])),
    h("p", { class: "row" }, undo, h("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", onclick: () => openReport(this.table, this.token) }, tx("Report a misreading")))];
  }

  async undo() {
    try {
      await send(this.table, this.token, { action: "undo" });
      toast(tx("Undone. Take the tiles off, then lay the word again or begin."), "good");
    } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
  }
}

/** Keep how this table was set up: its camera, the corners set by hand, who sits where.
 * @param {string} table @param {any} state @param {boolean} here whether this device's own camera watches
 */
export async function keepSetup(table, state, here) {
  if (!state.camera?.size) return;
  const listed = await call("/api/cameras", { token: kept("kibitz.key") }).catch(() => ({ cameras: [] }));
  const source = listed.cameras.find((/** @type {any} */ one) => one.table === table)?.source ?? "";
  const corners = state.camera.aimed ? state.camera.corners[0] : null;
  const sides = state.players.map((/** @type {string} */ player) => state.seats[player]?.side ?? null);
  keep(KEPT, JSON.stringify({ source: SOURCE.test(source) ? source : null, here, corners, sides, players: state.players }));
}

/** Who sits where: people who were there before stay, also in another order; others take the free sides.
 * @param {string[]} players @param {{sides: (string | null)[], players?: string[]}} last @returns {[string, string | null | undefined][]}
 */
function sidesOf(players, { sides, players: before = [] }) {
  const free = sides.filter((_, i) => !players.includes(before[i]));
  return players.map((player) => [player, before.includes(player) ? sides[before.indexOf(player)] : free.shift()]);
}

/** The button that sets a table up as the last one was; nothing where none was kept.
 * @param {string} table @param {string} token @param {() => any} now the newest state @param {() => Promise<unknown>} watch begins with this device's own camera
 */
export function restoreButton(table, token, now, watch) {
  /** @type {{source: string | null, here: boolean, corners: number[][] | null, sides: (string | null)[], players?: string[]} | null} */
  const last = JSON.parse(kept(KEPT) ?? "null");
  if (!last || !(last.here || last.source)) return null;
  const run = async () => {
    try {
      if (last.here) await watch();
      else await call(`/api/tables/${table}/source`, { method: "PUT", token, hostKey: kept("kibitz.key"), body: { source: last.source } });
      for (const [player, side] of sidesOf(now().players, last)) {
        if (side && now().seats[player]) await send(table, token, { action: "seat", player, side });
      }
      if (!last.corners) return;
      for (let i = 0; i < 50 && !now().camera?.size; i += 1) await new Promise((done) => setTimeout(done, 200));
      await call(`/api/tables/${table}/corners`, { method: "PUT", token, body: { corners: last.corners } });
    } catch (error) { toast(/** @type {Error} */ (error).message, "bad"); }
  };
  return h("button", { type: "button", class: "choice", onclick: run }, h("b", {}, tx("As last time")), h("span", { class: "soft small" }, tx("the same camera, corners and seats")));
}
