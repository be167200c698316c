/**
 * The connection of a site without a server: the app answers in a worker of this page.
 *
 * @import { Context } from "../shared/types.js"
 */

import { AppClient } from "/static/browser/app_client.js";

/** Whether it can be lost: what answers is another machine. */
export const isRemote = false;

/** The address of the root of the site. */
const BASE = new URL("../../", import.meta.url).href;
const app = new AppClient(BASE);

/**
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export function send(path, init) {
  return app.send(path, init);
}

/**
 * @param {string} path
 * @returns {import("../shared/types.js").Connection}
 */
export function connect(path) {
  return app.connect(path);
}

/**
 * Show how far the app has loaded, and what stands in its way; in another language when called again.
 *
 * @param {Context} context
 */
export function showConnection(context) {
  void import("/static/browser/notices.js").then(({ showNotices }) => showNotices(context, app, BASE));
}
