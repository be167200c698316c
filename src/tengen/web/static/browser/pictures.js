/**
 * Pictures made of pixels, for which a page's Python has no renderer: the browser draws the app's SVG as PNG. Nothing here
 * writes GIF.
 *
 * @typedef {import("./early_game.js").App} App
 */

/** Pixels of the longer side, as the server has it. */
const LONGER_SIDE = 1000;

/**
 * Answer a request for a picture.
 *
 * @param {Pick<App, "send">} app
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export async function sendPicture(app, path, init) {
  const picture = JSON.parse(String(init.body));
  if (picture.format === "gif")
    return Response.json({ error: { key: "web.site.no_gif" } }, { status: 422 });
  if (picture.format !== "png") return app.send(path, init);
  const answer = await app.send(path, { ...init, body: JSON.stringify({ ...picture, format: "svg" }) });
  return answer.ok ? new Response(await toPng(await answer.blob())) : answer;
}

/** @param {Blob} svg */
async function toPng(svg) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = LONGER_SIDE / Math.max(image.width, image.height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(scale * image.width);
    canvas.height = Math.round(scale * image.height);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await /** @type {Promise<Blob | null>} */ (
      new Promise((done) => canvas.toBlob(done, "image/png"))
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
