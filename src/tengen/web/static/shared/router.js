/**
 * Which page an address shows. Pages are modules that are loaded when they are first needed:
 * `mount(root, context, params)` draws a page into an empty element and returns how to take it down again.
 *
 * @import { Context } from "./context.js"
 * @import { Part } from "./switches.js"
 *
 * @typedef {(root: HTMLElement, context: Context, params: Record<string, string>) => () => void} Mount
 * @typedef {{name: string, path: RegExp, module: string, styles: string[], title?: string, part?: Part}} Route title:
 *     key of a sentence; part: what may be switched off, and the page with it
 */

import { html, render } from "/static/vendor/lit-html/lit-html.js";
import { closeAll } from "./dialog.js";
import { loadStyles } from "./styles.js";
import { isOff } from "./switches.js";
import { sorryView } from "./view.js";

/** What pages with a table need. */
const TABLE = ["shared/table.css", "shared/tabs.css", "shared/fields.css"];
const PLAY = [...TABLE, "play/start.css", "play/game.css"];

/** @type {Route[]} */
const ALL = [
  { name: "play", path: /^\/(?:g\/(?<id>[^/]+))?$/, module: "play/play", styles: PLAY },
  { name: "watch", path: /^\/watch$/, module: "play/watch", styles: PLAY, title: "web.setup.watch" },
  {
    name: "lobby",
    title: "web.lobby.title",
    path: /^\/lobby$/,
    part: "lobby",
    module: "lobby/lobby",
    styles: ["shared/fields.css", "lobby/lobby.css"],
  },
  {
    name: "tournaments",
    title: "web.tournament.tournaments",
    path: /^\/tournaments$/,
    module: "tournaments/tournament_list",
    styles: ["tournaments/tournaments.css"],
  },
  {
    name: "tournaments",
    title: "web.tournament.new",
    path: /^\/tournaments\/new$/,
    module: "tournaments/new_tournament",
    styles: ["shared/fields.css", "tournaments/tournaments.css"],
  },
  {
    name: "tournaments",
    title: "web.tournament.title",
    path: /^\/tournaments\/(?<id>[^/]+)$/,
    module: "tournaments/tournament",
    styles: ["shared/fields.css", "tournaments/tournaments.css"],
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
 * @param {() => Context} context as it is when a page is shown
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
    history[replace ? "replaceState" : "pushState"](null, "", path);
    if (keep) shown = address();
    else void show().then(() => scrollTo(0, 0));
  }

  /** The route of the present address. */
  function present() {
    return ROUTES.find((one) => one.path.test(location.pathname));
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
    const mine = ++turn;
    leaving = true;
    closeAll();
    shown = address();
    const { pathname, search } = location;
    const route = present();
    onPage(route?.name ?? "");
    /** @type {Mount} */
    let mount = nowhere;
    if (route) {
      const words = context().learn(folderOf(route.module));
      const styles = Promise.all(route.styles.map(loadStyles));
      try {
        [{ mount }] = await Promise.all([import(`/static/${route.module}.js`), words]);
      } catch (error) {
        console.warn(error);
        mount = unloaded;
      }
      await styles;
    }
    if (mine !== turn) return;
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
    document.title = route?.title ? `${context().say(route.title)} · Tengen` : "Tengen 天元";
    unmount = mount(place, context(), params);
  }

  /** A click on a link within the app. @param {MouseEvent} event */
  function follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const plain = !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    const { origin, pathname, search, hash } = new URL(link.href);
    if (origin !== location.origin || !ROUTES.some((one) => one.path.test(pathname))) return;
    event.preventDefault();
    go(pathname + search + hash);
  }
}

/** @param {string} module */
function folderOf(module) {
  return module.split("/")[0];
}

function address() {
  return location.pathname + location.search;
}

/** @type {Mount} */
function nowhere(root, { say }) {
  const way = html`<a class="button" href="/">${say("web.nav.play")}</a>`;
  render(sorryView(say("web.error.page"), way), root);
  return () => {};
}

/** @type {Mount} */
function unloaded(root, { say }) {
  const way = html`<button class="button" type="button" @click=${() => location.reload()}>
    ${say("web.error.reload")}
  </button>`;
  render(sorryView(say("web.error.load"), way), root);
  return () => {};
}
