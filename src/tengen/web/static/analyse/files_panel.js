/**
 * Files in and out: pasted text, dropped and chosen files, every format and picture, the address of a position.
 *
 * @import { Context } from "../shared/types.js"
 * @import { Analysis } from "./analyse.js"
 *
 * @typedef {object} Found what was read, where it is not simply shown
 * @property {string[]} problems sentences
 * @property {any[]} records to choose from
 * @property {string} proven what a proof proves
 * @property {number} [ply] where to begin in one of them, instead of at its end
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { publicOrigin } from "../shared/address.js";
import { PICTURES, saveFile } from "../shared/save_file.js";
import { buttonView, createStore, valueOf } from "../shared/view.js";
import { writeRecord } from "./game_tree.js";

const FORMATS = ["sgf", "psq", "rec", "lib", "rif", "xml", "json", "txt", "board"];
const SLOW = 400; // milliseconds after which it is said that something is being read
const TOASTS = 2; // problems of a file that are toasts; the panel has all of them

/** @type {Found} */
const NOTHING = { problems: [], records: [], proven: "" };

/** @param {Analysis} analysis */
export function createFilesPanel({ context, study, address, draw }) {
  const { say, api, settings } = context;
  const { state, update } = createStore({ text: "", found: NOTHING, slow: false }, draw);
  let reading = new AbortController();

  return {
    view,
    upload,
    paste,
    /** Whether something is being read that takes a while. */
    get slow() {
      return state.slow;
    },
    destroy: () => reading.abort(),
  };

  function view() {
    const acts = {
      write: (/** @type {string} */ text) => update({ text }),
      paste: () => void paste(state.text),
      upload,
      open: (/** @type {any} */ record) => void take(record, state.found.ply),
      save,
      copy,
      share,
    };
    return filesView(state, context, acts);
  }

  /** @param {string} given */
  async function paste(given) {
    if (given.trim()) await read({ text: given, rules: study.tree.rules });
  }

  /** @param {File} chosen */
  async function upload(chosen) {
    const form = new FormData();
    form.append("file", chosen);
    form.append("lang", context.language.code);
    await read(form);
  }

  /** Read something; what is being read is given up. @param {FormData | object} body */
  async function read(body) {
    reading.abort();
    const { signal } = (reading = new AbortController());
    update({ found: NOTHING });
    const timer = setTimeout(() => update({ slow: true }), SLOW);
    try {
      const { records, problems, proven, ply } = await api.post("/api/import", body, { signal });
      const single = records.length === 1;
      update({
        found: {
          problems: problems.map(context.lookupKey),
          records: single ? [] : records,
          proven: proven ? context.lookupKey(proven) : "",
          ply,
        },
      });
      if (single && isEmpty(records[0])) context.toast({ key: "error.format.empty" }, { kind: "error" });
      else if (single) await take(records[0], ply);
      // Whoever has pasted it beside another tab is to see it as well.
      for (const problem of problems.slice(0, TOASTS)) {
        context.toast(context.lookupKey(problem), problem.lost ? { kind: "error" } : {});
      }
    } catch (error) {
      if (!signal.aborted) context.toastError(error);
    } finally {
      clearTimeout(timer);
      if (!signal.aborted) update({ slow: false });
    }
  }

  /**
   * Study a game that was read, and say which it is.
   *
   * @param {any} record
   * @param {number} [ply] where to begin, instead of at its end
   */
  async function take(record, ply) {
    const before = study.formers;
    await study.open(record, ply);
    const action = study.formers === before ? undefined : { label: say("web.games.undo"), act: study.undo };
    const text = state.found.proven || say("web.analyse.imported", { game: gameText(record, say) });
    context.toast(text, { action });
  }

  /** @param {string} format */
  async function save(format) {
    try {
      const { file, notKept } = PICTURES.includes(format)
        ? await api.download("/api/picture", {
            ...study.position(),
            format,
            numbers: format !== "gif",
            theme: settings.get("boardTheme"),
            coordinate_style: settings.get("coordinateStyle"),
            lang: context.language.code,
          })
        : await api.download("/api/export", { record: writeRecord(study.tree), format });
      saveFile(file, `tengen.${format}`);
      const action = { label: "SGF", act: () => void save("sgf") };
      if (notKept) context.toast(context.lookupKey(notKept), { action });
    } catch (error) {
      context.toastError(error);
    }
  }

  /** The address of what is shown, by which others get there. */
  async function publicAddress() {
    const { origin, reachable } = await publicOrigin(api);
    return { url: address().replace(location.origin, origin), reachable };
  }

  async function copy() {
    const { url, reachable } = await publicAddress();
    try {
      await navigator.clipboard.writeText(url);
      context.toast(say(reachable ? "web.play.copied" : "web.play.copied_here"));
    } catch {
      const content = html`<p class="address">${url}</p>`;
      await context.openDialog({ title: say("web.play.address"), content, buttons: [] });
    }
  }

  async function share() {
    const { url } = await publicAddress();
    navigator.share({ url }).catch(() => {});
  }
}

/**
 * @param {{ text: string, found: Found }} state
 * @param {Context} context
 * @param {object} acts
 * @param {(text: string) => void} acts.write
 * @param {() => void} acts.paste
 * @param {(file: File) => void} acts.upload
 * @param {(record: any) => void} acts.open
 * @param {(format: string) => void} acts.save
 * @param {() => void} acts.copy
 * @param {() => void} acts.share
 */
function filesView({ text, found }, { say }, { write, paste, upload, open, save, copy, share }) {
  return html`<h2>${say("web.analyse.import")}</h2>
    <textarea
      rows="4"
      aria-label=${say("web.analyse.paste")}
      placeholder=${say("web.analyse.paste")}
      .value=${live(text)}
      @input=${(/** @type {Event} */ event) => write(valueOf(event))}
    ></textarea>
    <div class="setup-buttons">
      ${buttonView(say("web.analyse.read"), paste, { kind: "main" })}
      <button class="button" type="button" @click=${choose}>${say("web.analyse.open_file")}</button>
      <input class="unseen" type="file" tabindex="-1" aria-hidden="true" @change=${take} />
    </div>
    <div role="status">${foundView(found, say, open)}</div>
    <h2>${say("web.games.export")}</h2>
    <div class="formats">
      ${[...FORMATS, ...PICTURES].map((name) => buttonView(name, () => save(name)))}
    </div>
    <h2>${say("web.play.share")}</h2>
    <div class="setup-buttons">
      ${buttonView(say("web.analyse.copy_address"), copy)}
      ${"share" in navigator ? buttonView(say("web.play.share"), share) : nothing}
      ${buttonView(say("web.print.print"), () => print())}
    </div>`;

  /** @param {Event} event */
  function choose({ currentTarget }) {
    const place = /** @type {HTMLElement} */ (currentTarget).parentElement;
    /** @type {HTMLInputElement | null | undefined} */ (place?.querySelector("[type=file]"))?.click();
  }

  /** @param {Event} event */
  function take({ target }) {
    const field = /** @type {HTMLInputElement} */ (target);
    const [chosen] = field.files ?? [];
    if (chosen) upload(chosen);
    field.value = "";
  }
}

/**
 * @param {Found} found
 * @param {Context["say"]} say
 * @param {(record: any) => void} onOpen
 */
function foundView({ problems, records, proven }, say, onOpen) {
  return html`${proven ? html`<p>${proven}</p>` : nothing}${problems.map((problem) => html`<p class="soft">${problem}</p>`)}
  ${
    records.length
      ? html`<p>${say("web.analyse.several", { count: records.length })}</p>
          <ul class="records">
            ${records.map(
              (record, at) =>
                html`<li>
                  ${buttonView(html`${at + 1}. ${gameText(record, say)}`, () => onOpen(record))}
                </li>`,
            )}
          </ul>`
      : nothing
  }`;
}

/** Whether nothing was read but a board: a lone dot is a drawing, too. @param {any} record */
function isEmpty({ headers = {}, setup = null, nodes }) {
  return nodes.length < 2 && !setup && !Object.keys(headers).length;
}

/**
 * A game that was read, in a few words: who played, or what it is, and how many moves there are.
 *
 * @param {any} record
 * @param {Context["say"]} say
 */
function gameText({ headers = {}, nodes }, say) {
  const names = [headers.black, headers.white].filter(Boolean).join(" – ") || headers.event;
  const moves = say("web.analyse.moves_count", { moves: Math.max(nodes.length - 1, 0) });
  return names ? `${names}, ${moves}` : moves;
}
