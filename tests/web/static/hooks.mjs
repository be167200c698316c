/** Lets Node import the modules of the pages by the addresses that the server gives them. */

import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const SOURCES = new URL("../../../src/tengen/", import.meta.url);
const FOLDERS = { "/assets/": "assets/", "/static/": "web/static/" };

if (isMainThread) register(import.meta.url);

/** Resolve an address of the server to its file, and take every file of the pages for a module. */
export async function resolve(specifier, context, next) {
  const found = Object.entries(FOLDERS).find(([address]) => specifier.startsWith(address));
  const name = found ? new URL(found[1] + specifier.slice(found[0].length), SOURCES).href : specifier;
  const resolved = await next(name, context);
  const ours = resolved.url.startsWith(SOURCES.href) && resolved.url.endsWith(".js");
  return ours ? { ...resolved, format: "module" } : resolved;
}
