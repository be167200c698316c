/** Which of several tabs has something that only one may have: a lock of the browser, which another tab may take over. */

export class Ownership {
  /**
   * @param {string} name of the lock
   * @param {object} listener
   * @param {() => void} listener.onOwn this tab has it
   * @param {() => void} listener.onLose another tab has it; this one gets it when that is closed
   */
  constructor(name, listener) {
    this.#name = name;
    this.#listener = listener;
  }

  #name;
  #listener;
  #queue = new AbortController();

  /** Ask for it. */
  ask() {
    // Pages without HTTPS have no locks: there it is for their readers to use one tab.
    if (!navigator.locks) this.#listener.onOwn();
    else void this.#request({ ifAvailable: true });
  }

  /** Take it from the tab that has it. */
  take() {
    this.#queue.abort();
    void this.#request({ steal: true });
  }

  /** @param {LockOptions} options */
  async #request(options) {
    try {
      await navigator.locks.request(this.#name, options, (lock) => {
        if (!lock) return this.#wait();
        this.#listener.onOwn();
        return new Promise(() => {}); // until the tab is closed, or another one takes it
      });
    } catch {
      // A tab that no longer waits has taken it itself; any other has lost it.
      if (!options.signal?.aborted) this.#wait();
    }
  }

  #wait() {
    this.#listener.onLose();
    this.#queue = new AbortController();
    void this.#request({ signal: this.#queue.signal });
  }
}
