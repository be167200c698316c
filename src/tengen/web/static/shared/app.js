/** The app: its header, its language and its look, and the page that the address names. */

import { createContext } from "./context.js";
import { createHeader } from "./header.js";
import { createRouter } from "./router.js";
import { createSettings } from "./settings.js";
import { createSound } from "./sound.js";

const settings = createSettings();
const sound = createSound(() => settings.get("sound"));
const root = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @type {import("./context.js").Context} */
let context;
const header = createHeader(/** @type {HTMLElement} */ (document.getElementById("header")), settings);
const router = createRouter(
  root,
  () => context,
  (name) => header.mark(name),
);

settings.on("theme", dress);
settings.on("lang", () => void speak().then(() => router.show()));
router.preload();
await speak();
void router.show();

/** @returns {"en" | "zh"} */
function language() {
  const chosen = settings.get("lang");
  if (chosen === "en" || chosen === "zh") return chosen;
  return navigator.language.startsWith("zh") ? "zh" : "en";
}

/** Learn the words of the language that is chosen. */
async function speak() {
  const lang = language();
  const answer = await fetch(`/words/${lang}.json`);
  const texts = await answer.json();
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
  context = createContext({ texts, lang, go: router.go, settings, sound });
  header.show(context);
  dress();
}

function dress() {
  const theme = settings.get("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", dark ? "#161411" : "#f5f0e6");
}
