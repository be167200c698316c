/**
 * Talks to the server: JSON there and back, and errors that can be said.
 *
 * @typedef {{key: string, values?: Record<string, unknown>}} Message
 *
 * @typedef {object} Asking
 * @property {string} [token] of a seat
 * @property {AbortSignal} [signal]
 */

/** What the server refused, or that it could not be reached (status 0). */
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
  get: (path, asking) => asked("GET", path, undefined, asking).then(json),

  /**
   * @param {string} path
   * @param {unknown} [body] JSON, or a form that is sent as it is
   * @param {Asking} [asking]
   * @returns {Promise<any>}
   */
  post: (path, body = {}, asking) => asked("POST", path, body, asking).then(json),

  /**
   * @param {string} path
   * @returns {Promise<any>}
   */
  del: (path) => asked("DELETE", path).then(json),

  /**
   * A file: of a GET without a body, else of a POST.
   *
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<Blob>}
   */
  file: (path, body) =>
    asked(body === undefined ? "GET" : "POST", path, body).then((answer) => answer.blob()),
};

/** @typedef {typeof api} Api */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Asking} [asking]
 */
async function asked(method, path, body, { token, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const form = body instanceof FormData;
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? undefined : form ? body : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: sent });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ key: "web.error.offline" }, 0);
  }
  if (answer.ok) return answer;
  const { error, text } = await json(answer).catch(() => ({}));
  const fallback = { key: "web.error.server", values: { status: answer.status } };
  throw new ApiError(error?.key ? error : fallback, answer.status, text);
}

/** @param {Response} answer */
async function json(answer) {
  return answer.status === 204 ? null : answer.json();
}
