/**
 * The address of a game, given to others: by what the device offers for it, else by the clipboard.
 *
 * @param {import("./game_state.js").Game} game
 */
export async function shareGame({ state, acts, context: { say } }) {
  const url = `${location.origin}/g/${state.id}`;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url });
    else {
      await navigator.clipboard.writeText(url);
      acts.note(say("web.play.copied"));
    }
  } catch {
    acts.note(url);
  }
}
