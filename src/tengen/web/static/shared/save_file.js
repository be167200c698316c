/** Formats of pictures. */
export const PICTURES = ["svg", "png", "gif"];

/**
 * Save a file as a download.
 *
 * @param {Blob} file
 * @param {string} name
 */
export function saveFile(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
