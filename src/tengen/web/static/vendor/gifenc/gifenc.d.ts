/** The types of what is used of gifenc, which has none of its own. */

/** Red, green and blue. */
export type Colour = [number, number, number];

/** The best colours, at most `most`, for pixels of four bytes each. */
export function quantize(pixels: Uint8ClampedArray, most: number): Colour[];

/** For each pixel, the index of the colour that is nearest. */
export function applyPalette(pixels: Uint8ClampedArray, palette: Colour[]): Uint8Array;

export interface FrameOptions {
  /** Of the first frame, for all. */
  palette?: Colour[];
  /** Milliseconds. */
  delay: number;
  /** Whether pixels of one index show the frame before. */
  transparent?: boolean;
  transparentIndex?: number;
  /** 1: what follows is drawn on this frame. */
  dispose?: number;
}

export function GIFEncoder(): {
  writeFrame(indices: Uint8Array, width: number, height: number, options: FrameOptions): void;
  finish(): void;
  bytes(): Uint8Array<ArrayBuffer>;
};
