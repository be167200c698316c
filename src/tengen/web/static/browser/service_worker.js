/**
 * Keeps all files of the site, so that it works without a network, and lets pages be isolated from other origins.
 *
 * A version is kept whole in a cache of its own. Files that have not changed are taken from the version before; a new
 * version that is not complete is never used, and a complete one waits until a page asks for it.
 *
 * @typedef {{ version: string, files: Record<string, [size: number, digest: string]> }} List
 */

const VERSION = "";

const worker = /** @type {any} */ (self);
/** @type {string} */
const SCOPE = worker.registration.scope;
const PREFIX = `tengen ${new URL(SCOPE).pathname} `;
const CACHE = PREFIX + VERSION;
const LIST = "files.json";
const AT_ONCE = 6;

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(clean()));
worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => {
  if (data === "activate") worker.skipWaiting();
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(SCOPE)) event.respondWith(answer(request));
});

/** Keep all files of this version. */
async function install() {
  const answer = await fetch(LIST, { cache: "no-cache" });
  const text = await answer.text();
  /** @type {List} */
  const list = JSON.parse(text);
  if (list.version !== VERSION) throw new Error(`${LIST} is of version ${list.version}`);
  const cache = await caches.open(CACHE);
  const former = await formerFiles();
  const waiting = Object.entries(list.files);
  const next = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const [name, [, digest]] = file;
      if (await cache.match(name)) continue; // an installation that was interrupted
      await cache.put(name, (await former.get(digest)?.()) ?? (await load(name, digest)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  await cache.put(
    LIST,
    new Response(text, { headers: { "Content-Type": "application/json", ...HEADERS } }),
  );
}

/**
 * Load a file, whatever the browser or the host has kept of another version.
 *
 * @param {string} name
 * @param {string} digest
 */
async function load(name, digest) {
  for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
    const answer = await fetch(name, { cache });
    const data = await answer.arrayBuffer();
    if (!answer.ok || (await digestOf(data)) !== digest) continue;
    const type = answer.headers.get("Content-Type");
    return new Response(data, { headers: { ...(type && { "Content-Type": type }), ...HEADERS } });
  }
  throw new Error(`${name} is not of version ${VERSION}`);
}

/** @param {ArrayBuffer} data */
async function digestOf(data) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The files of complete versions before, by their digests.
 *
 * @returns {Promise<Map<string, () => Promise<Response | undefined>>>}
 */
async function formerFiles() {
  /** @type {Map<string, () => Promise<Response | undefined>>} */
  const found = new Map();
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue;
    const cache = await caches.open(name);
    /** @type {List | undefined} */
    const list = await (await cache.match(LIST))?.json();
    for (const [file, [, digest]] of Object.entries(list?.files ?? {}))
      found.set(digest, () => cache.match(file));
  }
  return found;
}

/** Forget other versions. */
async function clean() {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  const path = url.href.slice(SCOPE.length).replace(/[?#].*$/, "");
  if (request.mode !== "navigate") return (await cache.match(path || "./")) ?? fetch(request);
  const folder = path.replace(/(^|\/)index\.html$/, "$1");
  if (!folder || folder.endsWith("/")) {
    const found = await cache.match(`${folder}index.html`);
    if (found) return found;
  } else if (await cache.match(`${folder}/index.html`)) {
    url.pathname += "/"; // the addresses in the document are relative
    return Response.redirect(url.href);
  }
  const found = await cache.match(path || "./");
  if (found) return found;
  return fetch(request).catch(async () => {
    const lost = await cache.match("404.html");
    return new Response(lost?.body, { status: 404, headers: lost?.headers });
  });
}
