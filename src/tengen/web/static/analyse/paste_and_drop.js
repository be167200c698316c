/** Games that are pasted or dropped anywhere on the analysis page. */

import { typing } from "../shared/tabs_view.js";

/**
 * @param {{upload: (file: File) => Promise<void>, paste: (text: string) => Promise<void>}} files
 * @returns {() => void} end it
 */
export function takePasteAndDrop(files) {
  const over = new AbortController();
  const { signal } = over;
  addEventListener("paste", paste, { signal });
  addEventListener("dragover", drag, { signal });
  addEventListener("drop", drop, { signal });
  return () => over.abort();

  /** Moves or a game from the clipboard. @param {ClipboardEvent} event */
  function paste(event) {
    if (typing(event) || document.querySelector("dialog[open]")) return;
    const [file] = event.clipboardData?.files ?? [];
    if (file) void files.upload(file);
    else void files.paste(event.clipboardData?.getData("text/plain") ?? "");
  }

  /** @param {DragEvent} event */
  function drag(event) {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  }

  /** @param {DragEvent} event */
  function drop(event) {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    void files.upload(file);
  }
}
