/**
 * Single keys for the analysis, the list of them, and small buttons.
 *
 * @typedef {import("../shared/context.js").Context} Context
 */

import { h, icon } from "../shared/dom.js";
import { typing } from "../shared/typing.js";

/**
 * @param {Record<string, () => void>} keys what each key does
 * @returns {() => void} how to stop listening
 */
export function listenTo(keys) {
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);

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

/** @param {Context} context */
export function showKeys({ say, openDialog }) {
  /** @type {[string, string][]} */
  const keys = [
    ["← →", say("web.keys.browse")],
    ["Home End", say("web.analyse.keys.ends")],
    ["u / d", say("web.analyse.keys.sideways")],
    ["b", say("web.keys.board")],
    ["↑ ↓ ← →", say("web.keys.cursor")],
    ["Enter", say("web.keys.play")],
    ["e", say("web.analyse.keys.engine")],
    ["t", say("web.analyse.threats")],
    ["n", say("replay.numbers")],
    [", / .", say("web.analyse.keys.mistakes")],
    ["z", say("web.games.undo")],
  ];
  const rows = keys.map(([key, does]) =>
    h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, does)),
  );
  void openDialog({ title: say("web.play.keys"), content: h("dl", { class: "keys" }, rows), buttons: [] });
}

/**
 * A button of a row, as wide as its neighbours.
 *
 * @param {string} label
 * @param {string} face a text, or the path of an icon
 * @param {() => void} act
 */
export function tool(label, face, act) {
  const made = h("button", {
    class: "step",
    type: "button",
    title: label,
    "aria-label": face.startsWith("M") ? label : `${face}: ${label}`,
    onclick: act,
  });
  made.append(face.startsWith("M") ? icon(face) : face);
  return made;
}
