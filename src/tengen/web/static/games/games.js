/**
 * "My games": all games of this browser, to resume, look into, export or forget.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {{rules: string, size: string, opening: string, black: string, white: string, result: string,
 *     reason: string, plies: number}} Summary
 * @typedef {{id: string, summary: Summary, created: number, updated: number, participant: number | null}} Listed
 */

import { ApiError } from "../shared/api.js";
import { disc, h, icon, replace } from "../shared/dom.js";
import { createThumbnail } from "./thumbnail.js";
import { playerName, rulesName, sentence } from "../shared/names.js";

const FORMATS = ["sgf", "psq", "rec", "lib", "json", "txt", "board", "svg", "png", "gif"];
const PICTURES = ["svg", "png", "gif"];
const STATUSES = /** @type {const} */ (["all", "running", "over"]);
const TYPING = 250; // milliseconds without a key before the list is asked for
const UNDO = 6000; // milliseconds in which a game can be had back

/** Until the server knows what was removed before the page was left. @type {Promise<unknown>} */
let settled = Promise.resolve();

/**
 * @param {HTMLElement} root
 * @param {Context} context
 */
export function mount(root, context) {
  const { say, api, lang } = context;
  const dates = new Intl.DateTimeFormat(lang === "zh" ? "zh-CN" : "en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
  });
  let query = "";
  /** @type {typeof STATUSES[number]} */
  let status = "all";
  /** @type {Listed[]} */
  let games = [];
  let total = 0;
  let turn = 0;
  let typed = 0;
  /** Games taken from the list that the server has not been told of. @type {Map<string, number>} */
  const leaving = new Map();
  const thumbnails = createThumbnail(api);

  const search = h("input", {
    type: "search",
    "aria-label": say("web.games.search"),
    placeholder: say("web.games.search"),
    oninput: () => {
      clearTimeout(typed);
      typed = window.setTimeout(() => {
        query = search.value;
        void load();
      }, TYPING);
    },
  });
  const filters = STATUSES.map((name) =>
    h("button", { class: "button", type: "button", onclick: () => filter(name) }, say(`web.games.${name}`)),
  );
  const count = h("p", { class: "soft games-count", role: "status" });
  const list = h("ul", { class: "games-list" });
  const more = h(
    "button",
    { class: "button games-more", type: "button", hidden: true, onclick: () => load(games.length) },
    say("web.games.more"),
  );
  const page = h(
    "div",
    { class: "games" },
    h("h1", null, say("web.games.title")),
    h(
      "div",
      { class: "games-tools" },
      search,
      h("div", { class: "games-filters", role: "group", "aria-label": say("web.games.show") }, filters),
    ),
    count,
    list,
    more,
  );
  root.append(page);
  filter("all");

  return () => {
    clearTimeout(typed);
    turn = -1;
    thumbnails.destroy();
    for (const timer of leaving.values()) clearTimeout(timer);
    settled = Promise.all([...leaving.keys()].map(forget));
    page.remove();
  };

  /** @param {typeof STATUSES[number]} name */
  function filter(name) {
    status = name;
    filters.forEach((button, index) =>
      button.setAttribute("aria-pressed", String(STATUSES[index] === name)),
    );
    void load();
  }

  /** Ask for the list from its beginning, or for what follows. */
  async function load(offset = 0) {
    const mine = ++turn;
    more.disabled = true;
    if (!offset && !games.length)
      replace(list, h("li", { class: "soft games-note" }, say("web.games.loading")));
    try {
      const asked = new URLSearchParams({ q: query, status, offset: String(offset) });
      await settled;
      const answer = await api.get(`/api/games?${asked}`);
      if (mine !== turn) return;
      games = [...(offset ? games : []), ...answer.games];
      total = answer.total;
      show(offset);
    } catch (error) {
      if (mine === turn) failed(error);
    }
  }

  /** @param {unknown} error */
  function failed(error) {
    if (!(error instanceof ApiError)) throw error;
    const again = h(
      "button",
      { class: "button", type: "button", onclick: () => load() },
      say("web.error.reload"),
    );
    replace(list, h("li", { class: "games-note" }, h("p", null, context.lookupKey(error.message)), again));
    more.hidden = true;
    count.textContent = "";
  }

  /** @param {number} from the first that is new; the others stay as they are */
  function show(from) {
    const shown = games.filter(({ id }) => !leaving.has(id));
    if (!from) list.replaceChildren();
    list.append(
      ...games
        .slice(from)
        .filter((game) => shown.includes(game))
        .map(row),
    );
    if (!shown.length) replace(list, nothing());
    const number = total - leaving.size;
    count.textContent = number > 0 ? say("web.games.count", { count: number }) : "";
    more.hidden = games.length >= total;
    more.disabled = false;
  }

  function nothing() {
    const none = query || status !== "all";
    return h(
      "li",
      { class: "games-note" },
      h("p", null, say(none ? "web.games.none" : "web.games.empty")),
      none ? null : h("a", { class: "button main", href: "/" }, say("web.games.first")),
    );
  }

  /** @param {Listed} game */
  function row(game) {
    const { id, summary, updated } = game;
    const { result, reason, plies, rules, size } = summary;
    const seats = /** @type {const} */ (["black", "white"]).map((colour) =>
      h(
        "span",
        { class: result === colour ? "games-player winner" : "games-player" },
        disc(colour),
        playerName(say, summary[colour]),
      ),
    );
    const title = say("web.games.label", {
      black: playerName(say, summary.black),
      white: playerName(say, summary.white),
      date: dates.format(1000 * updated),
    });
    return h(
      "li",
      { class: "games-row panel", dataset: { id } },
      h("a", { class: "games-open", href: `/g/${id}`, "aria-label": title }, thumbnails.of(id)),
      h(
        "div",
        { class: "games-about" },
        h("p", { class: "games-players" }, seats),
        h("p", { class: "games-result" }, ended(result, reason)),
        h(
          "p",
          { class: "soft" },
          say("web.games.facts", {
            rules: sentence(rulesName(say, rules)),
            size: size.replace("x", "×"),
            plies,
          }),
        ),
        h("p", { class: "soft" }, dates.format(1000 * updated)),
      ),
      h(
        "div",
        { class: "games-actions" },
        result
          ? h("a", { class: "button", href: `/analyse?game=${id}` }, say("web.play.review"))
          : h("a", { class: "button main", href: `/g/${id}` }, say("web.games.resume")),
        exporting(id, title),
        h(
          "button",
          { class: "button", type: "button", title: say("web.games.remove"), onclick: () => remove(game) },
          icon("M4 6H16M8 6V4H12V6M6 6L7 16H13L14 6"),
          h("span", { class: "unseen" }, say("web.games.remove_label", { title })),
        ),
      ),
    );
  }

  /**
   * @param {string} result
   * @param {string} reason
   */
  function ended(result, reason) {
    if (!result) return say("web.games.is_running");
    const how = say(`web.games.end.${reason}`);
    if (result === "draw") return say("web.games.drawn", { how });
    return say("web.games.won", { colour: say(result), how });
  }

  /**
   * @param {string} id
   * @param {string} title
   */
  function exporting(id, title) {
    const choice = h(
      "select",
      { class: "games-export", "aria-label": say("web.games.export_label", { title }) },
      h("option", { value: "" }, say("web.games.export")),
      FORMATS.map((name) => h("option", { value: name }, name)),
    );
    choice.addEventListener("change", async () => {
      const format = choice.value;
      choice.value = "";
      try {
        await save(id, format);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        context.toast(error.message, { kind: "error" });
      }
    });
    return choice;
  }

  /**
   * @param {string} id
   * @param {string} format
   */
  async function save(id, format) {
    let file;
    if (PICTURES.includes(format)) {
      const { rules, setup, moves } = await api.get(`/api/games/${id}`);
      file = await api.file("/api/picture", { rules, setup, moves, format, numbers: true });
    } else {
      file = await api.file(`/api/games/${id}/record?format=${format}`);
    }
    const link = h("a", {
      href: URL.createObjectURL(file),
      download: `tengen-${id.slice(0, 8)}.${format}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** Take a game from the list; the server is told a little later. @param {Listed} game */
  function remove(game) {
    const { id } = game;
    const place = [...list.children].find((item) => /** @type {HTMLElement} */ (item).dataset.id === id);
    const back = h(
      "button",
      { class: "button", type: "button", onclick: () => bring(id) },
      say("web.games.undo"),
    );
    place?.replaceWith(
      h(
        "li",
        { class: "games-row panel gone", dataset: { id } },
        h("p", null, say("web.games.removed")),
        back,
      ),
    );
    back.focus();
    const timer = window.setTimeout(() => void forget(id), UNDO);
    leaving.set(id, timer);
    count.textContent = say("web.games.count", { count: total - leaving.size });
  }

  /** @param {string} id */
  function bring(id) {
    clearTimeout(leaving.get(id));
    leaving.delete(id);
    show(0);
  }

  /** @param {string} id */
  async function forget(id) {
    leaving.delete(id);
    try {
      await api.del(`/api/games/${id}`);
      games = games.filter((game) => game.id !== id);
      total -= 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      context.toast(error.message, { kind: "error" });
    }
    if (turn >= 0) show(0);
  }
}
