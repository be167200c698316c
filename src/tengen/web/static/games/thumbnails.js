/**
 * Small boards for a list of games: a picture of a few lines each, asked for when it comes into view.
 *
 * @import { Api } from "../shared/api.js"
 * @import { Settings } from "../shared/settings.js"
 *
 * @typedef {{rules: {width: number, height: number}, stones: [string, string][], last: string | null}} Game
 */

import { nothing, render, svg } from "/static/vendor/lit-html/lit.js";
import { pointOf } from "../shared/position.js";

/**
 * @param {Api} api
 * @param {Settings} settings
 */
export function createThumbnails(api, settings) {
  /** @type {Map<string, SVGElement>} */
  const pictures = new Map();
  const leaving = new AbortController();
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void fill(/** @type {SVGElement} */ (target));
    }
  });

  const off = settings.on("boardTheme", () => pictures.forEach(dress));

  return { of, destroy };

  /**
   * The picture of a game, empty at first.
   *
   * @param {string} id
   */
  function of(id) {
    const known = pictures.get(id);
    if (known) return known;
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("class", "games-board");
    picture.setAttribute("viewBox", "0 0 15 15");
    picture.setAttribute("aria-hidden", "true");
    picture.dataset.id = id;
    dress(picture);
    pictures.set(id, picture);
    seen.observe(picture);
    return picture;
  }

  /** @param {SVGElement} picture */
  function dress(picture) {
    picture.dataset.board = settings.get("boardTheme");
  }

  /** @param {SVGElement} picture */
  async function fill(picture) {
    const signal = leaving.signal;
    // A picture that cannot be had leaves an empty board: the row says the rest.
    const game = await api.get(`/api/games/${picture.dataset.id}`, { signal }).catch(() => null);
    if (!game || signal.aborted) return;
    const { width, height } = game.rules;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    render(thumbnailView(game), /** @type {any} */ (picture));
  }

  function destroy() {
    leaving.abort();
    seen.disconnect();
    off();
  }
}

/** @param {Game} game */
function thumbnailView({ rules: { width, height }, stones, last }) {
  const columns = Array.from({ length: width }, (_, x) => `M${x + 0.5} 0.5V${height - 0.5}`);
  const rows = Array.from({ length: height }, (_, y) => `M0.5 ${y + 0.5}H${width - 0.5}`);
  return svg`<path class="grid" d=${[...columns, ...rows].join("")} />
    ${stones.map(([name, colour]) => {
      const point = pointOf(name);
      if (!point) return nothing;
      const [x, y] = [point[0] + 0.5, height - point[1] - 0.5];
      return svg`<circle class=${colour} cx=${x} cy=${y} r="0.46" />
        ${name === last ? svg`<circle class="last on-${colour}" cx=${x} cy=${y} r="0.16" />` : nothing}`;
    })}`;
}
