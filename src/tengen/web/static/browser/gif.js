/**
 * An animation as a GIF file.
 *
 * @import { Animation, Frame, Patch } from "../shared/schemas.js"
 * @import { Colour } from "../vendor/gifenc/gifenc.js"
 *
 * @typedef {Map<Patch, ImageData>} Images
 */

import { context2d, decoded } from "/static/browser/pictures.js";
import { GIFEncoder, applyPalette, quantize } from "/static/vendor/gifenc/gifenc.js";

/** The most colours of a GIF; one of them stands for the pixels of the frame before. */
const COLOURS = 256;

/** The disposal of a frame on which the next one is drawn. */
const KEPT = 1;

/** Patches that are drawn as one picture: a browser takes milliseconds to open one, however small. */
const TOGETHER = 64;

/**
 * Return an animation as a GIF file that plays for ever. All frames have one palette, the best for the first frame, the
 * last and the one before it together.
 *
 * @param {Animation} animation
 * @returns {Promise<Blob>}
 */
export async function toGif({ width, height, accents, frames }) {
  const images = await draw(frames.flatMap(({ patches }) => patches));
  const rare = accents.map(colourOf);
  const common = quantize(samples(width, height, frames, images), COLOURS - 1 - rare.length);
  const palette = [...common, ...rare];
  const unchanged = palette.length;
  const gif = GIFEncoder();
  for (const [number, { milliseconds, patches }] of frames.entries()) {
    const indices = new Uint8Array(width * height).fill(unchanged);
    for (const patch of patches)
      paste(indices, width, applyPalette(pixels(images, patch).data, palette), patch);
    gif.writeFrame(indices, width, height, {
      palette: number ? undefined : [...palette, [0, 0, 0]],
      delay: milliseconds,
      transparent: number > 0,
      transparentIndex: unchanged,
      dispose: KEPT,
    });
  }
  gif.finish();
  return new Blob([gif.bytes()]);
}

/**
 * @param {Patch[]} patches
 * @returns {Promise<Images>}
 */
async function draw(patches) {
  /** @type {Images} */
  const images = new Map();
  for (let first = 0; first < patches.length; first += TOGETHER) {
    const column = patches.slice(first, first + TOGETHER);
    const width = Math.max(...column.map((patch) => patch.width));
    let height = 0;
    let parts = "";
    for (const patch of column) {
      parts += `<g transform="translate(0 ${height})">${patch.svg}</g>`;
      height += patch.height;
    }
    const size = `width="${width}" height="${height}"`;
    const image = await decoded(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts}</svg>`);
    const context = context2d(width, height);
    context.drawImage(image, 0, 0);
    let top = 0;
    for (const patch of column) {
      images.set(patch, context.getImageData(0, top, patch.width, patch.height));
      top += patch.height;
    }
  }
  return images;
}

/**
 * Return the pixels of the first frame, of the last and of the one before it.
 *
 * @param {number} width
 * @param {number} height
 * @param {Frame[]} frames
 * @param {Images} images
 */
function samples(width, height, frames, images) {
  const context = context2d(width, height);
  const sampled = [0, frames.length - 2, frames.length - 1];
  const wholes = [];
  for (const [number, { patches }] of frames.entries()) {
    for (const patch of patches) context.putImageData(pixels(images, patch), patch.left, patch.top);
    if (sampled.includes(number)) wholes.push(context.getImageData(0, 0, width, height).data);
  }
  const [{ length }] = wholes;
  const joined = new Uint8ClampedArray(wholes.length * length);
  wholes.forEach((whole, place) => joined.set(whole, place * length));
  return joined;
}

/**
 * @param {Images} images
 * @param {Patch} patch
 */
function pixels(images, patch) {
  return /** @type {ImageData} */ (images.get(patch));
}

/**
 * Put a patch into a frame; both are indices of colours.
 *
 * @param {Uint8Array} frame
 * @param {number} across width of the frame
 * @param {Uint8Array} indices
 * @param {Patch} patch
 */
function paste(frame, across, indices, { left, top, width, height }) {
  for (let y = 0; y < height; y++)
    frame.set(indices.subarray(y * width, (y + 1) * width), (top + y) * across + left);
}

/**
 * @param {string} css as `#rgb` or `#rrggbb`
 * @returns {Colour}
 */
function colourOf(css) {
  const digits = css.length < 7 ? css.replaceAll(/[^#]/g, "$&$&") : css;
  const number = parseInt(digits.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
