/**
 * The sounds of the app, made from noise and sines as they are needed: no files.
 *
 * @typedef {object} Sound
 * @property {() => void} stone a stone is put down
 * @property {() => void} refuse a point is refused
 * @property {() => void} end the game is over
 * @property {() => void} phrase somebody says something
 */

/**
 * @param {() => boolean} wanted whether sound is on
 * @returns {Sound}
 */
export function createSound(wanted) {
  /** @type {AudioContext | null} */
  let audio = null;
  return {
    stone: () => {
      knock(0.004, 1900, 0.5);
      tone(210, 0, 0.07, 0.16);
    },
    refuse: () => tone(130, 0, 0.16, 0.14),
    phrase: () => tone(660, 0, 0.12, 0.06),
    end: () => [392, 494, 587].forEach((pitch, index) => tone(pitch, index * 0.09, 0.6, 0.07)),
  };

  /** A browser lets nothing sound before the first click. */
  function ready() {
    if (!wanted()) return null;
    audio ??= new AudioContext();
    if (audio.state === "suspended") void audio.resume();
    return audio;
  }

  /**
   * @param {number} pitch in Hz
   * @param {number} after seconds from now
   * @param {number} length in seconds
   * @param {number} loud from 0 to 1
   */
  function tone(pitch, after, length, loud) {
    const context = ready();
    if (!context) return;
    const start = context.currentTime + after;
    const source = new OscillatorNode(context, { frequency: pitch });
    source.connect(fading(context, start, length, loud));
    source.start(start);
    source.stop(start + length);
  }

  /**
   * @param {number} length how soon it fades, in seconds
   * @param {number} pitch where its noise is loudest
   * @param {number} loud
   */
  function knock(length, pitch, loud) {
    const context = ready();
    if (!context) return;
    const buffer = context.createBuffer(1, context.sampleRate * 0.05, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) {
      samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (length * context.sampleRate));
    }
    const source = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
    source.connect(filter).connect(fading(context, context.currentTime, 0.05, loud));
    source.start();
  }
}

/**
 * @param {AudioContext} context
 * @param {number} start
 * @param {number} length
 * @param {number} loud
 */
function fading(context, start, length, loud) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(context.destination);
  return gain;
}
