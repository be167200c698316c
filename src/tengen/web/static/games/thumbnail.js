/**
 * Small boards for a list of games: a picture of a few lines each, asked for when it comes into view.
 *
 * @typedef {import("../shared/api.js").Api} Api
 * @typedef {{rules: {width: number, height: number}, stones: [string, string][], last: string | null}} Game
 */

import { parseMoves } from "/assets/notation.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {Api} api */
export function createThumbnail(api) {
  const leaving = new AbortController();
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void fill(/** @type {SVGElement} */ (target));
    }
  });

  return { of, destroy };

  /**
   * The picture of a game, empty at first.
   *
   * @param {string} id
   */
  function of(id) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "games-board");
    svg.setAttribute("viewBox", "0 0 15 15");
    svg.setAttribute("aria-hidden", "true");
    svg.dataset.id = id;
    seen.observe(svg);
    return svg;
  }

  /** @param {SVGElement} svg */
  async function fill(svg) {
    const signal = leaving.signal;
    // A picture that cannot be had leaves an empty board: the row says the rest.
    const game = await api.get(`/api/games/${svg.dataset.id}`, { signal }).catch(() => null);
    if (game && !signal.aborted) draw(svg, game);
  }

  function destroy() {
    leaving.abort();
    seen.disconnect();
  }
}

/**
 * @param {SVGElement} svg
 * @param {Game} game
 */
function draw(svg, { rules: { width, height }, stones, last }) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const columns = Array.from({ length: width }, (_, x) => `M${x + 0.5} 0.5V${height - 0.5}`);
  const rows = Array.from({ length: height }, (_, y) => `M0.5 ${y + 0.5}H${width - 0.5}`);
  add(svg, "path", { class: "grid", d: [...columns, ...rows].join("") });
  for (const [name, colour] of stones) {
    const point = parseMoves(name)[0];
    if (!point) continue;
    const place = { cx: point[0] + 0.5, cy: height - point[1] - 0.5 };
    add(svg, "circle", { class: colour, ...place, r: 0.46 });
    if (name === last) add(svg, "circle", { class: "last", ...place, r: 0.16 });
  }
}

/**
 * @param {SVGElement} svg
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function add(svg, name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  svg.append(made);
}
