/** Frames of the same size in RGBA, 8 bits each, one below the other, as libvips has them. A still picture is one frame. */
export interface Strip {
  /** Of one frame. */
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface Animation extends Strip {
  /** Milliseconds that each frame is shown. */
  readonly delaysMs: readonly number[];
  /** How often it is played; 0 is without end. */
  readonly loop: number;
}

/** A file that cannot be made to fit. What it says is for the log of the child's owner and never for a caller. */
export class CannotFit extends Error {
  override readonly name = 'CannotFit';
}
