/** The service worker of the site, which keeps its files, and new versions of them, which wait until the reader agrees. */

export class Updates {
  /** @param {string} base address of the root of the site */
  constructor(base) {
    this.#base = base;
  }

  #base;
  /** @type {ServiceWorkerRegistration | undefined} */
  #registration;
  #postponed = false;
  /** Called when there is a new version. */
  onChange = () => {};

  /** Whether a new version waits. */
  get isReady() {
    return Boolean(this.#registration?.waiting) && !this.#postponed;
  }

  /** Have the files kept, and look for new versions of them; once. */
  async follow() {
    const { serviceWorker } = navigator;
    if (!serviceWorker || this.#registration) return;
    const controlled = serviceWorker.controller !== null;
    try {
      const address = new URL("service_worker.js", this.#base);
      this.#registration = await serviceWorker.register(address, { updateViaCache: "none" });
    } catch (error) {
      console.warn(error); // the site works without
      return;
    }
    const registration = this.#registration;
    // All tabs have files of one version.
    if (controlled)
      serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    const watch = () =>
      registration.installing?.addEventListener("statechange", () => {
        if (controlled) this.onChange();
      });
    registration.addEventListener("updatefound", watch);
    watch();
    this.onChange();
  }

  /** Begin to use the new version. */
  reload() {
    this.#registration?.waiting?.postMessage("activate");
  }

  /** Leave it for the next visit. */
  postpone() {
    this.#postponed = true;
    this.onChange();
  }
}
