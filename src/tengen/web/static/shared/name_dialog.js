/**
 * What one is called: asked for in a window, and kept by the server with the cookie of this browser.
 *
 * @import { Context } from "./types.js"
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { openDialog } from "./dialog.js";
import { nameView } from "./fields.js";

/**
 * @param {Context} context
 * @returns {Promise<string | null>} the name as it is now, empty for none; null where nothing has changed
 */
export async function openName(context) {
  const { say, api } = context;
  const known = api.get("/api/visitor").catch(() => null);
  const before = (await known)?.name ?? "";
  let name = before;
  let problem = "";
  const form = document.createElement("div");
  form.className = "setup";
  draw();
  const answer = openDialog(say, {
    title: say("web.name.title"),
    content: form,
    buttons: [
      { value: "forget", label: say("web.name.forget"), check: () => save("") },
      { value: "save", label: say("web.name.save"), kind: "main", check: () => save(name) },
    ],
  });
  const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  field.focus();
  field.select();
  if (!(await answer)) return null;
  context.toast(name ? say("web.name.saved", { name }) : say("web.name.gone"));
  return name;

  function draw() {
    const enter = (/** @type {KeyboardEvent} */ { key, isComposing }) => {
      if (key !== "Enter" || isComposing) return;
      /** @type {HTMLElement | null} */ (form.closest("dialog")?.querySelector("footer .main"))?.click();
    };
    const write = (/** @type {string} */ next) => {
      name = next;
      problem = "";
      draw();
    };
    render(
      html`<p class="soft">${say("web.name.lead")}</p>
        <label class="field">
          <span>${say("web.name.field")}</span>
          ${nameView(name, write, enter)}
        </label>
        <p class="problem" role="alert">${problem}</p>`,
      form,
    );
  }

  /**
   * @param {string} wanted
   * @returns {Promise<boolean>} whether it is kept
   */
  async function save(wanted) {
    try {
      ({ name } = await api.post("/api/visitor", { name: wanted }));
      return true;
    } catch (error) {
      problem = context.errorText(error);
      context.sound.refuse();
      draw();
      return false;
    }
  }
}
