/**
 * What a site's browser keeps, and how to save it to a file and read one.
 *
 * @import { Context } from "../shared/types.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { ApiError } from "../shared/api.js";
import { saveFile } from "../shared/save_file.js";
import { buttonView } from "../shared/view.js";
import { dataFileName, keepDataFile, readDataFile, replaces, writeDataFile } from "./data_file.js";

const GAMES = "/api/data";
const WRONG = 422; // the status of what is refused for its content

/**
 * @param {Context} context
 * @param {() => void} draw called when it has something else to show
 */
export function createDataPanel(context, draw) {
  const { api, say, settings } = context;
  let busy = false;
  /** Whether the browser has promised to keep everything; null if that is not known. @type {boolean | null} */
  let isLasting = null;
  void ask();
  return { view: () => dataView({ busy, isLasting }, say, { save: () => run(save), open }) };

  async function ask() {
    isLasting = (await navigator.storage?.persisted?.().catch(() => null)) ?? null;
    draw();
  }

  /** @param {() => Promise<string>} act returns what it has done */
  async function run(act) {
    if (busy) return;
    busy = true;
    draw();
    try {
      const done = await act();
      if (done) context.toast(done);
    } catch (error) {
      context.toastError(error);
      context.sound.refuse();
    }
    busy = false;
    draw();
  }

  async function save() {
    const { games } = await api.get(GAMES);
    const now = new Date();
    const name = dataFileName(now);
    saveFile(new Blob([writeDataFile(games, now)], { type: "application/json" }), name);
    return say("web.data.saved", { file: name });
  }

  /** @param {File} chosen */
  function open(chosen) {
    void run(async () => {
      const file = readDataFile(await chosen.text());
      const answer = replaces(file) ? await askToReplace() : "replace";
      if (answer === "") return "";
      const { added, renewed } = await api.post(GAMES, { games: file.games }).catch((error) => {
        // The sentence about one field of one game helps nobody.
        if (error instanceof ApiError && error.status === WRONG)
          error.message = { key: "web.data.damaged" };
        throw error;
      });
      if (!keepDataFile(file, answer === "replace")) throw new ApiError({ key: "web.data.full" }, 0);
      if (answer === "replace") {
        for (const [name, value] of Object.entries(file.settings)) settings.set(name, value);
      }
      return say("web.data.done", { added: added.length, renewed: renewed.length });
    });
  }

  function askToReplace() {
    return context.openDialog({
      title: say("web.data.replace"),
      content: html`<p>${say("web.data.replace_text")}</p>`,
      buttons: [
        { value: "keep", label: say("web.data.keep") },
        { value: "replace", label: say("web.data.use"), kind: "main" },
      ],
    });
  }
}

/**
 * @param {{ busy: boolean, isLasting: boolean | null }} state
 * @param {Context["say"]} say
 * @param {{ save: () => void, open: (file: File) => void }} acts
 */
function dataView({ busy, isLasting }, say, { save, open }) {
  const lasting =
    isLasting === null ? nothing : say(isLasting ? "web.data.lasting" : "web.data.not_lasting");
  return html`<section>
      <h2>${say("web.data.title")}</h2>
      <p>${say("web.data.where")}</p>
      <p>${lasting}</p>
    </section>
    <section class="panel">
      <h2>${say("web.data.file")}</h2>
      <p>${say("web.data.file_text")}</p>
      <div class="privacy-buttons">
        ${buttonView(say("web.data.save"), save, { disabled: busy })}
        ${buttonView(say("web.data.read"), choose, { disabled: busy })}
        <input
          id="data-file"
          class="unseen"
          type="file"
          accept=".json,application/json"
          tabindex="-1"
          aria-hidden="true"
          @change=${take}
        />
      </div>
    </section>`;

  function choose() {
    document.getElementById("data-file")?.click();
  }

  /** @param {Event} event */
  function take({ target }) {
    const field = /** @type {HTMLInputElement} */ (target);
    const [chosen] = field.files ?? [];
    if (chosen) open(chosen);
    field.value = "";
  }
}
