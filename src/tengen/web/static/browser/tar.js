/** Archives by tar, in the form that POSIX calls ustar. */

const BLOCK = 512;
const FILE = "0";

/**
 * The files of an archive, one after the other.
 *
 * @param {Uint8Array} archive
 * @returns {Generator<{ name: string, data: Uint8Array }>} data: a part of the archive, not a copy
 */
export function* filesOf(archive) {
  for (let place = 0; archive[place];) {
    const name = text(archive, place, 100);
    const size = parseInt(text(archive, place + 124, 12), 8);
    const kind = text(archive, place + 156, 1);
    const folder = text(archive, place + 345, 155);
    place += BLOCK;
    if (kind === FILE) {
      yield { name: folder ? `${folder}/${name}` : name, data: archive.subarray(place, place + size) };
    }
    place += Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** @param {Uint8Array} archive @param {number} place @param {number} length of a field, filled with zeros */
function text(archive, place, length) {
  const field = archive.subarray(place, place + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}
