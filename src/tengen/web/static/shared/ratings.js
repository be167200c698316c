/**
 * What ratings look like.
 *
 * @import { Rating } from "./schemas.js"
 */

/**
 * A rating; one that says little yet has a question mark.
 *
 * @param {Rating} rating
 */
export function ratingText({ rating, provisional }) {
  return `${rating}${provisional ? "?" : ""}`;
}
