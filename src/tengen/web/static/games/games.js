/**
 * "My games": all games of this browser, to resume, look into, export or forget.
 *
 * @import { ListedGame } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { State } from "./games_view.js"
 */

import { render } from "/static/vendor/lit-html/lit.js";
import { PICTURES, saveFile } from "../shared/save_file.js";
import { createStore } from "../shared/view.js";
import { gamesView } from "./games_view.js";
import { createThumbnails } from "./thumbnails.js";

const TYPING = 250; // milliseconds without a key before the list is asked for
const UNDO = 6000; // milliseconds in which a game can be had back

/** Until the server knows what was removed before the page was left. @type {Promise<unknown>} */
let settled = Promise.resolve();

/**
 * @param {HTMLElement} root
 * @param {Context} context
 */
export function mount(root, context) {
  const { api } = context;
  const thumbnails = createThumbnails(api, context.settings);
  /** @type {State} */
  const beginning = {
    query: "",
    status: "all",
    games: null,
    total: 0,
    loading: false,
    problem: "",
    leaving: new Map(),
    thumbnail: thumbnails.of,
  };
  const { state, update } = createStore(beginning, draw);
  let turn = 0;
  let typed = 0;
  void load();

  return () => {
    clearTimeout(typed);
    turn = -1;
    thumbnails.destroy();
    for (const timer of state.leaving.values()) clearTimeout(timer);
    settled = Promise.all([...state.leaving.keys()].map(forget));
  };

  function draw() {
    if (turn < 0) return;
    const acts = { search, filter, load, more, exportGame, remove, bringBack };
    render(gamesView(state, context, acts), root);
  }

  /** @param {string} query */
  function search(query) {
    clearTimeout(typed);
    typed = window.setTimeout(() => {
      update({ query });
      void load();
    }, TYPING);
  }

  /** @param {State["status"]} status */
  function filter(status) {
    update({ status });
    void load();
  }

  function more() {
    void load(state.games?.length);
  }

  /** Ask for the list from its beginning, or for what follows. */
  async function load(offset = 0) {
    const mine = ++turn;
    update({ loading: true });
    try {
      const { query, status } = state;
      const parameters = new URLSearchParams({ q: query, status, offset: String(offset) });
      await settled;
      const answer = await api.get(`/api/games?${parameters}`);
      if (mine !== turn) return;
      const before = offset ? (state.games ?? []) : [];
      if (before.some(({ id }) => answer.games.some((/** @type {ListedGame} */ game) => game.id === id))) {
        // Other games have come first meanwhile.
        await load();
        return;
      }
      update({ games: [...before, ...answer.games], total: answer.total, problem: "" });
    } catch (error) {
      if (mine !== turn) return;
      update({ problem: context.errorText(error) });
    }
    update({ loading: false });
  }

  /**
   * @param {string} id
   * @param {string} format
   */
  async function exportGame(id, format) {
    try {
      const { file, notKept } = await download(id, format);
      saveFile(file, `tengen-${id.slice(0, 8)}.${format}`);
      if (notKept) context.toast(notKept);
    } catch (error) {
      context.toastError(error);
    }
  }

  /**
   * @param {string} id
   * @param {string} format
   */
  async function download(id, format) {
    if (!PICTURES.includes(format)) return api.download(`/api/games/${id}/record?format=${format}`);
    const { rules, setup, moves } = await api.get(`/api/games/${id}`);
    return api.download("/api/picture", { rules, setup, moves, format, numbers: true });
  }

  /** Take a game from the list; the server hears of it a little later. @param {string} id */
  function remove(id) {
    const timer = window.setTimeout(() => void forget(id), UNDO);
    update({ leaving: new Map(state.leaving).set(id, timer) });
    /** @type {HTMLElement | null} */ (root.querySelector(`[data-id="${id}"] button`))?.focus();
  }

  /** @param {string} id */
  function bringBack(id) {
    clearTimeout(state.leaving.get(id));
    update({ leaving: leavingWithout(id) });
  }

  /** @param {string} id */
  function leavingWithout(id) {
    return new Map([...state.leaving].filter(([other]) => other !== id));
  }

  /** @param {string} id */
  async function forget(id) {
    try {
      await api.del(`/api/games/${id}`);
      update({ games: (state.games ?? []).filter((game) => game.id !== id), total: state.total - 1 });
      // A list that was asked for before still has it.
      if (state.loading && turn >= 0) void load();
    } catch (error) {
      context.toastError(error);
    }
    update({ leaving: leavingWithout(id) });
  }
}
