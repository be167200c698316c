/** What ratings look like. */

/**
 * A rating; one that says little yet has a question mark.
 *
 * @param {import("./game_types.js").Rating} rating
 */
export function ratingText({ rating, provisional }) {
  return `${rating}${provisional ? "?" : ""}`;
}
