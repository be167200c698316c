/**
 * The analysis page: a board on which everything may be tried, the game as a tree, the engine, review, "why",
 * set-up and files.
 *
 * @import { Colour, State } from "/assets/board_types.js"
 * @import { Mount } from "../shared/router.js"
 * @import { Context } from "../shared/types.js"
 * @import { AnalysisRequests } from "./analysis_requests.js"
 * @import { Node } from "./game_tree.js"
 * @import { Preview } from "./position_drawing.js"
 * @import { Study } from "./study.js"
 *
 * @typedef {object} Analysis what the panels share
 * @property {Context} context
 * @property {Study} study
 * @property {AnalysisRequests} requests
 * @property {(line: readonly string[] | null, from?: Node | null, first?: Colour | null) => void} preview draw a
 *     line without playing it, from the node that is shown if it is not said, the side to move first
 * @property {() => string} address of what is shown, complete
 * @property {() => void} keep remember what is studied
 * @property {() => void} draw something of the page has changed
 *
 * @typedef {"moves" | "engine" | "review" | "why" | "setup" | "files"} TabName
 *
 * @typedef {object} PageState
 * @property {TabName} open
 * @property {boolean} raised whether the sheet of small screens is pulled up
 * @property {Partial<State>} overlay what a player sees, upon the board
 * @property {Preview | null} thought a line that is thought of
 * @property {string | null} foul a forbidden point whose rows are shown
 * @property {boolean} threats whether threats are drawn
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { pointName } from "/assets/notation.js";
import { link } from "../shared/addresses.js";
import { showKeys } from "../shared/dialog.js";
import { moveNames } from "../shared/moves_view.js";
import { createTable } from "../shared/table.js";
import { listenToKeys, tabsView } from "../shared/tabs_view.js";
import { createStore, soon } from "../shared/view.js";
import { createAnalysisRequests } from "./analysis_requests.js";
import { mountUnlessClosed } from "./closed_game.js";
import { createEnginePanel } from "./engine_panel.js";
import { createFilesPanel } from "./files_panel.js";
import { path } from "./game_tree.js";
import { createMovesPanel } from "./moves_panel.js";
import { actionsView, factsView, ratingView, statusView } from "./page_view.js";
import { takePasteAndDrop } from "./paste_and_drop.js";
import { playFromHere } from "./play_from_here.js";
import { factsOf, previewOf, stateOf, statusOf } from "./position_drawing.js";
import { printedAnalysis } from "./printed_analysis.js";
import { createReview } from "./review.js";
import { createSetupPanel } from "./setup_panel.js";
import { createStudy } from "./study.js";
import { createStudyAddress } from "./study_address.js";
import { createWhyPanel } from "./why_panel.js";

const TABS = /** @type {const} */ (["moves", "engine", "review", "why", "setup", "files"]);

/** @type {Mount} */
export function mount(root, context) {
  const game = new URLSearchParams(location.search).get("game");
  return game ? mountUnlessClosed(root, context, game, mountAnalysis) : mountAnalysis(root, context);
}

/**
 * @param {HTMLElement} root
 * @param {Context} context
 */
function mountAnalysis(root, context) {
  const { say, settings } = context;
  const table = createTable(root, context);
  const drawSoon = soon(draw);
  const threats = Boolean(settings.get("analyseThreats"));
  /** @type {PageState} */
  const beginning = { open: "moves", raised: false, overlay: {}, thought: null, foul: null, threats };
  const { state: page, update } = createStore(beginning, drawSoon);
  let gone = false;

  const study = createStudy(context, {
    onGo: () => update({ thought: null, foul: null }),
    onShown: show,
    onChanged() {
      moves.reveal();
      address.keep();
      drawSoon();
    },
    onReplaced() {
      address.leave();
      review.clear();
    },
    onRefused: table.refuse,
  });
  /** @type {Analysis} */
  const analysis = {
    context,
    study,
    requests: createAnalysisRequests(() => {
      engine.stop();
      review.stop();
      context.toast(say("web.error.offline"), { kind: "error" });
    }),
    preview,
    address: () => new URL(link(address.whole()), location.href).href,
    keep: () => address.keep(),
    draw: drawSoon,
  };
  const engine = createEnginePanel(analysis);
  const review = createReview(analysis);
  const moves = createMovesPanel(analysis, review.judged);
  const setup = createSetupPanel(analysis);
  const files = createFilesPanel(analysis);
  const why = createWhyPanel(analysis, (seen) => {
    if (page.open === "why") update({ overlay: seen });
  });
  const panels = { moves, engine, review, why, setup, files };
  const address = createStudyAddress(analysis, review);

  const acts = {
    first: study.first,
    back: study.back,
    forward: study.forward,
    last: study.last,
    toggleNumbers: () => settings.set("numbers", !settings.get("numbers")),
    toggleThreats() {
      update({ threats: !page.threats });
      settings.set("analyseThreats", page.threats);
    },
    pass: () => void play("--"),
    playFromHere: () => void playFromHere(analysis),
    help,
  };
  table.listen({
    onSelect: (point) => setup.select(pointName(point)) || void play(pointName(point)),
    onPoint: why.hover,
  });
  const ends = [
    ...["coordinateStyle", "numbers", "printing"].map((name) => settings.on(name, draw)),
    takePasteAndDrop(files),
    listenToKeys({
      ArrowLeft: study.back,
      ArrowRight: study.forward,
      Home: study.first,
      End: study.last,
      u: () => study.sideways(-1),
      d: () => study.sideways(1),
      ",": () => review.step(-1),
      ".": () => review.step(1),
      b: table.focus,
      e: engine.toggle,
      t: acts.toggleThreats,
      n: acts.toggleNumbers,
      z: study.undo,
      "?": acts.help,
    }),
    study.destroy,
    why.destroy,
    files.destroy,
    analysis.requests.destroy,
    address.destroy,
    table.destroy,
  ];
  draw();
  void address.load().then((reviewing) => {
    if (!reviewing || gone) return;
    choose("review");
    update({ raised: true });
    if (reviewing === "begin") review.begin();
  });

  return () => {
    gone = true;
    for (const end of ends) end();
  };

  /** The server has described the node that is asked for. */
  function show() {
    if (!study.shown) return;
    table.shape(study.shown.rules);
    update({ overlay: {} });
    engine.set();
    review.set();
    setup.set();
    moves.reveal();
    if (page.open === "why") why.set();
    address.keep();
  }

  /** Play a point, if it is not known already that nothing can be put there. @param {string} name */
  async function play(name) {
    const { shown, current } = study;
    if (!shown) return;
    const occupied = shown.stones.some(([point]) => point === name);
    const forbidden = shown.fouls_mode === "forbidden" && name in shown.fouls;
    const tried = current.children.some(({ move }) => move === name);
    if (tried || (!occupied && !forbidden)) {
      await study.play(name);
      return;
    }
    table.refuse();
    update({ foul: forbidden ? name : null });
    if (occupied) context.announce(say("error.occupied", { point: name }));
  }

  function help() {
    showKeys(context, [
      ["← →", say("web.keys.browse")],
      ["Home End", say("web.analyse.keys.ends")],
      ["u / d", say("web.analyse.keys.sideways")],
      ["b", say("web.keys.board")],
      ["↑ ↓ ← →", say("web.keys.cursor")],
      ["Enter", say("web.keys.play")],
      ["e", say("web.analyse.keys.engine")],
      ["t", say("web.analyse.threats")],
      ["n", say("replay.numbers")],
      [", / .", say("web.analyse.keys.mistakes")],
      ["z", say("web.games.undo")],
    ]);
  }

  /** @type {Analysis["preview"]} */
  function preview(line, from = null, first = null) {
    const node = from ?? study.current;
    const back = path(study.current).length - path(node).length;
    update({ thought: line && { moves: line, back, first: first ?? study.mover(node) } });
  }

  /** @param {string} name of a tab */
  function choose(name) {
    const open = /** @type {TabName} */ (name);
    update(open === "why" ? { open } : { open, overlay: {} });
    if (open === "why") why.set();
    if (open !== "setup") setup.stop();
    if (open === "moves") moves.reveal();
  }

  /**
   * A tab is pressed. Pressed twice it folds the sheet of small screens.
   *
   * @param {string} name
   * @param {"key" | "pointer"} by
   */
  function press(name, by) {
    update({ raised: !(page.raised && name === page.open) });
    choose(name);
    // Who has clicked on a tab steps through the moves with the arrow keys, not through the tabs.
    if (by === "pointer") document.getElementById(`tab-${name}`)?.blur();
  }

  // -- what is seen

  function draw() {
    if (gone) return;
    const { shown } = study;
    const { open, raised, overlay, thought, foul, threats } = page;
    const options = {
      numbers: Boolean(settings.get("numbers")),
      threats,
      foul,
      infos: engine.infos,
      heat: engine.heat,
      stops: open === "engine" ? engine.stops : [],
    };
    const status = files.slow ? say("web.analyse.reading") : shown ? statusOf(say, shown, options) : "";
    const facts = shown ? factsOf(say, shown) : "";
    table.show({
      name: "analysis game",
      heading: html`<h1 class="unseen">${say("web.nav.analyse")}</h1>`,
      top: { content: ratingView(engine.on ? engine.rating : review.rating, say) },
      bottom: { content: factsView(facts) },
      status: { content: statusView(status), hidden: !status },
      side: sideView(),
      raised,
      actions: actionsView(actions(), context, acts),
      printed: settings.get("printing")
        ? printedAnalysis(study, say, {
            facts,
            status,
            judged: review.judged,
            named: moveNames(context, Number(study.tree.rules.height)),
          })
        : null,
    });
    moves.drawn();
    if (!shown) return;
    table.draw({
      ...stateOf(shown, options),
      ...overlay,
      ...(open === "review" ? review.drawing() : {}),
      ...(thought ? previewOf(shown, thought) : {}),
    });
  }

  function sideView() {
    const tabs = TABS.map((name) => ({
      name,
      label: say(`web.analyse.tab.${name}`),
      kind: `pad analysis-${name}`,
      focusable: name !== "moves",
    }));
    const { open } = page;
    return tabsView({ label: say("web.play.tabs"), tabs, open, panel: panels[open].view() }, press);
  }

  function actions() {
    const { current, root, shown } = study;
    return {
      atFirst: current === root,
      atLast: !current.children.length,
      numbers: Boolean(settings.get("numbers")),
      threats: page.threats,
      over: Boolean(shown?.outcome),
      passing: Boolean(shown?.rules.passing),
    };
  }
}
