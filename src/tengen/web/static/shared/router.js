/**
 * Which page an address shows. Pages are modules that are loaded when they are first needed:
 * `mount(root, context, params)` draws a page into an empty element and returns how to take it down again.
 *
 * @import { Context } from "./types.js"
 * @import { Part } from "./view.js"
 *
 * @typedef {(root: HTMLElement, context: Context, params: Record<string, string>) => () => void} Mount
 * @typedef {{name: string, path: RegExp, module: string, styles: string[], title?: string, part?: Part}} Route title:
 *     key of a sentence; part: what may be switched off, and the page with it
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { link, pathOf } from "./addresses.js";
import { isOff, reloadView, sorryView } from "./view.js";

/** What pages with a table need. */
const TABLE = ["shared/table.css", "shared/tabs.css"];
/** What a board before the game needs: play.js loads what the game needs besides. */
const START = ["shared/table.css", "play/start.css"];

/** @type {Route[]} */
const ALL = [
  { name: "play", path: /^\/(?:g\/(?<id>[^/]+))?$/, module: "play/play", styles: START },
  { name: "watch", path: /^\/watch$/, module: "play/watch", styles: START, title: "web.setup.watch" },
  {
    name: "lobby",
    title: "web.lobby.title",
    path: /^\/lobby$/,
    part: "lobby",
    module: "lobby/lobby",
    styles: ["lobby/lobby.css"],
  },
  {
    name: "tournaments",
    title: "web.tournament.tournaments",
    path: /^\/tournaments$/,
    part: "tournaments",
    module: "tournaments/tournament_list",
    styles: ["tournaments/tournaments.css"],
  },
  {
    name: "tournaments",
    title: "web.tournament.new",
    path: /^\/tournaments\/new$/,
    part: "tournaments",
    module: "tournaments/new_tournament",
    styles: ["tournaments/tournaments.css"],
  },
  {
    name: "tournaments",
    title: "web.tournament.title",
    path: /^\/tournaments\/(?<id>[^/]+)$/,
    part: "tournaments",
    module: "tournaments/tournament",
    styles: ["tournaments/tournaments.css"],
  },
  {
    name: "analyse",
    title: "web.nav.analyse",
    path: /^\/analyse$/,
    module: "analyse/analyse",
    styles: [...TABLE, "analyse/analyse.css", "why/why.css", "shared/line_steps.css"],
  },
  {
    name: "learn",
    path: /^\/learn(?:\/(?<name>[^/]+))?$/,
    module: "learn/learn",
    styles: ["learn/learn.css", "why/why.css", "shared/line_steps.css"],
  },
  {
    name: "puzzles",
    title: "web.nav.puzzles",
    path: /^\/puzzles(?:\/(?<name>[^/]+))?$/,
    module: "puzzles/puzzles",
    styles: [...TABLE, "puzzles/puzzles.css", "shared/line_steps.css"],
  },
  {
    name: "games",
    title: "web.games.title",
    path: /^\/games$/,
    module: "games/games",
    styles: ["games/games.css"],
  },
  {
    name: "privacy",
    title: "web.privacy.title",
    path: /^\/privacy$/,
    module: "privacy/privacy",
    styles: ["privacy/privacy.css"],
  },
];

const ROUTES = ALL.filter(({ part }) => !part || !isOff(part));

/**
 * @param {HTMLElement} root
 * @param {() => Context | undefined} context as it is when a page is shown; undefined before there are words
 * @param {(name: string) => void} onPage another page is shown
 */
export function createRouter(root, context, onPage) {
  /** @type {() => void} */
  let unmount = () => {};
  let shown = "";
  let turn = 0;
  let leaving = false; // the next page is loading, the last one still there

  addEventListener("popstate", () => {
    if (address() !== shown) void show();
  });
  document.addEventListener("click", follow);

  return { go, show, preload, folder };

  /**
   * @param {string} path
   * @param {{replace?: boolean, keep?: boolean}} [how] instead of the present address; without another page
   *     (for one that has already drawn what the address names; a page that is being left has no say)
   */
  function go(path, { replace = false, keep = false } = {}) {
    if (keep && leaving) return;
    history[replace ? "replaceState" : "pushState"](null, "", link(path));
    if (keep) shown = address();
    else void show().then(() => scrollTo(0, 0));
  }

  /** The route of the present address. */
  function present() {
    return ROUTES.find((one) => one.path.test(pathOf(location).pathname));
  }

  /** The folder of the page of the present address. */
  function folder() {
    return folderOf(present()?.module ?? "play");
  }

  /** Load what the present address needs, before there are words for it. */
  function preload() {
    const route = present();
    if (!route) return;
    for (const name of route.styles) void loadStyles(name);
    import(`/static/${route.module}.js`).catch(() => {});
  }

  /** Show the page of the present address, from the beginning. */
  async function show() {
    // Before there are words nothing can be shown; the app asks again when they are there.
    const before = context();
    if (!before) return;
    const mine = ++turn;
    leaving = true;
    closeAll();
    shown = address();
    const { pathname, search } = pathOf(location);
    const route = present();
    onPage(route?.name ?? "");
    /** @type {Mount} */
    let mount = nowhere;
    if (route) {
      const words = before.learn(folderOf(route.module));
      const styles = Promise.all(route.styles.map((name) => loadStyles(name)));
      try {
        [{ mount }] = await Promise.all([import(`/static/${route.module}.js`), words]);
      } catch (error) {
        console.warn(error);
        mount = unloaded;
      }
      await styles;
    }
    if (mine !== turn) return;
    const given = context() ?? before;
    unmount();
    leaving = false;
    // A place of its own: what the last page may still draw is not seen.
    const place = document.createElement("div");
    place.className = "page";
    root.replaceChildren(place);
    const named = /** @type {Record<string, string>} */ (route?.path.exec(pathname)?.groups ?? {});
    const params = { ...Object.fromEntries(new URLSearchParams(search)), ...named };
    for (const name of Object.keys(params)) if (params[name] === undefined) delete params[name];
    // A page that knows better says so itself.
    document.title = route?.title ? `${given.say(route.title)} · Tengen` : "Tengen 天元";
    unmount = mount(place, given, params);
  }

  /** A click on a link within the app. @param {MouseEvent} event */
  function follow(event) {
    const anchor = event.target instanceof Element ? event.target.closest("a") : null;
    const plain = !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!anchor || !plain || event.defaultPrevented || anchor.target || anchor.hasAttribute("download"))
      return;
    const address = new URL(anchor.href);
    const { pathname, search, hash } = pathOf(address);
    if (address.origin !== location.origin || !ROUTES.some((one) => one.path.test(pathname))) return;
    event.preventDefault();
    go(pathname + search + hash);
  }
}

/** @param {string} module */
function folderOf(module) {
  return module.split("/")[0];
}

/** Close dialogs and menus: the page that they lie over is left. */
function closeAll() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close("");
  for (const menu of document.querySelectorAll(":popover-open"))
    /** @type {HTMLElement} */ (menu).hidePopover();
}

function address() {
  return location.pathname + location.search;
}

/** @type {Mount} */
function nowhere(root, { say }) {
  const way = html`<a class="button" href=${link("/")}>${say("web.nav.play")}</a>`;
  render(sorryView(say("web.error.page"), way), root);
  return () => {};
}

/** @type {Mount} */
function unloaded(root, { say }) {
  render(sorryView(say("web.error.load"), reloadView(say)), root);
  return () => {};
}

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Load a style sheet of the app, once.
 *
 * @param {string} name such as `why/why.css`
 * @param {string} [media] what it is for, if not for all
 * @returns {Promise<void>} when it is there; kept also where there is none: a page without its dress is better than
 *     no page
 */
export function loadStyles(name, media = "all") {
  const started = loading.get(name) ?? load(new URL(`/static/${name}`, import.meta.url).href, media);
  loading.set(name, started);
  return started;
}

/**
 * @param {string} href
 * @param {string} media
 */
function load(href, media) {
  return /** @type {Promise<void>} */ (
    new Promise((done) => {
      const sheet = document.createElement("link");
      Object.assign(sheet, { rel: "stylesheet", href, media, onload: () => done(), onerror: () => done() });
      document.head.append(sheet);
    })
  );
}

/** Milliseconds after which the browser is asked to load ahead though it has something else to do. */
const PATIENCE = 2000;

/**
 * A module once it is there; null where it cannot be loaded, which has been said.
 *
 * @template Module
 * @param {Context} context
 * @param {Promise<Module>} loading what `import` answers
 */
export async function loadModule(context, loading) {
  try {
    return await loading;
  } catch (error) {
    console.warn(error);
    context.toast({ key: "web.error.load" }, { kind: "error" });
    return null;
  }
}

/**
 * Load a module when the browser has nothing else to do, or after a while whatever it does, so that it is there when
 * it is needed. Who needs it asks for it by `import` all the same, and hears there if it cannot be loaded.
 *
 * @template Module
 * @param {() => Promise<Module>} load
 * @param {(module: Module) => void} [onThere]
 */
export function loadAhead(load, onThere = () => {}) {
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, 300));
  idle(() => void load().then(onThere, () => {}), { timeout: PATIENCE });
}
