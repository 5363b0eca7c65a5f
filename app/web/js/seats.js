// @ts-check
/** Who sits at which side of the picture: learnt from the hands, corrected with one tap. */

import { ask, h } from "./dom.js";

const SIDES = ["top", "right", "bottom", "left"];

/** The side at which a player sits, to be tapped; nothing where no camera watches.
 * @param {any} state @param {(action: Record<string, any>) => Promise<any>} act @param {string} player
 */
export function seatButton(state, act, player) {
  const seat = state.seats?.[player];
  if (!seat || state.over || !state.camera?.size || !["host", "seat"].includes(state.you.role)) return null;
  const sits = seat.side ? `sits at the ${seat.side}` : "sits where?";
  return h("button", { type: "button", class: "quiet small", "aria-label": `${player} ${sits}`, onclick: () => correct(act, player, seat.side) }, sits);
}

/** @param {(action: Record<string, any>) => Promise<any>} act @param {string} player @param {string | null} now */
function correct(act, player, now) {
  const dialog = ask(`Where does ${player} sit?`, [
    h("p", {}, "At this side of the camera's picture. A hand from there is then taken for this player's."),
    h("div", { class: "row" }, ...SIDES.map((side) => h("button", {
      type: "button", class: side === now ? "first" : "",
      onclick: async () => { await act({ action: "seat", player, side }); dialog.close(); },
    }, side))),
  ], []);
}
