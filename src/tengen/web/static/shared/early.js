// Before anything is drawn: the theme and the language that were chosen, so that nothing flashes.
// A plain script, because modules run too late.
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {{theme?: string, lang?: string}} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("tengen") ?? "{}");
  } catch {
    // Nothing kept, or nothing that can be read.
  }
  const root = document.documentElement;
  if (chosen.theme === "light" || chosen.theme === "dark") root.dataset.theme = chosen.theme;
  /** @type {import("./types.js").Language[]} */
  const languages = JSON.parse(root.dataset.languages ?? "");
  const wanted = navigator.language.split("-")[0];
  const language =
    languages.find(({ code }) => code === chosen.lang) ??
    languages.find(({ code, draft }) => code === wanted && !draft) ??
    languages[0];
  // The words are on their way before the first module asks for them.
  const page = /\/(analyse|games|learn|lobby|privacy|puzzles|tournaments)\b/.exec(location.pathname)?.[1];
  for (const { code } of language.draft ? [language, languages[0]] : [language]) {
    for (const part of ["app", page ?? "play"]) {
      const words = document.createElement("link");
      const { href } = new URL(`/words/${code}/${part}.json`, script);
      document.head.append(
        Object.assign(words, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href }),
      );
    }
  }
  root.lang = language.locale;
})();
