/** The connection to the server: HTTP and WebSockets. */

/** Whether it can be lost: what answers is another machine. */
export const isRemote = true;

/**
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export function send(path, init) {
  return fetch(path, init);
}

/** Show how it is; nothing to show: pages say it where they need it. @param {import("./types.js").Context} _ */
export function showConnection(_) {}

/**
 * @param {string} path
 * @returns {import("./types.js").Connection}
 */
export function connect(path) {
  return new WebSocket(location.origin.replace("http", "ws") + path);
}
