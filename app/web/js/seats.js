// @ts-check
/** Who sits at which side of the picture: learnt from the hands, corrected with one tap. */

import { ask, h } from "./dom.js";
import { tx } from "./language.js";

const SIDES = { top: tx("top"), right: tx("right"), bottom: tx("bottom"), left: tx("left") };
const SITS = { top: tx("sits at the top"), right: tx("sits at the right"), bottom: tx("sits at the bottom"), left: tx("sits at the left") };

/** The side at which a player sits, to be tapped; nothing where no camera watches.
 * @param {any} state @param {(action: Record<string, any>) => Promise<any>} act @param {string} player
 */
export function seatButton(state, act, player) {
  const seat = state.seats?.[player];
  if (!seat || state.over || !state.camera?.size || !["host", "seat"].includes(state.you.role)) return null;
  const sits = seat.side ? SITS[/** @type {keyof typeof SITS} */ (seat.side)] : tx("set seat");
  return h("button", { type: "button", class: "quiet small", "aria-label": `${player} ${sits}`, onclick: () => correct(act, player, seat.side) }, sits);
}

/** @param {(action: Record<string, any>) => Promise<any>} act @param {string} player @param {string | null} now */
function correct(act, player, now) {
  const dialog = ask(tx("Where does {player} sit?", { player }), [
    h("p", {}, tx("At this side of the camera's picture. A hand from there is then taken for this player's.")),
    h("div", { class: "row" }, ...Object.entries(SIDES).map(([side, label]) => h("button", {
      type: "button", class: side === now ? "first" : "",
      onclick: async () => { await act({ action: "seat", player, side }); dialog.close(); },
    }, label))),
  ], []);
}
