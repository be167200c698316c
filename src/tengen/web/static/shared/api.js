/**
 * Talks to the server: JSON there and back, and errors that can be said.
 *
 * @typedef {{key: string, values?: Record<string, unknown>}} Message
 *
 * @typedef {object} Asking
 * @property {string} [token] of a seat
 * @property {AbortSignal} [signal]
 */

const PATIENCE = 60_000; // milliseconds for an answer; more than any that the server thinks about takes

/** What the server refused, or that it could not be reached or did not answer (status 0). */
export class ApiError {
  /**
   * @param {Message} message a sentence of the catalogue
   * @param {number} status of HTTP
   * @param {string} [text] the same in English
   */
  constructor(message, status, text = "") {
    this.message = message;
    this.status = status;
    this.text = text;
  }

  toString() {
    return `${this.status} ${this.text || this.message.key}`;
  }
}

export const api = {
  /**
   * @param {string} path
   * @param {Asking} [asking]
   * @returns {Promise<any>}
   */
  get: (path, asking) => asked("GET", path, undefined, asking),

  /**
   * @param {string} path
   * @param {unknown} [body] JSON, or a form that is sent as it is
   * @param {Asking} [asking]
   * @returns {Promise<any>}
   */
  post: (path, body = {}, asking) => asked("POST", path, body, asking),

  /**
   * @param {string} path
   * @returns {Promise<any>}
   */
  del: (path) => asked("DELETE", path),

  /**
   * A file: of a GET without a body, else of a POST.
   *
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<Blob>}
   */
  file: async (path, body) => (await api.download(path, body)).file,

  /**
   * A file as `file` gets it, and what its format does not keep of the game.
   *
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<{ file: Blob, notKept: any }>}
   */
  download: (path, body) =>
    asked(body === undefined ? "GET" : "POST", path, body, {}, async (answer) => ({
      file: await answer.blob(),
      notKept: JSON.parse(answer.headers.get("Tengen-Not-Kept") ?? "null"),
    })),
};

/** @typedef {typeof api} Api */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Asking} [asking]
 * @param {(answer: Response) => Promise<any>} [read] what is answered
 * @returns {Promise<any>}
 */
async function asked(method, path, body, { token, signal } = {}, read = json) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const form = body instanceof FormData;
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? undefined : form ? body : JSON.stringify(body);
  const limits = signal ? [signal] : [];
  // A form may be a large file on a slow line.
  if (!form) limits.push(AbortSignal.timeout(PATIENCE));
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal: AbortSignal.any(limits), body: sent });
    if (answer.ok) return await read(answer);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ key: "web.error.offline" }, 0);
  }
  const { error, text } = await json(answer).catch(() => ({}));
  const fallback = { key: "web.error.server", values: { status: answer.status } };
  throw new ApiError(error?.key ? error : fallback, answer.status, text);
}

/** @param {Response} answer */
async function json(answer) {
  return answer.status === 204 ? null : answer.json();
}
