/**
 * "How computers play five-in-a-row": a guided walk from a table of all positions to the engine, and the rules
 * for those who begin.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("./chapters.js").Chapter} Chapter
 */

import { h, icon } from "../shared/dom.js";
import { CHAPTERS } from "./chapters.js";
import { createExample, createTask } from "./demo.js";
import { createPlay } from "./lesson_game.js";
import { progress, progressOf } from "./progress.js";
import { mountRules } from "./lesson_rules.js";
import { loadStyles } from "../shared/styles.js";

const DONE = "M4 10.5l4 4 8-9";

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {Record<string, string>} params `name` of a chapter
 * @returns {() => void}
 */
export function mount(root, context, { name }) {
  const page = h("article", { class: "learn" });
  root.append(page);
  void Promise.all([loadStyles("learn/learn.css"), loadStyles("why/why.css")]);
  const chapter = CHAPTERS.find((one) => one.name === name);
  const title = chapter
    ? `web.learn.${chapter.name}.title`
    : name === "rules"
      ? "web.learn.rules.title"
      : "web.learn.title";
  document.title = `${context.say(title)} · Tengen`;
  if (chapter) return mountChapter(page, context, chapter);
  if (name === "rules") return mountRules(page, context);
  mountIndex(page, context);
  return () => {};
}

/**
 * @param {HTMLElement} root
 * @param {Context} context
 */
function mountIndex(root, { say }) {
  const solved = CHAPTERS.filter((chapter) => progressOf(chapter.name) === "solved").length;
  const next = CHAPTERS.find((chapter) => progressOf(chapter.name) !== "solved") ?? CHAPTERS[0];
  const items = CHAPTERS.map((chapter, i) => {
    const state = progressOf(chapter.name);
    return h(
      "li",
      {},
      h(
        "a",
        { class: "learn-card panel", href: `/learn/${chapter.name}` },
        h("span", { class: "learn-number", "aria-hidden": "true" }, String(i + 1)),
        h(
          "span",
          {},
          h("b", {}, say(`web.learn.${chapter.name}.title`)),
          h("span", { class: "soft" }, say(`web.learn.${chapter.name}.lead`)),
        ),
        state === "solved" ? h("span", { class: "learn-done" }, icon(DONE), say("web.learn.solved")) : "",
        state === "read" ? h("span", { class: "learn-done read" }, say("web.learn.read")) : "",
      ),
    );
  });
  root.append(
    h("h1", {}, say("web.learn.title")),
    h("p", { class: "learn-lead" }, say("web.learn.lead")),
    h(
      "p",
      { class: "learn-start" },
      h(
        "a",
        { class: "button main", href: `/learn/${next.name}` },
        solved ? say("web.learn.go_on") : say("web.learn.start"),
      ),
      h("a", { class: "button", href: "/learn/rules" }, say("web.learn.rules.title")),
      solved
        ? h("span", { class: "soft" }, say("web.learn.progress", { solved, all: CHAPTERS.length }))
        : "",
    ),
    h("ol", { class: "learn-list", role: "list" }, ...items),
  );
}

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {Chapter} chapter
 */
function mountChapter(root, context, chapter) {
  const { say } = context;
  const { name } = chapter;
  const at = CHAPTERS.indexOf(chapter);
  const before = CHAPTERS[at - 1];
  const next = CHAPTERS[at + 1];
  const done = h(
    "span",
    { class: "learn-done", hidden: progressOf(name) !== "solved" },
    icon(DONE),
    say("web.learn.solved"),
  );
  const example = createExample(context, chapter);
  const task = createTask(context, chapter, () => {
    progress(name, "solved");
    done.hidden = false;
  });
  const play = createPlay(context, chapter.play);
  const ideas = Array.from({ length: chapter.ideas }, (_, i) =>
    h("p", {}, say(`web.learn.${name}.idea${i + 1}`)),
  );
  progress(name, "read");
  root.append(
    h(
      "p",
      { class: "learn-way" },
      h("a", { href: "/learn" }, say("web.learn.title")),
      " · ",
      say("web.learn.chapter", { number: at + 1, all: CHAPTERS.length }),
      " ",
      done,
    ),
    h("h1", {}, say(`web.learn.${name}.title`)),
    h("div", { class: "learn-text" }, ...ideas),
    section(say("web.learn.example"), [say(`web.learn.${name}.example`)], example.element),
    section(say("web.learn.task"), [say(`web.learn.${name}.task`)], task.element),
    section(say("web.learn.blind"), [say(`web.learn.${name}.blind`)]),
    section(say("web.learn.play"), [say(`web.learn.${name}.play`)], play.element),
    h(
      "nav",
      { class: "learn-next", "aria-label": say("web.learn.chapters") },
      before
        ? h(
            "a",
            { class: "button", href: `/learn/${before.name}` },
            say("web.learn.before", { title: say(`web.learn.${before.name}.title`) }),
          )
        : "",
      next
        ? h(
            "a",
            { class: "button main", href: `/learn/${next.name}` },
            say("web.learn.next", { title: say(`web.learn.${next.name}.title`) }),
          )
        : h("a", { class: "button main", href: "/" }, say("web.learn.end")),
    ),
  );
  return () => [example, task, play].forEach((part) => part.destroy());
}

/**
 * @param {string} title
 * @param {readonly string[]} texts
 * @param {HTMLElement} [demo]
 */
function section(title, texts, demo) {
  const text = h("div", { class: "learn-text" }, ...texts.map((one) => h("p", {}, one)));
  return h("section", { class: "learn-section" }, h("h2", {}, title), text, demo ?? "");
}
