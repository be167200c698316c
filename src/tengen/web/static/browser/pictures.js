/**
 * Pictures made of pixels, for which a page's Python has no renderer: the browser draws the app's SVG as PNG or GIF.
 *
 * @typedef {import("./early_game.js").App} App
 */

/** Pixels of the longer side of a PNG, as the server has it. */
const LONGER_SIDE = 1000;

const ANIMATION = "/api/animation";

/**
 * Answer a request for a picture.
 *
 * @param {Pick<App, "send">} app
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export async function sendPicture(app, path, init) {
  const { format, ...picture } = JSON.parse(String(init.body));
  if (format === "gif") {
    const { marks, heat, lang, ...game } = picture;
    const answer = await app.send(ANIMATION, { ...init, body: JSON.stringify(game) });
    if (!answer.ok) return answer;
    const { toGif } = await import("/static/browser/gif.js");
    return new Response(await toGif(await answer.json()));
  }
  if (format !== "png") return app.send(path, init);
  const answer = await app.send(path, { ...init, body: JSON.stringify({ ...picture, format: "svg" }) });
  return answer.ok ? new Response(await toPng(await answer.text())) : answer;
}

/** @param {string} svg */
async function toPng(svg) {
  const image = await decoded(svg);
  const scale = LONGER_SIDE / Math.max(image.width, image.height);
  const context = context2d(Math.round(scale * image.width), Math.round(scale * image.height));
  const { canvas } = context;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return /** @type {Promise<Blob | null>} */ (new Promise((done) => canvas.toBlob(done, "image/png")));
}

/**
 * Return a picture as an image that can be drawn.
 *
 * @param {string} svg
 */
export async function decoded(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Return what draws on a canvas of this size and reads from it.
 *
 * @param {number} width
 * @param {number} height
 */
export function context2d(width, height) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
}
