/**
 * The app: its header, its language and its look, and the page that the address names.
 *
 * @import { Sound } from "./sound.js"
 * @import { Context, Language } from "./types.js"
 */

import { speaker } from "/assets/words.js";
import { createCalls } from "./calls.js";
import { showConnection } from "./connection.js";
import { LANGUAGES, createContext } from "./context.js";
import { createHeader } from "./header.js";
import { createRouter, loadAhead } from "./router.js";
import { createSettings } from "./settings.js";

const settings = createSettings();
/** Silence until its module is there. @type {Sound} */
const sound = { stone() {}, refuse() {}, end() {}, phrase() {} };
const root = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @type {Context | undefined} */
let context;
const header = createHeader(/** @type {HTMLElement} */ (document.getElementById("header")), settings);
const router = createRouter(
  root,
  () => context,
  (name) => header.mark(name),
);

const calls = createCalls(() => /** @type {Context} */ (context));
calls.onChange(header.draw);

settings.on("theme", dress);
settings.on("lang", () => void learn());
router.preload();
await learn();
// What no page needs to be drawn.
loadAhead(
  () => import("./sound.js"),
  ({ createSound }) =>
    Object.assign(
      sound,
      createSound(() => settings.get("sound")),
    ),
);
loadAhead(
  () => import("./printing.js"),
  ({ followPrinting }) => followPrinting(settings),
);
loadAhead(
  () => import("./scroll_cue.js"),
  ({ cueScrolling }) => cueScrolling(),
);
loadAhead(() => import("./dialog.js"));

/** The language that is chosen; until one is, that of the document, which early.js found. */
function language() {
  const chosen = LANGUAGES.find(({ code }) => code === settings.get("lang"));
  return chosen ?? LANGUAGES.find(({ locale }) => locale === document.documentElement.lang) ?? LANGUAGES[0];
}

/** Learn the words of the language that is chosen, and show the page in them. */
async function learn() {
  const words = createWords(language());
  try {
    await Promise.all([words.learn("app"), words.learn(router.folder())]);
  } catch (error) {
    console.warn(error);
    // Without words the page has but one sentence, in two languages.
    if (context) context.toast({ key: "web.error.offline" }, { kind: "error" });
    else /** @type {HTMLElement} */ (document.getElementById("speechless")).hidden = false;
    return;
  }
  document.documentElement.lang = words.language.locale;
  context = createContext({ ...words, go: router.go, settings, sound, calls });
  header.show(context);
  showConnection(context);
  dress();
  await router.show();
}

/**
 * The words of a language, which come in parts: those of every page, `app`, and those of each folder of pages. What a
 * draft lacks is said in English.
 *
 * @param {Language} language
 * @returns {Pick<Context, "language" | "say" | "learn">}
 */
function createWords(language) {
  /** @type {Record<string, string>} */
  const texts = {};
  /** @type {Set<string>} */
  const parts = new Set();
  const english = language.draft ? createWords(LANGUAGES[0]) : undefined;
  return {
    language,
    say: speaker(texts, language.locale, english?.say),
    async learn(part) {
      if (parts.has(part)) return;
      const [answer] = await Promise.all([
        fetch(new URL(`/words/${language.code}/${part}.json`, import.meta.url)),
        english?.learn(part),
      ]);
      if (!answer.ok) throw new Error(`${answer.status}`);
      Object.assign(texts, await answer.json());
      parts.add(part);
    },
  };
}

function dress() {
  const theme = settings.get("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // The frame of the browser's window has the colour of the page.
  const { backgroundColor } = getComputedStyle(document.body);
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", backgroundColor);
}
