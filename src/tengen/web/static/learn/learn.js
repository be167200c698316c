/**
 * "How computers play five-in-a-row": a guided walk from a table of all positions to the engine, and the rules
 * for those who begin.
 *
 * @import { Context } from "../shared/types.js"
 * @import { Chapter } from "./chapters.js"
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { icon } from "../shared/view.js";
import { CHAPTERS } from "./chapters.js";
import { createExample } from "./lesson_example.js";
import { createLessonGame } from "./lesson_game.js";
import { createTask } from "./lesson_task.js";
import { progress, progressOf } from "./progress.js";
import { mountRules } from "./rules_page.js";

const DONE = "M4 10.5l4 4 8-9";

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {Record<string, string>} params `name` of a chapter
 * @returns {() => void}
 */
export function mount(root, context, { name }) {
  const page = document.createElement("article");
  page.className = "learn";
  root.append(page);
  const chapter = CHAPTERS.find((one) => one.name === name);
  const title = chapter
    ? `web.learn.${chapter.name}.title`
    : name === "rules"
      ? "web.learn.rules.title"
      : "web.learn.title";
  document.title = `${context.say(title)} · Tengen`;
  if (chapter) return mountChapter(page, context, chapter);
  if (name === "rules") return mountRules(page, context);
  render(contentsView(context), page);
  return () => {};
}

/** @param {Context} context */
function contentsView({ say }) {
  const states = CHAPTERS.map((chapter) => progressOf(chapter.name));
  const solved = states.filter((state) => state === "solved").length;
  const next = CHAPTERS.find((_, i) => states[i] !== "solved") ?? CHAPTERS[0];
  return html`<h1>${say("web.learn.title")}</h1>
    <p class="learn-lead">${say("web.learn.lead")}</p>
    <p class="learn-start">
      <a class="button main" href=${link(`/learn/${next.name}`)}>
        ${solved ? say("web.learn.go_on") : say("web.learn.start")}
      </a>
      <a class="button" href=${link("/learn/rules")}>${say("web.learn.rules.title")}</a>
      <a class="button" href=${link("/puzzles")}>${say("web.nav.puzzles")}</a>
      ${
        solved
          ? html`<span class="soft">${say("web.learn.progress", { solved, all: CHAPTERS.length })}</span>`
          : nothing
      }
    </p>
    <ol class="learn-list" role="list">
      ${CHAPTERS.map(
        ({ name }, i) =>
          html`<li>
            <a class="learn-card panel" href=${link(`/learn/${name}`)}>
              <span class="learn-number" aria-hidden="true">${i + 1}</span>
              <span>
                <b>${say(`web.learn.${name}.title`)}</b>
                <span class="soft">${say(`web.learn.${name}.lead`)}</span>
              </span>
              ${states[i] === "solved" ? solvedView(say) : nothing}
              ${
                states[i] === "read"
                  ? html`<span class="learn-done read">${say("web.learn.read")}</span>`
                  : nothing
              }
            </a>
          </li>`,
      )}
    </ol>`;
}

/** @param {Context["say"]} say */
function solvedView(say) {
  return html`<span class="learn-done">${icon(DONE)}${say("web.learn.solved")}</span>`;
}

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {Chapter} chapter
 */
function mountChapter(root, context, chapter) {
  const parts = {
    example: createExample(context, chapter),
    task: createTask(context, chapter, () => {
      progress(chapter.name, "solved");
      draw();
    }),
    game: createLessonGame(context, chapter.play),
  };
  progress(chapter.name, "read");
  draw();
  return () => Object.values(parts).forEach((part) => part.destroy());

  function draw() {
    render(chapterView(chapter, parts, context), root);
  }
}

/**
 * @param {Chapter} chapter
 * @param {Record<"example" | "task" | "game", { element: HTMLElement }>} parts
 * @param {Context} context
 */
function chapterView(chapter, { example, task, game }, { say }) {
  const { name } = chapter;
  const at = CHAPTERS.indexOf(chapter);
  const before = CHAPTERS[at - 1];
  const next = CHAPTERS[at + 1];
  const titled = (/** @type {Chapter} */ other) => ({ title: say(`web.learn.${other.name}.title`) });
  return html`<p class="learn-way">
      <a href=${link("/learn")}>${say("web.learn.title")}</a> ·
      ${say("web.learn.chapter", { number: at + 1, all: CHAPTERS.length })}
      ${progressOf(name) === "solved" ? solvedView(say) : nothing}
    </p>
    <h1>${say(`web.learn.${name}.title`)}</h1>
    <div class="learn-text">
      ${Array.from({ length: chapter.ideas }, (_, i) => html`<p>${say(`web.learn.${name}.idea${i + 1}`)}</p>`)}
    </div>
    ${sectionView(say("web.learn.example"), say(`web.learn.${name}.example`), example.element)}
    ${sectionView(say("web.learn.task"), say(`web.learn.${name}.task`), task.element)}
    ${sectionView(say("web.learn.blind"), say(`web.learn.${name}.blind`))}
    ${sectionView(say("web.learn.play"), say(`web.learn.${name}.play`), game.element)}
    <nav class="learn-next" aria-label=${say("web.learn.chapters")}>
      ${
        before
          ? html`<a class="button" href=${link(`/learn/${before.name}`)}
              >${say("web.learn.before", titled(before))}</a
            >`
          : nothing
      }
      ${
        next
          ? html`<a class="button main" href=${link(`/learn/${next.name}`)}
              >${say("web.learn.next", titled(next))}</a
            >`
          : html`<a class="button main" href=${link("/")}>${say("web.learn.end")}</a>`
      }
    </nav>`;
}

/**
 * @param {string} title
 * @param {string} text
 * @param {HTMLElement} [part]
 */
function sectionView(title, text, part) {
  return html`<section class="learn-section">
    <h2>${title}</h2>
    <div class="learn-text"><p>${text}</p></div>
    ${part ?? nothing}
  </section>`;
}
