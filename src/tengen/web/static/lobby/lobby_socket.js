/**
 * The lobby as it changes: a connection that heals, and the newest list of what is offered.
 *
 * @typedef {object} Challenge a game that somebody offers
 * @property {string} id
 * @property {string | null} name of who offers it
 * @property {import("../shared/game_types.js").Rules} rules
 * @property {"forbidden" | "loses" | "claimed"} fouls_mode
 * @property {string | null} opening
 * @property {string | null} clock
 * @property {number | null} take_backs
 * @property {"black" | "white" | "random"} colour of who offers it
 * @property {string | null} rated the pool of ratings that the game changes
 * @property {import("../shared/game_types.js").Rating | null} rating of who offers it, there
 *
 * @typedef {object} HeardInLobby what is told
 * @property {(challenges: Challenge[], own: string | null) => void} onList what is offered, and which of it by oneself
 * @property {(game: string) => void} onGame somebody has accepted: the game has begun
 * @property {(connected: boolean) => void} onLink the connection was lost, or is back
 */

const PULSE = 15000; // milliseconds between two signs of life
const PATIENCE = 6000;
const RETRIES = [150, 400, 1000, 2000, 4000, 8000];

/** @param {HeardInLobby} heard */
export function createLobbySocket(heard) {
  /** @type {WebSocket | null} */
  let socket = null;
  let failures = 0;
  let closed = false;
  let retry = 0;
  let pulse = 0;
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("online", connect, { signal });
  addEventListener("offline", () => socket && drop(socket), { signal });
  document.addEventListener("visibilitychange", () => !document.hidden && check(), { signal });
  connect();
  return {
    close() {
      closed = true;
      listening.abort();
      clearTimeout(retry);
      clearTimeout(pulse);
      socket?.close();
    },
  };

  function connect() {
    if (closed || socket) return;
    clearTimeout(retry);
    const mine = new WebSocket(`${location.origin.replace("http", "ws")}/api/challenges/live`);
    socket = mine;
    mine.onmessage = ({ data }) => mine === socket && hear(JSON.parse(data));
    mine.onclose = () => drop(mine);
  }

  /** @param {WebSocket} gone */
  function drop(gone) {
    if (closed || gone !== socket) return;
    gone.onclose = null;
    gone.close();
    socket = null;
    clearTimeout(pulse);
    heard.onLink(false);
    if (!navigator.onLine) return; // "online" will be heard
    const pause = RETRIES[Math.min(failures++, RETRIES.length - 1)];
    retry = window.setTimeout(connect, pause * (0.8 + 0.4 * Math.random()));
  }

  /** @param {any} told */
  function hear(told) {
    failures = 0;
    clearTimeout(pulse);
    pulse = window.setTimeout(check, PULSE);
    heard.onLink(true);
    if (told.type === "challenges") heard.onList(told.challenges, told.own);
    else if (told.type === "game") heard.onGame(told.id);
  }

  /** Ask for a sign of life. */
  function check() {
    const mine = socket;
    if (!mine) connect();
    else if (mine.readyState === WebSocket.OPEN) {
      mine.send(JSON.stringify({ type: "ping" }));
      clearTimeout(pulse);
      pulse = window.setTimeout(() => drop(mine), PATIENCE);
    }
  }
}
