/** Frames of the same size in RGBA, 8 bits each, one below the other, as in libvips. A still picture is one frame. */
export interface Strip {
  /** Width of one frame. */
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface Animation extends Strip {
  /** Milliseconds for which each frame is shown. */
  readonly delaysMs: readonly number[];
  /** Number of runs; 0 is endless. */
  readonly loop: number;
}

/** A file that cannot be made to fit. Its message is for the log of the child's owner, never for a caller. */
export class CannotFit extends Error {
  override readonly name = 'CannotFit';
}
