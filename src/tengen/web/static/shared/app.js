/**
 * The app: its header, its language and its look, and the page that the address names.
 *
 * @import { Context } from "./context.js"
 */

import { createCalls } from "./calls.js";
import { createContext } from "./context.js";
import { createHeader } from "./header.js";
import { followPrinting } from "./printing.js";
import { createRouter } from "./router.js";
import { cueScrolling } from "./scroll_cue.js";
import { createSettings } from "./settings.js";
import { createSound } from "./sound.js";

const settings = createSettings();
const sound = createSound(() => settings.get("sound"));
const root = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @type {Context | undefined} */
let context;
const header = createHeader(/** @type {HTMLElement} */ (document.getElementById("header")), settings);
const router = createRouter(
  root,
  () => /** @type {Context} */ (context),
  (name) => header.mark(name),
);

const calls = createCalls(() => /** @type {Context} */ (context));
calls.onChange(header.draw);

settings.on("theme", dress);
followPrinting(settings);
cueScrolling();
settings.on("lang", () => void learn());
router.preload();
await learn();

/** @returns {"en" | "zh"} */
function language() {
  const chosen = settings.get("lang");
  if (chosen === "en" || chosen === "zh") return chosen;
  return navigator.language.startsWith("zh") ? "zh" : "en";
}

/** Learn the words of the language that is chosen, and show the page in them. */
async function learn() {
  const lang = language();
  try {
    const words = createWords(lang);
    await Promise.all([words.learn("app"), words.learn(router.folder())]);
    speak(lang, words);
  } catch (error) {
    console.warn(error);
    // Without words the page has but one sentence, in both languages.
    if (context) context.toast({ key: "web.error.offline" }, { kind: "error" });
    else /** @type {HTMLElement} */ (document.getElementById("speechless")).hidden = false;
    return;
  }
  await router.show();
}

/**
 * The words of a language, which come in parts: those of every page, `app`, and those of each folder of pages.
 *
 * @param {"en" | "zh"} lang
 */
function createWords(lang) {
  /** @type {Record<string, string>} */
  const texts = {};
  /** @type {Set<string>} */
  const parts = new Set();
  return {
    texts,
    /** @param {string} part */
    async learn(part) {
      if (parts.has(part)) return;
      const answer = await fetch(`/words/${lang}/${part}.json`);
      if (!answer.ok) throw new Error(`${answer.status}`);
      Object.assign(texts, await answer.json());
      parts.add(part);
    },
  };
}

/**
 * @param {"en" | "zh"} lang
 * @param {ReturnType<typeof createWords>} words
 */
function speak(lang, words) {
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
  context = createContext({ ...words, lang, go: router.go, settings, sound, calls });
  header.show(context);
  dress();
}

function dress() {
  const theme = settings.get("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // The frame of the browser's window has the colour of the page.
  const { backgroundColor } = getComputedStyle(document.body);
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", backgroundColor);
}
