/**
 * A dialog with the keys of a game.
 *
 * @import { Context } from "../shared/types.js"
 */

import { showKeys } from "../shared/dialog.js";

/** @param {Context} context */
export function showGameKeys(context) {
  const { say } = context;
  showKeys(context, [
    ["↑ ↓ ← →", say("web.keys.cursor")],
    ["Enter", say("web.keys.play")],
    ["Esc", say("web.keys.premove")],
    ["b", say("web.keys.board")],
    ["u", say("web.play.back_take")],
    ["h", say("web.play.hint")],
    ["n", say("web.play.hurry")],
    ["c", say("web.play.claim")],
    ["d", say("web.play.draw")],
    ["r", say("web.play.resign")],
    ["x", say("web.play.swap")],
    ["p / s", say("web.keys.pause")],
    ["a", say("web.play.again")],
    ["← →", say("web.keys.browse")],
    ["Home End", say("web.analyse.keys.ends")],
    ["l / w / e", say("web.keys.tabs")],
    ["m / k", say("web.keys.look")],
  ]);
}
