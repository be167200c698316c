/**
 * A cue at the lower edge of what scrolls within the page: there is more below. Browsers of phones show no bar for that.
 */

const SCROLLED = ".dialog-body, .popover, .room, .start .side, .puzzles .side";
const REST = 8; // pixels below that are not worth a cue
const LATER = 100; // milliseconds from a change of the page to a check of it

/** Keep the cues of all pages and dialogs right. */
export function cueScrolling() {
  let timer = 0;
  const soon = () => {
    timer ||= window.setTimeout(update, LATER);
  };
  new MutationObserver(soon).observe(document.body, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  document.addEventListener("scroll", soon, { capture: true, passive: true });
  document.addEventListener("toggle", soon, { capture: true });
  addEventListener("resize", soon);
  soon();

  function update() {
    timer = 0;
    // A place that was a page's before may have become another's.
    for (const element of document.querySelectorAll(`${SCROLLED}, [data-more]`)) {
      const { scrollHeight, clientHeight, scrollTop } = element;
      const more = clientHeight > 0 && scrollHeight - clientHeight - scrollTop > REST;
      const scrolls = element.matches(SCROLLED) && getComputedStyle(element).overflowY === "auto";
      // An attribute, for the classes are written by the views.
      element.toggleAttribute("data-more", more && scrolls);
    }
  }
}
