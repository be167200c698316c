/** The addresses of the app's pages: with a server they are the app's paths, such as `/g/abc?x#y`. */

/**
 * The address of a page, for links and the browser's history.
 *
 * @param {string} path of the app
 * @returns {string}
 */
export function link(path) {
  return path;
}

/**
 * The path of the app that an address shows.
 *
 * @param {URL | Location} address
 * @returns {{ pathname: string, search: string, hash: string }}
 */
export function pathOf({ pathname, search, hash }) {
  return { pathname, search, hash };
}
