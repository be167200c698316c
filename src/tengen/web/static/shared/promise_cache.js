/**
 * Answers of the server, each asked for once, and remembered.
 */

const KEPT = 400; // answers

/**
 * @template Question what is asked, as JSON can write it
 * @template Answer
 * @param {(question: Question) => Promise<Answer>} ask
 * @returns {(question: Question) => Promise<Answer>}
 */
export function createPromiseCache(ask) {
  /** @type {Map<string, Promise<Answer>>} */
  const known = new Map();

  return (question) => {
    const key = JSON.stringify(question);
    const answer = known.get(key) ?? ask(question);
    // What was asked for last is forgotten last.
    known.delete(key);
    known.set(key, answer);
    // What failed for want of a connection is to be asked again.
    answer.catch(() => known.delete(key));
    if (known.size > KEPT) known.delete(known.keys().next().value ?? "");
    return answer;
  };
}
