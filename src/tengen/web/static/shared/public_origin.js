/**
 * By which address others reach this server: what the browser's window says would lead them to their own machine
 * where the server is opened on the machine that it runs on.
 *
 * @import { Api } from "./api.js"
 *
 * @typedef {object} PublicOrigin
 * @property {string} origin such as `http://192.168.0.5:8000`
 * @property {boolean} reachable whether anybody but this machine gets in
 */

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * @param {Api} api
 * @returns {Promise<PublicOrigin>}
 */
export async function publicOrigin(api) {
  const { hostname, origin } = location;
  if (!LOCAL.includes(hostname)) return { origin, reachable: true };
  const { addresses } = await api.get("/api/server").catch(() => ({ addresses: [] }));
  const [first] = addresses;
  return first ? { origin: first.replace(/\/$/, ""), reachable: true } : { origin, reachable: false };
}
