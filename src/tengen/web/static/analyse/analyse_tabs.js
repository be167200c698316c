/**
 * The tabs of the analysis page.
 *
 * @typedef {import("../shared/context.js").Context} Context
 */

import { h } from "../shared/dom.js";

const NAMES = /** @type {const} */ (["moves", "engine", "review", "why", "setup", "files"]);
/** @typedef {typeof NAMES[number]} Name */

/**
 * @param {HTMLElement} element
 * @param {Context} context
 * @param {(name: Name) => void} onOpen
 */
export function createDeskTabs(element, { say }, onOpen) {
  /** @type {Name} */
  let open = "moves";
  const tabs = NAMES.map((name) =>
    h(
      "button",
      {
        id: `desk-${name}`,
        type: "button",
        role: "tab",
        "aria-controls": `desk-panel-${name}`,
        onclick: (/** @type {MouseEvent} */ event) => {
          choose(name);
          // Who has clicked on a tab steps through the moves with the arrow keys, not through the tabs.
          if (event.detail) tabs[NAMES.indexOf(name)].blur();
        },
      },
      say(`web.analyse.tab.${name}`),
    ),
  );
  const panels = /** @type {Record<Name, HTMLElement>} */ (
    /** @type {unknown} */ (
      Object.fromEntries(
        NAMES.map((name) => [
          name,
          h("div", {
            id: `desk-panel-${name}`,
            role: "tabpanel",
            "aria-labelledby": `desk-${name}`,
            class: `pad desk-${name}`,
            tabindex: name === "moves" ? null : 0,
          }),
        ]),
      )
    )
  );
  const list = h("div", { class: "tab-list", role: "tablist", "aria-label": say("web.play.tabs") }, tabs);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (NAMES.indexOf(open) + step + NAMES.length) % NAMES.length;
    choose(NAMES[next]);
    tabs[next].focus();
  });
  element.append(list, h("div", { class: "tab-body" }, Object.values(panels)));
  mark();

  return {
    panels,
    get open() {
      return open;
    },
    choose,
  };

  /**
   * @param {Name} name
   * @param {boolean} [pull] whether the sheet of small screens is pulled up, or folded at the second time
   */
  function choose(name, pull = true) {
    const { classList } = element;
    if (pull) classList.toggle("up", !(classList.contains("up") && name === open));
    open = name;
    mark();
    onOpen(name);
  }

  function mark() {
    NAMES.forEach((name, index) => {
      tabs[index].setAttribute("aria-selected", String(name === open));
      tabs[index].tabIndex = name === open ? 0 : -1;
      panels[name].hidden = name !== open;
    });
  }
}
