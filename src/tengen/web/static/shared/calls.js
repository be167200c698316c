/**
 * Games that one waits for on whatever page: somebody accepts what one offers in the lobby, a round of a tournament
 * begins. One is taken there; who sits at another board is told.
 *
 * @import { Tournament } from "./schemas.js"
 * @import { Call, Calls, Context } from "./types.js"
 */

import { pathOf } from "./addresses.js";
import { createSocket } from "./api.js";
import { loadModule } from "./router.js";

const PLACE = "tengen.awaited";
const MOST = 3; // tournaments
const SEEN = 50; // games
const PATIENCE = 3000; // milliseconds from the end of an offer to the game that it has become

/**
 * @param {() => Context} context as it is when something happens
 * @returns {Calls}
 */
export function createCalls(context) {
  const kept = {
    offering: false,
    tournaments: /** @type {string[]} */ ([]),
    seen: /** @type {string[]} */ ([]),
  };
  Object.assign(kept, read());
  /** @type {Map<string, () => void>} */
  const sockets = new Map();
  /** @type {Set<(call: Call) => boolean>} */
  const listeners = new Set();
  /** @type {() => void} */
  let draw = () => {};
  /** @type {Call | null} */
  let pending = null;
  let ending = 0;
  follow();
  return {
    offering: () => kept.offering,
    pending: () => pending,
    offer,
    enter,
    call,
    arrive,
    listen(listener) {
      listeners.add(listener);
      if (pending && listener(pending)) change(() => (pending = null));
      return () => void listeners.delete(listener);
    },
    onChange: (next) => void (draw = next),
  };

  /** @param {() => void} act */
  function change(act) {
    act();
    try {
      sessionStorage.setItem(PLACE, JSON.stringify(kept));
    } catch {
      // It lasts as long as the page.
    }
    follow();
    draw();
  }

  /** @param {boolean} open */
  function offer(open) {
    clearTimeout(ending);
    if (kept.offering !== open) change(() => (kept.offering = open));
  }

  /** @param {string} tournament */
  function enter(tournament) {
    if (kept.tournaments.includes(tournament)) return;
    change(() => (kept.tournaments = [...kept.tournaments, tournament].slice(-MOST)));
  }

  /** @param {string} tournament */
  function leave(tournament) {
    change(() => (kept.tournaments = kept.tournaments.filter((one) => one !== tournament)));
  }

  /** @param {string} game */
  function arrive(game) {
    if (kept.seen.includes(game) && pending?.game !== game) return;
    change(() => {
      kept.seen = [...kept.seen.filter((one) => one !== game), game].slice(-SEEN);
      if (pending?.game === game) pending = null;
    });
  }

  /** @type {Calls["call"]} */
  function call(one) {
    const { game, text } = one;
    if (kept.seen.includes(game)) return;
    arrive(game);
    const { go, say, sound, toast, announce } = context();
    const { pathname } = pathOf(location);
    if (pathname === `/g/${game}`) return;
    if ([...listeners].some((listener) => listener(one))) return;
    sound.phrase();
    announce(text);
    if (!pathname.startsWith("/g/")) {
      toast(text);
      go(`/g/${game}`);
      return;
    }
    change(() => (pending = one));
    toast(text, { action: { label: say("web.tournament.play"), act: () => go(`/g/${game}`) } });
  }

  /** Listen for what is awaited, and for nothing else. */
  function follow() {
    const wanted = new Map(kept.tournaments.map((id) => [id, () => followTournament(id)]));
    if (kept.offering) wanted.set("", followLobby);
    for (const [name, close] of sockets) {
      if (wanted.has(name)) continue;
      sockets.delete(name);
      close();
    }
    for (const [name, open] of wanted) if (!sockets.has(name)) sockets.set(name, open());
  }

  /** While this connection stands, the offer does. */
  function followLobby() {
    const onMessage = (/** @type {any} */ message) => {
      if (message.type === "game") {
        offer(false);
        lobbyGame(context(), message.id);
      } else if (message.type === "challenges") {
        clearTimeout(ending);
        if (message.own === null) ending = window.setTimeout(withdrawn, PATIENCE);
      }
    };
    return createSocket("/api/challenges/live", { onMessage }).close;
  }

  /** The offer has come to its end, and to no game. */
  function withdrawn() {
    const { toast, say } = context();
    offer(false);
    toast(say("web.lobby.withdrawn"));
  }

  /** @param {string} id */
  function followTournament(id) {
    const onMessage = (/** @type {any} */ { type, tournament }) => {
      if (type === "tournament") void followRound(id, tournament);
      else if (type === "refused") leave(id);
    };
    return createSocket(`/api/tournaments/${encodeURIComponent(id)}/live`, { onMessage }).close;
  }

  /**
   * @param {string} id
   * @param {Tournament} tournament
   */
  async function followRound(id, tournament) {
    const { you, status, entrants } = tournament;
    if (status === "over" || !entrants.some((one) => one.id === you && !one.withdrawn)) leave(id);
    const names = await loadModule(context(), import("../tournaments/tournament_names.js"));
    const next = names?.nextGame(context().say, tournament);
    if (next) call(next);
  }
}

/**
 * One's offer has been accepted: that is said to the server, so that nobody who comes to the lobby again is called
 * to the same game.
 *
 * @param {Context} context
 * @param {string} game its id
 */
export function lobbyGame({ api, say, calls }, game) {
  void api.del("/api/challenges").catch(() => {});
  calls.call({ game, text: say("web.lobby.accepted"), tournament: null });
}

/** What is awaited in this tab, as it was before the page was loaded anew. @returns {Record<string, unknown>} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "{}") ?? {};
  } catch {
    return {};
  }
}
