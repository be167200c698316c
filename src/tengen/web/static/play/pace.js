/**
 * How fast two computers play: a slider.
 *
 * @typedef {import("./game_view.js").Game} Game
 */

import { h } from "../shared/dom.js";

const PACES = [5, 3, 2, 1, 0.5, 0.2, 0]; // seconds a move, slow to fast

/** @param {Game} game */
export function createPace(game) {
  const { say } = game.context;
  const slider = h("input", {
    type: "range",
    min: 0,
    max: PACES.length - 1,
    step: 1,
    "aria-label": say("web.play.pace"),
  });
  const told = h("span", { class: "soft" });
  const element = h("label", { class: "pace panel" }, say("web.play.pace"), slider, told);
  slider.addEventListener("input", () => tell(PACES[slider.valueAsNumber]));
  slider.addEventListener("change", () => void game.act("pace", { seconds: PACES[slider.valueAsNumber] }));
  return { element, set, destroy: () => element.remove() };

  function set() {
    const { state, mine } = game;
    element.hidden = Boolean(state.outcome) || state.seats.some(({ occupant }) => occupant === "human");
    slider.disabled = !mine;
    if (document.activeElement === slider) return;
    const nearest = PACES.map((pace) => Math.abs(pace - state.pace));
    slider.value = String(nearest.indexOf(Math.min(...nearest)));
    tell(state.pace);
  }

  /** @param {number} pace */
  function tell(pace) {
    told.textContent = pace ? say("web.play.pace_seconds", { seconds: pace }) : say("web.play.pace_full");
    slider.setAttribute("aria-valuetext", told.textContent);
  }
}
