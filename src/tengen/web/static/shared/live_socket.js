/** A connection to the server that heals: whoever looks on is told what there is, as it changes. */

const PULSE = 15000; // milliseconds between two signs of life
const PATIENCE = 6000;
const RETRIES = [150, 400, 1000, 2000, 4000, 8000];

/**
 * @param {string} path of the WebSocket
 * @param {(told: any) => void} onTold what the server says
 * @param {(connected: boolean) => void} onLink the connection was lost, or is back
 */
export function createLiveSocket(path, onTold, onLink) {
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
    const mine = new WebSocket(location.origin.replace("http", "ws") + path);
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
    onLink(false);
    if (!navigator.onLine) return; // "online" will be heard
    const pause = RETRIES[Math.min(failures++, RETRIES.length - 1)];
    retry = window.setTimeout(connect, pause * (0.8 + 0.4 * Math.random()));
  }

  /** @param {any} told */
  function hear(told) {
    failures = 0;
    clearTimeout(pulse);
    pulse = window.setTimeout(check, PULSE);
    onLink(true);
    onTold(told);
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
