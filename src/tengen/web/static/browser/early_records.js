/**
 * Early games in the browser's storage: the one of this tab, which goes on when its page is loaded anew, and those of tabs
 * that were closed before Python was there.
 *
 * @import { EarlyRecord } from "./early_state.js"
 *
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Place
 */

const KEPT = "tengen.early";

export class EarlyRecords {
  /**
   * @param {Place} tab what is kept for this tab
   * @param {Place} lasting what outlasts it
   * @param {LockManager} [locks] tell which games tabs have open; not at every address
   */
  constructor(tab, lasting, locks) {
    this.#tab = tab;
    this.#lasting = lasting;
    this.#locks = locks;
  }

  #tab;
  #lasting;
  #locks;

  /** The records in the storage of this browser. */
  static open() {
    return new EarlyRecords(
      placeOr(() => sessionStorage),
      placeOr(() => localStorage),
      navigator.locks,
    );
  }

  /** The game that this tab had begun before its page was loaded anew. @returns {EarlyRecord | null} */
  own() {
    return parsed(this.#tab.getItem(KEPT));
  }

  /** A game that any tab has left. @param {string} id @returns {EarlyRecord | null} */
  find(id) {
    const own = this.own();
    return own?.id === id ? own : parsed(this.#lasting.getItem(`${KEPT}.${id}`));
  }

  /** The ids of all. */
  ids() {
    const names = Object.keys(this.#lasting).filter((name) => name.startsWith(`${KEPT}.`));
    const own = this.own();
    return [...new Set([...(own ? [own.id] : []), ...names.map((name) => name.slice(KEPT.length + 1))])];
  }

  /** @param {EarlyRecord} record */
  keep(record) {
    const text = JSON.stringify(record);
    try {
      this.#tab.setItem(KEPT, text);
      this.#lasting.setItem(`${KEPT}.${record.id}`, text);
    } catch {
      // It is lost if the page is closed before Python is there.
    }
  }

  /** @param {string} id */
  remove(id) {
    if (this.own()?.id === id) this.#tab.removeItem(KEPT);
    this.#lasting.removeItem(`${KEPT}.${id}`);
  }

  /** Have a game open in this tab until that is closed. @param {string} id */
  hold(id) {
    void this.#locks?.request(lockOf(id), () => new Promise(() => {}));
  }

  /**
   * Do something with a game, unless a tab has it open.
   *
   * @param {string} id
   * @param {() => Promise<void>} act
   */
  async unlessOpen(id, act) {
    if (!this.#locks) await act();
    else
      await this.#locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
        if (lock) await act();
      });
  }
}

/** @param {string} id of a game */
function lockOf(id) {
  return `tengen early ${id}`;
}

/** A place of the browser's; one that keeps nothing, where it has none. @param {() => Storage} find @returns {Place} */
function placeOr(find) {
  try {
    return find();
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
}

/** @param {string | null} text @returns {EarlyRecord | null} */
function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
