/**
 * What a page shows on paper: boards black on white with numbered moves, whatever its reader has chosen for the screen.
 * Pages draw themselves as the settings say, so those are lent while the browser prints; print.css does the rest.
 *
 * @import { Settings } from "./settings.js"
 */

import { loadStyles } from "./router.js";

/** Settings for paper; `printing` is none that a reader chooses. */
const ON_PAPER = { theme: "light", boardTheme: "print", numbers: true, printing: true };

/** @param {Settings} settings */
export function followPrinting(settings) {
  void loadStyles("shared/print.css", "print");
  const begin = () => settings.lend(ON_PAPER);
  const end = () => settings.lend({});
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  // Where a page is shown as printed without being printed, only this is told.
  const paper = matchMedia("print");
  paper.addEventListener("change", ({ matches }) => (matches ? begin() : end()));
  if (paper.matches) begin();
}
