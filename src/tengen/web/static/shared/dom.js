/**
 * Makes elements: the little that every page needs and the browser does not give.
 *
 *     h("button", { class: "button", type: "button", onclick: act }, say("web.play.hint"))
 *
 * @typedef {any} Child a node, a text (never read as HTML), a list of children; null and false are left out
 */

/**
 * An element with attributes, listeners (`onclick` and the like) and children.
 *
 * `true` sets an attribute without a value; `false`, `null` and `undefined` leave it out. `dataset` takes an
 * object; `value` and `checked` are set as properties.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any> | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, props, ...children) {
  const made = document.createElement(name);
  fill(made, children);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(made.dataset, value);
    else if (key === "value" || key === "checked") Object.assign(made, { [key]: value });
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  return made;
}

/**
 * @param {Node} parent
 * @param {readonly Child[]} children
 */
function fill(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) fill(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Put other children into an element; what has the focus and an `id` keeps it.
 *
 * @param {Element} parent
 * @param {...Child} children
 */
export function replace(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement?.id : "";
  parent.replaceChildren();
  fill(parent, children);
  if (focused) document.getElementById(focused)?.focus();
}

/**
 * A picture of 20 by 20 units drawn with the pen of the text's colour.
 *
 * @param {string} path the `d` of an SVG path
 */
export function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/**
 * A small stone in a line of text.
 *
 * @param {"black" | "white"} colour
 */
export function disc(colour) {
  return h("span", { class: `disc ${colour}`, "aria-hidden": "true" });
}
