/**
 * The line above every page: where one can go, and how the app looks, speaks and sounds.
 *
 * @import { Settings } from "./settings.js"
 * @import { Context } from "./types.js"
 *
 * @typedef {object} Tool
 * @property {string} id
 * @property {string} label
 * @property {string} [text] written on the button
 * @property {string} [path] of the icon that stands on it instead
 * @property {() => void} [act]
 * @property {string} [target] the pop-over that it opens
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { link } from "./addresses.js";
import { LANGUAGES } from "./context.js";
import { loadModule } from "./router.js";
import { SETTINGS, buttonView, checkboxView, closePopover, icon, isOff, selectView } from "./view.js";

const MENU = "M3 5H17M3 10H17M3 15H17";
const THEME = "M10 3A7 7 0 1 0 10 17A7 7 0 1 0 10 3M10 3V17A7 7 0 0 1 10 3";
const LOUD = "M3 8V12H6L10 16V4L6 8ZM13 7.5Q15 10 13 12.5M15 5Q19 10 15 15";
const MUTE = "M3 8V12H6L10 16V4L6 8ZM13 8L17 12M17 8L13 12";

/** What the header shows of the settings. */
const SHOWN = [
  ...["theme", "sound", "boardTheme", "coordinates", "coordinateStyle", "numbers", "confirm", "premoves"],
];

/**
 * @param {HTMLElement} element
 * @param {Settings} settings
 */
export function createHeader(element, settings) {
  /** @type {Context | null} */
  let context = null;
  let page = "";
  for (const name of SHOWN) settings.on(name, draw);

  return {
    draw,
    /** @param {string} name of the page that is shown */
    mark(name) {
      page = name;
      draw();
    },
    /** @param {Context} next with the words of the language that is spoken */
    show(next) {
      context = next;
      draw();
    },
  };

  function draw() {
    if (context) render(headerView(page, context), element);
  }
}

/**
 * @param {string} page name of the one that is shown
 * @param {Context} context
 */
function headerView(page, context) {
  const { say } = context;
  const tools = toolsOf(context);
  const menu = { id: "open-menu", label: say("web.nav.menu"), path: MENU, target: "menu" };
  return html`<a class="skip" href="#page">${say("web.nav.skip")}</a>
    <a class="brand" href=${link("/")}><b>Tengen</b><span lang="zh">天元</span></a>
    <nav aria-label=${say("web.nav.pages")}>${linksView(page, say)}</nav>
    ${callView(context)}
    <div class="tools">${[...tools, menu].map(toolView)}</div>
    <div id="menu" class="popover menu" popover="auto">
      <nav>
        ${linksView(page, say)}
        <a
          href=${link("/privacy")}
          aria-current=${page === "privacy" ? "page" : nothing}
          @click=${closeMenu}
          >${say("web.privacy.title")}</a
        >
      </nav>
      ${tools.map((tool) => toolView({ ...tool, id: `menu-${tool.id}` }))}
    </div>
    <div id="languages" class="popover languages" popover="auto">${languagesView(context)}</div>
    <div id="settings" class="popover settings" popover="auto">${settingsView(context)}</div>`;
}

/**
 * What one waits for, or the game that one has been told of.
 *
 * @param {Context} context
 */
function callView({ calls, say }) {
  const pending = calls.pending();
  if (pending) {
    return html`<a class="call begun" href=${link(`/g/${pending.game}`)} title=${pending.text}
      >${say("web.tournament.play")}</a
    >`;
  }
  if (!calls.offering()) return nothing;
  return html`<a class="call" href=${link("/lobby")} title=${say("web.lobby.waiting")}
    >${say("web.lobby.waiting_short")}</a
  >`;
}

/**
 * @param {string} page
 * @param {Context["say"]} say
 */
function linksView(page, say) {
  const all = [
    { name: "play", href: "/", text: say("web.nav.play") },
    ...(isOff("lobby") ? [] : [{ name: "lobby", href: "/lobby", text: say("web.lobby.title") }]),
    ...(isOff("tournaments")
      ? []
      : [{ name: "tournaments", href: "/tournaments", text: say("web.tournament.tournaments") }]),
    { name: "watch", href: "/watch", text: say("web.nav.watch") },
    { name: "analyse", href: "/analyse", text: say("web.nav.analyse") },
    { name: "learn", href: "/learn", text: say("web.nav.learn") },
    { name: "puzzles", href: "/puzzles", text: say("web.nav.puzzles") },
    { name: "games", href: "/games", text: say("web.nav.games") },
  ];
  return all.map(
    ({ name, href, text }) =>
      html`<a href=${link(href)} aria-current=${name === page ? "page" : nothing} @click=${closeMenu}
        >${text}</a
      >`,
  );
}

/**
 * @param {Context} context
 * @returns {Tool[]}
 */
function toolsOf({ say, language, settings }) {
  /** @type {"auto" | "light" | "dark"} */
  const theme = settings.get("theme");
  const sound = settings.get("sound");
  const themes = {
    auto: say("web.theme.auto"),
    light: say("web.theme.light"),
    dark: say("web.theme.dark"),
  };
  const after = { auto: "light", light: "dark", dark: "auto" };
  return [
    {
      id: "lang",
      label: say("web.nav.language"),
      text: language.name,
      target: "languages",
    },
    {
      id: "theme",
      label: say("web.nav.theme", { theme: themes[theme] }),
      path: THEME,
      act: () => settings.set("theme", after[theme]),
    },
    {
      id: "sound",
      label: sound ? say("web.nav.sound_on") : say("web.nav.sound_off"),
      path: sound ? LOUD : MUTE,
      act: () => settings.set("sound", !sound),
    },
    { id: "options", label: say("web.nav.settings"), path: SETTINGS, target: "settings" },
  ];
}

/** @param {Tool} tool */
function toolView({ id, label, text, path, act, target }) {
  // A name holds what is written on the button.
  return html`<button
    id=${id}
    class="tool"
    type="button"
    title=${label}
    aria-label=${text ? `${text}: ${label}` : label}
    popovertarget=${target ?? nothing}
    @click=${act}
  >
    ${path ? icon(path) : text}<span class="tool-label">${label}</span>
  </button>`;
}

/** @param {Context} context */
function languagesView({ say, language, settings }) {
  const note = LANGUAGES.some(({ draft }) => draft) ? html`<p>${say("web.nav.draft_note")}</p>` : nothing;
  const buttons = LANGUAGES.map(
    ({ code, locale, name, draft }) =>
      html`<button
        class="button"
        type="button"
        lang=${locale}
        aria-pressed=${code === language.code}
        @click=${() => {
          closePopover("languages");
          closeMenu();
          settings.set("lang", code);
        }}
      >
        ${draft ? say("web.nav.draft", { language: name }) : name}
      </button>`,
  );
  return html`<h2>${say("web.nav.language")}</h2>
    ${buttons} ${note}`;
}

/** @param {Context} context */
function settingsView(context) {
  const { say, settings } = context;
  return html`<h2>${say("web.nav.settings")}</h2>
    ${choiceView("boardTheme", say("web.settings.board"), [
      ["wood", say("web.settings.wood")],
      ["slate", say("web.settings.slate")],
      ["plain", say("web.settings.plain")],
      ["contrast", say("web.settings.contrast")],
      ["print", say("web.settings.print")],
    ])}
    ${switchView("coordinates", say("web.settings.coordinates"))}
    ${choiceView("coordinateStyle", say("web.settings.coordinate_style"), [
      ["letters", say("web.settings.letters")],
      ["chinese", say("web.settings.chinese")],
    ])}
    ${switchView("numbers", say("web.settings.numbers"))}
    ${choiceView("confirm", say("web.settings.confirm"), [
      ["auto", say("web.settings.confirm_auto")],
      ["always", say("web.settings.confirm_always")],
      ["never", say("web.settings.confirm_never")],
    ])}
    ${switchView("premoves", say("web.settings.premoves"))}
    ${isOff("names") ? nothing : buttonView(say("web.name.open"), () => void name())}
    <a class="button" href=${link("/privacy")} @click=${() => closePopover("settings")}
      >${say("web.privacy.title")}</a
    >`;

  async function name() {
    closePopover("settings");
    await (await loadModule(context, import("./name_dialog.js")))?.openName(context);
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {[string, string][]} all
   */
  function choiceView(name, label, all) {
    return html`<label class="field"
      >${label} ${selectView(all, settings.get(name), (value) => settings.set(name, value))}</label
    >`;
  }

  /**
   * @param {string} name
   * @param {string} label
   */
  function switchView(name, label) {
    const set = (/** @type {boolean} */ on) => settings.set(name, on);
    return html`<label class="field check"
      >${label} ${checkboxView(Boolean(settings.get(name)), set)}</label
    >`;
  }
}

function closeMenu() {
  closePopover("menu");
}
