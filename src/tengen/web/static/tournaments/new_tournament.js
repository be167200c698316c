/**
 * A new tournament with everything one may choose about it.
 *
 * @import { Mount } from "../shared/router.js"
 * @import { Choices } from "../shared/types.js"
 * @import { Wanted } from "./new_tournament_view.js"
 */

import { render } from "/static/vendor/lit-html/lit.js";
import { createSetup } from "../play/setup_dialog.js";
import { hasFouls } from "../play/setup_view.js";
import { chosen, termsOf } from "../shared/new_game.js";
import { createStore } from "../shared/view.js";
import { newTournamentView } from "./new_tournament_view.js";

/** @type {Mount} */
export function mount(root, context) {
  const { api, settings, say, sound, errorText } = context;
  const kept = settings.get("tournament") ?? {};
  /** @type {Choices} */
  const usual = { ...chosen(settings), opening: "free", clock: "300+5", ...kept.choices };
  /** @type {Wanted} */
  const beginning = {
    name: "",
    kind: "round-robin",
    times: 1,
    rounds: 5,
    listed: true,
    plays: true,
    ...kept.wanted,
    entrant: "",
    busy: false,
  };
  const { state: wanted, update: want } = createStore(beginning, draw);
  const fields = createSetup(context, usual, draw);
  let gone = false;
  draw();
  void api
    .get("/api/visitor")
    .then(({ name }) => want({ entrant: wanted.entrant || name }))
    .catch(() => {});
  return () => {
    gone = true;
  };

  function draw() {
    render(newTournamentView(wanted, fields, context, { want, make }), root);
  }

  /** @param {SubmitEvent} event */
  async function make(event) {
    event.preventDefault();
    if (!fields.areRight(root) || wanted.busy) return;
    const { name, kind, times, rounds, listed, plays, entrant } = wanted;
    const { choices } = fields.setup;
    want({ busy: true });
    try {
      const made = await api.post("/api/tournaments", {
        name: name.trim() || say("web.tournament.usual_name"),
        kind,
        rounds: kind === "swiss" ? rounds : times,
        ...termsOf(choices, hasFouls(fields.setup)),
        listed,
        entry: plays ? entrant : null,
      });
      settings.set("tournament", { choices, wanted: { name, kind, times, rounds, listed, plays } });
      if (!gone) context.go(`/tournaments/${made.id}`);
    } catch (error) {
      fields.change({ problem: errorText(error) });
      sound.refuse();
    } finally {
      want({ busy: false });
    }
  }
}
