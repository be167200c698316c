/**
 * The address of the analysis page says what is on the board, so that it can be copied, shared and reloaded:
 * `/analyse?rules=renju&size=15&moves=h8i9#ply=2`, with `black`, `white` and `turn` for a set-up position,
 * or `?game=ID` for a game of this server, whose review begins at once with `#review`. Variations and comments, which no address holds, stay in the browser:
 * an address that names a position of what was kept there opens all of it.
 *
 * @import { Analysis } from "./analyse.js"
 * @import { GameTree, Node } from "./game_tree.js"
 * @import { Review } from "./review.js"
 */

import { namesOf } from "../shared/position.js";
import { PLACES, read, keep as store } from "../shared/settings.js";
import { lineThrough, movesTo, nodeAt, path, readRecord, writeRecord } from "./game_tree.js";

const MOST_FORMERS = 5; // games that were replaced and are remembered when the page is left
const REVIEWING = "#review"; // of a game that is over: its review begins
const LATER = 150; // milliseconds: browsers do not like an address that changes all the time

/**
 * @param {Analysis} analysis
 * @param {Review} review what it has found is remembered, too
 */
export function createStudyAddress({ context, study }, review) {
  let loaded = false;
  let game = "";
  let timer = 0;
  addEventListener("hashchange", turn);

  return { load, keep, leave, whole, destroy };

  /**
   * Study what the address names, or what was there last.
   *
   * @returns {Promise<"begin" | "offer" | null>} whether it is a game whose review begins, or is offered
   */
  async function load() {
    const query = new URLSearchParams(location.search);
    let ply = plyOfHash();
    const begins = location.hash === REVIEWING;
    const kept = read(PLACES.study);
    const { formers = [] } = read(PLACES.formerStudies);
    game = query.get("game") ?? "";
    try {
      // What was there before can be had back.
      study.remember(formers);
      if (kept.record) study.restore({ record: kept.record, at: kept.at ?? [] });
    } catch (error) {
      console.warn(error);
      kept.record = null;
    }
    try {
      if (game) await show(fromGame(kept));
      else if (query.has("rules") || query.has("moves") || query.has("black")) await show(fromQuery(query));
      else if (kept.record) study.go(study.current);
      else await study.start({ rules: "freestyle" });
    } catch (error) {
      context.toastError(error);
      // An address of nothing takes nothing away.
      game = kept.game ?? "";
      ply = -1;
      if (kept.record) study.go(study.current);
      else await study.start({ rules: "freestyle" });
    }
    loaded = true;
    if (kept.review) review.restore(kept.review);
    if (ply >= 0) turn();
    else keep();
    return game === "" || ply >= 0 ? null : begins ? "begin" : "offer";
  }

  /** The ply that the address names; -1 where it names none. */
  function plyOfHash() {
    return Number(/\bply=(\d+)/.exec(location.hash)?.[1] ?? -1);
  }

  /** Go where the address points on the line that is shown. */
  function turn() {
    const ply = plyOfHash();
    if (loaded && ply >= 0)
      study.go(ply ? (lineThrough(study.current)[ply - 1] ?? study.current) : study.root);
  }

  /**
   * Study what the server answers: in what was kept, if it is there; but not in place of a game that was opened meanwhile.
   *
   * @param {Promise<{record: any, node: Node | null}>} answer
   */
  async function show(answer) {
    const { tree } = study;
    const { record, node } = await answer;
    if (study.tree !== tree) game = "";
    else if (node) study.go(node);
    else await study.open(record);
  }

  /** @param {Record<string, any>} kept */
  async function fromGame(kept) {
    const { record } = await context.api.get(`/api/games/${encodeURIComponent(game)}/record?format=tengen`);
    const played = record.nodes.slice(1).map((/** @type {any} */ { move }) => move);
    return { record, node: kept.game === game ? nodeAt(study.root, played) : null };
  }

  /** @param {URLSearchParams} query */
  async function fromQuery(query) {
    const names = (/** @type {string} */ key) => namesOf(query.get(key) ?? "");
    const setup =
      query.has("black") || query.has("white") || query.has("turn")
        ? { black: names("black"), white: names("white"), turn: query.get("turn") ?? "black" }
        : null;
    const [width, height = width] = (query.get("size") ?? "").split("x").map(Number);
    const rules = query.get("rules") ?? "freestyle";
    const position = {
      rules: rules.startsWith("{") ? fieldsOf(rules) : rules,
      // What is no number the server refuses.
      size: query.get("size") ? [width, height] : null,
      fouls: query.get("fouls"),
      setup,
      moves: query.get("moves") ?? "",
    };
    const shown = await context.api.post("/api/position", position);
    const nodes = [{}, ...shown.moves.map((/** @type {string} */ move) => ({ move }))];
    const record = { rules: shown.rules, setup: shown.setup, nodes };
    const same = ruled(readRecord(record)) === ruled(study.tree);
    return { record, node: same ? nodeAt(study.root, shown.moves) : null };
  }

  /** Let the address say what is shown, and the browser remember the rest. */
  function keep() {
    if (!loaded) return;
    const { tree, current } = study;
    const kept = { record: writeRecord(tree), at: movesTo(current), game, review: review.known() };
    // Where a browser has no room for all of it, what is studied now is what counts.
    if (!store(PLACES.study, kept) && store(PLACES.formerStudies, {})) store(PLACES.study, kept);
    clearTimeout(timer);
    timer = window.setTimeout(write, LATER);
  }

  /** Write the address; of a game from the browser's store once the server has answered with its rules' name. */
  function write() {
    if (study.tree.rulesName) context.go(address(), { replace: true, keep: true });
  }

  /** What is studied is the game of the address no more. */
  function leave() {
    store(PLACES.formerStudies, { formers: study.formers.slice(-MOST_FORMERS) });
    if (loaded) game = "";
  }

  function address() {
    const { current, root } = study;
    const main = current === root || lineThrough(root).includes(current);
    return game && main ? `/analyse?game=${game}#ply=${path(current).length}` : whole();
  }

  /** The address that says all of the line that is shown. */
  function whole() {
    const { tree, current } = study;
    const { rules, rulesName, hasFouls, setup } = tree;
    const query = new URLSearchParams();
    // A name leaves open whether moves may be passed.
    query.set("rules", rulesName === "custom" || rules.passing ? JSON.stringify(rules) : rulesName);
    if (!rulesName.startsWith("mnk:")) query.set("size", side(rules));
    if (hasFouls && rules.fouls !== "forbidden") query.set("fouls", String(rules.fouls));
    if (setup) {
      query.set("black", setup.black.join(""));
      query.set("white", setup.white.join(""));
      query.set("turn", setup.turn);
    }
    const line = lineThrough(current);
    const moves = line.length ? movesTo(line[line.length - 1]).join("") : "";
    if (moves) query.set("moves", moves);
    return `/analyse?${query}#ply=${path(current).length}`;
  }

  function destroy() {
    removeEventListener("hashchange", turn);
    clearTimeout(timer);
  }
}

/** Rules and set-up, to compare. @param {GameTree} tree */
function ruled({ rules, setup }) {
  return JSON.stringify([Object.entries(rules).sort(), setup?.black, setup?.white, setup?.turn]);
}

/** @param {Record<string, unknown>} rules */
function side({ width, height }) {
  return width === height ? String(width) : `${width}x${height}`;
}

/** @param {string} text of rules that have no name */
function fieldsOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
