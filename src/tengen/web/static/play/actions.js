/**
 * What one may do beside playing a point: a grid of buttons whose places never change while a game goes on,
 * and a menu for what is rare.
 *
 * @typedef {import("./game_view.js").Game} Game
 *
 * @typedef {object} Action
 * @property {string} name
 * @property {string} label
 * @property {() => void} act
 * @property {boolean} [able] whether it can be done now; true if left out
 * @property {string | number} [count] written behind the label
 * @property {"main" | "here" | "warn"} [kind]
 * @property {boolean} [sure] whether it is asked twice
 */

import { h, icon, replace } from "../shared/dom.js";
import { showHelp } from "./shortcuts.js";
import { showSetup } from "../shared/seats.js";
import { createPace } from "./pace.js";

const DOTS = "M4.5 10h.01M10 10h.01M15.5 10h.01";
const HESITATION = 3500; // milliseconds within which a second click confirms

/**
 * @param {HTMLElement} element
 * @param {Game} game
 */
export function createActions(element, game) {
  const { context } = game;
  const { say } = context;
  const grid = h("div", { class: "action-grid panel" });
  const menu = h("div", { id: "more", class: "popover", popover: "auto" });
  const pace = createPace(game);
  element.replaceChildren(pace.element, grid, menu);
  /** @type {string} the action that waits for a second click */
  let unsure = "";
  let timer = 0;
  let drawn = "";

  return {
    set,
    /** What a key does. @param {string} name */
    press(name) {
      const found = [...main(), ...rare()].find((action) => action.name === name && action.able !== false);
      if (found) run(found);
    },
    destroy() {
      clearTimeout(timer);
      pace.destroy();
    },
  };

  function set() {
    pace.set();
    const all = main();
    const face = JSON.stringify([all, rare(), unsure]);
    if (face === drawn) return;
    drawn = face;
    grid.dataset.count = String(all.length + 1);
    replace(grid, all.map(button), more());
    replace(menu, rare().map(button));
  }

  /** @param {Action} action */
  function button(action) {
    const { name, label, able = true, count, kind = "", sure } = action;
    const asking = sure && unsure === name;
    return h(
      "button",
      {
        id: `act-${name}`,
        class: `action ${kind} ${asking ? "sure" : ""}`,
        type: "button",
        disabled: !able,
        onclick: () => run(action),
      },
      asking ? say("web.play.sure", { action: label }) : label,
      count !== undefined && h("small", null, count),
    );
  }

  function more() {
    const label = say("web.play.more");
    return h(
      "button",
      {
        id: "act-more",
        class: "action",
        type: "button",
        popovertarget: "more",
        "aria-label": label,
        title: label,
      },
      icon(DOTS),
    );
  }

  /** @param {Action} action */
  function run({ name, act, sure }) {
    clearTimeout(timer);
    if (sure && unsure !== name) {
      unsure = name;
      timer = setTimeout(() => {
        unsure = "";
        set();
      }, HESITATION);
      set();
      return;
    }
    unsure = "";
    menu.hidePopover?.();
    set();
    act();
  }

  /** The seats of people here. */
  function mine() {
    const { state, you } = game;
    return state.seats.filter(
      ({ participant, occupant }) => occupant === "human" && you.includes(participant),
    );
  }

  /** Those of the grid. @returns {Action[]} */
  function main() {
    const { state, linked } = game;
    const over = Boolean(state.outcome);
    const own = mine();
    const computers = state.seats.filter(({ occupant }) => occupant !== "human");
    if (computers.length === 2) return watching(over);
    if (!game.mine) return [newGame(), review()];
    if (over) {
      return [
        {
          name: "again",
          label: say("web.play.again"),
          act: () => void game.again(),
          able: linked,
          kind: "main",
        },
        review(),
        newGame(),
        ...(takeable() ? [takeBack(own)] : []),
      ];
    }
    const able = linked && own.length > 0;
    /** @type {Action[]} */
    const all = [takeBack(own)];
    if (!game.between) {
      const turn = own.some(({ participant }) => participant === state.actor);
      all.push({ name: "hint", label: say("web.play.hint"), act: hint, able: able && turn, kind: "here" });
    }
    if (computers.length) {
      all.push({
        name: "hurry",
        label: say("web.play.hurry"),
        act: () => void game.act("hurry"),
        able: able && state.thinking,
      });
    }
    if (state.fouls_mode === "claimed" && state.rules.has_fouls) {
      const white = own.some(({ colour }) => colour === "white");
      all.push({
        name: "claim",
        label: say("web.play.claim"),
        act: () => void game.act("claim"),
        able: able && white,
      });
    }
    all.push(
      {
        name: "draw",
        label: say("web.play.draw"),
        act: () => void offerDraw(),
        able: able && !state.request,
      },
      {
        name: "resign",
        label: say("web.play.resign"),
        act: () => void game.act("resign"),
        able,
        kind: "warn",
        sure: true,
      },
    );
    return all;
  }

  /** Where two computers play. @param {boolean} over @returns {Action[]} */
  function watching(over) {
    const { state, linked } = game;
    if (over) return [{ ...again(), able: linked && game.mine, kind: "main" }, review(), newGame()];
    const control = linked && game.mine;
    return [
      state.paused
        ? {
            name: "pause",
            label: say("web.play.resume"),
            act: () => void game.act("resume"),
            able: control,
            kind: "main",
          }
        : { name: "pause", label: say("web.play.pause"), act: () => void game.act("pause"), able: control },
      {
        name: "step",
        label: say("web.play.step"),
        act: () => void game.act("step"),
        able: control && state.paused,
      },
      {
        name: "hurry",
        label: say("web.play.hurry"),
        act: () => void game.act("hurry"),
        able: control && state.thinking,
      },
      newGame(),
    ];
  }

  /** Those of the menu. @returns {Action[]} */
  function rare() {
    const { state, linked } = game;
    const own = mine();
    const over = Boolean(state.outcome);
    const computers = state.seats.filter(({ occupant }) => occupant !== "human");
    /** @type {Action[]} */
    const all = [];
    if (!over && game.mine && !game.between && linked) {
      if (computers.length === 1)
        all.push({ name: "swap", label: say("web.play.swap"), act: () => void game.act("swap_sides") });
      if (computers.length < 2) {
        if (state.paused)
          all.push({ name: "pause", label: say("web.play.resume"), act: () => void game.act("resume") });
        else if (state.control)
          all.push({ name: "pause", label: say("web.play.pause"), act: () => void game.act("pause") });
      }
      for (const { participant, colour } of own) {
        const label = say("web.play.hand_over", { colour: say(colour) });
        all.push({ name: `computer-${colour}`, label, act: () => handOver(participant, adviser()) });
      }
      for (const { participant, colour } of computers) {
        const label = say("web.play.take_seat", { colour: say(colour) });
        all.push({ name: `human-${colour}`, label, act: () => handOver(participant, "human") });
      }
    }
    if (state.rules.passing && !over && own.some(({ participant }) => participant === state.actor)) {
      all.push({
        name: "pass",
        label: say("replay.pass"),
        act: () => void game.act("move", { point: "--", ply: state.ply }),
      });
    }
    if (!over && game.mine && computers.length < 2)
      all.push({
        ...again(),
        name: "restart",
        label: say("web.play.restart"),
        sure: true,
        able: !game.between,
      });
    all.push(newGame(), { name: "share", label: say("web.play.share"), act: share }, review());
    all.push({ name: "help", label: say("web.play.keys"), act: () => showHelp(context) });
    return all;
  }

  /** @returns {Action} */
  function again() {
    return { name: "again", label: say("web.play.again"), act: () => void game.again() };
  }

  /** @returns {Action} */
  function newGame() {
    return { name: "new", label: say("web.play.new"), act: () => void showSetup(context) };
  }

  /** @returns {Action} */
  function review() {
    const { state } = game;
    const label = state.outcome ? say("web.play.review") : say("web.play.analyse");
    return {
      name: "review",
      label,
      able: !game.between,
      act: () => context.go(`/analyse?game=${state.id}`),
    };
  }

  /** @param {ReturnType<typeof mine>} own @returns {Action} */
  function takeBack(own) {
    const { state, linked } = game;
    // Two people at one device: the side that has just moved takes back.
    const seat = own.length === 2 ? own.find(({ participant }) => participant !== state.actor) : own[0];
    const left = seat?.take_backs;
    const count = left === null || left === undefined ? undefined : left;
    const able = linked && own.length > 0 && state.ply > 0;
    return {
      name: "back",
      label: say("web.play.back_take"),
      act: () => void game.act("take_back"),
      able,
      count,
    };
  }

  /** A game that ended on the board may be taken back. */
  function takeable() {
    const { outcome } = game.state;
    return outcome && !["resigned", "time", "agreed"].includes(outcome.reason);
  }

  async function hint() {
    game.note(say("web.play.hint_wait"), true);
    await game.act("hint");
  }

  async function offerDraw() {
    const offered = await game.act("draw");
    const { outcome, seats } = game.state;
    // A computer has answered already: either the game is over now, or it declines.
    if (offered && !outcome && seats.some(({ occupant }) => occupant !== "human"))
      game.note(say("web.play.draw_declined"));
  }

  /**
   * @param {number} participant
   * @param {string} occupant
   */
  function handOver(participant, occupant) {
    void game.act("hand_over", { participant, occupant });
  }

  /** Who takes over a seat: as strong as the computer that plays, or as the one chosen. */
  function adviser() {
    const computer = game.state.seats.find(({ occupant }) => occupant !== "human");
    return computer?.occupant ?? context.settings.get("game")?.opponent ?? "level:3";
  }

  async function share() {
    const url = `${location.origin}/g/${game.state.id}`;
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url });
      else {
        await navigator.clipboard.writeText(url);
        game.note(say("web.play.copied"));
      }
    } catch {
      game.note(url);
    }
  }
}
