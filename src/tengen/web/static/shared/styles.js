/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Load a style sheet of the app, once.
 *
 * @param {string} name such as `why/why.css`
 * @returns {Promise<void>} when it is there; kept also where there is none: a page without its dress is better than
 *     no page
 */
export function loadStyles(name) {
  const started = loading.get(name) ?? load(`/static/${name}`);
  loading.set(name, started);
  return started;
}

/** @param {string} href */
function load(href) {
  return /** @type {Promise<void>} */ (
    new Promise((done) => {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href, onload: () => done(), onerror: () => done() });
      document.head.append(link);
    })
  );
}
