/**
 * Questions to a player, one at a time: a newer question ends the older one, and an answer that comes late
 * is dropped. Answers are remembered, so that stepping back through a game shows them at once.
 *
 * @import { ExplainedMove } from "../shared/schemas.js"
 * @import { Context, Position } from "../shared/types.js"
 *
 * @typedef {Position & { player: string }} Question
 *
 * @typedef {object} ExplainRequests
 * @property {(question: Question) => void} ask
 * @property {() => void} stop end the question under way, if there is one
 */

const PAUSE = 120; // milliseconds that a question waits for a newer one
const KEPT = 40; // answers

/** @type {Map<string, ExplainedMove>} */
const known = new Map();

/**
 * @param {Context} context
 * @param {{ onAnswer: (answer: ExplainedMove) => void, onError: (error: any) => void, onBusy: (busy: boolean) => void }} listeners
 * @returns {ExplainRequests}
 */
export function createExplainRequests(context, { onAnswer, onError, onBusy }) {
  let running = new AbortController();
  let timer = 0;

  return { ask, stop };

  function stop() {
    clearTimeout(timer);
    running.abort();
    onBusy(false);
  }

  /** @param {Question} question */
  function ask(question) {
    stop();
    const key = JSON.stringify(question);
    const answer = known.get(key);
    if (answer) {
      onAnswer(answer);
      return;
    }
    const mine = (running = new AbortController());
    onBusy(true);
    timer = window.setTimeout(() => void send(key, question, mine), PAUSE);
  }

  /**
   * @param {string} key
   * @param {Question} question
   * @param {AbortController} mine
   */
  async function send(key, question, mine) {
    try {
      const answer = /** @type {ExplainedMove} */ (
        await context.api.post("/api/explain", question, { signal: mine.signal })
      );
      if (mine.signal.aborted) return;
      known.set(key, answer);
      for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
      onBusy(false);
      onAnswer(answer);
    } catch (error) {
      if (mine.signal.aborted) return;
      onBusy(false);
      onError(error);
    }
  }
}
