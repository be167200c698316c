/** Single keys that a page takes; keys_dialog.js lists them. The board has keys of its own, see board.js. */

/**
 * @param {Record<string, () => void>} keys what each does
 * @returns {() => void} how to stop listening
 */
export function listenToKeys(keys) {
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);

  /** @param {KeyboardEvent} event */
  function press(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || typing(event)) return;
    if (document.querySelector("dialog[open]") || !Object.hasOwn(keys, key)) return;
    const sliding = target instanceof HTMLInputElement && target.type === "range";
    if (sliding && key.startsWith("Arrow")) return;
    event.preventDefault();
    keys[key]();
  }
}

/**
 * Whether a key or a paste belongs to something that is typed into.
 *
 * @param {Event} event
 */
export function typing(event) {
  return (
    event.target instanceof Element &&
    event.target.matches("input:not([type=range], [type=checkbox], [type=radio]), textarea, select")
  );
}
