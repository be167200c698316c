/** Makes boards to step through of the pictures of games on a page. */

import { createReplay } from "./replay.js";
import { speaker } from "./words.js";
import { LOCALE, TEXTS } from "./texts.js";

const say = speaker(TEXTS, LOCALE);

for (const place of document.querySelectorAll("[data-game]")) {
  const { width, height, moves, line } = JSON.parse(place.dataset.game);
  place.replaceChildren();
  const replay = createReplay(place, { width, height, say });
  const nothing = moves.map(() => null);
  const lines = line.length ? [{ points: line, kind: "win" }] : [];
  replay.load({ moves, given: 0, seconds: nothing, scores: nothing, lines });
}
