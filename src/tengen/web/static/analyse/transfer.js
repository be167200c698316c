/**
 * Files in and out: pasted text, dropped and chosen files, every format and picture, the address of a position.
 *
 * @typedef {import("./analyse.js").Desk} Desk
 */

import { ApiError } from "../shared/api.js";
import { h, replace } from "../shared/dom.js";
import { writeRecord } from "./study_tree.js";

const FORMATS = ["sgf", "psq", "rec", "lib", "rif", "xml", "json", "txt", "board"];
const PICTURES = ["svg", "png", "gif"];

/**
 * @param {HTMLElement} element
 * @param {Desk} desk
 */
export function createTransfer(element, desk) {
  const { context } = desk;
  const { say, api, settings } = context;
  const text = h("textarea", {
    rows: 4,
    "aria-label": say("web.analyse.paste"),
    placeholder: say("web.analyse.paste"),
  });
  const file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true" });
  const found = h("div", { role: "status" });
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    if (chosen) void upload(chosen);
    file.value = "";
  });
  element.append(
    h("h2", null, say("web.analyse.import")),
    text,
    h(
      "div",
      { class: "setup-buttons" },
      h(
        "button",
        { class: "button main", type: "button", onclick: () => paste(text.value) },
        say("web.analyse.read"),
      ),
      h(
        "button",
        { class: "button", type: "button", onclick: () => file.click() },
        say("web.analyse.open_file"),
      ),
      file,
    ),
    found,
    h("h2", null, say("web.games.export")),
    h(
      "div",
      { class: "formats" },
      [...FORMATS, ...PICTURES].map((name) =>
        h("button", { class: "button", type: "button", onclick: () => save(name) }, name),
      ),
    ),
    h("h2", null, say("web.play.share")),
    h(
      "div",
      { class: "setup-buttons" },
      h("button", { class: "button", type: "button", onclick: copy }, say("web.analyse.copy_address")),
      "share" in navigator &&
        h(
          "button",
          {
            class: "button",
            type: "button",
            onclick: () => navigator.share({ url: desk.address() }).catch(() => {}),
          },
          say("web.play.share"),
        ),
    ),
  );

  return { upload, paste };

  /** @param {string} given */
  async function paste(given) {
    if (given.trim()) await read({ text: given, rules: desk.study.rules });
  }

  /** @param {File} chosen */
  async function upload(chosen) {
    const form = new FormData();
    form.append("file", chosen);
    await read(form);
  }

  /** @param {FormData | object} body */
  async function read(body) {
    try {
      const { records, problems } = await api.post("/api/import", body);
      const notes = problems.map((/** @type {any} */ problem) =>
        h("p", { class: "soft" }, context.lookupKey(problem)),
      );
      if (records.length === 1) {
        await desk.open(records[0]);
        replace(found, notes);
        return;
      }
      const choices = records.map((/** @type {any} */ record, /** @type {number} */ index) =>
        h(
          "li",
          null,
          h(
            "button",
            { class: "button", type: "button", onclick: () => desk.open(record) },
            title(record, index),
          ),
        ),
      );
      replace(
        found,
        notes,
        h("p", null, say("web.analyse.several", { count: records.length })),
        h("ul", { class: "records" }, choices),
      );
    } catch (error) {
      tell(error);
    }
  }

  /**
   * @param {any} record
   * @param {number} index
   */
  function title({ headers = {}, nodes }, index) {
    const names = [headers.black, headers.white].filter(Boolean).join(" – ");
    return `${index + 1}. ${names} (${Math.max(nodes.length - 1, 0)})`;
  }

  /** @param {string} format */
  async function save(format) {
    try {
      const blob = PICTURES.includes(format)
        ? await api.file("/api/picture", {
            ...desk.position(),
            format,
            numbers: format !== "gif",
            theme: settings.get("boardTheme"),
            lang: context.lang,
          })
        : await api.file("/api/export", { record: writeRecord(desk.study), format });
      const link = h("a", { href: URL.createObjectURL(blob), download: `tengen.${format}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch (error) {
      tell(error);
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(desk.address());
      context.toast(say("web.play.copied"));
    } catch {
      const content = h("p", { class: "address" }, desk.address());
      await context.openDialog({ title: say("web.play.address"), content, buttons: [] });
    }
  }

  /** @param {unknown} error */
  function tell(error) {
    if (!(error instanceof ApiError)) throw error;
    context.toast(error.message, { kind: "error" });
  }
}
