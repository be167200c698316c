/**
 * The addresses of the app's pages in a site of files: below any path, a document for each page. What there is no document
 * for, a game or a puzzle, is named in the query: `/g/abc#x` is `g/?id=abc#x` below the root of the site.
 */

const ROOT = new URL("../../", import.meta.url);

/** The parameter that names what a page shows, by the folder of its document. @type {Record<string, string>} */
const NAMED = { g: "id", puzzles: "name" };

/**
 * The address of a page, for links and the browser's history.
 *
 * @param {string} path of the app
 * @returns {string}
 */
export function link(path) {
  const { pathname, search, hash } = new URL(path, ROOT);
  const [, folder, name] = pathname.split("/");
  const key = name && NAMED[folder];
  if (key) return `${ROOT.pathname}${folder}/?${key}=${name}${search.replace("?", "&")}${hash}`;
  return ROOT.pathname + (folder ? `${pathname.slice(1)}/` : "") + search + hash;
}

/**
 * The path of the app that an address shows; empty if it is none of the site's.
 *
 * @param {URL | Location} address
 * @returns {{ pathname: string, search: string, hash: string }}
 */
export function pathOf({ pathname, search, hash }) {
  if (!pathname.startsWith(ROOT.pathname)) return { pathname: "", search, hash };
  const folders = pathname
    .slice(ROOT.pathname.length)
    .replace(/(^|\/)index\.html$/, "")
    .split("/")
    .filter(Boolean);
  const query = new URLSearchParams(search);
  const key = folders.length === 1 ? NAMED[folders[0]] : undefined;
  const name = key && query.get(key);
  if (!key || !name) return { pathname: `/${folders.join("/")}`, search, hash };
  query.delete(key);
  const rest = query.toString();
  return { pathname: `/${folders[0]}/${encodeURIComponent(name)}`, search: rest && `?${rest}`, hash };
}
