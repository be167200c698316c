/** @import { Game } from "./game_state.js" */

import { publicOrigin } from "../shared/public_origin.js";

/**
 * The address of a game, given to others: by what the device offers for it, else by the clipboard.
 *
 * @param {Game} game
 */
export async function shareGame({ state, acts, context: { api, say } }) {
  const { origin, reachable } = await publicOrigin(api);
  const url = `${origin}/g/${state.id}`;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url });
    else {
      await navigator.clipboard.writeText(url);
      acts.note(say(reachable ? "web.play.copied" : "web.play.copied_here"));
    }
  } catch {
    acts.note(url);
  }
}
