/**
 * Whether a key belongs to something that is typed into.
 *
 * @param {Event} event
 */
export function typing(event) {
  return (
    event.target instanceof Element &&
    event.target.matches("input:not([type=range], [type=checkbox], [type=radio]), textarea, select")
  );
}
