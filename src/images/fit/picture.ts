/** Pixels in RGBA, 8 bits each, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface Animation {
  readonly width: number;
  readonly height: number;
  /** Whole pictures of the same size: nothing is left of the one before. */
  readonly frames: readonly Uint8Array[];
  /** Milliseconds that each frame is shown. */
  readonly delaysMs: readonly number[];
  /** How often it is played; 0 is without end. */
  readonly loop: number;
}

/** A file that cannot be made to fit. What it says is for the log of the child's owner and never for a caller. */
export class CannotFit extends Error {
  override readonly name = 'CannotFit';
}

/** A picture in the middle of a transparent one. */
export function padPicture({ width, height, pixels }: Picture, toWidth: number, toHeight: number): Picture {
  const padded = new Uint8Array(toWidth * toHeight * 4);
  const left = (toWidth - width) >> 1;
  const top = (toHeight - height) >> 1;
  for (let y = 0; y < height; y += 1) {
    padded.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), ((top + y) * toWidth + left) * 4);
  }
  return { width: toWidth, height: toHeight, pixels: padded };
}
