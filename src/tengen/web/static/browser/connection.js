/**
 * The connection of a site without a server: the app answers in a worker of this page, and before that a game can begin.
 *
 * @import { Context } from "../shared/types.js"
 * @import { EarlyGames } from "./early_games.js"
 */

import { pathOf } from "/static/shared/addresses.js";
import { AppClient } from "/static/browser/app_client.js";
import { LateConnection } from "/static/browser/late_connection.js";

/** Whether it can be lost: what answers is another machine. */
export const isRemote = false;

/** The request to forget one, which needs no Python. */
const FORGET = "DELETE /api/visitor";

const PICTURE = "/api/picture";

/** The address of the root of the site. */
const BASE = new URL("../../", import.meta.url).href;
const app = new AppClient(BASE);
/** @type {EarlyGames | null} */
let early = null;
const loading = import("/static/browser/early_games.js").then(begin, console.warn);
// The first stone is answered by the engine alone, long before Python is there: that comes first over a line.
const comesOverLine = !navigator.serviceWorker?.controller;
if (comesOverLine && pathOf(location).pathname === "/") app.before = loading.then(() => early?.warm());

/** @param {typeof import("./early_games.js")} module */
function begin({ createEarlyGames }) {
  early = createEarlyGames(BASE, app);
  app.listen((state) => void early?.follow(state));
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export async function send(path, init) {
  if (`${init.method} ${path}` === FORGET) {
    await app.erase();
    return new Response(null, { status: 204 });
  }
  if (path === PICTURE) {
    const { sendPicture } = await import("/static/browser/pictures.js");
    return sendPicture(app, path, init);
  }
  await loading;
  return early?.send(path, init) ?? app.send(path, init);
}

/**
 * @param {string} path
 * @returns {import("../shared/types.js").Connection}
 */
export function connect(path) {
  const found = () => early?.connect(path) ?? app.connect(path);
  return early ? found() : new LateConnection(loading, found);
}

/**
 * Show how far the app has loaded, and what stands in its way; in another language when called again.
 *
 * @param {Context} context
 */
export function showConnection(context) {
  void import("/static/browser/notices.js").then(({ showNotices }) => showNotices(context, app, BASE));
}
