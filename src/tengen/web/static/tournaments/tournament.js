/**
 * A tournament: entered by whoever has the link, then its games and its table as they change.
 *
 * @import { Mount } from "../shared/router.js"
 * @import { Tournament } from "../shared/schemas.js"
 * @import { State } from "./tournament_view.js"
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { createAddress } from "../shared/address.js";
import { link } from "../shared/addresses.js";
import { createSocket } from "../shared/api.js";
import { cataloguePath } from "../shared/names.js";
import { createStore, sorryView } from "../shared/view.js";
import { tournamentView } from "./tournament_view.js";

const FEW = 4; // levels; as many computers as may take part

/** @type {Mount} */
export function mount(root, context, { id }) {
  const { api, sound, announce, say } = context;
  const path = `/api/tournaments/${encodeURIComponent(id)}`;
  /** @type {State} */
  const beginning = {
    tournament: null,
    linked: true,
    name: "",
    computers: [],
    computer: "",
    busy: false,
    unsure: 0,
    problem: "",
  };
  const { state, update: change } = createStore(beginning, draw);
  let gone = false;
  const address = createAddress(context, draw);
  const acts = {
    change,
    join: () => void post("join", { name: state.name }),
    addComputer: () => void post("computers", { player: state.computer }),
    start: () => void post("start"),
    withdraw: (/** @type {number} */ entrant) => void withdraw(entrant),
  };
  const socket = createSocket(`${path}/live`, {
    onMessage({ type, tournament }) {
      if (type === "tournament") show(tournament);
      else if (type === "refused") refuse();
    },
    onLink(linked) {
      if (linked === state.linked) return;
      announce(linked ? say("web.play.back") : say("web.lobby.lost"));
      change({ linked });
    },
  });
  draw();
  address.find();
  void api
    .get("/api/visitor")
    .then(({ name }) => change({ name: state.name || name }))
    .catch(() => {});
  return () => {
    gone = true;
    socket.close();
  };

  function draw() {
    if (!gone) render(tournamentView(state, context, acts, address), root);
  }

  /** There is no such tournament. */
  function refuse() {
    if (gone) return;
    gone = true;
    socket.close();
    const way = html`<a class="button" href=${link("/tournaments")}
      >${say("web.tournament.tournaments")}</a
    >`;
    render(sorryView(say("web.tournament.none"), way), root);
  }

  /** @param {Tournament} tournament as the server has sent it last */
  function show(tournament) {
    const before = state.tournament;
    if (gone || (before && tournament.version < before.version)) return;
    document.title = `${tournament.name} · Tengen`;
    // Wherever one is when a game begins, one is taken there.
    const { you, entrants, status } = tournament;
    const plays = entrants.some((one) => one.id === you && !one.withdrawn);
    if (plays && status !== "over") context.calls.enter(id);
    change({ tournament });
    if (!before && tournament.made && tournament.status === "open") void findComputers(tournament);
  }

  /**
   * Find out who plays by these rules: levels, and where there are few of them, all others too.
   *
   * @param {Tournament} tournament
   */
  async function findComputers({ rules_name: name, rules: { width, height } }) {
    const catalogue = await api.get(cataloguePath(name, [width, height])).catch(() => null);
    /** @type {string[]} */
    const levels = (catalogue?.levels ?? []).map((/** @type {string} */ level) => `level:${level}`);
    /** @type {{name: string}[]} */
    const players = catalogue?.players ?? [];
    const others = players.map((player) => player.name).filter((one) => one !== "level");
    const computers = [...levels, ...(levels.length < FEW ? others : [])];
    change({ computers, computer: computers[Math.min(2, computers.length - 1)] ?? "" });
  }

  /** @param {number} entrant who is to take part no more; asked twice */
  async function withdraw(entrant) {
    if (state.unsure !== entrant) {
      change({ unsure: entrant });
      return;
    }
    change({ unsure: 0 });
    await post("withdraw", { entrant });
  }

  /**
   * Ask something of the server, one thing at a time; what it refuses is said where it was asked.
   *
   * @param {string} action
   * @param {Record<string, unknown>} [body]
   */
  async function post(action, body = {}) {
    if (state.busy) return;
    change({ busy: true, problem: "", unsure: 0 });
    try {
      show(await api.post(`${path}/${action}`, body));
    } catch (error) {
      change({ problem: context.errorText(error) });
      sound.refuse();
    } finally {
      change({ busy: false });
    }
  }
}
