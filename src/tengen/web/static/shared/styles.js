/**
 * Load a style sheet of the app, once.
 *
 * @param {string} name such as `why/why.css`
 * @returns {Promise<void>} kept also where there is none: a page without its dress is better than no page
 */
export function loadStyles(name) {
  const href = `/static/${name}`;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((done) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href, onload: () => done(), onerror: () => done() });
    document.head.append(link);
  });
}
