/**
 * The line above every page: where one can go, and how the app looks, speaks and sounds.
 *
 * @typedef {import("./context.js").Context} Context
 */

import { h, icon, replace } from "./dom.js";

const MENU = "M3 5H17M3 10H17M3 15H17";
const THEME = "M10 3A7 7 0 1 0 10 17A7 7 0 1 0 10 3M10 3V17A7 7 0 0 1 10 3";
const LOUD = "M3 8V12H6L10 16V4L6 8ZM13 7.5Q15 10 13 12.5M15 5Q19 10 15 15";
const MUTE = "M3 8V12H6L10 16V4L6 8ZM13 8L17 12M17 8L13 12";
const GEAR =
  "M3 6H9M13 6H17M9 6A2 2 0 1 0 13 6A2 2 0 1 0 9 6M3 14H5M9 14H17M5 14A2 2 0 1 0 9 14A2 2 0 1 0 5 14";

/**
 * @param {HTMLElement} element
 * @param {import("./settings.js").Settings} settings
 */
export function createHeader(element, settings) {
  /** @type {Context} */
  let context;
  let page = "";

  for (const name of ["theme", "sound"]) settings.on(name, () => show(context));
  return { show, mark };

  /** @param {string} name of the page that is shown */
  function mark(name) {
    page = name;
    if (context) show(context);
  }

  /** @param {Context} next */
  function show(next) {
    context = next;
    const { say } = context;
    replace(
      element,
      h("a", { class: "skip", href: "#page" }, say("web.nav.skip")),
      h("a", { class: "brand", href: "/" }, h("b", null, "Tengen"), h("span", { lang: "zh" }, "天元")),
      h("nav", { "aria-label": say("web.nav.pages") }, links()),
      h("div", { class: "tools" }, ...tools()),
      h(
        "div",
        { id: "menu", class: "popover menu", popover: "auto" },
        h("nav", null, links()),
        tools("menu-"),
      ),
      h("div", { id: "settings", class: "popover settings", popover: "auto" }, choices()),
    );
  }

  function links() {
    const { say } = context;
    /** @type {[string, string, string][]} */
    const all = [
      ["play", "/", say("web.nav.play")],
      ["watch", "/watch", say("web.nav.watch")],
      ["analyse", "/analyse", say("web.nav.analyse")],
      ["learn", "/learn", say("web.nav.learn")],
      ["games", "/games", say("web.nav.games")],
    ];
    return all.map(([name, href, text]) =>
      h("a", { href, "aria-current": name === page && "page", onclick: closeMenu }, text),
    );
  }

  /** @param {string} prefix of identifiers: the same tools stand in the menu of small screens */
  function tools(prefix = "") {
    const { say, lang } = context;
    const theme = settings.get("theme");
    const sound = settings.get("sound");
    const themes = {
      auto: say("web.theme.auto"),
      light: say("web.theme.light"),
      dark: say("web.theme.dark"),
    };
    const after = { auto: "light", light: "dark", dark: "auto" };
    const language = say("web.nav.language");
    return [
      tool(prefix + "lang", language, lang === "zh" ? "中 / EN" : "EN / 中", () => {
        closeMenu();
        settings.set("lang", lang === "zh" ? "en" : "zh");
      }),
      tool(
        prefix + "theme",
        say("web.nav.theme", { theme: themes[/** @type {keyof themes} */ (theme)] }),
        THEME,
        () => settings.set("theme", after[/** @type {keyof after} */ (settings.get("theme"))]),
      ),
      tool(
        prefix + "sound",
        sound ? say("web.nav.sound_on") : say("web.nav.sound_off"),
        sound ? LOUD : MUTE,
        () => settings.set("sound", !settings.get("sound")),
      ),
      tool(prefix + "options", say("web.nav.settings"), GEAR, undefined, "settings"),
      ...(prefix ? [] : [tool("open-menu", say("web.nav.menu"), MENU, undefined, "menu")]),
    ];
  }

  /**
   * @param {string} id
   * @param {string} label
   * @param {string} face a text or the path of an icon
   * @param {(() => void) | undefined} act
   * @param {string} [target] of a popover
   */
  function tool(id, label, face, act, target) {
    return h(
      "button",
      {
        id,
        class: "tool",
        type: "button",
        title: label,
        // A name holds what is written on the button.
        "aria-label": face.startsWith("M") ? label : `${face}: ${label}`,
        onclick: act,
        popovertarget: target,
      },
      face.startsWith("M") ? icon(face) : face,
      h("span", { class: "tool-label" }, label),
    );
  }

  function choices() {
    const { say } = context;
    return [
      h("h2", null, say("web.nav.settings")),
      select("boardTheme", say("web.settings.board"), {
        wood: say("web.settings.wood"),
        plain: say("web.settings.plain"),
        print: say("web.settings.print"),
      }),
      check("coordinates", say("web.settings.coordinates")),
      check("numbers", say("web.settings.numbers")),
      select("confirm", say("web.settings.confirm"), {
        auto: say("web.settings.confirm_auto"),
        always: say("web.settings.confirm_always"),
        never: say("web.settings.confirm_never"),
      }),
    ];
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {Record<string, string>} options
   */
  function select(name, label, options) {
    const field = h(
      "select",
      { onchange: () => settings.set(name, field.value) },
      Object.entries(options).map(([value, text]) => h("option", { value }, text)),
    );
    field.value = settings.get(name);
    return h("label", { class: "field" }, label, field);
  }

  /**
   * @param {string} name
   * @param {string} label
   */
  function check(name, label) {
    const field = h("input", {
      type: "checkbox",
      checked: settings.get(name),
      onchange: () => settings.set(name, field.checked),
    });
    settings.on(name, (value) => (field.checked = value));
    return h("label", { class: "field check" }, label, field);
  }
}

function closeMenu() {
  document.getElementById("menu")?.hidePopover?.();
}
