// Types for the parts of the package that we use, because it has none. Its main file is CommonJS, and Node does not see
// its exports.
declare module 'gifenc/dist/gifenc.esm.js' {
  export type Color = readonly [red: number, green: number, blue: number];

  interface FrameOptions {
    /** With the first frame: for the whole file. */
    palette?: readonly Color[] | undefined;
    /** Milliseconds. */
    delay: number;
    transparent: boolean;
    transparentIndex: number;
    /** After the frame: 1 keeps it, 2 clears it. */
    dispose: number;
    /** Runs after the first one; 0 is endless, -1 is none. */
    repeat: number;
    /** Bits of an index. */
    colorDepth: number;
  }

  export function GIFEncoder(): {
    writeFrame(indexes: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytesView(): Uint8Array;
  };
  /** @param rgba all of its buffer is read */
  export function quantize(
    rgba: Uint8Array,
    maxColors: number,
    options: { format: 'rgb565' | 'rgb444' },
  ): Color[];
  export function nearestColorIndex(palette: readonly Color[], pixel: Color): number;
}
