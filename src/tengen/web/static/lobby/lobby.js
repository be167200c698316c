/**
 * The lobby: games that people offer to whoever comes. Whoever offers one waits here or on any other page, and is taken
 * to the game when somebody accepts.
 *
 * @import { Mount } from "../shared/router.js"
 * @import { State } from "./lobby_view.js"
 */

import { render } from "/static/vendor/lit-html/lit.js";
import { ApiError, createSocket } from "../shared/api.js";
import { lobbyGame } from "../shared/calls.js";
import { openName } from "../shared/name_dialog.js";
import { DEFAULTS, OFFERED, showSetup } from "../shared/new_game.js";
import { keepTokens } from "../shared/settings.js";
import { createStore } from "../shared/view.js";
import { lobbyView } from "./lobby_view.js";

const ATTEMPTS = 15;
const PAUSE = 2000; // milliseconds

/** @type {Mount} */
export function mount(root, context) {
  const { api, settings, sound, announce, calls, say } = context;
  /** @type {State} */
  const beginning = {
    challenges: null,
    own: null,
    linked: true,
    name: "",
    rated: null,
    ratings: {},
    busy: false,
  };
  const { state, update: change } = createStore(beginning, draw);
  let gone = false;
  /** Whether one is on the way to a game. */
  let playing = false;
  const acts = {
    offer,
    withdraw: () => void perform(() => api.del("/api/challenges")),
    accept: (/** @type {string} */ id) => void perform(() => accept(id)),
    rename: () => void rename(),
    rate: (/** @type {boolean} */ rated) => void rate(rated),
  };
  const socket = createSocket("/api/challenges/live", {
    onMessage({ type, challenges, own, id }) {
      if (type === "challenges") {
        change({ challenges, own });
        // On other pages one goes on waiting.
        calls.offer(own !== null);
      } else if (type === "game" && !playing && !gone) {
        playing = true;
        calls.offer(false);
        lobbyGame(context, id);
      }
    },
    onLink(linked) {
      if (linked === state.linked) return;
      announce(linked ? say("web.play.back") : say("web.lobby.lost"));
      change({ linked });
    },
  });
  draw();
  void api
    .get("/api/visitor")
    .then(change)
    .catch(() => change({ rated: false }));

  return () => {
    gone = true;
    socket.close();
  };

  function offer() {
    const kept = settings.get("challenge") ?? {};
    // Whoever plays no rated games is not asked whether this one is.
    const rated = state.rated ? (kept.rated ?? true) : undefined;
    void showSetup(context, { ...DEFAULTS, ...OFFERED, ...kept, company: "lobby", rated });
  }

  function draw() {
    render(lobbyView(state, context, acts), root);
  }

  /**
   * Ask something of the server, one thing at a time; what it refuses is said.
   *
   * @param {() => Promise<unknown>} request
   * @returns {Promise<boolean>} whether it was done
   */
  async function perform(request) {
    if (state.busy) return false;
    change({ busy: true });
    try {
      await request();
      return true;
    } catch (error) {
      context.toastError(error);
      sound.refuse();
      return false;
    } finally {
      change({ busy: false });
    }
  }

  /**
   * Until there is an answer: the first one may have been lost, and then the game has begun.
   *
   * @param {string} id
   */
  async function accept(id) {
    for (let left = ATTEMPTS; ; left--) {
      try {
        const made = await api.post(`/api/challenges/${id}/accept`);
        enter(made.id, Object.values(made.seats));
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status || gone || !left) throw error;
        await new Promise((done) => setTimeout(done, PAUSE));
      }
    }
  }

  /**
   * @param {string} game its id
   * @param {(string | null)[]} tokens
   */
  function enter(game, tokens) {
    if (gone) return;
    playing = true;
    keepTokens(game, tokens);
    calls.offer(false);
    calls.arrive(game);
    context.go(`/g/${game}`);
  }

  /** @param {boolean} rated */
  async function rate(rated) {
    change({ rated });
    const done = await perform(async () => {
      const { ratings } = await api.post("/api/visitor", { rated });
      change({ ratings });
    });
    if (!done) change({ rated: !rated });
  }

  async function rename() {
    const name = await openName(context);
    if (name !== null) change({ name });
  }
}
