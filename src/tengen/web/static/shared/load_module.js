/** Modules that are loaded when they are first needed. */

/**
 * A module once it is there; null where it cannot be loaded, which has been said.
 *
 * @template Module
 * @param {import("./context.js").Context} context
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
