// The package comes without types; these are the parts in use. Its main file is CommonJS whose exports Node does not see.
declare module 'gifenc/dist/gifenc.esm.js' {
  export type Color = readonly [red: number, green: number, blue: number];

  interface FrameOptions {
    /** Of the whole file when it comes with the first frame. */
    palette?: readonly Color[] | undefined;
    /** Milliseconds. */
    delay: number;
    transparent: boolean;
    transparentIndex: number;
    /** What becomes of the frame: 1 stays, 2 is cleared. */
    dispose: number;
    /** Runs after the first one; 0 is without end, -1 is none. */
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
