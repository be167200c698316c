/**
 * A dialog with the keys of the analysis.
 *
 * @import { Context } from "../shared/types.js"
 */

import { showKeys } from "../shared/dialog.js";

/** @param {Context} context */
export function showAnalysisKeys(context) {
  const { say } = context;
  showKeys(context, [
    ["← →", say("web.keys.browse")],
    ["Home End", say("web.analyse.keys.ends")],
    ["u / d", say("web.analyse.keys.sideways")],
    ["b", say("web.keys.board")],
    ["↑ ↓ ← →", say("web.keys.cursor")],
    ["Enter", say("web.keys.play")],
    ["e", say("web.analyse.keys.engine")],
    ["t", say("web.analyse.threats")],
    ["n", say("replay.numbers")],
    [", / .", say("web.analyse.keys.mistakes")],
    ["z", say("web.games.undo")],
  ]);
}
