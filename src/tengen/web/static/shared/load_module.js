/**
 * Modules that are loaded when they are first needed.
 *
 * @import { Context } from "./context.js"
 */

/** Milliseconds after which the browser is asked to load ahead though it has something else to do. */
const PATIENCE = 2000;

/**
 * A module once it is there; null where it cannot be loaded, which has been said.
 *
 * @template Module
 * @param {Context} context
 * @param {Promise<Module>} loading what `import` answers
 */
export async function loadModule(context, loading) {
  try {
    return await loading;
  } catch (error) {
    console.warn(error);
    context.toast({ key: "web.error.load" }, { kind: "error" });
    return null;
  }
}

/**
 * Load a module when the browser has nothing else to do, or after a while whatever it does, so that it is there when
 * it is needed. Who needs it asks for it by `import` all the same, and hears there if it cannot be loaded.
 *
 * @template Module
 * @param {() => Promise<Module>} load
 * @param {(module: Module) => void} [onThere]
 */
export function loadAhead(load, onThere = () => {}) {
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, 300));
  idle(() => void load().then(onThere, () => {}), { timeout: PATIENCE });
}
