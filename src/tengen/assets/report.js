/**
 * The page of a report: the list of its games, and the replay of one of them.
 *
 * Everything else on the page is there without this script. The address says what is shown: `#game-3`
 * opens a game, `#games?player=0&against=2&result=won&end=fault` filters the list (players by their
 * number in the data).
 *
 * The data is the JSON in the element `tengen-data`, see `tengen.arena.report.report_data.embedded`.
 */

import { showsSigns } from "./board.js";
import { parseMoves } from "./notation.js";
import { createReplay, make } from "./replay.js";
import { speaker } from "./words.js";

/**
 * @typedef {[number: number, black: number, white: number, winner: 0 | 1 | 2, end: string, given: number,
 *     moves: string, milliseconds: number[], scores: (number | string | null)[], detail: string,
 *     lines: string[]]} Row a game, as the data has it
 */

const data = JSON.parse(/** @type {string} */ (byId("tengen-data").textContent));
const say = speaker(data.texts, data.locale);
/** @type {string[]} */
const players = data.players;
/** @type {Row[]} */
const games = data.games;
const byNumber = new Map(games.map((game, index) => [game[0], index]));

/** What the list can be sorted by. @type {Record<string, (game: Row) => number | string>} */
const KEYS = {
  number: (game) => game[0],
  black: (game) => players[game[1]],
  white: (game) => players[game[2]],
  result: (game) => game[3],
  end: (game) => endName(game),
  length: (game) => lengthOf(game),
};
const MARGIN = 8; // rows rendered beyond those that are seen

const filters = /** @type {HTMLFormElement} */ (byId("filters"));
const list = byId("list");
const head = byId("list-head");
const viewer = /** @type {HTMLDialogElement} */ (byId("viewer"));

/** Indices of the games found, in order. @type {number[]} */
let found = [];
let order = { key: "number", down: false };
let shown = -1; // the game in the viewer
/** @type {ReturnType<typeof createReplay> | null} */
let replay = null;

for (const name of ["player", "against", "result", "end"])
  field(name).addEventListener("change", () => filter());
filters.addEventListener("reset", () => setTimeout(filter));
for (const button of head.querySelectorAll("button"))
  button.addEventListener("click", () => sort(button.value));
list.addEventListener("scroll", render, { passive: true });
new ResizeObserver(render).observe(list);
window.addEventListener("hashchange", () => follow());
viewer.addEventListener("close", closed);
viewer.addEventListener("keydown", (event) => replay?.press(event));
viewer.addEventListener("click", (event) => event.target === viewer && close());
on("viewer-previous", () => turn(-1));
on("viewer-next", () => turn(1));
on("viewer-close", close);
on("viewer-copy", copy);
on("viewer-save", save);
filter(false);
follow();

// -- the address

/** Show what the address asks for. */
function follow() {
  const hash = location.hash.slice(1);
  const game = /^game-(\d+)$/.exec(hash);
  if (game && byNumber.has(Number(game[1]))) {
    open(/** @type {number} */ (byNumber.get(Number(game[1]))));
    return;
  }
  if (viewer.open) viewer.close();
  const [place, query] = hash.split("?");
  if (place === "games" && query !== undefined) {
    const asked = new URLSearchParams(query);
    for (const select of filters.querySelectorAll("select")) select.value = asked.get(select.name) ?? "";
    filter(false);
    byId("games").scrollIntoView();
  }
}

/** The address of the list as it is filtered. */
function address() {
  const asked = new URLSearchParams();
  for (const select of filters.querySelectorAll("select"))
    if (select.value) asked.set(select.name, select.value);
  return `#games?${asked}`;
}

// -- the list

/** Find the games that the filters ask for. @param {boolean} [tell] put it into the address */
function filter(tell = true) {
  const player = chosen("player");
  const against = chosen("against");
  const [result, end] = [field("result").value, field("end").value];
  found = [];
  const score = { won: 0, drawn: 0, lost: 0 };
  games.forEach((game, index) => {
    const [, black, white, winner] = game;
    if (player !== null && black !== player && white !== player) return;
    if (against !== null && (player === against ? black !== white : black !== against && white !== against))
      return;
    const side = black === (player ?? against) ? 1 : 2;
    const won = winner === 0 ? "drawn" : winner === side ? "won" : "lost";
    if (result && result !== won && result !== ["draw", "black", "white"][winner]) return;
    if (end && end !== game[4] && !(end === "fault" && data.faults.includes(game[4]))) return;
    score[won] += 1;
    found.push(index);
  });
  const count = { found: found.length, total: games.length };
  const points = score.won + score.drawn / 2;
  byId("found").textContent =
    player === null
      ? say("report.found", count)
      : say("report.found.player", { ...count, ...score, player: players[player], points });
  for (const option of field("result").options) {
    option.disabled = player === null && ["won", "lost"].includes(option.value);
  }
  if (tell) history.replaceState(null, "", address());
  sort();
}

/**
 * Sort the list; the same key again turns it round.
 *
 * @param {string} [key] if left out as before
 */
function sort(key) {
  if (key) order = { key, down: key === order.key && !order.down };
  const value = KEYS[order.key];
  const turned = order.down ? -1 : 1;
  const values = new Map(found.map((index) => [index, value(games[index])]));
  const collator = new Intl.Collator(data.locale, { numeric: true });
  found.sort((one, other) => {
    const [a, b] = [values.get(one), values.get(other)];
    const compared = typeof a === "string" ? collator.compare(a, String(b)) : Number(a) - Number(b);
    return compared * turned || one - other;
  });
  for (const column of head.querySelectorAll("[role=columnheader]")) {
    const button = column.querySelector("button");
    const sorted = button?.value === order.key ? (order.down ? "descending" : "ascending") : "none";
    column.setAttribute("aria-sort", sorted);
  }
  list.scrollTop = 0;
  render();
}

/** Draw the rows that can be seen, and a few more. */
function render() {
  const body = /** @type {HTMLElement} */ (list.firstElementChild);
  const high = parseFloat(getComputedStyle(list).getPropertyValue("--row"));
  const from = Math.max(0, Math.floor(list.scrollTop / high) - MARGIN);
  const to = Math.min(found.length, Math.ceil((list.scrollTop + list.clientHeight) / high) + MARGIN);
  body.style.height = `${found.length * high}px`;
  head.style.paddingRight = `${list.offsetWidth - list.clientWidth}px`;
  const focused = document.activeElement?.getAttribute("href");
  body.replaceChildren(...found.slice(from, to).map((index, i) => rowOf(index, from + i, high)));
  if (focused)
    /** @type {HTMLElement | null} */ (body.querySelector(`a[href="${focused}"]`))?.focus({
      preventScroll: true,
    });
  byId("table").setAttribute("aria-rowcount", String(found.length + 1));
}

/**
 * @param {number} index of the game
 * @param {number} place in the list
 * @param {number} high how high a row is
 */
function rowOf(index, place, high) {
  const game = games[index];
  const row = make("div", "row");
  row.setAttribute("role", "row");
  row.setAttribute("aria-rowindex", String(place + 2));
  row.style.top = `${place * high}px`;
  const link = make("a", "", String(game[0]));
  link.href = `#game-${game[0]}`;
  const cells = [
    ["number", link],
    ["black", ...named("black", players[game[1]], game[3] === 1)],
    ["white", ...named("white", players[game[2]], game[3] === 2)],
    ["result", say(`report.result.${["draw", "black", "white"][game[3]]}`)],
    [data.faults.includes(game[4]) ? "end fault" : "end", endName(game)],
    ["length", say("report.moves", { moves: lengthOf(game) })],
  ];
  for (const [kind, ...content] of cells) {
    const cell = make("span", String(kind));
    cell.setAttribute("role", "cell");
    cell.append(...content);
    row.append(cell);
  }
  return row;
}

/**
 * @param {string} colour
 * @param {string} name
 * @param {boolean} winner
 */
function named(colour, name, winner) {
  return [make("span", `disc ${colour}`), make(winner ? "b" : "span", "name", name)];
}

// -- one game

/** @param {number} index */
function open(index) {
  shown = index;
  const [number, black, white, winner, end, given, moves, milliseconds, scores, detail, lines] =
    games[index];
  const { width, height, k } = data.rules;
  byId("viewer-title").textContent = say("report.game", { number });
  byId("viewer-players").replaceChildren(
    ...named("black", players[black], winner === 1),
    make("span", "versus", "–"),
    ...named("white", players[white], winner === 2),
  );
  const result = say(`report.result.${["draw", "black", "white"][winner]}`);
  byId("viewer-result").textContent = say("report.outcome", { result, end: endName(games[index]) });
  byId("viewer-detail").textContent = detail ?? "";
  byId("viewer-said").textContent = "";
  replay ??= createReplay(byId("replay"), { width, height, say, signs: showsSigns(width, height, k) });
  if (!viewer.open) {
    viewer.showModal();
    // What a fault says above the board may be long; whoever opens a game begins at its top.
    byId("replay").focus({ preventScroll: true });
  }
  const blank = Array(given).fill(null);
  replay.load({
    moves: parseMoves(moves),
    given,
    seconds: [...blank, ...milliseconds.map((ms) => ms / 1000)],
    scores: [...blank, ...scores.map(scoreOf)],
    lines: (lines ?? []).map((row) => ({
      points: parseMoves(row).flatMap((point) => (point ? [point] : [])),
      kind: end === "foul" ? /** @type {const} */ ("foul") : /** @type {const} */ ("win"),
    })),
  });
  disable("viewer-previous", neighbour(-1) === undefined);
  disable("viewer-next", neighbour(1) === undefined);
}

/**
 * The game so many places further in the list; a game that the list leaves out stands among all games.
 *
 * @param {number} by
 * @returns {number | undefined} its index
 */
function neighbour(by) {
  const place = found.indexOf(shown);
  if (place >= 0) return found[place + by];
  return games[shown + by] && shown + by;
}

/**
 * A score as it is embedded: the win rate in thousandths, or `#` and the plies to the end.
 *
 * @param {number | string | null} score
 */
function scoreOf(score) {
  if (score === null) return null;
  if (typeof score === "string") {
    const mate = Number(score.slice(1));
    return { chance: mate > 0 ? 1 : 0, mate };
  }
  return { chance: score / 1000, mate: null };
}

/** @param {number} by how many games further */
function turn(by) {
  const next = neighbour(by);
  if (next !== undefined) location.replace(`#game-${games[next][0]}`);
}

function close() {
  viewer.close();
  closed();
}

/** The viewer has been closed, by a key or otherwise: the address is that of the list again. */
function closed() {
  if (/^#game-/.test(location.hash)) history.replaceState(null, "", address());
  /** @type {HTMLElement | null} */ (list.querySelector(`a[href="#game-${games[shown]?.[0]}"]`))?.focus();
}

/** Put the moves on the clipboard. */
async function copy() {
  const text = games[shown][6];
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page opened from a file may not: the older way needs a selected text.
    const area = make("textarea", "");
    area.value = text;
    viewer.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  byId("viewer-said").textContent = say("report.copied");
}

/** Offer the game as a file of moves. */
function save() {
  const [number, black, white, , , , moves] = games[shown];
  const about = `# ${number}: ${players[black]} - ${players[white]}`;
  const text = `# rules: ${data.rules.text}\n${about}\n${moves || ";"}\n`;
  const link = make("a", "");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `game-${number}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// -- small things

/** @param {Row} game */
function endName(game) {
  return say(`report.end.${game[4]}`, { k: data.rules.k });
}

/** @param {Row} game */
function lengthOf(game) {
  return game[5] + game[7].length;
}

/** @param {string} name */
function chosen(name) {
  const { value } = field(name);
  return value === "" ? null : Number(value);
}

/** @param {string} name @returns {HTMLSelectElement} */
function field(name) {
  return /** @type {HTMLSelectElement} */ (filters.elements.namedItem(name));
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} id @param {() => void} act */
function on(id, act) {
  byId(id).addEventListener("click", act);
}

/** @param {string} id @param {boolean} off */
function disable(id, off) {
  /** @type {HTMLButtonElement} */ (byId(id)).disabled = off;
}
